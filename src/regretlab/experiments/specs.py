"""What runs: frozen specifications, and the suites of them, which are TOML files.

A file has a ``title`` and one or several blocks ``[[runs]]``. A block's runs are all combinations of its games,
recipes, seeds and starts. Some come with the package, others are users' own.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, TypeVar

from regretlab.errors import UserError, unknown
from regretlab.experiments.measures import USUAL_MEASURES, Probability, check_action, find_measure
from regretlab.forms import AnyForm, form_to_solve
from regretlab.games import load
from regretlab.games.registry import FOREIGN
from regretlab.identity import number_identity
from regretlab.solving import RECIPES, Recipe, recipe
from regretlab.solving.storage import fingerprint
from regretlab.spec import format_call, parse_call, whole


@dataclass(frozen=True)
class RunSpec:
    """One recipe on one game from one start, looked at after some iterations."""

    game: str  # what ``load`` finds it by
    recipe: str  # what ``recipe`` finds it by
    checkpoints: tuple[int, ...]  # the iterations after which it is measured, ascending; the run ends with the last
    seed: int = 0  # of recipes that sample
    start: int = 0  # 0 begins with uniform strategies, k > 0 with random ones: ``Solver.perturb(k)``
    measures: tuple[str, ...] = USUAL_MEASURES


@dataclass(frozen=True)
class Suite:
    """Several runs under one name."""

    name: str
    title: str
    runs: tuple[RunSpec, ...]  # each once


GAMES_KEPT = 4
"""How many compiled games a process keeps. Runs come sorted by game, so even one would nearly do."""


@lru_cache(GAMES_KEPT)
def form_of(game: str) -> AnyForm:
    """The compiled game of a run, kept for the next one."""
    return form_to_solve(game)


@lru_cache(GAMES_KEPT)
def fingerprint_of(game: str) -> str:
    """The fingerprint of the compiled game of a run."""
    return fingerprint(form_of(game))


@cache
def recipe_of(name: str) -> Recipe:
    """The recipe of a run. A rule in a user's file is compiled in every process, so it is made once."""
    return recipe(name)


def identity(run: RunSpec, fingerprint: str) -> dict[str, Any]:
    """Everything that the numbers of a run depend on; ``fingerprint`` is that of the compiled game."""
    made = recipe_of(run.recipe)
    return {
        "game": run.game,
        "fingerprint": fingerprint,
        "recipe": made.parts | ({} if made.rule is None else {"source": _source(made.rule.file)}),
        "checkpoints": list(run.checkpoints),
        "seed": run.seed,
        "start": run.start,
        "measures": list(run.measures),
        "numerics": number_identity(),
    }


def digest(known: dict[str, Any]) -> str:
    """The hash that a run is known by: what has the same identity has the same numbers."""
    return hashlib.sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()[:32]


@cache
def _source(path: str) -> str:
    """A hash of the file that a rule is in that is not ours: the rule may use whatever else is there."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:32]


# ---- suites in files

SuiteLike: TypeAlias = str | Path | Mapping[str, Any] | Suite
"""A suite by name, in a file, as the content of such a file, or read already."""

SHIPPED = Path(__file__).with_name("suites")

ALL = "all"
"""In place of a recipe: every row of the table that needs no seed."""

FILE_KEYS = ("title", "runs")
BLOCK_KEYS = ("games", "recipes", "iterations", "seeds", "starts", "measures")
NEEDED_KEYS = BLOCK_KEYS[:3]

LARGEST_SEED = 2**63 - 1

Read = TypeVar("Read")


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
        return _suite("suite", source, _FilePart("the suite", ""))
    path = find_suite(source)
    text = _text(path)
    place = _FilePart(f"'{path}'", text)
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


class _FilePart(NamedTuple):
    """A part of a file; errors name the line."""

    name: str
    text: str
    lines_before: int = 0

    def block(self, number: int) -> _FilePart:
        """The part of one ``[[runs]]``, if the blocks are written that way; else the whole."""
        heads = [head.start() for head in re.finditer(r"^[ \t]*\[\[ *runs *\]\]", self.text, re.MULTILINE)]
        if number >= len(heads):
            return self
        start, end = ([*heads, len(self.text)])[number : number + 2]
        return _FilePart(self.name, self.text[start:end], self.text.count("\n", 0, start))

    def wrong(self, key: str, error: object, value: object = None) -> UserError:
        """The error with the line of the value, if that is text, or else of the key in front."""
        key_pattern = rf"^[ \t]*\[*[ \t]*[\"']?{re.escape(key)}[\"']?[ \t]*[=\]]"
        patterns = [rf"^[^#\n]*{re.escape(value)}"] if isinstance(value, str) else []
        found = [re.search(pattern, self.text, re.MULTILINE) for pattern in (*patterns, key_pattern)]
        match = next((match for match in found if match), None)
        if match is None:
            return UserError(f"{self.name}: {error}")
        line = self.lines_before + self.text.count("\n", 0, match.start()) + 1
        return UserError(f"{self.name}, line {line}: {error}")

    def read(self, key: str, value: Any, reader: Callable[[Any], Read]) -> Read:
        """What the reader makes of a value; what it complains about gets a line."""
        try:
            return reader(value)
        except UserError as error:
            raise self.wrong(key, error, value) from None

    def check_keys(self, table: Mapping[str, Any], known: Sequence[str]) -> None:
        for key in table:
            if key not in known:
                raise self.wrong(key, unknown("key", key, known))


def _suite(name: str, content: Mapping[str, Any], place: _FilePart) -> Suite:
    place.check_keys(content, FILE_KEYS)
    title, blocks = content.get("title", ""), content.get("runs")
    if not isinstance(title, str):
        raise place.wrong("title", "title must be text")
    if not isinstance(blocks, list) or not blocks or not all(isinstance(block, Mapping) for block in blocks):
        raise place.wrong("runs", "what to run is missing; write one or several blocks that begin with [[runs]]")
    runs = [run for number, block in enumerate(blocks) for run in _runs(block, place.block(number))]
    return Suite(name, title, tuple(dict.fromkeys(runs)))


def _runs(block: Mapping[str, Any], place: _FilePart) -> Iterator[RunSpec]:
    """All combinations of one block."""
    place.check_keys(block, BLOCK_KEYS)
    for key in NEEDED_KEYS:
        if key not in block:
            raise place.wrong("runs", f"this block of runs has no {key}")
    games = [game for text in _texts(place, block, "games") for game in place.read("games", text, _games)]
    recipes = [name for text in _texts(place, block, "recipes") for name in place.read("recipes", text, _recipes)]
    given = block["iterations"]
    listed = given if isinstance(given, list | tuple) else [given]
    looks = [place.read("iterations", each, lambda each: whole("iterations", each, least=1)) for each in listed]
    if not looks or looks != sorted(set(looks)):
        raise place.wrong("iterations", "iterations must be a number, or a list of numbers that ascend")
    seeds, starts = (_numbers(place, key, block.get(key, 1)) for key in ("seeds", "starts"))
    measures = tuple(_texts(place, {"measures": list(USUAL_MEASURES)} | dict(block), "measures"))
    for measure in measures:
        found = place.read("measures", measure, find_measure)
        if isinstance(found, Probability):
            for game in games:
                try:
                    check_action(form_of(game), found.label, found.action)
                except UserError as error:
                    raise place.wrong("measures", error, measure) from None
    for game, name, start in product(games, recipes, starts):
        made, last = recipe_of(name), looks[-1]
        if last < made.least_iterations:
            least = f"it takes at least {made.least_iterations:,}"
            raise place.wrong("iterations", f"{name}: {last:,} iterations leave nothing to average; {least}")
        for seed in seeds if made.feedback_kind.samples else (0,):
            yield RunSpec(game, name, tuple(looks), seed, start, measures)


def _texts(place: _FilePart, block: Mapping[str, Any], key: str) -> list[str]:
    """One name or several."""
    value = block[key]
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list | tuple) or not texts or not all(isinstance(text, str) for text in texts):
        raise place.wrong(key, f"{key} must be a name in quotes, or a list of such")
    return list(texts)


def _games(text: str) -> list[str]:
    """Names of games that always mean the same: defaults are left out, what is in a file stays as written."""
    names = []
    # What is written behind the prefix of another library means something to that library.
    for choice in [text] if text.partition(":")[0] in FOREIGN else _choices(text):
        rules = load(choice)
        name = str(getattr(rules, "loaded_from", None) or rules.name)
        try:
            load(name)
        except UserError:  # a name that only says how large the game is
            name = choice
        names.append(name)
    return names


def _recipes(text: str) -> list[str]:
    if text == ALL:
        return [row.name for row in RECIPES.values() if not row.feedback_kind.samples]
    return [recipe_of(choice).name for choice in _choices(text)]


def _choices(text: str) -> list[str]:
    """What a name with alternatives stands for.

    >>> _choices("cfr+(delay=0|10, schedule=simultaneous)")
    ['cfr+(delay=0, schedule=simultaneous)', 'cfr+(delay=10, schedule=simultaneous)']
    """
    if "|" not in text:
        return [text]
    name, arguments = parse_call(text)
    values = ([choice.strip() for choice in value.split("|")] for value in arguments.values())
    return [format_call(name, dict(zip(arguments, chosen, strict=True))) for chosen in product(*values)]


def _numbers(place: _FilePart, key: str, value: Any) -> Iterable[int]:
    """So many numbers from 0, or those of a list."""
    if not isinstance(value, list | tuple):
        return range(place.read(key, value, lambda count: whole(key, count, least=1)))
    if not value:
        raise place.wrong(key, f"{key} must be how many there are, or a list of numbers")
    return [place.read(key, each, lambda each: whole(key, each, least=0, most=LARGEST_SEED)) for each in value]
