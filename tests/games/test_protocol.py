"""The optional parts of a game: declared once, and told to those who write games."""

from pathlib import Path

import pytest

from regretlab.forms import compile
from regretlab.games import Kuhn, RockPaperScissors, load
from regretlab.games.protocol import OPTIONAL_PARTS, Game

ROOT = Path(__file__).parents[2]


def methods(protocol: type) -> set[str]:
    return {name for name in vars(protocol) if not name.startswith("_") and name != "name"}


PARTS = {name for part in OPTIONAL_PARTS for name in methods(part)}


def test_each_of_them_is_one_method() -> None:
    assert len(PARTS) == len(OPTIONAL_PARTS) == sum(len(methods(part)) for part in OPTIONAL_PARTS)
    assert not PARTS & methods(Game)


def test_a_game_has_those_parts_that_it_has() -> None:
    missing = [part.__name__ for part in OPTIONAL_PARTS if not isinstance(Kuhn(), part)]
    of_solvers = ["HasForm", "HasBlocks", "HasBlockSize", "HasRecipe", "HasTarget", "HasOwnLocks", "HasLabelledLocks"]
    assert missing == of_solvers
    river = load("holdem:river-polar")
    assert {part.__name__ for part in OPTIONAL_PARTS if isinstance(river, part)} >= set(missing[1:])
    assert not isinstance(RockPaperScissors(), OPTIONAL_PARTS)


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "docs/how-to/write-a-game.md"])
def test_the_documents_name_all_of_them(name: str) -> None:
    document = (ROOT / name).read_text(encoding="utf-8")
    assert {part for part in PARTS if f"`{part}(" in document} == PARTS


@pytest.mark.parametrize("name", ["kuhn", "leduc", "liars_dice(sides=3)", "goofspiel(cards=3)", "rps"])
def test_what_a_game_has_it_has_for_every_label(name: str) -> None:
    game = load(name)
    labels = compile(game).labels
    meaning, order, encode = (getattr(game, part, None) for part in ("meaning", "order", "encode"))
    assert meaning is None or all(meaning(label) for label in labels)
    assert order is None or len(sorted(labels, key=order)) == len(labels)
    assert encode is None or len({len(encode(label)) for label in labels}) == 1
