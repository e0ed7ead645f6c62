"""Experiments: recipes side by side on one game, and whole suites of runs whose results are kept."""

from regretlab.experiments.comparing.comparison import Comparison, Estimate, RecipeRow
from regretlab.experiments.comparing.tracing import ComparisonStep, compare
from regretlab.experiments.findings.boards import board_rows
from regretlab.experiments.measuring_chaos import Chaos, chaos
from regretlab.experiments.running import experiment
from regretlab.experiments.solved import KeptSpot, solved
from regretlab.experiments.specs import RunSpec, Suite
from regretlab.experiments.store import Store
from regretlab.experiments.suite_reading import read_suite

__all__ = [
    "Chaos",
    "Comparison",
    "ComparisonStep",
    "Estimate",
    "KeptSpot",
    "RecipeRow",
    "RunSpec",
    "Store",
    "Suite",
    "board_rows",
    "chaos",
    "compare",
    "experiment",
    "read_suite",
    "solved",
]
