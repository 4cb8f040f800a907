"""PettingZoo: four seats that decide one after another.

The mask is in the observation, ``{"observation": ..., "action_mask": ...}``, and nowhere else; a seat that is not to
decide has an empty one.
"""

from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.utils.seeding import np_random
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from tichu.core.errors import GameError
from tichu.core.rules import Rules
from tichu.encoding import ACTION_COUNT, OBSERVATION_SIZE
from tichu.envs.arguments import read_action, read_seed
from tichu.envs.critic import STATE_LENGTH, write_states
from tichu.envs.spaces import action_space, observation_space
from tichu.envs.tables import ILLEGAL, MAX_ROUNDS, Reward, settings, tables
from tichu.envs.text import RENDER_MODES, check_render_mode, render, show_table
from tichu.kernel.packing import unpack

__all__ = ["TichuAEC", "env", "raw_env"]

AGENTS = ("seat_0", "seat_1", "seat_2", "seat_3")

Observation = dict[str, NDArray[Any]]


class TichuAEC(AECEnv[str, Observation, int]):  # type: ignore[misc]
    """A round, or with ``reward="match"`` a match, of four agents.

    The same seed deals the same cards as game 0 of a :class:`~tichu.envs.selfplay.SelfPlay`.
    """

    metadata = {  # noqa: RUF012 - PettingZoo's form
        "render_modes": list(RENDER_MODES),
        "name": "tichu_v0",
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        rules: Rules | str = "standard",
        *,
        reward: Reward = "points",
        forced: bool | None = None,
        max_rounds: int = MAX_ROUNDS,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.settings = settings(rules, reward, forced, max_rounds)
        self.render_mode = check_render_mode(render_mode)
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self._tables = tables(1, self.settings, deals_anew=False)
        self._seeded = False
        self._observation_spaces = {agent: observation_space() for agent in AGENTS}
        self._action_spaces = {agent: action_space() for agent in AGENTS}
        self.state_space = Box(0, 255, (STATE_LENGTH,), np.uint8)

    def observation_space(self, agent: str) -> Dict:
        """What the agent may see."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """What it may do at most."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal: the first cards of the seed, or without one the next cards of the last seed.

        :raises GameError: a position is asked for, which only one seat can be given, or the seed is none
        """
        if options and "position" in options:
            raise GameError('a table of four is dealt; a position is for gymnasium.make("tichu/Tichu-v0")')
        if seed is None and not self._seeded:
            seed = int(np_random()[0].integers(2**32))
        if seed is None:
            self._tables.begin(0)
        else:
            self._tables.reset(read_seed(seed))
            self._seeded = True
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[self._tables.seat(0)]
        self._show()

    def observe(self, agent: str) -> Observation:
        """What the agent sees now, in arrays of its own."""
        observation = np.empty(OBSERVATION_SIZE, np.uint8)
        mask = np.empty(ACTION_COUNT, np.int8)
        self._tables.observe(0, AGENTS.index(agent), observation, mask)
        return {"observation": observation, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Take the action of the agent that is to decide.

        :raises ValueError: its mask does not have it; nothing has changed
        """
        if not self._seeded:
            raise gymnasium.error.ResetNeeded("reset() comes first")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} is to decide")
        game = self._tables
        number = read_action(action)
        if not 0 <= number < ACTION_COUNT:
            raise ValueError(f"{agent} has no action {number} now")
        game.step_one(0, number)
        self._show()
        seat = game.seat(0)
        if seat >= 0:
            # Nothing is won before the end, so there is nothing to add up.
            self.agent_selection = AGENTS[seat]
            return
        score = tuple(game.scores[0].tolist())
        for place, each in enumerate(AGENTS):
            self.rewards[each] = float(game.rewards[0, place])
            self.terminations[each] = not game.truncated[0]
            self.truncations[each] = bool(game.truncated[0])
            self.infos[each] = {"score": score if place % 2 == 0 else score[::-1]}
        self._accumulate_rewards()
        self._deads_step_first()

    def state(self) -> NDArray[np.uint8]:
        """All hands and everything else (``docs/envs.md``), for critics."""
        row: NDArray[np.uint8] = write_states(self._tables.secrets())[0]
        return row

    def render(self) -> str | NDArray[np.uint8] | None:
        """The table with all hands: text, or with ``rgb_array`` a picture; ``human`` prints by itself."""
        return render(unpack(self._tables.state(0)), self.render_mode)

    def _show(self) -> None:
        if self.render_mode == "human":
            show_table(unpack(self._tables.state(0)))

    def close(self) -> None:
        """Nothing is held on to."""


def raw_env(**options: Any) -> TichuAEC:
    """The environment without wrappers; an action outside the mask raises ValueError."""
    return TichuAEC(**options)


def env(**options: Any) -> Any:
    """The environment in PettingZoo's usual wrappers; an action outside the mask ends the episode, lost.

    >>> table = env(rules="simple")
    >>> table.reset(seed=1)
    >>> observation, *_ = table.last()
    >>> table.step(int(observation["action_mask"].argmax()))
    """
    table = raw_env(**options)
    guarded = TerminateIllegalWrapper(table, illegal_reward=ILLEGAL[table.settings.reward])
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(guarded))
