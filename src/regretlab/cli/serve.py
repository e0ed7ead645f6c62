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
  regretlab serve --folder results
  regretlab serve --host 0.0.0.0
  regretlab serve --export site"""


def serve(
    game: Annotated[
        str | None,
        Parameter(help="A small game to watch beside those on offer, such as ./my_game.py:MyGame or goofspiel."),
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
        Path | None, Parameter(
            name=("--results", "--folder"), metavar="FOLDER", help="Show the saved runs and the reports in this folder."
        ),
    ] = None,
    export: Annotated[
        Path | None,
        Parameter(metavar="FOLDER", help="Write the pages with recorded runs into this folder, for any web host."),
    ] = None,
    json: AsJson = False,
) -> None:
    """Open a page on which one watches a poker bot learn.

    Watch the algorithms learn Kuhn poker, look into every number, race them,
    play against them. Only this computer can see the page unless --host says
    otherwise. Ctrl-C ends it.
    """
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

    number = whole("--port", port, least=0, most=65_535)
    if folder is not None and not folder.is_dir():
        raise UserError(f"--folder: there is no folder '{folder}'")
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
