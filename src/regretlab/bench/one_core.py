"""One core for everybody: libraries are told to start one thread, and the process is held on one processor."""

from __future__ import annotations

import os
import time
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

TRIAL_SECONDS = 0.1
"""How long a core is tried: many turns of the scheduler."""

MOST_TRIED = 8
"""Of a machine with many cores only the last ones are tried."""


@contextmanager
def one_core() -> Iterator[int]:
    """Hold this process and its children on one core for as long as the block runs; gives how many cores there are.

    Where the system can't hold a process on a core, the number of threads alone has to do.
    """
    before = {name: os.environ.get(name) for name in ONE_THREAD}
    os.environ.update(ONE_THREAD)
    cores = available_cores()
    hold([freest(cores)])
    try:
        yield len(cores)
    finally:
        hold(cores)
        _restore(before)


def freest(cores: list[int]) -> int:
    """The core of which a busy loop gets the largest share; of equals the last, because the first serves interrupts.

    A neighbour that is held on a core, such as another benchmark, would stay there beside us for the whole run.
    """
    shares = {}
    for core in cores[-MOST_TRIED:]:
        hold([core])
        start, begun = time.perf_counter(), time.process_time()
        while time.perf_counter() - start < TRIAL_SECONDS:
            pass
        shares[core] = round((time.process_time() - begun) / (time.perf_counter() - start), 1)
    return max(shares, key=lambda core: (shares[core], core))


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
