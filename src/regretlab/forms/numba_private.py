"""All that we take from Numba's private parts, which may change from one version to the next.

Each of them makes something faster, and each has a plain way without it: a Numba that lacks one gives the same numbers,
more slowly. The versions that were tried are in ``pyproject.toml``.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, NamedTuple

import llvmlite.binding
import numba
from numba import types


def import_without_blas() -> None:
    """Load Numba's array functions without its question whether there is BLAS.

    Numba loads scipy.linalg to find out, which takes a quarter of a second. There is BLAS, because scipy is there.
    Numba asks when it loads this module; afterwards it asks as always, for other people's kernels that multiply
    matrices. Where the question is no longer asked in this place, nothing needs to be done.
    """
    try:
        asks: Any = import_module("numba.np.linalg")
        question = asks.ensure_blas
    except (ImportError, AttributeError):
        return
    asks.ensure_blas = lambda: None
    try:
        import_module("numba.np.arraymath")
    finally:
        asks.ensure_blas = question


def without_counting() -> dict[str, Any]:
    """The option of Numba's decorators that keeps it from counting references to arrays.

    It counts wherever an array gets another name, by atomic instructions: half the time of a short kernel. The option
    is private; where there is none, Numba counts.
    """
    try:
        known = import_module("numba.core.registry").cpu_target.options
    except (ImportError, AttributeError):
        return {}
    return {"_nrt": False} if hasattr(known, "_nrt") else {}


def without_aliases() -> dict[str, Any]:
    """The option of Numba's decorators that promises that no two arrays of a kernel overlap.

    Without the promise a compiler has to read a number again after every number that it writes, and can't do several
    at once. The flag is there, but no decorator passes it on until it is listed among the options.
    """
    try:
        known = import_module("numba.core.registry").cpu_target.options
        flags = import_module("numba.core.compiler").Flags
        listed: Any = type(known.__dict__.get("_nrt") or known.nogil)
    except (ImportError, AttributeError):
        return {}
    if not hasattr(flags, "noalias"):
        return {}
    if not hasattr(known, "_noalias"):
        known._noalias = listed("noalias")
    return {"_noalias": True}


@contextmanager
def short_loops_as_vectors() -> Iterator[None]:
    """While a kernel is compiled: loops of a few steps, which are written out before vectors are looked for, become
    vectors nevertheless. For scalar kernels this costs time, so it is not for all."""
    settings: Any = numba.config
    before = getattr(settings, "SLP_VECTORIZE", None)
    if before is None:
        yield
        return
    settings.SLP_VECTORIZE = 1
    try:
        yield
    finally:
        settings.SLP_VECTORIZE = before


class Atomics(NamedTuple):
    """Functions for kernels whose threads wait for each other. Inside kernels they are plain global names."""

    load: Any
    """``load(array, index)`` reads anew each time, before whatever is read after it."""
    store: Any
    """``store(array, index, value)`` writes after whatever was written before it."""
    give_way: Any
    """``give_way()`` lets another thread have the core."""


def atomics() -> Atomics | None:
    """Make them, or return None where Numba has no way to; then one core has to do all the work.

    Plain reading and writing would be no way around them: the compiler may read once and wait for ever.
    """
    try:
        make_array = import_module("numba.np.arrayobj").make_array
        element = import_module("numba.core.cgutils").gep
        intrinsic = import_module("numba.extending").intrinsic
        give_way = import_module("numba.core.types").ExternalFunction(_YIELD, types.int32())
    except (ImportError, AttributeError):
        return None

    def pointer(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return element(builder, make_array(signature.args[0])(context, builder, arguments[0]).data, arguments[1])

    def load(_: Any, array: Any, index: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.load_atomic(pointer(context, builder, signature, arguments), "acquire", align=8)

        return types.int64(array, types.intp), generate

    def store(_: Any, array: Any, index: Any, value: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            at = pointer(context, builder, signature, arguments)
            builder.store_atomic(arguments[2], at, "release", align=8)
            return context.get_dummy_value()

        return types.void(array, types.intp, types.int64), generate

    llvmlite.binding.add_symbol(_YIELD, _address_of_yield())
    return Atomics(intrinsic(load), intrinsic(store), give_way)


SQUARE = 8
"""Rows and columns of what ``square_turner`` turns."""


def square_turner() -> Any | None:
    """``turn(source, begin, stride, target, to, target_stride)`` for kernels: eight rows of eight numbers become
    columns. None where Numba has no way to write instructions ourselves; then two loops have to do.

    Left to the compiler, numbers are fetched one by one. Eight rows fit into eight registers, and three rounds of
    exchanging halves, quarters and eighths between pairs of registers turn them.
    """
    try:
        make_array = import_module("numba.np.arrayobj").make_array
        element = import_module("numba.core.cgutils").gep
        intrinsic = import_module("numba.extending").intrinsic
        ir = import_module("llvmlite.ir")
    except (ImportError, AttributeError):
        return None
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        return None

    def turn(_: Any, source: Any, begin: Any, stride: Any, target: Any, to: Any, target_stride: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            number = context.get_data_type(signature.args[0].dtype)
            vector, size = ir.VectorType(number, SQUARE), signature.args[0].dtype.bitwidth // 8

            def row(place: int, which: int) -> Any:
                array = make_array(signature.args[place])(context, builder, arguments[place])
                step = builder.mul(arguments[place + 2], ir.Constant(arguments[place + 2].type, which))
                pointer = element(builder, array.data, builder.add(arguments[place + 1], step))
                return builder.bitcast(pointer, vector.as_pointer())

            rows = [builder.load(row(0, k), align=size) for k in range(SQUARE)]
            for half in (4, 2, 1):
                for k in (k for k in range(SQUARE) if not k & half):
                    upper, lower = rows[k], rows[k + half]
                    masks = [
                        [lane if not lane & half else SQUARE + lane - half for lane in range(SQUARE)],
                        [lane + half if not lane & half else SQUARE + lane for lane in range(SQUARE)],
                    ]
                    rows[k], rows[k + half] = (
                        builder.shuffle_vector(upper, lower, ir.Constant(ir.VectorType(ir.IntType(32), SQUARE), mask))
                        for mask in masks
                    )
            for k, each in enumerate(rows):
                builder.store(each, row(3, k), align=size)
            return context.get_dummy_value()

        return types.void(source, begin, stride, target, to, target_stride), generate

    return intrinsic(turn)


_YIELD = "regretlab_yield"
"""The name by which compiled code finds the system's function. An address would not do: code on disk outlives it."""


def _address_of_yield() -> int:
    """The system's function that lets another thread have the core."""
    if sys.platform == "win32":
        function: Any = ctypes.WinDLL("kernel32").SwitchToThread
    else:
        function = ctypes.CDLL(None).sched_yield
    return ctypes.cast(function, ctypes.c_void_p).value or 0
