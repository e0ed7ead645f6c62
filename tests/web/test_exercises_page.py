"""The exercises as a page."""

import re

from regretlab.explaining.exercises import EXERCISES


def test_every_exercise_is_there_and_no_page_counts_players_from_zero(client):
    page = client.get("/exercises").text
    ids = re.findall(r'id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert {f"exercise-{place}" for place in EXERCISES} <= set(ids)
    assert "player 0" not in re.sub(r"<pre.*?</pre>", "", page, flags=re.DOTALL).lower()
    assert page.count("<form") == len([each for each in EXERCISES.values() if each.kind != "program"])


def test_answers_are_checked_by_the_server(client):
    def said(exercise, answer):
        reply = client.post("/api/exercises", json={"exercise": exercise, "answer": answer})
        assert reply.status_code == 200
        return reply.json()

    assert said(1, "-1/4")["right"] is True
    assert "clamped regret" in said("1", "0")["html"]
    assert "&lt;b&gt;" in said(1, "<b>")["html"]
    assert "Right." in said(6, "line 5")["html"]
    assert "write it in exercise-3.py" in said(3, "import os")["html"]
    refused = client.post("/api/exercises", json={"exercise": 11, "answer": "1"})
    assert (refused.status_code, refused.json()["error"][:11]) == (400, "exercise=11")


def test_the_page_needs_no_script(client):
    page = client.get("/exercises", params={"exercise": "1", "answer": "1/4"}).text
    assert '<div class="verdict" role="status"><p>Not yet. 1/4 is the regret of betting' in page
    assert client.get("/exercises", params={"exercise": "99", "answer": "<i>"}).status_code == 200


def test_an_exercise_is_solved_and_remembered(page):
    page.goto("/exercises")
    page.fill("#exercise-1 input[name=answer]", "3/2")
    page.press("#exercise-1 input[name=answer]", "Enter")
    page.wait_for_selector("#exercise-1 .verdict:not(:empty):not(.right)")
    page.click("#exercise-1 details > summary >> nth=0")
    assert page.is_visible("#exercise-1 >> text=the coin takes each action half of the time")
    assert not page.is_visible("#exercise-1 .solution")
    page.fill("#exercise-1 input[name=answer]", "-25%")
    assert page.inner_text("#exercise-1 .verdict") == ""
    page.click("#exercise-1 .answer button")
    page.wait_for_selector("#exercise-1 .verdict.right")
    page.check("#exercise-6 input[value='line 10']")
    page.click("#exercise-6 .answer button")
    page.wait_for_selector("#exercise-6 .verdict:has-text('Line 10 is right')")
    page.reload()
    page.wait_for_selector("#solved:has-text('1 of 10 solved')")
    assert page.locator(".index .solved").count() == 1
