"""One seat against bots: native = Python, a row of many games = one game, and stored environments go on."""

import copy
import os
import pickle
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from tests.properties.rounds import each_rule_set
from tichu import Action, GameError, Rules
from tichu.agents.base import Agent, BatchAgent, Question
from tichu.agents.greedy import GreedyAgent
from tichu.agents.learned.agent import LearnedAgent, SmallAgent
from tichu.agents.learned.human import HumanAgent
from tichu.agents.learned.network import small
from tichu.encoding import pack_mask
from tichu.encoding.observations import field
from tichu.envs import unpack_masks
from tichu.envs.python_seats import PythonSeats
from tichu.envs.seat_vector import SeatVectorEnv
from tichu.envs.seats import Seats, bots_around, seats
from tichu.envs.single import TichuEnv
from tichu.envs.tables import Reward, native_tables_are_there, settings

needs_native = pytest.mark.skipif(
    not native_tables_are_there() and os.environ.get("CI") != "true", reason="no native core"
)

_COLUMNS = ("observations", "masks", "rewards", "terminated", "truncated", "illegal", "scores", "rounds")
_STEPS = 1500 if os.environ.get("THOROUGH") else 90


def play(*both: Seats, steps: int, sometimes_wrong: bool = True) -> int:
    """The same actions in all; answers how many episodes ended."""
    ended = 0
    actions = np.zeros((len(both), len(both[0])), np.int64)
    for step in range(steps):
        for name in _COLUMNS:
            assert (getattr(both[0], name) == getattr(both[-1], name)).all(), f"{name} after {step} steps"
        over = (both[0].terminated | both[0].truncated).astype(bool)
        ended += int(over.sum())
        assert (both[0].final_observations[over] == both[-1].final_observations[over]).all()
        assert both[0].secrets() == both[-1].secrets()
        assert both[0].state(1) == both[-1].state(1)
        assert both[0].totals(1) == both[-1].totals(1)
        for each, drawn in zip(both, actions, strict=True):
            each.sample(drawn)
        assert (actions[0] == actions[-1]).all()
        if sometimes_wrong and step % 50 == 20:
            actions[:, 2] = step
        assert both[0].first_illegal(actions[0]) == both[-1].first_illegal(actions[0])
        for each in both:
            each.step(actions[0])
    return ended


@needs_native
@pytest.mark.parametrize("reward", ["points", "difference", "match"])
@each_rule_set
def test_native_seats_are_the_python_ones(rules: Rules, reward: Reward) -> None:
    goal = rules.goal if rules.goal.kind == "rounds" else rules.goal._replace(number=100)
    played = Rules(**{name: getattr(rules, name) for name in rules.__slots__} | {"goal": goal})
    of = settings(played, reward, max_rounds=2)
    seat = ("points", "difference", "match").index(reward) + 1
    bots = bots_around(seat, "greedy" if reward != "difference" else "random", "random")
    native, python = seats(3, of, seat, bots, deals_anew=True), PythonSeats(3, of, seat, bots, deals_anew=True)
    assert not isinstance(native, PythonSeats)
    for each in (native, python):
        for game in range(3):
            each.seed(game, 5 + 7 * game)
            each.begin(game)
    assert play(native, python, steps=_STEPS)


@needs_native
@pytest.mark.parametrize("rules", ["standard", "brettspielwelt", "courtesy", "simple", "single-round"])
def test_networks_decide_natively_as_in_python(rules: str) -> None:
    reward: Reward = "match" if rules == "standard" else "difference"
    of, bots = settings(rules, reward, max_rounds=2), bots_around(1, "small", "greedy")
    native, python = seats(3, of, 1, bots, deals_anew=True), PythonSeats(3, of, 1, bots, deals_anew=True)
    assert not isinstance(native, PythonSeats)
    for each in (native, python):
        for game in range(3):
            each.seed(game, 9 + 4 * game)
        each.begin_all()
    assert play(native, python, steps=_STEPS)
    position = python.state(2)
    for each in (native, python):
        # Nobody knows what was played before.
        each.begin_at(0, position)
    play(native, python, steps=10)


@needs_native
def test_networks_are_known_by_name_and_as_bots_that_keep_nothing() -> None:
    of = settings("simple")

    def is_native(opponents: str | Agent, partner: str | Agent) -> bool:
        return not isinstance(seats(1, of, 0, bots_around(0, opponents, partner), deals_anew=True), PythonSeats)

    class Own(LearnedAgent):
        pass

    assert is_native("small", "best")
    assert is_native(SmallAgent(), LearnedAgent(network=small()))
    assert is_native("human", HumanAgent(network=small()))
    assert not is_native("small", "easy")
    assert not is_native("small", HumanAgent(distance=120))
    assert not is_native("small", Own(network=small()))
    assert not is_native("small", LearnedAgent(network=small().by_numpy()))


@needs_native
def test_games_with_networks_are_stored_without_them() -> None:
    of, bots = settings("simple"), bots_around(0, "small", LearnedAgent(network=small()))
    one = seats(5, of, 0, bots, deals_anew=True, threads=2)
    stored = pickle.dumps(seats(5, of, 0, bots_around(0, "small", "random"), deals_anew=True))
    assert len(stored) < 5000
    actions = np.zeros(5, np.int64)
    for step in range(40):
        one.sample(actions)
        one.step(actions)
        if step % 20 == 3:
            for other in (copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
                play(copy.deepcopy(one), other, steps=15)
    import tichu_native

    state = tichu_native.Seats.__getstate__(pickle.loads(stored))
    with pytest.raises(ValueError, match="lacks its network"):
        tichu_native.Seats.__new__(tichu_native.Seats).__setstate__(state)


@needs_native
def test_packed_masks_are_the_same() -> None:
    of, bots = settings(), bots_around(0, "greedy", "greedy")
    plain = seats(4, of, 0, bots, deals_anew=True)
    packed = seats(4, of, 0, bots, deals_anew=True, packs=True, threads=2)
    python = PythonSeats(4, of, 0, bots, deals_anew=True, packs=True)
    actions = np.zeros(4, np.int64)
    for game in range(4):
        python.seed(game, game)
        python.begin(game)
    for _ in range(60):
        assert (pack_mask(plain.masks) == packed.packed_masks).all()
        assert (packed.packed_masks == python.packed_masks).all()
        assert packed.masks.size == plain.packed_masks.size == 0
        plain.sample(actions)
        for each in (plain, packed, python):
            each.step(actions)


def vectors(count: int, **options: object) -> SeatVectorEnv:
    made = gymnasium.make_vec("tichu/Tichu-v0", num_envs=count, **options)  # type: ignore[arg-type]
    assert isinstance(made, SeatVectorEnv)
    return made


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"rules": "simple", "opponents": "random", "seat": 3},
        {"reward": "match"},
        {"opponents": "easy", "partner": "human:-80"},
    ],
)
def test_a_row_is_the_environment_of_one_seat(core: str, options: dict[str, object]) -> None:
    many = vectors(3, max_rounds=2, **options)
    single = [TichuEnv(max_rounds=2, **options) for _ in range(3)]  # type: ignore[arg-type]
    rows, _ = many.reset(seed=8)
    for game, one in enumerate(single):
        observation, _ = one.reset(seed=8 + game)
        assert all((rows[name][game] == observation[name]).all() for name in rows)
    ended = 0
    for _ in range(60 if core == "python" else 250):
        actions = many.sample()
        rows, rewards, terminated, truncated, info = many.step(actions)
        for game, one in enumerate(single):
            observation, reward, *over, told = one.step(int(actions[game]))
            assert [reward, *over] == [rewards[game], terminated[game], truncated[game]]
            if any(over):
                ended += 1
                final = info["final_obs"]
                assert all((final[name][game] == observation[name]).all() for name in final)
                assert told["score"] == tuple(info["score"][game].tolist())
                assert told["rounds"] == info["rounds"][game]
                observation, _ = one.reset()
            assert all((rows[name][game] == observation[name]).all() for name in rows)
    assert ended


def test_make_vec_follows_gymnasium(core: str) -> None:
    tables = vectors(4, rules="simple")
    assert tables.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    recorded = RecordEpisodeStatistics(tables)
    observations, _ = recorded.reset(seed=1)
    again, _ = tables.reset(seed=[1, 2, 3, 4])
    assert all((observations[name] == again[name]).all() for name in observations)
    ended = 0
    while not ended:
        before = {name: value.copy() for name, value in again.items()}
        observations, rewards, done, _, info = recorded.step(tables.sample())
        # What was told before is not overwritten.
        assert all((before[name] == again[name]).all() for name in before)
        assert tables.observation_space.contains(observations)
        again = observations
        if done.any():
            ended += int(done.sum())
            assert info["episode"]["r"][done].tolist() == rewards[done].tolist()
            assert tables.observation_space.contains(info["final_obs"])
            assert (info["final_obs"]["observation"][done][:, field("phase").place][:, 6] == 1).all()
            assert (info["_score"] == done).all()
    other, _ = recorded.reset()
    assert (other["observation"] != observations["observation"]).any()
    recorded.close()


def test_options_of_many_games(core: str) -> None:
    tables = vectors(2, packed_masks=True, copy=False)
    observations, _ = tables.reset(seed=3)
    assert tables.observation_space.contains(observations)
    assert (unpack_masks(observations["packed_action_mask"]) == tables.action_masks()).all()
    held = observations["observation"]
    tables.step(tables.sample())
    assert (held == tables.step(tables.sample())[0]["observation"]).all()
    position = "9sJs/2s3s/5bKb/4s6s p0 - 85/0/0/0 - ---- - -/-/-/-"
    observations, _ = tables.reset(seed=1, options={"position": position})
    assert observations["observation"][:, field("counts").place].tolist() == [[2, 2, 2, 2]] * 2
    with pytest.raises(GameError, match="3 seeds for 2 games"):
        tables.reset(seed=[1, 2, 3])
    with pytest.raises(GameError, match="has nothing to decide"):
        vectors(2, seat=1).reset(options={"position": "9s/-/Kb/4s p0 - 90/0/0/0 - ---- 1 -/-/-/-"})
    with pytest.raises(GameError, match="num_envs is a number from 1 on, not 0"):
        SeatVectorEnv(0)
    with pytest.raises(GameError, match="not rendered"):
        SeatVectorEnv(1, render_mode="human")


def test_illegal_actions_of_many_games(core: str) -> None:
    tables = vectors(3)
    tables.reset(seed=1)
    before = tables.sample()
    with pytest.warns(UserWarning, match="action 0 is not in the mask"):
        _, rewards, done, _, info = tables.step(np.array([0, before[1], 99_999]))
    assert rewards.tolist() == [-200, 0, -200]
    assert done.tolist() == info["illegal"].tolist() == [True, False, True]
    assert not info["_score"].any()
    strict = vectors(3, illegal="raise")
    observations, _ = strict.reset(seed=1)
    with pytest.raises(ValueError, match="game 1: action -1 is not in the mask"):
        strict.step(np.array([before[0], -1, before[2]]))
    # Nothing has changed.
    same = vectors(3)
    same.reset(seed=1)
    after, expected = strict.step(before)[0], same.step(before)[0]
    assert all((after[name] == expected[name]).all() for name in observations)


def played_on(tables: SeatVectorEnv, steps: int) -> list[list[float]]:
    rows = []
    for _ in range(steps):
        observations, rewards, *_ = tables.step(tables.sample())
        rows.append([*rewards.tolist(), *observations["observation"].sum(axis=1).tolist()])
    return rows


@pytest.mark.parametrize("opponents", ["greedy", "random"])
def test_copies_of_many_games_play_on_by_themselves(core: str, opponents: str) -> None:
    tables = vectors(3, opponents=opponents, partner="random", reward="match")
    fresh = pickle.loads(pickle.dumps(tables))
    tables.reset(seed=4)
    for _ in range(12):
        tables.step(tables.sample())
    copies = [copy.deepcopy(tables), pickle.loads(pickle.dumps(tables))]
    expected = played_on(tables, 40)
    for one in copies:
        assert played_on(one, 40) == expected
    assert fresh.reset(seed=4)[0]["observation"].shape == (3, 363)


@needs_native
def test_stored_games_that_cannot_be_are_refused() -> None:
    games = seats(2, settings(), 0, bots_around(0, "greedy", "greedy"), deals_anew=True)
    made: Any = type(games)
    state: Any = games.__getstate__()
    arguments, stored = state[:-1], state[-1]
    # Too short, one game of two, no cards, no such phase, nothing pending.
    for wrong in (
        stored[:-1],
        stored[:160],
        bytes(320),
        stored[:86] + b"\7" + stored[87:],
        stored[:87] + b"\0" + stored[88:],
    ):
        with pytest.raises(ValueError, match=r"stored|card|phase|pending"):
            made.__new__(made).__setstate__((*arguments, wrong))


class CountingBot(BatchAgent):
    """Decides as greedy does, and counts how it was asked."""

    batches: list[int] = []  # noqa: RUF012 - all bots count together

    @staticmethod
    def act_batch(questions: Sequence[Question]) -> list[Action]:
        CountingBot.batches.append(len(questions))
        return [GreedyAgent().act(view, legal) for _, view, legal in questions]


def test_bots_that_take_batches_are_asked_for_all_games_at_once() -> None:
    CountingBot.batches.clear()
    tables, same = SeatVectorEnv(6, CountingBot(), CountingBot()), SeatVectorEnv(6)
    for each in (tables, same):
        each.reset(seed=2)
    for _ in range(40):
        one, other = (each.step(each.sample()) for each in (tables, same))
        assert (one[0]["observation"] == other[0]["observation"]).all()
        assert (one[1] == other[1]).all()
    assert max(CountingBot.batches) == 6


def test_a_learned_opponent_decides_alike_alone_and_in_a_batch() -> None:
    tables = vectors(3, opponents="learned", partner="greedy", rules="simple")
    alone = TichuEnv(opponents="learned", partner="greedy", rules="simple")
    rows, _ = tables.reset(seed=1)
    observation, _ = alone.reset(seed=2)
    for _ in range(8):
        assert (rows["observation"][1] == observation["observation"]).all()
        actions = tables.sample()
        rows, *_ = tables.step(actions)
        observation, _, ended, *_ = alone.step(int(actions[1]))
        if ended:
            observation, _ = alone.reset()
    tables.close()
    alone.close()


def test_seeds_that_follow_each_other_share_deals_and_those_of_the_examples_do_not() -> None:
    def deals(seed: int) -> set[bytes]:
        return {row.tobytes() for row in SeatVectorEnv(16).reset(seed=seed)[0]["observation"]}

    # Gymnasium's own vector environments give game i the seed plus i.
    assert len(deals(1) & deals(2)) == 15
    assert not deals(1_000_003) & deals(2_000_006)
