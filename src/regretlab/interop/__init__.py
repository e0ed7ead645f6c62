"""Interop: other libraries' games in and out."""

from regretlab.interop.gambit import EfgGame, write_efg
from regretlab.interop.openspiel import OpenSpielGame, openspiel_policy

__all__ = ["EfgGame", "OpenSpielGame", "openspiel_policy", "write_efg"]
