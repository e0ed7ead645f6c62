"""Spots as people write them: keywords in Python, a TOML file, or the name of one that comes with the package.

All three end up as the same flat keywords. Sizes may be given for both players and all streets (``bets``), for a player
(``oop_bets``), for a street (``river_bets``) or for both (``oop_river_bets``); the last of these that is given counts.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from regretlab.endgames.betting import STREETS, Rake
from regretlab.endgames.cards import read_cards
from regretlab.endgames.ranges import Range, read_range
from regretlab.endgames.sizes import Menu, Thresholds, part, read_sizes
from regretlab.endgames.spot import PLAYERS, Spot
from regretlab.errors import UserError, unknown
from regretlab.games.registry import SPOT_FILE
from regretlab.spec import number, truth, whole

READY = Path(__file__).parent / "ready"
"""Where the spots that come with the package are."""

USUAL_SIZES = "50%, a"
"""What may be bet and raised where nothing is said."""

MOST_CHIPS = 10**12
"""Beyond this, floats that count chips would no longer be exact in the sums that solvers make."""

_KINDS = ("bets", "raises", "donk")
_MENU_KEYS = tuple(
    f"{who}{street}{kind}"
    for who in ("", "oop_", "ip_")
    for street in ("", "flop_", "turn_", "river_")
    for kind in _KINDS
    # Only who is out of position can bet into the last aggressor, and only after a street has been played.
    if kind != "donk" or (who != "ip_" and street != "flop_")
)
KEYS = (
    *("board", "pot", "stack", "oop", "ip", "bets", "raises", "donk", "rake", "rake_cap", "raise_cap"),
    *("add_all_in", "force_all_in", "merge", "lock", "merge_suits", "until"),
    *(key for key in _MENU_KEYS if key not in _KINDS),
)
"""The keywords that ``holdem`` takes."""


class Given(NamedTuple):
    """A value and how its key is called where it was written, for errors."""

    value: Any
    shown: str


def holdem(source: str | None = None, **fields: Any) -> Spot:
    """A Texas Hold'em endgame for two players: from a TOML file, a ready name, or keywords; keywords override.

    The source may also be the text of such a file, which is how saved runs keep their spot.

    >>> spot = holdem(board="QsJh2h8d3c", pot=200, stack=900, oop="QQ+,AKs", ip="JJ-88,AQs", bets="50%,a", raises="a")
    >>> spot.name, spot.counts.decisions
    ('holdem(QsJh2h8d3c)', 8)
    >>> holdem("river-polar").name
    'holdem:river-polar'
    """
    for key in fields:
        if key not in KEYS:
            raise unknown("key of holdem", key, KEYS)
    overriding = {key: Given(value, key) for key, value in fields.items()}
    if source is None:
        return _spot(overriding)
    if not isinstance(source, str | Path):
        raise UserError(f"{source!r:.60} is no spot; give the path of a .toml file, a ready name, or keywords")
    text = str(source)
    is_file = text.endswith(SPOT_FILE)
    if not is_file and "=" in text:
        return _spot(_flat(_parsed(text)) | overriding)
    if not is_file and text not in ready_spots():
        raise unknown("spot", text, [*ready_spots(), f"a path that ends in {SPOT_FILE}"])
    path = Path(text) if is_file else READY / f"{text}{SPOT_FILE}"
    try:
        return _spot(_flat(_parsed(_read(path))) | overriding, title="" if fields or is_file else text)
    except UserError as error:
        raise UserError(f"{text}: {error}") from None


def spot_of_table(table: Mapping[str, Any]) -> Spot:
    """The spot that a TOML document describes, which has been read already."""
    return _spot(_flat(table))


def ready_spots() -> list[str]:
    """The names of the spots that come with the package."""
    return sorted(path.stem for path in READY.glob(f"*{SPOT_FILE}"))


def ready_text(name: str) -> str:
    """The file of a spot that comes with the package; its first line is a comment that says what it is."""
    if name not in ready_spots():
        raise unknown("spot", name, ready_spots())
    return _read(READY / f"{name}{SPOT_FILE}")


def spot_fields(text: str) -> dict[str, Any]:
    """The keywords of ``holdem`` that the text of a file stands for, as they are written there.

    >>> spot_fields('pot = 20\\n[oop]\\nrange = "AA"\\nriver.bets = "50%"')
    {'pot': 20, 'oop': 'AA', 'oop_river_bets': '50%'}
    """
    return {key: given.value for key, given in _flat(_parsed(text)).items()}


def template() -> str:
    """A spot in TOML with a comment on every line, to be changed and saved."""
    return _TEMPLATE


def _read(path: Path) -> str:
    """The text in a file."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UserError("there is no such file") from None
    except UnicodeDecodeError:
        raise UserError("this is not a text in UTF-8") from None
    except OSError as error:
        raise UserError(f"can't read it: {error.strerror or error}") from None


def _parsed(text: str) -> dict[str, Any]:
    """What a text in TOML says."""
    try:
        return tomllib.loads(text)
    except ValueError as error:
        raise UserError(f"can't read it: {' '.join(str(error).split())}") from None


_TOP_KEYS = (
    *("board", "pot", "stack", "until", "oop", "ip", "bets", "raises", "donk", *STREETS, "rake", "raise_cap"),
    *("add_all_in", "force_all_in", "merge", "merge_suits", "lock"),
)


def _flat(data: Mapping[str, Any]) -> dict[str, Given]:
    """The keywords of a TOML document: ``[oop] river.bets`` is ``oop_river_bets``."""
    flat: dict[str, Given] = {}
    for key, value in _known("key", data, _TOP_KEYS).items():
        if key in PLAYERS:
            kinds = [kind for kind in _KINDS if f"{key}_{kind}" in KEYS]
            for part, inner in _known(f"key of [{key}]", _table(key, value), ("range", *kinds, *STREETS)).items():
                if part in STREETS:
                    flat |= _street(f"{key}_", f"{key}.", part, inner)
                else:
                    flat[key if part == "range" else f"{key}_{part}"] = Given(inner, f"{key}.{part}")
        elif key in STREETS:
            flat |= _street("", "", key, value)
        elif key == "rake" and isinstance(value, Mapping):
            names = {"rate": "rake", "cap": "rake_cap"}
            for part, inner in _known("key of [rake]", value, names).items():
                flat[names[part]] = Given(inner, f"rake.{part}")
        elif key == "lock":
            strategies = {line: _locked(line, inner) for line, inner in _table(key, value).items()}
            flat[key] = Given(strategies, key)
        else:
            flat[key] = Given(value, key)
    return flat


def _street(prefix: str, shown: str, street: str, value: Any) -> dict[str, Given]:
    """The sizes of one street."""
    kinds = [kind for kind in _KINDS if f"{prefix}{street}_{kind}" in KEYS]
    table = _known(f"key of [{shown}{street}]", _table(f"{shown}{street}", value), kinds)
    return {f"{prefix}{street}_{kind}": Given(text, f"{shown}{street}.{kind}") for kind, text in table.items()}


def _locked(line: str, value: Any) -> Any:
    """The strategy of a lock, which stands alone or in a table of its own."""
    if not isinstance(value, Mapping):
        return value
    _known(f"key of [lock.'{line}']", value, ("strategy",))
    return value.get("strategy")


def _table(key: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise UserError(f"{key}={value!r:.40} is not a table; write [{key}] and its keys below")
    return value


def _known(kind: str, table: Mapping[str, Any], names: Any) -> Mapping[str, Any]:
    """The table, if it has no other keys."""
    for key in table:
        if key not in names:
            raise unknown(kind, key, names)
    return table


def _spot(given: Mapping[str, Given], title: str = "") -> Spot:
    """Make the spot of flat keywords."""
    for key in ("board", "pot", "stack", *PLAYERS):
        if key not in given:
            shown = f"{key} (a range)" if key in PLAYERS else key
            raise UserError(f"{shown} is missing; a spot needs board, pot, stack and a range for oop and ip")
    board = read_cards(given["board"].value, given["board"].shown)
    chips = {key: whole(given[key].shown, given[key].value, least=1, most=MOST_CHIPS) for key in ("pot", "stack")}
    return Spot(
        board=board,
        pot=chips["pot"],
        stack=chips["stack"],
        ranges=(_range(given["oop"]), _range(given["ip"])),
        menus=_menus(given),
        rake=_rake(given),
        thresholds=Thresholds(*(_part(given, key) for key in Thresholds._fields)),
        raise_cap=_raise_cap(given),
        lock=_lock(given),
        merge_suits=truth("merge_suits", given["merge_suits"].value) if "merge_suits" in given else True,
        until=str(given["until"].value) if "until" in given else None,
        title=title,
    )


def _range(given: Given) -> Range:
    return given.value if isinstance(given.value, Range) else read_range(given.value, given.shown)


def _menus(given: Mapping[str, Given]) -> tuple[tuple[Menu, ...], tuple[Menu, ...]]:
    """Each player's sizes on flop, turn and river: those of the longest key that is given."""
    # All are read, so that a mistake is found even where another key counts.
    read = {key: read_sizes(*given[key]) for key in _MENU_KEYS if key in given}
    usual = read_sizes(USUAL_SIZES, "bets")

    def menu(player: str, street: str) -> Menu:
        keys = {kind: (f"{player}_{street}_{kind}", f"{street}_{kind}", f"{player}_{kind}", kind) for kind in _KINDS}
        bets, raises, donk = (next((read[key] for key in keys[kind] if key in read), None) for kind in _KINDS)
        # Nobody in position, and nobody on the flop, can bet into the last aggressor.
        donk = None if player == "ip" or street == STREETS[0] else donk
        return Menu(usual if bets is None else bets, usual if raises is None else raises, donk)

    zero, one = (tuple(menu(player, street) for street in STREETS) for player in PLAYERS)
    return zero, one


def _rake(given: Mapping[str, Given]) -> Rake:
    """The house's part, and its cap."""
    rate = _part(given, "rake")
    if rate >= 1:
        raise UserError(f"{given['rake'].shown}={given['rake'].value} takes the whole pot; write 5% or 0.05")
    if "rake_cap" not in given:
        return Rake(rate)
    value, shown = given["rake_cap"]
    cap = number(shown, value)
    if cap < 0:
        raise UserError(f"{shown}={value} must not be below 0; it is the most chips that the house takes of a pot")
    if not rate:
        raise UserError(f"{shown}={value} is given without a rate; write a rate such as 5% as well")
    return Rake(rate, cap)


def _part(given: Mapping[str, Given], key: str) -> Fraction:
    """A part of the pot; 0 where it is not given."""
    return part(given[key].shown, given[key].value) if key in given else Fraction(0)


def _raise_cap(given: Mapping[str, Given]) -> int | None:
    if "raise_cap" not in given:
        return None
    return whole("raise_cap", given["raise_cap"].value, least=0, most=100)


def _lock(given: Mapping[str, Given]) -> tuple[tuple[str, str], ...]:
    """The locks, as lines and strategies; Spot reads them once there is a tree."""
    if "lock" not in given:
        return ()
    value = given["lock"].value
    if not isinstance(value, Mapping) or not all(isinstance(line, str) for line in value):
        raise UserError(f"lock={value!r:.40} is no table of lines; write it like {{'check': 'check'}}")
    return tuple(value.items())


_TEMPLATE = """\
# A Texas Hold'em endgame for two players. Solve it: regretlab solve spot.toml
board = "QsJh2h8d3c"        # 3, 4 or 5 cards: flop, turn or river
pot = 200                   # chips in the middle; both have put in half
stack = 900                 # chips behind, the smaller of the two
until = "0.5%"              # solve until nobody can gain more than this: of the pot, or chips (until = 1)

# raise_cap = 3             # the most raises on a street, the first bet not counted
# add_all_in = "150%"       # offer all-in where it is at most this much of the pot
# force_all_in = "20%"      # a size is all-in where a call would leave at most this much of the pot behind
# merge = "10%"             # of two sizes closer than this the smaller is left out

[oop]                       # out of position: first to act
range = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,T9s,98s,87s"  # weights: AA:0.5
bets = "50%, 100%, a"       # when nobody has bet: of the pot; a is all-in, 100c chips, 2e geometric
raises = "100%, a"          # when somebody has: of the pot after calling; 2.5x is a multiple of the last bet
river.bets = "33%, 75%, a"  # a street of its own, where it differs
# donk = ""                 # bets on turn and river after having called the street before; "" is none

[ip]                        # in position
range = "QQ-22,AQs-A2s,ATo+,K9s+,KJo+,Q9s+,J9s+,T8s+,97s+,86s+"
bets = "50%, 100%, a"
raises = "100%, a"

# [rake]                    # taken of every pot, folds included; then the game is not zero-sum
# rate = "5%"
# cap = 30

# [lock."check"]            # the decision after these actions, separated by commas
# strategy = "QQ,JJ: bet 100; *: check 0.7, bet 100 0.3"
"""
