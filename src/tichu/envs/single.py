"""Gymnasium: one seat, with bots at the others.

>>> table = TichuEnv(opponents="greedy", partner="greedy", rules="simple")
>>> observation, info = table.reset(seed=1)
>>> observation["observation"].shape
(363,)
"""

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from tichu.agents.base import Agent
from tichu.core.errors import GameError
from tichu.core.rules import Rules
from tichu.core.view import View
from tichu.encoding import ACTION_COUNT
from tichu.envs.arguments import read_action, read_seed
from tichu.envs.critic import write_states
from tichu.envs.illegal import Illegal, IllegalActions, check_illegal
from tichu.envs.python_seats import PythonSeats
from tichu.envs.seats import bots_around, check_options, read_position, seats
from tichu.envs.spaces import action_space, observation_space
from tichu.envs.tables import MAX_ROUNDS, Reward, settings
from tichu.envs.text import RENDER_MODES, check_render_mode, render, show_table
from tichu.kernel.packing import unpack

__all__ = ["TichuEnv"]

Observation = dict[str, NDArray[Any]]


class TichuEnv(gymnasium.Env[Observation, int]):
    """A round, or with ``reward="match"`` a match, of one seat.

    The others are bots by name, as on the command line, or agents.  An action outside the mask ends the episode, lost:
    ``info["illegal"]`` says so, and the first one warns; with ``illegal="raise"`` it is a ValueError and changes
    nothing.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012 - Gymnasium's form

    def __init__(
        self,
        opponents: str | Agent = "greedy",
        partner: str | Agent = "greedy",
        rules: Rules | str = "standard",
        *,
        seat: int = 0,
        reward: Reward = "points",
        forced: bool | None = None,
        max_rounds: int = MAX_ROUNDS,
        illegal: Illegal = "end",
        render_mode: str | None = None,
    ) -> None:
        self._illegal = check_illegal(illegal)
        self.settings = settings(rules, reward, forced, max_rounds)
        self.seat = check_options(seat, opponents, partner)
        self.render_mode = check_render_mode(render_mode)
        self.observation_space: gymnasium.spaces.Space[Any] = observation_space()
        self.action_space: gymnasium.spaces.Space[Any] = action_space()
        self._seats = seats(1, self.settings, self.seat, bots_around(self.seat, opponents, partner), deals_anew=False)
        self._seed: int | None = None
        #: Why nothing can be done now.
        self._ended: str | None = None
        self._illegal_actions = IllegalActions()
        self._link()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal: the first cards of the seed, or without one the next cards of the last seed.

        ``options={"position": "..."}`` begins in a position instead (``docs/notation.md``).

        :raises GameError: the position cannot be read, or this seat has nothing to decide in it
        """
        super().reset(seed=seed)
        state = read_position(options, self.settings)
        if seed is not None or self._seed is None:
            self._seed = int(self.np_random.integers(2**32)) if seed is None else seed
            self._seats.seed(0, read_seed(self._seed))
        if state is None:
            self._seats.begin(0)
        else:
            self._seats.begin_at(0, state)
            if not self._mask.any():
                self._ended = "the last reset was refused: reset() comes first"
                raise GameError(f"seat {self.seat} has nothing to decide in this position")
        self._ended = None
        self._show()
        return self._observation(), {}

    def action_masks(self) -> NDArray[np.bool_]:
        """What may be done now, in the form that MaskablePPO asks for."""
        mask: NDArray[np.bool_] = self._mask.astype(np.bool_)
        return mask

    def state(self) -> NDArray[np.uint8]:
        """All hands and everything else, for critics (``docs/envs.md``)."""
        self._check_dealt()
        row: NDArray[np.uint8] = write_states(self._seats.secrets())[0]
        return row

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Decide for this seat; then everybody else decides until it is asked again.

        :raises ResetNeeded: nothing is dealt yet, or the episode is over
        :raises ValueError: the action is not in the mask, with ``illegal="raise"``
        """
        if self._seed is None or self._ended:
            self._check_dealt()
            raise gymnasium.error.ResetNeeded(self._ended)
        number = read_action(action)
        if self._illegal == "raise" and not (0 <= number < ACTION_COUNT and self._mask[number]):
            raise ValueError(f"action {number} is not in the mask")
        is_over = self._seats.step_one(0, number if 0 <= number < ACTION_COUNT else -1)
        if is_over:
            self._ended = "the episode is over: reset() begins the next"
        if self.render_mode is not None:
            self._show()
        return self._end(number) if is_over else (self._observation(), 0.0, False, False, {})

    def render(self) -> str | NDArray[np.uint8] | None:
        """The table as the seat sees it: text, or with ``rgb_array`` a picture; ``human`` prints by itself."""
        return render(self._view(), self.render_mode, self.seat)

    def close(self) -> None:
        """Let the bots go."""
        if isinstance(self._seats, PythonSeats):
            self._seats.close()

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the rows, which belong to the game."""
        return {name: value for name, value in vars(self).items() if name not in ("_row", "_mask")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Go on where the other was."""
        vars(self).update(state)
        self._link()

    def _link(self) -> None:
        """Its rows are always the same arrays."""
        self._row, self._mask = self._seats.observations[0], self._seats.masks[0]

    def _observation(self) -> Observation:
        return {"observation": self._row.copy(), "action_mask": self._mask.copy()}

    def _end(self, number: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        games = self._seats
        reward, is_truncated = float(games.rewards[0]), bool(games.truncated[0])
        info: dict[str, Any] = {"illegal": True}
        if games.illegal[0]:
            self._illegal_actions.add(1, number)
        else:
            own, other = games.scores[0].tolist()
            info = {"score": (own, other), "rounds": int(games.rounds[0])}
        return self._observation(), reward, not is_truncated, is_truncated, info

    def _check_dealt(self) -> None:
        if self._seed is None:
            raise gymnasium.error.ResetNeeded("reset() comes first")

    def _view(self) -> View:
        self._check_dealt()
        return unpack(self._seats.state(0)).view(self.seat)

    def _show(self) -> None:
        if self.render_mode == "human":
            show_table(self._view())
