"""Explain: every number of an algorithm, as events, as text, as a page."""
