"""Interop: other libraries' games in and out."""

from regretlab.interop.gambit import EfgGame, write_efg
from regretlab.interop.openspiel import OpenSpielGame, openspiel_bot, openspiel_policy
from regretlab.interop.pettingzoo import pettingzoo_env

__all__ = ["EfgGame", "OpenSpielGame", "openspiel_bot", "openspiel_policy", "pettingzoo_env", "write_efg"]
