"""Weighing: which strategy follows from the regrets of one information set, one file for each way.

A file in this folder that defines ``WEIGHING`` is a way to weigh; nothing else has to know of it.
"""

from importlib import import_module
from pkgutil import iter_modules

from regretlab.rules.weighing.protocol import Weighing, WeighingKernel

_FOUND = [getattr(import_module(f"{__name__}.{each.name}"), "WEIGHING", None) for each in iter_modules(__path__)]

WEIGHINGS: dict[str, Weighing] = {
    way.name: way for way in sorted(filter(None, _FOUND), key=lambda way: (way.seconds, way.name))
}
"""By name, the quickest first."""

__all__ = ["WEIGHINGS", "Weighing", "WeighingKernel"]
