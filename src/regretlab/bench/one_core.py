"""One core for everybody: libraries are told to start one thread, and the process is held on one processor."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

ONE_THREAD = {
    "NUMBA_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false",
    "JAX_PLATFORMS": "cpu",
    "TF_CPP_MIN_LOG_LEVEL": "3",  # XLA would write its worries between the tables
}
"""What the libraries read when they are loaded; child processes inherit it."""


@contextmanager
def one_core() -> Iterator[int]:
    """Hold this process and its children on one core for as long as the block runs; gives how many cores there are.

    Where the system can't hold a process on a core, the number of threads alone has to do.
    """
    before = {name: os.environ.get(name) for name in ONE_THREAD}
    os.environ.update(ONE_THREAD)
    cores = available_cores()
    hold([max(cores)])  # the first one serves most interrupts
    try:
        yield len(cores)
    finally:
        hold(cores)
        _restore(before)


def available_cores() -> list[int]:
    """The numbers of the cores that this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def hold(cores: list[int]) -> None:
    """Let this process run on these cores alone, where the system can do that."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, cores)


def _restore(before: dict[str, str | None]) -> None:
    for name, value in before.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
