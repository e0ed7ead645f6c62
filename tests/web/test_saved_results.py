"""The folder of results: what is in it, and nothing else."""

import os
from pathlib import Path

import httpx
import pytest

import regretlab as rl


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("place")
    (place / "secret.html").write_text("what nobody may read")
    folder = place / "results"
    (folder / "below").mkdir(parents=True)
    rl.solve("kuhn(bet=2)", "cfr+", iterations=100).save(folder / "kuhn.npz")
    rl.solve("rps", "cfr", iterations=10).save(folder / "below" / "rps.npz")
    (folder / "report.html").write_text("<!doctype html><title>A report</title><script>draw()</script>")
    (folder / "broken.npz").write_bytes(b"PK\x03\x04 no run")
    (folder / "notes.txt").write_text("private")
    (folder / ".hidden.html").write_text("private")
    (folder / "out.html").symlink_to(place / "secret.html")
    (folder / "up").symlink_to(place, target_is_directory=True)
    (folder / "in.html").symlink_to(folder / "report.html")
    return folder


@pytest.fixture(scope="module")
def client(run_server, patient, folder: Path):
    with run_server(folder=folder) as client:
        yield client


def test_the_folder_is_listed_newest_first(client: httpx.Client, folder: Path) -> None:
    os.utime(folder / "report.html", (0, 0))
    listed = client.get("/api/results").json()
    assert listed["folder"] == str(folder)
    assert {(file["name"], file["kind"]) for file in listed["files"]} == {
        ("kuhn.npz", "solution"),
        ("below/rps.npz", "solution"),
        ("broken.npz", "solution"),
        ("report.html", "report"),
        ("in.html", "report"),
    }
    assert listed["files"][-1]["modified"] == "1970-01-01T00:00:00+00:00"
    assert listed["files"][-1]["bytes"] == 61


def test_a_saved_run_is_shown_with_recipe_numbers_and_strategy(client: httpx.Client) -> None:
    shown = client.get("/api/results/solution", params={"name": "kuhn.npz"}).json()
    solution = rl.solve("kuhn(bet=2)", "cfr+", iterations=100)
    assert (shown["game"], shown["recipe"], shown["iterations"]) == ("kuhn(bet=2)", "cfr+", 100)
    assert (shown["exploitability"], shown["value"]) == (solution.exploitability, solution.value)
    assert shown["unit"] == {"name": "mbb/g", "chips": 0.001}
    rows = {row["label"]: row for row in shown["table"]}
    assert list(rows) == ["J", "Q", "K", "Jcb", "Qcb", "Kcb", "Jc", "Qc", "Kc", "Jb", "Qb", "Kb"]
    assert rows["Qcb"]["actions"] == solution.strategy["Qcb"]
    assert rows["Qcb"]["words"] == "Queen, checked, facing a bet"
    assert len(shown["history"]) == len(solution.history)


def test_a_game_without_an_ante_is_measured_in_chips(client: httpx.Client) -> None:
    shown = client.get("/api/results/solution", params={"name": "below/rps.npz"}).json()
    assert shown["unit"] == {"name": "milli-chips", "chips": 0.001}


def test_a_damaged_run_is_one_line_that_tells_no_path(client: httpx.Client, folder: Path) -> None:
    answer = client.get("/api/results/solution", params={"name": "broken.npz"})
    assert answer.status_code == 400
    assert answer.json()["error"] == "'broken.npz' is not a saved run, or it is damaged"


def test_a_report_has_a_policy_of_its_own(client: httpx.Client) -> None:
    answer = client.get("/results/report/report.html")
    assert answer.status_code == 200
    assert "draw()" in answer.text
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("sandbox allow-scripts")
    assert "allow-same-origin" not in policy
    assert "default-src 'none'" in policy
    assert client.get("/results/report/in.html").text == answer.text


@pytest.mark.parametrize(
    "name",
    [
        "",
        "nothing.html",
        "notes.txt",
        "below",
        "../secret.html",
        "..%2fsecret.html",
        "below/../../secret.html",
        "/etc/passwd",
        ".hidden.html",
        "out.html",
        "up/secret.html",
        "..\\secret.html",
        "report.html\0.html",
        "x" * 300 + ".html",
    ],
)
def test_nothing_leads_out_of_the_folder(client: httpx.Client, name: str) -> None:
    for answer in (
        client.get("/api/results/solution", params={"name": name.replace(".html", ".npz")}),
        client.get("/api/results/solution", params={"name": name}),
        client.get(f"/results/report/{name.replace(chr(0), '%00')}"),
    ):
        assert answer.status_code == 404
        assert "nobody may read" not in answer.text


def test_a_file_that_is_too_large_is_not_opened(client: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("regretlab.web.api.saved_results.LARGEST", 10)
    assert client.get("/results/report/report.html").status_code == 413
    assert client.get("/api/results/solution", params={"name": "kuhn.npz"}).status_code == 413


def test_without_a_folder_there_is_nothing(run_server) -> None:
    with run_server() as client:
        assert client.get("/api/results").json() == {"folder": None, "files": []}
        assert client.get("/api/results/solution", params={"name": "kuhn.npz"}).status_code == 404
        assert client.get("/results/report/report.html").status_code == 404
