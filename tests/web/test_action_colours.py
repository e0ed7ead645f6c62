"""Colours of actions: told apart in both themes by people who see all colours and by those who do not.

Letters stand beside the colours everywhere; this is about how soon a grid is read.
"""

import itertools
import re
from pathlib import Path

import numpy as np
import pytest

import regretlab

PACKAGE = Path(regretlab.__file__).parent
ACTIONS, CHANGES = PACKAGE / "plots/web/actions.css", PACKAGE / "web/page/css/holdem/lock.css"
LEAST = 10.0
"""Hundredths of OKLab, in which black and white are 100 apart; less than about 5 takes a second look."""

SEEN = {
    "by most": np.eye(3),
    "without red": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "without green": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "without blue": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
"""What is left of linear red, green and blue: Machado, Oliveira and Fernandes (2009), full severity."""

TO_CONES = [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
]
TO_LAB = [
    [0.2104542553, 0.7936177850, -0.0040720468],
    [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660],
]
"""Ottosson (2020), "A perceptual color space for image processing"."""


def colours(file: Path, pattern: str) -> dict[str, tuple[str, str]]:
    """Custom properties and their colours in the light and the dark theme."""
    found = re.findall(rf"--({pattern}): light-dark\((#\w{{6}}), (#\w{{6}})\)", file.read_text())
    return {name: (light, dark) for name, light, dark in found}


def lab(colour: str, seen: object) -> np.ndarray:
    """A colour in OKLab, as it is seen."""
    coded = np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    linear = np.where(coded <= 0.04045, coded / 12.92, ((coded + 0.055) / 1.055) ** 2.4)
    return np.array(TO_LAB) @ np.cbrt(np.array(TO_CONES) @ np.clip(np.array(seen) @ linear, 0, 1))


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("who", list(SEEN))
def test_colours_of_actions_and_of_changes_are_far_apart(who: str, theme: int) -> None:
    actions, changes = colours(ACTIONS, "act-[a-z0-9-]+"), colours(CHANGES, "more|less")
    assert (len(actions), len(changes)) == (6, 2)
    for group in (actions, changes):
        for (one, first), (other, second) in itertools.combinations(group.items(), 2):
            apart = 100 * np.linalg.norm(lab(first[theme], SEEN[who]) - lab(second[theme], SEEN[who]))
            assert apart >= LEAST, (one, other, apart)
