"""The machine that numbers come from: cores, processor, memory, system and the versions that take part."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

CPU_INFO, MEMORY_INFO, CONTAINER = Path("/proc/cpuinfo"), Path("/proc/meminfo"), Path("/sys/fs/cgroup")


def usable_cores() -> list[int]:
    """The numbers of the cores that this process may run on, which can be fewer than the machine has."""
    affinity: Callable[[int], Iterable[int]] | None = getattr(os, "sched_getaffinity", None)
    return sorted(affinity(0)) if affinity is not None else list(range(os.cpu_count() or 1))


def free_memory() -> int | None:
    """Bytes of memory that a process could still have; None where the system does not tell.

    A container may be allowed less than the machine has.
    """
    lines = MEMORY_INFO.read_text().splitlines() if MEMORY_INFO.exists() else []
    free = [1024 * int(line.split()[1]) for line in lines if line.startswith("MemAvailable:")]
    with suppress(OSError, ValueError):  # there is no such file, or it says "max"
        most, used = (int((CONTAINER / name).read_text()) for name in ("memory.max", "memory.current"))
        parts = dict(line.split() for line in (CONTAINER / "memory.stat").read_text().splitlines())
        # Files that were read count as used, and make room when it is needed.
        free.append(max(0, most - used + int(parts.get("inactive_file", 0))))
    return min(free, default=None)


def describe_machine() -> dict[str, Any]:
    """Processor, usable cores, bytes of memory (None where the system does not tell) and system.

    Names of people and hosts are left out, because results are passed on.
    """
    info = CPU_INFO.read_text().splitlines() if CPU_INFO.exists() else []
    models = (line.partition(":")[2].strip() for line in info if line.startswith("model name"))
    return {
        "processor": next(models, platform.processor() or platform.machine()),
        "cores": len(usable_cores()),
        "memory": None if sys.platform == "win32" else os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "system": platform.platform(),
        "python": platform.python_version(),
    }


def installed_versions(packages: Iterable[str]) -> dict[str, str]:
    """The versions of those of the packages that are installed."""
    from importlib.metadata import PackageNotFoundError, version  # a tenth of the time of --help

    found = {}
    for package in packages:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
