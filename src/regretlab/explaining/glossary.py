"""The glossary: one source for the terminal, the documentation and the page.

Examples are from Kuhn poker and computed when they are shown.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill
from typing import Any

from regretlab.documents import Document, Heading, Notation, Paragraph, code, strong, words
from regretlab.errors import unknown
from regretlab.explaining.glossary_examples import example


@dataclass(frozen=True)
class Term:
    """A word of the field: what it means in two sentences, a formula, an example, and what belongs to it."""

    name: str
    meaning: str
    formula: str
    related: tuple[str, ...]

    @property
    def example(self) -> str:
        """An example from Kuhn poker; its numbers are computed now."""
        return example(self.name)

    @property
    def document(self) -> Document:
        """The entry as a document, for any of the writers."""
        blocks = (
            Heading(3, words(self.name)),
            Paragraph(words(self.meaning)),
            Paragraph(words(strong("Formula:"), " ", code(self.formula))),
            Paragraph(words(strong("Example:"), f" {self.example}")),
            Paragraph(words(strong("See also:"), f" {', '.join(self.related)}")),
        )
        return Document(blocks, Notation())

    def as_dict(self) -> dict[str, Any]:
        """The entry for JSON."""
        return {
            "name": self.name,
            "meaning": self.meaning,
            "formula": self.formula,
            "example": self.example,
            "related": list(self.related),
        }


TERMS: Mapping[str, Term] = {
    name: Term(name, entry["meaning"], entry["formula"], tuple(entry["related"]))
    for name, entry in tomllib.loads(Path(__file__).with_name("glossary.toml").read_text(encoding="utf-8")).items()
}
"""Every term by its name, in the order of the alphabet."""


def find(term: str) -> Term:
    """The term with this name, however it is spelled.

    >>> find("Bluff").related
    ('bet', 'fold', 'Nash equilibrium')
    """

    def letters(name: str) -> str:
        return re.sub(r"[\W_]+", "", name).lower()

    found = {letters(name): each for name, each in TERMS.items()}.get(letters(str(term)))
    if found is None:
        raise unknown("term", term, TERMS)
    return found


WIDTH = 120
"""Columns of a line in the documentation."""

_INTRODUCTION = (
    "The words of the field, each with a formula and an example from [Kuhn poker](games.md). This page is written by "
    "`regretlab glossary --format markdown`, and its numbers are computed; `regretlab glossary bluff` shows one term."
)


def as_markdown() -> str:
    """The whole glossary as a page of the documentation."""
    return "\n".join(["# Glossary\n", fill(_INTRODUCTION, WIDTH) + "\n", *map(entry, TERMS.values())])


def entry(term: Term) -> str:
    """One term as Markdown."""
    links = ", ".join(f"[{name}](#{anchor(name)})" for name in term.related)
    parts = (
        f"## {term.name}",
        fill(term.meaning, WIDTH),
        f"    {term.formula}",
        fill(f"Example: {term.example}", WIDTH),
        f"See also: {links}.",
    )
    return "\n\n".join(parts) + "\n"


def anchor(name: str) -> str:
    """The link target that Markdown makes from a heading."""
    return re.sub(r"[^\w\- ]", "", name.lower()).replace(" ", "-")
