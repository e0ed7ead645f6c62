"""``regretlab serve``: the page on which one watches a poker bot learn."""

from __future__ import annotations

import os
import sys
import webbrowser
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from regretlab.cli import screen
from regretlab.cli.screen import AsJson
from regretlab.errors import UserError
from regretlab.spec import whole

EXAMPLES = """Examples:
  regretlab serve
  regretlab serve --port 8123 --no-browser
  regretlab serve ./my_game.py:MyGame
  regretlab serve --results results
  regretlab serve --host 0.0.0.0
  regretlab serve --export site
  regretlab serve run.npz --export explorer"""

RUN = ".npz"
"""The end of the name of a saved run."""


def serve(
    game: Annotated[
        str | None,
        Parameter(
            help="A small game to watch beside those on offer, such as ./my_game.py:MyGame or goofspiel; "
            "with --export, a saved run of a Hold'em endgame."
        ),
    ] = None,
    /,
    *,
    port: Annotated[str, Parameter(metavar="N", help="The port; 0 takes any that is free.")] = "8000",
    host: Annotated[
        str,
        Parameter(metavar="ADDRESS", help="Where to listen; other than on this computer, visitors need a token."),
    ] = "127.0.0.1",
    no_browser: Annotated[bool, Parameter(name="--no-browser", help="Open no browser.")] = False,
    folder: Annotated[
        Path | None,
        Parameter(
            name=("--results", "--folder"), metavar="FOLDER", help="Show the saved runs and the reports in this folder."
        ),
    ] = None,
    export: Annotated[
        Path | None,
        Parameter(
            metavar="FOLDER",
            help="Write the pages with recorded runs, or the explorer of a saved run, into this folder, for any web "
            "host or to be opened as files.",
        ),
    ] = None,
    keep: Annotated[
        str | None,
        Parameter(
            metavar="street|all",
            help="Of a saved run with more than one street: write its first street, which is usual, or all.",
        ),
    ] = None,
    json: AsJson = False,
) -> None:
    """Open a page on which one watches a poker bot learn.

    Watch the algorithms learn Kuhn poker, look into every number, race them,
    play against them. Only this computer can see the page unless --host says
    otherwise. Ctrl-C ends it.
    """
    if keep is not None and (export is None or not _is_run(game)):
        raise UserError(f"--keep={keep} says what of a saved run is written: regretlab serve run.npz --export FOLDER")
    if export is not None and game is not None and _is_run(game):
        _export_run(game, export, keep, json)
        return
    if export is not None:
        from regretlab.web.export import export as write_pages

        for part in write_pages(export):
            screen.note(f"written: {part}")
        if json:
            screen.as_json({"folder": str(export)})
        else:
            print(f"The pages are in {export}; to see them, open {export / 'index.html'} in a browser")
        return
    from regretlab.web.server.application import ServerSettings, serve
    from regretlab.web.server.guard import is_loopback, new_token

    if not host.strip():
        raise UserError("--host names no address; write it like 127.0.0.1, or 0.0.0.0 for all of this computer's")
    if _is_run(game):
        raise UserError(f"{game} is a saved run; --results with its folder opens it on the page, --export writes it")
    number = whole("--port", port, least=0, most=65_535)
    if folder is not None and not folder.is_dir():
        raise UserError(f"--results: there is no folder '{folder}'")
    if game is not None:
        from regretlab.watch.any_game import any_game
        from regretlab.watch.offers import OWN

        any_game(OWN, game)  # what is wrong with it is said now
    token = None if is_loopback(host) else new_token()

    def ready(settings: ServerSettings) -> None:
        """Say where the page is, and open it where there is a screen."""
        if json:
            screen.as_json({"address": settings.address, "token": settings.token})
        else:
            print(f"The page is at {settings.address} (Ctrl-C ends it)")
            if settings.game is not None:
                print(f"Your game is at {settings.address.partition('?')[0]}learn/cfr-plus?game=own")
        sys.stdout.flush()
        if settings.token is not None:
            screen.note("everybody on the network who has this address can use the page; without the token nobody can")
        # Without a screen a text browser would take over the terminal.
        has_screen = sys.platform in ("darwin", "win32") or {"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys()
        if has_screen and not no_browser:
            webbrowser.open(settings.address)

    serve(ServerSettings(host, number, token, folder, game), ready)


def _is_run(game: str | None) -> bool:
    return game is not None and game.endswith(RUN)


def _export_run(run: str, folder: Path, keep: str | None, json: bool) -> None:
    """Write the explorer of a saved run; how large it will be is said first."""
    from regretlab.cli.progress import counting
    from regretlab.solving import Solution
    from regretlab.web.export import check_folder
    from regretlab.web.spot_export import check_size, in_bytes, planned

    check_folder(folder)
    found = planned(Solution.load(run), keep)
    check_size(found)
    screen.note(f"{found.places:,} places of {found.title}, about {in_bytes(found.nbytes)}")
    with counting("writing") as report:
        found.write(folder, report)
    page = folder / "index.html"
    if json:
        screen.as_json({"page": str(page), "places": found.places, "keep": found.keep})
    else:
        print(f"The explorer is in {folder}; to see it, open {page} in a browser")
