"""Matrix games: each player chooses once, without seeing the other's choice (von Neumann, 1928)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TypeAlias

from regretlab.errors import UserError
from regretlab.games.protocol import TERMINAL
from regretlab.spec import Readable, format_changed, number

State: TypeAlias = tuple[int, ...]
"""The row and the column, as far as they are chosen."""

NO_FILE = "none"

MOST_SPELLED = 100
"""A name spells out so many payoffs at most; beyond that it says how many there are, and can't be loaded."""


class PayoffRows(tuple[tuple[Fraction, ...], ...]):
    """What player 0 wins: a tuple a row; written with semicolons between the rows."""

    __slots__ = ()

    def __str__(self) -> str:
        return "; ".join(" ".join(map(str, row)) for row in self)


def read_rows(rows: Iterable[Iterable[Readable]] | str) -> PayoffRows:
    """Rows from nested sequences, a 2-D array, or text.

    >>> read_rows([[0, 0.1], [-1, 2]]) == read_rows("0 1/10; -1 2")
    True
    """
    if isinstance(rows, str):
        rows = rows.split(";")
    try:
        listed = [_split(row) if isinstance(row, str) else list(row) for row in rows]
    except TypeError:
        raise UserError(f"rows={rows!r:.40} must be rows of numbers, such as [[2, -1], [-1, 1]]") from None
    return _checked((f"row {k}", row) for k, row in enumerate(listed, start=1))


def read_file(path: str) -> PayoffRows:
    """Rows from a text file, a line each: numbers with commas or spaces between them; ``#`` starts a comment."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise UserError(f"there is no file '{path}'") from None
    except (OSError, ValueError) as error:
        raise UserError(f"can't read '{path}': {getattr(error, 'strerror', None) or 'it is not text'}") from None
    lines = enumerate((line.partition("#")[0].strip() for line in text.splitlines()), start=1)
    return _checked((f"'{path}', line {k}", _split(line)) for k, line in lines if line)


def _split(row: str) -> list[str]:
    """At commas if there are any, so that an empty cell is noticed, else at spaces."""
    return [cell.strip() for cell in row.split(",")] if "," in row else row.split()


def _checked(placed: Iterable[tuple[str, Sequence[Readable]]]) -> PayoffRows:
    """Rows of numbers, all of one length; each comes with its place, which an error names."""
    rows: list[tuple[Fraction, ...]] = []
    for place, row in placed:
        if rows and len(row) != len(rows[0]):
            raise UserError(f"{place} has length {len(row)}, and the rows before it have length {len(rows[0])}")
        try:
            rows.append(tuple(number("payoff", payoff) for payoff in row))
        except UserError as error:
            raise UserError(f"{place}: {error}") from None
    if not rows or not rows[0]:
        raise UserError("there are no payoffs; a matrix game needs at least one row and one column")
    return PayoffRows(rows)


class MatrixGame:
    """The rules of every matrix game: player 0 chooses the row, player 1, who has not seen it, the column."""

    table: PayoffRows  # what player 0 wins
    choices: tuple[tuple[str, ...], tuple[str, ...]]  # the names of the rows and of the columns

    def root(self) -> State:
        """Nothing is chosen."""
        return ()

    def player(self, state: State) -> int:
        """Player 0, then player 1."""
        return (0, 1, TERMINAL)[len(state)]

    def actions(self, state: State) -> Sequence[str]:
        """The rows, or the columns."""
        return self.choices[len(state)]

    def chance(self, state: State) -> Sequence[Fraction]:
        """There is no chance."""
        return ()

    def child(self, state: State, action: int) -> State:
        """The state after the next choice."""
        return (*state, action)

    def label(self, state: State) -> str:
        """Each player has one information set: the other's choice is not seen."""
        return ("row", "column")[len(state)]

    def payoff(self, state: State) -> Fraction:
        """What the matrix has in this row and column."""
        row, column = state
        return self.table[row][column]


@dataclass(frozen=True)
class Matrix(MatrixGame):
    """Player 0 chooses a row and player 1 a column, neither seeing the other's choice; the matrix says what 0 wins.

    The matrix is given in rows, such as matrix(rows=2 -1; -1 1), or in a file with a row a line, such as
    matrix(file=payoffs.csv). Numbers have spaces or, in a file, commas between them, and there # starts a comment. In
    Python rows are a list of lists or a 2-D array.

    The information sets are row and column, and the actions of each are numbered from 1.
    """

    rows: Iterable[Iterable[Readable]] | str = read_rows("2 -1; -1 1")
    file: str = NO_FILE

    def __post_init__(self) -> None:
        rows = read_rows(self.rows)
        if self.file != NO_FILE and rows != Matrix.rows:
            raise UserError(f"give rows or file={self.file}, not both")
        payoffs = rows if self.file == NO_FILE else read_file(self.file)
        object.__setattr__(self, "rows", rows)
        object.__setattr__(self, "table", payoffs)
        object.__setattr__(self, "choices", (_numbered(len(payoffs)), _numbered(len(payoffs[0]))))

    @property
    def name(self) -> str:
        """The rows, or the file as it was given; of a large matrix only its size."""
        rows, columns = map(len, self.choices)
        if self.file == NO_FILE and rows * columns > MOST_SPELLED:
            return f"matrix({rows}×{columns})"
        return format_changed("matrix", self)


def _numbered(count: int) -> tuple[str, ...]:
    return tuple(str(k) for k in range(1, count + 1))


@dataclass(frozen=True)
class RockPaperScissors(MatrixGame):
    """Rock beats scissors, scissors beat paper, paper beats rock; the winner gets one chip."""

    name = "rps"
    table = read_rows("0 -1 1; 1 0 -1; -1 1 0")
    choices = (("rock", "paper", "scissors"),) * 2


@dataclass(frozen=True)
class MatchingPennies(MatrixGame):
    """Both show a coin; player 0 wins one chip if they show the same side, and player 1 if they do not."""

    name = "matching_pennies"
    table = read_rows("1 -1; -1 1")
    choices = (("heads", "tails"),) * 2
