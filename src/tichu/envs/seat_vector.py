"""Gymnasium's vector form of the environment of one seat: n games, each against bots of its own.

Game i is the environment of one seat with the seed of ``reset`` plus i; what happens in it does not depend on the
others.  Bots that take batches, as networks do, decide for all games at once.
"""

from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils.seeding import np_random
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from tichu.agents.base import Agent
from tichu.core.errors import GameError
from tichu.core.rules import Rules
from tichu.encoding import unpack_masks
from tichu.envs.arguments import check_flag, read_actions, read_seed
from tichu.envs.critic import write_states
from tichu.envs.illegal import Illegal, IllegalActions, check_illegal
from tichu.envs.python_seats import PythonSeats
from tichu.envs.seats import bots_around, check_options, read_position, seats
from tichu.envs.spaces import action_space, observation_space, packed_observation_space
from tichu.envs.tables import MAX_ROUNDS, Reward, settings

__all__ = ["SeatVectorEnv"]

Observation = dict[str, NDArray[Any]]


class SeatVectorEnv(VectorEnv[Observation, NDArray[np.int64], NDArray[Any]]):
    """One seat in each of many games; an episode that ends is followed by the next in the same step.

    What ended is in ``info``: ``final_obs``, ``score``, ``rounds`` and ``illegal``, each with a mask of the games it
    is about (``_score`` and so on).  With ``copy=False`` observations are overwritten by the next step.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012 - Gymnasium's form
    #: As Gymnasium's own vector environments have it; TorchRL asks for it.
    autoreset_mode = AutoresetMode.SAME_STEP

    def __init__(
        self,
        num_envs: int = 1,
        opponents: str | Agent = "greedy",
        partner: str | Agent = "greedy",
        rules: Rules | str = "standard",
        *,
        seat: int = 0,
        reward: Reward = "points",
        forced: bool | None = None,
        max_rounds: int = MAX_ROUNDS,
        threads: int = 1,
        copy: bool = True,
        packed_masks: bool = False,
        illegal: Illegal = "end",
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None:
            raise GameError("many games at once are not rendered: use render_mode=None")
        self._illegal = check_illegal(illegal)
        self.settings = settings(rules, reward, forced, max_rounds)
        self.seat = check_options(seat, opponents, partner)
        self.render_mode = render_mode
        self._copy = check_flag("copy", copy)
        self._packed = check_flag("packed_masks", packed_masks)
        self._seats = seats(
            num_envs,
            self.settings,
            self.seat,
            bots_around(self.seat, opponents, partner),
            deals_anew=True,
            threads=threads,
            packs=self._packed,
        )
        self.num_envs = len(self._seats)
        self.single_observation_space = packed_observation_space() if self._packed else observation_space()
        self.single_action_space = action_space()
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._illegal_actions = IllegalActions()
        self._is_seeded = self._is_dealt = False
        self._link()

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal in every game: the first cards of its seed, or without one the next cards of its last seed.

        Game i has the seed plus i, or the i-th of a list.  ``options={"position": "..."}`` begins in a position.

        :raises GameError: the position cannot be read, or the seat has nothing to decide in it
        """
        state = read_position(options, self.settings)
        seeds = self._next_seeds(seed)
        self._is_dealt = False
        for game, each in enumerate(seeds):
            if each is not None:
                self._seats.seed(game, each)
        if state is None:
            self._seats.begin_all()
        else:
            for game in range(self.num_envs):
                self._seats.begin_at(game, state)
        if not self._mask.any(axis=1).all():
            raise GameError(f"seat {self.seat} has nothing to decide in this position")
        self._is_dealt = True
        return self._observation(), {}

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Observation, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """An action in every game; the bots decide until the seat is asked again.

        :raises ResetNeeded: nothing is dealt yet
        :raises ValueError: an action is not in the mask, with ``illegal="raise"``
        """
        self._check_dealt()
        games = self._seats
        wanted = read_actions(actions, self.num_envs)
        if self._illegal == "raise" and (first := games.first_illegal(wanted)) < self.num_envs:
            raise ValueError(f"game {first}: action {wanted[first]} is not in the mask")
        games.step(wanted)
        terminated, truncated = self._terminated.astype(np.bool_), self._truncated.astype(np.bool_)
        done = terminated | truncated
        info = self._end(done, wanted) if done.any() else {}
        return self._observation(), self._rewards.astype(np.float64), terminated, truncated, info

    def sample(self) -> NDArray[np.int64]:
        """An action for every game, all of its mask equally likely."""
        self._check_dealt()
        actions = np.empty(self.num_envs, np.int64)
        self._seats.sample(actions)
        return actions

    def action_masks(self) -> NDArray[np.bool_]:
        """What may be done now in each game, in the form that MaskablePPO asks for."""
        self._check_dealt()
        games = self._seats
        masks: NDArray[Any] = unpack_masks(games.packed_masks) if self._packed else games.masks
        return masks.astype(np.bool_)

    def state(self) -> NDArray[np.uint8]:
        """All hands and everything else of every game, a row each, for critics (``docs/envs.md``)."""
        self._check_dealt()
        return write_states(self._seats.secrets())

    def packed_round(self, game: int) -> bytes:
        """The round of one game as ``tichu.kernel.unpack`` reads it."""
        self._check_dealt()
        return self._seats.state(game)

    def close_extras(self, **kwargs: Any) -> None:
        """Let the bots go."""
        if isinstance(self._seats, PythonSeats):
            self._seats.close()

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the rows, which belong to the games."""
        return {name: value for name, value in vars(self).items() if name not in _ROWS}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Go on where the other was."""
        vars(self).update(state)
        self._link()

    def _link(self) -> None:
        """The rows are always the same arrays."""
        games = self._seats
        self._rows, self._mask = games.observations, games.packed_masks if self._packed else games.masks
        self._rewards, self._terminated, self._truncated = games.rewards, games.terminated, games.truncated
        # At the end there is nothing to do.
        self._no_masks = np.zeros_like(self._mask)
        self._no_masks.flags.writeable = False

    def _check_dealt(self) -> None:
        if not self._is_dealt:
            raise gymnasium.error.ResetNeeded("reset() comes first")

    def _next_seeds(self, seed: int | list[int | None] | None) -> list[int | None]:
        """For each game a new seed, or None to go on with its own."""
        many = list(seed) if isinstance(seed, list | tuple | np.ndarray) else None
        if many is not None and len(many) != self.num_envs:
            raise GameError(f"{len(many)} seeds for {self.num_envs} games")
        if seed is None or many is not None:
            given = [None if each is None else read_seed(each) for each in many or [None] * self.num_envs]
            if self._is_seeded:
                return given
            base = int(np_random()[0].integers(2**32))
        else:
            given, base = [None] * self.num_envs, read_seed(seed)
        self._is_seeded = True
        return [read_seed(base + game) if each is None else each for game, each in enumerate(given)]

    def _observation(self) -> Observation:
        rows, mask = (self._rows.copy(), self._mask.copy()) if self._copy else (self._rows, self._mask)
        return {"packed_action_mask" if self._packed else "action_mask": mask, "observation": rows}

    def _end(self, done: NDArray[np.bool_], actions: NDArray[np.int64]) -> dict[str, Any]:
        games = self._seats
        illegal = games.illegal.astype(np.bool_)
        if illegal.any():
            self._illegal_actions.add(int(illegal.sum()), int(actions[illegal][0]))
        name = "packed_action_mask" if self._packed else "action_mask"
        final = {name: self._no_masks, "observation": games.final_observations.copy()}
        played = done & ~illegal
        return {
            "final_obs": final,
            "_final_obs": done,
            "score": games.scores.copy(),
            "_score": played,
            "rounds": games.rounds.copy(),
            "_rounds": played,
            "illegal": illegal,
            "_illegal": done,
        }


#: What belongs to the games.
_ROWS = ("_rows", "_mask", "_no_masks", "_rewards", "_terminated", "_truncated")
