"""``regretlab warmup``: compile now what later runs would wait for."""

from __future__ import annotations

import time

from regretlab.cli import show
from regretlab.cli.options import AsJson

EXAMPLES = """Examples:
  regretlab warmup
  regretlab warmup --json"""


def warmup(*, json: AsJson = False) -> None:
    """Compile the kernels and keep them on disk, once after an installation.

    Whatever runs first would do it for itself and take a few seconds longer.
    """
    from rich.console import Console
    from rich.progress import track

    from regretlab.forms.kernel import cache_folder
    from regretlab.solving.warmup import recipes_to_warm, warm_up

    start = time.perf_counter()
    screen = Console(stderr=True)
    total = len(recipes_to_warm())
    for _ in track(warm_up(), "compiling", total, console=screen, transient=True, disable=not screen.is_terminal):
        pass
    seconds = time.perf_counter() - start
    if json:
        show.as_json({"seconds": seconds, "folder": str(cache_folder())})
    else:
        show.Page().print(f"all kernels are ready after {seconds:.1f} s, kept in {cache_folder()}", soft_wrap=True)
