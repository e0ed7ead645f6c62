"""Suites in files: TOML with a ``title`` and blocks of runs.

The runs of a block ``[[runs]]`` are all combinations of its games, recipes, seeds and starts. Those of a block
``[[spots]]`` are one Hold'em endgame on many boards, see ``batches``. Some suites come with the package, others are
users' own.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any, TypeAlias

from regretlab.errors import UserError, unknown
from regretlab.experiments.batches import spot_runs
from regretlab.experiments.measures import USUAL_MEASURES, Probability, check_action, find_measure
from regretlab.experiments.specs import BoardOf, RunSpec, Suite, form_of, recipe_of
from regretlab.experiments.suite_file import FilePart, choices
from regretlab.games import load
from regretlab.games.registry import FOREIGN
from regretlab.spec import whole

SuiteLike: TypeAlias = str | Path | Mapping[str, Any] | Suite
"""A suite by name, in a file, as the content of such a file, or read already."""

SHIPPED = Path(__file__).with_name("suites")

KINDS = ("runs", "spots")
"""The kinds of blocks."""

FILE_KEYS = ("title", *KINDS)
BLOCK_KEYS = ("games", "recipes", "iterations", "seeds", "starts", "measures")
NEEDED_KEYS = BLOCK_KEYS[:3]

NOTHING_TO_RUN = (
    "what to run is missing; write one or several blocks that begin with [[runs]], or with [[spots]] for Hold'em"
)

LARGEST_SEED = 2**63 - 1


def read_suite(source: SuiteLike) -> Suite:
    """The suite that comes with the package under a name, is in a ``.toml`` file, or has the content of one.

    >>> block = {"games": "kuhn", "recipes": ["cfr", "cfr+(delay=0|5)"], "iterations": [10, 100]}
    >>> suite = read_suite({"runs": [block]})
    >>> [run.recipe for run in suite.runs], suite.runs[0].checkpoints
    (['cfr', 'cfr+', 'cfr+(delay=5)'], (10, 100))
    """
    if isinstance(source, Suite):
        return source
    if isinstance(source, Mapping):
        return _suite("suite", source, FilePart("the suite", ""))
    path = find_suite(source)
    text = _text(path)
    place = FilePart(f"'{path}'", text)
    try:
        return _suite(path.stem, tomllib.loads(text), place)
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"'{path}': {str(error)[:1].lower()}{str(error)[1:]}") from None


def shipped_suites() -> dict[str, str]:
    """The title of each suite that comes with the package, by its name."""
    return {path.stem: tomllib.loads(_text(path)).get("title", "") for path in sorted(SHIPPED.glob("*.toml"))}


def find_suite(source: str | Path) -> Path:
    """The file of a suite: a path that ends in .toml, or the name of one that comes with the package."""
    if str(source).endswith(".toml"):
        return Path(source)
    names = sorted(path.stem for path in SHIPPED.glob("*.toml"))
    if source not in names:
        raise UserError(f"{unknown('suite', str(source), names)}; a file of your own ends in .toml")
    return SHIPPED / f"{source}.toml"


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UserError(f"there is no file '{path}'") from None
    except (OSError, ValueError) as error:
        raise UserError(f"can't read '{path}': {getattr(error, 'strerror', None) or 'it is not text'}") from None


def _suite(name: str, content: Mapping[str, Any], place: FilePart) -> Suite:
    place.check_keys(content, FILE_KEYS)
    title = content.get("title", "")
    if not isinstance(title, str):
        raise place.wrong("title", "title must be text")
    blocks = {kind: content.get(kind, []) for kind in KINDS}
    for kind, listed in blocks.items():
        if not isinstance(listed, list) or not all(isinstance(block, Mapping) for block in listed):
            raise place.wrong(kind, NOTHING_TO_RUN)
    if not any(blocks.values()):
        raise place.wrong("runs", NOTHING_TO_RUN)
    runs = [run for number, block in enumerate(blocks["runs"]) for run in _runs(block, place.block("runs", number))]
    boards: dict[str, BoardOf] = {}
    for number, block in enumerate(blocks["spots"]):
        part = place.block("spots", number)
        for run, board in spot_runs(block, part):
            if boards.setdefault(run.game, board).weight != board.weight:
                raise part.wrong("boards", f"{board.board} stands in this suite twice, with different weights")
            runs.append(run)
    return Suite(name, title, tuple(dict.fromkeys(runs)), tuple(boards.items()))


def _runs(block: Mapping[str, Any], place: FilePart) -> Iterator[RunSpec]:
    """All combinations of one block."""
    place.check_block("runs", block, BLOCK_KEYS, NEEDED_KEYS)
    games = [game for text in place.texts(block, "games") for game in place.read("games", text, _games)]
    recipes, looks = place.recipes(block), place.iterations(block)
    seeds, starts = (_numbers(place, key, block.get(key, 1)) for key in ("seeds", "starts"))
    measures = tuple(place.texts({"measures": list(USUAL_MEASURES)} | dict(block), "measures"))
    for measure in measures:
        found = place.read("measures", measure, find_measure)
        if isinstance(found, Probability):
            for game in games:
                try:
                    check_action(form_of(game), found.label, found.action)
                except UserError as error:
                    raise place.wrong("measures", error, measure) from None
    for game, name, start in product(games, recipes, starts):
        place.check_iterations(name, looks)
        for seed in seeds if recipe_of(name).feedback_kind.samples else (0,):
            yield RunSpec(game, name, looks, seed, start, measures)


def _games(text: str) -> list[str]:
    """Names of games that always mean the same: defaults are left out, what is in a file stays as written."""
    names = []
    # What is written behind the prefix of another library means something to that library.
    for choice in [text] if text.partition(":")[0] in FOREIGN else choices(text):
        rules = load(choice)
        name = str(getattr(rules, "loaded_from", None) or rules.name)
        try:
            load(name)
        except UserError:  # a name that only says how large the game is
            name = choice
        names.append(name)
    return names


def _numbers(place: FilePart, key: str, value: Any) -> Iterable[int]:
    """So many numbers from 0, or those of a list."""
    if not isinstance(value, list | tuple):
        return range(place.read(key, value, lambda count: whole(key, count, least=1)))
    if not value:
        raise place.wrong(key, f"{key} must be how many there are, or a list of numbers")
    return [place.read(key, each, lambda each: whole(key, each, least=0, most=LARGEST_SEED)) for each in value]
