"""``regretlab judge``: what a strategy in a file is worth, and what best responses win against it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from regretlab.cli import screen, spots
from regretlab.cli.progress import RunDisplay
from regretlab.cli.screen import AsJson, GameName, Locks, load_locked
from regretlab.documents import numbers

if TYPE_CHECKING:
    from regretlab.endgames import Spot
    from regretlab.evaluation import Evaluation
    from regretlab.forms import AnyForm

EXAMPLES = """Examples:
  regretlab judge kuhn strategy.json
  regretlab judge kuhn strategy.json --responses
  regretlab judge spot.toml strategy.json
  regretlab judge holdem:river-polar run.npz --json
  regretlab solve leduc --with cfr --iterations 100 --json > strategy.json"""


def judge(
    game: GameName,
    file: Annotated[
        Path,
        Parameter(
            help='A saved run (.npz), or JSON: {"Jb": {"fold": 0.7, "call": 0.3}, …}, as solve --json writes it, too.'
        ),
    ],
    /,
    *,
    responses: Annotated[bool, Parameter(help="List what best responses do at each information set.")] = False,
    lock: Locks = None,
    json: AsJson = False,
) -> None:
    """Judge a strategy: what it is worth, and what best responses win.

    A best response knows the other player's strategy and answers it as well as
    possible, with one action at each information set. What both gain by
    switching to one, halved, is the exploitability.
    """
    from regretlab.endgames import Spot, read
    from regretlab.evaluation import best_response, evaluate
    from regretlab.forms import compile
    from regretlab.games import load
    from regretlab.own_file import is_in_a_file
    from regretlab.solving import load_strategy

    rules = load_locked(game, lock)
    with RunDisplay():
        # A run says what it is a run of, and may be judged in another game with the same labels; a game in a file of
        # somebody's own is not run because a saved run says so.
        strategy = load_strategy(file, load(game) if is_in_a_file(game) else None)
        spot = rules if isinstance(rules, Spot) else None
        if spot is None:
            form: AnyForm = compile(rules, tree=False)
            judged = evaluate(form, strategy)
        else:
            reading = read(spot, strategy)
            form, strategy, judged = reading.form, reading.strategy, reading.judged
        answers = [best_response(form, strategy, player).actions for player in (0, 1)] if responses else []
    if json:
        screen.as_json(
            {
                "game": rules.name,
                "values": list(judged.values),
                "best_responses": list(judged.best_response_values),
                "gains": list(judged.gains),
                "exploitability": judged.exploitability,
                "actions": answers or None,
            }
        )
        return
    page = screen.Page()
    page.print(f"{rules.name} as in {file}\n", style="bold")
    _print_judgement(page, rules, spot, judged)
    most = screen.most_shown(form.infosets)
    for player, actions in enumerate(answers):
        page.print()
        table = screen.new_table(f"player {player} at", "best response", fold=[f"player {player} at"])
        for label in list(actions)[:most]:
            table.add_row(label, actions[label])
        page.table(table)
        screen.cut_note(page, max(len(actions) - most, 0))


def _print_judgement(page: screen.Page, rules: Any, spot: Spot | None, judged: Evaluation[float]) -> None:
    """What each player expects, gets by a best response, and gains; of a spot counted with the pot."""
    half = 0.0 if spot is None else spot.pot / 2
    unit = numbers.Unit.of(rules)
    table = screen.new_table("", "expects", "best response", "gains", right=["expects", "best response", "gains"])
    for player in (0, 1):
        table.add_row(
            f"player {player}" if spot is None else ("oop", "ip")[player],
            numbers.value(judged.values[player] + half),
            numbers.value(judged.best_response_values[player] + half),
            numbers.loss(max(judged.gains[player], 0.0)),
        )
    page.table(table)
    loss = judged.exploitability
    other = f"{unit.show(loss)} {unit.name}" if spot is None else spots.of_the_pot(loss, spot.pot)
    page.facts([("exploitability", f"{numbers.loss(loss)} chips", other)])
