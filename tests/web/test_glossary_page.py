"""The glossary as a page."""

import re
from threading import Event

from regretlab.explaining import TERMS, glossary
from regretlab.explaining.glossary import anchor
from regretlab.watch.watched_game import players_from_one
from regretlab.web.api import glossary_page
from regretlab.web.api.glossary_page import LATER, linked, rendered


def test_people_count_from_one():
    assert players_from_one("player 0's card, players 1 and 10") == "player 1's card, players 2 and 10"
    assert players_from_one("Multiplayer 0 and σ₀σ₁") == "Multiplayer 0 and σ₁σ₂"


def test_every_term_is_there_once_and_every_link_leads_somewhere():
    page = rendered()
    ids = re.findall(r'id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    for term in TERMS.values():
        assert ids.count(anchor(term.name)) == 1
        assert all(f'href="#{anchor(name)}"' in page for name in term.related)
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(ids)
    assert page.count('class="formula"><math>') == len(TERMS)
    assert "player 0" not in page.lower()


def test_terms_in_a_text_lead_to_their_entries_once():
    text = linked("A bet & a bet; bets, betting (best response).", "fold")
    assert text.count('<a href="#bet">') == 1
    assert '<a href="#best-response">best response</a>' in text
    assert "&amp;" in text
    assert "<a" not in linked("a bet", "bet")


def test_the_page_waits_for_no_solver(page, monkeypatch):
    """Where kernels have to be compiled first, the page is there before them, and the examples come by themselves."""
    may_compute, solved = Event(), glossary.EXAMPLES[-1]
    monkeypatch.setattr(glossary_page, "_computed", Event())
    monkeypatch.setattr(glossary, "EXAMPLES", (*glossary.EXAMPLES[:-1], lambda: may_compute.wait(60) and solved()))
    page.goto("/glossary")
    assert page.text_content("#equity .example") == f"Example. {LATER}"
    assert "checking is worth" in page.text_content("#regret .example")
    may_compute.set()
    page.wait_for_selector("[data-later]", state="detached")
    words = players_from_one(TERMS["equity"].example)
    assert page.text_content("#equity .example") == f"Example. {words}"
    page.fill("#filter input", words[-30:])
    assert page.locator(".term:not([hidden])").count() == 1
    assert LATER not in page.request.get("/glossary").text()


def test_the_page_over_the_wire(client):
    answer = client.get("/glossary")
    assert answer.status_code == 200
    assert "Nash equilibrium" in answer.text
