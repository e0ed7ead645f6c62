"""Every link of every page leads somewhere, and to a place that is there."""

import re
from html import unescape
from urllib.parse import urldefrag, urljoin, urlsplit


def links(text: str) -> list[str]:
    return [unescape(found) for found in re.findall(r'<a\b[^>]*? href="([^"]*)"', text)]


def test_every_link_leads_somewhere(client, address: str) -> None:
    pages, places = {}, {}  # the status of each page that was found, and the names on it
    waiting, named = ["/"], []
    while waiting:
        path = waiting.pop()
        if path in pages:
            continue
        answer = client.get(path, headers={"Accept": "text/html"}, follow_redirects=True)
        pages[path] = answer.status_code
        places[path] = set(re.findall(r'\bid="([^"]*)"', answer.text))
        for link in links(answer.text):
            whole, place = urldefrag(urljoin(f"{address}{path}", link))
            assert whole.startswith(address), f"{path} leads away: {link}"
            target = urlsplit(whole).path  # what a query chooses is another test's business
            waiting.append(target)
            named += [(path, target, place)] if place else []
    assert len(pages) > 30
    assert set(pages.values()) == {200}, pages
    assert [each for each in named if each[2] not in places[each[1]]] == []
