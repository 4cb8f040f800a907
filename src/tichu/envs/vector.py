"""Gymnasium's vector form: n games in which whoever is to decide is the agent.

Observations are seat-relative, so one policy plays all seats; ``info["seat"]`` says whose turn it is.  The reward of a
step goes to the seat that has acted; ``info["rewards"]`` has it for all four.  Arrays are those of the games: they are
overwritten by the next step, unless ``copy`` is asked for.
"""

from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils.seeding import np_random
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from tichu.core.errors import GameError
from tichu.core.rules import Rules
from tichu.encoding import ACTION_COUNT, unpack_masks
from tichu.envs.arguments import check_flag, read_actions, read_seed
from tichu.envs.illegal import Illegal, IllegalActions, check_illegal
from tichu.envs.selfplay import SelfPlay
from tichu.envs.spaces import action_space, observation_space, packed_observation_space
from tichu.envs.tables import ILLEGAL, MAX_ROUNDS, Reward

__all__ = ["TichuVectorEnv"]

Observation = dict[str, NDArray[Any]]


class TichuVectorEnv(VectorEnv[Observation, NDArray[np.int64], NDArray[Any]]):
    """Self-play as a vector of environments; an episode that ends is followed by the next in the same step.

    Masks have a byte an action, as everywhere; ``packed_masks=True`` gives ``packed_action_mask`` instead, an eighth of
    the size and nothing to unpack (``unpack_masks``).  An action outside the mask ends its episode, lost:
    ``info["illegal"]`` says where, and the first one warns; with ``illegal="raise"`` it is a ValueError and changes
    nothing.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012 - Gymnasium's form
    #: As Gymnasium's own vector environments have it; TorchRL asks for it.
    autoreset_mode = AutoresetMode.SAME_STEP

    def __init__(
        self,
        num_envs: int = 1,
        rules: Rules | str = "standard",
        *,
        reward: Reward = "points",
        forced: bool | None = None,
        max_rounds: int = MAX_ROUNDS,
        threads: int = 1,
        copy: bool = False,
        packed_masks: bool = False,
        illegal: Illegal = "end",
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None:
            raise GameError("many games at once are not rendered: use render_mode=None")
        self.render_mode = render_mode
        self.games = SelfPlay(num_envs, rules, reward=reward, forced=forced, max_rounds=max_rounds, threads=threads)
        self.num_envs = num_envs = len(self.games)
        self._illegal = check_illegal(illegal)
        self._illegal_actions = IllegalActions()
        self._packed = check_flag("packed_masks", packed_masks)
        self.single_observation_space = packed_observation_space() if self._packed else observation_space()
        self.single_action_space = action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._copy = check_flag("copy", copy)
        self._next_seed: int | None = None
        self._unpacked = np.zeros((num_envs, ACTION_COUNT), np.int8)
        self._no_masks = np.zeros_like(self.games.masks if self._packed else self._unpacked)
        self._rows = np.arange(num_envs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """All games at the first deal of the seed; without one, of a new seed.

        :raises GameError: there are options, or the seed is none
        """
        if isinstance(seed, list | tuple | np.ndarray):
            raise gymnasium.error.Error("one seed deals for all games: a list of seeds has no meaning here")
        if options:
            raise GameError('games of four seats are dealt; reset(options=...) is for "tichu/Tichu-v0"')
        if seed is None:
            seed = int(np_random()[0].integers(2**32)) if self._next_seed is None else self._next_seed
        seed = read_seed(seed)
        self._next_seed = int(np.random.default_rng(seed).integers(2**32))
        self.games.reset(seed)
        return self._observation(), {"seat": self.games.seats.copy()}

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Observation, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """An action in every game.

        :raises ResetNeeded: nothing is dealt yet
        :raises ValueError: an action is not in the mask, with ``illegal="raise"``
        """
        if self._next_seed is None:
            raise gymnasium.error.ResetNeeded("reset() comes first")
        games = self.games
        actors = games.seats.copy()
        wanted = read_actions(actions, self.num_envs)
        illegal = ~self._are_legal(wanted)
        if illegal.any():
            first = int(np.flatnonzero(illegal)[0])
            if self._illegal == "raise":
                raise ValueError(f"game {first}: action {wanted[first]} is not in the mask")
            self._illegal_actions.add(int(illegal.sum()), int(wanted[first]))
        before = games.observations[illegal]
        games.step(np.where(illegal, -1, wanted))
        for game in np.flatnonzero(illegal).tolist():
            games.begin(game)
        rewards = games.rewards[self._rows, actors].astype(np.float64)
        rewards[illegal] = ILLEGAL[games.settings.reward]
        done = games.done.astype(np.bool_) | illegal
        info: dict[str, Any] = {"seat": games.seats.copy(), "rewards": games.rewards.copy()}
        if done.any():
            last = games.final_observations.copy()
            last[illegal] = before
            info["score"], info["_score"] = games.scores.copy(), done & ~illegal
            info["final_obs"], info["_final_obs"] = {self._mask_name: self._no_masks, "observation": last}, done
            info["illegal"], info["_illegal"] = illegal, done
        truncated = games.truncated.astype(np.bool_)
        return self._observation(), rewards, done & ~truncated, truncated, info

    def _are_legal(self, actions: NDArray[np.int64]) -> NDArray[np.bool_]:
        inside = (actions >= 0) & (actions < ACTION_COUNT)
        known = np.where(inside, actions, 0)
        legal: NDArray[np.bool_] = inside & (self.games.masks[self._rows, known >> 3] >> (known & 7) & 1).astype(bool)
        return legal

    def _observation(self) -> Observation:
        observation: NDArray[Any] = self.games.observations
        mask: NDArray[Any] = self.games.masks
        if not self._packed:
            self._unpacked[:] = unpack_masks(mask)
            mask = self._unpacked
        if self._copy:
            observation, mask = observation.copy(), mask.copy()
        return {self._mask_name: mask, "observation": observation}

    @property
    def _mask_name(self) -> str:
        return "packed_action_mask" if self._packed else "action_mask"

    def state(self) -> NDArray[np.uint8]:
        """All hands and everything else of every game, a row each, for critics (``docs/envs.md``)."""
        return self.games.state()

    def action_masks(self) -> NDArray[np.bool_]:
        """What may be done now in each game, in the form that MaskablePPO asks for."""
        return unpack_masks(self.games.masks).astype(np.bool_)
