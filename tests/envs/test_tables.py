"""Games step by step: Python = native, AEC = vector, and outcomes as the core has them."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from tests.properties.rounds import each_rule_set
from tichu import Combo, Exchange, Phase, Round, Rules
from tichu.core.actions import PASS, DeclineBomb
from tichu.encoding import decode_pick
from tichu.encoding.observations import field
from tichu.envs import PICKING, PLAYING, SelfPlay, decode, tichu_v0, unpack_masks
from tichu.envs.tables import PythonTables, Reward, native_tables_are_there, settings, tables
from tichu.envs.vector import TichuVectorEnv
from tichu.kernel.chance import Chance
from tichu.kernel.packing import pack, unpack

needs_native = pytest.mark.skipif(not native_tables_are_there(), reason="no native core")

_COLUMNS = ("observations", "masks", "rewards", "scores", "totals", "seats", "done", "truncated")


@needs_native
@pytest.mark.parametrize("reward", ["points", "difference", "match"])
@each_rule_set
def test_native_tables_are_the_python_ones(rules: Rules, reward: Reward) -> None:
    goal = rules.goal if rules.goal.kind == "rounds" else rules.goal._replace(number=20)
    played = Rules(**{name: getattr(rules, name) for name in rules.__slots__} | {"goal": goal})
    of = settings(played, reward, max_rounds=2)
    native, python = tables(5, of, 7, deals_anew=True, first=3), PythonTables(5, of, 7, deals_anew=True, first=3)
    actions, same = np.zeros((2, 5), np.int64)
    ended = 0
    for step in range(350):
        for name in _COLUMNS:
            assert (getattr(native, name) == getattr(python, name)).all(), f"{name} after {step} steps"
        over = native.done.astype(bool)
        ended += int(over.sum())
        assert (native.final_observations[over] == python.final_observations[over]).all()
        assert native.secrets() == python.secrets()
        assert native.picks(1) == python.picks(1)
        native.sample(actions)
        python.sample(same)
        assert (actions == same).all()
        if step % 7 == 3:
            actions[2] = -1
        native.step(actions)
        python.step(actions)
    assert ended


def test_a_match_that_is_truncated_brings_nothing(core: str) -> None:
    games = SelfPlay(8, reward="match", max_rounds=3, seed=1)
    cut = 0
    for _ in range(2000):
        games.step(games.sample())
        assert (games.truncated <= games.done).all()
        assert not games.rewards[games.truncated == 1].any()
        cut += int(games.truncated.sum())
    assert cut
    games.step(np.full(8, -1))
    assert not games.truncated.any()


@needs_native
def test_threads_change_nothing() -> None:
    one, two = SelfPlay(200, seed=5), SelfPlay(200, seed=5, threads=2)
    for _ in range(150):
        one.step(one.sample())
        two.step(two.sample())
        assert (one.observations == two.observations).all()
        assert (one.masks == two.masks).all()


@each_rule_set
def test_aec_and_vector_agree_step_by_step(core: str, rules: Rules) -> None:
    games = SelfPlay(2, rules, seed=11)
    table = tichu_v0.raw_env(rules=rules)
    table.reset(seed=11)
    rng = np.random.default_rng(1)
    for episode in range(2):
        while True:
            observation = table.observe(table.agent_selection)
            assert table.agent_selection == f"seat_{games.seats[0]}"
            assert (observation["observation"] == games.observations[0]).all()
            assert (observation["action_mask"] == unpack_masks(games.masks[0])).all()
            for agent in set(table.agents) - {table.agent_selection}:
                assert not table.observe(agent)["action_mask"].any()
            action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
            table.step(action)
            games.step(np.array([action, -1]))
            if games.done[0]:
                break
        assert [table.rewards[agent] for agent in table.possible_agents] == games.rewards[0].tolist()
        assert table.infos["seat_1"]["score"] == tuple(games.scores[0].tolist()[::-1])
        if episode == 0:
            table.reset()


@each_rule_set
def test_outcomes_are_those_of_the_core(core: str, rules: Rules) -> None:
    """The same deal and the same actions, told to the core one by one, end in the same score."""
    games = SelfPlay(1, rules, seed=4, forced=True)
    played = games.settings.rules
    state = _settled(Round.start(Chance(4).deal(), played))
    picks: tuple[int, ...] = ()
    number = 0
    while True:
        seat = state.pending[0]
        assert seat == games.seats[0]
        assert games.packed_round(0) == pack(state)
        number = int(games.sample()[0])
        if PICKING <= number < PLAYING:
            picks = (*picks, decode_pick(number, state.view(seat), picks))
            if len(picks) == 3:
                state = state.after(seat, Exchange(*picks))
                picks = ()
        else:
            state = state.after(seat, decode(number, state.view(seat)))
        state = _settled(state)
        games.step(np.array([number]))
        if state.is_over:
            break
        assert not games.done[0]
    assert games.done[0]
    assert tuple(games.scores[0].tolist()) == state.outcome.score
    assert games.rewards[0].tolist() == [state.outcome.score[seat % 2] for seat in range(4)]


def _settled(state: Round) -> Round:
    while (decision := state.automatic()) is not None:
        state = state.after_unchecked(*decision)
    return state


def test_simple_asks_only_for_plays(core: str) -> None:
    games = SelfPlay(8, "simple", seed=2)
    for _ in range(200):
        for game in range(8):
            numbers = np.flatnonzero(unpack_masks(games.masks[game])).tolist()
            assert len(numbers) > 1
            state = unpack(games.packed_round(game))
            actions = [decode(number, state.view(state.pending[0])) for number in numbers]
            assert state.phase in (Phase.PLAY, Phase.BOMB)
            assert all(isinstance(action, Combo | DeclineBomb) or action is PASS for action in actions)
        games.step(games.sample())


def test_standard_asks_everything(core: str) -> None:
    games = SelfPlay(16, seed=2)
    met = set()
    for _ in range(400):
        met |= {unpack(games.packed_round(game)).phase for game in range(16)}
        games.step(games.sample())
    assert met == set(Phase) - {Phase.END}


def test_picks_are_seen_by_nobody_else(core: str) -> None:
    table = tichu_v0.raw_env(rules="standard grand=no")
    table.reset(seed=6)
    others = [agent for agent in table.agents if agent != table.agent_selection]
    before = [table.observe(agent)["observation"].tolist() for agent in others]
    own = table.observe("seat_0")
    for _ in range(2):
        table.step(int(np.flatnonzero(own["action_mask"])[-1]))
        own = table.observe("seat_0")
        assert [table.observe(agent)["observation"].tolist() for agent in others] == before
    assert own["observation"][field("picks").place] == 2
    assert sorted(own["observation"][field("given").place].tolist())[-2:] == [1, 2]


def test_copies_of_self_play_play_on_by_themselves(core: str) -> None:
    games = SelfPlay(3, reward="match", max_rounds=2, seed=3)
    for _ in range(130):
        games.step(games.sample())
    twins = [copy.deepcopy(games), pickle.loads(pickle.dumps(games))]
    for twin in twins:
        for name in ("observations", "final_observations", "masks", "rewards", "scores", "seats", "done", "truncated"):
            assert (getattr(twin, name) == getattr(games, name)).all()
    for _ in range(200):
        games.step(games.sample())
        for twin in twins:
            twin.step(twin.sample())
            assert (twin.observations == games.observations).all()
            assert (twin.rewards == games.rewards).all()


def test_copies_of_pettingzoo_and_of_the_vector_form_play_on_by_themselves(core: str) -> None:
    table = tichu_v0.env(rules="simple")
    table.reset(seed=5)
    tables = TichuVectorEnv(2, "simple")
    tables.reset(seed=5)
    for _ in range(10):
        table.step(int(table.last()[0]["action_mask"].argmax()))
        tables.step(tables.games.sample())
    twin, twins = copy.deepcopy(table), pickle.loads(pickle.dumps(tables))
    for _ in range(20):
        action = int(table.last()[0]["action_mask"].argmax())
        for each in (table, twin):
            each.step(action)
        assert (table.last()[0]["observation"] == twin.last()[0]["observation"]).all()
        actions = tables.games.sample()
        assert (tables.step(actions)[0]["observation"] == twins.step(actions)[0]["observation"]).all()


@needs_native
def test_stored_tables_that_cannot_be_are_refused() -> None:
    games = tables(2, settings(), deals_anew=True)
    made: Any = type(games)
    state: Any = games.__getstate__()
    for wrong in (state[-1][:-1], bytes(len(state[-1])), state[-1][:86] + b"\7" + state[-1][87:]):
        with pytest.raises(ValueError, match=r"stored|card|phase"):
            made.__new__(made).__setstate__((*state[:-1], wrong))
