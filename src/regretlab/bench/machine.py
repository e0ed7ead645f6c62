"""What the benchmark ran on."""

from __future__ import annotations

import os
import platform
import re
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

USUAL_CACHE = 32 * 2**20
"""Bytes of the last-level cache where the system does not tell."""

CACHES = Path("/sys/devices/system/cpu/cpu0/cache")
PACKAGES = ("regretlab", "numpy", "numba", "llvmlite", "scipy", "open_spiel", "LiteEFG", "jax", "jaxlib", "torch")


def describe(cores: int) -> dict[str, Any]:
    """Processor, caches, memory and system, as far as the system tells."""
    return {
        "processor": _processor(),
        "cores": cores,
        "caches": caches(),
        "memory": _memory(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
    }


def versions() -> dict[str, str]:
    """The versions of what is installed of PACKAGES."""
    found = {}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def caches() -> dict[str, int]:
    """The bytes of each data cache that the first core sees, by level."""
    found = {}
    for folder in sorted(CACHES.glob("index*")):
        kind, level, size = ((folder / name).read_text().strip() for name in ("type", "level", "size"))
        if kind != "Instruction":
            found[f"L{level}"] = _bytes(size)
    return found


def last_level_cache() -> int:
    """The bytes of the largest cache."""
    return max(caches().values(), default=USUAL_CACHE)


def _bytes(text: str) -> int:
    """``32768K`` in bytes."""
    number, unit = re.fullmatch(r"(\d+)([KMG]?)", text).groups()  # type: ignore[union-attr]
    return int(number) * {"": 1, "K": 2**10, "M": 2**20, "G": 2**30}[unit]


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [line.partition(":")[2].strip() for line in info.read_text().splitlines() if "model name" in line]
        if names:
            return names[0]
    return platform.processor() or platform.machine()


def _memory() -> int | None:
    if sys.platform == "win32":
        return None
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
