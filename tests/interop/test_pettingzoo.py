"""Games as environments of PettingZoo: its own test, the rules, and what is won in games that were played."""

import subprocess
import sys

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

import regretlab as rl
from regretlab.games.protocol import HasEncoding

GAMES = ["kuhn", "leduc", "liars_dice(sides=3)", "goofspiel(cards=3)", "rps", "matrix(rows=1 2 0; 0 3 1)"]


# PettingZoo's own card games give dictionaries with a mask, too; it knows those by name, and warns of others.
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning")
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning")
@pytest.mark.filterwarnings("ignore:Observation is a single number:UserWarning")  # of games in which each decides once
@pytest.mark.parametrize("game", [*GAMES, "openspiel:kuhn_poker", "kuhn locked at Jb: fold"])
def test_pettingzoo_s_own_test_finds_nothing_wrong(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(rl.pettingzoo_env(game), num_cycles=200)
    assert "Passed API test" in capsys.readouterr().out


def test_a_seed_says_what_chance_draws() -> None:
    seed_test(lambda: rl.pettingzoo_env("leduc"), num_cycles=50)


@pytest.mark.parametrize(
    ("game", "told_apart"), [("kuhn", (6, 6)), ("leduc", (144, 144)), ("goofspiel(cards=3)", None)]
)
def test_what_is_seen_tells_information_sets_apart(game: str, told_apart: tuple[int, int] | None) -> None:
    """Where the game has numbers for its labels they are taken; Leduc's leave out suits, which decide nothing."""
    env, form = rl.pettingzoo_env(game), rl.compile(game)
    assert isinstance(rl.load(game), HasEncoding) == (told_apart is not None)
    seen = tuple(len({env._seen[label][0].tobytes() for label in each.labels}) for each in form.treeplexes)
    assert seen == (told_apart or tuple(each.infosets for each in form.treeplexes))


def play(env, profile, random: np.random.Generator, seed: int) -> tuple[float, float]:
    """One game by the probabilities of a profile; what both win, by the environment's own account."""
    won = {}
    env.reset(seed)
    for agent in env.agent_iter():
        seen, reward, over, cut, info = env.last()
        won[agent] = won.get(agent, 0.0) + reward
        assert not cut
        if over:
            env.step(None)
            continue
        chances = profile[info["label"]]
        assert list(chances) == info["actions"]
        assert seen["action_mask"].sum() == len(chances)
        env.step(int(random.choice(len(chances), p=list(chances.values()))))
    return won["player_0"], won["player_1"]


@pytest.mark.parametrize("game", ["kuhn", "leduc", "kuhn locked at Jb: fold 0.5, call 0.5"])
def test_games_that_are_played_bring_what_a_strategy_is_worth(game: str) -> None:
    """The mean over games differs from the exact value by less than four of its standard errors."""
    form = rl.compile(game)
    solution = rl.solve(form, "cfr+", iterations=3)  # far from an equilibrium, so its value is not the game's
    env, random = rl.pettingzoo_env(game), np.random.default_rng(1)
    won = np.array([play(env, solution.strategy, random, seed) for seed in range(3_000)])
    assert (won[:, 0] == -won[:, 1]).all()
    error = won[:, 0].std() / np.sqrt(len(won))
    assert abs(won[:, 0].mean() - solution.value) < 4 * error


def test_an_action_that_is_not_there_is_refused() -> None:
    env = rl.pettingzoo_env("kuhn")
    env.reset(0)
    for action in (2, -1, None):
        with pytest.raises(rl.UserError, match="of player_0 must be a place in check, bet"):
            env.step(action)


def test_all_that_happened_is_rendered() -> None:
    env = rl.pettingzoo_env("rps", render_mode="ansi")
    env.reset()
    env.step(0)
    env.step(2)
    assert env.render() == "rps: rock, scissors"
    with pytest.raises(rl.UserError, match="render_mode='human' must be 'ansi'"):
        rl.pettingzoo_env("rps", render_mode="human")


def test_without_pettingzoo_it_is_said_what_to_install() -> None:
    program = (
        "import sys; sys.modules['pettingzoo'] = None; import regretlab as rl\n"
        "try: rl.pettingzoo_env('kuhn')\nexcept rl.UserError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "PettingZoo is not installed; pip install 'regretlab[pettingzoo]' brings it\n"
