"""The shape of a frame is described once: frames have it, and the page's scripts know the same."""

import json
import re
from types import NoneType
from typing import Any, NotRequired, get_args, get_origin, get_type_hints, is_typeddict

import pytest

import regretlab as rl
from regretlab.watch import frames
from regretlab.watch.watched_game import watched_game
from regretlab.watch.watched_run import WatchedRun, new_run
from regretlab.web.server.answers import PAGE

SHAPES = (frames.Losses, frames.Path, frames.Fit, frames.NetworkFits, frames.History, frames.Frame)
PLAIN = {int: "number", float: "number", str: "string", bool: "boolean"}


def written(kind: Any) -> str:
    """A type as JSDoc writes it."""
    if kind in PLAIN:
        return PLAIN[kind]
    if is_typeddict(kind):
        return kind.__name__
    origin, inner = get_origin(kind), get_args(kind)
    if origin is list:
        return f"{written(inner[0])}[]"
    if origin is dict:
        return f"Record<string, {written(inner[1])}>"
    assert NoneType in inner, kind
    return f"{written(inner[0])}?"


def fields(shape: Any) -> dict[str, tuple[Any, bool]]:
    """The type of each key, and whether it is always there."""
    hints = get_type_hints(shape, include_extras=True)
    optional = {name for name, kind in hints.items() if get_origin(kind) is NotRequired}
    return {name: (kind, name not in optional) for name, kind in get_type_hints(shape).items()}


def typedef(shape: Any) -> str:
    """A shape as JSDoc describes it."""
    known = (f"{name}{'' if always else '?'}: {written(kind)}" for name, (kind, always) in fields(shape).items())
    return f"@typedef {{{{{', '.join(known)}}}}} {shape.__name__}"


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
def test_the_page_knows_the_same_shapes(shape: Any) -> None:
    script = (PAGE / "js" / "learn" / "source.js").read_text("utf-8")
    assert typedef(shape) in re.sub(r"\s*\n \* (?!@)\s*", " ", script)


def check(data: Any, kind: Any) -> None:
    """Data has the shape that a type describes, and nothing else."""
    if is_typeddict(kind):
        known = fields(kind)
        assert {name for name, (_, always) in known.items() if always} <= data.keys() <= known.keys()
        for name, value in data.items():
            check(value, known[name][0])
    elif get_origin(kind) is list:
        for value in data:
            check(value, get_args(kind)[0])
    elif get_origin(kind) is dict:
        for value in data.values():
            check(value, get_args(kind)[1])
    elif get_args(kind):
        assert data is None or check(data, get_args(kind)[0]) is None
    else:
        assert type(data) in ((int, float) if kind is float else (kind,))


@pytest.mark.parametrize("recipe", ["cfr+", "outcome-sampling"])
def test_frames_have_the_shape(recipe: str) -> None:
    run = WatchedRun(watched_game("1", "2"), rl.recipe(recipe), 0)
    for target in (0, 1, 40, 3):
        check(json.loads(run.frame(target, 1.0, goal=50, speed=2.0).encoded()), frames.Frame)


@pytest.mark.parametrize("row", ["deep-cfr", "sd-cfr"])
def test_frames_of_networks_have_the_shape(row: str) -> None:
    pytest.importorskip("torch")
    recipe = rl.recipe(f"{row}(traversals=5, capacity=10, width=2, layers=1, training=2)")
    run = new_run(watched_game("1", "1"), recipe, 0)
    for target in (0, 2):
        frame = json.loads(run.frame(target, 60.0, goal=0, speed=1.0).encoded())
        check(frame, frames.Frame)
        assert ("strategies" in frame["networks"]) == recipe.settings.strategy_network
