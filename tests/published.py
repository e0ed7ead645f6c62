"""Figures that others have published, from ``tests/data``."""

from __future__ import annotations

import csv
from pathlib import Path

RECIPES = {"CFR": "cfr(schedule=alternating)", "CFR+": "cfr+", "DCFR": "dcfr"}
"""What the algorithms of the figures are called here."""


def convergence(game: str) -> dict[str, dict[int, float]]:
    """Exploitability after so many iterations, by our recipe, on the game that OpenSpiel gives this name."""
    text = (Path(__file__).parent / "data" / "published_convergence.csv").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return {
        RECIPES[row["algorithm"]]: {
            int(key.removeprefix("T=")): float(figure) for key, figure in row.items() if key.startswith("T=")
        }
        for row in csv.DictReader(lines)
        if row["game"] == game and row["algorithm"] in RECIPES
    }


def tolerance(game: str, recipe: str, iterations: int) -> float:
    """To how many digits, relatively, a figure can be asked for.

    Leduc is chaotic: a difference of one unit in the last place grows exponentially, two correct programs part, and
    OpenSpiel's own solver in C++ is 0.02 % away from the published figure of CFR+ at 1,000 iterations. Under DCFR it
    grows fastest, and shows before 100 (``regretlab chaos leduc``).
    """
    if game != "leduc_poker" or iterations <= (10 if recipe == "dcfr" else 100):
        return 1e-6
    return 0.25
