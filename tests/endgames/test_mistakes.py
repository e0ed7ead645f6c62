"""Two hundred and more mistakes, each told in one line that names the key and the value or the character."""

from __future__ import annotations

from math import inf, nan
from pathlib import Path
from typing import Any

import pytest

from regretlab.endgames import holdem
from regretlab.errors import UserError

SOUND: dict[str, Any] = {"board": "QsJh2h8d3c", "pot": 200, "stack": 900, "oop": "QQ+,AKs", "ip": "JJ-88,AQs"}
SOUND |= {"bets": "50%,a", "raises": "a"}

KEYWORDS: dict[str, list[tuple[Any, str]]] = {
    "board": [
        ("", "board='' has 0 cards"),
        ("Qs", "board='Qs' has 1 card"),
        ("QsJh", "board='QsJh' has 2 cards"),
        ("QsJh2h8d3c4c", "board='QsJh2h8d3c4c' has 6 cards"),
        ("QsQs2h", "at character 3, Qs is there already"),
        ("QsJh2h8dQs", "at character 9, Qs is there already"),
        ("QsJx2h", "'x' at character 4 is no suit"),
        ("Qs1h2h", "'1' at character 3 is no rank"),
        ("Qs10h2h", "'1' at character 3 is no rank"),
        ("QsJh2", "at character 5, a suit is missing"),
        ("Q", "at character 1, a suit is missing"),
        ("QsJh2h8d3", "at character 9, a suit is missing"),
        ("Xs", "'X' at character 1 is no rank"),
        ("?", "'?' at character 1 is no rank"),
        ("QsJh2h!", "'!' at character 7 is no rank"),
        ("Qs-Jh-2h", "'-' at character 3 is no rank"),
        ("Queen", "'u' at character 2 is no suit"),
        (7, "board=7 is not a text"),
        (None, "board=None is not a text"),
        (["Qs", "Jh"], "board=['Qs', 'Jh'] is not a text"),
        (True, "board=True is not a text"),
        (nan, "board=nan is not a text"),
        (b"Qs", "board=b'Qs' is not a text"),
        ("🂡🂢🂣", "'🂡' at character 1 is no rank"),
        ("QsJh 2 h", "' ' at character 7 is no suit"),
    ],
    "pot": [
        (0, "pot=0 must be a whole number, at least 1"),
        (-1, "pot=-1 must be a whole number, at least 1"),
        ("x", "pot=x is not a whole number"),
        (None, "pot=None is not a whole number"),
        (nan, "pot=nan is not a whole number"),
        (inf, "pot=inf is not a whole number"),
        (1.5, "pot=1.5 must be a whole number, at least 1"),
        ("1/2", "pot=1/2 must be a whole number, at least 1"),
        (True, "pot=True is not a whole number"),
        (10**13, "pot=10000000000000 must be a whole number, at least 1"),
        ([], "pot=[] is not a whole number"),
        ({}, "pot={} is not a whole number"),
        ("", "pot= is not a whole number"),
        ("200%", "pot=200% is not a whole number"),
        ("1e999999999", "pot=1e999999999 is not a whole number"),
    ],
    "stack": [
        (0, "stack=0 must be a whole number, at least 1"),
        (-900, "stack=-900 must be a whole number, at least 1"),
        ("deep", "stack=deep is not a whole number"),
        (None, "stack=None is not a whole number"),
        (nan, "stack=nan is not a whole number"),
        (0.5, "stack=0.5 must be a whole number, at least 1"),
        (False, "stack=False is not a whole number"),
        (10**13, "stack=10000000000000 must be a whole number, at least 1"),
        ("-1", "stack=-1 must be a whole number, at least 1"),
        ("900c", "stack=900c is not a whole number"),
    ],
    "oop": [
        ("", "oop='' has no hands"),
        (",", "oop=',' has no hands"),
        (" ", "oop=' ' has no hands"),
        ("A", "at character 1, 'A' is no hand"),
        ("AAA", "at character 1, 'AAA' is no hand"),
        ("AKx", "at character 1, 'AKx' is no hand"),
        ("AKso", "'K' at character 2 is no suit"),
        ("AKss", "'K' at character 2 is no suit"),
        ("XX", "'X' at character 1 is no rank"),
        ("1010", "'1' at character 1 is no rank"),
        ("AhAh", "at character 3, AhAh has the same card twice"),
        ("AhK", "'h' at character 2 is no rank"),
        ("AhKx", "'x' at character 4 is no suit"),
        ("Ah Kd", "'h' at character 2 is no rank"),
        ("AA:2", "at character 4, the weight 2 must be between 0 and 1"),
        ("AA:-0.5", "at character 4, the weight -0.5 must be between 0 and 1"),
        ("AA:", "at character 4, '' is no weight"),
        ("AA:x", "at character 4, 'x' is no weight"),
        ("AA:nan", "at character 4, 'nan' is no weight"),
        ("AA:0", "oop='AA:0' has no hands"),
        (":0.5", "at character 1, hands are missing before the colon"),
        ("AA:0.5:0.5", "at character 4, '0.5:0.5' is no weight"),
        ("QQ++", "at character 1, 'QQ+' is no hand"),
        ("+", "at character 1, '' is no hand"),
        ("QQ-", "at character 4, '' is no hand"),
        ("-QQ", "at character 1, '' is no hand"),
        ("QQ-AK", "at character 1, 'QQ-AK' is no run"),
        ("AKs-AQo", "at character 1, 'AKs-AQo' is no run"),
        ("A9s-K6s", "at character 1, 'A9s-K6s' is no run"),
        ("AAs", "at character 1, 'AAs' is a pair, which is neither suited nor offsuit"),
        ("22s-55s", "at character 1, '22s' is a pair, which is neither suited nor offsuit"),
        ("JJ-8", "at character 4, '8' is no hand"),
        ("99-A9", "at character 1, '99-A9' is no run"),
        ("random+", "'r' at character 1 is no rank"),
        ("randm", "'r' at character 1 is no rank"),
        ("all", "'l' at character 2 is no rank"),
        ("AK/AQ", "at character 1, 'AK/AQ' is no hand"),
        ("AA;KK", "at character 1, 'AA;KK' is no hand"),
        ("Q♠Q♥", "'♠' at character 2 is no suit"),
        ("AKs+-A2s", "at character 1, 'AKs+' is no hand"),
        ("QsQs", "at character 3, QsQs has the same card twice"),
        ("QsJs", "oop: all hands of the range have a card of the board QsJh2h8d3c"),
        ("Qs2h,JhJc", "oop: all hands of the range have a card of the board QsJh2h8d3c"),
        (None, "oop: a range is a text or a grid of 13 rows of 13 weights, aces first, not None"),
        (5, "oop: a range is a text or a grid of 13 rows of 13 weights, aces first, not 5"),
        ([], "oop: a range is a text or a grid of 13 rows of 13 weights, aces first, not 0 rows"),
        ([[1]], "oop: a range is a text or a grid of 13 rows of 13 weights, aces first, not 1 rows"),
        ([[1] * 13] * 12, "oop: a range is a text or a grid of 13 rows of 13 weights, aces first, not 12 rows"),
        ([[1] * 12] * 13, "oop: row 1 of the grid has 13 weights, not 12"),
        ([["x"] * 13] * 13, "oop, weight of AA in the grid=x is not a finite number"),
        ([[2] * 13] * 13, "oop, weight of AA in the grid: 2 must be between 0 and 1"),
        ([[-1] * 13] * 13, "oop, weight of AA in the grid: -1 must be between 0 and 1"),
        ([[0] * 13] * 13, "oop: all weights of the grid are 0"),
        ([[nan] * 13] * 13, "oop, weight of AA in the grid=nan is not a finite number"),
        ("1 1 1", "oop: a range is a text or a grid of 13 rows of 13 weights, aces first, not 1 rows"),
        ("0.5", "oop: a range is a text or a grid of 13 rows of 13 weights, aces first, not 1 rows"),
        (["AA"], "oop: a range is a text or a grid of 13 rows of 13 weights, aces first, not 1 rows"),
        ({"AA": 1}, "oop: a range is a text or a grid of 13 rows of 13 weights, aces first, not {'AA': 1}"),
        ("A2s-A2o", "at character 1, 'A2s-A2o' is no run"),
        ("KK-QQ:1.01", "at character 7, the weight 1.01 must be between 0 and 1"),
        (
            "AA,KK,QQ,JJ,TT,99,88,77,66,55,44,33,22,AKs,AQs,AJs,ATs,A9s,A8s,A7x,A6s,A5s",
            "at character 64, 'A7x' is no hand",
        ),
    ],
    "ip": [
        ("QQ:0", "ip='QQ:0' has no hands"),
        ("3c3d", "ip: all hands of the range have a card of the board QsJh2h8d3c"),
        ("QdQd", "at character 3, QdQd has the same card twice"),
    ],
    "bets": [
        ("50", "at character 1, '50' is no size"),
        ("0%", "at character 1, '0%' is nothing"),
        ("-50%", "at character 1, '-50%' is no size"),
        ("50%%", "at character 1, '50%%' is no size"),
        ("%", "at character 1, '%' is no size"),
        ("x", "at character 1, 'x' is no size"),
        ("2x", "at character 1, '2x' is a multiple of the last bet, for raises only"),
        ("a a b", "at character 5, 'b' is no size"),
        ("1.5c", "at character 1, '1.5c' is not whole"),
        ("0c", "at character 1, '0c' is nothing"),
        ("c", "at character 1, 'c' is no size"),
        ("e0", "at character 1, 'e0' is no size"),
        ("0e", "at character 1, '0e' is nothing"),
        ("10e", "at character 1, '10e' is geometric over more than 9 streets"),
        ("2e0%", "at character 1, '2e0%' is nothing"),
        ("nan%", "at character 1, 'nan%' is no size"),
        ("inf%", "at character 1, 'inf%' is no size"),
        ("1e5%%", "at character 1, '1e5%%' is no size"),
        ("half", "at character 1, 'half' is no size"),
        ("50 %", "at character 1, '50' is no size"),
        ("2.5.1%", "at character 1, '2.5.1' in '2.5.1%' is no number"),
        (50, "bets=50 is not a text"),
        (None, "bets=None is not a text"),
        (["50%", 3], "bets=['50%', 3] is not a text"),
        (["x"], "at character 1, 'x' is no size"),
        ("", "bets: nobody can ever bet"),
        ("2e-5%", "at character 1, '2e-5%' is no size"),
        ("a%", "at character 1, 'a%' is no size"),
        ("1/2", "at character 1, '1/2' is no size"),
    ],
    "raises": [
        ("1x", "at character 1, '1x' is no raise"),
        ("0.5x", "at character 1, '0.5x' is no raise"),
        ("0x", "at character 1, '0x' is nothing"),
        ("2,5x", "at character 1, '2' is no size"),
        ("min", "at character 1, 'min' is no size"),
        ("pot", "at character 1, 'pot' is no size"),
        ("3bet", "at character 1, '3bet' is no size"),
        (2.5, "raises=2.5 is not a text"),
    ],
    "river_bets": [
        ("33", "at character 1, '33' is no size"),
    ],
    "oop_river_donk": [
        ("2x", "at character 1, '2x' is a multiple of the last bet, for raises only"),
    ],
    "donk": [
        ("50", "at character 1, '50' is no size"),
    ],
    "rake": [
        ("100%", "rake=100% takes the whole pot"),
        (1, "rake=1 takes the whole pot"),
        (5, "rake=5 takes the whole pot"),
        ("-5%", "rake=-5% is no part of the pot"),
        ("x", "rake=x is no part of the pot"),
        ("nan", "rake=nan is no part of the pot"),
        (nan, "rake=nan is no part of the pot"),
        ("5%%", "rake=5%% is no part of the pot"),
        (None, "rake=None is no part of the pot"),
        ("%", "rake=% is no part of the pot"),
        ([], "rake=[] is no part of the pot"),
    ],
    "rake_cap": [
        (3, "rake_cap=3 is given without a rate"),
    ],
    "raise_cap": [
        (-1, "raise_cap=-1 must be a whole number, at least 0 and at most 100"),
        (1.5, "raise_cap=1.5 must be a whole number, at least 0 and at most 100"),
        ("many", "raise_cap=many is not a whole number"),
        (101, "raise_cap=101 must be a whole number, at least 0 and at most 100"),
        (nan, "raise_cap=nan is not a whole number"),
    ],
    "add_all_in": [
        (-1, "add_all_in=-1 is no part of the pot"),
        ("x", "add_all_in=x is no part of the pot"),
        (nan, "add_all_in=nan is no part of the pot"),
        ("-10%", "add_all_in=-10% is no part of the pot"),
    ],
    "force_all_in": [
        ("-1%", "force_all_in=-1% is no part of the pot"),
    ],
    "merge": [
        ("a", "merge=a is no part of the pot"),
    ],
    "merge_suits": [
        ("maybe", "merge_suits=maybe must be true or false"),
        (2, "merge_suits=2 must be true or false"),
        (None, "merge_suits=None must be true or false"),
    ],
    "until": [
        (0, "until=0 is no target"),
        (-1, "until=-1 is no target"),
        ("0%", "until=0% is no target"),
        ("x", "until=x is no target"),
        ("x%", "until=x% is no target"),
        ("nan", "until=nan is no target"),
        (nan, "until=nan is no target"),
        ("%", "until=% is no target"),
        (None, "until=None is no target"),
        ("5 % of the pot", "until=5 % of the pot is no target"),
    ],
    "lock": [
        ("check", "lock='check' is no table of lines"),
        (["check"], "lock=['check'] is no table of lines"),
        ({1: "check"}, "lock={1: 'check'} is no table of lines"),
        ({"chek": "check"}, "unknown action in lock.'chek' 'chek'"),
        ({"check": "chek"}, "unknown action in lock.'check' 'chek'"),
        ({"check": ""}, "lock.'check': '' is no strategy"),
        ({"check": None}, "lock.'check': None is no strategy"),
        ({"check": "check 0.5"}, "lock.'check': the frequencies in 'check 0.5' sum to 0.5, not 1"),
        (
            {"check": "check 0.5, bet 100 0.6"},
            "lock.'check': the frequencies in 'check 0.5, bet 100 0.6' sum to 1.1, not 1",
        ),
        ({"check": "check, bet 100"}, "lock.'check': 'check' has no frequency"),
        ({"check": "check 2, bet 100 -1"}, "lock.'check': the frequency 2 of 'check' must be between 0 and 1"),
        ({"check": "bet 150"}, "unknown action in lock.'check' 'bet 150'"),
        ({"check": "check x"}, "lock.'check', frequency of check=x is not a finite number"),
        ({"check": "check 0.5, check 0.5"}, "lock.'check': 'check' is there twice"),
        ({"check": "AA: check"}, "lock.'check': 'AA' has no hand that can be held here"),
        ({"check": "AKx: check"}, "lock.'check'='AKx': at character 1, 'AKx' is no hand"),
        ({"check": "JJ:0.5: check"}, "lock.'check': 'JJ:0.5' has weights"),
        ({"check": "JJ check"}, "unknown action in lock.'check' 'JJ check'"),
        ({"check": "JJ:"}, "lock.'check': no action is given"),
        ({"check": "*: raise 300"}, "unknown action in lock.'check' 'raise 300'"),
        ({"check, check": "check"}, "lock.'check, check': nobody acts after 'check, check'"),
        ({"check, 8c": "check"}, "lock.'check, 8c': no card is turned up after 'check', where '8c' stands"),
        (
            {"check, check, 4c": "check"},
            "lock.'check, check, 4c': no card is turned up after 'check, check', where '4c' stands",
        ),
        (
            {"bet 100, raise 900, call, call": "fold"},
            "lock.'bet 100, raise 900, call, call': nobody acts after 'bet 100, raise 900, call', where 'call' stands",
        ),
        ({"bet 100, fold": "x"}, "lock.'bet 100, fold': nobody acts after 'bet 100, fold'"),
        ({"root": "fold"}, "unknown action in lock.'root' 'fold'"),
        ({"check": "check", "check ,": "check"}, "lock: the line 'check' is there twice"),
        ({"check": "check nan, bet 100 1"}, "lock.'check', frequency of check=nan is not a finite number"),
        ({"check": {"check": 1}}, "lock.'check': {'check': 1} is no strategy"),
        ({"check": ";"}, "lock.'check': ';' is no strategy"),
        ({"check": "call"}, "unknown action in lock.'check' 'call'"),
        ({"check": "check 1/0"}, "lock.'check', frequency of check=1/0 is not a finite number"),
    ],
    "bord": [
        ("x", "unknown key of holdem 'bord'"),
    ],
    "oop_bet": [
        ("50%", "unknown key of holdem 'oop_bet'"),
    ],
    "ip_donk": [
        ("50%", "unknown key of holdem 'ip_donk'"),
    ],
    "flop_donk": [
        ("a", "unknown key of holdem 'flop_donk'"),
    ],
    "rakecap": [
        (1, "unknown key of holdem 'rakecap'"),
    ],
    "stacks": [
        (900, "unknown key of holdem 'stacks'"),
    ],
    "lockk": [
        ({}, "unknown key of holdem 'lockk'"),
    ],
}

TOGETHER: list[tuple[dict[str, Any], str]] = [
    ({"oop": "AsKs", "ip": "AsAh,KsKd"}, "oop and ip: the ranges exclude each other"),
    ({"bets": "", "raises": ""}, "bets: nobody can ever bet"),
    ({"bets": "", "raises": "a"}, "bets: nobody can ever bet"),
    ({"rake_cap": 3}, "rake_cap=3 is given without a rate"),
    (
        {"bets": "1c", "raises": "1c", "stack": 1000000},
        "bets and raises are too small: after 120 actions (raise 119, raise 120) stacks of 1000000 are not in",
    ),
    ({"oop": "QsJs", "ip": "AA"}, "oop: all hands of the range have a card of the board QsJh2h8d3c"),
    (
        {"board": "QsJh2h8d", "lock": {"check, check, Qs": "check"}},
        "lock.'check, check, Qs': Qs is on the board already",
    ),
    ({"board": "QsJh2h8d", "lock": {"check, check, 4x": "check"}}, "unknown action in lock.'check, check, 4x' '4x'"),
    ({"board": "QsJh2h8d", "lock": {"4c": "check"}}, "lock.'4c': no card is turned up after '', where '4c' stands"),
    (
        {"board": "QsJh2h", "lock": {"check, check, 4c, check, check, 4c": "check"}},
        "lock.'check, check, 4c, check, check, 4c': 4c is on the board already",
    ),
]

SOURCES: list[tuple[Any, str]] = [
    ("river", "unknown spot 'river'"),
    ("", "unknown spot ''"),
    (3, "3 is no spot"),
    ("x.toml", "x.toml: there is no such file"),
    ("/tmp", "unknown spot '/tmp'"),
    ("river-polar.tom", "unknown spot 'river-polar.tom'"),
    ("..", "unknown spot '..'"),
    ("river-polr", "unknown spot 'river-polr'"),
]

SOUND_FILE = """\
board = "QsJh2h8d3c"
pot = 200
stack = 900
#
[oop]
range = "AA"
[ip]
range = "KK"
"""

FILES: list[tuple[str, str, str]] = [
    (SOUND_FILE, "", "board is missing"),
    (SOUND_FILE, "x", "can't read it: Expected '='"),
    (SOUND_FILE, "board =", "can't read it: Invalid value"),
    ("#", "pot = 100", "can't read it: Cannot overwrite a value"),
    ("pot", "pott", "unknown key 'pott'; did you mean 'pot'?"),
    ("range", "rang", "unknown key of [oop] 'rang'; did you mean 'range'?"),
    ("[ip]", "[IP]", "unknown key 'IP'; did you mean 'ip'?"),
    ("[ip]", "[extra]", "unknown key 'extra'"),
    ('range = "KK"', 'bets = "50%"', "ip (a range) is missing"),
    ("[oop]", "[oop]\nbets = '50'", "oop.bets='50': at character 1, '50' is no size"),
    ("[oop]", "[oop]\nriver.bets = '50%, 5z'", "oop.river.bets='50%, 5z': at character 6, '5z' is no size"),
    ("[oop]", "[oop]\nriver.bet = 'a'", "unknown key of [oop.river] 'bet'; did you mean 'bets'?"),
    ("[oop]", "[oop]\nriver = 'a'", "oop.river='a' is not a table"),
    ("[oop]", "[oop]\nflop.donk = 'a'", "unknown key of [oop.flop] 'donk'"),
    ("[ip]", "[ip]\ndonk = 'a'", "unknown key of [ip] 'donk'"),
    ("[ip]", "[ip]\nriver.donk = 'a'", "unknown key of [ip.river] 'donk'"),
    ('[oop]\nrange = "AA"', 'oop = "AA"', "oop='AA' is not a table"),
    ("#", "river = 'a'", "river='a' is not a table"),
    ("#", "river.bts = 'a'", "unknown key of [river] 'bts'; did you mean 'bets'?"),
    ("#", "rake = 5", "rake=5 takes the whole pot"),
    ("#", "rake = []", "rake=[] is no part of the pot"),
    ("#", "rake.rat = 1", "unknown key of [rake] 'rat'; did you mean 'rate'?"),
    ("#", "rake.rate = 'x'", "rake.rate=x is no part of the pot"),
    ("#", "rake.cap = 3", "rake.cap=3 is given without a rate"),
    ("#", "rake = {rate = '5%', cap = 'x'}", "rake.cap=x is not a finite number"),
    ("#", "rake = {rate = '5%', cap = -1}", "rake.cap=-1 must not be below 0"),
    ("#", "lock = 'check'", "lock='check' is not a table"),
    ("#", "lock.check = 1", "lock.'check': 1 is no strategy"),
    ("#", "lock.check = {}", "lock.'check': None is no strategy"),
    ("#", "lock.check.strat = 'check'", "unknown key of [lock.'check'] 'strat'; did you mean 'strategy'?"),
    ("#", "lock.check.strategy = 'bet 101'", "unknown action in lock.'check' 'bet 101'; did you mean 'bet 100'?"),
    ("#", "until = true", "until=True is no target"),
    ("#", "raise_cap = 'two'", "raise_cap=two is not a whole number"),
    ("#", "merge_suits = 'perhaps'", "merge_suits=perhaps must be true or false"),
    ("AA", "AX", "oop.range='AX': 'X' at character 2 is no rank"),
    ('"AA"', "5", "oop.range: a range is a text or a grid of 13 rows"),
    (
        '"AA"',
        "[[1, 2], [3]]",
        "oop.range: a range is a text or a grid of 13 rows of 13 weights, aces first, not 2 rows",
    ),
    ('"QsJh2h8d3c"', "5", "board=5 is not a text"),
    ("3c", "3x", "board='QsJh2h8d3x': 'x' at character 10 is no suit"),
    ("200", "2026-01-01", "pot=2026-01-01 is not a whole number"),
    ("200", "{}", "pot={} is not a whole number"),
    ("200", "nan", "pot=nan is not a whole number"),
    ("900", "-inf", "stack=-inf is not a whole number"),
    ("900", "true", "stack=True is not a whole number"),
]


def told(source: Any = None, **fields: Any) -> str:
    """What is said of a spot; one line that is short enough to be read."""
    with pytest.raises(UserError) as error:
        holdem(source, **fields)
    line = str(error.value)
    assert "\n" not in line
    assert len(line) < 300
    return line


@pytest.mark.parametrize(
    ("key", "value", "expected"), [(key, *row) for key, rows in KEYWORDS.items() for row in rows], ids=repr
)
def test_a_mistake_in_a_keyword_is_named(key: str, value: object, expected: str) -> None:
    line = told(**(SOUND | {key: value}))
    assert expected in line
    assert key in line


@pytest.mark.parametrize(("fields", "expected"), TOGETHER, ids=repr)
def test_keywords_that_do_not_go_together_are_named(fields: dict[str, Any], expected: str) -> None:
    assert expected in told(**(SOUND | fields))


def test_sizes_are_read_even_where_others_count() -> None:
    assert "bets='50': at character 1" in told(**SOUND | {"bets": "50", "oop_bets": "a", "ip_bets": "a"})


@pytest.mark.parametrize(("source", "expected"), SOURCES, ids=repr)
def test_a_source_that_is_no_spot_is_named(source: object, expected: str) -> None:
    assert expected in told(source)


@pytest.mark.parametrize(("old", "new", "expected"), FILES, ids=repr)
def test_a_mistake_in_a_file_is_named_with_the_file(old: str, new: str, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "spot.toml"
    assert old in SOUND_FILE
    path.write_text(SOUND_FILE.replace(old, new, 1), encoding="utf-8")
    assert told(str(path)).startswith(f"{path}: {expected}")


def test_what_is_no_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "spot.toml"
    path.write_bytes(b"\xff\xfe")
    assert told(str(path)) == f"{path}: this is not a text in UTF-8"


def test_there_are_two_hundred_of_them() -> None:
    assert sum(map(len, KEYWORDS.values())) + len(TOGETHER) + len(SOURCES) + len(FILES) > 200
