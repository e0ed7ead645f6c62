"""Threads in compiled code that meet: nobody goes on before all have come.

They wait awake. A thread that sleeps takes a tenth of a millisecond to wake up and, where machines are shared, now and
then many times that; a pass over a large game takes one or two. Whoever waits gives way to other threads that want
the core, so more threads than cores are slow, but no deadlock.
"""

from __future__ import annotations

import ctypes
import sys
from importlib import import_module
from typing import Any, TypeAlias

import llvmlite.binding
import numba
import numpy as np
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from regretlab.forms.kernel import kernel

Counters: TypeAlias = NDArray[np.int64]
"""How often each thread has come, a cache line each: a line that two write to would travel between their cores."""

CAN_MEET = not numba.config.DISABLE_JIT  # type: ignore[attr-defined]
"""Plain Python has one core: its threads take turns."""

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


def _address_of_yield() -> int:
    """The system's function that lets another thread have the core."""
    if sys.platform == "win32":
        function: Any = ctypes.WinDLL("kernel32").SwitchToThread
    else:
        function = ctypes.CDLL(None).sched_yield
    return ctypes.cast(function, ctypes.c_void_p).value or 0


_YIELD = "regretlab_yield"
"""A name, not an address: compiled code on disk outlives this process."""

llvmlite.binding.add_symbol(_YIELD, _address_of_yield())
give_way: Any = types.ExternalFunction(_YIELD, types.int32())

_arrays: Any = import_module("numba.np.arrayobj")
_instructions: Any = import_module("numba.core.cgutils")


def _pointer(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    array = _arrays.make_array(signature.args[0])(context, builder, arguments[0])
    return _instructions.gep(builder, array.data, arguments[1])


def _load(_: Any, array: Any, index: Any) -> Any:
    """``array[index]``, read anew each time, before whatever is read after it."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load_atomic(_pointer(context, builder, signature, arguments), "acquire", align=8)

    return types.int64(array, types.intp), generate


def _store(_: Any, array: Any, index: Any, value: Any) -> Any:
    """``array[index] = value``, after whatever was written before it."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        at = _pointer(context, builder, signature, arguments)
        builder.store_atomic(arguments[2], at, "release", align=8)
        return context.get_dummy_value()

    return types.void(array, types.intp, types.int64), generate


load: Any = intrinsic(_load)
store: Any = intrinsic(_store)
