"""What an exercise is: a task, hints, a solution that runs, and how an answer to it is judged."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from regretlab.documents.blocks import Block, Bullets, Code, Document, Heading, Paragraph, code, prose, words
from regretlab.documents.numbers import Notation
from regretlab.errors import UserError, unknown
from regretlab.explaining.exercises.keys import GIVEN, KEYS, Key
from regretlab.spec import number, whole

CLOSE = Fraction(1, 200)
"""An answer as near as this to the right one is right: two decimals are enough."""


@dataclass(frozen=True)
class Verdict:
    """Whether an answer is right, and what is to be said about it; `code` stands between backticks."""

    right: bool
    reason: str

    @property
    def said(self) -> str:
        """All that is to be said."""
        return f"{'Right.' if self.right else 'Not yet.'} {self.reason}"


@dataclass(frozen=True)
class Exercise:
    """One exercise. Numbers in its texts are computed when they are shown."""

    place: int  # from 1
    title: str
    about: str
    solution: str
    start: str = ""  # of an exercise that is a program: what it begins with
    options: Mapping[str, str] = field(
        default_factory=dict
    )  # of a choice: what can be answered, and what it stands for
    example: str = "3/4"  # of how an answer is written
    texts: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def kind(self) -> str:
        """How it is answered: ``program``, ``choice`` or ``numbers``."""
        return "program" if self.start else "choice" if self.options else "numbers"

    @property
    def file(self) -> str:
        """The name of the file in which a program is written."""
        return f"exercise-{self.place}.py"

    @cached_property
    def task(self) -> str:
        """What is to be done."""
        return self._filled(self.texts["task"], {})

    @cached_property
    def hints(self) -> tuple[str, ...]:
        """Each says a little more than the one before."""
        return tuple(self._filled(hint, {}) for hint in self.texts["hints"])

    @cached_property
    def key(self) -> Key:
        """The right answer and the usual wrong ones, computed now."""
        return KEYS[self.place]()

    def judge(self, answer: str) -> Verdict:
        """The verdict on an answer as somebody has written it; a program is judged by ``programs.judge``."""
        if self.kind == "program":
            raise UserError(
                f"exercise {self.place} is a program; write it in {self.file}: regretlab exercise {self.place}"
            )
        given = self._chosen(answer) if self.options else read_numbers(answer)
        wanted = self.key.answer
        if self._same(given, wanted):
            return Verdict(True, self.praise(self.key.facts))
        for name, mistake in self.key.mistakes.items():
            if self._same(given, mistake):
                return Verdict(False, self._filled(self.texts["mistakes"][name], self.key.facts))
        return Verdict(False, _what_differs(given, wanted))

    def praise(self, facts: Mapping[str, str]) -> str:
        """What is said when it is solved."""
        return self._filled(self.texts["right"], facts)

    def document(self, heading: int = 2) -> Document:
        """The task, for any of the writers."""
        blocks: list[Block] = [Heading(heading, words(f"Exercise {self.place}: {self.title}")), *in_blocks(self.task)]
        if self.options:
            blocks.append(Bullets(tuple(words(f"{name}: ", code(text)) for name, text in self.options.items())))
        return Document(tuple(blocks), Notation())

    def as_dict(self) -> dict[str, Any]:
        """The exercise for JSON, without its solution."""
        told = {"exercise": self.place, "title": self.title, "about": self.about, "kind": self.kind, "task": self.task}
        return told | {"options": dict(self.options), "hints": list(self.hints)}

    def _filled(self, text: str, facts: Mapping[str, str]) -> str:
        return text.strip("\n").format(**GIVEN[self.place](), **facts)

    def _chosen(self, answer: str) -> tuple[str]:
        spoken = {re.sub(r"\W+", "", name).lower(): name for name in self.options}
        spoken |= {"".join(re.findall(r"\d", name)): name for name in self.options}
        said = re.sub(r"\W+", "", answer).lower()
        if said not in spoken:
            raise unknown("answer", answer, self.options)
        return (spoken[said],)

    def _same(self, given: Sequence[Any], wanted: Sequence[Any]) -> bool:
        if self.options:
            return tuple(given) == tuple(wanted)
        pairs = zip(given, wanted, strict=False)
        return len(given) == len(wanted) and all(abs(mine - theirs) <= CLOSE for mine, theirs in pairs)


def read_numbers(answer: str) -> tuple[Fraction, ...]:
    """Numbers as people write them: fractions, decimals and percent, with commas or spaces between them.

    >>> read_numbers("−1/4"), read_numbers("75 %, 0, .25")
    ((Fraction(-1, 4),), (Fraction(3, 4), Fraction(0, 1), Fraction(1, 4)))
    """
    text = re.sub(r"\s*([/%])\s*", r"\1 ", answer.replace("−", "-").replace(";", ",")).replace("/ ", "/")
    found = []
    for piece in re.split(r"[,\s]+", re.sub(r"([-+])\s+", r"\1", text).strip(" ,()[]")):
        share = piece.endswith("%")
        try:
            found.append(number("answer", piece.removesuffix("%")) / (100 if share else 1))
        except UserError:
            raise UserError(f"'{piece:.40}' is no number; write it like 3/4, -0.25 or 75%") from None
    return tuple(found)


def _what_differs(given: Sequence[Any], wanted: Sequence[Any]) -> str:
    """What can be said about numbers that no usual mistake explains."""
    if len(given) != len(wanted):
        asked = "one number" if len(wanted) == 1 else f"{len(wanted)} numbers"
        return f"The answer is {asked}; you gave {len(given)}."
    if len(wanted) > 1:
        if abs(sum(given) - 1) > CLOSE:
            return f"Probabilities sum to 1, and yours to {float(sum(given)):.4g}."
        right = [
            str(k) for k, (mine, theirs) in enumerate(zip(given, wanted, strict=True), 1) if abs(mine - theirs) <= CLOSE
        ]
        return f"Right so far: {'number ' + ' and '.join(right) if right else 'none of them'}."
    mine, right = given[0], wanted[0]
    if abs(mine + right) <= CLOSE:
        return "The size is right. Look at the sign."
    if abs(mine - 100 * right) <= 100 * CLOSE:
        return "That looks like percent; write the sign % behind it, or a fraction."
    if mine * right < 0:
        return f"The answer is {'above' if right > 0 else 'below'} 0."
    return f"The answer is {'larger' if mine < right else 'smaller'} than that."


def in_blocks(text: str) -> Iterator[Block]:
    """Paragraphs, with an empty line between them; those of which each line begins with four spaces are code."""
    for piece in re.split(r"\n\n(?=\S|    \S)", text):
        for kind, part in _pieces(piece):
            yield Code(part) if kind else Paragraph(prose(part))


def _pieces(piece: str) -> Iterator[tuple[bool, str]]:
    lines = piece.splitlines()
    if all(line.startswith("    ") or not line for line in lines):
        yield True, "\n".join(line[4:] for line in lines)
    else:
        yield False, " ".join(lines)


def _read() -> Iterator[Exercise]:
    found = tomllib.loads(Path(__file__).with_name("exercises.toml").read_text(encoding="utf-8"))
    for place, entry in enumerate(found["exercise"], 1):
        own = {name: entry[name] for name in ("title", "about")}
        programs = {name: entry.get(name, "").lstrip("\n") for name in ("solution", "start")}
        rest = {name: entry[name] for name in ("options", "example") if name in entry}
        yield Exercise(place, **own, **programs, **rest, texts=entry)


EXERCISES: Mapping[int, Exercise] = {each.place: each for each in _read()}
"""All exercises by their number, from the easiest on."""


def find(place: str | int) -> Exercise:
    """The exercise with this number."""
    return EXERCISES[whole("exercise", place, least=1, most=len(EXERCISES))]
