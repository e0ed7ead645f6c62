"""Where numbers come from: versions, machine and moment."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("regretlab", "numpy", "numba", "llvmlite", "open_spiel")


@cache
def provenance() -> dict[str, str]:
    """Versions of all that takes part in computing, and the machine; no names of people or hosts."""
    machine = {
        "machine": f"{_processor()}, {os.cpu_count()} cores",
        "system": platform.platform(),
        "python": platform.python_version(),
    }
    return machine | _versions()


def now() -> str:
    """The moment in UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _versions() -> dict[str, str]:
    found = {}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return next(iter(names), platform.processor() or platform.machine())
