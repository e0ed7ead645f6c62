"""The description of the machine."""

import os
from pathlib import Path

import pytest

from regretlab import machine


def test_cores_are_those_that_this_process_may_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _process: {5, 2}, raising=False)
    assert machine.usable_cores() == [2, 5]
    assert machine.describe_machine()["cores"] == 2


def test_without_affinity_all_cores_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    assert machine.usable_cores() == [0, 1, 2]
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert machine.usable_cores() == [0]


def test_the_processor_has_the_name_that_the_system_gives_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = tmp_path / "cpuinfo"
    monkeypatch.setattr(machine, "CPU_INFO", told)
    assert machine.describe_machine()["processor"]
    told.write_text("processor : 0\nmodel name\t: A Fast One\nmodel name\t: Another\n")
    assert machine.describe_machine()["processor"] == "A Fast One"


def test_free_memory_is_what_the_system_and_the_container_leave(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "MEMORY_INFO", tmp_path / "meminfo")
    monkeypatch.setattr(machine, "CONTAINER", tmp_path)
    assert machine.free_memory() is None
    (tmp_path / "meminfo").write_text("MemTotal: 9000 kB\nMemAvailable:    8000 kB\n")
    assert machine.free_memory() == 8000 * 1024
    (tmp_path / "memory.max").write_text("max\n")
    (tmp_path / "memory.current").write_text("500000\n")
    (tmp_path / "memory.stat").write_text("anon 7\ninactive_file 200000\n")
    assert machine.free_memory() == 8000 * 1024
    (tmp_path / "memory.max").write_text("1000000\n")
    assert machine.free_memory() == 700_000


def test_versions_are_those_of_what_is_installed() -> None:
    assert set(machine.installed_versions(["numpy", "no-such-package"])) == {"numpy"}
