"""The benchmark as a picture: how many times as long peers take, how the cost of an iteration grows, and Hold'em."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from regretlab.plots.figures import COLOURS, MARKERS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 14.0, 5.2
"""Of the figure, in inches."""

SHARES = {"ratios": 3, "growth": 2, "recipes": 2, "flop": 2}
"""How the panels share the width."""

MARK: dict[str, Any] = {"color": "0.6", "linestyle": (0, (4, 3)), "linewidth": 1}
"""A line that is not a result: what a curve is to get below, where a cache ends."""

QUANTITIES = {"iteration, cfr+": "", "iteration, external sampling": ",\nsampled"}
"""What the bars show, and what stands behind the name of the game then."""

OURS = "regretlab"
BARS = 0.8
"""The share of a game's room that its bars take together."""


def benchmark(report: Mapping[str, Any]) -> Figure:
    """Panels from the dictionary that ``regretlab bench --json`` writes.

    Left, for each game a bar a peer: how many times as long one iteration takes, with the quartiles over rounds; first
    of CFR+, then of external sampling.
    Then nanoseconds an iteration and payoff entry against the size of the game, with the caches marked. Right, of
    Hold'em: what could still be gained against each recipe after so many iterations on a river, and on a flop after
    such a time. What was not measured has no panel.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, HEIGHT), layout="constrained")
    FigureCanvasAgg(figure)
    measured = {
        "ratios": _ratios(report),
        "growth": report["growth"],
        "recipes": report["holdem"]["compared"],
        "flop": report["holdem"]["flop"],
    }
    draw = {"ratios": _draw_ratios, "growth": _draw_growth, "recipes": _draw_recipes, "flop": _draw_flop}
    shown = [part for part, found in measured.items() if found]
    if shown:
        shares = [SHARES[part] for part in shown]
        every = figure.subplots(1, len(shown), squeeze=False, width_ratios=shares)[0]
        for axes, part in zip(every, shown, strict=True):
            draw[part](axes, report)
    title = "regretlab side by side with its peers, one core of" if measured["ratios"] else "regretlab on"
    figure.suptitle(f"{title} {report['machine']['processor']}", fontweight="bold")
    return figure


def _ratios(report: Mapping[str, Any]) -> dict[str, dict[str, Mapping[str, float]]]:
    """Of each game those of all peers."""
    return {
        f"{one['game']}{behind}": {ratio["name"]: ratio for ratio in one["ratios"] if ratio["to"] == OURS}
        for quantity, behind in QUANTITIES.items()
        for one in report["measurements"]
        if one["quantity"] == quantity
    }


def _draw_ratios(axes: Axes, report: Mapping[str, Any]) -> None:
    ratios = _ratios(report)
    peers = list(dict.fromkeys(name for found in ratios.values() for name in found))
    width = BARS / max(1, len(peers))
    for k, peer in enumerate(peers):
        places = [place for place, found in enumerate(ratios.values()) if peer in found]
        found = [one[peer] for one in ratios.values() if peer in one]
        _draw_bars(axes, [place + (k - (len(peers) - 1) / 2) * width for place in places], found, width, peer, k)
    axes.axhline(1, color="0.25", linewidth=1.2)
    axes.set_yscale("log")
    axes.set_xticks(range(len(ratios)), list(ratios))
    axes.set_title("One iteration, both players", fontsize=11)
    axes.set_ylabel("times as long as regretlab")
    if peers:  # below, where no bar can reach
        axes.legend(frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.1), ncols=len(peers), columnspacing=1)
    _tidy(axes, "y")


def _draw_bars(
    axes: Axes, places: Sequence[float], ratios: Sequence[Mapping[str, float]], width: float, peer: str, k: int
) -> None:
    heights = [ratio["median"] for ratio in ratios]
    below = [ratio["median"] - ratio["low"] for ratio in ratios]
    above = [ratio["high"] - ratio["median"] for ratio in ratios]
    colour = COLOURS[k % len(COLOURS)]
    axes.bar(places, heights, width * 0.92, yerr=(below, above), color=colour, ecolor="0.3", capsize=2, label=peer)
    for place, ratio in zip(places, ratios, strict=True):
        text = f"{ratio['median']:,.0f}×" if ratio["median"] >= 10 else f"{ratio['median']:.2g}×"
        axes.annotate(text, (place, ratio["high"]), (0, 4), textcoords="offset points", ha="center", fontsize=8)


def _draw_growth(axes: Axes, report: Mapping[str, Any]) -> None:
    families = list(dict.fromkeys(point["family"] for point in report["growth"]))
    for k, family in enumerate(families):
        points = [point for point in report["growth"] if point["family"] == family]
        axes.plot(
            [point["footprint"] for point in points],
            [point["nanoseconds"] for point in points],
            color=COLOURS[k],
            marker=MARKERS[k],
            linewidth=1.7,
            label=family,
        )
    axes.set_xscale("log")
    _mark_caches(axes, report["machine"]["caches"])
    axes.legend(frameon=False)
    axes.set_ylim(bottom=0)
    axes.set_title("How the cost of an iteration grows", fontsize=11)
    axes.set_xlabel("bytes of all arrays")
    axes.set_ylabel("nanoseconds a payoff entry")
    _tidy(axes, "both")


def _mark_caches(axes: Axes, caches: Mapping[str, int]) -> None:
    """A line where each cache ends."""
    for name, size in caches.items():
        axes.axvline(size, **MARK)
        axes.annotate(
            name, (size, 0.99), (3, 0), xycoords=("data", "axes fraction"), textcoords="offset points", va="top"
        )


def _draw_recipes(axes: Axes, report: Mapping[str, Any]) -> None:
    compared = report["holdem"]["compared"]
    for k, run in enumerate(compared):
        looks = run["looks"]
        iterations, parts = [look["iteration"] for look in looks], [100 * look["part"] for look in looks]
        axes.plot(iterations, parts, color=COLOURS[k % len(COLOURS)], linewidth=1.7, label=run["name"])
    axes.axhline(100 * compared[0]["target"], **MARK)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.legend(frameon=False)
    axes.set_title(compared[0]["spot"], fontsize=11)
    axes.set_xlabel("iterations")
    axes.set_ylabel("exploitability in percent of the pot")
    _tidy(axes, "both")


def _draw_flop(axes: Axes, report: Mapping[str, Any]) -> None:
    flop = report["holdem"]["flop"]
    seconds = [look["seconds"] for look in flop["looks"]]
    axes.plot(
        seconds, [100 * look["part"] for look in flop["looks"]], color=COLOURS[0], marker=MARKERS[0], markersize=3
    )
    axes.axhline(100 * flop["target"], **MARK)
    axes.set_yscale("log")
    axes.set_xlim(left=0)
    axes.set_title(f"{flop['spot']}, {flop['precision']}, {flop['cores']} cores", fontsize=11)
    axes.set_xlabel("seconds of solving")
    axes.set_ylabel("exploitability in percent of the pot")
    _tidy(axes, "both")


def _tidy(axes: Axes, grid: Any) -> None:
    axes.grid(True, axis=grid, which="major", color="0.88", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
