"""A spot while it is being described: what a form holds of it, what it comes to, and where a mistake is."""

import pytest

import regretlab as rl
from regretlab.endgames import read_range, ready_spots
from regretlab.endgames.ranges import grid_class
from regretlab.errors import UserError
from regretlab.watch.spots.described import FIELDS, described, fields_of, painted, read_spot, ready, recipes
from regretlab.watch.spots.presets import BY_EQUITY, offered, top

SPOT = {
    "board": "KsTd7h4c2s",
    "pot": "100",
    "stack": "100",
    "oop": "AA,QJs",
    "ip": "KQs,KJs",
    "bets": "a",
    "raises": "",
}


@pytest.mark.parametrize("name", ready_spots())
def test_what_a_form_holds_of_a_ready_spot_is_that_spot(name):
    fields = fields_of({"name": name})
    assert all(isinstance(value, str) for value in fields.values())
    form, file = read_spot(fields), rl.holdem(name)
    assert (form.board, form.pot, form.stack, form.ranges) == (file.board, file.pot, file.stack, file.ranges)
    assert (form.menus, form.rake, form.thresholds, form.until) == (file.menus, file.rake, file.thresholds, file.until)


def test_changes_of_a_ready_spot_are_in_its_form():
    said = described({"name": "river-polar", "pot": "120", "oop_river_bets": "50%"})
    assert (said["pot"], said["fields"]["pot"], said["fields"]["oop_river_bets"]) == (120, "120", "50%")
    assert described({"toml": said["toml"]})["fields"]["oop"] == said["ranges"]["oop"]["text"]


def test_a_spot_in_numbers():
    spot = rl.holdem(**SPOT)
    said = described(SPOT)
    assert (said["street"], said["decisions"]) == ("river", spot.counts.decisions)
    assert said["hands"] == [len(spot.hands(player)) for player in (0, 1)]
    assert said["precisions"]["f64"]["bytes"] == spot.block_size().nbytes
    oop = said["ranges"]["oop"]
    assert (oop["combos"], oop["weight"], oop["grid"][0]) == (10, 10.0, 1.0)
    assert oop["blocked"][1] == 0.25  # one of four AKs has the king of spades


@pytest.mark.parametrize(
    ("change", "key", "at"),
    [
        ({"board": "KsTd7h4x2s"}, "board", 8),
        ({"board": "Ks"}, "board", None),
        ({"pot": "0"}, "pot", None),
        ({"oop": "AA,KKq"}, "oop", 4),
        ({"bets": "50%,x"}, "bets", 5),
        ({"oop_river_bets": "50%,x"}, "oop_river_bets", 5),
        ({"rake_cap": "3"}, "rake_cap", None),
        ({"until": "soon"}, "until", None),
    ],
)
@pytest.mark.parametrize("start", [SPOT, {"name": "river-polar"}], ids=["alone", "ready"])
def test_a_mistake_names_its_key_and_its_place(start, change, key, at):
    said = described(start | change)
    assert (said["key"], said["at"]) == (key, at)
    assert "\n" not in said["error"]


def test_a_range_is_shown_though_something_else_is_wrong():
    said = described(SPOT | {"pot": "-1", "oop": "AA,x", "ip": "KK"})
    assert said["key"] == "pot"
    assert said["ranges"]["ip"]["combos"] == 3  # the board has a king
    assert (said["ranges"]["oop"]["key"], said["ranges"]["oop"]["at"]) == ("oop", 4)


def test_painting_leaves_all_other_hands_as_they_were():
    place = FIELDS.index(grid_class(0, 0))
    assert painted("AhKd:0.2,KK:0.5,AA", [[place, 0.25]], "")["text"] == "KK:0.5,AA:0.25,AhKd:0.2"
    assert painted("AA", [[place, 0]], "") == painted("", [], "")
    assert painted("", [], "")["combos"] == 0


@pytest.mark.parametrize(
    "cells", [None, [[169, 1]], [[0]], [[0, 2]], [[0, "x"]], [[0.5, 1]], [[0, 1]] * 170, [["0", 1]]]
)
def test_bad_cells_are_refused(cells):
    with pytest.raises(UserError):
        painted("AA", cells, "")


def test_presets_take_the_best_hands_and_no_more():
    assert sorted(BY_EQUITY) == sorted(str(field) for field in FIELDS)
    assert (BY_EQUITY[0], BY_EQUITY[-1]) == ("AA", "32o")
    for percent in (10, 20, 50):
        assert percent - 1 < 100 * len(read_range(top(percent))) / 1326 <= percent
    groups = {group["name"]: group["cells"] for group in offered()["add"]}
    assert groups["pairs"] == sorted(groups["pairs"])
    assert {FIELDS[place].kind for place in groups["suited"]} == {"s"}
    assert len(groups["suited"]) == 78


def test_all_recipes_that_are_offered_can_be_taken():
    names = [row["name"] for row in recipes()]
    assert "dcfr" in names
    assert "external-sampling" not in names
    offered = ready()
    assert sorted(spot["name"] for spot in offered) == ready_spots()
    assert [spot["name"].split("-")[0] for spot in offered] == ["river"] * 2 + ["turn"] * 2 + ["flop"] * 2
