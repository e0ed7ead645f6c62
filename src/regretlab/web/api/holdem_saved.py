"""Solved spots in the folder that the command line names: which there are, and one of them opened."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from regretlab.web.api.holdem import spots_of, told_in_full
from regretlab.web.api.saved_results import MOST_FILES, inside
from regretlab.web.server.answers import answer, read_json
from regretlab.web.server.spot_sessions import SpotOrder

RUN = ".npz"


async def saved(request: Request) -> Response:
    """The saved runs, and what is wrong with those that are none of a spot."""
    folder: Path | None = request.app.state.settings.folder
    return answer(await request.app.state.workers.do(_listed, folder))


def _listed(folder: Path | None) -> dict[str, Any]:
    if folder is None:
        return {"folder": None, "files": []}
    from regretlab.watch.spots.saved import listed

    names = [path.relative_to(folder).as_posix() for path in folder.rglob(f"*{RUN}")]
    return {
        "folder": str(folder),
        "files": listed(folder, [name for name in names if inside(folder, name)][:MOST_FILES]),
    }


async def open_saved(request: Request) -> Response:
    """Open a saved run in a process of its own, which does not solve it again."""
    name = str((await read_json(request)).get("name", ""))
    folder: Path | None = request.app.state.settings.folder
    path = None if folder is None else inside(folder, name)
    if path is None or path.suffix != RUN:
        raise HTTPException(404, f"there is no saved run '{name:.80}' in the folder")
    order = await request.app.state.workers.do(_read_order, path)
    client = request.client.host if request.client else ""
    return answer(told_in_full(spots_of(request).add(order, client)), 201)


def _read_order(path: Path) -> SpotOrder:
    """What the process is told, if the file is what it should be."""
    from dataclasses import replace

    from regretlab.forms.block_size import check_blocks_fit
    from regretlab.solving import recipe as read_recipe
    from regretlab.solving.steps import recalls
    from regretlab.watch.spots.described import read_spot
    from regretlab.watch.spots.saved import saved_spot

    run = saved_spot(path)
    spot = read_spot(run.fields)
    size = replace(spot.block_size(), precision=run.precision, recalls=recalls(read_recipe(run.recipe)))
    check_blocks_fit(spot.name, size)
    return SpotOrder(run.fields, run.recipe, run.precision, None, size.nbytes, str(path))


ROUTES = [
    Route("/api/holdem/saved", saved),
    Route("/api/holdem/saved", open_saved, methods=["POST"]),
]
