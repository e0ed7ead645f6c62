"""Experiments: recipes side by side, on the same game and for the same number of iterations."""

from regretlab.experiments.compare import Comparison, Estimate, Row, Step, compare

__all__ = ["Comparison", "Estimate", "Row", "Step", "compare"]
