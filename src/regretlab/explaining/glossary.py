"""The glossary: one source for the terminal, the documentation and the page.

Examples are from Kuhn poker and from a Hold'em river, with numbers computed when they are shown. Those that need the
same computation are written together, in one function. The engine is imported only by the functions that need it, so
that a word such as *ante* is shown without loading it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from textwrap import fill
from typing import Any

from regretlab.documents.blocks import Document, Heading, Paragraph, code, strong, words
from regretlab.documents.numbers import Notation
from regretlab.errors import unknown
from regretlab.games import TERMINAL, Kuhn
from regretlab.games.walk import walk
from regretlab.reference import CFRTrainer, Decision, InformationSet, InformationSetNH, InformationSetPlus


@dataclass(frozen=True)
class Term:
    """A word of the field: what it means in two sentences, a formula, an example, and what belongs to it."""

    name: str
    meaning: str
    formula: str
    related: tuple[str, ...]

    @property
    def example(self) -> str:
        """An example; its numbers are computed now."""
        return next(examples[self.name] for examples in (group() for group in EXAMPLES) if self.name in examples)

    @property
    def document(self) -> Document:
        """The entry as a document, for any of the writers."""
        blocks = (
            Heading(3, words(self.name)),
            Paragraph(words(self.meaning)),
            Paragraph(words(strong("Formula:"), " ", code(self.formula))),
            Paragraph(words(strong("Example:"), f" {self.example}")),
            Paragraph(words(strong("See also:"), f" {', '.join(self.related)}")),
        )
        return Document(blocks, Notation())

    def as_dict(self) -> dict[str, Any]:
        """The entry for JSON."""
        return {
            "name": self.name,
            "meaning": self.meaning,
            "formula": self.formula,
            "example": self.example,
            "related": list(self.related),
        }


TERMS: Mapping[str, Term] = {
    name: Term(name, entry["meaning"], entry["formula"], tuple(entry["related"]))
    for name, entry in tomllib.loads(Path(__file__).with_name("glossary.toml").read_text(encoding="utf-8")).items()
}
"""Every term by its name, in the order of the alphabet."""


def find(term: str) -> Term:
    """The term with this name, however it is spelled.

    >>> find("Bluff").related
    ('bet', 'fold', 'Nash equilibrium')
    """

    def letters(name: str) -> str:
        return re.sub(r"[\W_]+", "", name).lower()

    found = {letters(name): each for name, each in TERMS.items()}.get(letters(str(term)))
    if found is None:
        raise unknown("term", term, TERMS)
    return found


WIDTH = 120
"""Columns of a line in the documentation."""

_INTRODUCTION = (
    "The words of the field, each with a formula and an example from [Kuhn poker](games.md) or from "
    "[a river](../tutorial/solve-a-river.md). This page is written by `regretlab glossary --format markdown`, and its "
    "numbers are computed; `regretlab glossary bluff` shows one term. `regretlab serve` has the same words at "
    "`/glossary`, under the same anchors: [bluff](#bluff) is `/glossary#bluff` there."
)


def as_markdown() -> str:
    """The whole glossary as a page of the documentation."""
    return "\n".join(["# Glossary\n", fill(_INTRODUCTION, WIDTH) + "\n", *map(entry, TERMS.values())])


def entry(term: Term) -> str:
    """One term as Markdown."""
    links = ", ".join(f"[{name}](#{anchor(name)})" for name in term.related)
    parts = (
        f"## {term.name}",
        fill(term.meaning, WIDTH),
        f"    {term.formula}",
        fill(f"Example: {term.example}", WIDTH),
        f"See also: {links}.",
    )
    return "\n\n".join(parts) + "\n"


def anchor(name: str) -> str:
    """The link target that Markdown makes from a heading."""
    return re.sub(r"[^\w\- ]", "", name.lower()).replace(" ", "-")


# ---- examples

ITERATIONS = 1_000
"""How long the runs in examples are: a few milliseconds."""

KUHN = Kuhn()


def _rounded(number: float | Fraction) -> str:
    return Notation().write(number).text


def _exact(number: float | Fraction) -> str:
    return Notation(exact=True).write(number).text


@cache
def _rules() -> dict[str, str]:
    """What follows from the rules alone."""
    ante, bet = KUHN.ante, KUHN.bet
    stake, pot = ante + bet, f"2 × {ante} = {2 * ante} chips"
    histories = list(walk(KUHN))
    labels = {visit.infoset.label for visit in histories if visit.infoset is not None}
    ends = sum(visit.player == TERMINAL for visit in histories)
    called = {}  # where the game ends after a bet and a call, by the deal
    for k, deal in enumerate(KUHN.actions(KUHN.root())):
        called[deal] = KUHN.child(KUHN.child(KUHN.child(KUHN.root(), k), 1), 1)
    lost = KUHN.payoff(called["JQ"])
    return {
        "ante": f"The ante is {ante} chip, so the pot holds {pot} before the first bet.",
        "bet": f"A bet is {bet} chip. Who bets and is called plays for {ante} + {bet} = {stake} chips.",
        "call": f"A Jack that calls a Queen's bet loses {ante} + {bet} = {stake} chips; folding it loses {ante}.",
        "check": f"If both check, the higher card wins the other's ante, {ante} chip.",
        "fold": f"Player 0 checks, player 1 bets, player 0 folds: player 0 loses its ante, {ante} chip.",
        "history": f"JQ, check, bet is one of {len(histories)} histories, of which {ends} are ends.",
        "information set": (
            f"There are {len(labels)}. Qcb, '{KUHN.meaning('Qcb')}', has two histories: player 1 holds the Jack or the "
            "King."
        ),
        "pot": (
            f"After a bet and a call: 2 × ({ante} + {bet}) = {2 * stake} chips, of which the winner has put in half."
        ),
        "showdown": f"King against Queen, bet and call. {KUHN.tell(called['KQ'])}",
        "zero-sum": (
            f"A Jack that bets and is called by a Queen wins {_exact(lost)} chips, and the Queen {_exact(-lost)}."
        ),
    }


@cache
def _first_hand() -> dict[str, str]:
    """What the textbook does in its first iteration on a Jack against a Queen, all actions still equally likely."""
    seen: list[Decision] = []
    CFRTrainer(KUHN, deals=["JQ"], exact=True, observer=seen.append).train(1)
    jack, raised = (next(each for each in seen if each.label == label) for label in ("J", "Jcb"))
    check, bet, value = (_exact(number) for number in (*jack.action_values, jack.value))
    regrets = [_exact(regret) for regret in jack.regrets_after]
    plus = InformationSetPlus(2, Fraction)
    plus.add_regret(0, jack.regret_increments[0])
    lost = _exact(jack.regret_increments[0])
    facing = "A Jack that has checked to a Queen and faces a bet, all tossing coins:"
    mine, theirs = raised.own_reach, raised.opponent_reach
    better = f"{_exact(raised.action_values[0])} − ({_exact(raised.value)})"
    terms = [f"{p} × ({_exact(v)})" for p, v in zip(raised.strategy, raised.action_values, strict=True)]
    return {
        "expected value": (
            "A Jack that faces a Queen's bet and tosses a coin between folding and calling: "
            f"v = {' + '.join(terms)} = {_exact(raised.value)}."
        ),
        "instantaneous regret": (
            f"{facing} r(fold) = {_exact(theirs)} × ({better}) = {_exact(raised.regret_increments[0])}."
        ),
        "iteration": (
            f"In the first iteration a Jack bets with probability {_exact(jack.strategy[1])}. Against a Queen its "
            f"regret for betting becomes {regrets[1]}, so in the second it bets with probability "
            f"{_exact(jack.next_strategy[1])}."
        ),
        "reach probability": (
            f"{facing} π₀ = {mine} and π₁ = {theirs}, so after this deal it happens with probability "
            f"{mine} × {theirs} = {mine * theirs}."
        ),
        "regret": (
            f"A Jack against a Queen, all tossing coins: checking is worth {check}, betting {bet}, what is played "
            f"{value}. So R(check) = {check} − ({value}) = {regrets[0]} and R(bet) = {bet} − ({value}) = {regrets[1]}."
        ),
        "truncation": (
            f"A Jack's regret for having checked to a Queen is {lost}; "
            f"cfr+ keeps max(0 + ({lost}), 0) = {_exact(plus.regret_sum[0])}."
        ),
    }


@cache
def _textbook() -> dict[str, str]:
    """What else the textbook computes: an iteration over all deals, and strategies from given regrets."""
    seen: list[Decision] = []
    CFRTrainer(KUHN, deals="all", exact=True, observer=seen.append).train(1)
    hands = [decision for decision in seen if decision.label == "J"]
    terms = " + ".join(f"{each.opponent_reach} × ({_exact(each.action_values[1])})" for each in hands)
    total = sum(each.opponent_reach * each.action_values[1] for each in hands)
    matching, normalhedge = InformationSet(2, Fraction), InformationSetNH(2)
    matching.regret_sum, normalhedge.regret_sum = [Fraction(1), Fraction(2)], [1.0, 2.0]
    shares, (first, second) = matching.get_strategy(), map(_rounded, normalhedge.get_strategy())
    return {
        "counterfactual": (
            "All tossing coins, betting a Jack against a Queen and against a King, each dealt with probability "
            f"{hands[0].opponent_reach}: q(bet) = {terms} = {_exact(total)}."
        ),
        "NormalHedge": (
            f"Regrets 1 and 2: c ≈ {_rounded(normalhedge.c_scale)}, and the strategy is {first} and {second}, where "
            "regret matching plays 1/3 and 2/3."
        ),
        "regret matching": f"Regrets 1 and 2: σ = 1 / (1 + 2) = {shares[0]} and 2 / (1 + 2) = {shares[1]}.",
    }


@cache
def _equilibrium() -> dict[str, str]:
    """What the exact solution says."""
    from regretlab.evaluation import nash

    found = nash(KUHN, exact=True)
    value, strategy = _exact(found.value), found.exact_strategy
    assert strategy is not None
    return {
        "bluff": (
            f"In equilibrium player 1 bets a Jack after a check with probability {strategy['Jc']['bet']}, though it "
            "wins no showdown."
        ),
        "mbb/g": (
            f"The value {value} is {value} × 1000 / {KUHN.ante} ≈ {_rounded(1000 * found.value / KUHN.ante)} mbb/g."
        ),
        "Nash equilibrium": (
            f"Player 1 calls a bet with a Queen with probability {strategy['Qb']['call']}, so that a Jack may as well "
            f"bet as check. The value is {value}: what two best responders win together is exactly {found.gap}."
        ),
        "value of the game": f"It is {value} chips a game: that much it costs player 0 to act first.",
    }


@cache
def _engine() -> dict[str, str]:
    """What the engine learns, and what the judges say of that and of a player who tosses coins."""
    from regretlab.evaluation import best_response, evaluate
    from regretlab.forms import as_form, uniform
    from regretlab.solving import Solver

    form = as_form(KUHN)
    answer, judged = best_response(form, uniform(form), 1), evaluate(form, uniform(form))
    first, second = map(_rounded, judged.best_response_values)
    plain, turns, plus = (Solver(KUHN, name).run(ITERATIONS) for name in ("cfr", "cfr(schedule=alternating)", "cfr+"))
    loss, queen = _rounded(plain.exploitability), plus.strategy["Qb"]
    assert plain.regret_bound is not None
    after = f"After {ITERATIONS:,} iterations of"
    return {
        "alternating updates": (
            f"{after} cfr the exploitability is {_rounded(turns.exploitability)} chips a game with alternating updates "
            f"and {loss} with simultaneous ones."
        ),
        "average strategy": (
            f"{after} cfr the average bets the Jack with probability {_rounded(plain.strategy['J']['bet'])}, and the "
            f"strategy that would be played next with {_rounded(plain.current['J']['bet'])}."
        ),
        "counterfactual regret": (
            f"{after} cfr the largest positive regrets of all {form.infosets} information sets, added up and divided "
            f"by {ITERATIONS:,}, are {_rounded(plain.regret_bound)}. What two best responders win is below that: "
            f"{_rounded(plain.nash_conv)}."
        ),
        "best response": (
            "Against a player 0 who tosses a coin for every decision, player 1's best response wins "
            f"{_rounded(answer.value)} chips a game; with a Queen that faces a bet it would {answer.actions['Qb']}."
        ),
        "exploitability": (
            f"Tossing coins: ({first} + {second}) / 2 ≈ {_rounded(judged.exploitability)} chips a game. "
            f"{after} cfr+ it is {_rounded(plus.exploitability)}."
        ),
        "simultaneous updates": (
            f"{after} cfr the exploitability is {loss} chips a game, and the regrets bound it by "
            f"{_rounded(plain.regret_bound / 2)}."
        ),
        "strategy": (
            f"{after} cfr+ a Queen that faces player 0's bet folds with probability {_rounded(queen['fold'])} and "
            f"calls with {_rounded(queen['call'])}."
        ),
    }


@cache
def _spot() -> dict[str, str]:
    """What a river and a turn that come with the package look like."""
    from regretlab.endgames import holdem
    from regretlab.endgames.cards import card_name

    river, turn = holdem("river-polar"), holdem("turn-3bet")
    first, second = (len(river.hands(player)) for player in (0, 1))
    blocked, free = ([hand for hand in river.hands(1) if ("Qh" in hand) is held] for held in (True, False))
    entries = [shape.entries for shape in turn.blocks().layout.shapes]
    rivers = turn.block_size().boards - 1
    here, board = f"holdem:{river.title}", "".join(map(card_name, river.board))
    return {
        "block": (
            f"holdem:{turn.title} has {rivers} rivers, and what can be bet there is kept in {len(entries) - 1} shapes: "
            f"1 + {len(entries) - 1} × {rivers} = {1 + (len(entries) - 1) * rivers} blocks."
        ),
        "blocker": (
            f"On {here} player 1 has {second} hands. Against a hand with the queen of hearts "
            f"{len(blocked)} of them can't be there, and {len(free)} remain."
        ),
        "combo": f"The range {river.ranges[0]} has {first} combos on {here}.",
        "effective stack": f"On {here} it is {river.stack} chips, as much as the pot: a bet of the pot is all-in.",
        "public chance sampling": (
            f"On holdem:{turn.title} an iteration turns up one of {rivers} rivers, and what it finds there counts "
            f"{rivers} times."
        ),
        "public tree": (
            f"That of {here} has {river.counts.decisions} decisions, two of each player, and the hands make "
            f"2 × {first} + 2 × {second} = {2 * first + 2 * second} information sets of them."
        ),
        "range": f"On {here} player 0 has {river.ranges[0]}, {first} hands, and player 1 {river.ranges[1]}.",
        "spot": f"{here} is the board {board}, a pot of {river.pot} and {river.stack} chips behind.",
    }


@cache
def _solved_spot() -> dict[str, str]:
    """What a solved river shows."""
    from regretlab.endgames import holdem
    from regretlab.solving import Solver, solve

    river = holdem("river-polar")
    raked = holdem("river-polar", rake="5%", rake_cap=3)
    here, pot, cap = f"holdem:{river.title}", river.pot, 3
    found, caller = solve(river), solve(river, lock={"bet 100": "call"})
    play = Solver(raked, "cfr", form="histories").run(ITERATIONS)
    assert found.evs
    assert found.equities
    assert caller.evs
    assert play.cce_gap is not None
    return {
        "coarse correlated equilibrium": (
            f"{here} with a rake of at most {cap} chips: after {ITERATIONS:,} iterations of cfr nobody gains more than "
            f"{_rounded(play.cce_gap)} chips by leaving."
        ),
        "equity": (
            f"On {here} player 0 has an equity of {found.equities[0]:.1%} and an EV of {found.evs[0]:.1f} chips of the "
            f"{pot} in the pot."
        ),
        "lock": (
            f"On {here} player 0 expects {found.evs[0]:.1f} chips, and {caller.evs[0]:.1f} if player 1 is locked to "
            "call every bet."
        ),
        "percent of the pot": (
            f"{here} is solved until {_rounded(found.exploitability)} chips of {pot} are left, "
            f"{100 * found.exploitability / float(pot):.2g} percent of the pot."
        ),
        "rake": (
            f"A share of 5% of a pot of {pot} is {pot * 5 // 100} chips; with a cap of {cap} the house takes {cap}, "
            f"and the players share {pot} − {cap} = {pot - cap}."
        ),
    }


_AT_ONCE = (_rules, _first_hand, _textbook, _spot)
"""These need no kernels, which may have to be compiled first."""

EXAMPLES: tuple[Callable[[], dict[str, str]], ...] = (*_AT_ONCE, _equilibrium, _engine, _solved_spot)
"""All examples by the term that they belong to; the cheapest to compute come first."""


def examples(at_once: bool = False) -> dict[str, str]:
    """The examples by term: all, or those whose numbers are there ``at_once``."""
    return {name: words for group in (_AT_ONCE if at_once else EXAMPLES) for name, words in group().items()}
