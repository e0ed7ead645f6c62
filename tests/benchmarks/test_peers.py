"""Every peer that is installed computes the same, from the same methods."""

import subprocess
import sys
from importlib.util import find_spec

import pytest

from benchmarks import ROOT
from benchmarks.games import GAMES, BenchGame, choose_games
from benchmarks.peers import PEERS, load_peer
from benchmarks.peers.ours import Ours
from benchmarks.peers.protocol import FULL, SAMPLED, Peer
from benchmarks.results import FROM_DICTIONARY, OURS
from regretlab.errors import UserError

KUHN = GAMES["kuhn"]
SIMULTANEOUS = BenchGame(
    "goofspiel-3",
    "goofspiel(cards=3, prizes=descending, bids=hidden)",
    "goofspiel(imp_info=True,num_cards=3,points_order=descending)",
)
INSTALLED = [peer for peer in map(load_peer, PEERS) if all(find_spec(module) for module in peer.needs)]
SAMPLERS = [(peer, name) for peer in (Ours(), *INSTALLED) for name in SAMPLED if name in peer.algorithms]
sampler = pytest.mark.parametrize(
    ("peer", "algorithm"), SAMPLERS, ids=[f"{peer.key}, {name}" for peer, name in SAMPLERS]
)


def test_openspiel_and_the_textbook_are_there() -> None:
    assert {"openspiel", "textbook"} <= {peer.key for peer in INSTALLED}
    assert PEERS == ("openspiel", "liteefg", "jax", "textbook")
    assert {(peer.key, name) for peer, name in SAMPLERS} >= {
        (key, name) for key in ("regretlab", "openspiel") for name in SAMPLED
    }


@pytest.mark.parametrize("key", ["regretlab", *PEERS])
def test_peers_are_called_what_they_call_themselves(key: str) -> None:
    peer = load_peer(key)
    assert peer.key == key
    assert set(FULL) <= set(peer.algorithms) <= {*FULL, *SAMPLED}


@pytest.mark.parametrize("key", ["openspiel", "liteefg", "jax"])
def test_other_libraries_are_not_charged_with_ours(key: str) -> None:
    code = f"import sys; from benchmarks.parts.processes import load_peer; load_peer('{key}')"
    code += "; print('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True).stdout == b"False\n"


@pytest.mark.parametrize("algorithm", FULL)
@pytest.mark.parametrize("game", [KUHN, SIMULTANEOUS], ids=lambda game: game.name)
@pytest.mark.parametrize("peer", INSTALLED, ids=lambda peer: peer.key)
def test_exploitability_is_ours_after_the_same_iterations(peer: Peer, game: BenchGame, algorithm: str) -> None:
    ours, theirs = Ours().start(game, algorithm), peer.start(game, algorithm)
    for count in (1, 2, 7):
        ours.iterate(count)
        theirs.iterate(count)
        assert theirs.exploitability() == pytest.approx(ours.exploitability(), rel=peer.tolerance)


@pytest.mark.parametrize("name", ["leduc", "goofspiel-4"])
def test_our_own_games_are_openspiel_s(name: str) -> None:
    runs = [load_peer(key).start(GAMES[name], "cfr+") for key in ("regretlab", "openspiel")]
    for run in runs:
        run.iterate(3)
    ours, theirs = (run.exploitability() for run in runs)
    assert theirs == pytest.approx(ours, rel=1e-9)


@sampler
def test_what_is_drawn_depends_on_the_seed_alone(peer: Peer, algorithm: str) -> None:
    run = peer.start(KUHN, algorithm)
    found = []
    for seed in (1, 2, 1):
        run.restart(seed)
        run.iterate(50)
        found.append(run.exploitability())
    assert found[0] == found[2] != found[1]


@sampler
def test_sampling_converges(peer: Peer, algorithm: str) -> None:
    run = peer.start(KUHN, algorithm)
    run.iterate(100)
    early = run.exploitability()
    run.iterate(19_900)
    assert 0 < run.exploitability() < 0.3 * early


@pytest.mark.parametrize("peer", [Ours(), *INSTALLED], ids=lambda peer: peer.key)
def test_a_restart_begins_anew(peer: Peer) -> None:
    run = peer.start(KUHN, "cfr+")
    run.iterate(3)
    first = run.exploitability()
    run.iterate(4)
    assert run.exploitability() != first
    run.restart()
    run.iterate(3)
    assert run.exploitability() == first


@pytest.mark.parametrize("peer", [Ours(), *INSTALLED], ids=lambda peer: peer.key)
def test_judges_judge_the_average_of_now(peer: Peer) -> None:
    run = peer.start(KUHN, "cfr+")
    run.iterate(5)
    judges = run.judges()
    for judge in judges.values():
        assert judge() == pytest.approx(run.exploitability(), rel=1e-12)
    names = {"regretlab": {OURS, FROM_DICTIONARY}, "openspiel": {"OpenSpiel C++"}, "liteefg": {"LiteEFG"}}
    assert judges.keys() == names.get(peer.key, set())


def test_algorithms_differ() -> None:
    plus, plain = Ours().start(KUHN, "cfr+"), Ours().start(KUHN, "cfr")
    plus.iterate(10)
    plain.iterate(10)
    assert plus.exploitability() < 0.9 * plain.exploitability()


def test_games_have_short_names_and_any_of_openspiel_s_will_do() -> None:
    assert [game.name for game in choose_games(list(GAMES))] == list(GAMES)
    assert list(GAMES) == ["kuhn", "leduc", "goofspiel-4", "goofspiel-5", "liars-dice-6"]
    foreign, own = choose_games(["openspiel:kuhn_poker", "kuhn", "kuhn"])
    assert (foreign.ours, foreign.openspiel, foreign.is_openspiel) == ("openspiel:kuhn_poker", "kuhn_poker", True)
    assert (own.ours, own.openspiel, own.is_openspiel) == ("kuhn", "kuhn_poker", False)
    with pytest.raises(UserError, match=r"unknown game of the benchmark 'ludec'; did you mean 'leduc'"):
        choose_games(["ludec"])
    with pytest.raises(UserError, match="no game"):
        choose_games([])


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_both_names_of_a_game_are_known(game: BenchGame) -> None:
    import pyspiel

    assert game.rules().name.partition("(")[0] == game.ours.partition("(")[0]
    assert pyspiel.load_game(game.openspiel).num_players() == 2
