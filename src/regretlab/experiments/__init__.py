"""Experiments: recipes side by side on one game, and whole suites of runs whose results are kept."""

from regretlab.experiments.compare import Step, compare
from regretlab.experiments.comparison import Comparison, Estimate, Row
from regretlab.experiments.run import experiment
from regretlab.experiments.spec import Run, Suite
from regretlab.experiments.store import Store
from regretlab.experiments.suite_file import read_suite

__all__ = ["Comparison", "Estimate", "Row", "Run", "Step", "Store", "Suite", "compare", "experiment", "read_suite"]
