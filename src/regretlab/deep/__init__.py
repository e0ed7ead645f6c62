"""Deep: networks in place of the regret table (extra ``deep``). PyTorch is loaded when one is trained."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regretlab.deep.encoding import Encoding, encode
from regretlab.deep.memory import Memory, Tally, new_memory, new_tally, refill, remember, samples, size, tally
from regretlab.deep.packages import check_installed, from_tensors, is_installed, to_tensors
from regretlab.deep.settings import DEFAULTS, READ_SETTING, Settings

if TYPE_CHECKING:
    from regretlab.deep.network import Networks
    from regretlab.forms import SequenceForm

__all__ = [
    "DEFAULTS",
    "READ_SETTING",
    "Encoding",
    "Memory",
    "Settings",
    "Tally",
    "check_installed",
    "encode",
    "from_tensors",
    "is_installed",
    "new_memory",
    "new_networks",
    "new_tally",
    "refill",
    "remember",
    "samples",
    "size",
    "tally",
    "to_tensors",
]


def new_networks(form: SequenceForm, player: int, settings: Settings) -> Networks:
    """What trains the networks of one player."""
    from regretlab.deep.network import Networks

    return Networks(encode(form, player), settings)
