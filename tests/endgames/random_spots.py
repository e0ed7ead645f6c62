"""Random small spots for tests against judges that take their time."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Any

from regretlab.endgames import Decision, Spot, holdem
from regretlab.endgames.betting import Node
from regretlab.endgames.cards import card_name, hand_name

CARDS_OF_STREET = {"river": 5, "turn": 4, "flop": 3}

MOST_HANDS = {"river": 8, "turn": 4, "flop": 3}
"""Of each player; on the turn a hand is judged on 46 boards, on the flop on 2,162."""


def random_fields(street: str, seed: int) -> dict[str, Any]:
    """What ``holdem`` takes: some hands of few cards, so that many exclude each other, sizes and often rake."""
    rng = Random(f"{street} {seed}")
    deck = rng.sample(range(52), 52)
    board, few = deck[: CARDS_OF_STREET[street]], deck[5:13]
    pot, small = rng.randrange(10, 200), street == "flop"
    fields: dict[str, Any] = {
        "board": "".join(map(card_name, board)),
        "pot": pot,
        "stack": rng.randrange(pot // 4, pot if small else 4 * pot),
        "bets": "a" if small else rng.choice(["a", "50%", "33%, a", "75%, 150%", "10c, a"]),
        "raises": "" if small else rng.choice(["", "a", "60%", "2.5x, a"]),
        "raise_cap": 2 if street == "river" else 1,
        "merge_suits": False,
    }
    if rng.random() < 0.4:
        fields["rake"] = rng.choice(["5%", "2.5%", "1/3"])
        if rng.random() < 0.6:
            fields["rake_cap"] = rng.choice([1, "3/2", pot // 10 + 1])
    hands = [tuple(sorted(pair, reverse=True)) for pair in combinations(few, 2)]
    for player in ("oop", "ip"):
        # One hand of each player has no card of the other's, so that there is something to deal.
        sure = (few[0], few[1]) if player == "oop" else (few[2], few[3])
        others = rng.sample(hands, rng.randrange(1, MOST_HANDS[street]))
        chosen = dict.fromkeys([tuple(sorted(sure, reverse=True)), *others])
        fields[player] = ",".join(f"{hand_name(hand)}:{rng.choice(['1', '0.5', '0.1', '1/3'])}" for hand in chosen)
    return fields


def random_spot(street: str, seed: int, **changes: Any) -> Spot:
    """The spot of these fields, some of them changed."""
    return holdem(**(random_fields(street, seed) | changes))


def random_lock(spot: Spot, seed: int) -> dict[str, str]:
    """A lock of two decisions of the betting: one for all hands, one for some of them."""
    rng = Random(seed)
    decisions: list[Decision] = []

    def collect(node: Node) -> None:
        below = getattr(node, "after", ())
        if isinstance(node, Decision):
            decisions.append(node)
        for child in below if isinstance(below, tuple) else (below,):
            collect(child)

    collect(spot.betting)
    found: dict[str, str] = {}
    for whole, decision in enumerate(rng.sample(decisions, 2)):
        parts = [rng.randrange(1, 5) for _ in decision.actions]
        if whole:
            parts[rng.randrange(len(parts))] = 0  # an action that is never taken
        shares = ", ".join(
            f"{action} {part}/{sum(parts)}" for action, part in zip(decision.actions, parts, strict=True)
        )
        some = spot.hands(decision.player)[:: 1 if whole else 2]
        found[", ".join(decision.line) or "root"] = f"{','.join(some)}: {shares}"
    return found
