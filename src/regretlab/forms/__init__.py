"""Forms: games as arrays, and the passes over them."""

from regretlab.forms.block_size import BlockSize, check_can_be_named
from regretlab.forms.blocks import BlockForm, BlockTreeplex
from regretlab.forms.compiling import (
    FORMS,
    CompileProgress,
    GameLike,
    as_form,
    compile,
    form_name,
    form_to_solve,
    known_infosets,
    watch_compiling,
)
from regretlab.forms.form import SequenceForm, Tree, Treeplex
from regretlab.forms.lanes import AnyForm, AnyTreeplex, LaneForm, LaneTreeplex
from regretlab.forms.payoff import ExactEntries, Payoff, SparseMatrix, SparsePayoff, sparse_payoff
from regretlab.forms.strategy import Labelled, Strategy, from_weights, read_strategy, uniform, uniform_behaviour

__all__ = [
    "FORMS",
    "AnyForm",
    "AnyTreeplex",
    "BlockForm",
    "BlockSize",
    "BlockTreeplex",
    "CompileProgress",
    "ExactEntries",
    "GameLike",
    "Labelled",
    "LaneForm",
    "LaneTreeplex",
    "Payoff",
    "SequenceForm",
    "SparseMatrix",
    "SparsePayoff",
    "Strategy",
    "Tree",
    "Treeplex",
    "as_form",
    "check_can_be_named",
    "compile",
    "form_name",
    "form_to_solve",
    "from_weights",
    "known_infosets",
    "read_strategy",
    "sparse_payoff",
    "uniform",
    "uniform_behaviour",
    "watch_compiling",
]
