"""Stable-Baselines3: many games of one seat as its ``VecEnv``, with the masks that MaskablePPO asks for.

Needs ``pip install sb3-contrib``; nothing else in :mod:`tichu` does.  ``examples/envs/maskable_ppo.py`` learns with it.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import Dict
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv

from tichu.core.errors import GameError
from tichu.envs.seat_vector import SeatVectorEnv

__all__ = ["TichuVecEnv"]


class TichuVecEnv(VecEnv):
    """Games of one seat each, made with the options of ``gymnasium.make_vec("tichu/Tichu-v0", ...)``.

    Observations are the 363 bytes of ``docs/envs.md`` alone, so that ``MlpPolicy`` fits; masks are asked for by
    ``env_method("action_masks")``.  Of an episode that ended ``info`` has ``terminal_observation``,
    ``TimeLimit.truncated``, and its ``score`` and ``rounds``, or ``illegal``.
    """

    def __init__(self, num_envs: int, **options: Any) -> None:
        # Masks are unpacked when they are asked for.
        self.games = SeatVectorEnv(num_envs, copy=False, packed_masks=True, **options)
        space = self.games.single_observation_space
        assert isinstance(space, Dict)
        self._actions: NDArray[np.int64] = np.zeros(num_envs, np.int64)
        super().__init__(num_envs, space["observation"], self.games.single_action_space)

    def reset(self) -> NDArray[np.uint8]:
        """Deal in every game, by the seeds of ``seed`` and the options of ``set_options`` if there are any."""
        if any(one != self._options[0] for one in self._options):
            raise GameError("all games begin with the same options; give set_options one dict for all")
        observation, _ = self.games.reset(seed=list(self._seeds), options=self._options[0] or None)
        self._reset_seeds()
        self._reset_options()
        return _copy(observation)

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Take note of an action for every game."""
        self._actions = np.asarray(actions)

    def step_wait(self) -> tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Take them."""
        observation, rewards, terminated, truncated, told = self.games.step(self._actions)
        done = terminated | truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for game in np.flatnonzero(done).tolist():
            infos[game] = {
                "terminal_observation": told["final_obs"]["observation"][game],
                "TimeLimit.truncated": bool(truncated[game]),
            }
            if told["illegal"][game]:
                infos[game]["illegal"] = True
            else:
                infos[game]["score"] = tuple(told["score"][game].tolist())
                infos[game]["rounds"] = int(told["rounds"][game])
        return _copy(observation), rewards.astype(np.float32), done, infos

    def action_masks(self) -> NDArray[np.bool_]:
        """What may be done now, a row a game."""
        return self.games.action_masks()

    def state(self) -> NDArray[np.uint8]:
        """All hands and everything else of every game, a row each, for critics (``docs/envs.md``)."""
        return self.games.state()

    def close(self) -> None:
        """Let the bots go."""
        self.games.close()

    def env_method(self, method_name: str, *arguments: Any, indices: Any = None, **named: Any) -> list[Any]:
        """``action_masks`` of some games, or of all; they have no other method."""
        if method_name != "action_masks":
            raise AttributeError(f"games have action_masks, not {method_name}")
        masks = self.action_masks()
        return [masks[game] for game in self._games(indices)]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """What all games have in common, once for each."""
        value = getattr(self.games, attr_name)
        return [value for _ in self._games(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Games are what they were made."""
        raise AttributeError(f"{attr_name} is chosen when the games are made")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """No game is."""
        return [False for _ in self._games(indices)]

    def _games(self, indices: int | Sequence[int] | None) -> Sequence[int]:
        if indices is None:
            return range(self.num_envs)
        return [indices] if isinstance(indices, int) else indices


def _copy(observation: dict[str, NDArray[Any]]) -> NDArray[np.uint8]:
    # A learner keeps the last one while the next is made.
    rows: NDArray[np.uint8] = observation["observation"].copy()
    return rows
