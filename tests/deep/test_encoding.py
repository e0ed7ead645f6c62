"""What networks see: each game's own encoding, and one-hot for all others."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from regretlab.deep import encode
from regretlab.errors import GameError
from regretlab.forms import Treeplex, compile
from regretlab.games import Kuhn


def rows(game: str, player: int) -> dict[str, bytes]:
    """What the network sees of each label."""
    form = compile(game)
    encoding = encode(form, player)
    assert encoding.features is not None
    first = form.treeplexes[player].first[:-1].astype(int) - 1
    seen = encoding.features[encoding.row[first]]
    return {label: row.tobytes() for label, row in zip(form.treeplexes[player].labels, seen, strict=True)}


def without_suits(label: str) -> str:
    return re.sub(r"(?<=[JQK\d])[shdc](?= |$)", "", label)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    "game", ["kuhn", "kuhn(cards=12)", "leduc(merge_suits=yes)", "liars_dice(sides=4)", "liars_dice(dice=2, sides=2)"]
)
def test_no_two_labels_look_alike(game: str, player: int) -> None:
    found = rows(game, player)
    assert len(set(found.values())) == len(found)


@pytest.mark.parametrize("game", ["leduc", "leduc(ranks=5, cap=3)", "leduc(suits=3)"])
def test_in_leduc_suits_alone_make_no_difference(game: str) -> None:
    found = rows(game, 0)
    for one, other in combinations(list(found)[::7], 2):
        assert (found[one] == found[other]) == (without_suits(one) == without_suits(other))


def test_encodings_by_hand() -> None:
    """A King that checked and faces a bet; a pair of Jacks after check, bet, call; two dice, one wild, and two bids."""
    assert Kuhn().encode("Kcb") == [0, 0, 1, 1, 0, 0, 0, 1]
    assert compile("kuhn(cards=5)").encode("2b") == [0, 1, 0, 0, 0, 0.25, 0, 0, 1, 0]  # type: ignore[misc]
    moves = [*[1, 0, 0], *[0, 1, 0], *[1, 0, 0], *[0, 0, 0]]
    leduc = compile("leduc").encode
    assert leduc is not None
    assert leduc("Js cbc Jh") == [1, 0, 0, 1, 0, 0, 1, 1, *moves, *[0] * 12]
    assert leduc("Qs") == [0, 1, 0, 0, 0, 0, 0, 0, *[0] * 24]
    dice = compile("liars_dice(dice=2, sides=2)").encode
    assert dice is not None
    assert dice("12 1-2 3-1") == [1, 0.5, 0.5, *[0, 1, 0, 0, 1, 0, 0, 0], *[0, 0, 0, 0, 1, 0, 0, 0]]


@pytest.mark.parametrize("game", ["rps", "goofspiel(cards=3)"])
def test_any_game_is_encoded_one_hot(game: str) -> None:
    form = compile(game)
    encoding, treeplex = encode(form, 1), form.treeplexes[1]
    assert encoding.features is None
    assert encoding.inputs == encoding.rows == treeplex.infosets
    assert (encoding.row == encoding.infoset).all()
    for i, actions in enumerate(treeplex.actions):
        assert np.count_nonzero(encoding.infoset == i) == len(actions)


def test_actions_of_one_name_share_an_output() -> None:
    form = compile("leduc")
    encoding = encode(form, 1)
    named = [name for actions in form.treeplexes[1].actions for name in actions]
    assert encoding.outputs == len(set(named)) == 5
    assert len(set(zip(named, encoding.output.tolist(), strict=True))) == 5


def test_a_player_who_never_moves_has_no_rows() -> None:
    form = compile("kuhn")
    nobody = Treeplex(np.zeros(0, dtype=np.uint32), np.ones(1, dtype=np.uint32), (), ())
    alone = replace(form, treeplexes=(form.treeplexes[0], nobody))
    assert (encode(alone, 1).rows, encode(alone, 1).outputs, len(encode(alone, 1).row)) == (0, 0, 0)


def kuhn_encoded_as(what: Any) -> Any:
    class Own(Kuhn):
        name = "mine"  # type: ignore[assignment]

        def encode(self, label: str) -> Any:
            return what(label) if callable(what) else what

    return compile(Own())


def test_a_game_can_bring_its_own() -> None:
    encoding = encode(kuhn_encoded_as(lambda label: ["JQK".index(label[0]), len(label)]), 0)
    assert encoding.features is not None
    assert encoding.features.tolist() == [[0, 1], [0, 3], [1, 1], [1, 3], [2, 1], [2, 3]]


@pytest.mark.parametrize(
    ("what", "complaint"),
    [
        (None, "mine encodes 'J' as None, not as a list of finite numbers"),
        ("high", "mine encodes 'J' as 'high', not as a list of finite numbers"),
        ([[1.0]], "mine encodes 'J' as [[1.0]], not"),
        ([1.0, float("nan")], "mine encodes 'J' as [1.0, nan], not"),
        (lambda label: [1.0] * len(label), "mine encodes 'Jcb' by 3 numbers and other labels by 1"),
    ],
)
def test_a_bad_encoding_is_named(what: Any, complaint: str) -> None:
    with pytest.raises(GameError) as caught:
        encode(kuhn_encoded_as(what), 0)
    assert complaint in str(caught.value)
