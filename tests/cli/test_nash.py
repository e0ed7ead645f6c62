"""``regretlab nash``: the value, the strategy, the proof."""

import hashlib
import signal
from fractions import Fraction

import pytest

import regretlab as rl


def test_exact_numbers_are_fractions_with_a_proof(regretlab) -> None:
    done = regretlab("nash", "kuhn", "--exact", columns=80)
    assert (done.status, done.err) == (0, "")
    assert "value           -1/18 = -0.0555556 chips, -55.6 mbb/g, for player 0" in done.lines
    assert "proof           the best-response gap, in exact fractions, is 0" in done.lines
    assert "all equilibria  bet = ante: player 0 bets the Jack with any α from 0 to 1/3" in done.lines
    assert max(map(len, done.lines)) <= 80
    assert any(line.startswith("Qb ") and line.endswith(" 2/3") for line in done.lines)


@pytest.mark.parametrize(
    ("game", "value"), [("kuhn(ante=1, bet=2)", "0 chips"), ("kuhn(ante=2, bet=1)", "-1/30 = -0.0333333 chips")]
)
def test_the_value_is_the_known_one(regretlab, game: str, value: str) -> None:
    assert f"value           {value}," in regretlab("nash", game, "--exact").out


def test_floats_are_the_default(regretlab) -> None:
    done = regretlab("nash", "kuhn(cards=4)")
    assert "linear programming" in done.out
    assert "what the solver's tolerance leaves of 0" in done.out
    assert "all equilibria" not in done.out


def test_json_has_floats_and_beside_them_the_fractions(regretlab) -> None:
    found = regretlab("nash", "kuhn", "--exact", "--json").json
    assert found["value"] == pytest.approx(-1 / 18)
    assert (found["exact_value"], found["gap"]) == ("-1/18", "0")
    exact = {
        label: {action: Fraction(text) for action, text in actions.items()}
        for label, actions in found["exact_strategy"].items()
    }
    assert rl.exploitability("kuhn", exact) == pytest.approx(0, abs=1e-15)
    assert found["family"]["regime"] == "bet = ante"
    assert found["family"]["alpha_range"] == ["0", "1/3"]
    floats = regretlab("nash", "kuhn(cards=4)", "--json").json
    assert "exact_strategy" not in floats
    assert rl.exploitability("kuhn(cards=4)", floats["strategy"]) == pytest.approx(0, abs=1e-12)


def test_what_is_too_large_to_be_exact_is_refused_before_it_is_walked(regretlab, monkeypatch) -> None:
    def too_late(*_: object) -> None:
        raise AssertionError("the walk has begun")

    monkeypatch.setattr("regretlab.forms.compiling.Walk", too_late)
    done = regretlab("nash", "leduc(ranks=20)", "--exact")
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert "47,040 information sets, and the limit is 2,500 sequences" in done.err
    with pytest.raises(rl.UserError, match="too large for an exact solution"):
        rl.nash("leduc(ranks=20)", exact=True)


def test_who_will_wait_for_a_linear_programme_is_told_so(regretlab, monkeypatch) -> None:
    monkeypatch.setattr("regretlab.cli.games.LONG", 0.0)
    done = regretlab("nash", "kuhn")
    assert done.status == 0
    assert done.err == "regretlab: a linear programme of 12 information sets takes about 1 s\n"


def test_ctrl_c_does_not_wait_until_a_linear_programme_is_solved(monkeypatch) -> None:
    """Work that holds Python up, as HiGHS does: without a thread of its own Ctrl-C would come when it is done."""
    done = []

    def slow(*_: object, **__: object) -> None:
        hashlib.pbkdf2_hmac("sha256", b"", b"", 3_000_000)
        done.append(True)

    def press(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("regretlab.evaluation.programme.linprog", slow)
    form = rl.compile("kuhn")
    before = signal.signal(signal.SIGALRM, press)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with pytest.raises(KeyboardInterrupt):
            rl.nash(form)
        assert not done
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
