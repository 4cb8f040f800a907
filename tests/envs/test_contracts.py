"""The contracts of PettingZoo and Gymnasium, as those packages test them."""

import copy
import pickle
import re
import subprocess
import sys
from collections.abc import Callable

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from pettingzoo.test import api_test, seed_test

from tichu.core.errors import GameError, RulesError
from tichu.encoding.observations import field
from tichu.envs import SelfPlay, tichu_v0, unpack_masks
from tichu.envs.aec import raw_env
from tichu.envs.seat_vector import SeatVectorEnv
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


@pytest.mark.parametrize("options", [{}, {"rules": "simple", "opponents": "random", "seat": 3}, {"reward": "match"}])
def test_gymnasium_single(options: dict[str, object]) -> None:
    table = gymnasium.make("tichu/Tichu-v0", **options)  # type: ignore[arg-type]
    # It acts without a look at the mask.
    with pytest.warns(UserWarning, match="is not in the mask"):
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
    with pytest.warns(UserWarning, match="action 0 is not in the mask"):
        _, reward, ended, _, info = table.step(0)
    assert (reward, ended, info) == (-200, True, {"illegal": True})


def test_gymnasium_vector_of_single_seats() -> None:
    tables = gymnasium.make_vec("tichu/Tichu-v0", num_envs=2, vectorization_mode="sync", rules="simple")
    observations, _ = tables.reset(seed=1)
    assert tables.observation_space.contains(observations)
    tables.close()


@pytest.mark.parametrize("copied", [True, False])
def test_gymnasium_vector(core: str, copied: bool) -> None:
    tables = gymnasium.make_vec("tichu/TichuSelfPlay-v0", num_envs=8, rules="simple", copy=copied)
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
    with pytest.warns(UserWarning, match="is not in the mask"):
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
    with pytest.raises(GameError, match="max_rounds is a number from 1 on"):
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


@pytest.mark.parametrize(
    "made", ["make('tichu.envs:tichu/Tichu-v0')", "make_vec('tichu.envs:tichu/TichuSelfPlay-v0', num_envs=2)"]
)
def test_gymnasium_finds_the_names_by_their_module(made: str) -> None:
    program = f"import gymnasium; print(gymnasium.{made}.reset(seed=1)[0]['action_mask'].shape[-1])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "1625"


def test_masks_mean_the_same_everywhere(core: str) -> None:
    unpacked, packed = TichuVectorEnv(8), TichuVectorEnv(8, packed_masks=True)
    for tables in (unpacked, packed):
        observations, _ = tables.reset(seed=1)
        assert tables.observation_space.contains(observations)
    for _ in range(300):
        actions = packed.games.sample().copy()
        one, *_ = unpacked.step(actions)
        other, _, done, _, info = packed.step(actions)
        assert "action_mask" not in other
        assert (unpack_masks(other["packed_action_mask"]) == one["action_mask"]).all()
        assert (unpacked.action_masks() == one["action_mask"]).all()
        assert packed.observation_space.contains(other)
        if done.any():
            assert packed.observation_space.contains(info["final_obs"])
    assert unpacked.single_observation_space == TichuEnv().observation_space


def test_a_loop_that_overlooks_the_mask_is_told_once() -> None:
    tables = TichuVectorEnv(4)
    tables.reset(seed=1)
    with pytest.warns(UserWarning, match="action 0 is not in the mask"):
        tables.step(np.zeros(4, np.int64))
    # Warnings are errors in these tests: a second one would be seen.
    *_, info = tables.step(np.zeros(4, np.int64))
    assert info["illegal"].all()


def test_illegal_actions_can_be_errors() -> None:
    tables = TichuVectorEnv(4, illegal="raise")
    observations, _ = tables.reset(seed=1)
    before = observations["observation"].copy()
    with pytest.raises(ValueError, match="game 0: action 0 is not in the mask"):
        tables.step(np.zeros(4, np.int64))
    assert (tables.games.observations == before).all()
    one = TichuEnv(illegal="raise")
    one.reset(seed=1)
    with pytest.raises(ValueError, match="action 0 is not in the mask"):
        one.step(0)
    one.step(int(one.action_masks().argmax()))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: SelfPlay(0), "games is a number from 1 on, not 0"),
        (lambda: SelfPlay("many"), "games is a number from 1 on, not 'many'"),  # type: ignore[arg-type]
        (lambda: SelfPlay(2, threads=0), "threads is a number from 1 on, not 0"),
        (lambda: SelfPlay(2, 3), "rules are a text as 'standard', or Rules, not 3"),  # type: ignore[arg-type]
        (lambda: TichuEnv(seat=4), "a seat is 0, 1, 2 or 3, not 4"),
        (lambda: TichuEnv(opponents=3), "a bot is a name as 'greedy', or an Agent, not 3"),  # type: ignore[arg-type]
        (lambda: TichuEnv(opponents="nobody").reset(), "no bot 'nobody'"),
        (lambda: TichuEnv(illegal="ignore"), "illegal actions end or raise, not 'ignore'"),  # type: ignore[arg-type]
        (lambda: TichuEnv().reset(options={"deal": ""}), "no option 'deal' for reset; there is position"),
        (lambda: TichuEnv().reset(options={"position": "nonsense"}), "a position has 8 fields, not 1"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_wrong_arguments_are_told_plainly(make: Callable[[], object], message: str) -> None:
    with pytest.raises(GameError, match=re.escape(message)):
        make()


def test_nothing_can_be_done_before_reset() -> None:
    with pytest.raises(gymnasium.error.ResetNeeded):
        TichuEnv().step(0)
    with pytest.raises(gymnasium.error.ResetNeeded):
        raw_env().step(0)
    many = SeatVectorEnv(2)
    for ask in (many.action_masks, many.sample, many.state, lambda: many.packed_round(0)):
        with pytest.raises(gymnasium.error.ResetNeeded):
            ask()


@pytest.mark.parametrize("wrong", [[np.inf, 1], [np.nan, 1], [0.5, 1], [True, False]])
def test_what_is_no_action_is_refused_in_many_games_as_in_one(wrong: list[float]) -> None:
    many, one = SeatVectorEnv(2), TichuEnv()
    many.reset(seed=1)
    one.reset(seed=1)
    with pytest.raises(GameError, match="whole numbers"):
        many.step(wrong)  # type: ignore[arg-type]
    with pytest.raises(GameError, match="an action is a number"):
        one.step(wrong[0])  # type: ignore[arg-type]


def test_gymnasium_single_begins_in_a_position() -> None:
    table = TichuEnv(opponents="greedy", partner="greedy", seat=2)
    # Seats 0 and 1 decide first; then seat 2 can play its king or pass.
    position = "9sJs/2s3s/5bKb/4s6s p0 - 85/0/0/0 - ---- - -/-/-/-"
    observation, _ = table.reset(seed=1, options={"position": position})
    assert int(observation["observation"][field("counts").place][0]) == 2
    assert table.action_masks().sum() >= 1
    ended = False
    while not ended:
        _, _, ended, _, info = table.step(int(np.flatnonzero(table.action_masks())[0]))
    assert sum(info["score"]) in (100, 200)
    again, _ = table.reset(seed=1, options={"position": position})
    assert (again["observation"] == observation["observation"]).all()
    dealt, _ = table.reset(seed=1)
    assert int(dealt["observation"][field("counts").place][0]) == 8


def test_a_position_in_which_the_seat_has_no_say_is_refused() -> None:
    table = TichuEnv(opponents="greedy", partner="greedy", seat=1)
    position = "9s/-/Kb/4s p0 - 90/0/0/0 - ---- 1 -/-/-/-"
    with pytest.raises(GameError, match="seat 1 has nothing to decide in this position"):
        table.reset(options={"position": position})
    with pytest.raises(GameError, match="the round is over"):
        table.reset(options={"position": "-/-/-/5sKs e - 30/25/10/20 - TT-- 012 -/-/-/-"})


@pytest.mark.parametrize("opponents", ["greedy", "learned", "heuristic"])
def test_a_copy_of_an_environment_plays_on_by_itself(opponents: str) -> None:
    table = TichuEnv(opponents=opponents, partner=opponents)
    table.reset(seed=4)
    for _ in range(5):
        table.step(int(np.flatnonzero(table.action_masks())[-1]))
    copies = [copy.deepcopy(table), pickle.loads(pickle.dumps(table))]
    ends = []
    for one in (table, *copies):
        ended = False
        while not ended:
            _, reward, ended, _, info = one.step(int(np.flatnonzero(one.action_masks())[-1]))
        ends.append((reward, info["score"]))
    assert len(set(ends)) == 1
