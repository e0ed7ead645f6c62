"""Pages as texts: the frame around them, and the words of the recipe table in them."""

import re
from dataclasses import replace
from html import escape

import pytest

import regretlab as rl
from regretlab.feedback.registry import FEEDBACKS, FeedbackKind
from regretlab.rules import ACCUMULATIONS, WEIGHINGS
from regretlab.web.api.recipe_pages import home, learn
from regretlab.web.api.recipe_words import changes, described
from regretlab.web.server.answers import framed

RECIPES = described()


def addresses(page: str) -> list[str]:
    return re.findall(r'(?:href|src)="([^"]*)"', page)


def test_frame_makes_addresses_relative_and_marks_the_page() -> None:
    page = framed('<title>Race</title>\n<main><a href="/glossary#bet">bet</a> <a href="/">home</a></main>\n', "/race")
    assert "<title>Race</title>\n</head>" in page
    assert {"glossary#bet", "./", "static/css/site.css"} <= set(addresses(page))
    assert re.findall(r'<a href="([^"]*)" aria-current="page">', page) == ["race"]


def test_frame_leads_back_to_the_root_from_a_folder() -> None:
    page = framed('<main><a href="/">home</a></main>', "/race", "../")
    assert all(address.startswith(("../", "#")) for address in addresses(page))
    assert "../" in addresses(page)


@pytest.mark.parametrize("entry", RECIPES, ids=lambda entry: entry["slug"])
def test_page_of_each_recipe_is_filled(entry) -> None:
    page = learn(entry, RECIPES)
    assert "{{" not in page
    assert page.count(' aria-current="page"') == (
        3 if entry["networks"] is None else 2
    )  # the page, the recipe, the game
    for parameter in entry["parameters"]:
        assert f'name="{parameter["name"]}"' in page
    words = re.sub(r"<a [^>]*>|</a>", "", page)  # terms are links
    for change in entry["changes"]:
        assert escape(change, quote=False) in words


def test_home_says_something_new_in_each_tile() -> None:
    page = home(RECIPES)
    assert "{{" not in page
    tiles = re.findall(r'class="card tile" href="learn/[^"]*"><h3>.*?</h3><p><b>.*?</b>(.*?)</p>', page)
    assert len(tiles) == sum(entry["featured"] for entry in RECIPES)
    news = [words for words in tiles if words]
    assert len(news) == len(set(news)) > len(tiles) / 2
    assert all(f'href="learn/{entry["slug"]}"' in page for entry in RECIPES)


def test_parts_for_which_nobody_has_found_words_are_named_plainly(monkeypatch) -> None:
    monkeypatch.setitem(ACCUMULATIONS, "forget", ACCUMULATIONS["sum"]._replace(words=""))
    monkeypatch.setitem(WEIGHINGS, "softmax", replace(WEIGHINGS["hedge"], words=""))
    monkeypatch.setitem(FEEDBACKS, "peek", FeedbackKind("peek", "nowhere", "one card", samples=True))
    new = replace(rl.recipe("cfr"), accumulate="forget", weigh="softmax", schedule="by-lot", feedback="peek")
    assert list(changes(new)) == [
        "Regrets are accumulated by the rule forget.",
        "The strategy follows from the regrets by the rule softmax.",
        "The players learn by the schedule by-lot.",
        "An iteration sees one card.",
    ]


@pytest.mark.parametrize("name", ["cfr+", "CFR%2B", "cfr%20", "Cfr-Plus", "CFR_PLUS"])
def test_a_recipe_by_its_name_leads_to_its_page(client, name: str) -> None:
    answer = client.get(f"/learn/{name}?t=3")
    assert (answer.status_code, answer.headers["location"]) == (307, "cfr-plus?t=3")
    assert client.get("/learn/pcfr+").headers["location"] == "predictive-cfr-plus"


def test_the_learning_page_without_a_recipe_leads_to_the_first(client) -> None:
    answer = client.get("/learn?t=3")
    assert (answer.status_code, answer.headers["location"]) == (307, "learn/cfr-plus?t=3")
    assert client.get("/learn", follow_redirects=True).status_code == 200


@pytest.mark.parametrize(
    ("path", "meant"), [("/races", "./race"), ("/holdm", "./holdem"), ("/glosary/x", "../glossary")]
)
def test_an_address_that_leads_nowhere_names_itself_and_the_nearest(client, path: str, meant: str) -> None:
    answer = client.get(path, headers={"Accept": "text/html"})
    assert answer.status_code == 404
    assert f"There is no page {path}." in answer.text
    assert f'Did you mean <a href="{meant.removeprefix("./")}">' in answer.text
    assert client.get(path).json() == {"error": f"there is no page {path}"}
    assert "Did you mean" not in client.get("/%3Cb%3Exyzzy", headers={"Accept": "text/html"}).text


def test_a_wrong_name_leads_to_the_nearest(client) -> None:
    people = {"Accept": "text/html"}
    answer = client.get("/learn/normalhegde", headers=people)
    assert answer.status_code == 404
    assert 'Did you mean <a href="../learn/normalhedge">NormalHedge</a>?' in answer.text
    assert client.get("/learn/normalhegde").json() == {"error": "there is no recipe 'normalhegde'"}
    far = client.get("/learn/%3Cb%3Exyz", headers=people).text
    assert "There is no recipe &#x27;&lt;b&gt;xyz&#x27;." in far
    assert "Did you mean" not in far
