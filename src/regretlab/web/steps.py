"""The arithmetic of an information set as a piece of a page, in three steps."""

from __future__ import annotations

from regretlab.documents.html import fragment
from regretlab.explaining import Arithmetic
from regretlab.explaining.advantages import Advantages
from regretlab.web.people import for_people

TITLES = ("What each action is worth", "What is regretted", "What is played next")


def in_steps(told: Arithmetic | Advantages) -> str:
    """Three sections in HTML, with formulas in MathML; players are 1 and 2."""
    titles = told.TITLES if isinstance(told, Advantages) else TITLES
    steps = zip(titles, told.steps, strict=True)
    return "".join(
        f'<section class="step" data-step="{number}"><h4>{title}</h4>{for_people(fragment(document))}</section>'
        for number, (title, document) in enumerate(steps, start=1)
    )
