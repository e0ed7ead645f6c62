"""The glossary: one source for the terminal, the documentation and the page.

Examples are from Kuhn poker and computed when they are shown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from textwrap import fill
from typing import Any

from regretlab.documents import Document, Heading, Notation, Paragraph, code, strong, words
from regretlab.errors import unknown
from regretlab.explaining.glossary_examples import EXAMPLES


@dataclass(frozen=True)
class Term:
    """A word of the field: what it means in two sentences, a formula, an example, and what belongs to it."""

    name: str
    meaning: str
    formula: str
    related: tuple[str, ...]

    @property
    def example(self) -> str:
        """An example from Kuhn poker; its numbers are computed now."""
        return EXAMPLES[self.name]()

    @property
    def document(self) -> Document:
        """The entry, before it is decided where it is shown."""
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


def _term(name: str, meaning: str, formula: str, *related: str) -> tuple[str, Term]:
    return name, Term(name, meaning, formula, related)


TERMS: Mapping[str, Term] = dict(
    [
        _term(
            "alternating updates",
            "Player 0 learns first, and player 1 then learns against player 0's new strategy. On Kuhn poker this "
            "alone makes the same number of iterations several times better.",
            "σ₀ from (R₀, old σ₁), then σ₁ from (R₁, new σ₀)",
            "simultaneous updates",
            "iteration",
        ),
        _term(
            "ante",
            "What each player puts into the pot before the cards are dealt. It is what there is to play for: without "
            "it nobody would ever have to bet.",
            "pot at the start = 2 × ante",
            "pot",
            "mbb/g",
            "bet",
        ),
        _term(
            "average strategy",
            "The mean of the strategies of all iterations, each weighted with its iteration's weight and with how "
            "probable the player's own choices made it to come there. It is what converges to an equilibrium; the "
            "strategy of the last iteration need not.",
            "S(a) = Σ w(t) π(t) σ(t, a), average(a) = S(a) / Σ S",
            "strategy",
            "reach probability",
            "Nash equilibrium",
        ),
        _term(
            "best response",
            "A strategy that wins the most against a given one. It must choose one action an information set: "
            "choosing for each deal would be looking at the other's card.",
            "BR₀(σ₁) = max over σ₀ of u(σ₀, σ₁)",
            "exploitability",
            "Nash equilibrium",
            "information set",
        ),
        _term(
            "bet",
            "To put further chips into the pot, which the other player has to match or give up. It wins the pot at "
            "once if the other folds.",
            "at stake = ante + bet",
            "call",
            "fold",
            "bluff",
        ),
        _term(
            "bluff",
            "To bet with a hand that loses if it is called, so that the other may fold a better one. Who never bluffs"
            " is never called with a hand that loses.",
            "σ(bet) > 0 with the lowest card",
            "bet",
            "fold",
            "Nash equilibrium",
        ),
        _term(
            "call",
            "To match a bet, which leads to a showdown. It costs the bet if the other's hand is better.",
            "u = ± (ante + bet)",
            "bet",
            "fold",
            "showdown",
        ),
        _term(
            "check",
            "To put nothing in when nobody has bet. The other player may then check as well or bet.",
            "u = ± ante if both check",
            "bet",
            "showdown",
        ),
        _term(
            "counterfactual",
            "As if the player had done everything to come here: a counterfactual value counts the probabilities of "
            "chance and of the other player and leaves out the own ones. So an information set learns even while its "
            "owner avoids it.",
            "q(a) = Σ over histories h of π₋ᵢ(h) v(h, a)",
            "reach probability",
            "regret",
            "information set",
        ),
        _term(
            "expected value",
            "The mean of what can happen, each weighted with its probability. It is what a strategy wins a game in "
            "the long run.",
            "v = Σ σ(a) v(a)",
            "strategy",
            "value of the game",
        ),
        _term(
            "exploitability",
            "What a perfect opponent would win a game against a pair of strategies, averaged over the two seats. It "
            "is 0 at an equilibrium and nowhere else, and never negative.",
            "½ (BR₀(σ₁) + BR₁(σ₀))",
            "best response",
            "Nash equilibrium",
            "mbb/g",
        ),
        _term(
            "fold",
            "To give up the hand rather than to match a bet. It loses what one has put in so far and nothing more.",
            "u = ± ante",
            "bet",
            "call",
        ),
        _term(
            "history",
            "Everything that has happened so far, the cards of both players included. Nobody sees all of it while the"
            " game goes on.",
            "h = (deal, move, move, …)",
            "information set",
            "reach probability",
        ),
        _term(
            "information set",
            "All histories that look alike to the player who has to decide. A strategy must do the same in all of "
            "them.",
            "I = {h : the player sees the same in h}",
            "history",
            "strategy",
            "counterfactual",
        ),
        _term(
            "instantaneous regret",
            "How much more one iteration would have brought at an information set if an action had always been played"
            " there. It is weighted with how probable chance and the other player make it to come there.",
            "r(a) = π₋ᵢ (v(a) − v)",
            "regret",
            "counterfactual",
            "expected value",
        ),
        _term(
            "iteration",
            "One round of learning: the game is walked, regrets are added, and new strategies follow. A pass is one "
            "walk; an iteration has one or, in alternating updates, two.",
            "σ(t) → r(t) → R(t) → σ(t + 1)",
            "alternating updates",
            "simultaneous updates",
        ),
        _term(
            "mbb/g",
            "Thousandths of a blind a game, the unit in which poker players measure who is better. Here the ante "
            "counts as the blind.",
            "1 mbb/g = ante / 1000 a game",
            "ante",
            "exploitability",
        ),
        _term(
            "Nash equilibrium",
            "A pair of strategies from which neither player can gain by changing alone. In a zero-sum game all of "
            "them have the same value, and who plays one wins at least that on average, whoever sits opposite.",
            "u(σ₀, σ₁) = max over σ′₀ of u(σ′₀, σ₁) = min over σ′₁ of u(σ₀, σ′₁)",
            "best response",
            "exploitability",
            "value of the game",
        ),
        _term(
            "NormalHedge",
            "A way from regrets to a strategy that favours the largest regret more than in proportion. Its scale c "
            "adapts to the regrets, so there is nothing to tune.",
            "σ ∝ R₊/c · exp(R₊²/2c), c such that mean(exp(R₊²/2c)) = e",
            "regret matching",
            "regret",
        ),
        _term(
            "pot",
            "All chips that both players have put in. The winner gets it, and with it what the loser has put in.",
            "pot = what player 0 has put in + what player 1 has put in",
            "ante",
            "bet",
            "showdown",
        ),
        _term(
            "reach probability",
            "How probable it is to come to a history: the product of the probabilities of all that has happened. It "
            "is kept apart by who chose: player 0, player 1 and chance.",
            "π(h) = π₀(h) π₁(h) P(h)",
            "counterfactual",
            "history",
        ),
        _term(
            "regret",
            "What always having played an action would have brought more than what was played, summed over all "
            "iterations. If the average regret of both players goes to 0, their average strategies go to an "
            "equilibrium.",
            "R(a) = Σ r(t, a), R₊ = max(R, 0)",
            "instantaneous regret",
            "regret matching",
            "truncation",
        ),
        _term(
            "regret matching",
            "To play each action in proportion to its positive regret. If no regret is positive, all actions are "
            "equally likely.",
            "σ(a) = R₊(a) / Σ R₊",
            "regret",
            "NormalHedge",
            "truncation",
        ),
        _term(
            "showdown",
            "The cards are shown, and the better hand wins the pot. There is none if somebody folds.",
            "u = + stake if player 0's card is higher, else − stake",
            "call",
            "check",
            "pot",
        ),
        _term(
            "simultaneous updates",
            "Both players learn from the same, old strategies. So the order of the players does not matter, and with "
            "a uniform average the regrets themselves bound the exploitability.",
            "σ₀ from (R₀, old σ₁) and σ₁ from (R₁, old σ₀)",
            "alternating updates",
            "iteration",
        ),
        _term(
            "strategy",
            "For each information set the probability of each action. It is the same whatever the other player holds,"
            " because that cannot be seen.",
            "σ(a) ≥ 0, Σ σ(a) = 1",
            "information set",
            "average strategy",
            "expected value",
        ),
        _term(
            "truncation",
            "Regrets that would fall below 0 are set to 0: what an action has lost is forgotten. So it is played "
            "again as soon as it does well, and need not first win back its losses.",
            "R(a) ← max(R(a) + r(a), 0)",
            "regret",
            "regret matching",
        ),
        _term(
            "value of the game",
            "What player 0 wins a game on average if both play an equilibrium. It says who has the better seat.",
            "v* = max over σ₀ of min over σ₁ of u(σ₀, σ₁)",
            "Nash equilibrium",
            "expected value",
            "zero-sum",
        ),
        _term(
            "zero-sum",
            "What one player wins the other loses. So one number says how a game ended, and the players have nothing "
            "to agree on.",
            "u₁ = −u₀",
            "value of the game",
            "expected value",
        ),
    ]
)
"""Every term by its name, in the order of the alphabet."""


def find(term: str) -> Term:
    """The term with this name, however it is spelled.

    >>> find("Bluff").related
    ('bet', 'fold', 'Nash equilibrium')
    """
    found = {_spoken(name): each for name, each in TERMS.items()}.get(_spoken(str(term)))
    if found is None:
        raise unknown("term", term, TERMS)
    return found


def _spoken(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).lower()


WIDTH = 120
"""Of a line in the documentation."""

_INTRODUCTION = (
    "The words of the field, each with a formula and an example from [Kuhn poker](games.md). This page is written by "
    "`regretlab glossary --format markdown`, and its numbers are computed; `regretlab glossary bluff` shows one term."
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
    """As Markdown makes one from a heading."""
    return re.sub(r"[^\w\- ]", "", name.lower()).replace(" ", "-")
