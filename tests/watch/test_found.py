"""What a run says that it has found: every number is true, and it says the same whatever way it has taken."""

import re

import pytest

import regretlab as rl
from regretlab.explaining.arithmetic import explain
from regretlab.watch.found import FIRSTS, HARDLY, LEVELS, NOW_AND_THEN
from regretlab.watch.offers import recipe_shown
from regretlab.watch.watched_game import watched_game
from regretlab.watch.watched_run import CHARTED, TOLD, new_run

RECIPES = ("cfr", "cfr-plus", "dcfr", "predictive-cfr-plus", "normalhedge", "external-sampling", "restarted-cfr-plus")
LAST = 1_024
MOVED = re.compile(
    r"Player (?P<player>[12]) with the (?P<card>\w+)(?:, (?P<where>[\w, ]+))?: [^:]*it (?P<does>bets|calls) "
    r"(?P<now>[\d.]+) % of the time, (?P<way>up|down) from (?P<old>[\d.]+) %"
)
DRIFTED = re.compile(
    r"At iteration [\d,]+ player [12] with the (?P<card>\w+)(?:, (?P<where>[\w, ]+),)? (?P<does>bets|calls) "
    r"(?P<now>[\d.]+) % of the time on average, (?P<way>up|down) from (?P<old>[\d.]+) % at iteration (?P<since>[\d,]+)"
)
SWINGS = re.compile(
    r"still swings: player [12] with the (?P<card>\w+)(?:, (?P<where>[\w, ]+),)? (?P<does>bets|calls) "
    r"(?P<old>[\d.]+) % of the time after iteration (?P<since>[\d,]+) and (?P<now>[\d.]+) % after [\d,]+. "
    r"Its average has settled at (?P<average>[\d.]+) %"
)
GAIN = re.compile(r"(?P<way>earned|cost) (?P<chips>[\d.]+) chips? (?:more than|against) \w+ in iteration")
PLACES = {"": "", "after a check": "c", "facing a bet": "b", "checked, facing a bet": "cb"}


@pytest.fixture(scope="module", params=RECIPES)
def told(request):
    """A run that has been played in turns of odd lengths, and by itself at the same iterations."""
    run = new_run(watched_game("1", "1"), recipe_shown(request.param), 0)
    for target in (1, 2, 9, 40, 41, 300, LAST):
        run.go(target)
    return run


def told_by(run):
    return [run.found_at(iteration) for iteration in sorted(TOLD) if iteration <= LAST]


def test_changes_are_those_of_the_strategies(told):
    solver = rl.Solver("kuhn", told.recipe, cores=1)
    shares, found = {0: solver.current}, told_by(told)
    for iteration in (each.iteration for each in found):
        solver.advance(iteration - solver.iteration)
        shares[iteration] = solver.current
    changed = 0
    for each in found:
        if (said := MOVED.search(each.words)) is None:
            continue
        changed += 1
        label, action = said["card"][0] + PLACES[said["where"] or ""], said["does"].removesuffix("s")
        now, old = (shares[at][label][action] for at in (each.iteration, each.iteration - 1))
        assert (float(said["now"]), float(said["old"])) == (
            pytest.approx(100 * now, abs=0.51),
            pytest.approx(100 * old, abs=0.51),
        )
        assert (said["way"] == "up") == (now > old)
        assert solver.form.owner(label) == int(said["player"]) - 1
    assert changed >= 12


def test_what_is_told_for_a_while_is_true_for_a_while(told):
    """Between two sentences play goes on: what is said of many iterations names them, and is about the average."""
    run = new_run(told.game, told.recipe, 0)
    run.go(30_000)
    found = [run.found_at(iteration) for iteration in sorted(TOLD) if 30 < iteration <= 30_000]
    solver = rl.Solver("kuhn", told.recipe, cores=1)
    seen = {}
    for iteration in (30, *(each.iteration for each in found)):
        solver.advance(iteration - solver.iteration)
        seen[iteration] = solver.average, solver.current
    kinds = {"drifted": 0, "swings": 0}
    for each in found:
        assert "now" not in each.words.split()
        assert not re.search(r"\de[-−]|[-−]\d", each.words)  # nobody wins less than nothing, or 7e−5
        assert ("but for rounding" in each.words) <= (abs(rl.exploitability("kuhn", seen[each.iteration][0])) < 1e-9)
        drifted, swings = DRIFTED.search(each.words), SWINGS.search(each.words)
        if (said := drifted or swings) is None:
            wins = re.search(r"of iteration [\d,]+ a perfect opponent wins ([\d.]+) mbb/g", each.words)
            if wins:
                loss = 1000 * rl.exploitability("kuhn", seen[each.iteration][0])
                assert float(wins[1]) == pytest.approx(loss, rel=0.06)
            assert "should stay" in each.words or "Hardly anything" in each.words
            continue
        kinds["drifted" if drifted else "swings"] += 1
        label, action = said["card"][0] + PLACES[said["where"] or ""], said["does"].removesuffix("s")
        kind, since = 0 if drifted else 1, int(said["since"].replace(",", ""))
        now, old = (seen[at][kind][label][action] for at in (each.iteration, since))
        assert float(said["now"]) == pytest.approx(100 * now, abs=0.51)
        assert float(said["old"]) == pytest.approx(100 * old, abs=0.51)
        if drifted:
            assert (said["way"] == "up") == (now > old)
        else:
            assert float(said["average"]) == pytest.approx(100 * seen[each.iteration][0][label][action], abs=0.51)
            assert all(
                abs(seen[each.iteration][0][place][move] - share) < HARDLY
                for place in told.game.labels
                for move, share in seen[since][0][place].items()
            )
    assert sum(kinds.values()) >= 3 or told.recipe.predict or told.recipe.restart  # these settle at once


def test_what_an_action_was_worth_is_what_the_arithmetic_says(told):
    """The difference of the counterfactual values, for a hand that comes there."""
    unknown = told.recipe.restart is not None or told.recipe.feedback_kind.samples  # to what is explained from outside
    checked = 0
    for each in told_by(told)[:30:4]:
        moved, gain = MOVED.search(each.words), GAIN.search(each.words)
        if moved is None or gain is None or unknown:
            continue
        label = moved["card"][0] + PLACES[moved["where"] or ""]
        found = explain("kuhn", told.recipe, label, each.iteration)
        first, second = found.counterfactual_values
        chips = float(second - first) / float(sum(hand.reach for hand in found.hands))
        assert float(gain["chips"]) == pytest.approx(abs(chips), rel=0.06)
        assert (gain["way"] == "earned") == (chips > 0)
        assert (", so it" in each.words) == ((chips > 0) == (moved["way"] == "up"))
        checked += 1
    assert checked >= 2 or unknown


def test_where_it_should_stay_is_where_all_equilibria_are(told):
    game, texts = told.game, [each for each in told_by(told) if "should stay" in each.words]
    for each in texts:
        solver = rl.Solver("kuhn", told.recipe, cores=1)
        solver.advance(each.iteration)
        near = [
            label
            for label, (low, high) in game.equilibria.ranges.items()
            if low == high and str(low) == "1/3" and abs([*solver.average[label].values()][1] - 1 / 3) < HARDLY
        ]
        assert "a third" in each.words
        first = next(one for one in texts if _who_stays(one.words) == _who_stays(each.words))
        assert ("back where it should stay" in each.words) == (each is not first)
        assert any(f"player {solver.form.owner(label) + 1} with the" in each.words for label in near)


def _who_stays(words: str) -> str:
    found = re.search(r"After iteration [\d,]+ (player .*?) [\d.]+ %", words)
    assert found
    return found[1]


def test_milestones_are_reached_where_they_are_said_and_not_before(told):
    solver = rl.Solver("kuhn", told.recipe, cores=1)
    said = {words: point.iteration for point in told.points for words in point.milestones}
    firsts, levels = {}, {}
    for iteration in (each for each in CHARTED if each <= LAST):
        solver.advance(iteration - solver.iteration)
        solution = solver.solution()
        for place in FIRSTS:
            here = solution.current[place.label][place.action], solution.regrets[place.label][place.action]
            if here[0] > NOW_AND_THEN and here[1] > 0:
                firsts.setdefault(place.words, iteration)
        for level in LEVELS:
            if 1000 * solution.exploitability < level:
                levels.setdefault(level, iteration)
    assert {words: at for words in firsts for text, at in said.items() if text.startswith(words)} == firsts
    # What was reached between two sentences is told with the next one, which says where that was.
    for each in told_by(told):
        for at in re.findall(r"Milestone at iteration ([\d,]+)", each.words):
            assert int(at.replace(",", "")) in set(said.values()) - TOLD
    found = {float(text.split()[2]): at for text, at in said.items() if text.startswith("Exploitability below")}
    assert found == {
        level: at
        for level, at in levels.items()
        if not any(levels.get(lower) == at for lower in LEVELS if lower < level)
    }


def test_the_same_is_said_whatever_way_a_run_has_taken(told):
    straight = new_run(told.game, told.recipe, 0)
    straight.go(LAST)
    straight.go(5)
    straight.go(LAST)
    assert [each.words for each in told_by(straight)] == [each.words for each in told_by(told)]
    assert [point.milestones for point in straight.points] == [point.milestones for point in told.points]
    assert straight.go(9).found == told.found_at(9).words
