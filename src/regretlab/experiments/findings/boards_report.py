"""The report of batches of spots: words, tables, and the data for the part that is sorted and filtered."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from regretlab.documents.blocks import Cell, Section, Table
from regretlab.documents.numbers import count, percent, written
from regretlab.endgames import Spot
from regretlab.endgames.cards import RANKS
from regretlab.endgames.textures import CONNECTIONS, PAIRINGS, SUITINGS
from regretlab.endgames.writing import written as written_spot
from regretlab.experiments.findings.boards import Batch, SolvedBoard, is_aggressive
from regretlab.experiments.findings.explaining_boards import Explained, Leaf, Split, explained
from regretlab.experiments.kept import WHOLE
from regretlab.forms.kernel import Floats

WHO = {"oop": "out of position", "ip": "in position"}

LEAST_TO_EXPLAIN = 8
"""With fewer boards nothing is said about what explains betting."""

NOTHING = 255
"""Stands in a grid where nobody holds such hands; the other numbers are percent."""

FIRST_LETTER = 256
"""Numbers of grids are letters from here on: one letter a field is the shortest that JSON has."""

TEXTURE_WORDS = {
    "pairing": tuple(PAIRINGS),
    "suits": tuple(SUITINGS),
    "connection": tuple(CONNECTIONS),
    "high": tuple(reversed(RANKS)),
}


@dataclass(frozen=True, eq=False)
class Extreme:
    """A board that stands out."""

    what: str
    board: SolvedBoard
    told: str  # the number in which it does


@dataclass(frozen=True, eq=False)
class BatchFound:
    """A batch, and what is said of it."""

    batch: Batch

    @cached_property
    def betting(self) -> Floats:
        """How often there is a bet or a raise, board by board."""
        return np.array([each.aggressive for each in self.batch.boards])

    @cached_property
    def explained(self) -> Explained | None:
        """What explains betting; None where there are few boards, or betting is the same on all."""
        boards = self.batch.boards
        if len(boards) < LEAST_TO_EXPLAIN or np.ptp(self.betting) == 0 or len({len(each.board) for each in boards}) > 1:
            return None
        return explained([each.board for each in boards], self.betting, self.batch.masses)

    @cached_property
    def equity_explains(self) -> float:
        """R² of a straight line from the actor's equity to how often there is a bet or a raise."""
        player = self.batch.boards[0].view.player
        equity = np.array([each.view.equities[player] for each in self.batch.boards])
        covariance = np.cov(equity, self.betting, aweights=self.batch.masses)
        spread = float(covariance[0, 0] * covariance[1, 1])
        return float(covariance[0, 1] ** 2) / spread if spread > 0 else 0.0

    @cached_property
    def extremes(self) -> list[Extreme]:
        """The boards on which the actor does or gets most and least."""
        player, boards = self.batch.boards[0].view.player, self.batch.boards
        word = "raises" if any(action.startswith("raise") for action in self.batch.actions) else "bets"

        def more(board: SolvedBoard) -> float:
            return board.view.evs[player] / self.batch.pot - board.view.equities[player]

        betting = sorted(boards, key=lambda board: board.aggressive)
        realised = sorted(boards, key=more)
        found = [
            (f"{word} most often", betting[-1], percent(betting[-1].aggressive)),
            (f"{word} least often", betting[0], percent(betting[0].aggressive)),
            ("EV highest above equity", realised[-1], f"{percent(more(realised[-1]))} of the pot".replace("-", "−")),
            ("EV furthest below equity", realised[0], f"{percent(more(realised[0]))} of the pot".replace("-", "−")),
        ]
        return [Extreme(*each) for each in found]


def boards_sections(batches: Sequence[Batch], opening: str) -> tuple[Section, ...]:
    """The sections of a report; ``opening`` says how boards open."""
    found = [BatchFound(batch) for batch in batches]
    return (
        Section("In short", tuple(_in_short(each) for each in found), tuple(map(_means, found))),
        Section("All boards", (_HOW_TO_READ, opening), scripted="boards"),
        Section("Extremes", (_EXTREMES,), tuple(map(_extremes, found)), scripted="extremes"),
        Section("What explains betting", *_explaining(found)),
        Section("The spots", (), tuple(_described(each.batch) for each in found)),
    )


_HOW_TO_READ = (
    "Choose textures, and the numbers, the chart and the table show those boards alone. A click on a column's head "
    "sorts by it; a click on a board shows its grid."
)
_EXTREMES = (
    "The grids of the boards that stand out. A field is filled as high as the part of its combinations that gets here, "
    "and coloured by what they do."
)


def _in_short(found: BatchFound) -> str:
    batch = found.batch
    stands_for = sum(board.weight for board in batch.boards)
    counted = count(len(batch.boards), "board")
    if stands_for != len(batch.boards):
        counted += f", which stand for {stands_for:,}"
    where = f"after `{', '.join(batch.line)}`" if batch.line else "at the first decision"
    worst = max(board.exploitability_of_pot for board in batch.boards)
    return (
        f"`{batch.label}` on {counted}: pot {batch.spot.pot:,}, {batch.spot.stack:,} behind. {where.capitalize()} the "
        f"player {WHO[batch.player]} acts, and bets or raises {percent(batch.mean(found.betting.tolist()))} of the "
        "time on average. "
        f"Exploitability is at most {written(100 * worst)} % of the pot."
    )


def _described(batch: Batch) -> Table:
    """The spot as its file has it, but for the board."""
    rows: list[tuple[Cell, ...]] = []
    part = ""
    for line in written_spot(batch.spot).splitlines():
        key, equals, value = line.partition(" = ")
        if equals and key != "board":
            rows.append((f"{part}{key}", f"`{re.sub(',(?! )', ', ', value)}`"))  # so that long ranges break
        elif line.startswith("["):
            part = f"{line.strip('[]')}."
    return Table(batch.label, ("", ""), tuple(rows))


def _means(found: BatchFound) -> Table:
    """What is done and earned, over all boards."""
    batch = found.batch

    def row(name: str, numbers: Sequence[float]) -> tuple[Cell, ...]:
        low, high = int(np.argmin(numbers)), int(np.argmax(numbers))
        at = [batch.boards[k].name for k in (low, high)]
        return name, batch.mean(numbers), numbers[low], f"`{at[0]}`", numbers[high], f"`{at[1]}`"

    rows = [row(f"{each}, %", [100 * board.frequencies[each] for board in batch.boards]) for each in batch.actions]
    for player, who in enumerate(WHO):
        rows.append(row(f"EV of {who.upper()}", [board.view.evs[player] for board in batch.boards]))
    rows.append(row("equity of OOP, %", [100 * board.view.equities[0] for board in batch.boards]))
    return Table(batch.label, ("", "mean", "least", "on", "most", "on"), tuple(rows), _MEANS_NOTE)


_MEANS_NOTE = (
    "A board counts by how many boards it stands for, and by how many pairs of hands it leaves: where both ranges are "
    "full of aces, boards with an ace come less often."
)


def _extremes(found: BatchFound) -> Table:
    rows = tuple((each.what, f"`{each.board.name}`", str(each.board.texture), each.told) for each in found.extremes)
    return Table(found.batch.label, ("", "board", "texture", ""), rows)


def _explaining(found: Sequence[BatchFound]) -> tuple[tuple[str, ...], tuple[Table, ...]]:
    """The paragraphs and tables on what explains betting."""
    said, tables = [], []
    for each in found:
        known, label = each.explained, each.batch.label
        if known is None:
            said.append(f"`{label}`: too few boards, or all alike, so nothing is said.")
            continue
        beyond = (
            ""
            if known.foretold is None
            else (
                f" Boards that are left out, a tenth at a time, are foretold by trees of the others with R² = "
                f"{written(known.foretold, 2)}: that is what it is worth on boards that are not here. Of trees of one, "
                "two and three questions in a row it is the one that foretells best."
            )
        )
        said.append(
            f"`{label}`: the tree below explains {written(100 * known.fit, 2)} % of how betting "
            f"varies from board to board (R² = {written(known.fit, 2)}).{beyond} A straight line in the equity of the "
            f"player who acts explains {written(100 * each.equity_explains, 2)} %."
        )
        head = ("boards", "bets or raises, %", "part of all, %", "boards")
        tables.append(Table(f"{label}: the tree", head, tuple(_tree_rows(known.tree, "all boards", 0)), _TREE_NOTE))
        rows = [
            (f"{INDENT}{word}" if word else f"{part.name}: R² = {written(part.fit, 2)}", *numbers)
            for part in known.parts
            for word, numbers in (("", (None, None, None)), *((word, _numbers(leaf)) for word, leaf in part.means))
        ]
        tables.append(Table(f"{label}: textures one by one", head, tuple(rows), _PARTS_NOTE))
    return tuple(said), tuple(tables)


INDENT = "\u2003"
_TREE_NOTE = "Each question is the one that leaves the least variance; its boards are below it, indented."
_PARTS_NOTE = "R² is how much that part of the texture explains alone."


def _tree_rows(tree: Leaf, words: str, deep: int) -> list[tuple[Cell, ...]]:
    rows: list[tuple[Cell, ...]] = [(INDENT * deep + words, *_numbers(tree))]
    if isinstance(tree, Split):
        rows += _tree_rows(tree.yes, tree.question.yes, deep + 1)
        rows += _tree_rows(tree.no, tree.question.no, deep + 1)
    return rows


def _numbers(leaf: Leaf) -> tuple[float, float, int]:
    return round(100 * leaf.mean, 1), round(100 * leaf.share, 1), leaf.boards


def opening_of(batches: Sequence[Batch], command: str, strategies: str, links: bool) -> str:
    """How a board opens in its explorer; ``command`` writes the report."""
    if links:
        return "The name of a board above its grid opens its explorer, which lies in the folder beside this file."
    if all(board.file is not None and board.file.suffix == WHOLE for batch in batches for board in batch.boards):
        return (
            f"The strategies are kept whole: `regretlab serve --results {shlex.quote(strategies)}` opens any of these "
            f"boards in the browser, and `{command} --export` writes an explorer for each beside this file."
        )
    return (
        'Of these boards only the first street is kept, or less. With `keep = "all"` in the suite, '
        f"`{command} --export` gives every board an explorer to walk through."
    )


def boards_data(batches: Sequence[Batch], links: Mapping[str, str]) -> list[dict[str, Any]]:
    """What the script of the report sorts, filters and draws; ``links`` lead from files of strategies to explorers."""
    return [_batch_data(BatchFound(batch), links) for batch in batches]


def _batch_data(found: BatchFound, links: Mapping[str, str]) -> dict[str, Any]:
    batch = found.batch
    places = {id(board): place for place, board in enumerate(batch.boards)}
    total = float(batch.masses.sum())
    return {
        "label": batch.label,
        "player": batch.boards[0].view.player,
        "pot": batch.pot,
        "actions": [{"name": each, "kind": each.split()[0], "bets": is_aggressive(each)} for each in batch.actions],
        "words": TEXTURE_WORDS,
        "extremes": [
            {"what": each.what, "board": places[id(each.board)], "told": each.told} for each in found.extremes
        ],
        "boards": [_board_data(each, batch.spot, each.mass / total, links) for each in batch.boards],
    }


def _board_data(board: SolvedBoard, spot: Spot, share: float, links: Mapping[str, str]) -> dict[str, Any]:
    left, done = board.grids(spot)
    return {
        "name": board.name,
        "weight": board.weight,
        "share": share,
        "texture": board.texture._asdict(),
        "does": [round(often, 5) for often in board.frequencies.values()],
        "evs": [round(ev, 4) for ev in board.view.evs],
        "equities": [round(equity, 5) for equity in board.view.equities],
        "exploitability": board.exploitability_of_pot,
        "grid": [_letters(left), *(_letters(done[:, :, a]) for a in range(done.shape[2]))],
        "explorer": None if board.file is None else links.get(board.file.name),
    }


def _letters(numbers: Floats) -> str:
    """Parts of 1 as a letter each, in whole percent."""
    whole = np.where(np.isnan(numbers), NOTHING, np.rint(100 * np.nan_to_num(numbers)))
    return "".join(chr(FIRST_LETTER + int(number)) for number in whole.ravel())
