"""Peers: other implementations of the same algorithms, each behind the same few methods.

Nothing is loaded here: where memory is measured, a process should hold one implementation and no other.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.peers.protocol import Peer

PLACES = {
    "regretlab": "ours:Ours",
    "openspiel": "openspiel:OpenSpiel",
    "liteefg": "liteefg:LiteEFG",
    "jax": "openspiel_jax:OpenSpielJax",
    "textbook": "textbook:Textbook",
}
"""Where each implementation is found, by its name on the command line."""

PEERS = tuple(PLACES)[1:]
"""Everybody that regretlab is compared with."""


def load_peer(key: str) -> Peer:
    """The implementation of this name; what it needs is imported only when it is used."""
    module, _, name = PLACES[key].partition(":")
    return getattr(import_module(f"{__name__}.{module}"), name)()  # type: ignore[no-any-return]
