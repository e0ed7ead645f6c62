"""Recipes side by side on one game."""
