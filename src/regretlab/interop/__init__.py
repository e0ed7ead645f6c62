"""Interop: other libraries' games in and out."""

from regretlab.interop.efg_writing import write_efg
from regretlab.interop.gambit import EfgGame
from regretlab.interop.openspiel import OpenSpielGame, openspiel_policy

__all__ = ["EfgGame", "OpenSpielGame", "openspiel_policy", "write_efg"]
