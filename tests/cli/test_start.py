"""How the command starts: help, version, what it loads, and what it does at the end of a pipe."""

import os
import re
import subprocess
import sys
from importlib.metadata import version

import pytest

COMMANDS = [
    "solve",
    "holdem",
    "show",
    "compare",
    "chaos",
    "experiment",
    "results",
    "report",
    "nash",
    "judge",
    "walkthrough",
    "serve",
    "games",
    "recipes",
    "exercise",
    "glossary",
    "export",
    "warmup",
]
UNDER_RESULTS = ["results list", "results show", "results export", "results rm"]
LIGHT = """
import contextlib, io, sys
from regretlab.cli import run
for line in {lines!r}:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        status = run(line.split())
    assert status == (2 if line == "slove" else 0), line
    loaded = {{"numba", "numpy", "scipy", "matplotlib"}} & sys.modules.keys()
    assert not loaded, (line, loaded)
"""


def test_help_and_lists_load_no_heavy_module() -> None:
    lines = [
        "",
        "--help",
        "--version",
        "slove",
        "games",
        "games kuhn",
        *(f"{name} --help" for name in (*COMMANDS, *UNDER_RESULTS)),
    ]
    subprocess.run([sys.executable, "-c", LIGHT.format(lines=lines)], check=True)


def test_help_names_every_command(regretlab) -> None:
    done = regretlab("--help", columns=80)
    assert (done.status, done.err) == (0, "")
    assert re.findall(r"│ ([a-z]+) ", done.out) == COMMANDS
    assert max(map(len, done.lines)) <= 80
    assert regretlab().out == regretlab("--help").out


@pytest.mark.parametrize("name", [*(name for name in COMMANDS if name != "results"), *UNDER_RESULTS])
def test_every_command_explains_itself_with_examples_that_run_in_a_shell(regretlab, name: str) -> None:
    done = regretlab(*name.split(), "--help", columns=80)
    assert (done.status, done.err) == (0, "")
    options = re.findall(r"│ (--[a-z]+)(?: \S+)?  +(\S+)", done.out)
    assert options
    assert "--json" in dict(options)
    examples = [line for line in done.lines if line.startswith(f"  regretlab {name.split()[0]}")]
    assert len(examples) >= (2 if name == "warmup" else 3)
    for example in examples:
        assert "(" not in re.sub(r"'[^']*'", "", example), "parentheses mean something to the shell"


def test_the_version_is_the_package_s(regretlab) -> None:
    assert regretlab("--version").out == f"regretlab {version('regretlab')}\n"


@pytest.mark.parametrize("arguments", [["recipes"], ["--help"], ["games", "kuhn", "--json"]], ids=" ".join)
def test_a_broken_pipe_is_silent(arguments: list[str]) -> None:
    command = [sys.executable, "-m", "regretlab", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    assert process.wait() == 141
    process.stderr.close()


def test_a_terminal_with_few_letters_gets_those_that_it_has() -> None:
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    for arguments, shown in (
        (["games", "kuhn"], b"+-1"),
        (["glossary", "regret"], b"R(a) = sum r(t, a), R_+ = max(R, 0)"),
    ):
        command = [sys.executable, "-m", "regretlab", *arguments]
        done = subprocess.run(command, env=environment, capture_output=True, check=True)
        assert shown in done.stdout
        assert b"?" not in done.stdout
        assert done.stderr == b""


def test_ctrl_c_while_the_command_is_still_loaded_is_told_in_one_line() -> None:
    program = (
        "import sys\n"
        "class Pressed:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'regretlab.cli': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Pressed())\n"
        "from regretlab.__main__ import main\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "regretlab: interrupted\n")
