"""What the networks need beyond a plain install."""

from __future__ import annotations

from importlib.util import find_spec

from regretlab.errors import UserError

PACKAGES = {"torch": "PyTorch", "safetensors": "safetensors"}


def is_installed() -> bool:
    """Whether networks can be trained and saved here."""
    return all(find_spec(module) is not None for module in PACKAGES)


def check_installed(what: str) -> None:
    """Raise UserError, with the way to install it, where ``what`` lacks a package."""
    lacking = [name for module, name in PACKAGES.items() if find_spec(module) is None]
    if lacking:
        raise UserError(f"{what} needs {' and '.join(lacking)}; install it with: pip install 'regretlab[deep]'")
