"""The state for critics: that of many games is that of each, in both cores and every form."""

import numpy as np
import pytest

from tichu.envs import SelfPlay, tichu_v0
from tichu.envs.critic import STATE_LENGTH, write_state
from tichu.envs.seat_vector import SeatVectorEnv
from tichu.envs.single import TichuEnv
from tichu.envs.vector import TichuVectorEnv
from tichu.kernel.packing import unpack


@pytest.mark.parametrize("rules", ["standard", "simple", "single-round"])
def test_states_of_all_games_are_those_of_each(core: str, rules: str) -> None:
    games = SelfPlay(12, rules, reward="match", max_rounds=2, seed=3)
    picked = 0
    for step in range(240):
        if step % 4 == 0:
            states = games.state()
            assert states.shape == (12, STATE_LENGTH)
            assert states.dtype == np.uint8
            for game in range(12):
                state = unpack(games.packed_round(game))
                picks = tuple(games._tables.picks(game))
                picked += len(picks)
                one, two = games._tables.totals[game].tolist()
                assert (states[game] == write_state(state, picks, (one, two))).all()
        games.step(games.sample())
    assert picked or rules == "simple"


def test_every_form_has_it(core: str) -> None:
    seat = SeatVectorEnv(3, seat=1)
    seat.reset(seed=5)
    one = TichuEnv(seat=1)
    one.reset(seed=6)
    for _ in range(30):
        action = seat.sample()
        assert (seat.state()[1] == one.state()).all()
        seat.step(action)
        over = one.step(int(action[1]))[2]
        if over:
            one.reset()
    assert seat.state()[:, :224].max() == 1
    vector = TichuVectorEnv(2)
    vector.reset(seed=7)
    table = tichu_v0.raw_env()
    table.reset(seed=7)
    assert (vector.state()[0] == table.state()).all()
    assert vector.state().shape == (2, *table.state_space.shape)


def test_the_seat_that_decides_is_in_it(core: str) -> None:
    games = SelfPlay(32, seed=2)
    for _ in range(50):
        assert (games.state()[:, 560:564].argmax(axis=1) == games.seats).all()
        games.step(games.sample())
