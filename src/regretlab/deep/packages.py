"""What networks need beyond a plain install; and files in the format of safetensors, in which nothing can run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

from numpy.typing import NDArray

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


_LENGTH = 8
"""Bytes at the start that say how long the header is; the header is JSON, and holds what the file says of itself."""


def to_tensors(arrays: Mapping[str, NDArray[Any]], about: str) -> bytes:
    """The arrays, and a text about them."""
    check_installed("a .safetensors file")
    from safetensors.numpy import save

    return save(dict(arrays), {"about": about})


def from_tensors(content: bytes) -> tuple[dict[str, NDArray[Any]], str]:
    """What ``to_tensors`` was given; ValueError or KeyError if the content is something else."""
    check_installed("a .safetensors file")
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        arrays = load(content)
    except SafetensorError as error:
        raise ValueError(str(error)) from None
    header = json.loads(content[_LENGTH : _LENGTH + int.from_bytes(content[:_LENGTH], "little")])
    return arrays, header["__metadata__"]["about"]
