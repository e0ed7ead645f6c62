"""``regretlab exercise``: ten short exercises, with hints, checked answers and solutions that run."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from regretlab.cli import screen
from regretlab.cli.screen import AsJson
from regretlab.errors import UserError
from regretlab.files import written_beside

if TYPE_CHECKING:
    from regretlab.explaining.exercises import Exercise, Verdict

EXAMPLES = """Examples:
  regretlab exercise
  regretlab exercise 1
  regretlab exercise 1 --answer 3/8
  regretlab exercise 3 --hint
  regretlab exercise 3 --solution"""

NOT_YET = 2
"""The exit status of an answer that is not right yet."""


def exercise(
    number: Annotated[str | None, Parameter(help="Which one, from 1 on. [default: list all]")] = None,
    /,
    *,
    answer: Annotated[
        str | None,
        Parameter(metavar="ANSWER", help="Check an answer, such as -1/4 or 0.25.", allow_leading_hyphen=True),
    ] = None,
    hint: Annotated[int, Parameter(help="Show a hint; --hint --hint shows two.", count=True)] = 0,
    solution: Annotated[bool, Parameter(help="Show a solution; it is Python and runs.")] = False,
    json: AsJson = False,
) -> int | None:
    """Learn by doing: ten exercises, from a first regret to a small river.

    Without a number they are listed. An exercise that is a program is written into a
    file such as exercise-3.py in this folder; the same command checks it when
    you have changed it.
    """
    from regretlab.explaining.exercises import EXERCISES, find

    if number is None:
        if answer is not None or hint or solution:
            raise UserError(f"name an exercise, 1 to {len(EXERCISES)}: regretlab exercise 1")
        _list(json)
        return None
    chosen = find(number)
    if hint or solution:
        _help(chosen, hint, solution, json)
        return None
    if answer is not None:
        return _tell(chosen.judge(answer), json)
    path = Path(chosen.file)
    if chosen.kind != "program" or not path.exists():
        _show(chosen, json)
        return None
    from regretlab.explaining.exercises.programs import judge

    return _tell(judge(chosen, path), json)


def _list(json: bool) -> None:
    """All exercises, and how each is answered."""
    from regretlab.explaining.exercises import EXERCISES

    if json:
        screen.as_json([each.as_dict() for each in EXERCISES.values()])
        return
    page, table = (
        screen.Page(),
        screen.new_table("", "exercise", "what it is about", "answer with", fold=["what it is about"]),
    )
    for each in EXERCISES.values():
        table.add_row(str(each.place), each.title, each.about, _way(each))
    page.table(table)
    page.print("Begin with: regretlab exercise 1")


def _way(chosen: Exercise) -> str:
    """How an exercise is answered on the command line."""
    return chosen.file if chosen.kind == "program" else f"--answer {shlex.quote(chosen.example)}"


def _show(chosen: Exercise, json: bool) -> None:
    """The task; of a program also the file to begin with, which is never written over."""
    if json:
        screen.as_json(chosen.as_dict())
        return
    path = Path(chosen.file)
    screen.document(chosen.document())
    if chosen.kind == "program":
        with written_beside(path) as file:
            file.write(chosen.start.encode())
        print(f"Written: {path}. Change it, then check it with: regretlab exercise {chosen.place}")
    else:
        print(f"Check your answer with: regretlab exercise {chosen.place} {_way(chosen)}")
    print(f"For a hint: regretlab exercise {chosen.place} --hint")


def _help(chosen: Exercise, hint: int, solution: bool, json: bool) -> None:
    """So many hints, the least telling first, or the solution."""
    hints = chosen.hints[:hint]
    if json:
        screen.as_json(
            {"exercise": chosen.place, "hints": list(hints)} | ({"solution": chosen.solution} if solution else {})
        )
        return
    for count, text in enumerate(hints, 1):
        _print(f"Hint {count} of {len(chosen.hints)}: {text}")
    if hints and len(hints) < len(chosen.hints):
        _print(f"For more: `regretlab exercise {chosen.place}{' --hint' * (len(hints) + 1)}`")
    if solution:
        print(chosen.solution, end="")


def _print(text: str) -> None:
    """A paragraph in which `code` stands between backticks."""
    from regretlab.documents.blocks import Document, Paragraph, prose
    from regretlab.documents.numbers import Notation

    screen.document(Document((Paragraph(prose(text)),), Notation()))


def _tell(verdict: Verdict, json: bool) -> int:
    """What is said about an answer; the status says whether it is right."""
    if json:
        screen.as_json({"right": verdict.right, "said": verdict.said})
    else:
        _print(verdict.said)
    return 0 if verdict.right else NOT_YET
