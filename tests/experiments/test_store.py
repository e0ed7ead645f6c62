"""The store: what is kept is whole, and whatever goes wrong is told in a line and costs nothing."""

import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest
from experiments.fakes import fake

from regretlab.errors import UserError
from regretlab.experiments.store import LAYOUT, Store, usual_store


def filled(path: Path, count: int) -> Path:
    with Store.to_write(path) as store:
        store.add(fake(number) for number in range(count))
    return path


def complaint(path: Path, opening: Callable[[Path], Store] = Store.to_write) -> str:
    with pytest.raises(UserError) as error:
        opening(path)
    return str(error.value).removeprefix(f"can't use the store '{path}': ")


def test_what_is_kept_comes_back_to_the_last_bit(tmp_path: Path) -> None:
    runs = [fake(number) for number in range(5)]
    runs[3] = runs[3]._replace(hash="0" * 31 + "x")  # the order is not that of the hashes
    with Store.to_write(tmp_path / "s") as store:
        store.add(runs[:2])
        store.add(runs[2:])
        assert list(store.runs()) == runs
    with Store.to_read(tmp_path / "s") as store:
        assert list(store.runs()) == runs
        assert list(store.runs({runs[3].hash})) == [runs[3]]
        assert store.hashes() == {run.hash for run in runs}
    assert [path.name for path in tmp_path.iterdir()] == ["s"]


def test_the_first_of_two_equal_runs_stays(tmp_path: Path) -> None:
    first, second = fake(1), fake(1, size=6)._replace(seconds=9.0)
    with Store.to_write(tmp_path / "s") as store:
        store.add([first])
        store.add([second, fake(2)])
        assert list(store.runs()) == [first, fake(2)]


def test_removed_runs_are_gone_with_their_measurements(tmp_path: Path) -> None:
    filled(tmp_path / "s", 3)
    with Store.to_write(tmp_path / "s") as store:
        store.remove([fake(1).hash, "no such"])
        assert list(store.runs()) == [fake(0), fake(2)]
    with sqlite3.connect(tmp_path / "s") as connection:
        assert connection.execute("SELECT COUNT(*) FROM measurements").fetchone() == (8,)
    connection.close()


def test_a_batch_that_breaks_off_leaves_nothing(tmp_path: Path) -> None:
    def broken() -> Iterator[object]:
        yield fake(7)
        raise KeyboardInterrupt

    filled(tmp_path / "s", 2)
    with Store.to_write(tmp_path / "s") as store:
        with pytest.raises(KeyboardInterrupt):
            store.add(broken())
        store.add([fake(8)])
        assert [run.identity["seed"] for run in store.runs()] == [0, 1, 8]


def test_a_store_that_is_not_there_reads_as_empty_and_is_not_made(tmp_path: Path) -> None:
    with Store.to_read(tmp_path / "s") as store:
        assert list(store.runs()) == []
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "s").touch()  # SQLite makes a file before there is anything in it
    with Store.to_read(tmp_path / "s") as store:
        assert store.hashes() == set()
    assert (tmp_path / "s").read_bytes() == b""


WRITER = """
import sys
sys.path.insert(0, sys.argv[2])
from experiments.fakes import fake
from regretlab.experiments.store import Store
with Store.to_write(sys.argv[1]) as store:
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(int(sys.argv[3]), int(sys.argv[4])):
        store.add([fake(number)])
"""


def test_two_processes_write_at_once(tmp_path: Path) -> None:
    tests = Path(__file__).parents[1]
    command = [sys.executable, "-c", WRITER, str(tmp_path / "s"), str(tests)]
    writers = [
        subprocess.Popen([*command, low, high], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for low, high in (("0", "200"), ("100", "300"))
    ]
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go\n")
        writer.stdin.flush()
    with Store.to_read(tmp_path / "s") as store:  # reading meanwhile sees whole runs
        assert all(run == fake(run.identity["seed"]) for run in store.runs())
    for writer in writers:
        writer.communicate()
        assert writer.returncode == 0
    with Store.to_read(tmp_path / "s") as store:
        assert list(store.runs()) == [fake(number) for number in range(300)]


@pytest.mark.parametrize("opening", [Store.to_read, Store.to_write], ids=["read", "write"])
def test_a_store_that_another_process_makes_at_this_moment_is_no_stranger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opening: Callable[[Path], Store]
) -> None:
    tables = Store._tables

    def made_meanwhile(store: Store) -> set[str]:
        monkeypatch.setattr(Store, "_tables", tables)
        with suppress(UserError), Store.to_write(tmp_path / "s") as other:  # it has to wait while the first one looks
            other.add([fake(1)])
        return tables(store)

    monkeypatch.setattr("regretlab.experiments.store.PATIENCE", 0.05)
    monkeypatch.setattr(Store, "_tables", made_meanwhile)
    (tmp_path / "s").touch()
    with opening(tmp_path / "s") as store:
        assert store.hashes() <= {fake(1).hash}


SMALL = 300 * 1024


class MountedDisk(NamedTuple):
    """A small disk, which takes Linux and root."""

    folder: Path

    def change(self, how: str) -> None:
        subprocess.run(["mount", "-o", f"remount,{how}", str(self.folder)], check=True)

    def fill(self) -> None:
        (self.folder / "rest").write_bytes(bytes(SMALL))

    def enlarge(self) -> None:
        self.change("size=2m")

    def lock(self) -> None:
        self.change("ro")


class LimitedDisk(NamedTuple):
    """A folder in which this process writes no large files, which takes nobody's leave."""

    folder: Path
    patch: pytest.MonkeyPatch

    def limit(self, size: int) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))

    def fill(self) -> None:
        self.limit(0)

    def enlarge(self) -> None:
        self.limit(resource.getrlimit(resource.RLIMIT_FSIZE)[1])

    def lock(self) -> None:
        self.folder.chmod(0o555)
        self.patch.setattr("os.access", lambda _, how: how != os.W_OK)  # root may write all the same


def mounted(folder: Path) -> bool:
    command = ["mount", "-t", "tmpfs", "-o", f"size={SMALL}", "tmpfs", str(folder)]
    return sys.platform == "linux" and not subprocess.run(command, capture_output=True, check=False).returncode


def unmount(folder: Path) -> None:
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def can_mount() -> bool:
    with tempfile.TemporaryDirectory() as folder:
        done = mounted(Path(folder))
        if done:
            unmount(Path(folder))
    return done


@pytest.fixture(params=["limited", *(["mounted"] if can_mount() else [])])
def small_disk(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[MountedDisk | LimitedDisk]:
    folder = tmp_path / "disk"
    folder.mkdir()
    if request.param == "mounted":
        assert mounted(folder)
        yield MountedDisk(folder)
        unmount(folder)
    else:
        disk = LimitedDisk(folder, monkeypatch)
        disk.limit(SMALL)
        yield disk
        disk.enlarge()
        folder.chmod(0o755)


def add_one_by_one(store: Store, count: int) -> None:
    for number in range(count):
        store.add([fake(number, size=50)])


def test_a_full_disk_costs_no_run_that_was_kept(small_disk: MountedDisk | LimitedDisk) -> None:
    folder = small_disk.folder
    with Store.to_write(folder / "s") as store:
        with pytest.raises(UserError, match=r"can't use the store .*: its disk .*is full; what it holds is safe"):
            add_one_by_one(store, 1_000)
        kept = len(store.hashes())
    assert kept > 10
    with Store.to_read(folder / "s") as store:
        assert list(store.runs()) == [fake(number, size=50) for number in range(kept)]
    small_disk.enlarge()
    with Store.to_write(folder / "s") as store:
        store.add(fake(number, size=50) for number in range(kept + 20))
        assert list(store.runs()) == [fake(number, size=50) for number in range(kept + 20)]


def test_a_disk_that_is_full_from_the_start(small_disk: MountedDisk | LimitedDisk) -> None:
    small_disk.fill()
    assert "disk" in complaint(small_disk.folder / "s")


def test_a_read_only_store_can_be_read_and_not_written(small_disk: MountedDisk | LimitedDisk) -> None:
    folder = small_disk.folder
    filled(folder / "s", 3)
    small_disk.lock()
    assert complaint(folder / "s") == "it can't be written to"
    with Store.to_read(folder / "s") as store:
        assert list(store.runs()) == [fake(number) for number in range(3)]


def test_a_damaged_store_is_told_and_left_as_it_is(tmp_path: Path) -> None:
    whole = filled(tmp_path / "s", 200).read_bytes()
    page = 4096
    damages = {
        "head": b"x" * 100 + whole[100:],
        "text": b"these are no results\n" * 100,
        "page": whole[:page] + b"\xaa" * page + whole[2 * page :],
        "inside": whole[: 5 * page + 50] + b"\xaa" * 500 + whole[5 * page + 550 :],
        "cut": whole[: 3 * page],
    }
    for name, damaged in damages.items():
        path = tmp_path / name
        path.write_bytes(damaged)
        for opening in (Store.to_write, Store.to_read):
            assert "it is damaged" in complaint(path, opening), name
        assert path.read_bytes() == damaged, name


def test_a_store_of_a_newer_version_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = filled(tmp_path / "s", 2)
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {LAYOUT + 1}")
    connection.close()
    before = path.read_bytes()
    for opening in (Store.to_write, Store.to_read):
        assert complaint(path, opening).startswith("a newer version of regretlab has written it (layout 2")
    assert path.read_bytes() == before


def test_files_of_others_are_refused(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "other")
    connection.execute("CREATE TABLE runs (a)")
    connection.close()
    assert complaint(tmp_path / "other") == "it is a database of another program"
    assert complaint(tmp_path) == "it is a folder"
    assert complaint(tmp_path / "no" / "s") == f"there is no folder '{tmp_path / 'no'}'"


def test_a_store_that_somebody_else_holds_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(tmp_path / "s", 1)
    monkeypatch.setattr("regretlab.experiments.store.PATIENCE", 0.05)
    connection = sqlite3.connect(tmp_path / "s", isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    assert complaint(tmp_path / "s").startswith("another process has been writing to it")
    connection.close()


def test_the_usual_store_is_in_the_user_s_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    with Store.to_write() as store:
        assert store.path == usual_store()
        assert store.path.is_relative_to(tmp_path)
        assert store.path.parts[-2:] == ("regretlab", "results.sqlite")
    assert sys.platform in ("win32", "darwin") or usual_store() == tmp_path / "regretlab" / "results.sqlite"
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    if sys.platform == "linux":
        with pytest.raises(UserError, match="can't make the folder"):
            Store.to_write()
