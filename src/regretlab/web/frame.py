"""The frame around every page: head, navigation, footer."""

from __future__ import annotations

import re
from importlib.resources import files

PAGE = files("regretlab.web") / "page"
"""The page's own files."""


def framed(page: str, address: str = "", root: str = "") -> str:
    """A whole page from a page file's text: what stands before ``<main`` goes into the head.

    ``address`` is that of the link in the navigation that leads here. Page files write addresses from the root of the
    site; they become relative ones, with ``root`` as the way back to it (``../`` below ``/learn/``), so that a page
    works in any folder of any host.
    """
    head, opening, main = page.partition("<main")
    frame = (PAGE / "frame.html").read_text("utf-8")
    here = frame.replace(f'<a href="{address}">', f'<a href="{address}" aria-current="page">')
    whole = here.replace("<!-- head -->\n", head).replace("<!-- main -->\n", opening + main)
    return re.sub(
        r'\b(href|src)="/(?=([^"]*))', lambda found: f'{found[1]}="{root or ("" if found[2] else "./")}', whole
    )
