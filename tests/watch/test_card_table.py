"""Playing against the bot: what decisions are worth, by brute force and by theorem; the bot's card stays secret."""

import json
import math
from collections import Counter, defaultdict
from itertools import product

import numpy as np
import pytest
from expectation import random_strategy
from hypothesis import given, settings
from hypothesis import strategies as st

import regretlab as rl
from regretlab.forms import read_strategy
from regretlab.games import CHANCE, TERMINAL, Kuhn, Leduc
from regretlab.watch.card_table import MOST_HANDS, CardTable, Judge, situation, stakes

LEDUC = "leduc(merge_suits=true)"
SIZES = st.sampled_from(["kuhn", "kuhn(bet=2)", "kuhn(ante=3/2, bet=1/3)"])


def paths(rules, strategy, seat, plan, state, reach=1.0, seen=()):
    """Every way to an end if the person in ``seat`` follows a plan: probability, payoff, decisions on the way."""
    player = rules.player(state)
    if player == TERMINAL:
        yield reach, float(rules.payoff(state)) * (1 - 2 * seat), seen
        return
    names = rules.actions(state)
    if player == CHANCE:
        chances, seen_after = list(map(float, rules.chance(state))), [seen] * len(names)
    else:
        label = rules.label(state)
        chances = [float((plan if player == seat else strategy)[label].get(name, 0)) for name in names]
        seen_after = [(*seen, (label, name)) if player == seat else seen for name in names]
    for k, chance in enumerate(chances):
        if chance:
            yield from paths(rules, strategy, seat, plan, rules.child(state, k), reach * chance, seen_after[k])


def labels_and_actions(form, seat):
    treeplex = form.treeplexes[seat]
    return dict(zip(treeplex.labels, treeplex.actions, strict=True))


@settings(max_examples=30)
@given(SIZES, st.integers(0, 10**6), st.integers(0, 1))
def test_worth_is_the_best_of_all_plans_that_go_on_from_there(game, seed, seat):
    rules, form = rl.load(game), rl.compile(game)
    strategy = random_strategy(form, seed)
    judge = Judge(rules, strategy, seat)
    options = labels_and_actions(form, seat)
    best: dict[tuple[str, str], float] = defaultdict(lambda: -math.inf)
    for chosen in product(*options.values()):
        plan = {label: {action: 1} for label, action in zip(options, chosen, strict=True)}
        through: dict[tuple[str, str], list[float]] = defaultdict(lambda: [0.0, 0.0])
        for reach, payoff, seen in paths(rules, strategy, seat, plan, rules.root()):
            for step in seen:
                through[step][0] += reach
                through[step][1] += reach * payoff
        for step, (reach, total) in through.items():
            best[step] = max(best[step], total / reach)
    for (label, action), worth in best.items():
        told = judge.decision(label, action)
        assert told.worth[action] == pytest.approx(worth, abs=1e-12)
        assert told.loss >= 0
        assert told.worth[told.best] == pytest.approx(max(told.worth.values()), abs=1e-12)
        assert sum(told.hands.values()) == pytest.approx(1)


@given(st.integers(0, 10**6), st.integers(0, 1))
def test_the_bots_possible_hands_by_bayes(seed, seat):
    rules = Kuhn()
    strategy = random_strategy(rl.compile(rules), seed)
    judge = Judge(rules, strategy, seat)
    for label in labels_and_actions(strategy.form, seat):
        moves = label[1:]
        weights = {}
        for card in "JQK".replace(label[0], ""):
            bot = [(moves[:k], "bet" if move == "b" else "check") for k, move in enumerate(moves) if k % 2 != seat]
            weights[card] = math.prod(strategy[card + before][action] for before, action in bot)
        total = sum(weights.values())
        if total:
            expected = {card: weight / total for card, weight in weights.items() if weight}
            assert judge.decision(label, next(iter(strategy[label]))).hands == pytest.approx(expected)


@pytest.mark.parametrize("game", ["kuhn", LEDUC])
@pytest.mark.parametrize("seat", [0, 1])
def test_losses_add_up_to_what_a_best_response_wins_more_and_luck_to_nothing(game, seat):
    rules, form = rl.load(game), rl.compile(game)
    person, bot = random_strategy(form, 1), random_strategy(form, 2)
    profile = {label: (person if form.owner(label) == seat else bot)[label] for label in form.labels}
    judge = Judge(rules, bot, seat)
    worth = {}
    lost = luck = 0.0
    for reach, payoff, seen in paths(rules, bot, seat, person, rules.root()):
        for label, action in seen:
            if (label, action) not in worth:
                worth[label, action] = judge.decision(label, action).loss
        losses = sum(worth[step] for step in seen)
        lost += reach * losses
        luck += reach * (payoff - judge.best.value + losses)
    value = rl.evaluate(form, profile).value * (1 - 2 * seat)
    assert judge.best.value == pytest.approx(rl.best_response(form, bot, seat).value)
    assert lost == pytest.approx(judge.best.value - value)
    assert lost > 0.1
    assert luck == pytest.approx(0, abs=1e-12)


def ends(rules, state=None):
    state = rules.root() if state is None else state
    if rules.player(state) == TERMINAL:
        yield state
    else:
        for k in range(len(rules.actions(state))):
            yield from ends(rules, rules.child(state, k))


@pytest.mark.parametrize("rules", [Kuhn(ante="3/2", bet="1/3"), Leduc(merge_suits=True)], ids=lambda rules: rules.name)
def test_what_is_put_in_is_what_is_won_and_lost(rules):
    for state in ends(rules):
        payoff, paid = rules.payoff(state), stakes(rules, state)
        assert payoff in (0, paid[1], -paid[0])
        assert abs(payoff) in (0, min(paid))


def play(table, choose):
    while not table.over:
        table.act(choose(table.rules.actions(table.hand.state)))


def test_the_account_splits_every_result_into_seat_decisions_and_luck():
    rng = np.random.default_rng(5)
    table = CardTable(Leduc(merge_suits=True), random_strategy(rl.compile(LEDUC), 3), "alternate", seed=7)
    play(table, rng.choice)
    for _ in range(60):
        table.deal()
        play(table, rng.choice)
    account = table.view()["account"]
    assert account["hands"] == 61
    assert account["result"] == pytest.approx(account["expected"] + account["lost"] + account["luck"])
    assert account["lost"] < 0
    luck = np.array(table.account.results) - table.account.expected + table.account.losses
    assert account["luck_error"] == pytest.approx(np.sqrt((luck**2).sum()))
    assert account["mean_loss"]["error"] == pytest.approx(np.std(table.account.losses, ddof=1) / np.sqrt(61))
    assert account["history"][0][-1] == [61, pytest.approx(account["result"])]
    assert account["history"][1][-1] == [61, pytest.approx(account["earned"])]
    assert account["earned"] == pytest.approx(account["result"] - account["luck"])


def test_a_perfect_player_loses_nothing():
    form = rl.compile("kuhn")
    bot = random_strategy(form, 11)
    best = [rl.best_response(form, bot, seat).actions for seat in (0, 1)]
    table = CardTable(Kuhn(), bot, "alternate", seed=1)
    for n in range(40):
        if n:
            table.deal()
        while not table.over:
            table.act(best[table.hand.seat][table.rules.label(table.hand.state)])
    assert table.view()["account"]["lost"] == pytest.approx(0, abs=1e-12)


def test_before_the_end_nothing_depends_on_the_bots_card():
    """Views at the same information set are the same to the last letter, whatever the bot holds."""
    strategy = random_strategy(rl.compile("kuhn"), 4)
    seen = defaultdict(set)
    cards = defaultdict(set)
    for seed in range(60):
        table = CardTable(Kuhn(), strategy, "2", seed)
        view = table.view()
        label = table.rules.label(table.hand.state)
        seen[label].add(json.dumps(view))
        cards[label].add(table.hand.state[0])
        assert "bot_card" not in view["hand"]
    assert any(len(held) == 2 for held in cards.values())
    assert all(len(views) == 1 for views in seen.values())


def decisions(rules, state):
    """Every state in which a player decides."""
    if rules.player(state) not in (CHANCE, TERMINAL):
        yield state
    if rules.player(state) != TERMINAL:
        for k in range(len(rules.actions(state))):
            yield from decisions(rules, rules.child(state, k))


@pytest.mark.parametrize("rules", [Kuhn(), rl.load(LEDUC)], ids=lambda rules: rules.name)
def test_a_situation_in_words_tells_what_can_be_done_and_no_secret(rules):
    """By the last words one knows the actions, by the first the own card; the other's card changes nothing."""
    words, faced = defaultdict(set), {"first to act", "after a check", "facing a bet", "facing a raise"}
    for state in decisions(rules, rules.root()):
        told = situation(rules, state)
        words[rules.label(state)].add(told)
        assert (told.rpartition(", ")[2] in faced) == bool(told)
        assert ("fold" in rules.actions(state)) == ("facing" in told)
        assert ("raise" in rules.actions(state)) == (rules.name != "kuhn" and told.endswith("facing a bet"))
        assert {"J": "Jack", "Q": "Queen", "K": "King"}[rules.card(state[rules.player(state)])] in told.split(",")[0]
    assert all(len(told) == 1 for told in words.values())


def test_situations_of_leduc_poker():
    rules = rl.load(LEDUC)
    told = {rules.label(state): situation(rules, state) for state in decisions(rules, rules.root())}
    assert told["K"] == "King, first to act"
    assert told["K cb"] == "King, checked, facing a bet"
    assert told["Q br"] == "Queen, bet, facing a raise"
    assert told["J cc Q c"] == "Jack, Queen on the table, after a check"
    assert told["J cc J"] == "Pair of Jacks, first to act"


@pytest.mark.parametrize("seat", [0, 1])
def test_after_the_end_everything_is_told(seat):
    table = CardTable(Kuhn(), random_strategy(rl.compile("kuhn"), 4), str(seat + 1), seed=3)
    play(table, lambda actions: actions[0])
    hand = table.view()["hand"]
    mine, theirs = ("JQK"[table.hand.state[player]] for player in (seat, 1 - seat))
    assert (hand["card"], hand["bot_card"]) == (mine, theirs)
    assert hand["result"] == float(table.rules.payoff(table.hand.state)) * (1 - 2 * seat) != 0
    assert (hand["result"] > 0) == ("you win" in hand["told"])
    assert (hand["result"] < 0) == ("lose" in hand["told"])
    for habit in hand["bot"]:
        assert habit["held"] == theirs
        assert habit["strategy"].keys() == set("JQK")
    assert hand["luck"] == pytest.approx(hand["result"] - hand["expected"] + hand["loss"])
    assert hand["expected"] == pytest.approx(rl.best_response("kuhn", table.strategy, seat).value)
    assert len(hand["decisions"][0]["worth"]) == 2


def test_the_bot_plays_its_strategy():
    form = rl.compile("kuhn")
    rows = {**labels_and_actions(form, 0), **labels_and_actions(form, 1)}
    bold = {label: dict(zip(actions, (0.25, 0.75), strict=True)) for label, actions in rows.items()}
    table = CardTable(Kuhn(), read_strategy(form, bold), "2", seed=0)
    first = Counter()
    for n in range(600):
        if n:
            table.deal()
        first[table.hand.moves[0]["action"]] += 1
        play(table, lambda actions: actions[0])
    # 450 of 600 draws are expected to be bets, with a standard deviation of 10.6.
    assert abs(first["bet"] - 450) < 4 * 10.6


def test_deals_are_fair_and_the_same_for_the_same_seed():
    strategy = random_strategy(rl.compile("kuhn"), 4)
    hands = {seed: [] for seed in (1, 1 + 10**6, 2)}
    for seed, dealt in hands.items():
        table = CardTable(Kuhn(), strategy, "alternate", seed % 10**6)
        for n in range(300):
            if n:
                table.deal()
            dealt.append(table.hand.state[:2])
            play(table, lambda actions: actions[-1])
    assert hands[1] == hands[1 + 10**6] != hands[2]
    counts = Counter(hands[1] + hands[2])
    # 600 draws, 100 expected of each of the six deals, standard deviation 9.1.
    assert len(counts) == 6
    assert all(abs(count - 100) < 4 * 9.1 for count in counts.values())


def test_seats_alternate_or_stay():
    strategy = random_strategy(rl.compile("kuhn"), 4)
    for seats, expected in (("1", [0, 0, 0]), ("2", [1, 1, 1]), ("alternate", [0, 1, 0])):
        table = CardTable(Kuhn(), strategy, seats, 0)
        met = [table.hand.seat]
        for _ in range(2):
            play(table, lambda actions: actions[0])
            table.deal()
            met.append(table.hand.seat)
        assert met == expected


def test_mistakes_at_the_table_are_told():
    table = CardTable(Kuhn(), random_strategy(rl.compile("kuhn"), 4), "1", 0)
    with pytest.raises(rl.UserError, match="not over yet"):
        table.deal()
    with pytest.raises(rl.UserError, match="unknown action 'raise'"):
        table.act("raise")
    play(table, lambda actions: actions[0])
    with pytest.raises(rl.UserError, match="is over"):
        table.act("check")
    with pytest.raises(rl.UserError, match="unknown seat"):
        CardTable(table.rules, table.strategy, "3", 0)
    table.account.results += [0.0] * MOST_HANDS
    with pytest.raises(rl.UserError, match="begin a new one"):
        table.deal()
