"""The colours of charts: they stand out from the paper and from each other, to colour-blind eyes, too."""

import math
import re
from itertools import combinations
from pathlib import Path

import pytest

STYLE = (Path(__file__).parents[2] / "src" / "regretlab" / "plots" / "web" / "chart.css").read_text(encoding="utf-8")

# How linear red, green and blue look without one kind of cones (Machado, Oliveira, Fernandes, 2009, severity 1).
EYES = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no green": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "no blue": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
LEAST_CONTRAST = 3.0
"""Of graphics (WCAG 2.2, 1.4.11); text needs more."""
LEAST_TEXT_CONTRAST = 4.5
LEAST_DISTANCE = 20.0
"""In the colour space CIELAB, where 2 is just noticeable."""

Linear = tuple[float, ...]


def linear(colour: str) -> Linear:
    channels = (int(colour[k : k + 2], 16) / 255 for k in (0, 2, 4))
    return tuple(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)


def luminance(colour: Linear) -> float:
    return 0.2126 * colour[0] + 0.7152 * colour[1] + 0.0722 * colour[2]


def contrast(one: Linear, other: Linear) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def lab(colour: Linear) -> tuple[float, float, float]:
    def root(t: float) -> float:
        return t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116

    r, g, b = colour
    x, y, z = (
        root(t)
        for t in (
            (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
            luminance(colour),
            (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
        )
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def seen(colour: Linear, eye: str) -> Linear:
    return tuple(min(1.0, max(0.0, sum(a * b for a, b in zip(row, colour, strict=True)))) for row in EYES[eye])


def colours(theme: int, pattern: str) -> list[Linear]:
    found = re.findall(rf"--{pattern}: light-dark\(#(\w+), #(\w+)\)", STYLE)
    return [linear(pair[theme]) for pair in found]


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_lines_and_words_stand_out_from_the_paper(theme: int) -> None:
    (paper,) = colours(theme, "paper")
    lines = colours(theme, r"series-\d")
    assert len(lines) == 8
    assert min(contrast(line, paper) for line in lines) >= LEAST_CONTRAST
    assert min(contrast(word, paper) for word in colours(theme, "(?:ink|quiet)")) >= LEAST_TEXT_CONTRAST


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("eye", EYES)
def test_lines_differ_from_each_other(theme: int, eye: str) -> None:
    places = [lab(seen(line, eye)) for line in colours(theme, r"series-\d")]
    assert min(math.dist(*pair) for pair in combinations(places, 2)) >= LEAST_DISTANCE
