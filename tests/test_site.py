"""The documentation site: it builds without a warning, and what it takes from the code is all there."""

import inspect
import os
import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest

import regretlab as rl
from regretlab.cli.main import app
from regretlab.games import GAMES
from regretlab.solving import RECIPES

DOCS = Path(__file__).parents[1] / "docs"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site; a warning, such as a link that leads nowhere, is an error."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-n", "-d", str(folder / "kept")]
    built = folder / "built"
    done = subprocess.run(
        [*command, str(DOCS), str(built)], capture_output=True, encoding="utf-8", env=os.environ | {"PYTHONUTF8": "1"}
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr, done.stderr
    return built


def text(site: Path, page: str) -> str:
    """What a page of the site says, without its marks."""
    return unescape(re.sub(r"<[^>]+>", "", (site / f"{page}.html").read_text(encoding="utf-8")))


def names(page: str, kind: str) -> list[str]:
    """The names in all blocks of a kind on a page of the documentation."""
    blocks = re.findall(rf"^```{{{kind}}}\n(.*?)^```", (DOCS / f"{page}.md").read_text(encoding="utf-8"), re.S | re.M)
    return [name for block in blocks for name in block.split()]


def test_every_command_is_listed_once() -> None:
    listed = names("reference/command-line", "commands")
    assert sorted(listed) == sorted(name for name in app if not name.startswith("-"))


def test_every_name_of_the_package_is_listed_once() -> None:
    public = [name for name in names("reference/api", "api") if "." not in name]
    assert sorted(public) == sorted(rl.__all__)


def test_every_recipe_and_game_is_listed_once() -> None:
    assert names("reference/recipes", "recipes") == list(RECIPES)
    assert names("reference/games", "games") == list(GAMES)


def test_commands_are_shown_with_options_and_examples(site: Path) -> None:
    shown = text(site, "reference/command-line")
    assert "regretlab solve [OPTIONS] GAME" in shown
    assert "--precision f64|f32|16bit" in shown
    assert "with --until, or Hold'em" in shown  # letter for letter, in sentences, too
    assert "regretlab solve 'kuhn(ante=1, bet=2)' --with 'cfr+(delay=100)'" in shown
    assert "regretlab results rank" in shown
    assert "-m sphinx" not in shown


def test_the_package_is_shown_with_types_and_docstrings(site: Path) -> None:
    shown = text(site, "reference/api")
    assert "until: float | str | None = None" in shown
    assert inspect.getdoc(rl.nash).partition("\n")[0].replace("``", "").replace("`", "") in shown  # type: ignore[union-attr]
    assert "Whose turn it is when nature moves" in shown
    assert "ForwardRef" not in shown
    assert "Solving time, compilation and evaluation excluded." in shown  # which stands behind the field
    page = (site / "reference/api.html").read_text(encoding="utf-8")
    assert 'href="#regretlab.Solution"' in page  # what solve returns leads to its description


def test_recipes_and_games_come_from_the_code(site: Path) -> None:
    recipes = text(site, "reference/recipes")
    assert all(recipe.title in recipes for recipe in RECIPES.values())
    assert "kuhn(ante=1, bet=1, cards=3)" in text(site, "reference/games")


def test_the_menu_has_every_page_under_its_kind(site: Path) -> None:
    first = (site / "index.html").read_text(encoding="utf-8")
    pages = [page.relative_to(DOCS).with_suffix(".html").as_posix() for page in DOCS.glob("*/**/*.md")]
    assert [page for page in pages if f'href="{page}"' not in first] == []
    assert all(f'<span class="caption-text">{kind}</span>' in first for kind in ("Tutorial", "How-to", "Explanation"))


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        loaded = re.findall(
            r'<(?:script|img|link|iframe)\b[^>]*\b(?:src|href)="(https?:[^"]+)"', page.read_text("utf-8")
        )
        assert not loaded, f"{page.name}: {loaded}"


def test_words_are_found(site: Path) -> None:
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    assert '"exploit' in index
    assert "regretlab solve" in index
