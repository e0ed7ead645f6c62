"""Kuhn poker's equilibria in closed form, for any ante A and bet B (three cards).

Kuhn (1950) solved A = B = 1. For other sizes there are five cases, and only at B = A does player 0 have a family that
is more than a matter of taste. The formulas were found with exact linear programmes and are tested against them: each
member has an exact best-response gap of 0.

A probability here is that of the second action: betting after nothing or a check, calling a bet.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from regretlab.errors import UserError
from regretlab.evaluation.equilibrium import distance_to_equilibria
from regretlab.evaluation.value import Profile
from regretlab.spec import Readable, number, positive

Range = tuple[Fraction, Fraction]

_LABELS = ("J", "Q", "K", "Jcb", "Qcb", "Kcb", "Jc", "Qc", "Kc", "Jb", "Qb", "Kb")
_NEVER, _ALWAYS = Fraction(0), Fraction(1)
_ANY = (_NEVER, _ALWAYS)


@dataclass(frozen=True)
class KuhnDistance:
    """The way from a profile to the nearest equilibrium of Kuhn poker."""

    distance: float
    """In realisation plans, as ``distance_to_equilibria`` measures it."""
    alpha: float
    """The probability with which the profile bets the Jack."""
    nearest_alpha: float
    """The probability with which the nearest equilibrium bets it."""


@dataclass(frozen=True)
class KuhnEquilibria:
    """All that is known in closed form about the equilibria of Kuhn poker with one ante and one bet."""

    ante: Fraction
    bet: Fraction

    @property
    def value(self) -> Fraction:
        """Player 0's payoff in every equilibrium, in chips per game.

        >>> KuhnEquilibria(Fraction(1), Fraction(1)).value
        Fraction(-1, 18)
        """
        ante, bet = self.ante, self.bet
        return -min(bet, max(2 * ante - bet, Fraction(0))) * bet / (6 * (2 * ante + bet))

    @property
    def regime(self) -> str:
        """Which of the five cases this is: ``bet < ante``, ``bet = ante``, … ``bet > 2 ante``."""
        if self.bet <= self.ante:
            return "bet < ante" if self.bet < self.ante else "bet = ante"
        if self.bet < 2 * self.ante:
            return "ante < bet < 2 ante"
        return "bet = 2 ante" if self.bet == 2 * self.ante else "bet > 2 ante"

    @property
    def alpha_range(self) -> Range:
        """The probabilities α with which player 0 may bet the Jack: an interval at ``bet = ante``, else one point."""
        return self.ranges["J"]

    @property
    def ranges(self) -> dict[str, Range]:
        """The lowest and the highest probability of the second action over all equilibria, by label.

        Only equilibria count in which the player's own actions reach the information set; where none does, anything
        between 0 and 1 can be done there.
        """
        ranges = dict.fromkeys(_LABELS, (_NEVER, _NEVER)) | dict.fromkeys(("Kcb", "Kc", "Kb"), (_ALWAYS, _ALWAYS))
        return ranges | _RANGES[self.regime](self.ante, self.bet)

    def profile(self, alpha: Readable | None = None) -> dict[str, dict[str, Fraction]]:
        """An equilibrium; without ``alpha`` the one in the middle of ``alpha_range``."""
        low, high = self.alpha_range
        chosen = (low + high) / 2 if alpha is None else number("alpha", alpha)
        if not low <= chosen <= high:
            bounds = f"{low}" if low == high else f"between {low} and {high}"
            raise UserError(f"alpha={alpha} is not an equilibrium of ante {self.ante}, bet {self.bet}; it is {bounds}")
        return {label: _named(label, chance) for label, chance in self._member(chosen).items()}

    def targets(self, alpha: float) -> dict[str, float]:
        """For charts: the probabilities of the equilibrium whose α is nearest to ``alpha``, by label.

        At ``bet = ante`` they move with α: the King bets 3α, the Queen calls with α + 1/3.
        """
        low, high = self.alpha_range
        return {label: float(chance) for label, chance in self._member(min(max(Fraction(alpha), low), high)).items()}

    def alpha_of(self, strategy: Profile) -> float:
        """The probability with which a strategy bets the Jack first: what tells the members of the family apart."""
        if "J" not in strategy:
            raise UserError("the strategy says nothing about information set 'J'")
        return float(strategy["J"].get("bet", 0))

    def distance(self, strategy: Profile) -> KuhnDistance:
        """How far a strategy is from the nearest equilibrium, and where in the family both are.

        >>> kuhn_equilibria().distance(kuhn_equilibria().profile(alpha="1/4")).alpha
        0.25
        """
        away = distance_to_equilibria(f"kuhn(ante={self.ante}, bet={self.bet})", strategy)
        return KuhnDistance(away.distance, self.alpha_of(strategy), self.alpha_of(away.nearest))

    def _repr_html_(self) -> str:
        from regretlab.documents.blocks import Table
        from regretlab.documents.notebook import as_html, headline

        rows = []
        for label, (low, high) in self.ranges.items():
            _, action = _named(label, low)
            rows.append((f"`{label}`", action, str(low) if low == high else f"{low} to {high}"))
        about = f", all equilibria ({self.regime}): value {self.value}"
        table = Table("", ("information set", "action", "probability"), tuple(rows))
        return as_html(headline(f"kuhn(ante={self.ante}, bet={self.bet})", about), table)

    def _member(self, alpha: Fraction) -> dict[str, Fraction]:
        """The second action's probability at every information set, in an equilibrium with this α."""
        pot = 2 * self.ante + self.bet
        ranges = self.ranges
        member = {label: low for label, (low, _) in ranges.items()} | {"J": alpha, "Kcb": _ALWAYS, "Kb": _ALWAYS}
        if self.regime == "bet = ante":
            return member | {"K": 3 * alpha, "Qcb": alpha + Fraction(1, 3)}
        # Where the King's bet after a check is a matter of taste, it is made.
        return member | {"Kc": _ALWAYS, "Qb": max(2 * self.ante - self.bet, _NEVER) / pot}


def kuhn_equilibria(ante: Readable = 1, bet: Readable = 1) -> KuhnEquilibria:
    """The equilibria of Kuhn poker with these sizes, in fractions.

    >>> family = kuhn_equilibria()
    >>> family.value, family.alpha_range, family.profile(alpha="1/3")["Qcb"]["call"]
    (Fraction(-1, 18), (Fraction(0, 1), Fraction(1, 3)), Fraction(2, 3))
    """
    return KuhnEquilibria(positive("ante", ante), positive("bet", bet))


def _named(label: str, chance: Fraction) -> dict[str, Fraction]:
    first, second = ("fold", "call") if label.endswith("b") else ("check", "bet")
    return {first: 1 - chance, second: chance}


def _point(chance: Fraction) -> Range:
    return chance, chance


def _small_bet(ante: Fraction, bet: Fraction) -> dict[str, Range]:
    pot = 2 * ante + bet
    return {
        "J": _point(bet / pot),
        "K": _point(_ALWAYS),
        "Qcb": _point(2 * ante / pot),
        "Kcb": _ANY,
        "Jc": _point(bet / pot),
        "Qc": (_NEVER, 2 * (ante - bet) / pot),
        "Qb": _point((2 * ante - bet) / pot),
    }


def _equal_bet(ante: Fraction, bet: Fraction) -> dict[str, Range]:
    third = Fraction(1, 3)
    return {"J": (_NEVER, third), "K": _ANY, "Qcb": (third, 2 * third), "Jc": _point(third), "Qb": _point(third)}


def _large_bet(ante: Fraction, bet: Fraction) -> dict[str, Range]:
    # Player 0 never bets, so what player 1 does after a bet only has to keep betting from paying. With j, q, k the
    # probabilities of calling: q + k ≥ 4A/(2A+B) for the Jack, (2A+B)k − Bj ≥ 4A(A+B)/(2A+B) for the Queen,
    # j + q ≤ B/(2A+B) for the King.
    pot = 2 * ante + bet
    king = max((4 * ante - bet) / pot, 4 * ante * (ante + bet) / (pot * pot))
    return {
        "Qcb": _point((2 * ante - bet) / pot),
        "Jc": _point(bet / pot),
        "Jb": (_NEVER, 2 * (bet - ante) / pot),
        "Qb": ((2 * ante - bet) / pot, bet / pot),
        "Kb": (king, _ALWAYS),
    }


def _double_bet(ante: Fraction, bet: Fraction) -> dict[str, Range]:
    half = Fraction(1, 2)
    return {
        "Jc": (_NEVER, half),
        "Kc": _ANY,
        "Jb": (_NEVER, half),
        "Qb": (_NEVER, half),
        "Kb": (Fraction(2, 3), _ALWAYS),
    }


def _huge_bet(ante: Fraction, bet: Fraction) -> dict[str, Range]:
    enough = 4 * ante / (2 * ante + bet)
    return {
        "K": (_NEVER, (bet - 2 * ante) / bet),
        "Kcb": (enough, _ALWAYS),
        "Kc": _ANY,
        "Kb": (enough, _ALWAYS),
    }


_RANGES = {
    "bet < ante": _small_bet,
    "bet = ante": _equal_bet,
    "ante < bet < 2 ante": _large_bet,
    "bet = 2 ante": _double_bet,
    "bet > 2 ante": _huge_bet,
}
