"""The tree of the site: docs/README.md lists all pages by their kind, and the menu is made of that list."""

import re
from pathlib import Path

from sphinx.application import Sphinx

LISTED = re.compile(r"^- \[(?P<title>[^\]]+)\]\((?P<page>[^)]+)\.md\)", re.MULTILINE)
KIND = re.compile(r"^\*\*(?P<kind>[^*]+)\*\*: ", re.MULTILINE)


def kinds(readme: str) -> dict[str, list[tuple[str, str]]]:
    """By kind, the titles and pages that the list of all documentation has."""
    _, *parts = KIND.split(readme)
    return {
        kind: [(found["title"], found["page"]) for found in LISTED.finditer(text)]
        for kind, text in zip(parts[::2], parts[1::2], strict=True)
    }


def add(app: Sphinx, name: str, source: list[str]) -> None:
    """Give the first page the menu, a toctree for each kind, and the list in a folder what it lists."""
    if name.endswith("/README"):
        listed = "\n".join(f"{found['title']} <{found['page']}>" for found in LISTED.finditer(source[0]))
        source[0] += f"\n```{{toctree}}\n:hidden:\n\n{listed}\n```\n"
    if name != app.config.root_doc:
        return
    readme = (Path(app.srcdir) / "README.md").read_text(encoding="utf-8")
    everything = {"": [("All pages", "README")]} | kinds(readme)
    for kind, pages in everything.items():
        caption = f":caption: {kind}\n" if kind else ""
        entries = "\n".join(f"{title} <{page}>" for title, page in pages)
        source[0] += f"\n```{{toctree}}\n:hidden:\n{caption}\n{entries}\n```\n"
