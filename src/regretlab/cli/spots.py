"""Hold'em endgames on the terminal: what a run has found, and ``regretlab show``, any node of it."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from rich.text import Text

from regretlab.cli import screen
from regretlab.cli.screen import AsJson
from regretlab.documents import numbers
from regretlab.errors import UserError, unknown

if TYPE_CHECKING:
    from regretlab.endgames import NodeView, Spot
    from regretlab.endgames.hand_grid import Colour
    from regretlab.forms.kernel import Floats
    from regretlab.solving import Solution

EXAMPLES = """Examples:
  regretlab solve holdem:river-polar --save run.npz
  regretlab show run.npz
  regretlab show run.npz check
  regretlab show run.npz 'check, bet 100' --hand KsQs
  regretlab show turn.npz 'check, check'
  regretlab show turn.npz 'check, check, 7c'
  regretlab show run.npz --hand QsJs --why
  regretlab show run.npz 'check, bet 100' --csv > hands.csv"""

CELL = 4
"""Columns of a field of the grid, the last one empty: with the ranks beside it the grid is 54 wide."""

NARROW = 80
"""On a narrower page what was found has lines instead of columns."""

OFTEN = 1 / 6
"""How often an action is taken at least that has its letter in a field without colours."""

WORSE, BETTER = (150, 60, 20), (30, 110, 130)
"""Of cards: from orange to teal, which those who do not tell red from green see, too."""

NO_HAND = "·"


def spot_of(solution: Solution) -> Spot | None:
    """The Hold'em endgame that was solved, if it was one, in blocks."""
    from regretlab.forms import BlockForm

    if not isinstance(solution.form, BlockForm):
        return None  # and the modules of endgames are not loaded
    from regretlab.endgames import Spot

    return solution.form.rules if isinstance(solution.form.rules, Spot) else None


def of_the_pot(chips: float, pot: int) -> str:
    """A part of the pot in percent."""
    return f"{numbers.significant(100 * chips / pot, 3)} % of the pot"


def print_solution(page: screen.Page, spot: Spot, solution: Solution) -> None:
    """The spot, the strategy at its first decision, and what both players expect."""
    page.print(spot.in_one_line)
    page.print()
    root = solution.at()
    print_node(page, root)
    loss, each = solution.exploitability, numbers.duration(solution.seconds / solution.iterations)
    gains = "what a best responder wins" if solution.form.zero_sum else "what a best responder gains"
    facts: list[tuple[str, ...]] = []
    narrow = page.width < NARROW
    for who, ev, equity in zip(("oop", "ip"), solution.evs, solution.equities, strict=True):
        share = numbers.percent(equity)
        facts.append((f"EV of {who}", f"{numbers.value(ev)} chips", of_the_pot(ev, spot.pot), f"equity {share}"))
        facts += [("  equity", share, "")] if narrow else []
    facts.append(("exploitability", f"{numbers.loss(loss)} chips", of_the_pot(loss, spot.pot), gains))
    facts.append(("time", numbers.duration(solution.seconds), f"{each}/iteration", "solving alone"))
    # A narrow page has room for three columns.
    page.facts(row[:3] if narrow else row for row in facts)


def print_node(page: screen.Page, node: NodeView) -> None:
    """Who acts, how often each action is taken, and the grid."""
    from regretlab.endgames.hand_grid import action_colours
    from regretlab.endgames.spot import PLAYERS

    where = f"after {', '.join(node.line)}" if node.line else "at the start"
    page.print(f"{PLAYERS[node.player]} {where}, pot {node.pot:,}", style="bold")
    page.print()
    colours, letters = action_colours(node.actions), _letters(node.actions)
    plain = page.color_system is None or page.no_color
    for line in grid(node, colours, letters, plain):
        page.print(line)
    page.print()
    table = screen.new_table("", "action", "", "frequency", right=["frequency"])
    width = screen.WIDE_BAR if page.width >= screen.WIDE else screen.BAR
    for (action, often), colour, letter in zip(node.frequencies.items(), colours, letters, strict=True):
        bar = screen.bar(0.0 if math.isnan(often) else often, width)
        bar.stylize("" if plain else _rgb(colour))
        mark = Text(letter if plain else "█", style="" if plain else _rgb(colour))
        table.add_row(mark, action, bar, "–" if math.isnan(often) else numbers.percent(often))
    page.table(table)


def grid(node: NodeView, colours: Sequence[Colour], letters: Sequence[str], plain: bool) -> list[Text]:
    """The 13 × 13 classes of hands, aces first, suited ones above the diagonal: each field is what they do.

    In colours a field is divided as the actions are, to half a column; in plain text it has the letters of actions that
    are taken often, the most frequent first.
    """
    from regretlab.endgames.cards import RANKS
    from regretlab.endgames.hand_grid import class_strategies
    from regretlab.endgames.ranges import grid_class

    fields = class_strategies(node)
    ranks = RANKS[::-1]
    lines = [Text("  " + "".join(rank.ljust(CELL) for rank in ranks).rstrip())]
    for row, rank in enumerate(ranks):
        line = Text(f"{rank} ")
        for column in range(len(ranks)):
            means = fields.get(grid_class(row, column))
            if means is None:
                line.append(NO_HAND.ljust(CELL), style="dim")
                continue
            line.append(_lettered(means, letters) if plain else _divided(means, colours))
        line.rstrip()
        lines.append(line)
    return lines


def _lettered(means: Floats, letters: Sequence[str]) -> Text:
    often = [a for a in range(len(letters)) if means[a] >= OFTEN]
    order = sorted(often, key=lambda a: -float(means[a]))
    return Text("".join(letters[a] for a in order[: CELL - 1]).ljust(CELL))


def _divided(means: Floats, colours: Sequence[Colour]) -> Text:
    """A field in which each action has as many half columns as it is frequent, and a gap to the next."""
    halves = 2 * (CELL - 1)
    ends = (means.cumsum() * halves).round().astype(int)
    of_half = [next((a for a, end in enumerate(ends) if half < end), len(means) - 1) for half in range(halves)]
    drawn = Text()
    for left, right in zip(of_half[::2], of_half[1::2], strict=True):
        drawn.append("▌", style=f"{_rgb(colours[left])} on {_rgb(colours[right])}")
    return drawn.append(" ")


def _rgb(colour: Colour) -> str:
    return "rgb({},{},{})".format(*colour)


def _letters(actions: Sequence[str]) -> list[str]:
    """Of each action: f, x (check), c, and sizes numbered from the smallest."""
    from regretlab.endgames.hand_grid import is_size

    known = {"fold": "f", "check": "x", "call": "c"}
    sizes = [action for action in actions if is_size(action)]
    return [known.get(action) or "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[sizes.index(action) % 35] for action in actions]


def as_dict(solution: Solution) -> dict[str, Any]:
    """What a run on a spot has found: as of any game, and what players ask for."""
    spot, root = spot_of(solution), solution.at()
    assert spot is not None
    return solution.as_dict() | {
        "spot": spot.in_one_line,
        "evs": list(solution.evs),
        "equities": list(solution.equities),
        "exploitability_of_pot": solution.exploitability_of_pot,
        "bracket": None if solution.bracket is None else list(solution.bracket),
        "root": {"player": root.player, "frequencies": root.frequencies},
    }


def show(
    run: Annotated[Path, Parameter(help="A saved run of a Hold'em endgame: regretlab solve … --save run.npz")],
    line: Annotated[
        str,
        Parameter(help="The actions, and the cards turned up between them, that lead to a decision: 'check, bet 100'."),
    ] = "",
    /,
    *,
    hand: Annotated[str | None, Parameter(metavar="HAND", help="One hand, such as AhKd, in full.")] = None,
    why: Annotated[
        bool, Parameter(help="With --hand: what each action earns, as a sum over what the other player answers.")
    ] = False,
    csv: Annotated[bool, Parameter(help="Print all hands as CSV, and nothing else.")] = False,
    json: AsJson = False,
) -> None:
    """Show what a solved Hold'em endgame does at a decision.

    The grid has all hands of who is to act, pairs on the diagonal and suited
    hands above it; below it how often each action is taken.
    """
    from regretlab.endgames.lines import awaits_card, node_after
    from regretlab.endgames.spot import PLAYERS
    from regretlab.solving import Solution

    if json and csv:
        raise UserError("--json and --csv both want standard output; leave one out")
    if why and (hand is None or json or csv):
        raise UserError("--why explains one hand in words; give it with --hand, and without --json and --csv")
    solution = Solution.load(run)
    spot = spot_of(solution)
    if spot is None:
        raise UserError(f"'{run}' holds a run of {solution.game}, which is no Hold'em endgame in blocks")
    if awaits_card(node_after(spot, [line])[0]):
        if hand is not None:
            raise UserError(f"--hand={hand} wants a decision; after '{line}' a card is turned up, name it too")
        _show_cards(spot, solution, line, csv, json)
        return
    node = solution.at(line)
    if why and hand is not None:
        _print_why(solution, node, hand)
        return
    rows = list(node.hands())
    if hand is not None:
        rows = [_row(rows, hand, PLAYERS[node.player])]
    if json:
        screen.as_json(
            {
                "line": list(node.line),
                "board": node.board,
                "player": node.player,
                "pot": node.pot,
                "frequencies": node.frequencies,
                "evs": list(node.evs),
                "equities": list(node.equities),
                "hands": rows,
            }
        )
    elif csv:
        from regretlab.experiments.rows import as_csv

        sys.stdout.write(as_csv(rows))
    else:
        _print_shown(spot, node, rows[0] if hand is not None else None)


def _show_cards(spot: Spot, solution: Solution, line: str, csv: bool, json: bool) -> None:
    """What each card comes to that may be turned up after a line."""
    from regretlab.endgames.lines import node_after, paid
    from regretlab.experiments.rows import as_csv

    words, rows = node_after(spot, [line])[1], solution.cards(line)
    pot = spot.pot + sum(paid(words))
    if json:
        screen.as_json({"line": list(words), "pot": pot, "cards": rows})
        return
    if csv:
        sys.stdout.write(as_csv(rows))
        return
    page = screen.Page()
    page.print(spot.in_one_line)
    page.print(f"\na card after {', '.join(words)}, pot {pot:,}", style="bold")
    page.print("\nEV of oop in percent of the pot with each card\n")
    plain = page.color_system is None or page.no_color
    for drawn in card_grid(rows, pot, plain):
        page.print(drawn)
    known = [row for row in rows if row["ev of oop"] is not None]
    page.print()
    mean = sum(row["probability"] * row["ev of oop"] for row in known)
    page.facts([("mean", f"{numbers.value(mean)} chips", of_the_pot(mean, pot))])
    page.print("\nName a card to go on, such as " + f"'{', '.join([*words, rows[-1]['card']])}'")


def card_grid(rows: Sequence[dict[str, Any]], pot: int, plain: bool) -> list[Text]:
    """A line for each suit and a column for each rank: what player 0 expects, bluer the more and redder the less."""
    from regretlab.endgames.cards import RANKS, SUITS
    from regretlab.endgames.hand_grid import between

    evs = {row["card"]: row["ev of oop"] for row in rows}
    known = [ev for ev in evs.values() if ev is not None]
    low, high = min(known, default=0.0), max(known, default=0.0)
    lines = [Text("  " + "".join(rank.rjust(CELL - 1) + " " for rank in RANKS[::-1]).rstrip())]
    for suit in SUITS[::-1]:
        line = Text(f"{suit} ")
        for rank in RANKS[::-1]:
            ev = evs.get(rank + suit)
            if ev is None:
                line.append(f"{NO_HAND.rjust(CELL - 1)} ", style="dim")
                continue
            part = (ev - low) / (high - low) if high > low else 0.5
            text = f"{100 * ev / pot:.0f}".rjust(CELL - 1)
            line.append(text, style="" if plain else f"white on {_rgb(between(WORSE, BETTER, part))}").append(" ")
        line.rstrip()
        lines.append(line)
    return lines


def _row(rows: Sequence[dict[str, Any]], hand: str, owner: str) -> dict[str, Any]:
    """The row of a hand, whose cards may stand in any order."""
    from regretlab.endgames.cards import hand_name, hand_of, read_cards

    cards = read_cards(hand, "--hand")
    if len(cards) != 2:
        raise UserError(f"--hand={hand} is no hand; write two cards, such as AhKd")
    name = hand_name(hand_of(*cards))
    found = next((row for row in rows if row["hand"] == name), None)
    if found is None:
        raise unknown(f"hand of {owner} here", name, [row["hand"] for row in rows])
    return found


def _print_why(solution: Solution, node: NodeView, hand: str) -> None:
    """Why a hand does what it does."""
    from regretlab.documents import terminal
    from regretlab.endgames.hand_decision import why
    from regretlab.explaining.hands import hand_document

    page = screen.Page()
    for part in terminal.render(hand_document(why(solution.reading, node.line, hand)), page.width):
        page.print(part)


def _print_shown(spot: Spot, node: NodeView, row: dict[str, Any] | None) -> None:
    page = screen.Page()
    page.print(spot.in_one_line)
    page.print()
    if row is None:
        print_node(page, node)
        page.facts(
            [
                (f"EV of {who}", f"{numbers.value(ev)} chips", f"equity {numbers.percent(equity)}")
                for who, ev, equity in zip(("oop", "ip"), node.evs, node.equities, strict=True)
            ]
        )
        return
    where = ", ".join(node.line) or "the start"
    page.print(f"{row['hand']} after {where}" if node.line else f"{row['hand']} at the start", style="bold")
    table = screen.new_table("action", "", "probability", "EV", right=["probability", "EV"])
    for action in node.actions:
        ev = row[f"ev of {action}"]
        table.add_row(
            action,
            screen.bar(row[action], screen.BAR),
            numbers.percent(row[action]),
            "–" if ev is None else numbers.value(ev),
        )
    page.table(table)
    known = [
        ("EV", row["ev"], numbers.value),
        ("equity", row["equity"], numbers.percent),
        ("reach", row["reach"], numbers.percent),
    ]
    page.facts([(name, "–" if amount is None else write(amount)) for name, amount, write in known])
