"""The environment itself; imported when one is asked for."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, MultiBinary
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from regretlab.errors import UserError
from regretlab.forms import SequenceForm, compile
from regretlab.games import CHANCE, TERMINAL, Game
from regretlab.games.protocol import HasEncoding, payoffs_at

AGENTS = ("player_0", "player_1")

Observation = dict[str, np.ndarray[Any, Any]]


class GameEnv(AECEnv):  # type: ignore[misc]
    """See ``pettingzoo_env``."""

    def __init__(self, rules: Game, render_mode: str | None) -> None:
        super().__init__()
        if render_mode not in (None, "ansi"):
            raise UserError(f"render_mode={render_mode!r} must be 'ansi' or None")
        self.metadata = {"name": rules.name, "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self._rules = rules
        self._seen = _observations(rules, compile(rules, tree=False))
        widths = {len(seen) for seen, _ in self._seen.values()}
        most = max(actions for _, actions in self._seen.values())
        numbers = np.concatenate([seen for seen, _ in self._seen.values()])
        low, high = min(0.0, float(numbers.min())), max(1.0, float(numbers.max()))
        self._nothing = np.zeros(max(widths), dtype=np.float32)
        box = Box(low, high, self._nothing.shape, np.float32)
        self.observation_spaces = {
            agent: Dict({"observation": box, "action_mask": MultiBinary(most)}) for agent in AGENTS
        }
        self.action_spaces = {agent: Discrete(most) for agent in AGENTS}
        self._random, _ = seeding.np_random()

    def observation_space(self, agent: str) -> Any:
        """What an agent's observations look like."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The places of the actions of the information set that has most."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin anew; with a seed chance draws the same from here on."""
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[0]
        self._observed = dict.fromkeys(AGENTS, self._nothing)
        self._moves: list[str] = []
        self._state = self._rules.root()
        self._go_on()

    def step(self, action: int | None) -> None:
        """Do what the agent whose turn it is has chosen; None of an agent whose game has ended."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        actions = self._rules.actions(self._state)
        if action is None or not 0 <= action < len(actions):
            raise UserError(f"action {action} of {agent} must be a place in {', '.join(actions)}, counted from 0")
        self._cumulative_rewards[agent] = 0.0
        self._move(int(action))
        self._go_on()

    def observe(self, agent: str) -> Observation:
        """What an agent knew at its last decision, and what it can do now."""
        mask = np.zeros(self.action_spaces[agent].n, dtype=np.int8)
        if agent == self.agent_selection and not self.terminations.get(agent, True):
            mask[: len(self._rules.actions(self._state))] = 1
        return {"observation": self._observed[agent].copy(), "action_mask": mask}

    def render(self) -> str | None:
        """All that has happened, the deal included, as text."""
        return f"{self._rules.name}: {', '.join(self._moves)}" if self.render_mode == "ansi" else None

    def close(self) -> None:
        """There is nothing to close."""

    def _go_on(self) -> None:
        """Draw what chance does, up to the next decision or the end."""
        rules = self._rules
        while (player := rules.player(self._state)) == CHANCE:
            chances = np.array([float(chance) for chance in rules.chance(self._state)])
            self._move(int(self._random.choice(len(chances), p=chances / chances.sum())))
        if player == TERMINAL:
            for agent, won in zip(AGENTS, payoffs_at(rules, self._state), strict=True):
                self.rewards[agent], self.terminations[agent], self.infos[agent] = float(won), True, {}
            self._accumulate_rewards()
            return
        self.agent_selection = agent = AGENTS[player]
        label = rules.label(self._state)
        self._observed[agent] = self._seen[label][0]
        self.infos[agent] = {"label": label, "actions": list(rules.actions(self._state))}

    def _move(self, action: int) -> None:
        self._moves.append(self._rules.actions(self._state)[action])
        self._state = self._rules.child(self._state, action)


def _observations(rules: Game, form: SequenceForm) -> dict[str, tuple[np.ndarray[Any, Any], int]]:
    """The numbers that stand for each label, and how many actions there are."""
    if not form.infosets:
        raise UserError(f"nobody ever acts in {form.name}, so there is no environment of it")
    width = max(treeplex.infosets for treeplex in form.treeplexes)
    found = {}
    for treeplex in form.treeplexes:
        for place, (label, actions) in enumerate(zip(treeplex.labels, treeplex.actions, strict=True)):
            if isinstance(rules, HasEncoding):
                numbers = np.array(rules.encode(label), dtype=np.float32)
            else:
                numbers = np.zeros(width, dtype=np.float32)
                numbers[place] = 1.0
            found[label] = numbers, len(actions)
    return found
