"""What games say of deals and ends: the right winner, the right amount, the right reason, at every history."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from regretlab.games import CHANCE, TERMINAL, load

SPOKEN = {"J": "Jack", "Q": "Queen", "K": "King", "s": " of spades", "h": " of hearts"}
NAMES = ["kuhn", "kuhn(ante=1/3, bet=5/2)", "kuhn(cards=4)", "leduc", "leduc(merge_suits=yes, ante=2, first_bet=1/2)"]


def states(game: Any) -> Iterator[tuple[Any, tuple[str, ...]]]:
    """Every state with the names of all that led to it."""
    pending: list[tuple[Any, tuple[str, ...]]] = [(game.root(), ())]
    while pending:
        state, names = pending.pop()
        yield state, names
        if game.player(state) != TERMINAL:
            pending += [(game.child(state, k), (*names, name)) for k, name in enumerate(game.actions(state))]


def spoken(card: str) -> str:
    return "".join(SPOKEN[letter] for letter in card) if card[0] in SPOKEN else f"card {card}"


@pytest.mark.parametrize("name", NAMES)
def test_every_end_names_the_winner_and_what_is_won(name: str) -> None:
    game: Any = load(name)
    for state, _ in states(game):
        if game.player(state) != TERMINAL:
            continue
        payoff, said = game.payoff(state), game.tell(state)
        won = re.search(r"player (\d) wins (?:what )?player (\d).*, (\S+) chips?\.$", said)
        if payoff == 0:
            assert won is None
            assert "split" in said
        else:
            winner = 0 if payoff > 0 else 1
            assert won is not None
            assert (int(won[1]), int(won[2]), Fraction(won[3])) == (winner, 1 - winner, abs(payoff))


@pytest.mark.parametrize("name", NAMES)
def test_every_end_names_its_reason(name: str) -> None:
    game: Any = load(name)
    for state, names in states(game):
        if game.player(state) != TERMINAL:
            continue
        said, payoff = game.tell(state), game.payoff(state)
        folded = names[-1] == "fold"
        assert ("folds" in said) == folded
        assert ("cards are shown" in said) == (not folded)
        if not folded and payoff:
            cards = dealt(names)
            winner, loser = cards[:2] if payoff > 0 else cards[1::-1]
            assert re.search(rf"The {spoken(winner)}\b.* beats the {spoken(loser)}: ", said)
            paired = len(cards) == 3 and winner[0] == cards[2][0]
            assert ("paired with" in said) == paired


def dealt(names: tuple[str, ...]) -> list[str]:
    """The cards in a history: both players' own, and the one on the table if there is one."""
    if "-" in names[0] or (len(names[0]) == 2 and names[0][1] in "JQK"):
        return names[0].split("-") if "-" in names[0] else list(names[0])
    return [name for name in names if name[0] in "JQK"]


@pytest.mark.parametrize("name", NAMES)
def test_every_deal_is_told_once_with_the_pot(name: str) -> None:
    game: Any = load(name)
    for state, names in states(game):
        said = game.tell(state)
        if game.player(state) in (CHANCE, TERMINAL):
            assert not said or game.player(state) == TERMINAL
        elif names[-1] in ("check", "bet", "raise", "call", "fold"):
            assert said == ""
        else:
            cards = dealt(names)
            shown = cards[2:] or cards[:2]
            assert all(f"the {spoken(card)}" in said.replace("The", "the") for card in shown)
            put_in, pot = re.search(r"Each has put in (\S+) chips?: the pot holds (\S+) chips?\.$", said).groups()  # type: ignore[union-attr]
            assert Fraction(pot) == 2 * Fraction(put_in)
            assert Fraction(put_in) == game.ante + sum(paid(game, names))


def paid(game: Any, names: tuple[str, ...]) -> list[Fraction]:
    """What each player has paid in the first round beyond the ante: every bet and raise that was called."""
    return [game.first_bet for name in names if name in ("bet", "raise")] if hasattr(game, "first_bet") else []
