"""Figures that others have published, from ``tests/data``."""

from __future__ import annotations

import csv
from pathlib import Path

RECIPES = {"CFR": "cfr(schedule=alternating)", "CFR+": "cfr+"}
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
