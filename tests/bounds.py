"""Does regretlab run on the oldest packages that it says it takes, and on the newest?

    python tests/bounds.py
    python tests/bounds.py --newest
    python tests/bounds.py --extra openspiel --extra deep
    python tests/bounds.py --with numba==0.62.1

Makes an empty environment with the lower bound of each dependency in ``pyproject.toml``, or the version that is given,
or with the newest that are allowed, and tries what people do first: solving on one core and on two, sampling, the exact
solution, figures, the page.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
import urllib.request
import venv
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
SCRIPTS = "Scripts" if os.name == "nt" else "bin"

FACE = """
import regretlab as rl
game = rl.load("kuhn")
one, two = (rl.solve("liars_dice(sides=4)", "cfr+", iterations=100, cores=cores) for cores in (1, 2))
assert all((one.strategy[label] == two.strategy[label]) for label in one.strategy)
assert 0 <= rl.solve(game, "normalhedge+", iterations=1_000).exploitability < 0.05
assert rl.nash(game, exact=True).value * 18 == -1
assert rl.nash("leduc").exploitability < 1e-8
"""

WITH_PETTINGZOO = """
import regretlab as rl
from pettingzoo.test import api_test
api_test(rl.pettingzoo_env("kuhn"), num_cycles=100)
"""

COMMANDS = (
    "solve kuhn --with cfr+ --iterations 1000 --save run.npz",
    "solve kuhn --resume run.npz --iterations 2000",
    "solve leduc --with external-sampling --iterations 1000",
    "solve leduc --with outcome-sampling --iterations 1000",
    "compare kuhn --iterations 1000 --plot kuhn.png",
    "nash kuhn --exact",
    "walkthrough --with normalhedge",
    "games",
    "recipes",
    "glossary",
    "serve --export page",
)
"""What people do first."""

OF_EXTRAS = {
    "deep": ("solve kuhn --with deep-cfr --iterations 2",),
    "openspiel": ("solve openspiel:kuhn_poker --iterations 100",),
    "pettingzoo": (),
    "ray": ("experiment quick --on ray",),
}


def oldest(requirements: Sequence[str], instead: Sequence[str]) -> list[str]:
    """Each requirement at its lower bound, unless a version of that package is given."""
    chosen = {re.split(r"[=<>\[]", given)[0]: given for given in instead}
    found = []
    for requirement in requirements:
        match = re.match(r"([\w.-]+)(\[\w+\])?>=([\d.]+)", requirement)
        assert match is not None, f"{requirement} has no lower bound"
        found.append(chosen.get(match[1], f"{match[1]}{match[2] or ''}=={match[3]}"))
    return found


def apart(folder: Path) -> dict[str, str]:
    """The variables of an environment that sees nothing of the one around it."""
    kept = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}
    return kept | {"NUMBA_CACHE_DIR": str(folder / "kernels")}


def run(folder: Path, *command: str | Path) -> str:
    """The output of a command that must succeed."""
    print("$", *(Path(part).name if isinstance(part, Path) else part.strip() for part in command), flush=True)
    done = subprocess.run(command, cwd=folder, env=apart(folder), capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise SystemExit(f"bounds: this failed\n{done.stdout}\n{done.stderr}")
    return done.stdout


def see_page(folder: Path, command: Path) -> None:
    """Start the server, fetch its first page, and end it."""
    print("$ regretlab serve", flush=True)
    start = [command, "serve", "--port", "0", "--no-browser"]
    with subprocess.Popen(start, cwd=folder, env=apart(folder), stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            address = re.search(r"http://\S+", server.stdout.readline())
            assert address is not None, "the server does not say where it is"
            with urllib.request.urlopen(address[0], timeout=60) as answer:
                assert b"<html" in answer.read()
        finally:
            server.terminate()


def main() -> None:
    """Make the environment and try everything in it; the first thing that fails ends it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--extra", action="append", default=[], choices=OF_EXTRAS, help="try this extra, too")
    parser.add_argument("--with", action="append", default=[], dest="instead", help="a version such as numba==0.62.1")
    parser.add_argument("--newest", action="store_true", help="the newest versions that are allowed")
    arguments = parser.parse_args()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = project["dependencies"] + [
        each for extra in arguments.extra for each in project["optional-dependencies"][extra]
    ]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        venv.create(folder, with_pip=True)
        python, regretlab = folder / SCRIPTS / "python", folder / SCRIPTS / "regretlab"
        pip = (python, "-m", "pip", "--disable-pip-version-check", "--quiet", "install")
        run(folder, *pip, *(wanted if arguments.newest else oldest(wanted, arguments.instead)))
        run(folder, *pip, "--no-deps", ROOT)
        installed = json.loads(run(folder, python, "-m", "pip", "list", "--format=json"))
        run(folder, python, "-c", FACE)
        if "pettingzoo" in arguments.extra:
            run(folder, python, "-c", WITH_PETTINGZOO)
        for line in (*COMMANDS, *(line for extra in arguments.extra for line in OF_EXTRAS[extra])):
            run(folder, regretlab, *line.split())
        see_page(folder, regretlab)
    print("all of it works with", ", ".join(f"{each['name']} {each['version']}" for each in installed))


if __name__ == "__main__":
    sys.exit(main())
