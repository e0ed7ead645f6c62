"""The page about exploitability."""

import re
from html.parser import HTMLParser

import pytest

import regretlab as rl
from regretlab.explaining.exploitability_html import lesson_html
from regretlab.web.responses import STEPS, exported, lesson, rendered


class Balanced(HTMLParser):
    """Complains where tags do not close each other."""

    VOID = frozenset({"meta", "link", "input", "img", "br"})

    def __init__(self):
        super().__init__()
        self.open = []
        self.ids = []

    def handle_starttag(self, tag, attributes):
        self.ids += [value for name, value in attributes if name == "id"]
        assert not any(name == "style" or name.startswith("on") for name, _ in attributes)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def check_html(text):
    parser = Balanced()
    parser.feed(text)
    assert parser.open == []
    assert len(parser.ids) == len(set(parser.ids))


def test_the_page_is_whole_without_a_script():
    text = rendered({"recipe": "dcfr", "iterations": "7", "bet": "1/2"})
    check_html(text)
    assert '<option value="dcfr" selected>' in text
    assert '<option value="7" selected>' in text
    assert text.count("<rect") == 128
    assert text.count('class="best"') == 2
    assert "<math" in text
    assert "player 0" not in text.lower()


def test_the_page_over_the_wire(client):
    for query in ("", "?recipe=cfr&iterations=0", "?iterations=33&ante=2"):
        answer = client.get(f"/exploitability{query}")
        assert answer.status_code == 200
        assert "After" in answer.text
    numbers = client.get("/api/exploitability?recipe=cfr-plus&iterations=100").json()
    assert numbers["exploitability"] == rl.solve("kuhn", "cfr+", iterations=100).exploitability
    assert numbers["html"] == lesson_html(lesson({"recipe": "cfr-plus", "iterations": "100"}))


@pytest.mark.parametrize("query", ["recipe=x", "iterations=-1", "ante=<script>", "bet=0", "iterations=1e99"])
def test_bad_addresses_are_told_on_the_page(client, query):
    page = client.get(f"/exploitability?{query}")
    assert page.status_code == 200
    assert 'class="wrong"' in page.text
    assert "<script>" not in page.text
    answer = client.get(f"/api/exploitability?{query}")
    assert answer.status_code == 400
    assert "\n" not in answer.json()["error"]


def test_the_export_holds_every_step():
    files = exported()
    assert files.keys() == {"exploitability.html", *(f"data/exploitability/cfr-plus-{step}.json" for step in STEPS)}
    assert re.search(r'"iterations":1000\b', files["data/exploitability/cfr-plus-1000.json"])
