"""Peers: other implementations of the same algorithms, each behind the same few methods."""

from regretlab.bench.peers.liteefg import LiteEFG
from regretlab.bench.peers.openspiel import OpenSpiel
from regretlab.bench.peers.openspiel_jax import OpenSpielJax
from regretlab.bench.peers.ours import Ours
from regretlab.bench.peers.protocol import ALGORITHMS, Judge, Peer, Run
from regretlab.bench.peers.textbook import Textbook

PEERS: dict[str, Peer] = {peer.key: peer for peer in (OpenSpiel(), LiteEFG(), OpenSpielJax(), Textbook())}
"""Everybody that regretlab is compared with, by the name on the command line."""

__all__ = ["ALGORITHMS", "PEERS", "Judge", "Ours", "Peer", "Run"]
