"""Recipes by their names in addresses, and in the size in which networks are watched; stakes."""

import pytest

import regretlab as rl
from regretlab.errors import UserError
from regretlab.solving import RECIPES
from regretlab.watch.offers import (
    FEATURED,
    NETWORKS,
    SETTINGS,
    game_name,
    read_stake,
    recipe_of,
    recipe_shown,
    recipes_with_tables,
    slug_of,
)
from regretlab.watch.watched_game import watched_game

TABLES = [row for row, recipe in RECIPES.items() if not recipe.feedback_kind.trains]


def test_slugs_are_addresses_of_all_recipes() -> None:
    slugs = [slug_of(row) for row in RECIPES]
    assert len(set(slugs)) == len(slugs) >= 18
    assert set(FEATURED) <= set(slugs)
    assert all(slug.replace("-", "").isalpha() for slug in slugs)
    assert [recipe_shown(slug).row for slug in slugs] == list(RECIPES)
    assert [recipe_of(slug).name for slug in slugs if slug not in NETWORKS] == TABLES
    assert recipe_of("cfr-plus", {"delay": "5"}).name == "cfr+(delay=5)"


@pytest.mark.parametrize(("slug", "parameters"), [("deep-cfr", {}), ("cfr", {"feedback": "network"})])
def test_networks_neither_race_nor_play(slug: str, parameters: dict[str, str]) -> None:
    with pytest.raises(UserError, match="watched in training at /learn/deep-cfr"):
        recipe_of(slug, parameters)
    assert not {entry["slug"] for entry in recipes_with_tables()} & set(NETWORKS)


@pytest.mark.parametrize("stake", ["0", "-1", "0.0009", "1e-300", "1000000.1", "9" * 40])
def test_stakes_have_the_same_limits_wherever_they_are_chosen(stake: str) -> None:
    with pytest.raises(UserError, match=r"^bet=.* must be between 0.001 and 1,000,000$"):
        game_name("kuhn", "1", stake)
    with pytest.raises(UserError, match=r"^ante=.* must be between 0.001 and 1,000,000$"):
        watched_game(stake, "1")


def test_stakes_at_the_limits_are_taken_and_long_ones_are_not_read() -> None:
    assert game_name("kuhn", "0.001", "1000000") == "kuhn(ante=1/1000, bet=1000000)"
    with pytest.raises(UserError, match="is too long; write at most 40 letters"):
        read_stake("ante", "9" * 41)


# Networks.


def test_they_are_those_of_the_recipe_table() -> None:
    assert set(NETWORKS) == {row for row, recipe in RECIPES.items() if recipe.feedback_kind.trains}


def test_the_page_begins_with_less_than_the_recipe_and_says_so() -> None:
    shown = recipe_shown("deep-cfr")
    for name, (usual, least, most) in SETTINGS.items():
        assert least <= usual <= most
        assert getattr(shown.settings, name) == usual
        assert usual <= getattr(RECIPES["deep-cfr"].settings, name)
    assert rl.recipe(shown.name) == shown
    assert not recipe_shown("sd-cfr").settings.strategy_network


@pytest.mark.parametrize("name", SETTINGS)
def test_bounds_are_strict(name: str) -> None:
    _, least, most = SETTINGS[name]
    for right in (least, most):
        assert getattr(recipe_shown("sd-cfr", {name: str(right)}).settings, name) == right
    for wrong in (least - 1, most + 1, "much", "1.5"):
        with pytest.raises(UserError, match=f"^{name}="):
            recipe_shown("sd-cfr", {name: str(wrong)})
