"""Judges: value, best response, exploitability, exact equilibria. They import no solver."""

from regretlab.evaluation.equilibrium import Equilibrium, EquilibriumDistance, distance_to_equilibria, nash
from regretlab.evaluation.kuhn_closed_form import KuhnEquilibria, kuhn_equilibria
from regretlab.evaluation.response import BestResponse, best_response, brute_force
from regretlab.evaluation.value import Evaluation, evaluate, evaluate_exactly, exploitability

__all__ = [
    "BestResponse",
    "Equilibrium",
    "EquilibriumDistance",
    "Evaluation",
    "KuhnEquilibria",
    "best_response",
    "brute_force",
    "distance_to_equilibria",
    "evaluate",
    "evaluate_exactly",
    "exploitability",
    "kuhn_equilibria",
    "nash",
]
