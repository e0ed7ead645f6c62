"""The chapters of a walkthrough: what is going to happen, the iterations, and what is to be learned from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from regretlab.documents.blocks import (
    Block,
    Bullets,
    Cell,
    Code,
    Document,
    Equations,
    Heading,
    Paragraph,
    Table,
    Words,
    code,
    words,
)
from regretlab.documents.expressions import Equation, Symbol, Value, divide
from regretlab.documents.numbers import DECIMALS, DIGITS, Notation, count
from regretlab.explaining.textbook import FOUR, Numbers, fade, is_one_of_four, least_sum, level
from regretlab.explaining.update_words import ANY, describe_weighing, positive_actions
from regretlab.explaining.walkthroughs.iterations import (
    SpelledOut,
    describe_iteration,
    listed,
    piece_by_piece,
    side_by_side,
)
from regretlab.explaining.walkthroughs.reference_card import card
from regretlab.explaining.walkthroughs.walk_events import Lesson, UpdateEvent
from regretlab.rules import ACCUMULATIONS, WEIGHINGS
from regretlab.solving import RECIPES
from regretlab.solving.formula import formulas

_SYMBOLS = {
    "σ(a)": "the strategy: the probability with which action a is played",
    "u": "the payoff where the game ends: what player 0 wins, and player 1 loses",
    "v(a)": "what the player who decides can expect after action a, in chips",
    "v": "what it can expect from what it plays; player 1's values are told from player 1's side",
    "π₀, π₁": "the reach: how probable each player's own choices make it to come here",
    "r(a)": "the instantaneous regret: what always playing a would have brought more, this time",
    "R(a), R₊(a)": "the regret so far, and its positive part",
    "S(a), w": "what the average strategy is made from, and the weight of an iteration in it",
    "N": "the number of actions",
}
_WHY = {
    "accumulate": "one of them forgets what is lost below 0",
    "alpha": "they forget what was gained at another pace",
    "beta": "they forget what was lost at another pace",
    "predict": "one of them expects more of what it saw last to come once more",
    "weigh": "they make something else of their regrets",
    "averaging": "their averages count otherwise",
    "schedule": "the players learn at other times",
}
"""Why two recipes come to play differently, by the part in which they differ."""


def describe_lesson(lesson: Lesson, notation: Notation, depth: int | None = None) -> Document:
    """The whole walkthrough; decisions that come after ``depth`` others are summed up."""
    detail = SpelledOut.of(lesson, depth)
    labels = detail.labels(*(one for run in lesson.runs for one in run.passes))
    finals = [{update.label: update for update in run.updates if update.label in labels} for run in lesson.runs]
    blocks = [*_plan(lesson, notation, detail), *_start(lesson)]
    for schedule in dict.fromkeys(run.recipe.schedule for run in lesson.runs):
        # Recipes with the same schedule do the same passes, so they are described together.
        runs = [run for run in lesson.runs if run.recipe.schedule == schedule]
        if len(runs) < len(lesson.runs):
            blocks.append(Heading(2, words(f"{', '.join(run.name for run in runs)}: {schedule} updates")))
        for place, iteration in enumerate(runs[0].iterations):
            deal = iteration.deal or ("all deals" if lesson.has_chance else "")
            title = f"Iteration {iteration.number}: {deal}" if deal else f"Iteration {iteration.number}"
            blocks += describe_iteration(runs, place, title, detail)
    blocks += [*_next_strategies(lesson, labels), *_square(lesson), *_summary(lesson, finals)]
    blocks += [Heading(2, words("Takeaways")), Bullets(tuple(_takeaways(lesson, finals)))]
    card_text = (
        "The update of one information set, as Python that runs. It finds R, S, the strategy that was played, its "
        "instantaneous regrets r, the own reach and t; it leaves R, S and the next strategy."
    )
    kept = dict.fromkeys(WEIGHINGS[run.recipe.weigh].keeps for run in lesson.runs)
    blocks += [Heading(2, words("Reference card")), Paragraph(words(" ".join((card_text, *filter(None, kept)))))]
    blocks += side_by_side([run.name for run in lesson.runs], [(Code(card(run.recipe)),) for run in lesson.runs])
    return Document(tuple(blocks), notation)


# ---- before the iterations


def _plan(lesson: Lesson, notation: Notation, detail: SpelledOut) -> Iterator[Block]:
    """What is going to be shown, how numbers are written, and the recipes' formulas."""
    recipes, iterations = [run.recipe for run in lesson.runs], len(lesson.runs[0].iterations)
    where = " over all deals" if lesson.has_chance else ""
    if lesson.deals:
        where = f" on the deal{'s' * (len(lesson.deals) > 1)} {', '.join(lesson.deals)}"
    names = ", ".join(run.name for run in lesson.runs)
    yield Heading(1, words(f"Walkthrough: {lesson.game}"))
    yield Paragraph(words(f"{count(iterations, 'iteration')}{where} by {names}, every number computed."))
    if len(lesson.runs) > 1:
        yield Paragraph(words("What is the same for all is told once. Where they differ, they stand side by side."))
    rounded = f"Numbers are rounded to {DECIMALS} decimals where they have more"
    if notation.exact:
        rounded = f"Numbers are fractions. Long ones, and what exponentials give, are rounded to {DIGITS} digits"
    yield Paragraph(words(f"{rounded}; then ≈ stands in place of =."))
    if detail.depth is not None:
        depth = detail.depth
        first = f"the first {depth} decisions of each way through it are" if depth > 1 else "the first decision is"
        partly = (
            f"Not everything in {lesson.game} is spelled out: {first}, and what follows is summed up in its value. "
        )
        yield Paragraph(words(partly, code(f"--depth {depth + 1}"), " shows more."))
    kept = ("regrets", "strategy", "average")
    rows = [(run.name, *(formulas(run.recipe)[part] for part in kept), run.recipe.schedule) for run in lesson.runs]
    yield Table("", ("recipe", *kept, "schedule"), tuple(rows))
    if lesson.deals and any(fade(recipe, 1) is not None for recipe in recipes):
        yield Paragraph(words("Regrets are discounted in every iteration, also where the walk does not come by."))
    if any(recipe.averaging.gamma.slope for recipe in recipes):
        yield Paragraph(words("In place of fading sums the weights w grow here, which gives the same average."))


def _start(lesson: Lesson) -> Iterator[Block]:
    """The symbols, and the state before the first iteration."""
    recipes = [run.recipe for run in lesson.runs]
    symbols = dict(_SYMBOLS)
    if not lesson.deals and lesson.has_chance:
        symbols["P"] = "the probability of what chance has done"
    if any(fade(recipe, 1) is not None for recipe in recipes):
        symbols["d₊, d₋"] = "what positive and negative regrets so far are multiplied by"
    if any(least_sum(recipe) for recipe in recipes):
        symbols["R′(a), λ"] = "the regret before its sum is looked at, and what is added to it where that is too small"
    if any(level(recipe) for recipe in recipes):
        symbols["R′(a), m"] = "the regret before it is raised to the floor m, and that floor"
    if any(recipe.predict for recipe in recipes):
        symbols["R̂(a)"] = "what the regret will be if what was seen last, or a part of it, comes once more"
    if any(recipe.predict and fade(recipe, 1) is not None for recipe in recipes):
        symbols["d′₊, d′₋"] = "d₊ and d₋ in the next iteration"
    for name, weighing in WEIGHINGS.items():
        symbols |= weighing.letters if any(recipe.weigh == name for recipe in recipes) else {}
    yield Heading(2, words("The symbols"))
    yield Table("", ("symbol", "meaning"), tuple(symbols.items()))
    yield Heading(2, words("Before the first iteration"))
    counted = "Nothing has been regretted and nothing counted yet, so at each of them every action is equally likely:"
    yield Paragraph(words(f"{lesson.game} has {lesson.infosets} information sets. {counted}"))
    zero = (Equation((Symbol(name, of=ANY), Value(0))) for name in "RS")
    yield Equations((*zero, Equation((Symbol("σ", of=ANY), divide(Value(1), Symbol("N"))))))


# ---- after the iterations


def _next_strategies(lesson: Lesson, labels: set[str]) -> Iterator[Block]:
    """The strategies after the last iteration in which something has to be worked out: several regrets are positive."""

    def is_mixed(update: UpdateEvent) -> bool:
        return len(positive_actions(update.next, update.actions)) > 1 or update.next.rate is not None

    last = [
        {update.label: update for update in run.iterations[-1].updates if update.label in labels} for run in lesson.runs
    ]
    mixed = [label for updates in last for label, update in updates.items() if is_mixed(update)]
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
        yield from piece_by_piece(names, [describe_weighing(update.next, update.actions) for _, update in learned])


def _square(lesson: Lesson) -> Iterator[Block]:
    """The four algorithms as two choices, and which of the lesson's recipes are of each kind."""
    kinds: dict[tuple[str, str], str] = {}
    for name, row in RECIPES.items():
        if is_one_of_four(row):
            kinds.setdefault((row.accumulate, row.weigh), name)  # the plain one comes before those that sample
    accumulates, weighs = (dict.fromkeys(pair[k] for pair in FOUR) for k in (0, 1))
    four = [run for run in lesson.runs if is_one_of_four(run.recipe)]
    rows = []
    for kept in accumulates:
        cells = []
        for made in weighs:
            kind = kinds[kept, made]
            alike = [run for run in four if (run.recipe.accumulate, run.recipe.weigh) == (kept, made)]
            others = [run.name for run in alike if run.name != kind]
            cells.append(f"{kind}: {', '.join(others)}" if others else kind)
        rows.append((ACCUMULATIONS[kept].short, *cells))
    yield Heading(2, words("Two choices make four algorithms"))
    yield Paragraph(words("What is kept of the regrets, and what is made of them:"))
    yield Table("", ("", *(WEIGHINGS[made].short for made in weighs)), tuple(rows))


def _summary(lesson: Lesson, finals: Sequence[dict[str, UpdateEvent]]) -> Iterator[Block]:
    """Where the recipes stand at the end: a row per action, a column per recipe."""
    names = tuple(run.name for run in lesson.runs)
    tables: tuple[tuple[str, Callable[[UpdateEvent], Numbers]], ...] = (
        ("The regrets R:", lambda update: update.learning.regrets_after),
        ("The next strategy σ:", lambda update: update.next.strategy),
        ("The average strategy, S divided by its sum:", lambda update: update.average),
    )
    yield Heading(2, words("Summary"))
    for title, column in tables:
        rows: list[tuple[Cell, ...]] = []
        for label in dict.fromkeys(label for final in finals for label in final):
            actions = next(final[label].actions for final in finals if label in final)
            for number, action in enumerate(actions):
                cells = (Value(column(final[label])[number]) if label in final else None for final in finals)
                rows.append((label if number == 0 else "", action, *cells))
        yield Paragraph(words(title))
        yield Table("", ("at", "action", *names), tuple(rows))
    yield Paragraph(words("What player 0 won on average in each iteration, as the strategies were when it began:"))
    values: list[tuple[Cell, ...]] = [
        (str(number + 1), *(Value(run.iterations[number].passes[0].value) for run in lesson.runs))
        for number in range(len(lesson.runs[0].iterations))
    ]
    yield Table("", ("iteration", *names), tuple(values))


def _takeaways(lesson: Lesson, finals: Sequence[dict[str, UpdateEvent]]) -> Iterator[Words]:
    """What there is to learn: what always holds, and where these recipes parted on these deals."""
    yield words(
        "The walk is the same for every recipe: what an action was worth, minus what was played, times how probable "
        "the others make it to come here. Recipes differ in what they keep of that and in what they make of it."
    )
    if not any(WEIGHINGS[run.recipe.weigh].plays_all for run in lesson.runs):
        yield words("An action without positive regret is not played at all, unless no action has one; then all are.")
    ends = list(zip(lesson.runs, finals, strict=True))
    for part, why in _WHY.items():
        # Pairs of recipes that differ in this part alone, by the places where they will play differently for it.
        places: dict[tuple[str, ...], list[Words]] = {}
        for (one, first), (other, second) in combinations(ends, 2):
            if {key for key, value in one.recipe.parts.items() if value != other.recipe.parts.get(key)} == {part}:
                both = [label for label in first if label in second]
                differ = tuple(label for label in both if first[label].next.strategy != second[label].next.strategy)
                places.setdefault(differ, []).append(words(code(one.name), " and ", code(other.name)))
        for labels, pairs in places.items():
            named = tuple(span for pair in pairs for span in (*words(", and "), *pair))[1:]
            if labels:
                yield (*named, *words(" will play differently at ", *listed(labels), f", because {why}."))
            else:
                yield (*named, *words(" will play alike: these iterations have not told them apart."))
    yield words(
        "It is the average that comes to an equilibrium, not the last strategy. A few iterations prove nothing; ",
        code(f"regretlab compare {lesson.game}" if "(" not in lesson.game else f"regretlab compare '{lesson.game}'"),
        " runs thousands.",
    )
