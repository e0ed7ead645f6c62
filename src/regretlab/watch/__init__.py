"""Runs that people watch: games and recipes on offer, frames, steps back in time, races, tables to play at.

Nothing here knows HTTP; whoever shows a run, on a page or elsewhere, asks for what is in this folder.
"""
