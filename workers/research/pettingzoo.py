"""Every ruleset as an environment of PettingZoo, in which the seats take turns (AEC).

``env(ruleset, whole_game=False)`` is ready for use; docs/research.md has examples. A step enters one number of an
action (``workers.research.actions``), and the same agent stays selected until its action is complete. Rewards are the
changes of the scores. Illegal numbers end the game, as in PettingZoo's own card games.
"""

from collections.abc import Mapping
from random import Random
from typing import Any, TypeAlias

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from domain.serialization import Plain
from domain.table import EVERYTHING, Seat
from workers.research.actions import Choices, numbering
from workers.research.observations import BOUND, observer
from workers.research.tables import Position, Table, table

Observation: TypeAlias = dict[str, NDArray[Any]]

MAX_STEPS = 50_000
"""The number of steps after which a game is truncated: if all players pass, cards can be dealt for ever."""


def env(
    ruleset_id: str,
    *,
    seats: int | None = None,
    options: Mapping[str, Plain] | None = None,
    whole_game: bool = True,
    **more: Any,
) -> AECEnv[str, Observation, int | None]:
    """Return the environment of a table, with the checks of actions that PettingZoo's classic games have.

    An illegal number ends the game, and costs its agent 1. ``more`` is passed to ``Environment``. Raise ``NoSuchTable``
    or ``InvalidOptions``.
    """
    made: Any = Environment(table(ruleset_id, seats, options, whole_game=whole_game), **more)
    made = wrappers.TerminateIllegalWrapper(made, illegal_reward=-1)
    made = wrappers.AssertOutOfBoundsWrapper(made)
    return wrappers.OrderEnforcingWrapper(made)


class Environment(AECEnv[str, Observation, int | None]):
    """A table at which agents ``seat_0``, ``seat_1``, … play one game after the other.

    With ``views``, ``infos`` has the plain view of the agent to act (``Position.plain_view``), and the names of the
    numbers that it has entered; nothing for the others. A game is truncated after ``max_steps``, and if the rules call
    it a draw only because it was too long (Plateau: ``no_progress_plies``, ``max_plies``).
    """

    def __init__(
        self, table: Table, *, views: bool = False, max_steps: int = MAX_STEPS, render_mode: str | None = None
    ) -> None:
        super().__init__()
        self.metadata = {
            "name": f"{table.ruleset.id}_v{table.ruleset.version}",
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self.table = table
        self.possible_agents = [f"seat_{seat}" for seat in range(table.seats)]
        self.agents: list[str] = []
        self._views, self._max_steps = views, max_steps
        self._numbering, self._observer = numbering(table.ruleset.id), observer(table)
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._seeds = Random()  # noqa: S311 - cards of a laboratory
        self.observation_spaces = {agent: self._observed() for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(self._numbering.size) for agent in self.possible_agents}
        self._position: Position
        self._choices: Choices
        self._steps = 0
        self.infos: dict[str, dict[str, Any]] = {}

    def _observed(self) -> spaces.Dict:
        tensor = spaces.Box(-BOUND, BOUND, (self._observer.size,), np.float32)
        mask = spaces.Box(0, 1, (self._numbering.size,), np.int8)
        return spaces.Dict({"observation": tensor, "action_mask": mask})

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        return self.action_spaces[agent]

    @property
    def position(self) -> Position:
        """Return the position with everything hidden, for search and for checks, not for agents."""
        return self._position

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Start a game: the one of this seed (as ``Table.start``), or the next one that follows from the last seed.

        The options of the game are those of the table.
        """
        if seed is not None:
            self._seeds = Random(seed)  # noqa: S311
        self._position = self.table.start(self._seeds.getrandbits(64) if seed is None else seed)
        self._choices = self._numbering.choices(self._position)
        self._steps = 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._select()

    def observe(self, agent: str) -> Observation:
        """Return the tensor of an agent and the mask of the numbers that it can enter: none out of its turn."""
        seat = self._seats[agent]
        mask = np.zeros(self._numbering.size, np.int8)
        entered: tuple[int, ...] = ()
        if seat == self._position.seat:
            mask[self._choices.numbers] = 1
            entered = self._choices.entered
        return {"observation": self._observer.tensor(self._position, seat, entered), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Enter a number for the selected agent; raise ``ValueError`` if it cannot be entered."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        before = self._position.scores
        self._enter(action)
        self._steps += 1
        self._cumulative_rewards[agent] = 0
        for seat, (was, now) in enumerate(zip(before, self._position.scores, strict=True)):
            self.rewards[self.possible_agents[seat]] = now - was
        self._end()
        self._select()
        self._accumulate_rewards()
        self._deads_step_first()

    def _enter(self, number: int | None) -> None:
        if number is None:
            raise ValueError("an agent whose game is running has to enter a number")
        self._choices = self._choices.after(int(number))
        if self._choices.action is not None:
            self._position = self._position.after(self._choices.action)
            self._choices = self._numbering.choices(self._position)

    def _end(self) -> None:
        is_cut = self._position.is_cut_short or (not self._position.is_over and self._steps >= self._max_steps)
        is_over = self._position.is_over and not is_cut
        self.truncations = dict.fromkeys(self.agents, is_cut)
        self.terminations = dict.fromkeys(self.agents, is_over)

    def _select(self) -> None:
        self.infos = {agent: {} for agent in self.agents}
        seat: Seat | None = self._position.seat
        if seat is not None:
            self.agent_selection = self.possible_agents[seat]
            if self._views:
                names = [self._numbering.names[number] for number in self._choices.entered]
                self.infos[self.agent_selection] = {"view": self._position.plain_view(seat), "entered": names}

    def render(self) -> str | None:
        """Return all cards and pieces as text (``ansi``); None without a mode."""
        if self.render_mode is None:
            gymnasium.logger.warn("without render_mode='ansi', nothing is rendered")
            return None
        return self.table.ruleset.presentation.text(self._position.view(EVERYTHING))

    def close(self) -> None:
        """Do nothing: there is nothing to close."""
