"""Threads in compiled code that meet: nobody goes on before all have come.

They wait awake. A thread that sleeps takes a tenth of a millisecond to wake up and, where machines are shared, now and
then many times that; a pass over a large game takes one or two. Whoever waits gives way to other threads that want
the core, so more threads than cores are slow, but no deadlock.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numba
import numpy as np
from numpy.typing import NDArray

from regretlab.forms.kernel import kernel
from regretlab.forms.numba_private import atomics

Counters: TypeAlias = NDArray[np.int64]
"""How often each thread has come, a cache line each: a line that two write to would travel between their cores."""

_ATOMICS = atomics()
load: Any
store: Any
give_way: Any
load, store, give_way = _ATOMICS or (None, None, None)

CAN_MEET = _ATOMICS is not None and not numba.config.DISABLE_JIT  # type: ignore[attr-defined]
"""Plain Python has one core: its threads take turns. Nor can they meet where Numba has no way to write in order."""

_LINE = 16
"""Numbers from one thread's counter to the next: 128 bytes, because some processors fetch two lines at a time."""

_ABANDONED = -1
"""What stands for the first thread where it will not come."""


def new_counters(threads: int) -> Counters:
    """Before anybody has come."""
    return np.zeros(threads * _LINE, dtype=np.int64)


def abandon(counters: Counters) -> None:
    """If the first thread has not begun, let the others go: Ctrl-C may come between sending them off and beginning."""
    if counters[0] == 0:
        counters[0] = _ABANDONED


def all_have_come(counters: Counters) -> bool:
    """Whether all threads but the first wait for it to begin."""
    return bool((counters[_LINE::_LINE] > 0).all())


@kernel
def begin(counters: Counters, thread: int) -> bool:
    """Wait for the first thread to come once; False if it will not."""
    if thread == 0:
        store(counters, 0, 1)
        return True
    counters[thread * _LINE] = 1
    while load(counters, 0) == 0:
        give_way()
    return load(counters, 0) != _ABANDONED  # type: ignore[no-any-return]


@kernel
def meet(counters: Counters, thread: int) -> None:
    """Go on when all have come as often as this thread; what they wrote before can be read then."""
    own = thread * _LINE
    times = counters[own] + 1
    store(counters, own, times)
    for other in range(0, len(counters), _LINE):
        while load(counters, other) < times:
            give_way()
