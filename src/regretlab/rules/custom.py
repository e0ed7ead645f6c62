"""Your own rule: a Python function on one information set's numbers, compiled into the loop."""

from __future__ import annotations

import dis
import inspect
from collections.abc import Callable
from functools import cache, cached_property
from typing import Any, TypeAlias

import numba
import numpy as np

from regretlab.errors import UserError
from regretlab.forms.kernel import Floats, as_argument, specialised
from regretlab.rules.accumulate import Step
from regretlab.rules.lane_update import LaneUpdate, lane_update_of
from regretlab.rules.update import UPDATE, Update, update

RuleFunction: TypeAlias = Callable[[Floats, Floats, Floats, float], None]
"""``rule(regret, instant, strategy, t)``: see ``rule``."""

TRIAL_ACTIONS = (1, 2, 3, 5)
TRIAL_ROUNDS = 20

SUM_TOLERANCE = 1e-9
"""How far probabilities may be from summing to 1."""


def rule(function: RuleFunction) -> CustomRule:
    """Make a rule of a function ``rule(regret, instant, strategy, t)`` that works on one information set.

    It takes three arrays with a number for each action: ``regret``, whatever the rule has left there (0 at the start);
    ``instant``, the instantaneous regrets of iteration ``t``; and ``strategy``, the strategy that was played, which it
    overwrites with the next one. It returns nothing.

    Regret matching, for example:

    >>> @rule
    ... def matching(regret, instant, strategy, t):
    ...     total = 0.0
    ...     for a in range(len(regret)):
    ...         regret[a] += instant[a]
    ...         total += max(regret[a], 0.0)
    ...     for a in range(len(regret)):
    ...         strategy[a] = max(regret[a], 0.0) / total if total > 0.0 else 1.0 / len(regret)
    >>> matching
    <rule matching>
    """
    return CustomRule(function)


class CustomRule:
    """A rule of one's own. It is tried in plain Python when it is first used, and then compiled.

    A rule that is never used is never tried, so one that is wrong does not keep others in its file from being used.
    """

    def __init__(self, function: RuleFunction) -> None:
        self.function = function
        self.name = getattr(function, "__name__", f"{function!r:.60}")

    def __repr__(self) -> str:
        return f"<rule {self.name}>"

    @property
    def file(self) -> str:
        """Where the function was written."""
        return inspect.getfile(self.function)

    def check(self) -> None:
        """Raise UserError, in one line, where something is wrong with the function."""
        if self._fault:
            raise UserError(self._fault)

    @cached_property
    def _fault(self) -> str:
        """What is wrong with the function, empty if nothing is.

        It is run for a few rounds on made-up numbers: what is wrong there would be wrong in a game, and is easier to
        see.
        """
        function = self.function
        if not inspect.isfunction(function) or len(inspect.signature(function).parameters) != 4:
            return f"'{self.name}' is no rule; write a function rule(regret, instant, strategy, t)"
        array = list(inspect.signature(function).parameters)[2]
        if array in _rebound(function):
            return (
                f"rule '{self.name}' makes {array} another thing instead of writing into it, so nothing would ever be "
                f"learned; write {array}[:] = … or {array}[a] = …"
            )
        if any(each.opname == "IMPORT_NAME" for each in dis.get_instructions(function)):
            return f"rule '{self.name}' has an import inside, which can't be compiled; import at the top of the file"
        random = np.random.default_rng(0)
        for actions in TRIAL_ACTIONS:
            regret, strategy = np.zeros(actions), np.full(actions, 1.0 / actions)
            for t in range(1, TRIAL_ROUNDS + 1):
                values = random.normal(size=actions) * 10.0 ** random.integers(-3, 4)
                instant = values - strategy @ values
                before = f"on regret {_short(regret)}, instant {_short(instant)}"
                try:
                    returned: Any = function(regret, instant, strategy, float(t))
                except Exception as error:
                    return f"rule '{self.name}' fails {before}: {type(error).__name__}: {error}"
                if returned is not None:
                    return f"rule '{self.name}' returns {returned!r:.40}; it should write into strategy instead"
                problem = fault(strategy)
                if not problem and not np.isfinite(regret).all():
                    problem = f"the regrets {_short(regret)} are not finite"
                if problem:
                    return f"rule '{self.name}' {before}: {problem}"
        return ""

    @cached_property
    def update(self) -> Update:
        """The rule at work, see ``rules.update``; compiled anew in every process, which takes a second.

        What it plays is looked at every time. Where that is no strategy, the number of the iteration is left in
        ``memory``, which a rule of one's own does not use, and the information set stays as it is from then on: so who
        looks at the end of a batch finds when and where it first went wrong, and how.
        """
        watched = specialised(update, "custom", respond=self._response)
        return self._compiled(lambda: as_argument(watched, UPDATE, kept=False, allocates=True))  # type: ignore[no-any-return]

    @cache  # noqa: B019
    def lane_update(self, width: int, precision: str) -> LaneUpdate:
        """The rule at work on the hands of a game, one after the other; see ``rules.lane_update``."""
        made = self._compiled(lambda: lane_update_of(self._response, "custom", width, precision, kept=False))
        return made  # type: ignore[no-any-return]

    @cached_property
    def _response(self) -> Callable[..., None]:
        """What the rule does at one information set."""
        self.check()
        compiles = not numba.config.DISABLE_JIT  # type: ignore[attr-defined]
        inlined: Any = numba.njit(inline="always") if compiles else lambda function: function
        function = inlined(self.function)

        def respond(
            step: Step,
            regret: Floats,
            values: Floats,
            value: float,
            strategy: Floats,
            memory: Floats,
            i: int,
            low: int,
            high: int,
        ) -> None:
            for s in range(low, high):
                instant = values[s] - value
                values[s] = instant if abs(instant) > step.ties else 0.0  # a tie is a tie
            if memory[i] == 0.0:
                function(regret[low:high], values[low:high], strategy[low:high], step.number)
                total, least = 0.0, 0.0
                for s in range(low, high):
                    total += strategy[s]
                    least = min(least, strategy[s])
                if not (least == 0.0 and abs(total - 1.0) <= SUM_TOLERANCE):  # a sum with NaN fails here, too
                    memory[i] = step.number

        return inlined(respond)  # type: ignore[no-any-return]

    def _compiled(self, compiler: Callable[[], Any]) -> Any:
        """What a compiler makes of the rule, or an error that says in one line why it can't."""
        try:
            return compiler()
        # What a function does that Numba has no instruction for is an error of another family.
        except (numba.core.errors.NumbaError, numba.core.errors.UnsupportedBytecodeError) as error:
            reason = next((line.strip() for line in str(error).splitlines()[1:] if line.strip()), str(error))
            raise UserError(f"rule '{self.name}' can't be compiled: {reason:.200}") from error


def _rebound(function: RuleFunction) -> set[str]:
    """The names that a function assigns to: ``x = …`` does, ``x[a] = …`` does not."""
    assigned: set[str] = set()
    for each in dis.get_instructions(function):
        if each.opname.startswith("STORE_FAST"):
            # From Python 3.13 on one instruction may store two names, or store one and load another.
            names = each.argval if isinstance(each.argval, tuple) else (each.argval,)
            assigned |= {*(names[:1] if "LOAD" in each.opname else names)}
    return assigned


def fault(strategy: Floats) -> str:
    """What keeps these numbers from being probabilities that sum to 1, in words; empty if nothing does."""
    if not np.isfinite(strategy).all():
        return f"the strategy {_short(strategy)} has numbers that are not finite"
    if (strategy < 0).any():
        return f"the strategy {_short(strategy)} has negative probabilities"
    if abs(strategy.sum() - 1) > SUM_TOLERANCE:
        return f"the strategy {_short(strategy)} sums to {strategy.sum():.6g}, not to 1"
    return ""


def _short(numbers: Floats) -> str:
    return f"[{', '.join(f'{number:.4g}' for number in numbers)}]"
