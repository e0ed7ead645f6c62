"""Networks on the command line: solving, saving, going on, and doing without."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

SMALL = "traversals=20, width=8, layers=1, training=10"


def solved(done: Any) -> dict[str, Any]:
    """What a run has found, without how long it took."""
    return {key: value for key, value in done.json.items() if "seconds" not in key}


def test_a_run_is_saved_and_goes_on(regretlab: Any, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    file = str(tmp_path / "run.safetensors")
    run = ["solve", "kuhn", "--with", f"deep-cfr({SMALL})", "--seed", "3", "--json"]
    through = regretlab(*run, "--iterations", "5")
    regretlab(*run, "--iterations", "2", "--save", file)
    again = regretlab("solve", "kuhn", "--iterations", "5", "--resume", file, "--json")
    assert solved(again) == solved(through)
    assert through.json["recipe"] == f"deep-cfr({SMALL})"
    assert through.json["parts"]["strategy_network"] == "yes"


def test_a_run_stops_at_an_exploitability(regretlab: Any) -> None:
    pytest.importorskip("torch")
    done = regretlab("solve", "kuhn", "--with", f"sd-cfr({SMALL})", "--until", "0.45")
    assert done.status == 0
    assert done.out.rstrip().endswith("because exploitability 0.45 was reached.")


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["solve", "leduc", "--with", "deep-cfr", "--until", "0.4"], "deep-cfr"),
        (["compare", "kuhn", "--with", "cfr,sd-cfr"], "sd-cfr"),
        (["solve", "kuhn", "--save", "run.safetensors"], "'run.safetensors'"),
    ],
)
def test_without_torch_it_says_how_to_install_it(
    regretlab: Any, monkeypatch: pytest.MonkeyPatch, arguments: list[str], what: str
) -> None:
    for package in ("torch", "safetensors"):
        monkeypatch.setitem(sys.modules, package, None)
    done = regretlab(*arguments)
    assert done.status == 2
    assert done.out == ""
    how = "install it with: pip install 'regretlab[deep]'"
    assert done.err == f"regretlab: {what} needs PyTorch and safetensors; {how}\n"
