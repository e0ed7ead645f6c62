"""Where numbers come from: versions, machine and moment."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache

from regretlab.machine import describe_machine, installed_versions

PACKAGES = ("regretlab", "numpy", "numba", "llvmlite", "open_spiel")


@cache
def provenance() -> dict[str, str]:
    """Versions of all that takes part in computing, and the machine; no names of people or hosts."""
    here = describe_machine()
    machine = {
        "machine": f"{here['processor']}, {here['cores']} cores",
        "system": here["system"],
        "python": here["python"],
    }
    return machine | installed_versions(PACKAGES)


def now() -> str:
    """The moment in UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
