"""The Hold'em page in a browser: a spot is chosen, painted, broken, solved, paused, and found again in its address."""

import re

import pytest

RIVER = "river-polar"


def settled(page, query=""):
    """Opens the page and waits until the server has said what the spot comes to."""
    page.goto(f"/holdem{query}")
    page.wait_for_selector("main[data-ready]")
    page.wait_for_selector("main[data-described=true]")


def described(page, act):
    """Does something after which the server is asked what the spot comes to, and what it says, once that is shown."""
    before = page.evaluate("Number(document.querySelector('main').dataset.answers)")
    with page.expect_response("**/api/holdem/describe") as answer:
        act()
    page.wait_for_function("before => Number(document.querySelector('main').dataset.answers) > before", arg=before)
    return answer.value.json()


def cell(page, player, hand):
    return page.locator(f"section:has(> .head #{player}-title) td[data-hand='{hand}']")


def combos(page, player):
    return page.inner_text(f"#{player}-combos")


def test_a_ready_spot_is_painted_broken_and_mended(page):
    settled(page)
    said = described(page, lambda: page.click(f"#ready [data-name={RIVER}]"))
    assert page.input_value("#pot") == "100"
    assert page.input_value("#raises") == "none"
    assert combos(page, "oop") == f"{said['ranges']['oop']['combos']} combinations"
    page.wait_for_url(re.compile(rf"\?name={RIVER}$"))

    # From KK to TT in one stroke, which the letters and the count follow; the same stroke again takes it back.
    def stroke():
        cell(page, "oop", "KK").hover()
        page.mouse.down()
        for hand in ("QQ", "JJ", "TT"):
            cell(page, "oop", hand).hover()
        page.mouse.up()

    before = page.input_value("#oop")
    page.fill("#oop-weight", "50")
    said = described(page, stroke)
    assert "KK-TT:0.5" in page.input_value("#oop")
    range_ = said["ranges"]["oop"]
    assert combos(page, "oop") == f"{range_['combos']} combinations, which weigh {range_['weight']:g}"
    page.wait_for_url(re.compile("oop="))
    described(page, stroke)
    assert page.input_value("#oop") == before
    described(page, lambda: page.click("#oop-title >> xpath=../.. >> text=Undo"))
    assert "KK-TT:0.5" in page.input_value("#oop")

    # The mistake is marked where it is, and nothing is lost.
    said = described(page, lambda: page.fill("#board", "KsTd7h4x2s"))
    assert said["key"] == "board"
    assert page.get_attribute("#board", "aria-invalid") == "true"
    assert said["error"] in page.inner_text("#board-mistake")
    assert page.inner_text("#board-mistake mark") == "x"
    said = described(page, lambda: page.fill("#ip", "AA, KKo"))
    assert page.get_attribute("#ip", "aria-describedby") == "ip-mistake"
    described(page, lambda: page.click("#ip-title >> xpath=../.. >> text=top 10 %"))
    described(page, lambda: page.fill("#board", "KsTd7h4c"))
    assert page.locator(".mistake").count() == 0
    # Clicking cards is the same as writing them.
    described(page, lambda: page.click("[data-card='2s']"))
    assert page.input_value("#board") == "KsTd7h4c2s"
    page.click("[data-card='3s']", force=True)  # a sixth card is refused
    assert page.input_value("#board") == "KsTd7h4c2s"


def test_a_spot_is_solved_paused_and_found_again_in_its_address(page):
    settled(page, f"?name={RIVER}&pot=120&until=0.5%25")
    page.click("#go")
    page.wait_for_selector("#solves li[data-state=done]")
    stats = dict(
        zip(page.locator("#solves dt").all_inner_texts(), page.locator("#solves dd").all_inner_texts(), strict=True)
    )
    assert float(re.match(r"[\d.]+", stats["Exploitability"])[0]) <= 0.5
    page.wait_for_selector("#explore table")
    # A race with another recipe that can't get there: it is paused, goes on, and is called good enough.
    page.select_option("#recipe", "cfr")
    described(page, lambda: page.fill("#until", "0.0000001%"))
    page.click("#go")
    second = page.locator("#solves li >> nth=1")
    second.locator("[data-do=pause]", has_text="Pause").click()
    page.wait_for_selector("#solves li:nth-child(2)[data-state=paused]")
    second.locator("[data-do=pause]", has_text="Resume").click()
    page.wait_for_selector("#solves li:nth-child(2)[data-state=solving]")
    second.locator("[data-do=stop]").click()
    page.wait_for_selector("#solves li:nth-child(2)[data-state=done]")
    page.wait_for_url(re.compile("solve=[^,&]+,"))
    page.reload()
    page.wait_for_selector("#solves li:nth-child(2)[data-state=done]")
    assert page.input_value("#pot") == "120"
    assert page.locator("#solves b").all_inner_texts() == ["cfr", "dcfr"]
    page.locator("#solves [data-do=remove] >> nth=0").click()
    page.wait_for_function("document.querySelectorAll('#solves li').length === 1")


def test_a_long_spot_is_in_the_address_behind_a_hash(page):
    """Servers refuse addresses of many letters; what stands behind a hash is not sent to them."""
    settled(page)
    cards = [rank + suit for rank in "AKQJT9876543" for suit in "cdhs"]
    text = ",".join(
        f"{one}{other}:0.{k % 9 + 1}" for k, (one, other) in enumerate(zip(cards, cards[1:] * 8, strict=False))
    )
    text = ",".join([text] * 6)
    described(page, lambda: page.fill("#oop", text))
    page.wait_for_url(re.compile("/holdem#name="))
    page.reload()
    page.wait_for_selector("main[data-ready]")
    assert page.input_value("#oop") == text


def test_a_file_is_opened_and_a_bad_one_refused(page, tmp_path):
    settled(page)
    with page.expect_download() as saved:
        page.click("#download")
    saved.value.save_as(tmp_path / "spot.toml")
    text = (tmp_path / "spot.toml").read_text()
    (tmp_path / "spot.toml").write_text(text.replace("pot = 200", "pot = 250"))
    described(page, lambda: page.set_input_files("#open", tmp_path / "spot.toml"))
    page.wait_for_function("document.querySelector('#pot').value === '250'")
    (tmp_path / "bad.toml").write_text("pot = 7\nnonsense = 3\n")
    page.set_input_files("#open", tmp_path / "bad.toml")
    page.wait_for_selector("#opened.wrong")
    assert "nonsense" in page.inner_text("#opened")
    assert page.input_value("#pot") == "250"


@pytest.mark.parametrize("width", [390, 1280])
def test_a_range_and_a_board_by_keyboard_only(new_page, width):
    page = new_page(viewport={"width": width, "height": 900}, reduced_motion="reduce")
    settled(page, f"?name={RIVER}")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.focus("#deck button[tabindex='0']")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.ariaLabel") == "ace of hearts"
    described(page, lambda: page.focus("#oop") or page.keyboard.press("End") or page.keyboard.type(",22"))
    before = page.inner_text("#oop-combos")
    page.focus("#oop-title >> xpath=../.. >> td[tabindex='0']")
    page.keyboard.press("ArrowRight")
    said = described(page, lambda: page.keyboard.press("5"))
    assert "AKs:0.5" in page.input_value("#oop")
    assert page.get_attribute("td:focus", "aria-label").startswith("AKs, weight 50 %")
    assert page.inner_text("#oop-combos") != before
    assert said["ranges"]["oop"]["text"] == page.input_value("#oop")


def test_what_nobody_can_read_in_an_address_is_told(page):
    """A broken address loses no more than what is broken in it, and says so."""
    settled(page, "?name=river-pola&recipe=magic&precision=f8&lock=%7Bbroken&pot=123")
    assert page.input_value("#pot") == "123"
    said = page.inner_text(".notice")
    assert "name ‘river-pola’, recipe ‘magic’, precision ‘f8’, lock ‘{broken’" in said
    settled(page, f"?name={RIVER}&recipe=cfr%2B&precision=f32&pot=123")
    assert page.locator(".notice").count() == 0
