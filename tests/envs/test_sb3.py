"""The adapter to Stable-Baselines3, with it where it is installed and with the base class of its docs where not."""

import copy
import importlib.util
import pickle
import sys
from abc import ABC, abstractmethod
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tichu.envs.single import TichuEnv

_MODULES = ("stable_baselines3", "stable_baselines3.common", "stable_baselines3.common.vec_env")


class VecEnv(ABC):
    """As far as it is not abstract in Stable-Baselines3."""

    def __init__(self, num_envs: int, observation_space: Any, action_space: Any) -> None:
        self.num_envs, self.observation_space, self.action_space = num_envs, observation_space, action_space
        self._reset_seeds()
        self._reset_options()
        assert self.get_attr("render_mode") == [None] * num_envs

    def _reset_seeds(self) -> None:
        self._seeds: list[int | None] = [None] * self.num_envs

    def _reset_options(self) -> None:
        self._options: list[dict[str, Any]] = [{}] * self.num_envs

    def seed(self, seed: int) -> list[int | None]:
        self._seeds = [seed + game for game in range(self.num_envs)]
        return self._seeds

    def set_options(self, options: dict[str, Any]) -> None:
        self._options = [options] * self.num_envs

    def step(self, actions: Any) -> Any:
        self.step_async(actions)
        return self.step_wait()

    def has_attr(self, attr_name: str) -> bool:
        try:
            self.get_attr(attr_name)
        except AttributeError:
            return False
        return True

    @abstractmethod
    def reset(self) -> Any: ...
    @abstractmethod
    def step_async(self, actions: Any) -> None: ...
    @abstractmethod
    def step_wait(self) -> Any: ...
    @abstractmethod
    def close(self) -> None: ...
    @abstractmethod
    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]: ...
    @abstractmethod
    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None: ...
    @abstractmethod
    def env_method(self, method_name: str, *arguments: Any, indices: Any = None, **named: Any) -> list[Any]: ...
    @abstractmethod
    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]: ...


@pytest.fixture
def adapter(monkeypatch: pytest.MonkeyPatch) -> Any:
    if importlib.util.find_spec("stable_baselines3") is None:
        for name in _MODULES:
            monkeypatch.setitem(sys.modules, name, ModuleType(name))
        sys.modules[_MODULES[-1]].VecEnv = VecEnv  # type: ignore[attr-defined]
        monkeypatch.delitem(sys.modules, "tichu.envs.sb3", raising=False)
    return importlib.import_module("tichu.envs.sb3").TichuVecEnv


def test_games_step_as_those_of_gymnasium(core: str, adapter: Any) -> None:
    tables = adapter(3, rules="simple", opponents="random", reward="difference")
    tables.seed(7)
    rows = tables.reset()
    alone = TichuEnv("random", rules="simple", reward="difference")
    observation, _ = alone.reset(seed=8)
    assert tables.observation_space.contains(rows[0])
    assert tables.has_attr("action_masks")
    assert not tables.has_attr("nothing")
    ended = 0
    while ended < 2:
        masks = np.stack(tables.env_method("action_masks"))
        assert (rows[1] == observation["observation"]).all()
        assert (masks[1] == observation["action_mask"]).all()
        actions = masks.argmax(axis=1)
        before = rows.copy()
        after, rewards, done, infos = tables.step(actions)
        assert (before == rows).all()
        rows = after
        observation, reward, over, _, told = alone.step(int(actions[1]))
        assert (reward, over) == (rewards[1], done[1])
        assert [info != {} for info in infos] == done.tolist()
        if over:
            ended += 1
            assert (infos[1]["terminal_observation"] == observation["observation"]).all()
            assert infos[1]["TimeLimit.truncated"] is False
            assert (infos[1]["score"], infos[1]["rounds"]) == (told["score"], told["rounds"])
            observation, _ = alone.reset()
    tables.close()


def test_some_games_can_be_asked(adapter: Any) -> None:
    tables = adapter(4)
    tables.reset()
    every = tables.env_method("action_masks")
    assert (tables.env_method("action_masks", indices=2)[0] == every[2]).all()
    assert len(tables.get_attr("seat", indices=[1, 3])) == 2
    assert tables.env_is_wrapped(TichuEnv) == [False] * 4
    with pytest.raises(AttributeError, match="games have action_masks, not render"):
        tables.env_method("render")
    with pytest.raises(AttributeError, match="seat is chosen when the games are made"):
        tables.set_attr("seat", 3)


def test_an_illegal_action_is_told(adapter: Any) -> None:
    tables = adapter(2)
    tables.set_options({"position": "9sJs/2s3s/5bKb/4s6s p0 - 85/0/0/0 - ---- - -/-/-/-"})
    tables.reset()
    with pytest.warns(UserWarning, match="is not in the mask"):
        _, rewards, done, infos = tables.step(np.zeros(2, np.int64))
    assert (rewards.tolist(), done.tolist()) == ([-200, -200], [True, True])
    assert infos[0]["illegal"]


def test_a_copy_plays_on_by_itself(adapter: Any) -> None:
    tables = adapter(2)
    tables.seed(1)
    tables.reset()
    twin = copy.deepcopy(tables)
    if adapter.__mro__[1] is not VecEnv:
        twin = pickle.loads(pickle.dumps(twin))
    for _ in range(30):
        actions = tables.action_masks().argmax(axis=1)
        assert (tables.step(actions)[0] == twin.step(actions)[0]).all()
