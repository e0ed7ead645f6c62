"""Gambit's .efg files in: what they mean, and what is said of those that mean nothing."""

from __future__ import annotations

import contextlib
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regretlab.errors import GameError, UserError
from regretlab.evaluation import nash
from regretlab.forms import compile
from regretlab.games import TERMINAL, check_game, load
from regretlab.games.walk import walk

# Myerson's card game (Game Theory, 1991, figure 2.1), whose value is 1/3: the bluff is made with 1/3 and met with 2/3.
# The antes and the raise are paid where they are made, and all is written in every way that the format knows.
CARD_GAME = r"""
EFG 2 R "Myerson's \"card\" game" { "Fred" "Rose" }
"Each ante is one dollar. A comment
may have several lines."
c "deal" 1 "the deck" { "red" 1/2 "black" .50 } 1 "antes" { -1 -1 }
  p "" 1 7 "he sees \"red\"" { "raise" "fold" } 0
    p "" 2 7 "a \ raise" { "meet" "pass" } 2 "raise" { -1, 0 }
      t "" 3 "met" { 4.00, -1 }
      t "" 4 "passed" {3,0}
    t "" 5 "Fred's pot" { 2e0 0 }
  p "" 1 2
  "he sees black" { "raise" "fold"
  } 0 p "" 2 7 2
      t "" 6 "lost" { 0, 3.0 }
      t "" 4
    t "" 8 "Rose's pot" { 0 2. }
"""


def load_text(folder: Path, text: str):
    path = folder / "game.efg"
    path.write_text(text, encoding="utf-8")
    return load(f"efg:{path}")


def tiny(nodes: str, players: str = '"A" "B"') -> str:
    """A file with these nodes, the first on line 2."""
    return f'EFG 2 R "" {{ {players} }}\n{nodes}'


def test_the_card_game_as_myerson_has_it(tmp_path: Path) -> None:
    game = load_text(tmp_path, CARD_GAME)
    check_game(game)
    endings = [(visit.name, visit.payoff) for visit in walk(game) if visit.player == TERMINAL]
    assert endings == [("fold", 1), ("fold", -1), ("meet", 2), ("pass", 1), ("meet", -2), ("pass", 1)]
    solved = nash(game, exact=True)
    assert solved.value == Fraction(1, 3)
    assert solved.exact_strategy is not None
    assert solved.exact_strategy['he sees "red"'] == {"raise": 1, "fold": 0}
    assert solved.exact_strategy["he sees black"] == {"raise": Fraction(1, 3), "fold": Fraction(2, 3)}
    assert solved.exact_strategy[r"a \ raise"] == {"meet": Fraction(2, 3), "pass": Fraction(1, 3)}


def test_numbers_stay_exact(tmp_path: Path) -> None:
    form = compile(
        load_text(tmp_path, tiny('c "" 1 "" { "a" 0.1 "b" 9/10 } 0 t "" 1 "" { 1/3 -1/3 } t "" 2 "" { .7 -.7 }'))
    )
    assert form.payoff.exact.fractions() == [Fraction(1, 30) + Fraction(63, 100)]  # type: ignore[attr-defined]


def test_both_players_payoffs_on_the_way_add_up(tmp_path: Path) -> None:
    nodes = 'p "" 1 1 "x" { "a" "b" } 0 p "" 2 1 "y" { "c" } 1 "" { 1 -1 } t "" 2 "" { 2 -2 } t "" 3 "" { 1 -1 }'
    assert nash(load_text(tmp_path, tiny(nodes)), exact=True).value == 3


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (r"a\"b", 'a"b'),
        (r"a\b", r"a\b"),
        (r"a\\b", r"a\\b"),
        ('a\\\\"b', 'a\\"b'),  # the second backslash escapes the quote, the first is one
        ("a\nb", "a\nb"),
        ("}", "}"),
        (" ,", " ,"),
    ],
)
def test_a_backslash_escapes_a_quote_and_nothing_else(tmp_path: Path, text: str, name: str) -> None:
    form = compile(load_text(tmp_path, tiny(f'p "" 1 1 "x" {{ "{text}" }} 0 t "" 0')))
    assert form.treeplexes[0].actions == ((name,),)


def test_a_constant_sum_leaves_player_0_s_payoffs_as_they_are(tmp_path: Path) -> None:
    nodes = 'p "" 1 1 "x" { "a" "b" } 1 "" { 1 1 } t "" 2 "" { 3 -2 } t "" 3 "" { 0 1 }'
    assert nash(load_text(tmp_path, tiny(nodes)), exact=True).value == 4


@pytest.mark.parametrize(
    ("names", "labels"),
    [
        (("x", "y", "z"), ("x", "y", "z")),
        (("", "y", "z"), ("1.4", "2.4 y", "2.5 z")),
        (("x", "x", "z"), ("1.4 x", "2.4 x", "2.5 z")),
        (("x", "y", "y"), ("1.4 x", "2.4 y", "2.5 y")),
    ],
)
def test_labels_are_the_names_if_these_tell_information_sets_apart(tmp_path: Path, names, labels) -> None:
    """A number belongs to one player: 4 of player 1 and 4 of player 2 are two information sets."""
    nodes = 'p "" 1 4 "{}" {{ "l" "r" }} 0 p "" 2 4 "{}" {{ "a" }} 0 t "" 0 p "" 2 5 "{}" {{ "b" }} 0 t "" 0'
    assert compile(load_text(tmp_path, tiny(nodes.format(*names)))).labels == labels


@pytest.mark.parametrize(
    ("names", "actions"), [('"a" "a"', ("0 a", "1 a")), ('"" "b"', ("0", "1 b")), ('"b" "a"', ("b", "a"))]
)
def test_actions_get_numbers_if_their_names_do_not_tell_them_apart(tmp_path: Path, names: str, actions) -> None:
    form = compile(load_text(tmp_path, tiny(f'p "" 1 1 "x" {{ {names} }} 0 t "" 0 t "" 0')))
    assert form.treeplexes[0].actions == (actions,)


def test_what_chance_never_does_is_left_out(tmp_path: Path) -> None:
    never = 'p "" 1 1 "never" { "a" } 0 t "" 1 "" { 9 -9 }'
    nodes = f'c "" 1 "" {{ "never" 0 "always" 1 }} 0 {never} p "" 1 2 "always" {{ "a" }} 0 t "" 2 "" {{ 5 -5 }}'
    form = compile(load_text(tmp_path, tiny(nodes)))
    assert form.labels == ("always",)
    assert nash(form).value == 5


def test_a_tree_may_be_deeper_than_the_stack(tmp_path: Path) -> None:
    nodes = "\n".join(f'p "" 1 {k} "{k}" {{ "on" }} 1 "step" {{ 1 -1 }}' for k in range(1, 3_001))
    game = load_text(tmp_path, tiny(f'{nodes}\nt "" 0'))
    assert compile(game).infosets == 3_000
    assert nash(game).value == pytest.approx(3_000)


PLAYER = 'p "" 1 1 "x" { "a" "b" } 0'
END = 't "" 1 "" { 1 -1 }'
MISTAKES = [
    ("", "line 1: this is not an .efg file"),
    ("NFG 1 R", "line 1: this is not an .efg file, which would begin with EFG 2 R"),
    ("EFG 1 R", "line 1: expected 2, the version of the format, found '1'"),
    ("EFG 2 X", "line 1: expected R, found 'X'"),
    ("EFG 2 R", "line 1: expected the title in quotes, found the end of the file"),
    (tiny(END, '"A" "B" "C"'), "line 1: the game is for 3 players; only games for two can be solved"),
    (tiny(END, '"A"'), "line 1: the game is for 1 players"),
    (tiny(END, "A B"), "line 1: expected the name of a player in quotes, found 'A'"),
    (tiny('t "" 1 "open { 1 -1 }'), "line 2: the text that begins here has no closing quote"),
    (tiny(""), "line 1: expected one more node: c, p or t, found the end of the file"),
    (tiny(f"{PLAYER}\n{END}\n\n"), "line 3: expected one more node: c, p or t, found the end of the file"),
    (tiny(f"{PLAYER}\n{END}\nx"), "line 4: expected one more node: c, p or t, found 'x'"),
    (tiny(f'{PLAYER}\n{END}\n"p"'), 'line 4: expected one more node: c, p or t, found the text "p"'),
    (tiny(f"{END}\n{END}"), "line 3: expected nothing after the last node, found 't'"),
    (tiny(f"{PLAYER}\n{END}\np 1"), "line 4: expected the name of the node in quotes, found '1'"),
    (tiny('p "" 3 1 "x" { "a" } 0'), "line 2: player=3 must be a whole number, at least 1 and at most 2"),
    (tiny('p "" 1 0 "x" { "a" } 0'), "line 2: information set=0 must be a whole number, at least 1"),
    (tiny('p "" 1 1 0'), "line 2: information set 1 of player 1 has no actions, neither here nor before"),
    (tiny('c "" 5 0'), "line 2: chance event 5 has no actions, neither here nor before"),
    (tiny('p "" 1 1 "x" { } 0'), "line 2: there are no actions in the braces"),
    (tiny('p "" 1 1 "x" { a } 0'), "line 2: expected the name of an action in quotes, found 'a'"),
    (tiny('p "" 1 1 "x" { "a" 0'), "line 2: expected the name of an action in quotes, found '0'"),
    (
        tiny(f'{PLAYER}\n{END}\np "" 1 1 "x" {{ "a" }} 0'),
        "line 4: information set 1 of player 1 is 'x' (a) here and 'x' (a, b) before",
    ),
    (tiny(f'{PLAYER}\n{END}\np "" 1 1 "y" {{ "a" "b" }} 0'), "is 'y' (a, b) here and 'x' (a, b) before"),
    (
        tiny(f'c "" 1 "" {{ "a" 1/2 "b" 1/2 }} 0\n{END}\nc "" 1 "" {{ "a" 1/3 "b" 2/3 }} 0'),
        "line 4: chance event 1 is '' (a 1/3, b 2/3) here and '' (a 1/2, b 1/2) before",
    ),
    (tiny('\nc "" 1 "" { "a" 1/2 "b" 1/3 }\n0'), "line 3: the chance probabilities sum to 5/6, not 1"),
    (tiny('c "" 1 "" { "a" 3/2 "b" -1/2 } 0'), "line 2: the chance probability -1/2 is below 0"),
    (tiny('c "" 1 "" { "a" "b" } 0'), 'line 2: expected a number (probability), found the text "b"'),
    (tiny('t "" one'), "line 2: outcome=one is not a whole number"),
    (tiny('t "" 1'), "line 2: outcome 1 has no payoffs, neither here nor before"),
    (tiny('t "" 0 "" { 1 -1 }'), "line 2: outcome 0 pays 1, -1 here and 0, 0 before"),
    (tiny(f'{PLAYER}\n{END}\nt "" 1 "" {{ 2 -2 }}'), "line 4: outcome 1 pays 2, -2 here and 1, -1 before"),
    (tiny('t "" 1 "" { 1 }'), "line 2: expected a number (payoff), found '}'"),
    (tiny('t "" 1 "" { 1 -1 0 }'), "line 2: expected '}', found '0'"),
    (tiny('t "" 1 ""\n{ 1\n1/0 }'), "line 4: payoff=1/0 is not a finite number; write it like 2, 0.5 or 1/3"),
    (tiny('t "" 1 "" { 1e999999999 0 }'), "line 2: payoff=1e999999999 is not a finite number"),
    (tiny('t "" 1 "" { nan 0 }'), "line 2: payoff=nan is not a finite number"),
    (tiny('t "two\nlines" 1 "" { 1 x }'), "line 3: payoff=x is not a finite number"),
    (tiny('"two\nlines" "and\nmore"'), 'line 3: expected one more node: c, p or t, found the text "and more"'),
]


@pytest.mark.parametrize(("text", "complaint"), MISTAKES, ids=[complaint for _, complaint in MISTAKES])
def test_a_mistake_is_told_with_its_line(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(UserError) as caught:
        load_text(tmp_path, text)
    assert complaint in str(caught.value)
    assert str(caught.value).startswith(f"'{tmp_path / 'game.efg'}', line ")
    assert "\n" not in str(caught.value)


@given(st.data())
def test_a_damaged_file_is_a_game_or_the_user_s_mistake(tmp_path_factory: pytest.TempPathFactory, data) -> None:
    start, end = sorted(data.draw(st.tuples(*2 * [st.integers(0, len(CARD_GAME))]), label="cut"))
    put = data.draw(st.sampled_from(["", "\n", '"', "{", "}", ",", "0", "t", "-", "1/2", '\\"']), label="put there")
    with contextlib.suppress(UserError):
        compile(load_text(tmp_path_factory.getbasetemp(), CARD_GAME[:start] + put + CARD_GAME[end:]))


@pytest.mark.parametrize(
    ("nodes", "complaint"),
    [
        (
            'p "" 1 1 "x" { "a" "b" } 0 p "" 1 2 "y" { "c" } 0 t "" 0 p "" 1 2 0 t "" 0',
            "at history 'b': player 0 has forgotten an own action: 'y' also follows another one (no perfect recall)",
        ),
        (
            'p "" 2 1 "x" { "a" } 0 p "" 2 1 0 t "" 0',
            "at history 'a': player 1 has forgotten an own action: 'x' also follows another one (no perfect recall)",
        ),
    ],
    ids=["forgetful", "absent-minded"],
)
def test_no_perfect_recall_is_refused_by_the_walk(tmp_path: Path, nodes: str, complaint: str) -> None:
    game = load_text(tmp_path, tiny(nodes))
    with pytest.raises(GameError) as caught:
        compile(game)
    assert str(caught.value) == f"{game.name}, {complaint}"


def test_a_file_that_can_t_be_read_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"^can't read '.*missing\.efg': No such file or directory$"):
        load(f"efg:{tmp_path / 'missing.efg'}")
    with pytest.raises(UserError, match=r"^can't read '.*': Is a directory$"):
        load(f"efg:{tmp_path}")
    (tmp_path / "picture.efg").write_bytes(b"\x89PNG\xff")
    with pytest.raises(UserError, match=r"^'.*picture\.efg' is not an \.efg file: it is not text in UTF-8$"):
        load(f"efg:{tmp_path / 'picture.efg'}")


def test_windows_line_ends_and_a_byte_order_mark_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "windows.efg"
    path.write_bytes(b"\xef\xbb\xbf" + CARD_GAME.strip().replace("\n", "\r\n").encode())
    assert nash(f"efg:{path}", exact=True).value == Fraction(1, 3)
