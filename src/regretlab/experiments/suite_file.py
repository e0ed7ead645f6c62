"""The file of a suite: its parts, what stands in them, and errors that name the line."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple, TypeVar

from regretlab.errors import UserError, unknown
from regretlab.experiments.specs import recipe_of
from regretlab.solving import RECIPES
from regretlab.spec import format_call, parse_call, whole_iterations

Read = TypeVar("Read")


class FilePart(NamedTuple):
    """A part of a file; errors name the line."""

    name: str
    text: str
    lines_before: int = 0

    def block(self, key: str, number: int) -> FilePart:
        """The part of one ``[[runs]]`` or ``[[spots]]``, if the blocks are written that way; else the whole."""
        heads = list(re.finditer(r"^[ \t]*\[\[ *(\w+) *\]\]", self.text, re.MULTILINE))
        own = [place for place, head in enumerate(heads) if head[1] == key]
        if number >= len(own):
            return self
        starts = [head.start() for head in heads] + [len(self.text)]
        start, end = starts[own[number] : own[number] + 2]
        return FilePart(self.name, self.text[start:end], self.text.count("\n", 0, start))

    def wrong(self, key: str, error: object, value: object = None) -> UserError:
        """The error with the line of the value, if that is text, or else of the key in front."""
        key_pattern = rf"^[ \t]*\[*[ \t]*[\"']?{re.escape(key)}[\"']?[ \t]*[=\]]"
        patterns = [rf"^[^#\n]*{re.escape(value)}"] if isinstance(value, str) else []
        found = [re.search(pattern, self.text, re.MULTILINE) for pattern in (*patterns, key_pattern)]
        match = next((match for match in found if match), None)
        if match is None:
            return UserError(f"{self.name}: {error}")
        line = self.lines_before + self.text.count("\n", 0, match.start()) + 1
        return UserError(f"{self.name}, line {line}: {error}")

    def read(self, key: str, value: Any, reader: Callable[[Any], Read]) -> Read:
        """What the reader makes of a value; what it complains about gets a line."""
        try:
            return reader(value)
        except UserError as error:
            raise self.wrong(key, error, value) from None

    def check_keys(self, table: Mapping[str, Any], known: Sequence[str]) -> None:
        """Raise UserError where a key is not known."""
        for key in table:
            if key not in known:
                raise self.wrong(key, unknown("key", key, known))

    def check_block(self, kind: str, block: Mapping[str, Any], known: Sequence[str], needed: Sequence[str]) -> None:
        """Raise UserError where a key of a block is not known, or one is missing."""
        self.check_keys(block, known)
        for key in needed:
            if key not in block:
                raise self.wrong(kind, f"this block of {kind} has no {key}")

    def texts(self, block: Mapping[str, Any], key: str) -> list[str]:
        """One name or several."""
        value = block[key]
        texts = [value] if isinstance(value, str) else value
        if not isinstance(texts, list | tuple) or not texts or not all(isinstance(text, str) for text in texts):
            raise self.wrong(key, f"{key} must be a name in quotes, or a list of such")
        return list(texts)

    def recipes(self, block: Mapping[str, Any]) -> list[str]:
        """The names of a block's recipes."""
        return [name for text in self.texts(block, "recipes") for name in self.read("recipes", text, _recipes)]

    def iterations(self, block: Mapping[str, Any]) -> tuple[int, ...]:
        """After how many iterations the runs of a block are looked at."""
        given = block["iterations"]
        listed = given if isinstance(given, list | tuple) else [given]
        looks = [self.read("iterations", each, lambda each: whole_iterations("iterations", each)) for each in listed]
        if not looks or looks != sorted(set(looks)):
            raise self.wrong("iterations", "iterations must be a number, or a list of numbers that ascend")
        return tuple(looks)

    def check_iterations(self, name: str, looks: Sequence[int]) -> None:
        """Raise UserError where a recipe has not begun to average when it ends."""
        made = recipe_of(name)
        if looks[-1] < made.least_iterations:
            least = f"it takes at least {made.least_iterations:,}"
            raise self.wrong("iterations", f"{name}: {looks[-1]:,} iterations leave nothing to average; {least}")


ALL = "all"
"""In place of a recipe: every row of the table that needs no seed."""


def _recipes(text: str) -> list[str]:
    if text == ALL:
        return [row.name for row in RECIPES.values() if not row.feedback_kind.samples]
    return [recipe_of(choice).name for choice in choices(text)]


def choices(text: str) -> list[str]:
    """What a name with alternatives stands for.

    >>> choices("cfr+(delay=0|10, schedule=simultaneous)")
    ['cfr+(delay=0, schedule=simultaneous)', 'cfr+(delay=10, schedule=simultaneous)']
    """
    if "|" not in text:
        return [text]
    name, arguments = parse_call(text)
    values = ([choice.strip() for choice in value.split("|")] for value in arguments.values())
    return [format_call(name, dict(zip(arguments, chosen, strict=True))) for chosen in product(*values)]
