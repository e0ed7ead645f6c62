"""A solved spot as files that make a static explorer: for any web host, and to be opened from a folder."""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path

from regretlab.documents import numbers
from regretlab.endgames import Deal, Decision, Spot
from regretlab.endgames.betting import STREETS, Node
from regretlab.endgames.cards import DECK, hand_name
from regretlab.endgames.lines import free_cards
from regretlab.endgames.spot import PLAYERS
from regretlab.errors import UserError, unknown
from regretlab.forms import BlockForm
from regretlab.solving import Solution
from regretlab.watch.spots.described import about
from regretlab.watch.spots.shown import place_shown, what_follows
from regretlab.web.export import as_loaded, as_script, standalone, static_files, written_whole
from regretlab.web.server.answers import encoded, framed, page_file

KEEP = ("street", "all")
"""What is kept: the street on which the spot begins, with what every next card brings, or everything."""

PIECE = 800_000
"""Bytes of places, before they are packed, after which another file begins: some 300 kB each, opened in a moment."""

MOST_BYTES = 500_000_000
"""More than this is refused: no host would like it, and it is hours of work."""

SAMPLE = 6
"""How many places are written for trial, to say how large it will be."""

LEVEL = 6
"""How hard places are compressed: the hardest takes twice as long for a hundredth less."""

PAGE_BYTES = 150_000
"""About what the page takes without any place."""

Line = tuple[str, ...]
Report = Callable[[int, int], object]
"""Is told how many places are written, of how many."""


@dataclass(frozen=True)
class SpotExport:
    """What will be written of a solved spot, and how large it will be."""

    solution: Solution
    keep: str

    @property
    def spot(self) -> Spot:
        """The spot."""
        return self.solution.reading.spot

    @cached_property
    def places(self) -> int:
        """How many decisions, cards to come and ends are written."""
        return self._counted(self.spot.betting, len(self.spot.board))[0]

    @cached_property
    def nbytes(self) -> int:
        """About how many bytes that will be, judged by a few decisions of the first street."""
        street = [line for line in SpotExport(self.solution, KEEP[0]).lines() if self._decides(line)]
        some = street[:: -(-len(street) // SAMPLE)]
        sizes = len(packed({name(line): self.encoded(line) for line in some})) / len(some)
        _, decisions = self._counted(self.spot.betting, len(self.spot.board))
        return round(decisions * sizes) + PAGE_BYTES

    def _decides(self, line: Line) -> bool:
        return isinstance(self.spot.node(line), Decision)

    def _counted(self, node: Node, board: int) -> tuple[int, int]:
        """How many places from a node on are written, and how many of them are decisions."""
        if isinstance(node, Decision):
            below = [self._counted(after, board) for after in node.after]
            return 1 + sum(places for places, _ in below), 1 + sum(decisions for _, decisions in below)
        if self.keep == "all" and isinstance(node, Deal) and what_follows(node) == "card":
            places, decisions = self._counted(node.after, board + 1)
            return 1 + (DECK - board) * places, (DECK - board) * decisions
        return 1, 0

    def encoded(self, line: Line) -> bytes:
        """What the explorer shows of a place, in JSON."""
        return encoded(place_shown(self.solution.reading, line))

    def lines(self) -> Iterator[Line]:
        """All places that are written."""
        return self._below(())

    def _below(self, line: Line) -> Iterator[Line]:
        yield line
        node = self.spot.node(line)
        if isinstance(node, Decision):
            for action in node.actions:
                yield from self._below((*line, action))
        elif self.keep == "all" and what_follows(node) == "card":
            for card in free_cards(self.spot, line):
                yield from self._below((*line, card))

    def pieces(self, report: Report | None = None) -> Iterator[tuple[str, str]]:
        """Places in the order of their names, in pieces: the name of the first, and all of them packed."""
        piece: dict[str, bytes] = {}
        for done, line in enumerate(sorted(self.lines(), key=name), start=1):
            piece[name(line)] = self.encoded(line)
            if report is not None:
                report(done, self.places)
            if sum(map(len, piece.values())) >= PIECE:
                yield next(iter(piece)), packed(piece)
                piece = {}
        if piece:
            yield next(iter(piece)), packed(piece)

    def parts(self, report: Report | None = None) -> Iterator[tuple[str, dict[str, bytes]]]:
        """The files: what they are, and their contents."""
        yield "the page", self._page()
        firsts: list[str] = []
        for first, piece in self.pieces(report):
            script = as_script(f"data/places-{len(firsts)}", json.dumps(piece))
            yield f"places from '{first}' on", {f"data/places-{len(firsts)}.js": script.encode()}
            firsts.append(first)
        known = {
            "name": self.title,
            "iterations": self.solution.iterations,
            "firsts": firsts,
            "missing": f"these files hold the {self.spot.street} alone, not the streets after it",
        }
        yield "the spot", {"data/spot.js": as_script("data/spot", encoded(known).decode()).encode()}

    @property
    def title(self) -> str:
        """What stands above the page."""
        return f"{self.spot.street.capitalize()} {hand_name(self.spot.board)}"

    def _page(self) -> dict[str, bytes]:
        """The page, and what it loads from ``static``."""
        static = static_files(without=())
        scripts = {path: content.decode() for path, content in static.items() if path.endswith(".js")}
        text = page_file("spot.html")
        for mark, words in self._words().items():
            text = text.replace(f"<!-- {mark} -->", words)
        text = re.sub(r"<nav.*?</nav>\s*", "", framed(text), flags=re.DOTALL)  # there are no other pages
        page = standalone(text, scripts)
        loaded = dict.fromkeys(re.findall(r'(?:src|href)="(?:\./)?static/([^"]+)"', page))
        files = {f"static/{path}": as_loaded(path, static[path]) for path in loaded}
        return {"index.html": page.encode()} | files

    def _words(self) -> dict[str, str]:
        """What the page says of the spot, in HTML."""
        solution, spot = self.solution, self.spot
        rake = "" if not spot.rake.rate else f", rake {numbers.percent(float(spot.rake.rate))}"
        facts = [
            ("Pot", f"{spot.pot:,}"),
            ("Stack behind", f"{spot.stack:,}{rake}"),
            *(
                (f"EV of {player.upper()}", f"{ev:,.2f} ({numbers.percent(ev / spot.pot)})")
                for player, ev in zip(PLAYERS, solution.evs, strict=True)
            ),
            ("Equity of OOP", numbers.percent(solution.equities[0])),
            ("Exploitability", f"{numbers.significant(100 * solution.exploitability / spot.pot, 3)} % of the pot"),
            ("Solved by", f"{solution.recipe.name}, {solution.iterations:,} iterations"),
        ]
        kept = "every street" if self.keep == "all" and spot.street != STREETS[-1] else f"the {spot.street}"
        toml = about(spot, spot.block_size())["toml"]
        return {
            "name": escape(self.title),
            "lead": f"A solved Hold’em endgame: walk through {kept}, and see what every hand does and is worth.",
            "facts": "".join(f"<div><dt>{escape(word)}</dt><dd>{escape(value)}</dd></div>" for word, value in facts),
            "toml": escape(toml),
        }

    def write(self, folder: Path, report: Report | None = None) -> None:
        """Write all of it into a folder, which then is as it should be, or as it was."""
        for _ in written_whole(folder, self.parts(report)):
            pass


def planned(solution: Solution, keep: str | None = None) -> SpotExport:
    """What would be written of a solution; left open, all of a river, and of other spots the first street."""
    if not isinstance(solution.form, BlockForm) or not isinstance(solution.form.rules, Spot):
        raise UserError(f"{solution.game} is no Hold'em endgame that was solved in blocks; only those have an explorer")
    if keep is not None and keep not in KEEP:
        raise unknown("part to keep", keep, KEEP)
    river = solution.reading.spot.street == STREETS[-1]
    return SpotExport(solution, keep or ("all" if river else "street"))


def export_spot(solution: Solution, folder: str | Path, keep: str | None = None, report: Report | None = None) -> None:
    """Write a solved spot as a static explorer, whose page is ``index.html`` in the folder.

    ``index.html#check,+bet+50`` opens it at that line.
    """
    found = planned(solution, keep)
    check_size(found)
    found.write(Path(folder), report)


def check_size(found: SpotExport) -> None:
    """Raise UserError where it would be too much, with what would fit."""
    if found.nbytes > MOST_BYTES:
        smaller = SpotExport(found.solution, KEEP[0])
        raise UserError(
            f"all of {found.title} is {found.places:,} places, about {in_bytes(found.nbytes)}, and more than "
            f"{in_bytes(MOST_BYTES)} is not written; keep the {found.spot.street} alone ({in_bytes(smaller.nbytes)})"
        )


def name(line: Line) -> str:
    """A line as the explorer writes it."""
    return ", ".join(line)


def packed(places: Mapping[str, bytes]) -> str:
    """Places in JSON as text: one object of them all, compressed, in letters."""
    rows = (encoded(line) + b":" + place for line, place in places.items())
    return base64.b64encode(gzip.compress(b"{" + b",".join(rows) + b"}", LEVEL, mtime=0)).decode()


def in_bytes(nbytes: int) -> str:
    """So many bytes, for people."""
    return f"{numbers.significant(nbytes / 1e6, 2)} MB"
