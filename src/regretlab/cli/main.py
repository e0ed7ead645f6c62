"""The command ``regretlab``: which commands there are, and what becomes of their errors."""

from __future__ import annotations

import errno
import io
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import NoReturn

from cyclopts import App, CycloptsError, Parameter, UnknownCommandError, UnknownOptionError, UnusedCliTokensError

from regretlab.cli import (
    chaos,
    compare,
    exercise,
    experiment,
    explain,
    games,
    holdem,
    judge,
    recipes,
    results,
    screen,
    serve,
    solve,
    spots,
)
from regretlab.cli.letters import ASCII
from regretlab.cli.progress import INTERRUPTED
from regretlab.errors import UserError
from regretlab.own_file import told_of

USERS_MISTAKE = 2
BROKEN_PIPE = 141  # as a shell reports a command that SIGPIPE has ended

_HELP = """A laboratory for regret minimisation in imperfect-information games.

Start with: regretlab compare kuhn"""

_MORE = """Names take arguments in parentheses; quote them for the shell:
  regretlab solve 'kuhn(ante=1, bet=2)' --with 'cfr+(delay=100)'"""


def _version() -> str:
    from importlib.metadata import version

    return f"regretlab {version('regretlab')}"


def new_app(name: str, epilogue: str, about: str | None = None) -> App:
    """A command line with the manners of this one, which ``run`` runs."""
    return App(
        name=name,
        help=about,
        help_epilogue=epilogue,
        help_format="plaintext",  # quick to load, and brackets stay as they are
        version=_version,
        default_parameter=Parameter(negative=(), show_default=lambda default: default or None),
        suppress_keyboard_interrupt=False,
        result_action="return_value",
    )


app = new_app("regretlab", _MORE, _HELP)
_COMMANDS: tuple[tuple[Callable[..., int | None] | App, str], ...] = (
    (solve.solve, solve.EXAMPLES),
    (holdem.holdem, holdem.EXAMPLES),
    (spots.show, spots.EXAMPLES),
    (compare.compare, compare.EXAMPLES),
    (chaos.chaos, chaos.EXAMPLES),
    (experiment.experiment, experiment.EXAMPLES),
    (results.results, results.EXAMPLES),
    (experiment.report, experiment.REPORT_EXAMPLES),
    (games.nash, games.NASH_EXAMPLES),
    (judge.judge, judge.EXAMPLES),
    (explain.walkthrough, explain.WALKTHROUGH_EXAMPLES),
    (serve.serve, serve.EXAMPLES),
    (games.games, games.EXAMPLES),
    (recipes.recipes, recipes.EXAMPLES),
    (exercise.exercise, exercise.EXAMPLES),
    (explain.glossary, explain.GLOSSARY_EXAMPLES),
    (games.export, games.EXPORT_EXAMPLES),
    (recipes.warmup, recipes.WARMUP_EXAMPLES),
)
for _place, (_command, _examples) in enumerate(_COMMANDS):
    if isinstance(_command, App):
        _command.help_epilogue, _command.sort_key = _examples, _place
        app.command(_command)
    else:
        app.command(_command, help_epilogue=_examples, sort_key=_place)


FULL = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EIO)
"""What a disk says that takes no more."""


def main() -> NoReturn:
    """Run the command that the process was started with, and leave with its status."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str], commands: App = app) -> int:
    """Run one command; returns the exit status: 0 done, 2 the user's mistake, 130 interrupted."""
    if sys.stderr is None:  # it is closed; what is printed to None would go to standard output
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        return _complain("can't write to standard output: it is closed", USERS_MISTAKE)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors=ASCII)  # a terminal without µ or █ shows u and #
    try:
        with _no_lost_interrupt():
            status = commands(arguments, console=screen.Page(), exit_on_error=False, print_error=False)
            sys.stdout.flush()
    except KeyboardInterrupt:
        return _complain("interrupted", INTERRUPTED)
    except UserError as error:
        return _complain(str(error), USERS_MISTAKE)
    except CycloptsError as error:
        return _complain(_parse_error(error, commands.name[0]), USERS_MISTAKE)
    except BrokenPipeError:
        _drop_output()
        return BROKEN_PIPE
    except OSError as error:
        # Files have names, and who writes them tells of their mistakes himself; standard output has none.
        if error.filename is not None or error.errno not in FULL:
            return _complain_of_a_file(error)
        _drop_output()
        return _complain(f"can't write to standard output: {error.strerror or error}", USERS_MISTAKE)
    except (Exception, SystemExit) as error:
        return _complain_of_a_file(error)
    return status or 0


@contextmanager
def _no_lost_interrupt() -> Iterator[None]:
    """See to it that Ctrl-C ends a command as Ctrl-C, whatever it has interrupted.

    Where it comes while the compiler calls back into Python, the exception is lost, and the compiler complains instead.
    """
    pressed = False

    def press(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        pressed = True
        raise KeyboardInterrupt

    before = signal.getsignal(signal.SIGINT)
    watched = before is signal.default_int_handler and threading.current_thread() is threading.main_thread()
    if watched:
        signal.signal(signal.SIGINT, press)
    try:
        yield
    except Exception as error:
        if pressed:
            raise KeyboardInterrupt from error
        raise
    finally:
        if watched:
            signal.signal(signal.SIGINT, before)


def _complain_of_a_file(error: Exception | SystemExit) -> int:
    """An error that a game or a rule in a user's file has raised; any other one is a bug, and goes on."""
    told = told_of(error)
    if told is None:
        raise error
    return _complain(told, USERS_MISTAKE)


def _drop_output() -> None:
    """Python flushes standard output once more when it leaves; what is left must go somewhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


_MEANT = dict.fromkeys(("--recipe", "--recipes", "--algorithm", "-w"), "--with") | {"-n": "--iterations"}
"""What people write who know the words of this field, or other programs."""


def _parse_error(error: CycloptsError, name: str) -> str:
    """What is wrong with the arguments of the program of this name, and where to read more."""
    if isinstance(error, UnknownCommandError) and list(error.unused_tokens or ())[:1] == ["bench"]:
        return "the benchmark is not part of the installed package; in a clone of the repository: make bench"
    command = " ".join([name, *(error.command_chain or ())])
    if isinstance(error, UnusedCliTokensError):
        return f"{command} has no place for '{' '.join(error.unused_tokens or ())}'; see {command} --help"
    message = str(error)
    if isinstance(error, UnknownOptionError) and error.token.keyword in _MEANT:
        message = f"Unknown option: {error.token.keyword}. Did you mean {_MEANT[error.token.keyword]}?"
    return f"{message[:1].lower()}{message[1:]} See {command} --help"


def _complain(message: str, status: int) -> int:
    """One plain line on stderr: no markup, which would swallow brackets, and no line breaks."""
    with suppress(OSError):  # the status says it, too
        print("regretlab:", " ".join(message.split()), file=sys.stderr)
    return status
