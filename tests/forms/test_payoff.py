"""Payoffs: what they say about themselves, and forms that games make for themselves."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pytest

from regretlab.errors import GameError, UserError
from regretlab.evaluation import evaluate
from regretlab.forms import Payoff, SequenceForm, SparsePayoff, as_form, compile, uniform
from regretlab.forms.kernel import Floats
from regretlab.games import Kuhn
from regretlab.solving import solve
from regretlab.solving.storage import fingerprint, load, save


@dataclass(frozen=True, eq=False)
class Scaled:
    """A payoff that is no matrix: another one's, times a factor."""

    behind: Payoff
    factor: float
    sparse: None = None
    zero_sum: bool = True

    @property
    def entries(self) -> int:
        return self.behind.entries

    @property
    def nbytes(self) -> int:
        return self.behind.nbytes

    @property
    def size(self) -> float:
        return self.factor * self.behind.size

    def gradient(self, player: int, plan: Floats, out: Floats) -> None:
        self.behind.gradient(player, plan, out)
        out *= self.factor

    def fingerprint(self) -> bytes:
        return self.behind.fingerprint() + np.float64(self.factor).tobytes()


class ScaledKuhn(Kuhn):
    """Kuhn poker that makes a form of its own, for chips that are worth three."""

    def form(self) -> SequenceForm:
        walked = compile(Kuhn())
        return replace(walked, name="scaled", payoff=Scaled(walked.payoff, 3.0))

    def root(self) -> object:
        raise AssertionError("a game that makes its own form is not walked")


def test_a_sparse_payoff_knows_its_size() -> None:
    payoff = as_form("kuhn").payoff
    assert isinstance(payoff, SparsePayoff)
    assert payoff.sparse is payoff
    assert payoff.entries == len(payoff.matrices[0].entry) == len(payoff.matrices[1].entry)
    rows = sum(len(matrix.first) for matrix in payoff.matrices)
    assert payoff.nbytes == 4 * rows + 2 * (4 + 8) * payoff.entries
    dense = np.zeros([len(matrix.first) - 1 for matrix in payoff.matrices])
    for row, (low, high) in enumerate(pairwise(payoff.matrices[0].first.tolist())):
        dense[row, payoff.matrices[0].column[low:high]] = payoff.matrices[0].entry[low:high]
    assert payoff.size == pytest.approx(max(abs(dense).sum(axis=0).max(), abs(dense).sum(axis=1).max()))


@pytest.mark.parametrize(
    ("game", "known"),
    [
        ("kuhn", "92ab7abd2e66aac2e9021f6a89fa23fe"),
        ("kuhn(bet=2)", "aa9d1306ee5977786efeacf895f15b46"),
        ("leduc", "7afda3c5c741bb5b5863235aa49cbc47"),
    ],
)
def test_games_keep_the_fingerprint_that_saved_runs_know_them_by(game: str, known: str) -> None:
    assert fingerprint(as_form(game)) == known


def test_payoffs_of_any_kind_tell_games_with_the_same_decisions_apart() -> None:
    form = as_form("kuhn")
    others = [replace(form, payoff=Scaled(form.payoff, factor)) for factor in (1.0, 2.0)]
    assert len({fingerprint(each) for each in (form, *others)}) == 3
    assert fingerprint(others[0]) == fingerprint(replace(form, payoff=Scaled(form.payoff, 1.0)))


def test_a_run_of_another_payoff_is_refused(tmp_path) -> None:
    form = as_form("kuhn")
    others = [replace(form, payoff=Scaled(form.payoff, factor)) for factor in (1.0, 2.0)]
    save(solve(others[0], "cfr+", iterations=10), tmp_path / "run.npz")
    assert load(tmp_path / "run.npz", others[0]).iterations == 10
    with pytest.raises(UserError, match="not the same game"):
        load(tmp_path / "run.npz", others[1])


def test_a_game_is_asked_first_whether_it_makes_its_own_form() -> None:
    form = compile(ScaledKuhn())
    assert (form.name, form.infosets, form.payoff.sparse) == ("scaled", 12, None)
    kuhn = as_form("kuhn")
    assert evaluate(form, uniform(form)).value == pytest.approx(3 * evaluate(kuhn, uniform(kuhn)).value)


def test_such_a_form_knows_how_its_game_was_asked_for() -> None:
    game = ScaledKuhn()
    object.__setattr__(game, "loaded_from", "./scaled.py:ScaledKuhn")
    assert compile(game).load_name == "./scaled.py:ScaledKuhn"


def test_a_form_that_is_none_is_named() -> None:
    class Wrong(Kuhn):
        def form(self) -> object:
            return 7

    with pytest.raises(GameError, match=r"kuhn: form\(\) gives 7, not a SequenceForm"):
        compile(Wrong())
