"""The contracts of PettingZoo and Gymnasium, as those packages test them."""

import sys

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from pettingzoo.test import api_test, seed_test

from tichu.core.errors import GameError, RulesError
from tichu.encoding.observations import field
from tichu.envs import SelfPlay, tichu_v0
from tichu.envs.single import TichuEnv
from tichu.envs.vector import TichuVectorEnv


@pytest.mark.parametrize("rules", ["standard", "simple", "single-round"])
def test_pettingzoo_api(
    core: str, rules: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # It warns of every observation that is a dictionary, but for those of PettingZoo's own masked environments.
    module = sys.modules[api_test.__module__]
    for known in ("env_obs_space", "env_obs_dicts"):
        monkeypatch.setattr(module, known, [*getattr(module, known), "tichu_v0"])
    api_test(tichu_v0.env(rules=rules), num_cycles=200)
    assert "Passed" in capsys.readouterr().out


def test_pettingzoo_seed(core: str) -> None:
    seed_test(tichu_v0.env, num_cycles=100)


def test_pettingzoo_match_reward_is_one_for_the_winners() -> None:
    table = tichu_v0.raw_env(rules="standard goal=target:100", reward="match")
    table.reset(seed=3)
    rng = np.random.default_rng(1)
    while not any(table.terminations.values()):
        mask = table.observe(table.agent_selection)["action_mask"]
        table.step(int(rng.choice(np.flatnonzero(mask))))
    rewards = [table.rewards[agent] for agent in table.possible_agents]
    assert sorted(rewards) == [-1, -1, 1, 1]
    assert rewards[0] == rewards[2]


def test_pettingzoo_match_without_an_end_is_truncated(core: str) -> None:
    table = tichu_v0.raw_env(reward="match", max_rounds=2)
    table.reset(seed=3)
    rng = np.random.default_rng(1)
    while not any(table.truncations.values()):
        mask = table.observe(table.agent_selection)["action_mask"]
        table.step(int(rng.choice(np.flatnonzero(mask))))
    assert list(table.truncations.values()) == [True] * 4
    assert list(table.terminations.values()) == [False] * 4
    assert list(table.rewards.values()) == [0] * 4
    for _ in range(4):
        table.step(None)
    assert table.agents == []


def test_pettingzoo_illegal_action_ends_the_episode() -> None:
    table = tichu_v0.raw_env()
    table.reset(seed=1)
    with pytest.raises(ValueError, match="game 0 has no action 0 now"):
        table.step(0)
    with pytest.raises(RulesError):
        tichu_v0.raw_env(rules="nonsense")
    with pytest.raises(GameError):
        tichu_v0.raw_env(reward="money")


def test_pettingzoo_state_has_all_hands() -> None:
    table = tichu_v0.env(rules="simple")
    table.reset(seed=1)
    state = table.state()
    assert state.shape == table.unwrapped.state_space.shape
    assert state[:224].reshape(4, 56).sum(axis=0).tolist() == [1] * 56


def test_render_is_a_position() -> None:
    table = tichu_v0.raw_env(rules="simple", render_mode="ansi")
    table.reset(seed=1)
    assert " p" in str(table.render())
    one = TichuEnv(rules="simple", render_mode="ansi")
    one.reset(seed=1)
    assert "*14" in str(one.render())


def test_human_rendering_prints_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    table = tichu_v0.raw_env(rules="simple", render_mode="human")
    table.reset(seed=1)
    shown = capsys.readouterr().out
    assert shown.count("seat ") >= 4
    assert shown.count("> seat") == 1
    table.step(int(table.observe(table.agent_selection)["action_mask"].argmax()))
    assert capsys.readouterr().out not in ("", shown)
    assert table.render() is None
    one = gymnasium.make("tichu/Tichu-v0", rules="simple", render_mode="human")
    observation, _ = one.reset(seed=1)
    shown = capsys.readouterr().out
    assert shown.count("14 cards") == 3  # The other hands are hidden.
    one.step(int(observation["action_mask"].argmax()))
    assert capsys.readouterr().out not in ("", shown)
    one.close()


def test_unknown_render_modes_are_refused() -> None:
    with pytest.raises(GameError, match="render mode 'rgb_array' does not exist: use ansi or human"):
        tichu_v0.raw_env(render_mode="rgb_array")
    with pytest.raises(GameError, match="render mode 'rgb_array' does not exist: use ansi or human"):
        TichuEnv(render_mode="rgb_array")
    with pytest.raises(GameError, match="many games at once are not rendered"):
        TichuVectorEnv(2, render_mode="human")


@pytest.mark.parametrize("options", [{}, {"rules": "simple", "opponents": "random", "seat": 3}, {"reward": "match"}])
def test_gymnasium_single(options: dict[str, object]) -> None:
    table = gymnasium.make("tichu/Tichu-v0", **options)  # type: ignore[arg-type]
    check_env(table.unwrapped, skip_render_check=True)
    table.close()


def test_gymnasium_single_round_is_played_to_its_end() -> None:
    table = gymnasium.make("tichu/Tichu-v0", opponents="random", partner="greedy")
    for seed in range(5):
        observation, _ = table.reset(seed=seed)
        ended = False
        while not ended:
            choices = np.flatnonzero(observation["action_mask"])
            observation, reward, ended, truncated, info = table.step(int(choices[-1]))
            assert not truncated
        assert reward == info["score"][0]
        assert not observation["action_mask"].any()


def test_gymnasium_single_match_without_an_end_is_truncated() -> None:
    table = gymnasium.make("tichu/Tichu-v0", opponents="random", partner="random", reward="match", max_rounds=2)
    observation, _ = table.reset(seed=1)
    table.action_space.seed(1)
    ended = truncated = False
    while not ended and not truncated:
        observation, reward, ended, truncated, info = table.step(table.action_space.sample(observation["action_mask"]))
    assert (reward, ended, truncated, info["rounds"]) == (0, False, True, 2)
    assert not observation["action_mask"].any()


def test_gymnasium_single_illegal_action_is_lost() -> None:
    table = TichuEnv()
    table.reset(seed=1)
    _, reward, ended, _, info = table.step(0)
    assert (reward, ended, info) == (-200, True, {"illegal": True})


def test_gymnasium_vector_of_single_seats() -> None:
    tables = gymnasium.make_vec("tichu/Tichu-v0", num_envs=2, vectorization_mode="sync", rules="simple")
    observations, _ = tables.reset(seed=1)
    assert tables.observation_space.contains(observations)
    tables.close()


@pytest.mark.parametrize("copy", [True, False])
def test_gymnasium_vector(core: str, copy: bool) -> None:
    tables = gymnasium.make_vec("tichu/TichuSelfPlay-v0", num_envs=8, rules="simple", copy=copy)
    assert tables.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    recorded = RecordEpisodeStatistics(tables)
    observations, info = recorded.reset(seed=1)
    again, _ = recorded.reset(seed=1)
    assert all((observations[name] == again[name]).all() for name in observations)
    assert info["seat"].shape == (8,)
    games = tables.unwrapped.games  # type: ignore[attr-defined]
    ended = 0
    for _ in range(150):
        observations, rewards, done, truncated, info = recorded.step(games.sample())
        assert tables.observation_space.contains(observations)
        assert rewards.shape == done.shape == truncated.shape == (8,)
        assert not rewards[~done].any()
        if done.any():
            ended += int(done.sum())
            assert info["episode"]["r"][done].tolist() == rewards[done].tolist()
            assert tables.observation_space.contains(info["final_obs"])
            assert (info["final_obs"]["observation"][done][:, field("phase").place][:, 6] == 1).all()
    assert ended
    recorded.close()


def test_gymnasium_vector_illegal_actions_are_lost(core: str) -> None:
    """Actions drawn without a look at the mask, as Gymnasium's own checks draw them."""
    tables = TichuVectorEnv(8, "simple")
    tables.reset(seed=1)
    tables.action_space.seed(1)
    before = tables.games.observations.copy()
    observations, rewards, done, _, info = tables.step(np.array(tables.action_space.sample()))
    assert done.any()
    assert (info["illegal"] == done).all()
    assert (rewards == np.where(done, -200, 0)).all()
    assert (info["final_obs"]["observation"][done] == before[done]).all()
    assert tables.observation_space.contains(observations)
    _, rewards, done, _, info = tables.step(np.full(8, 99_999))
    assert done.all()
    tables.step(tables.games.sample())


def test_gymnasium_vector_truncates_matches_without_an_end(core: str) -> None:
    tables = TichuVectorEnv(4, reward="match", max_rounds=1)
    tables.reset(seed=1)
    met = 0
    while not met:
        _, rewards, done, truncated, info = tables.step(tables.games.sample())
        met += int(truncated.sum())
        assert not done.any()
        assert not rewards.any()
    assert (info["_final_obs"] == truncated).all()
    assert (info["_score"] == truncated).all()
    assert not info["illegal"].any()


def test_matches_are_truncated_after_a_hundred_rounds_unless_told_otherwise(core: str) -> None:
    assert SelfPlay(1, reward="match").settings.max_rounds == 100
    with pytest.raises(GameError, match="a match has at least one round"):
        SelfPlay(1, reward="match", max_rounds=0)


def test_gymnasium_vector_takes_one_seed() -> None:
    tables = TichuVectorEnv(2)
    with pytest.raises(gymnasium.error.Error):
        tables.reset(seed=[1, 2])
    tables.reset()
    tables.reset()


def test_self_play_arrays_stay_the_same(core: str) -> None:
    games = SelfPlay(4, "simple")
    observations = games.observations
    before = observations.copy()
    games.step(games.sample())
    assert observations is games.observations
    assert (observations != before).any()
    with pytest.raises(ValueError, match="game 1 has no action 1625 now"):
        games.step(np.array([-1, 1625, -1, -1]))
    with pytest.raises(ValueError, match="one action a game"):
        games.step(np.array([-1]))
