"""The end of a walkthrough: the next strategies, the square of algorithms, summary, takeaways, reference card."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from regretlab.documents import Block, Bullets, Cell, Code, Heading, Paragraph, Table, Value, Words, code, words
from regretlab.explaining.card import card
from regretlab.explaining.events import Lesson, Numbers, Run, Update
from regretlab.explaining.scope import Scope
from regretlab.explaining.steps import listed
from regretlab.explaining.textbook import is_one_of_four
from regretlab.explaining.together import all_together, together
from regretlab.explaining.weighing import positive_actions, tell_weighing

_ACCUMULATES = {"sum": "sum: R ← R + r", "truncate": "truncate: R ← max(R + r, 0)"}
_WEIGHS = {"regret-matching": "regret matching: σ ∝ R₊", "normalhedge": "NormalHedge: σ ∝ R₊/c · exp(R₊²/2c)"}
_WHY = {
    "accumulate": "one of them forgets what is lost below 0",
    "alpha": "they forget what was gained at another pace",
    "beta": "they forget what was lost at another pace",
    "predict": "one of them expects what it saw last to come once more",
    "weigh": "they make something else of their regrets",
    "averaging": "their averages count otherwise",
    "schedule": "the players learn at other times",
}
_SQUARE = {
    ("sum", "regret-matching"): "cfr",
    ("sum", "normalhedge"): "normalhedge",
    ("truncate", "regret-matching"): "cfr+",
    ("truncate", "normalhedge"): "normalhedge+",
}


def tell_closing(lesson: Lesson, scope: Scope) -> Iterator[Block]:
    """Everything after the last iteration."""
    told = scope.labels(*(one for run in lesson.runs for one in run.passes))
    yield from _next_strategies(lesson, told)
    yield from _square(lesson)
    yield from _summary(lesson, told)
    yield Heading(2, words("Takeaways"))
    yield Bullets(tuple(_takeaways(lesson, told)))
    yield from _reference_card(lesson)


def _final(run: Run, told: set[str]) -> dict[str, Update]:
    """The last update of each information set, in the order in which they were first met."""
    return {update.label: update for update in run.updates if update.label in told}


def _next_strategies(lesson: Lesson, told: set[str]) -> Iterator[Block]:
    """The strategies after the last iteration in which something has to be worked out: several regrets are positive."""
    last = [
        {update.label: update for update in run.iterations[-1].updates if update.label in told} for run in lesson.runs
    ]
    mixed = [label for updates in last for label, update in updates.items() if _is_mixed(update)]
    if mixed:
        yield Heading(2, words("The next strategies, worked out"))
        yield Paragraph(words("Where more than one action will be played:"))
    for label in dict.fromkeys(mixed):
        learned = [
            (run.name, updates[label]) for run, updates in zip(lesson.runs, last, strict=True) if label in updates
        ]
        meaning = learned[0][1].meaning
        yield Heading(3, words(f"{label}: {meaning}" if meaning else label))
        names = [name for name, _ in learned]
        yield from all_together(names, [tell_weighing(update.next, update.actions) for _, update in learned])


def _is_mixed(update: Update) -> bool:
    return len(positive_actions(update.next, update.actions)) > 1 or update.next.rate is not None


def _square(lesson: Lesson) -> Iterator[Block]:
    """The four algorithms as two choices."""
    yield Heading(2, words("Two choices make four algorithms"))
    yield Paragraph(words("What is kept of the regrets, and what is made of them:"))
    rows = tuple((_ACCUMULATES[kept], *(_square_cell(lesson, kept, made) for made in _WEIGHS)) for kept in _ACCUMULATES)
    yield Table("", ("", *_WEIGHS.values()), rows)


def _square_cell(lesson: Lesson, accumulate: str, weigh: str) -> str:
    """The algorithm's name, and which of the recipes that were told are of its kind, if they are called otherwise."""
    kind = _SQUARE[accumulate, weigh]
    plain = [run for run in lesson.runs if is_one_of_four(run.recipe)]
    told = [run.name for run in plain if (run.recipe.accumulate, run.recipe.weigh) == (accumulate, weigh)]
    others = [name for name in told if name != kind]
    return f"{kind}: {', '.join(others)}" if others else kind


def _summary(lesson: Lesson, told: set[str]) -> Iterator[Block]:
    """Where the recipes stand at the end, column by column."""
    yield Heading(2, words("Summary"))
    finals = [_final(run, told) for run in lesson.runs]
    tables: tuple[tuple[str, Callable[[Update], Numbers]], ...] = (
        ("The regrets R:", lambda update: update.learning.regrets_after),
        ("The next strategy σ:", lambda update: update.next.strategy),
        ("The average strategy, S divided by its sum:", lambda update: update.average),
    )
    for title, column in tables:
        yield Paragraph(words(title))
        yield _comparison(lesson, finals, column)
    yield Paragraph(words("What player 0 won on average in each iteration, as the strategies were when it began:"))
    rows: list[tuple[Cell, ...]] = [
        (str(number + 1), *(Value(run.iterations[number].passes[0].value) for run in lesson.runs))
        for number in range(len(lesson.runs[0].iterations))
    ]
    yield Table("", ("iteration", *(run.name for run in lesson.runs)), tuple(rows))


def _comparison(lesson: Lesson, finals: Sequence[dict[str, Update]], column: Callable[[Update], Numbers]) -> Table:
    """A row an action, a column a recipe."""
    rows: list[tuple[Cell, ...]] = []
    for label in dict.fromkeys(label for final in finals for label in final):
        actions = next(final[label].actions for final in finals if label in final)
        for number, action in enumerate(actions):
            cells = (Value(column(final[label])[number]) if label in final else None for final in finals)
            rows.append((label if number == 0 else "", action, *cells))
    return Table("", ("at", "action", *(run.name for run in lesson.runs)), tuple(rows))


def _takeaways(lesson: Lesson, told: set[str]) -> Iterator[Words]:
    """What there is to learn: what always holds, and where these recipes parted on these deals."""
    yield words(
        "The walk is the same for every recipe: what an action was worth, minus what was played, times how probable "
        "the others make it to come here. Recipes differ in what they keep of that and in what they make of it."
    )
    if all(run.recipe.weigh != "hedge" for run in lesson.runs):
        yield words("An action without positive regret is not played at all, unless no action has one; then all are.")
    for part, why in _WHY.items():
        yield from _parted(lesson, told, part, why)
    yield words(
        "It is the average that comes to an equilibrium, not the last strategy. A few iterations prove nothing; ",
        code(f"regretlab compare {lesson.game}" if "(" not in lesson.game else f"regretlab compare '{lesson.game}'"),
        " runs thousands.",
    )


def _parted(lesson: Lesson, told: set[str], part: str, why: str) -> Iterator[Words]:
    """Pairs of recipes that differ in one part alone, by the places where they will play differently for it."""
    places: dict[tuple[str, ...], list[Words]] = {}
    for one, other in combinations(lesson.runs, 2):
        parts = {key for key, value in one.recipe.parts.items() if value != other.recipe.parts.get(key)}
        if parts == {part}:
            places.setdefault(_differences(one, other, told), []).append(_pair(one, other))
    for labels, pairs in places.items():
        named = tuple(span for pair in pairs for span in (*words(", and "), *pair))[1:]
        if labels:
            yield (*named, *words(" will play differently at ", *listed(labels), f", because {why}."))
        else:
            yield (*named, *words(" will play alike: these iterations have not told them apart."))


def _pair(one: Run, other: Run) -> Words:
    return words(code(one.name), " and ", code(other.name))


def _differences(one: Run, other: Run, told: set[str]) -> tuple[str, ...]:
    """Where the next strategies of two recipes differ."""
    first, second = _final(one, told), _final(other, told)
    return tuple(
        label for label in first if label in second and first[label].next.strategy != second[label].next.strategy
    )


def _reference_card(lesson: Lesson) -> Iterator[Block]:
    yield Heading(2, words("Reference card"))
    yield Paragraph(
        words(
            "The update of one information set, as Python that runs. It finds R, S, the strategy that was played, its "
            "instantaneous regrets r, the own reach and t; it leaves R, S and the next strategy."
            + (" Hedge also keeps V." if any(run.recipe.weigh == "hedge" for run in lesson.runs) else "")
        )
    )
    yield from together([run.name for run in lesson.runs], [(Code(card(run.recipe)),) for run in lesson.runs])
