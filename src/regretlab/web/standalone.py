"""Pages that live without a server: links to files, and nothing that only a server could answer."""

from __future__ import annotations

import re
from html import escape
from html.parser import HTMLParser

VOID = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"])
"""Elements without an end."""

LIVE = "data-live"
"""The attribute of elements that need a server."""


def standalone(page: str) -> str:
    """A page of the server as a file.

    >>> standalone('<html><a href="race" data-live>Race</a><a href="learn/cfr?t=3">CFR</a></html>')
    '<html data-source="recorded"><a href="learn/cfr.html?t=3">CFR</a></html>'
    """
    writer = _Writer()
    writer.feed(page)
    writer.close()
    return "".join(writer.pieces)


def as_file(address: str) -> str:
    """The file that an address of a page becomes; what is no page stays as it is.

    >>> as_file("../learn/cfr-plus#main"), as_file("./"), as_file("../static/icon.svg"), as_file("#main")
    ('../learn/cfr-plus.html#main', './index.html', '../static/icon.svg', '#main')
    """
    match = re.fullmatch(r"([^?#]*)(.*)", address, re.DOTALL)
    assert match is not None
    path, rest = match.groups()
    if not path or re.match(r"[a-z][a-z0-9+.-]*:", path) or "." in path.rpartition("/")[2]:
        return address
    return f"{path}{'index' if path.endswith('/') else ''}.html{rest}"


class _Writer(HTMLParser):
    """Writes a page anew, piece by piece as it was, but for what has to change."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.pieces: list[str] = []
        self._left_out = 0  # how many elements deep inside of one that is left out

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if self._left_out or LIVE in dict(attributes):
            self._left_out += tag not in VOID
        elif tag == "html":
            self.pieces.append(_tag(tag, [*attributes, ("data-source", "recorded")]))
        elif tag == "a" and "href" in dict(attributes):
            self.pieces.append(_tag(tag, [(k, as_file(v or "") if k == "href" else v) for k, v in attributes]))
        else:
            self._copy(self.get_starttag_text() or "")

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if LIVE not in dict(attributes):
            self._copy(self.get_starttag_text() or "")

    def handle_endtag(self, tag: str) -> None:
        if self._left_out:
            self._left_out -= 1
        else:
            self.pieces.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        self._copy(data)

    def handle_entityref(self, name: str) -> None:
        self._copy(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self._copy(f"&#{name};")

    def handle_comment(self, data: str) -> None:
        self._copy(f"<!--{data}-->")

    def handle_decl(self, decl: str) -> None:
        self._copy(f"<!{decl}>")

    def _copy(self, text: str) -> None:
        if not self._left_out:
            self.pieces.append(text)


def _tag(name: str, attributes: list[tuple[str, str | None]]) -> str:
    written = (f" {key}" if value is None else f' {key}="{escape(value)}"' for key, value in attributes)
    return f"<{name}{''.join(written)}>"
