"""Where the numbers of a report come from: machines and versions, games and seeds, the whole tuple of every recipe."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from regretlab.documents import Section, Table, written
from regretlab.experiments.store import StoredRun

MOST_LISTED = 8
"""So many seeds that have gaps are listed one by one."""


def origins(runs: Sequence[StoredRun], commands: Mapping[str, str]) -> Section:
    """The last section of a report; ``commands`` say by what each of their goals is reached."""
    finished = sorted(run.finished for run in runs)
    minutes = sum(run.seconds for run in runs) / 60
    said = (
        f"{len(runs):,} run{'' if len(runs) == 1 else 's'}, finished between {_moment(finished[0])} and "
        f"{_moment(finished[-1])}; together they took {written(minutes, 2)} minutes of one core."
    )
    again = Table("To make it anew", ("", ""), tuple((goal, f"`{command}`") for goal, command in commands.items()))
    return Section("Where the numbers come from", (said,), (again, _machines(runs), _games(runs), _recipes(runs)))


def _moment(finished: str) -> str:
    """``2026-01-01T00:00:00Z`` for people."""
    return finished.replace("T", " ").replace("Z", " UTC")


def _machines(runs: Sequence[StoredRun]) -> Table:
    """Every combination of machine and versions, and how many runs come from it."""
    groups: dict[tuple[tuple[str, str], ...], int] = {}
    for run in runs:
        facts = tuple((run.provenance | {"numerics": run.identity["numerics"]}).items())
        groups[facts] = groups.get(facts, 0) + 1
    names = _union(dict(facts) for facts in groups)
    rows = tuple((*(dict(facts).get(name) for name in names), f"{count:,}") for facts, count in groups.items())
    return _upright(Table("Machine and versions", (*names, "runs"), rows))


def _upright(table: Table) -> Table:
    """The same with a row for each column: long texts stand below each other."""
    columns = tuple(zip(table.head, *table.rows, strict=True))
    heads = ("", "") if len(table.rows) == 1 else ("", *(f"({number + 1})" for number in range(len(table.rows))))
    return Table(table.title, heads, columns, table.note)


def _games(runs: Sequence[StoredRun]) -> Table:
    rows = []
    for game in dict.fromkeys(run.game for run in runs):
        known = [run.identity for run in runs if run.game == game]
        checkpoints = {each for one in known for each in one["checkpoints"]}
        numbers = (_listed({one[key] for one in known}) for key in ("seed", "start"))
        looks = ", ".join(f"{each:,}" for each in sorted(checkpoints))
        rows.append((game, len(known), looks, *numbers, known[0]["fingerprint"][:12]))
    note = "Start 0 begins with uniform strategies, the others with random ones. Fingerprints are of compiled games."
    return Table("Games", ("game", "runs", "looked at after", "seeds", "starts", "fingerprint"), tuple(rows), note)


def _listed(numbers: Iterable[int]) -> str:
    """Numbers in few words.

    >>> _listed({0}), _listed({2, 0, 1}), _listed({3, 7})
    ('0', '0 to 2', '3, 7')
    """
    known = sorted(numbers)
    if len(known) > 1 and known[-1] - known[0] == len(known) - 1:
        return f"{known[0]} to {known[-1]}"
    more = ", …" if len(known) > MOST_LISTED else ""
    return ", ".join(map(str, known[:MOST_LISTED])) + more


def _recipes(runs: Sequence[StoredRun]) -> Table:
    """The tuple behind every name; a user's own rule is known by the hash of its file, too."""
    tuples = {run.recipe: run.identity["recipe"] for run in runs}
    names = _union(tuples.values())
    rows = tuple((recipe, *(_text(parts.get(name)) for name in names)) for recipe, parts in tuples.items())
    return Table("Recipes", ("recipe", *names), rows)


def _text(part: object) -> str | None:
    return None if part is None or part == "none" else str(part)


def _union(groups: Iterable[dict[str, object]]) -> list[str]:
    """All keys, in the order in which they come."""
    return list(dict.fromkeys(key for group in groups for key in group))
