"""The results store: one SQLite file, in which a run is whole or not at all.

Reading and writing may happen at the same time, in several processes (write-ahead log). A run is known by the hash of
its identity; the first that arrives stays, and a second one has the same numbers.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import time
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Self

from regretlab.errors import UserError
from regretlab.experiments.measures import Measurement
from regretlab.identity import number_identity

LAYOUT = 1
"""The version of the tables; a store with a higher one is refused."""

APPLICATION = 0x7265676C
"""What SQLite writes into the file's head to tell whose it is: ``regl``."""

PATIENCE = 60.0
"""Seconds to wait for another process that is writing."""

LEAST_PREFIX = 4
"""So many characters of a hash name a run, if no other begins with them."""

TABLES = """
CREATE TABLE runs (
    hash TEXT PRIMARY KEY,     -- of the identity
    game TEXT NOT NULL,
    recipe TEXT NOT NULL,
    identity TEXT NOT NULL,    -- JSON: all that the numbers depend on
    provenance TEXT NOT NULL,  -- JSON: versions and machine
    finished TEXT NOT NULL,    -- UTC
    seconds REAL NOT NULL      -- from beginning to end
) WITHOUT ROWID;
CREATE TABLE measurements (
    run TEXT NOT NULL REFERENCES runs (hash) ON DELETE CASCADE,
    iteration INTEGER NOT NULL,
    measure TEXT NOT NULL,
    amount REAL,
    PRIMARY KEY (run, iteration, measure)
) WITHOUT ROWID;
"""

ROOTS = """
CREATE TABLE IF NOT EXISTS roots (
    run TEXT PRIMARY KEY REFERENCES runs (hash) ON DELETE CASCADE,
    decision BLOB NOT NULL     -- the first one of a spot, see ``kept``
)
"""
"""Made when the first spot is kept."""

_SAFE = "what it holds is safe, and the same command goes on from there"

_PROBLEMS = {
    "SQLITE_FULL": f"its disk is full; {_SAFE}",
    "SQLITE_READONLY": "it can't be written to",
    "SQLITE_BUSY": f"another process has been writing to it for {PATIENCE:.0f} s",
    "SQLITE_CORRUPT": "it is damaged; move it away, or choose another file",
    "SQLITE_NOTADB": "it is no store of results, or it is damaged",
    "SQLITE_CANTOPEN": "it can't be opened",
    "SQLITE_PERM": "it can't be opened",
    "SQLITE_IOERR": f"its disk does not answer, or is full; {_SAFE}",
}
"""What SQLite's errors mean for people, by the beginning of their names."""


class StoredRun(NamedTuple):
    """A run as the store keeps it."""

    hash: str
    game: str
    recipe: str
    identity: dict[str, Any]
    provenance: dict[str, Any]
    finished: str
    seconds: float
    measurements: tuple[Measurement, ...]
    root: bytes | None = None  # of a spot that is to be kept: its first decision; ``Store.root`` reads it

    @property
    def is_old(self) -> bool:
        """Whether another version of the code has computed its numbers, so that it runs anew."""
        return bool(self.identity["numerics"] != number_identity())


def usual_store() -> Path:
    """Where results are kept unless told otherwise: in the user's data folder."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "regretlab" / "results.sqlite"


class Store:
    """An open store; see ``to_write`` and ``to_read``."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection

    @classmethod
    def to_write(cls, path: str | Path | None = None) -> Store:
        """The store in a file, which is made where there is none; whatever would keep it from growing is told now."""
        place = _place(path)
        if path is None:
            try:
                place.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise UserError(
                    f"can't make the folder '{place.parent}' for results: {error.strerror or error}"
                ) from None
        elif not place.parent.is_dir():
            raise UserError(f"can't use the store '{place}': there is no folder '{place.parent}'")
        # The log lies beside the file.
        if not all(os.access(each, os.W_OK) for each in (place, place.parent) if each.exists()):
            raise UserError(f"can't use the store '{place}': {_PROBLEMS['SQLITE_READONLY']}")
        with _told(place):
            store = cls(place, sqlite3.connect(place, timeout=PATIENCE, isolation_level=None))
            with store._closed_on_error():
                store._check()
                _use_write_ahead_log(store._connection)
                # Survives a crash of the process; after a power cut the last runs may be missing, but none is torn.
                store._connection.execute("PRAGMA synchronous = NORMAL")
                store._connection.execute("PRAGMA foreign_keys = ON")
                with store._transaction():
                    if not store._tables():
                        store._make_tables()
        return store

    @classmethod
    def to_read(cls, path: str | Path | None = None) -> Store:
        """The store in a file that is left as it is; where there is none, an empty one."""
        place = _place(path)
        with _told(place):
            store = cls(place, _connect_to_read(place) if place.exists() else _nothing())
            with store._closed_on_error():
                store._check()
            if not store._tables():  # somebody is making it at this moment
                store._connection.close()
                store._connection = _nothing()
                store._make_tables()
        return store

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    @contextmanager
    def _closed_on_error(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self._connection.close()
            raise

    def _check(self) -> None:
        """Refuse what is not a sound store of a layout that is known."""
        ask = self._connection.execute
        with self._snapshot():
            owner, layout = (ask(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version"))
            if self._tables() and owner != APPLICATION:
                raise UserError(f"can't use the store '{self.path}': it is a database of another program")
            if layout > LAYOUT:
                raise UserError(
                    f"can't use the store '{self.path}': a newer version of regretlab has written it (layout {layout}; "
                    f"this one knows {LAYOUT}); update regretlab, or choose another file"
                )
            if ask("PRAGMA quick_check(1)").fetchone()[0] != "ok":
                raise UserError(f"can't use the store '{self.path}': {_PROBLEMS['SQLITE_CORRUPT']}")

    def _tables(self) -> set[str]:
        return {name for (name,) in self._connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}

    def _make_tables(self) -> None:
        for statement in TABLES.split(";")[:-1]:
            self._connection.execute(statement)
        self._connection.execute(f"PRAGMA application_id = {APPLICATION}")
        self._connection.execute(f"PRAGMA user_version = {LAYOUT}")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All that is written in the block, or nothing of it."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    @contextmanager
    def _snapshot(self) -> Iterator[None]:
        """All that is read in the block is of one moment, whatever another process writes meanwhile."""
        self._connection.execute("BEGIN")
        try:
            yield
        finally:
            self._connection.execute("COMMIT")

    def hashes(self) -> set[str]:
        """The hashes of all runs."""
        with _told(self.path):
            return {run for (run,) in self._connection.execute("SELECT hash FROM runs")}

    def add(self, runs: Iterable[StoredRun]) -> None:
        """Keep some runs; one that is there already stays as it is."""
        with _told(self.path), self._transaction():
            for run in runs:
                row = (*run[:3], json.dumps(run.identity), json.dumps(run.provenance), run.finished, run.seconds)
                kept = self._connection.execute("INSERT OR IGNORE INTO runs VALUES (?, ?, ?, ?, ?, ?, ?)", row)
                if kept.rowcount:
                    rows = ((run.hash, *measurement) for measurement in run.measurements)
                    self._connection.executemany("INSERT INTO measurements VALUES (?, ?, ?, ?)", rows)
                    if run.root is not None:
                        self._connection.execute(ROOTS)
                        self._connection.execute("INSERT INTO roots VALUES (?, ?)", (run.hash, run.root))

    def root(self, hash: str) -> bytes | None:
        """The first decision of a spot, if the run of this hash is one."""
        with _told(self.path):
            if "roots" not in self._tables():
                return None
            row = self._connection.execute("SELECT decision FROM roots WHERE run = ?", (hash,)).fetchone()
        return None if row is None else bytes(row[0])

    def runs(self, only: Collection[str] | None = None) -> list[StoredRun]:
        """All runs, or those with some hashes, as they are at this moment, in an order that is always the same."""
        with _told(self.path), self._snapshot():
            measured: dict[str, list[Measurement]] = {}
            query = "SELECT * FROM measurements ORDER BY run, iteration, measure"
            for run, *measurement in self._connection.execute(query):
                measured.setdefault(run, []).append(Measurement(*measurement))
            rows = self._connection.execute("SELECT * FROM runs").fetchall()
        found = []
        for run, game, recipe, known, provenance, finished, seconds in rows:
            if only is None or run in only:
                facts = json.loads(known), json.loads(provenance)
                found.append(StoredRun(run, game, recipe, *facts, finished, seconds, tuple(measured.get(run, ()))))
        specs = ("checkpoints", "seed", "start")
        return sorted(found, key=lambda run: (run.game, run.recipe, *(run.identity[key] for key in specs), run.hash))

    def find(self, prefix: str) -> StoredRun:
        """The run whose hash begins so."""
        if len(prefix) < LEAST_PREFIX:
            raise UserError(f"'{prefix}' is too short for the hash of a run; give at least {LEAST_PREFIX} characters")
        matching = [each for each in self.hashes() if each.startswith(prefix.lower())]
        if len(matching) != 1:
            many = f"{len(matching)} runs have a hash that begins" if matching else "no run has a hash that begins"
            raise UserError(f"in '{self.path}' {many} with '{prefix}'; see regretlab results list")
        return self.runs(set(matching))[0]

    def remove(self, hashes: Collection[str]) -> None:
        """Forget some runs."""
        with _told(self.path), self._transaction():
            self._connection.executemany("DELETE FROM runs WHERE hash = ?", [(each,) for each in hashes])


def _place(path: str | Path | None) -> Path:
    place = usual_store() if path is None else Path(path)
    if place.is_dir():
        raise UserError(f"can't use the store '{place}': it is a folder")
    return place


def _nothing() -> sqlite3.Connection:
    """An empty database that is in no file."""
    return sqlite3.connect(":memory:", isolation_level=None)


def _connect_to_read(path: Path) -> sqlite3.Connection:
    """A connection that changes nothing, also where nothing can be written."""
    address = path.resolve().as_uri()
    connection = sqlite3.connect(f"{address}?mode=rw", timeout=PATIENCE, isolation_level=None, uri=True)
    try:
        connection.execute("PRAGMA query_only = ON")
        connection.execute("SELECT 1 FROM sqlite_schema")
        return connection
    except sqlite3.OperationalError:
        connection.close()
        # The log's index would have to be written. Without a log nobody is writing, and the file is all there is.
        if Path(f"{path}-wal").exists():
            raise
        return sqlite3.connect(f"{address}?mode=ro&immutable=1", isolation_level=None, uri=True)


def _use_write_ahead_log(connection: sqlite3.Connection) -> None:
    """Switch it on. SQLite does not wait here for others who do the same at this moment."""
    give_up = time.monotonic() + PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if not error.sqlite_errorname.startswith("SQLITE_BUSY") or time.monotonic() > give_up:
                raise
            time.sleep(0.02)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """SQLite's errors in one line each."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        name = getattr(error, "sqlite_errorname", "")
        problem = next((said for begin, said in _PROBLEMS.items() if name.startswith(begin)), str(error))
        raise UserError(f"can't use the store '{path}': {problem}") from error
