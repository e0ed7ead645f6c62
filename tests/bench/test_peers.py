"""Every peer that is installed computes the same, from the same methods."""

from importlib.util import find_spec

import pytest

from regretlab.bench.games import GAMES, BenchGame, choose_games
from regretlab.bench.peers import ALGORITHMS, PEERS, Ours, Peer
from regretlab.bench.results import FROM_DICTIONARY, OURS
from regretlab.errors import UserError

KUHN = GAMES["kuhn"]
SIMULTANEOUS = BenchGame("goofspiel-3", "goofspiel(imp_info=True,num_cards=3,points_order=descending)")
INSTALLED = [peer for peer in PEERS.values() if all(find_spec(module) for module in peer.needs)]


def test_openspiel_and_the_textbook_are_there() -> None:
    assert {"openspiel", "textbook"} <= {peer.key for peer in INSTALLED}
    assert list(PEERS) == ["openspiel", "liteefg", "jax", "textbook"]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("game", [KUHN, SIMULTANEOUS], ids=lambda game: game.name)
@pytest.mark.parametrize("peer", INSTALLED, ids=lambda peer: peer.key)
def test_exploitability_is_ours_after_the_same_iterations(peer: Peer, game: BenchGame, algorithm: str) -> None:
    ours, theirs = Ours().start(game, algorithm), peer.start(game, algorithm)
    for count in (1, 2, 7):
        ours.iterate(count)
        theirs.iterate(count)
        assert theirs.exploitability() == pytest.approx(ours.exploitability(), rel=peer.tolerance)


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
    assert [game.name for game in choose_games(list(GAMES))] == ["kuhn", "leduc", "goofspiel-4", "liars-dice-6"]
    assert [game.text for game in choose_games(["openspiel:kuhn_poker", "kuhn", "kuhn"])] == ["kuhn_poker"] * 2
    with pytest.raises(UserError, match=r"unknown game of the benchmark 'ludec'; did you mean 'leduc'"):
        choose_games(["ludec"])
    with pytest.raises(UserError, match="no game"):
        choose_games([])


def test_without_openspiel_kuhn_is_our_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("regretlab.bench.games.has_openspiel", lambda: False)
    assert KUHN.rules().name == "kuhn"
