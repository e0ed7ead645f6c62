"""The papers behind the recipes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Citation:
    """Where an algorithm comes from."""

    key: str
    kind: str
    authors: tuple[str, ...]  # "Family, Given"
    title: str
    where: str  # the journal or proceedings
    year: int

    @property
    def short(self) -> str:
        """Family names and year, as in running text."""
        families = [author.partition(",")[0] for author in self.authors]
        named = families[0] if len(families) == 1 else f"{', '.join(families[:-1])} and {families[-1]}"
        return f"{named if len(families) < 4 else f'{families[0]} et al.'} ({self.year})"

    @property
    def bibtex(self) -> str:
        """The entry for a .bib file."""
        venue = "journal" if self.kind == "article" else "booktitle"
        fields = {"title": self.title, "author": " and ".join(self.authors), venue: self.where, "year": str(self.year)}
        return "\n".join(
            [f"@{self.kind}{{{self.key},", *(f"  {name} = {{{value}}}," for name, value in fields.items()), "}"]
        )


CFR = Citation(
    "zinkevich2007regret",
    "inproceedings",
    ("Zinkevich, Martin", "Johanson, Michael", "Bowling, Michael", "Piccione, Carmelo"),
    "Regret Minimization in Games with Incomplete Information",
    "Advances in Neural Information Processing Systems 20",
    2007,
)
CFR_PLUS = (
    Citation(
        "tammelin2014solving",
        "article",
        ("Tammelin, Oskari",),
        "Solving Large Imperfect Information Games Using {CFR+}",
        "arXiv preprint arXiv:1407.5042",
        2014,
    ),
    Citation(
        "tammelin2015solving",
        "inproceedings",
        ("Tammelin, Oskari", "Burch, Neil", "Johanson, Michael", "Bowling, Michael"),
        "Solving Heads-up Limit {Texas} Hold'em",
        "Proceedings of the 24th International Joint Conference on Artificial Intelligence",
        2015,
    ),
    Citation(
        "burch2019revisiting",
        "article",
        ("Burch, Neil", "Moravcik, Matej", "Schmid, Martin"),
        "Revisiting {CFR+} and Alternating Updates",
        "Journal of Artificial Intelligence Research",
        2019,
    ),
)
"""The algorithm, its proof, and the proof with alternating updates."""

NORMALHEDGE = Citation(
    "chaudhuri2009parameter",
    "inproceedings",
    ("Chaudhuri, Kamalika", "Freund, Yoav", "Hsu, Daniel"),
    "A Parameter-free Hedging Algorithm",
    "Advances in Neural Information Processing Systems 22",
    2009,
)
