"""Random games with hands for property tests: lopsided, with every kind of weights, exclusions, boards and endings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from random import Random

from hypothesis import strategies as st

from regretlab.games import CHANCE, TERMINAL
from regretlab.games.protocol import Number
from regretlab.games.public import Always, Ending, HandKernel, Product, PublicGame, Stronger, Table, Weights

Path = tuple[int, ...]
"""A public state: the numbers of the moves so far."""


@lru_cache(10_000)
def _turn(game: RandomPublicGame, public: Path) -> int:
    """Whose turn it is; asked for every history, so it is kept."""
    rng = game.random("turn", public)
    if len(public) == 4 or (public and rng.random() < 0.3):
        return TERMINAL
    lonely = game.random("lonely").choice((None, None, None, None, 0, 1))
    chances = sum(_turn(game, public[:k]) == CHANCE for k in range(len(public)))
    player = rng.choice((0, 1, 0, 1, CHANCE if chances < 2 else 0))
    return player if player == CHANCE or lonely is None else lonely


@lru_cache(10_000)
def _moves(game: RandomPublicGame, public: Path) -> tuple[str, ...]:
    """One to three moves of a player, two or three of chance, or all cards of the deck."""
    if game.turn(public) == CHANCE and game.boards_are_cards:
        return tuple(f"card {card}" for card in range(game.deck))
    least = 2 if game.turn(public) == CHANCE else 1
    return tuple(f"m{k}" for k in range(game.random("moves", public).randint(least, 3)))


@lru_cache(1_000)
def _outcomes(game: RandomPublicGame, public: Path) -> tuple[Weights, ...]:
    """What chance can turn up: cards of the deck, or something that has to do with hands, or nothing with them."""
    rng, count = game.random("outcomes", public), len(game.moves(public))
    zero, one = game.held(0), game.held(1)
    if game.boards_are_cards:
        out = {public[k] for k in range(len(public)) if game.turn(public[:k]) == CHANCE}
        return tuple(game.turned(card, out) for card in range(count))
    if rng.random() < 0.4:
        parts = [rng.randint(1, 4) for _ in range(count)]
        chances = [Fraction(part, sum(parts)) for part in parts]
        return tuple(Product((chance,) * len(zero), (1,) * len(one)) for chance in chances)
    shares = [[[rng.randint(k > 0, 3) for _ in one] for _ in zero] for k in range(count)]
    sums = [[sum(shares[k][i][j] for k in range(count)) for j in range(len(one))] for i in range(len(zero))]
    rows = [
        [[Fraction(share, sums[i][j]) for j, share in enumerate(row)] for i, row in enumerate(shares[k])]
        for k in range(count)
    ]
    return tuple(Table(tuple(tuple(float(x) if game.floats else x for x in row) for row in each)) for each in rows)


@dataclass(frozen=True)
class RandomPublicGame(PublicGame):
    """A small game with hands whose rules follow from a seed.

    The players have different hands, of none to three cards each, and pairs of them any weights, as products or as a
    table, exact or not; some may be impossible. In public players move, and chance turns up a card of the deck or
    something that hands tell about. Branches end at different depths, and in some games only one player ever moves.
    """

    seed: int
    most_hands: int = 11

    @property
    def name(self) -> str:
        return f"random_public({self.seed})"

    def random(self, *what: object) -> Random:
        """Numbers that depend on the seed and on ``what`` alone."""
        return Random(repr((self.seed, what)))

    @cached_property
    def floats(self) -> bool:
        return self.random("floats").random() < 0.3

    def _number(self, rng: Random, low: int, high: int) -> Number:
        """A number, exact or not as the whole game is."""
        number = Fraction(rng.randint(low, high), rng.choice((1, 1, 2, 3)))
        return float(number) if self.floats else number

    @cached_property
    def _counts(self) -> tuple[int, int]:
        rng = self.random("counts")
        return rng.randint(1, self.most_hands), rng.randint(1, self.most_hands)

    @cached_property
    def deck(self) -> int:
        return self.random("deck").choice((4, 5, 6, 6, 8))

    @cached_property
    def _held(self) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
        """Up to three cards in a hand; often all hands have equally many, and often no two the same."""
        rng = self.random("held")
        sizes = rng.choice([(0,), (1,), (2,), (2,), (0, 1, 2), (1, 3)])
        zero, one = (
            [tuple(rng.sample(range(self.deck), rng.choice(sizes))) for _ in range(count)] for count in self._counts
        )
        if rng.random() < 0.7:
            zero, one = (
                list({frozenset(hand) or k: hand for k, hand in enumerate(each)}.values()) for each in (zero, one)
            )
        return zero, one

    def hands(self, player: int) -> list[str]:
        return [f"h{k}" for k in range(len(self._held[player]))]

    def held(self, player: int) -> list[tuple[int, ...]]:
        return self._held[player]

    def weights(self) -> Weights:
        rng = self.random("weights")
        zero, one = (len(held) for held in self._held)
        if rng.random() < 0.6:
            lists = [tuple(self._number(rng, 0 if rng.random() < 0.1 else 1, 4) for _ in range(n)) for n in (zero, one)]
            return Product(lists[0], lists[1])
        return Table(
            tuple(tuple(self._number(rng, int(rng.random() > 0.2), 4) for _ in range(one)) for _ in range(zero))
        )

    def deal(self, mine: int, theirs: int) -> str:
        return f"h{mine}-h{theirs}" if self.seed % 2 else ""

    def start(self) -> Path:
        return ()

    def turn(self, public: Path) -> int:
        return _turn(self, public)

    @cached_property
    def boards_are_cards(self) -> bool:
        """Whether chance turns up cards of the deck; then there must be enough of them for any two hands."""
        most = sum(max((len(cards) for cards in held), default=0) for held in self._held)
        return self.deck >= most + 2 and self.random("boards").random() < 0.6

    def moves(self, public: Path) -> Sequence[str]:
        return _moves(self, public)

    def after(self, public: Path, move: int) -> Path:
        return (*public, move)

    def outcomes(self, public: Path) -> Sequence[Weights]:
        return _outcomes(self, public)

    def turned(self, card: int, out: set[int]) -> Weights:
        """A card that nobody holds and that is not out: all that are left are equally likely."""
        zero, one = self._held
        free = [[int(card not in cards and card not in out) for cards in held] for held in (zero, one)]
        sizes = {len(cards) for held in (zero, one) for cards in held}
        if len(sizes) == 1:
            left = self.deck - 2 * sizes.pop() - len(out)
            return Product(tuple(free[0]), tuple(Fraction(each, left) for each in free[1]))

        def chance(i: int, j: int) -> Fraction:
            return Fraction(free[0][i] * free[1][j], self.deck - len({*zero[i], *one[j], *out}))

        return Table(tuple(tuple(chance(i, j) for j in range(len(one))) for i in range(len(zero))))

    def ending(self, public: Path) -> Ending:
        rng = self.random("ending", public)
        return Ending(self._kernel(rng.randint(0, 5)), self._number(rng, -4, 4))

    def _kernel(self, number: int) -> HandKernel:
        rng, (zero, one) = self.random("kernel", number), self._held
        if number < 2:
            return Always()
        if number < 5:
            strengths = [tuple(rng.randint(0, 5) for _ in held) for held in (zero, one)]
            return Stronger(strengths[0], strengths[1])
        return Table(tuple(tuple(self._number(rng, -3, 3) for _ in one) for _ in zero))

    def knows(self, player: int, hand: int, public: Path) -> str:
        return f"{player} has h{hand} after {','.join(map(str, public)) or 'nothing'}"

    @property
    def can_be_dealt(self) -> bool:
        """Whether any pair of hands is possible."""
        zero, one = (range(len(held)) for held in self._held)
        weights = self.weights()
        return any(weights.at(i, j) > 0 and self.possible(i, j) for i in zero for j in one)


def random_public_games() -> st.SearchStrategy[RandomPublicGame]:
    """Small random games with hands."""
    return st.integers(0, 10_000).map(RandomPublicGame).filter(lambda game: game.can_be_dealt)
