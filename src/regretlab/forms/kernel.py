"""The decorator that turns a small function on arrays into machine code, cached on disk.

Three hazards, and what is done about them:

- Numba notices an edit only in the file of the cached function itself; a caller in another file would keep the old
  code that was inlined into it, or the old value of a constant. So the cache folder's name carries a hash of all
  sources that can end up in a kernel.
- ``fastmath`` would reorder additions, and the fused kernel, the plain loop and Python itself would no longer agree to
  the last bit. It is never switched on.
- Numba counts references to arrays wherever one gets another name, by atomic instructions: half the time of a short
  kernel. Ours only work on what they are given, so the counting is switched off except where a kernel makes an array.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar

import numba
import numpy as np
from numpy.typing import NDArray

from regretlab.forms.numba_private import (
    import_without_blas,
    short_loops_as_vectors,
    without_aliases,
    without_counting,
)
from regretlab.identity import kernel_identity

Floats = NDArray[np.float64]
Indices = NDArray[np.uint32]
"""Indices are unsigned: Numba then leaves out the test for negative ones, which halves the time of short loops."""

Function = TypeVar("Function", bound=Callable[..., Any])

import_without_blas()


def cache_folder() -> Path:
    """Where compiled kernels are kept: NUMBA_CACHE_DIR if set, else the user's cache folder."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        base = Path(chosen)
    elif sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "regretlab" / "kernels"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches" / "regretlab" / "kernels"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "regretlab" / "kernels"
    return base / kernel_identity()


_CACHE = cache_folder()


def _can_write(folder: Path) -> bool:
    """Whether kernels can be kept there; without it every process compiles its own."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


_CACHE_ON_DISK = _can_write(_CACHE)


def kernel(function: Function) -> Function:
    """Compile ``function`` at its first call and remember the machine code on disk.

    With NUMBA_DISABLE_JIT set it stays plain Python and gives the same bytes.
    """
    return _compiled(function, "never")


def inlined_kernel(function: Function) -> Function:
    """Like ``kernel``, for a function that works on a few numbers inside other kernels' loops.

    It is written into its callers before they are compiled. Left to LLVM, it stays a call or is inlined too late to be
    optimised together with the loop around it, and a whole iteration takes twice the time.
    """
    return _compiled(function, "always")


def allocating_kernel(function: Function) -> Function:
    """Like ``kernel``, for a function that makes arrays: Numba has to count references to them."""
    return _compiled(function, "never", allocates=True)


def _compiled(function: Function, inline: str, allocates: bool = False) -> Function:
    njit: Any = numba.njit
    counting = {} if allocates else without_counting()
    return _with_our_cache(njit(cache=_CACHE_ON_DISK, inline=inline, nogil=True, **counting), function)  # type: ignore[no-any-return]


_ONE_AT_A_TIME = threading.RLock()
"""The setting below is everybody's: two threads would leave it with one another's folder."""


def _with_our_cache(decorator: Any, function: Any) -> Any:
    """Apply a decorator of Numba; its cache folder is a setting that is read when the decorator runs."""
    settings: Any = numba.config
    with _ONE_AT_A_TIME:
        before = settings.CACHE_DIR
        settings.CACHE_DIR = str(_CACHE)
        try:
            return decorator(function)
        finally:
            settings.CACHE_DIR = before  # other people's functions keep their own


def as_argument(function: Callable[..., Any], signature: Any, kept: bool = True, allocates: bool = False) -> Any:
    """A function of a fixed signature as a value that kernels take as an argument and call.

    It is ``kept`` on disk or not, and has its references counted if it ``allocates`` arrays.

    The kernel that takes it is compiled once for all functions of the signature, and found again on disk. A kernel
    passed as it is would be compiled into a copy of its own in every process.
    """
    settings: Any = numba.config
    if settings.DISABLE_JIT:
        return function
    cfunc: Any = numba.cfunc
    counting = {} if allocates else without_counting()
    return _with_our_cache(cfunc(signature, cache=kept and _CACHE_ON_DISK, **counting), function)


def vector_kernel(function: Function, signature: Any) -> Function:
    """Like ``kernel``, for loops over lanes: several numbers at once, arrays that never overlap, no test for 0 before
    a division. It is compiled or loaded now, because how short loops are treated is a setting for all."""
    njit: Any = numba.njit
    with _ONE_AT_A_TIME, short_loops_as_vectors():
        decorator = njit(signature, **_vector_options(), inline="never", cache=_CACHE_ON_DISK)
        return _with_our_cache(decorator, function)  # type: ignore[no-any-return]


def vector_argument(function: Callable[..., Any], signature: Any, kept: bool = True, allocates: bool = False) -> Any:
    """Like ``as_argument``, compiled as ``vector_kernel`` does."""
    settings: Any = numba.config
    if settings.DISABLE_JIT:
        return function
    cfunc: Any = numba.cfunc
    with _ONE_AT_A_TIME, short_loops_as_vectors():
        options = _vector_options(allocates) | {"cache": kept and _CACHE_ON_DISK}
        return _with_our_cache(cfunc(signature, **options), function)


def _vector_options(allocates: bool = False) -> dict[str, Any]:
    counting = {} if allocates else without_counting()
    return {"nogil": True, "error_model": "numpy", **counting, **without_aliases()}


def specialised(text: Function, name: str, **parts: Any) -> Function:
    """A function with the code of ``text`` in which some global names mean other things: its parts.

    So one text becomes several kernels, each compiled together with its own parts. To Numba the parts are constants,
    which it inlines. A closure would do the same but is compiled anew in every process: only functions without one are
    found again on disk. There they go by their name, so ``name`` must be different for each choice of parts.
    """
    made = FunctionType(text.__code__, text.__globals__ | parts, f"{text.__name__}_{name}", text.__defaults__)
    made.__qualname__, made.__doc__, made.__module__ = made.__name__, text.__doc__, text.__module__
    return made  # type: ignore[return-value]


def in_python(function: Function) -> Function:
    """The plain Python function behind a kernel: it works on arrays of Fractions, too."""
    return getattr(function, "py_func", function)
