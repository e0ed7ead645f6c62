"""Random command lines, right and wrong, built from the commands' own parameters: all of them end as they should.

``python tests/random_commands.py 1000`` runs a thousand and shows what went wrong; the tests run fewer.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import shlex
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import regretlab as rl
from regretlab.cli import run
from regretlab.cli.main import app

SEED = 20_261_119

GAME = """
import regretlab as rl


class Toss:
    name = "toss"

    def root(self):
        return ()

    def player(self, state):
        return (0, 1, rl.TERMINAL)[len(state)]

    def actions(self, state):
        return ["heads", "tails"]

    def child(self, state, action):
        return (*state, action)

    def label(self, state):
        return ("toss", "guess")[len(state)]

    def payoff(self, state):
        return 1 if state[0] == state[1] else -1


class Broken(Toss):
    def payoff(self, state):
        raise KeyError("no such payoff")
"""
RULE = """
import regretlab as rl


@rl.rule
def last(regret, instant, strategy, t):
    for a in range(len(regret)):
        regret[a] += instant[a]
        strategy[a] = 1.0 if a == len(regret) - 1 else 0.0


@rl.rule
def negative(regret, instant, strategy, t):
    strategy[0] = -1.0
"""
SUITE = '[[runs]]\ngames = "kuhn"\nrecipes = ["cfr", "cfr+"]\niterations = [5, 10]\n'

GAMES = (
    *("kuhn", "kuhn(bet=2)", "kuhn(cards=4)", "kuhn(ante=1/3, bet=0.5)", "leduc", "rps", "matching_pennies"),
    *("liars_dice(sides=2)", "liars_dice(sides=3)", "goofspiel(cards=3)", "matrix(rows=1 -1; -1 1)", "efg:kuhn.efg"),
    *("./my.py:Toss", "kuhn locked at Jb: fold", "holdem:river-polar", "spot.toml", "openspiel:kuhn_poker"),
    *("./my.py:Broken", "./my.py", "./my.py:Nobody", "./nowhere.py:Toss", "khun", "kuhn(", "kuhn(cards=2)", "kuhn()"),
    *("kuhn(bet=nan)", "kuhn(bet=1e400)", "kuhn(bet=0)", "goofspiel(cards=13)", "leduc(ranks=100)", "efg:junk.efg"),
    *("openspiel:", "openspiel:chess", "holdem:", "holdem:nothing", "junk.toml", "kuhn locked at", "matrix(rows=)"),
)
RECIPES = (
    *("cfr", "cfr+", "dcfr", "pcfr+", "normalhedge+", "cfr+(delay=3)", "cfr(schedule=alternating, averaging=t^1.5)"),
    *("external-sampling", "outcome-sampling", "restarted-cfr+", "hs-dcfr(horizon=10)", "./my_rules.py:last"),
    *("cfr(feedback=chance)", "dcfr(alpha=2, beta=none)", "cfr(accumulate=clip, level=1/2)", "cfr(ties=0)"),
    *("cfr++", "cfr(", "cfr(delay=-1)", "cfr(delay=1e30)", "cfr(alpha=x)", "./my_rules.py:negative", "cfr(level=1)"),
    *("cfr(schedule=never)", "./my_rules.py", "dcfr(restart=1/2)", "cfr(predict=2)", "deep-cfr(weigh=hedge)", "cfr()"),
)
COUNTS = ("1", "2", "10", "25", "1e2", "0", "-3", "1.5", "abc", "1e40", "½", "0x10", "1_000")
LOCKS = (
    "Jb: fold",
    "Jb: fold 0.5, call 0.5",
    "J: bet; Q: check",
    "Jb: fly",
    "Z: fold",
    "Jb",
    "Jb: fold 0.7",
    "lock.toml",
    ":",
)
RUNS = ("kuhn.npz", "river.npz", "junk.npz", "empty.npz", "nowhere.npz", "folder", "strategy.json")
VALUES: Mapping[str, Sequence[str]] = {
    "GAME": GAMES,
    "GAMES": ("kuhn", "rps", "kuhn(bet=2)", "./my.py:Toss", "khun", "goofspiel(cards=13)"),
    "NAME": (*GAMES, *RECIPES),
    "NUMBER": ("1", "2", "3", "10", "0", "11", "one"),
    "RUN": (*RUNS, "3f2a", "0"),
    "LINE": ("", "check", "check, check", "check, bet 100", "check, bet 1", "fly", ",", "bet"),
    "SPOT": ("river-polar", "turn-srp", "nothing", ""),
    "SUITE": ("suite.toml", "quick", "junk.toml", "nowhere.toml", "nothing", "suite.txt"),
    "TERM": ("regret", "information set", "regrett", "∑", ""),
    "FILE": ("out.efg", "out.csv", "strategy.json", "kuhn.npz", "river.npz", "junk.npz", "nowhere/out.efg", "folder"),
    "--answer": ("3/8", "-1/4", "0.25", "x", "1/0", "nan"),
    "--at": COUNTS,
    "--cores": ("1", "2", "0", "x"),
    "--csv": ("out.csv", "out.txt", "nowhere/out.csv", "folder"),
    "--deals": ("JQ,JQ", "JQ", "all", "JJ", "ZZ", ""),
    "--depth": ("1", "2", "0", "x"),
    "--export": ("site", "nowhere/site", "my.py", "folder"),
    "--form": ("lanes", "histories", "blocks", "trees"),
    "--format": ("terminal", "markdown", "json", "html", "pdf"),
    "--game": ("kuhn", "leduc", "khun", "("),
    "--hand": ("KsQs", "QsJs", "AsAs", "Zz", "Ks"),
    "--host": ("127.0.0.1", "localhost", "256.0.0.1", "no such host"),
    "--iterations": COUNTS,
    "--keep": ("street", "all", "nothing"),
    "--lock": LOCKS,
    "--memory": ("8GB", "500MB", "1 KB", "0", "x", "."),
    "--on": ("local", "mars", "ray://nowhere:1"),
    "--output": ("out.html", "out.htm", "out.txt", "nowhere/out.html", "folder"),
    "--plot": ("out.svg", "out.png", "out.html", "out.gif", "nowhere/out.svg", "folder"),
    "--port": ("0", "70000", "-1", "x"),
    "--precision": ("f64", "f32", "16bit", "f8"),
    "--regret-of": ("J:bet", "Jb:fold", "J", "J:fly", ":"),
    "--results": (".", "folder", "nowhere", "my.py"),
    "--resume": RUNS,
    "--save": ("out.npz", "kuhn.npz", "out.json", "nowhere/out.npz", "folder", "out.safetensors"),
    "--seed": ("0", "7", "-1", "1e30", "x"),
    "--seeds": ("1", "2", "0", "x"),
    "--starts": ("1", "2", "0", "x"),
    "--store": ("store.sqlite", "nowhere/new.sqlite", "junk.npz", "folder", "new.sqlite"),
    "--suite": ("suite.toml", "quick", "nothing"),
    "--targets": ("0.1", "0.1,0.01", "0", "small", ","),
    "--until": ("1e-1", "1e-3", "0.5%", "0", "-1", "nan", "x", "1e-3%"),
    "--with": (*RECIPES, "cfr,cfr+", "cfr,cfr", ","),
    "--workers": ("1", "2", "0", "x"),
}
"""For parameters what people may write, what is right in front of what is wrong; others get anything."""

ANYTHING = (
    "",
    " ",
    "-",
    "--",
    "--json",
    "-x",
    "é",
    "a\nb",
    "[bold]",
    "%s",
    "{}",
    "x" * 300,
    "../..",
    "~",
    "*",
    "@my.py",
)
NEVER_END = ("serve",)
"""Commands that go on until Ctrl-C."""

WEIGHTS = {"solve": 12, "compare": 12, "results": 2, "serve": 1, "warmup": 1, "chaos": 1, "report": 1, "experiment": 1}
"""How often a command comes up, 4 where nothing is said; what takes long or goes on until Ctrl-C seldom does."""


class Line(NamedTuple):
    """A command line, and what it may leave behind."""

    arguments: tuple[str, ...]
    is_json: bool


class Ended(NamedTuple):
    """How a command ended."""

    status: int | None  # None if an error came through
    out: str
    err: str
    stopped: bool  # by the Ctrl-C that comes after PATIENCE


def commands(commands: Any = app, chain: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command that has no commands below it, with the words that call it."""
    for name in commands:
        if not name.startswith("-"):
            below = list(globals()["commands"](commands[name], (*chain, name)))
            yield from below or [((*chain, name), commands[name])]


def parameters(command: Any) -> list[tuple[str, bool, bool, bool]]:
    """Of each parameter: its name, whether it stands alone, must be given, and has a place instead of a name."""
    return [
        (each.names[0], each.hint in (bool, int), each.required, not each.names[0].startswith("-"))
        for each in command.assemble_argument_collection()
        if each.names[0] != "*"
    ]


def lines(count: int, seed: int = SEED) -> Iterator[Line]:
    """So many command lines, always the same ones for a seed."""
    draw = random.Random(seed)
    known = [(chain, parameters(command)) for chain, command in commands()]
    weights = [WEIGHTS.get(chain[0], 4) for chain, _ in known]
    for _ in range(count):
        ((chain, known_parameters),) = draw.choices(known, weights)
        words = _words(draw, known_parameters)
        if draw.random() < 0.08:  # something that nobody meant
            words.insert(draw.randrange(len(words) + 1), draw.choice(ANYTHING))
        if chain == ("warmup",):  # it compiles for minutes, and does nothing else
            words.append(draw.choice(ANYTHING))
        if draw.random() < 0.03:
            chain = (*chain[:-1], chain[-1][:-1])
        yield Line((*chain, *words), "--json" in words)


def _words(draw: random.Random, known: Sequence[tuple[str, bool, bool, bool]]) -> list[str]:
    """What may stand behind the name of a command."""
    placed, named = [], []
    for name, alone, required, has_place in known:
        if has_place:
            if draw.random() < (0.96 if required else 0.6):
                placed.append(_value(draw, name))
        elif draw.random() < (0.25 if alone else 0.2):
            value = [] if alone else [_value(draw, name)]
            named.append([f"{name}={value[0]}"] if value and draw.random() < 0.3 else [name, *value])
    draw.shuffle(named)
    options = [word for each in named for word in each]
    return [*options, *placed] if draw.random() < 0.2 else [*placed, *options]


def _value(draw: random.Random, name: str) -> str:
    known = VALUES.get(name, ())
    if not known or draw.random() < 0.04:
        return draw.choice(ANYTHING)
    return known[min(draw.randrange(len(known)), draw.randrange(len(known)))]  # rather one in front


def prepare(folder: Path) -> None:
    """The files that the command lines speak of."""
    (folder / "my.py").write_text(GAME)
    (folder / "my_rules.py").write_text(RULE)
    (folder / "suite.toml").write_text(SUITE)
    (folder / "lock.toml").write_text('[lock]\nJb = "fold"\n')
    for name in ("junk.npz", "junk.toml", "junk.efg", "suite.txt"):
        (folder / name).write_text("nothing [that anybody = can read")
    (folder / "empty.npz").touch()
    (folder / "folder").mkdir()
    rl.write_efg("kuhn", folder / "kuhn.efg")
    solution = rl.solve("kuhn", "cfr+", iterations=10)
    solution.save(folder / "kuhn.npz")
    (folder / "strategy.json").write_text(json.dumps(solution.as_dict(), default=str))
    rl.solve("holdem:river-polar", iterations=20).save(folder / "river.npz")
    with contextlib.redirect_stdout(io.StringIO()) as spot:
        run(["holdem", "river-polar"])
    (folder / "spot.toml").write_text(spot.getvalue())
    rl.experiment(folder / "suite.toml", store=folder / "store.sqlite")


DATA = "data"
"""The folder in which results are kept where nobody says where."""

PATIENCE = 6.0
"""Seconds after which a command gets Ctrl-C, and then once more every second: of work or, where it waits, of time."""


def in_this_process(line: Line) -> Ended:
    """Run a command here, which is quick; the folder is the working directory."""
    stopped = False

    def stop(*_: object) -> None:
        nonlocal stopped
        stopped = True
        signal.raise_signal(signal.SIGINT)

    out, err = io.StringIO(), io.StringIO()
    waits = line.arguments[0] in NEVER_END
    timer, alarm = (signal.ITIMER_REAL, signal.SIGALRM) if waits else (signal.ITIMER_PROF, signal.SIGPROF)
    before = signal.signal(alarm, stop)
    signal.setitimer(timer, PATIENCE, 1.0)
    status: int | None = None
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = run(line.arguments)
    except BaseException:
        err.write(traceback.format_exc())
    finally:
        signal.setitimer(timer, 0)
        signal.signal(alarm, before)
    return Ended(status, out.getvalue(), err.getvalue(), stopped)


def in_a_process(line: Line) -> Ended:
    """Run a command as people do."""
    process = subprocess.Popen(
        [sys.executable, "-m", "regretlab", *line.arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        out, err = process.communicate(timeout=4 * PATIENCE)
        return Ended(process.returncode, out, err, False)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
        return Ended(process.returncode, out, err, True)


RUNS_FAILED = 1
"""The status of an experiment of which some runs could not be performed."""


def wrong(line: Line, ended: Ended) -> str:
    """What is wrong with the way in which a command ended; empty if nothing is."""
    told = ended.err.splitlines()
    if ended.stopped and ended.status in (130, -signal.SIGINT):  # the latter while Python leaves already
        return ""
    if ended.status is None or "Traceback" in ended.err:
        return f"an error came through:\n{ended.err}"
    if ended.status == 2 and line.arguments[:1] != ("exercise",):
        if ended.out:
            return f"printed something, and failed: {ended.out[-300:]!r}"
        if (
            not told
            or not told[-1].startswith("regretlab: ")
            or any(not each.startswith("regretlab: ") for each in told)
        ):
            return f"the mistake is not told in one line: {ended.err!r}"
        return ""
    if ended.status == RUNS_FAILED and line.arguments[0] == "experiment" and "failed: " in ended.err:
        return ""
    if ended.status not in (0, 2):
        return f"the status is {ended.status}: {ended.err!r}"
    if ended.status == 0 and line.is_json and "--help" not in line.arguments:
        try:
            json.loads(ended.out)
        except ValueError:
            return f"--json gave no JSON: {ended.out[:200]!r}"
    return ""


def contents(folder: Path) -> dict[str, bytes | None]:
    """Every file below a folder with what is in it, and every folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
        if not {"__pycache__", DATA} & set(path.parts)
    }


def left_behind(line: Line, ended: Ended, before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """What a command has written that it was not asked for; empty if nothing."""
    named = {Path(word.partition("=")[2] if word.startswith("--") else word).parts[:1] for word in line.arguments}
    changed = [name for name in after if name not in before or after[name] != before[name]]
    for name in changed:
        if name.startswith("exercise-") and line.arguments[0] == "exercise":
            continue
        if (Path(name).parts[0],) not in named and not name.startswith("store.sqlite"):
            return f"{name} was written, which nobody has named"
        if ended.status == 2 and ".sqlite" not in name:
            return f"{name} was written, and the command failed"
        if name.endswith(".npz") and after[name] is not None:
            rl.Solution.load(name, "./my.py:Toss" if "./my.py:Toss" in line.arguments else None)
    return "".join(f"{name} is gone" for name in before if name not in after)


def restore(folder: Path, before: Mapping[str, bytes | None]) -> None:
    """The folder as it was."""
    for path in sorted(folder.rglob("*"), reverse=True):
        name = path.relative_to(folder).as_posix()
        if name not in before and name.partition("/")[0] != DATA:
            path.rmdir() if path.is_dir() else path.unlink()
    for name, content in before.items():
        if content is not None and (folder / name).read_bytes() != content:
            (folder / name).write_bytes(content)


def check(line: Line, folder: Path, before: Mapping[str, bytes | None], as_process: bool) -> str:
    """Run a command in a folder; what is wrong, empty if nothing is. The folder is as before afterwards."""
    ended = in_a_process(line) if as_process else in_this_process(line)
    found = wrong(line, ended)
    if not found:
        found = left_behind(line, ended, before, contents(folder))
    restore(folder, before)
    return found and f"regretlab {shlex.join(line.arguments)}\n{found}"


def check_all(count: int, folder: Path, first: int = 0, each_as_process: int = 50) -> Iterator[str]:
    """Run the commands from the first one on in a folder, a few of them as processes; yields what is wrong with any."""
    prepare(folder)
    before = contents(folder)
    for place, line in islice(enumerate(lines(count)), first, None):
        found = check(
            line, folder, before, as_process=place % each_as_process == 0 and line.arguments[0] not in NEVER_END
        )
        if found:
            yield f"{place}: {found}"


def main(count: int, first: int = 0) -> int:
    """Run so many commands, or those from one on, and show what is wrong; returns 1 if anything is."""
    failed = 0
    signal.signal(signal.SIGINT, signal.default_int_handler)  # programs in the background would ignore Ctrl-C
    with tempfile.TemporaryDirectory() as temporary:
        os.chdir(temporary)
        os.environ["XDG_DATA_HOME"] = str(Path(temporary) / DATA)
        for found in check_all(count, Path(temporary), first):
            failed += 1
            print(f"\n{found}", flush=True)
        os.chdir("/")
    print(f"\n{count - first} command lines, {failed} went wrong")
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
