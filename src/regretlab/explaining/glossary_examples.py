"""The glossary's examples: Kuhn poker, with numbers computed when they are asked for."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

from regretlab.documents import Notation
from regretlab.games import TERMINAL, Kuhn, Number
from regretlab.games.walk import Visit, walk
from regretlab.reference import CFRTrainer, Decision, InformationSet, InformationSetNH, InformationSetPlus

ITERATIONS = 1_000
"""Of the runs in examples: a few milliseconds."""

KUHN = Kuhn()


def _show(number: Number) -> str:
    """Four decimals."""
    return Notation().write(number).text


def _exact(number: Number) -> str:
    """A fraction."""
    return Notation(exact=True).write(number).text


@cache
def _first_hand() -> dict[str, Decision]:
    """A Jack against a Queen, with everything still equally likely: the decisions by label."""
    seen: list[Decision] = []
    CFRTrainer(KUHN, deals=["JQ"], exact=True, observer=seen.append).train(1)
    return {decision.label: decision for decision in seen}


@cache
def _run(recipe: str) -> Any:
    """A solution of Kuhn poker; the engine is loaded only when an example asks for it."""
    from regretlab.solving import Solver

    return Solver(KUHN, recipe).run(ITERATIONS)


@cache
def _equilibrium() -> Any:
    from regretlab.evaluation import nash

    return nash(KUHN, exact=True)


@cache
def _histories() -> list[Visit]:
    return list(walk(KUHN))


def _alternating() -> str:
    plain, turns = _run("cfr").exploitability, _run("cfr(schedule=alternating)").exploitability
    return (
        f"After {ITERATIONS:,} iterations of cfr the exploitability is {_show(turns)} chips a game with alternating "
        f"updates and {_show(plain)} with simultaneous ones."
    )


def _ante() -> str:
    pot = f"2 × {KUHN.ante} = {2 * KUHN.ante} chips"
    return f"The ante is {KUHN.ante} chip, so the pot holds {pot} before the first bet."


def _average() -> str:
    bet, last = (strategy["J"]["bet"] for strategy in (_run("cfr").strategy, _run("cfr").current))
    return (
        f"After {ITERATIONS:,} iterations of cfr the average bets the Jack with probability {_show(bet)}, and the "
        f"strategy that would be played next with {_show(last)}."
    )


def _best_response() -> str:
    from regretlab.evaluation import best_response
    from regretlab.forms import as_form, uniform

    form = as_form(KUHN)
    answer = best_response(form, uniform(form), 1)
    return (
        f"Against a player 0 who tosses a coin for every decision, player 1's best response wins {_show(answer.value)} "
        f"chips a game; with a Queen that faces a bet it would {answer.actions['Qb']}."
    )


def _bet() -> str:
    stake = KUHN.ante + KUHN.bet
    return f"A bet is {KUHN.bet} chip. Who bets and is called plays for {KUHN.ante} + {KUHN.bet} = {stake} chips."


def _bluff() -> str:
    odds = _equilibrium().exact_strategy["Jc"]["bet"]
    return f"In equilibrium player 1 bets a Jack after a check with probability {odds}, though it wins no showdown."


def _call() -> str:
    loses, calls = KUHN.ante, KUHN.ante + KUHN.bet
    return f"A Jack that calls a Queen's bet loses {KUHN.ante} + {KUHN.bet} = {calls} chips; folding it loses {loses}."


def _check() -> str:
    return f"If both check, the higher card wins the other's ante, {KUHN.ante} chip."


def _counterfactual() -> str:
    seen: list[Decision] = []
    CFRTrainer(KUHN, deals="all", exact=True, observer=seen.append).train(1)
    hands = [decision for decision in seen if decision.label == "J"]
    terms = " + ".join(f"{each.opponent_reach} × ({_exact(each.action_values[1])})" for each in hands)
    total = sum(each.opponent_reach * each.action_values[1] for each in hands)
    return (
        "All tossing coins, betting a Jack against a Queen and against a King, each dealt with probability "
        f"{hands[0].opponent_reach}: q(bet) = {terms} = {_exact(total)}."
    )


def _expected() -> str:
    here = _first_hand()["Jcb"]
    terms = [f"{p} × ({_exact(v)})" for p, v in zip(here.strategy, here.action_values, strict=True)]
    return (
        "A Jack that faces a Queen's bet and tosses a coin between folding and calling: "
        f"v = {' + '.join(terms)} = {_exact(here.value)}."
    )


def _exploitability() -> str:
    from regretlab.evaluation import evaluate
    from regretlab.forms import as_form, uniform

    form = as_form(KUHN)
    start, end = evaluate(form, uniform(form)), _run("cfr+").exploitability
    first, second = (_show(value) for value in start.best_response_values)
    return (
        f"Tossing coins: ({first} + {second}) / 2 ≈ {_show(start.exploitability)} chips a game. "
        f"After {ITERATIONS:,} iterations of cfr+ it is {_show(end)}."
    )


def _fold() -> str:
    return f"Player 0 checks, player 1 bets, player 0 folds: player 0 loses its ante, {KUHN.ante} chip."


def _history() -> str:
    ends = sum(visit.player == TERMINAL for visit in _histories())
    return f"JQ, check, bet is one of {len(_histories())} histories, of which {ends} are ends."


def _information_set() -> str:
    labels = {visit.infoset.label for visit in _histories() if visit.infoset is not None}
    meaning = KUHN.meaning("Qcb")
    return f"There are {len(labels)}. Qcb, '{meaning}', has two histories: player 1 holds the Jack or the King."


def _instantaneous() -> str:
    here = _first_hand()["Jcb"]
    numbers = (here.opponent_reach, here.action_values[0], here.value, here.regret_increments[0])
    reach, fold, value, regret = map(_exact, numbers)
    return (
        "A Jack that has checked to a Queen and faces a bet, all tossing coins: "
        f"r(fold) = {reach} × ({fold} − ({value})) = {regret}."
    )


def _iteration() -> str:
    here = _first_hand()["J"]
    first, regret, second = (_exact(each[1]) for each in (here.strategy, here.regrets_after, here.next_strategy))
    return (
        f"In the first iteration a Jack bets with probability {first}. Against a Queen its regret for betting becomes "
        f"{regret}, so in the second it bets with probability {second}."
    )


def _mbb() -> str:
    value = _equilibrium().value
    return (
        f"The value {_exact(value)} is {_exact(value)} × 1000 / {KUHN.ante} ≈ {_show(1000 * value / KUHN.ante)} mbb/g."
    )


def _nash() -> str:
    found = _equilibrium()
    called = found.exact_strategy["Qb"]["call"]
    return (
        f"Player 1 calls a bet with a Queen with probability {called}, so that a Jack may as well bet as check. "
        f"The value is {_exact(found.value)}: what two best responders win together is exactly {found.gap}."
    )


def _normalhedge() -> str:
    infoset = InformationSetNH(2)
    infoset.regret_sum = [1.0, 2.0]
    first, second = (_show(probability) for probability in infoset.get_strategy())
    return (
        f"Regrets 1 and 2: c ≈ {_show(infoset.c_scale)}, and the strategy is {first} and {second}, where regret "
        "matching plays 1/3 and 2/3."
    )


def _pot() -> str:
    total = 2 * (KUHN.ante + KUHN.bet)
    return (
        f"After a bet and a call: 2 × ({KUHN.ante} + {KUHN.bet}) = {total} chips, of which the winner has put in half."
    )


def _reach() -> str:
    here = _first_hand()["Jcb"]
    mine, theirs = here.own_reach, here.opponent_reach
    return (
        f"A Jack that has checked to a Queen and faces a bet, all tossing coins: π₀ = {mine} and π₁ = {theirs}, so "
        f"after this deal it happens with probability {mine} × {theirs} = {mine * theirs}."
    )


def _regret() -> str:
    here = _first_hand()["J"]
    check, bet, value = (_exact(number) for number in (*here.action_values, here.value))
    return (
        f"A Jack against a Queen, all tossing coins: checking is worth {check}, betting {bet}, what is played {value}. "
        f"So R(check) = {check} − ({value}) = {_exact(here.regrets_after[0])} and "
        f"R(bet) = {bet} − ({value}) = {_exact(here.regrets_after[1])}."
    )


def _regret_matching() -> str:
    infoset = InformationSet(2, Fraction)
    infoset.regret_sum = [Fraction(1), Fraction(2)]
    first, second = infoset.get_strategy()
    return f"Regrets 1 and 2: σ = 1 / (1 + 2) = {first} and 2 / (1 + 2) = {second}."


def _showdown() -> str:
    deal = KUHN.child(None, list(KUHN.actions(None)).index("KQ"))
    end = KUHN.child(KUHN.child(deal, 1), 1)
    return f"King against Queen, bet and call. {KUHN.tell(end)}"


def _simultaneous() -> str:
    solution = _run("cfr")
    return (
        f"After {ITERATIONS:,} iterations of cfr the exploitability is {_show(solution.exploitability)} chips a game, "
        f"and the regrets bound it by {_show(solution.regret_bound / 2)}."
    )


def _strategy() -> str:
    fold, call = (_show(_run("cfr+").strategy["Qb"][action]) for action in ("fold", "call"))
    return (
        f"After {ITERATIONS:,} iterations of cfr+ a Queen that faces player 0's bet folds with probability {fold} and "
        f"calls with {call}."
    )


def _truncation() -> str:
    here = _first_hand()["J"]
    plus = InformationSetPlus(2, Fraction)
    for action, regret in enumerate(here.regret_increments):
        plus.add_regret(action, regret)
    lost, kept = _exact(here.regret_increments[0]), _exact(plus.regret_sum[0])
    return f"A Jack's regret for having checked to a Queen is {lost}; cfr+ keeps max(0 + ({lost}), 0) = {kept}."


def _value() -> str:
    return f"It is {_exact(_equilibrium().value)} chips a game: that much it costs player 0 to act first."


def _zero_sum() -> str:
    deal = KUHN.child(None, list(KUHN.actions(None)).index("JQ"))
    lost = KUHN.payoff(KUHN.child(KUHN.child(deal, 1), 1))
    return f"A Jack that bets and is called by a Queen wins {_exact(lost)} chips, and the Queen {_exact(-lost)}."


EXAMPLES: dict[str, Callable[[], str]] = {
    "alternating updates": _alternating,
    "ante": _ante,
    "average strategy": _average,
    "best response": _best_response,
    "bet": _bet,
    "bluff": _bluff,
    "call": _call,
    "check": _check,
    "counterfactual": _counterfactual,
    "expected value": _expected,
    "exploitability": _exploitability,
    "fold": _fold,
    "history": _history,
    "information set": _information_set,
    "instantaneous regret": _instantaneous,
    "iteration": _iteration,
    "mbb/g": _mbb,
    "Nash equilibrium": _nash,
    "NormalHedge": _normalhedge,
    "pot": _pot,
    "reach probability": _reach,
    "regret": _regret,
    "regret matching": _regret_matching,
    "showdown": _showdown,
    "simultaneous updates": _simultaneous,
    "strategy": _strategy,
    "truncation": _truncation,
    "value of the game": _value,
    "zero-sum": _zero_sum,
}
"""By the term that they belong to."""
