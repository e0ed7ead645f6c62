"""What the benchmark runs on: one core for everybody, and what the machine is like.

Libraries are told to start one thread, and the process is held on one processor.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from regretlab.machine import describe_machine, usable_cores

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
    cores = usable_cores()
    hold([freest(cores)])
    try:
        yield len(cores)
    finally:
        hold(cores)
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


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


def hold(cores: list[int]) -> None:
    """Let this process run on these cores alone, where the system can do that."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, cores)


USUAL_CACHE = 32 * 2**20
"""Bytes of the last-level cache where the system does not tell."""

CACHES = Path("/sys/devices/system/cpu/cpu0/cache")
BYTES = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30}
"""What the sizes of caches, such as ``32768K``, are counted in."""

PACKAGES = ("regretlab", "numpy", "numba", "llvmlite", "scipy", "open_spiel", "LiteEFG", "jax", "jaxlib", "torch")


def describe(cores: int) -> dict[str, Any]:
    """The machine with its caches and its load; ``cores`` as many as there were before the process was held on one."""
    return describe_machine() | {
        "cores": cores,
        "caches": caches(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
    }


def caches() -> dict[str, int]:
    """The bytes of each data cache that the first core sees, by level."""
    found = {}
    for folder in sorted(CACHES.glob("index*")):
        kind, level, size = ((folder / name).read_text().strip() for name in ("type", "level", "size"))
        if kind != "Instruction":
            found[f"L{level}"] = int(size.rstrip("KMG")) * BYTES[size.lstrip("0123456789")]
    return found


def last_level_cache() -> int:
    """The bytes of the largest cache."""
    return max(caches().values(), default=USUAL_CACHE)
