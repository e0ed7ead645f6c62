"""The numbers of the exercises: what their texts give, the right answers, and what the usual mistakes lead to.

All of them are computed by the textbook or the engine, as fractions wherever the rule is rational.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from regretlab.documents.numbers import Notation
from regretlab.games import Kuhn
from regretlab.reference import CFRTrainer, Decision, InformationSet, InformationSetNH, InformationSetPlus

Facts = Mapping[str, str]
Answer = tuple[Any, ...]


@dataclass(frozen=True)
class Key:
    """The right answer, the answers of the usual mistakes by their name, and what texts about them say."""

    answer: Answer
    mistakes: Mapping[str, Answer] = field(default_factory=dict)
    facts: Facts = field(default_factory=dict)


def exact(number: Fraction | float) -> str:
    """A number as people read it, as a fraction if it is one."""
    return Notation(exact=True).write(number).text


def rounded(number: float) -> str:
    """A number with as many digits as people need."""
    return Notation().write(number).text


def decisions(
    game: Any, label: str, strategies: Mapping[str, Sequence[Any]] | None = None, deals: Any = "all"
) -> list[Decision]:
    """What the textbook sees at an information set in one iteration, in fractions: one decision for each history.

    All toss coins where no strategy is given.
    """
    seen: list[Decision] = []
    trainer = CFRTrainer(game, deals=deals, exact=True, observer=seen.append)
    for name, probabilities in (strategies or {}).items():
        trainer.infosets[name].regret_sum = list(probabilities)  # regret matching plays in proportion to these
    trainer.train(1)
    return [decision for decision in seen if decision.label == label]


# ---- 1: a first regret


@cache
def _queen_against_king() -> Decision:
    return decisions(Kuhn(bet=Fraction(2)), "Q", deals=["QK"])[0]


def _given_regret() -> Facts:
    seen = _queen_against_king()
    check, bet = seen.action_values
    return {"check": exact(check), "bet": exact(bet), "value": exact(seen.value)}


def _first_regret() -> Key:
    seen = _queen_against_king()
    (check, bet), (answer, other) = seen.action_values, seen.regret_increments
    plus = InformationSetPlus(2, Fraction)
    plus.add_regret(0, answer)
    mistakes = {
        "clamped": plus.regret_sum[0],
        "other": other,
        "best": check - bet,
        "action": check,
        "value": seen.value,
    }
    return Key((answer,), _single(mistakes), {"answer": exact(answer), "other": exact(other)})


# ---- 2: regret matching

_REGRETS = (Fraction(3), Fraction(-2), Fraction(1))


def _given_matching() -> Facts:
    return dict(zip(("rock", "paper", "scissors"), map(exact, _REGRETS), strict=True))


def _matching() -> Key:
    place = InformationSet(3, Fraction)
    place.regret_sum = list(_REGRETS)
    positive = place.positive_regrets()
    mistakes: dict[str, Sequence[Any]] = {
        "signed": [regret / sum(_REGRETS) for regret in _REGRETS],
        "sizes": place.normalise([abs(regret) for regret in _REGRETS]),
        "best": [int(regret == max(_REGRETS)) for regret in _REGRETS],
        "even": place.normalise([Fraction(0)] * 3),
        "weights": positive,
    }
    return Key(tuple(place.get_strategy()), {name: tuple(each) for name, each in mistakes.items()})


# ---- 4: Kuhn poker by hand


@cache
def _queen_bets() -> list[Decision]:
    return decisions(Kuhn(), "Q")


def _given_by_hand() -> Facts:
    seen = {each.history[0]: each for each in _queen_bets()}
    deals = 1 / Fraction(seen["QJ"].opponent_reach)
    return {
        "jack": exact(seen["QJ"].action_values[1]),
        "king": exact(seen["QK"].action_values[1]),
        "deals": exact(deals),
    }


def _by_hand() -> Key:
    seen = _queen_bets()
    parts = [each.opponent_reach * each.action_values[1] for each in seen]
    reach, answer = sum(each.opponent_reach for each in seen), sum(parts)
    mistakes = {
        "unweighted": sum(each.action_values[1] for each in seen),
        "mean": answer / reach,
        "queen": sum(each.action_values[1] for each in seen) / 3,
        "one": max(parts),
        "lost": min(parts),
    }
    return Key((answer,), _single(mistakes), {"answer": exact(answer), "mean": exact(mistakes["mean"])})


# ---- 6: a mistake in the average

_ITERATIONS = 1_000
_LEDUC = "leduc(ranks=2)"
"""Kuhn poker would hide the mistake: there the reach of a second decision hardly changes between iterations."""


def _average() -> Key:
    from regretlab.evaluation import exploitability
    from regretlab.forms import Strategy, as_form
    from regretlab.solving import Solver

    form = as_form(_LEDUC)
    solver = Solver(form, "cfr(schedule=alternating)")
    counted = [np.zeros_like(each) for each in solver.current.arrays]
    for _ in range(_ITERATIONS):
        for total, behaviour in zip(counted, solver.current.arrays, strict=True):
            total += behaviour  # every iteration the same, however improbable it makes it to come here
        solver.advance(1)
    mine, theirs = (total / _ITERATIONS for total in counted)
    wrong, sound = (exploitability(form, each) for each in (Strategy(form, (mine, theirs)), solver.average))
    lines = ("line 2", "line 3", "line 6", "line 10")
    facts = {"wrong": rounded(wrong), "sound": rounded(sound), "iterations": f"{_ITERATIONS:,}"}
    return Key(("line 5",), {line: (line,) for line in lines}, facts)


# ---- 7: NormalHedge's weights

_THREE = (2.0, 1.0, -1.0)


def _normalhedge() -> InformationSetNH:
    place = InformationSetNH(3)
    place.regret_sum = list(_THREE)
    return place


def _given_weights() -> Facts:
    strategy, c = _normalhedge().get_strategy(), _normalhedge().c_scale
    named = dict(zip(("first", "second", "third"), (exact(Fraction(each)) for each in _THREE), strict=True))
    return named | {"c": rounded(c), "ratio": f"{strategy[0] / strategy[1]:.2f}"}


def _weights() -> Key:
    place = _normalhedge()
    c, answer = place.c_scale, place.get_strategy()[0]
    positive = [float(regret) for regret in place.positive_regrets()]
    potentials = [math.exp(regret**2 / (2 * c)) for regret in positive]
    matching = positive[0] / sum(positive)
    mistakes = {
        "matching": matching,
        "bare": potentials[0] / sum(potentials[:2]),
        "potentials": potentials[0] / sum(potentials),
        "hedge": math.exp(_THREE[0]) / sum(map(math.exp, _THREE)),
        "linear": 2 * math.exp(2 / (2 * c)) / (2 * math.exp(2 / (2 * c)) + math.exp(1 / (2 * c))),
        "certain": 1.0,
    }
    facts = {"answer": f"{answer:.3f}", "matching": f"{matching:.3f}"}
    return Key((Fraction(answer),), _single({name: Fraction(each) for name, each in mistakes.items()}), facts)


# ---- 8: a best response


@cache
def _queen_faces_bet() -> list[Decision]:
    never, always, third = Fraction(0), Fraction(1), Fraction(1, 3)
    return decisions(Kuhn(), "Qb", {"J": (third, 1 - third), "Q": (always, never), "K": (never, always)})


def _given_response() -> Facts:
    seen = {each.history[0]: Fraction(each.opponent_reach) for each in _queen_faces_bet()}
    reach = seen["JQ"] + seen["KQ"]
    return {"bluffs": exact(seen["JQ"] / reach), "values": exact(seen["KQ"] / reach)}


def _response() -> Key:
    seen = _queen_faces_bet()
    reach = sum(each.opponent_reach for each in seen)
    fold, call = (sum(each.opponent_reach * each.action_values[a] for each in seen) / reach for a in (0, 1))
    mistakes = {
        "fold": fold,
        "even": sum(each.action_values[1] for each in seen) / len(seen),
        "peek": sum(each.opponent_reach * max(each.action_values) for each in seen) / reach,
        "reach": call * reach,
    }
    return Key((max(fold, call),), _single(mistakes), {"answer": exact(max(fold, call))})


# ---- 9: who never bluffs


def _honest() -> Key:
    from regretlab.evaluation import nash
    from regretlab.games import lock

    usual, honest = nash("kuhn", exact=True), nash(lock("kuhn", "Jc: check"), exact=True)
    before, after = Fraction(usual.value), Fraction(honest.value)
    mistakes = {"after": after, "nothing": Fraction(0), "before": before, "lost": before - after}
    facts = {"before": exact(before), "after": exact(after), "answer": exact(after - before)}
    return Key((after - before,), _single(mistakes), facts)


# ---- 10: a small river

_POT, _BET = 100, 60


def _given_river() -> Facts:
    return {"pot": str(_POT), "bet": str(_BET)}


def _river() -> Key:
    from regretlab.endgames import holdem
    from regretlab.evaluation import nash

    spot = holdem(board="KsTd7h4c2s", pot=_POT, stack=_BET, bets="a", raises="", oop="AA,98s", ip="KQs")
    found = nash(spot, exact=True).exact_strategy or {}
    # No hand of one player excludes a hand of the other, so all pairs are equally probable.
    bets = {hand: Fraction(found[hand][f"bet {_BET}"]) for hand in spot.hands(0)}
    bluffs = [probability for hand, probability in bets.items() if hand[0] != "A"]
    share = sum(bluffs) / sum(bets.values())
    mistakes = {
        "odds": Fraction(_BET, _POT + _BET),
        "calls": Fraction(_POT, _POT + _BET),
        "ratio": Fraction(_BET, _POT),
        "bluffed": sum(bluffs) / len(bluffs),
        "value": 1 - share,
    }
    return Key((share,), _single(mistakes), {"answer": exact(share)})


def _single(mistakes: Mapping[str, Any]) -> dict[str, Answer]:
    return {name: (value,) for name, value in mistakes.items()}


def _nothing() -> Facts:
    return {}


GIVEN: Mapping[int, Callable[[], Facts]] = {
    1: _given_regret,
    2: _given_matching,
    3: _nothing,
    4: _given_by_hand,
    5: _nothing,
    6: _nothing,
    7: _given_weights,
    8: _given_response,
    9: _nothing,
    10: _given_river,
}
"""What the task and the hints of each exercise say; quick to compute."""

KEYS: Mapping[int, Callable[[], Key]] = {
    1: _first_regret,
    2: _matching,
    4: _by_hand,
    6: _average,
    7: _weights,
    8: _response,
    9: _honest,
    10: _river,
}
"""The right answers; the exercises that are missing here are programs."""
