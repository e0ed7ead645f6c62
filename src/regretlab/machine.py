"""The machine that numbers come from: cores, processor, memory, system and the versions that take part."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

CPU_INFO = Path("/proc/cpuinfo")


def usable_cores() -> list[int]:
    """The numbers of the cores that this process may run on, which can be fewer than the machine has."""
    affinity: Callable[[int], Iterable[int]] | None = getattr(os, "sched_getaffinity", None)
    return sorted(affinity(0)) if affinity is not None else list(range(os.cpu_count() or 1))


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
    found = {}
    for package in packages:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
