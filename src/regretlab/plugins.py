"""Games and rules that other packages add by being installed.

A package names them among its entry points, in the groups ``regretlab.games`` and ``regretlab.rules``. To look for
them means to look at every installed package, so nobody asks before a name is unknown or all names are listed.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from regretlab.errors import UserError
from regretlab.own_file import adopt

if TYPE_CHECKING:
    from importlib.metadata import Distribution, EntryPoint

_NAME = re.compile(r"[^\W\d][\w+-]*")
"""A name that can be written in commands, with arguments behind it, and is no file."""


@dataclass(frozen=True)
class Plugin:
    """What a package adds under a name, before anything of it is imported."""

    kind: str  # game or rule
    name: str
    package: str  # its name and version
    entry: EntryPoint | None
    fault: str = ""  # why it can't be used, as far as its name tells

    @property
    def path(self) -> str:
        """The file that it is in; known after it was loaded."""
        assert self.entry is not None
        return str(sys.modules[self.entry.module].__file__)

    def load(self) -> Any:
        """What the package has named; UserError, in one line, where that is not there or does not work."""
        if self.fault or self.entry is None:
            raise UserError(f"the {self.kind} '{self.name}' of {self.package} can't be used: {self.fault}")
        try:
            found = self.entry.load()
        except (Exception, SystemExit) as error:
            said = " ".join(str(error).split())
            raise UserError(
                f"the {self.kind} '{self.name}' of {self.package} can't be loaded: {type(error).__name__}: {said}"
            ) from error
        adopt(sys.modules[self.entry.module])
        return found


def find_plugin(kind: str, name: str) -> Plugin | None:
    """What an installed package adds under this name, if one does."""
    return next((plugin for plugin in _installed(kind) if plugin.name == name), None)


def plugins(kind: str, taken: Collection[str]) -> list[Plugin]:
    """All that installed packages add, sorted by name; what has a name that is ``taken`` has that as its fault."""
    return [
        Plugin(kind, each.name, each.package, None, f"regretlab has a {kind} of that name")
        if each.name in taken
        else each
        for each in _installed(kind)
    ]


@cache
def _installed(kind: str) -> list[Plugin]:
    """One plug-in for each name; those whose names say too little or mean too much have a fault."""
    found: dict[str, Plugin] = {}
    for each in sorted(_entries(kind), key=lambda plugin: (plugin.name, plugin.package)):
        other, fault = found.get(each.name), each.fault
        if other is not None:
            fault = f"{other.package} has a {kind} of that name, too"
        elif not fault and _NAME.fullmatch(each.name) is None:
            fault = "a name is a word of letters, digits, _, + and -"
        found[each.name] = Plugin(kind, each.name, each.package, each.entry, fault)
    return list(found.values())


def _entries(kind: str) -> Iterator[Plugin]:
    """Every entry of every installed package; of several versions of a package the one that is imported."""
    from importlib.metadata import distributions

    group, seen = f"regretlab.{kind}s", set()
    for package in distributions():
        text = package.read_text("entry_points.txt") or ""  # before anything else is read: most packages have none
        if group not in text or (name := package.metadata["Name"]) in seen:
            continue
        seen.add(name)
        yield from _of_a_package(package, f"{name} {package.version}", kind, group)


def _of_a_package(package: Distribution, called: str, kind: str, group: str) -> Iterator[Plugin]:
    try:
        entries = list(package.entry_points.select(group=group))
    except (TypeError, ValueError):  # a line without =
        yield Plugin(kind, called.partition(" ")[0], called, None, "its entry_points.txt can't be read")
        return
    for entry in entries:
        yield Plugin(kind, entry.name, called, entry)
