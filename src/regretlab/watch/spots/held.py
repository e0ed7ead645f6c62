"""The locks of a spot, as a page lists them."""

from __future__ import annotations

from typing import Any

from regretlab.endgames import Lock, Spot


def locks_shown(spot: Spot) -> list[dict[str, Any]]:
    """The locks of a spot, each with whose it is, of how many hands it speaks, and its text."""
    return [
        {"key": key, "line": list(lock.line), "player": lock.player, "text": text, **_counted(spot, lock)}
        for (key, text), lock in zip(spot.lock, spot.locks, strict=True)
    ]


def _counted(spot: Spot, lock: Lock) -> dict[str, Any]:
    """How many hands are locked, of how many, and how often each action is taken by those on average."""
    weights = spot.hand_weights(lock.player).tolist()
    held = [(weight, row) for weight, row in zip(weights, lock.probabilities, strict=True) if row is not None]
    total = sum(weight for weight, _ in held)
    often = [sum(weight * float(row[a]) for weight, row in held) / total for a in range(len(lock.actions))]
    return {
        "hands": [len(held), len(weights)],
        "actions": [
            {"name": action, "frequency": round(each, 6)} for action, each in zip(lock.actions, often, strict=True)
        ],
    }
