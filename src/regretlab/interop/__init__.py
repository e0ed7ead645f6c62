"""Interop: other libraries' games in and out."""

from regretlab.interop.openspiel import OpenSpielGame

__all__ = ["OpenSpielGame"]
