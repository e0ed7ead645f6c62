"""The identity of a run: whatever changes its numbers changes its hash, and nothing else does."""

from dataclasses import replace
from pathlib import Path

import pytest

from regretlab.experiments import specs
from regretlab.experiments.jobs import plan
from regretlab.experiments.specs import RunSpec, Suite, digest, identity

RUN = RunSpec("kuhn", "cfr+", (10, 100))
RULE = """
import regretlab
FACTOR = 1.0
@regretlab.rule
def mine(regret, instant, strategy, t):
    total = 0.0
    for a in range(len(regret)):
        regret[a] += FACTOR * instant[a]
        total += max(regret[a], 0.0)
    for a in range(len(regret)):
        strategy[a] = max(regret[a], 0.0) / total if total > 0.0 else 1.0 / len(regret)
"""


def name(run: RunSpec, fingerprint: str = "0") -> str:
    return digest(identity(run, fingerprint))


@pytest.mark.parametrize(
    "other",
    [
        replace(RUN, game="kuhn(bet=2)"),
        replace(RUN, recipe="cfr+(delay=1)"),
        replace(RUN, checkpoints=(10, 101)),
        replace(RUN, checkpoints=(100,)),
        replace(RUN, seed=1),
        replace(RUN, start=1),
        replace(RUN, measures=("exploitability",)),
    ],
    ids=str,
)
def test_whatever_changes_the_numbers_changes_the_hash(other: RunSpec) -> None:
    assert name(other) != name(RUN)


def test_another_game_under_the_same_name_has_another_hash() -> None:
    assert name(RUN, "1") != name(RUN, "0")


def test_other_kernels_have_another_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    before = name(RUN)
    monkeypatch.setattr(specs, "number_identity", lambda: "other")
    assert name(RUN) != before


def test_the_hash_is_that_of_the_recipe_s_parts_not_of_its_name() -> None:
    assert name(replace(RUN, recipe="cfr(accumulate=truncate)")) == name(
        replace(RUN, recipe="cfr+(schedule=simultaneous, averaging=uniform)")
    )


def test_the_hash_is_the_same_in_every_process() -> None:
    # A change here makes everybody's results run anew: meant to be noticed.
    assert digest({"b": [1, 2], "a": "x"}) == "5125d018f84d57c49a8d3c2cfa6063d2"


def test_an_edited_rule_of_one_s_own_has_another_hash(tmp_path: Path) -> None:
    file = tmp_path / "rules.py"
    file.write_text(RULE)
    run = replace(RUN, recipe=f"{file}:mine")
    before = name(run)
    specs._source.cache_clear()
    assert name(run) == before
    file.write_text(RULE.replace("FACTOR = 1.0", "FACTOR = 2.0"))
    specs._source.cache_clear()
    assert name(run) != before


def test_a_plan_has_each_run_once_and_an_edited_game_has_other_hashes() -> None:
    same = replace(RUN, recipe="cfr+(schedule=simultaneous, averaging=uniform)")
    jobs = plan(Suite("s", "", (RUN, same, replace(same, recipe="cfr(accumulate=truncate)"))))
    assert [job.run for job in jobs] == [RUN, same]
    assert (
        jobs[0].identity["fingerprint"]
        != plan(Suite("s", "", (replace(RUN, game="kuhn(bet=2)"),)))[0].identity["fingerprint"]
    )
