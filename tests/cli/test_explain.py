"""``regretlab walkthrough`` and ``regretlab glossary``."""

import pytest

import regretlab as rl
from regretlab.explaining import TERMS
from regretlab.explaining.glossary import as_markdown


@pytest.mark.parametrize("columns", [80, 120])
def test_the_walkthrough_fits_the_window(regretlab, columns: int) -> None:
    done = regretlab("walkthrough", columns=columns)
    assert (done.status, done.err) == (0, "")
    assert max(map(len, done.lines)) <= columns
    assert done.lines == rl.walkthrough().text(columns).splitlines()


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--format", "markdown"], lambda: rl.walkthrough().markdown()),
        (["--format", "html", "--exact"], lambda: rl.walkthrough(exact=True).html()),
        (
            [
                "kuhn(bet=2)",
                "--with",
                "cfr+(delay=1),normalhedge",
                "--deals",
                "QJ",
                "--iterations",
                "2",
                "--format=markdown",
            ],
            lambda: rl.walkthrough("kuhn(bet=2)", "cfr+(delay=1),normalhedge", deals="QJ", iterations=2).markdown(),
        ),
        (
            ["leduc", "--with", "cfr", "--deals", "JsQhKs", "--depth", "1", "--format", "markdown"],
            lambda: rl.walkthrough("leduc", "cfr", deals="JsQhKs", depth=1).markdown(),
        ),
        (
            ["--deals", "all", "--with", "cfr", "--format", "markdown"],
            lambda: rl.walkthrough("kuhn", "cfr", deals="all").markdown(),
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_formats_and_options(regretlab, arguments: list[str], text) -> None:
    done = regretlab("walkthrough", *arguments)
    assert (done.status, done.err) == (0, "")
    assert done.out == text()


def test_json_is_the_event_stream(regretlab) -> None:
    done = regretlab("walkthrough", "--exact", "--json")
    assert done.json == regretlab("walkthrough", "--exact", "--format", "json").json
    assert [run["name"] for run in done.json["recipes"]] == ["cfr", "cfr+", "normalhedge", "normalhedge+"]
    first = done.json["recipes"][0]["iterations"][0]["passes"][0]["events"]
    assert first[0] == {
        "event": "chance",
        "history": ["JQ"],
        "probability": 1,
        "words": "Player 0 gets the Jack, player 1 the Queen. Each has put in 1 chip: the pot holds 2 chips.",
    }
    assert first[-1]["learning"]["regrets_after"] == ["-3/8", "3/8"]
    assert done.json["recipes"][1]["recipe"] == "cfr+(averaging=uniform, schedule=simultaneous, feedback=chance)"
    assert regretlab("walkthrough", "--json").json["recipes"][0]["iterations"][0]["passes"][0]["value"] == -0.875


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["walkthrough", "--deals", "JJ"], "unknown deal of kuhn 'JJ'"),
        (["walkthrough", "--deals", "XQ"], "There are: JQ, JK, QJ, QK, KJ, KQ"),
        (["walkthrough", "--with", "cfrplus"], "unknown recipe 'cfrplus'; did you mean 'cfr+'?"),
        (["walkthrough", "--with", "external-sampling"], "draws the players' actions at random"),
        (
            ["walkthrough", "liars_dice"],
            "liars_dice has more than 50,000 histories, too many to explain; choose a smaller",
        ),
        (
            ["walkthrough", "leduc", "--deals", "all"],
            "too many to explain, at most 1,000; choose deals or fewer iterations",
        ),
        (["walkthrough", "rps", "--deals", "JQ"], "rps has no deals"),
        (["walkthrough", "--iterations", "0"], "--iterations=0 must be a whole number, at least 1"),
        (["walkthrough", "--depth", "x"], "--depth=x is not a whole number"),
        (["walkthrough", "--format", "htm"], "unknown format 'htm'; did you mean 'html'?"),
        (["glossary", "bluf"], "unknown term 'bluf'; did you mean 'bluff'?"),
        (["glossary", "--format", "html"], "unknown format 'html'"),
    ],
)
def test_a_mistake_is_told_in_one_line(regretlab, arguments: list[str], says: str) -> None:
    done = regretlab(*arguments)
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert done.err.startswith("regretlab: ")
    assert says in done.err


def test_the_glossary_lists_its_terms(regretlab) -> None:
    done = regretlab("glossary", columns=80)
    assert done.status == 0
    assert max(map(len, done.lines)) <= 80
    assert all(any(line.startswith(name) for line in done.lines) for name in TERMS)
    assert [term["name"] for term in regretlab("glossary", "--json").json] == list(TERMS)
    assert regretlab("glossary", "--format", "markdown").out == as_markdown()


def test_the_glossary_shows_a_term(regretlab) -> None:
    done = regretlab("glossary", "Best response", columns=80)
    said = " ".join(done.out.split())
    for part in (
        TERMS["best response"].meaning,
        "Formula: BR₀(σ₁) = max",
        "wins 0.4167 chips a game",
        "See also: exploit",
    ):
        assert part in said
    assert regretlab("glossary", "best response", "--json").json == TERMS["best response"].as_dict()
    assert regretlab("glossary", "best response", "--format", "markdown").out in as_markdown()
