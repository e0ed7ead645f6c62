"""What the documents show is true: their Python and their commands run, and their links lead somewhere."""

import doctest
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = [path.relative_to(ROOT).as_posix() for path in sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])]

FENCE = re.compile(
    r"^(?P<indent>[ ]*)(?P<fence>```+)[ ]*(?P<language>[^\s`]*)[ ]*(?P<file>[\w-]+\.\w+)?[^`\n]*\n"
    r"(?P<text>.*?)^[ ]*(?P=fence)[ ]*$",
    re.DOTALL | re.MULTILINE,
)
# What ought to run, and would not in a block of another language.
RUNNABLE = re.compile(r"^(\$ regretlab |regretlab |>>> |import regretlab|from regretlab)", re.MULTILINE)
LINK = re.compile(r"\]\(\s*<?([^)\s>]+)[^)]*\)|^\[[^\]]+\]:\s*<?([^\s>]+)", re.MULTILINE)


class Block(NamedTuple):
    language: str
    text: str
    line: int  # of the document, counted from 0, on which the text starts
    file: str | None = None  # the name behind the language, if there is one: readers save the text under it


def blocks(document: str) -> Iterator[Block]:
    """The fenced blocks of a document, without the indentation of their fence."""
    for match in FENCE.finditer(document):
        text = re.sub(rf"^[ ]{{0,{len(match['indent'])}}}", "", match["text"], flags=re.MULTILINE)
        yield Block(match["language"], text, document.count("\n", 0, match.start("text")), match["file"])


def run_document(document: str, name: str, folder: Path) -> None:
    """Run the blocks in order: Python in one namespace, commands in `folder`, where named blocks are files."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for block in blocks(document):
        if block.file:
            (folder / block.file).write_text(block.text, encoding="utf-8")
        if block.language == "python" and ">>>" in block.text:
            run_doctest(block, name, namespace)
        elif block.language == "python":
            # Empty lines in front make a traceback point into the document.
            exec(compile("\n" * block.line + block.text, name, "exec"), namespace)
        elif block.language == "console":
            run_console(block, name, folder)
        elif block.language != "text":
            assert not RUNNABLE.search(block.text), f"{name}, line {block.line}: write this as python, console or text"


def run_doctest(block: Block, name: str, namespace: dict[str, Any]) -> None:
    test = doctest.DocTestParser().get_doctest(block.text, namespace, name, name, block.line)
    report: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.append, clear_globs=False)
    namespace.update(test.globs)
    assert not report, "".join(report)


def run_console(block: Block, name: str, folder: Path) -> None:
    """Run the lines `$ regretlab …` and compare what they print with the lines below them, if there are any."""
    for command, expected in commands(block.text):
        if not command.startswith("regretlab "):
            continue
        # Wide enough for the tables; rich asks for the width where there is no terminal.
        environment = os.environ | {"COLUMNS": "100", "NO_COLOR": "1", "PYTHONUTF8": "1"}
        arguments = [sys.executable, "-m", *shlex.split(command, comments=True)]
        done = subprocess.run(
            arguments, cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False
        )
        where = f"{name}, block at line {block.line}: {command}"
        assert done.returncode == 0, f"{where}\nexit status {done.returncode}\n{done.stderr}"
        assert not expected or matches(expected, done.stdout), f"{where}\nexpected:\n{expected}\ngot:\n{done.stdout}"


def commands(text: str) -> list[tuple[str, str]]:
    """Pairs of a command (after `$ `, joined where a backslash continues it) and the output shown below it."""
    _, *pieces = re.split(r"^\$ ", text.replace("\\\n", " "), flags=re.MULTILINE)
    pairs = [piece.partition("\n") for piece in pieces]
    return [(command.strip(), output.strip()) for command, _, output in pairs]


def matches(expected: str, got: str) -> bool:
    """Whether `got` is as expected, where `...` stands for anything in a line, and alone on a line for any lines."""
    lines = [
        r"(?:.*\n)*" if line == "..." else ".*".join(map(re.escape, line.split("..."))) + "\n"
        for line in normalised(expected)
    ]
    return re.fullmatch("".join(lines), "".join(line + "\n" for line in normalised(got))) is not None


def normalised(text: str) -> list[str]:
    """The lines without what depends on the width of a table's columns: repeated spaces and rules."""
    return [re.sub(r"([\s─━═])\1+", r"\1", line.strip()) for line in text.strip().splitlines()]


def broken_links(document: str, folder: Path) -> list[str]:
    """Relative links of a document in `folder` that lead to no file; what is shown as code has no links."""
    prose = re.sub(r"`[^`\n]+`", "", FENCE.sub("", document))
    targets = [first or second for first, second in LINK.findall(prose)]
    relative = [target for target in targets if not re.match(r"[a-z][a-z0-9+.-]*:|#", target)]
    return [target for target in relative if not (folder / unquote(target.partition("#")[0])).exists()]


@pytest.mark.parametrize("path", DOCUMENTS)
def test_document_runs(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    document = (ROOT / path).read_text(encoding="utf-8")
    if any("openspiel:" in block.text or "experiment convergence" in block.text for block in blocks(document)):
        pytest.importorskip("pyspiel")
    if any("pettingzoo_env" in block.text for block in blocks(document)):
        pytest.importorskip("pettingzoo")
    if any("--on ray" in block.text for block in blocks(document)) and find_spec("ray") is None:
        pytest.skip("Ray is not installed; pip install 'regretlab[ray]' brings it")
    if any("deep-cfr" in block.text for block in blocks(document)):
        pytest.importorskip("torch")
    run_document(document, path, tmp_path)


@pytest.mark.parametrize("path", DOCUMENTS)
def test_links_lead_to_files(path: str) -> None:
    assert broken_links((ROOT / path).read_text(encoding="utf-8"), (ROOT / path).parent) == []


# The checker itself, on small examples.


def fenced(language: str, text: str) -> str:
    return f"Words.\n\n```{language}\n{text}\n```\n"


@pytest.fixture
def fake_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A `regretlab` that prints its arguments, and fails on `fail`."""
    (tmp_path / "regretlab.py").write_text(
        "import sys\nprint(*sys.argv[1:], sep='\\n')\nsys.exit('fail' in sys.argv)\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))


def test_blocks_are_found_with_language_and_line() -> None:
    document = "# A\n```python\nx = 1\n\n```\n- item\n\n  ```text title\n  a\n    b\n  ```\n````\n```\n````\n"
    assert list(blocks(document)) == [
        Block("python", "x = 1\n\n", 2),
        Block("text", "a\n  b\n", 8),
        Block("", "```\n", 12),
    ]


def test_a_block_with_a_name_is_a_file(tmp_path: Path) -> None:
    document = fenced("python my_game.py", "x = 1") + fenced("text pay-offs.csv", "1, 2") + fenced("text title", "a")
    assert [block.file for block in blocks(document)] == ["my_game.py", "pay-offs.csv", None]
    run_document(document, "example.md", tmp_path)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {
        "my_game.py": "x = 1\n",
        "pay-offs.csv": "1, 2\n",
    }


@pytest.mark.parametrize(
    "document",
    [
        fenced("python", "x = 1") + fenced("python", "assert x == 1"),
        fenced("python", "x = 1") + fenced("python", ">>> x += 1\n>>> x\n2") + fenced("python", "assert x == 2"),
        fenced("python", ">>> 1 / 3\n0.333..."),
        fenced("text", "no python"),
        fenced("text", "$ regretlab fail"),
        fenced("sh", "make demo"),
        fenced("console", "$ false\n$ make fail"),
        fenced(
            "console", "$ regretlab solve 'kuhn(bet=2)'  # a comment\nsolve\nkuhn(bet=2)\n$ regretlab a \\\n    b\na\nb"
        ),
        fenced("console", "$ regretlab solve"),
    ],
)
@pytest.mark.usefixtures("fake_command")
def test_good_document_runs(document: str, tmp_path: Path) -> None:
    run_document(document, "example.md", tmp_path)


@pytest.mark.parametrize(
    ("document", "error"),
    [
        (fenced("python", "x = 1") + fenced("python", "assert x == 2"), AssertionError),
        (fenced("python", "print(y)"), NameError),
        (fenced(" python", "print(y)"), NameError),
        (fenced("python", "x ="), SyntaxError),
        (fenced("python", ">>> 1 + 1\n3"), AssertionError),
        (fenced("python", ">>> y"), AssertionError),
        (fenced("pycon", ">>> 1 + 1\n2"), AssertionError),
        (fenced("sh", "make demo\nregretlab games"), AssertionError),
        (fenced("", "$ regretlab games"), AssertionError),
        (fenced("console", "$ regretlab fail"), AssertionError),
        (fenced("console", "$ regretlab solve\n$ regretlab fail\nfail"), AssertionError),
        (fenced("console", "$ regretlab solve kuhn\nsolve"), AssertionError),
        (fenced("console", "$ regretlab a\nb\n$ regretlab a\na"), AssertionError),
    ],
)
@pytest.mark.usefixtures("fake_command")
def test_bad_document_fails(document: str, error: type[Exception], tmp_path: Path) -> None:
    with pytest.raises(error):
        run_document(document, "example.md", tmp_path)


def test_error_points_into_the_document(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError) as error:
        run_document(fenced("python", "x = 1\nx / 0"), "example.md", tmp_path)
    assert str(error.traceback[-1].path).endswith("example.md")
    assert error.traceback[-1].lineno == 4  # counted from 0


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        ("a b", "a   b  \n"),
        ("cfr ... s", "cfr 12.5 s\n"),
        ("cfr+ (1)", "cfr+ (1)"),
        ("a\n...\nd", "a\nb\nc\nd"),
        ("a\n...\nd", "a\nd"),
        ("━━ ━━━\nx  1", "━━━━ ━━━━━\nx 1"),
    ],
)
def test_output_matches(expected: str, got: str) -> None:
    assert matches(expected, got)


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        ("a b", "ab"),
        ("a", "a\nb"),
        ("a\nb", "a"),
        ("a\nb", "a b"),
        ("cfr ... s", "cfr 12.5\ns"),
        ("a.c", "abc"),
        ("0.11", "0.1"),
        ("...\nb", "a\nc"),
    ],
)
def test_output_differs(expected: str, got: str) -> None:
    assert not matches(expected, got)


def test_broken_links_are_found(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a b.md").touch()
    good = "[a](docs) ![b](docs/a%20b.md#part 'title') [c](#here) [d](https://x.org/y) [e](mailto:a@b.c) `[f](no.md)`\n"
    bad = "[a](no.md) ![b](docs/no.png)\n[c](/docs)\n\n[d]: no.txt\n[two\nlines](gone.md#part)\n"
    assert broken_links(good + fenced("text", "[f](no.md)"), tmp_path) == []
    assert broken_links(bad, tmp_path) == ["no.md", "docs/no.png", "/docs", "no.txt", "gone.md#part"]


def test_the_walk_through_the_code_names_files_that_are_there_each_once() -> None:
    text = (ROOT / "docs/explanation/how-it-works.md").read_text(encoding="utf-8")
    walk = text[text.index("## One `solve`, file by file") :]
    named = re.findall(r"`((?:[a-z_]+/)*[a-z_]+(?:\.(?:py|js)|/))`", walk)
    rooms = {"rules/weighing/", "watch/"}
    assert [name for name in named if not (ROOT / "src/regretlab" / name).exists()] == []
    assert [name for name in set(named) - rooms if named.count(name) > 1] == []
    assert len(named) > 40
