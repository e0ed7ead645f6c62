"""The browser, for charts and reports."""

from browser import chromium, visit

__all__ = ["chromium", "visit"]
