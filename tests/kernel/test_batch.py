"""Batches: many games at once, each as if it were alone."""

from threading import Thread
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tichu.core.errors import GameError
from tichu.core.phases import Phase
from tichu.core.rules import PRESETS, Rules
from tichu.kernel import check, native, python
from tichu.kernel.packing import unpack

COLUMNS = ("seats", "counts", "calls", "done", "rounds", "scores", "states")


def columns(batch: Any, games: slice = slice(None)) -> list[NDArray[Any]]:
    return [getattr(batch, name)[games].copy() for name in COLUMNS]


def drawn(batch: Any, number: int) -> NDArray[np.int64]:
    """An index for every game that depends on the game and the step alone."""
    games = np.arange(len(batch), dtype=np.uint64)
    words = (games * np.uint64(7919) + np.uint64(number)) * np.uint64(0x9E3779B97F4A7C15)
    indices: NDArray[np.int64] = ((words >> np.uint64(33)) % batch.counts.astype(np.uint64)).astype(np.int64)
    return indices


@pytest.mark.parametrize("name", PRESETS)
def test_a_batch_plays_the_game_of_the_rules_core(name: str) -> None:
    batch = check.batch(3, PRESETS[name], seed=5)
    for number in range(150):
        batch.step(drawn(batch, number))
    for number in range(30):
        batch.act(batch.pick(drawn(batch, number)))
    batch.random_steps(100)
    assert batch.rounds.sum() > 2
    batch.reset()
    assert batch.rounds.sum() == 0


def test_nothing_depends_on_size_and_threads() -> None:
    large = native.batch(300, Rules(), seed=9, threads=1)
    threaded = native.batch(300, Rules(), seed=9, threads=3)
    small = native.batch(70, Rules(), seed=9, first=200)
    assert threaded.threads == 3
    for number in range(400):
        if number % 3:
            for batch in (large, threaded, small):
                batch.random_steps(2)
        else:
            indices = drawn(large, number)
            large.step(indices)
            threaded.act(threaded.pick(indices))
            small.step(indices[200:270])
        for one, two in zip(columns(large), columns(threaded), strict=True):
            assert (one == two).all()
        for one, two in zip(columns(large, slice(200, 270)), columns(small), strict=True):
            assert (one == two).all()
    assert large.rounds.min() >= 3


def test_all_actions_come_in_one_array() -> None:
    batch = native.batch(100, Rules(), seed=3, threads=2)
    for _ in range(30):
        starts, actions = batch.actions()
        assert (np.diff(starts) == batch.counts).all()
        assert len(actions) == starts[-1]
        assert all(actions[starts[game] : starts[game + 1]].tolist() == batch.legal(game) for game in range(100))
        batch.random_steps(5)


def test_seeds_differ() -> None:
    one, two = native.batch(4, Rules(), seed=1), native.batch(4, Rules(), seed=2)
    assert (one.states != two.states).any()


def test_anytime_is_played_as_ordered() -> None:
    batch = native.batch(64, Rules(bombs="anytime"), seed=1)
    asked = 0
    for _ in range(200):
        batch.random_steps()
        states = [unpack(row.tobytes()) for row in batch.states]
        assert {state.rules.bombs for state in states} == {"ordered"}
        asked += sum(state.phase is Phase.BOMB for state in states)
    assert asked > 10


def test_a_round_that_ends_is_followed_by_the_next_deal() -> None:
    batch = native.batch(8, Rules(), seed=1)
    while not batch.done.any():
        batch.random_steps()
    game = int(batch.done.argmax())
    assert batch.rounds[game] == 1
    assert batch.scores[game].sum() % 100 == 0
    assert batch.states[game].tobytes() == native.deal(Rules(bombs="ordered"), 1, game, 1)


def test_arrays_follow_the_batch_and_outlive_it() -> None:
    batch = native.batch(8, Rules(), seed=1)
    seats, counts = batch.seats, batch.counts
    assert not counts.flags.writeable
    while (seats == 0).all():
        batch.random_steps()
    assert batch.legal(0)[counts[0] - 1] == batch.pick(counts.astype(np.int64) - 1)[0]
    before = seats.copy()
    del batch
    assert (seats == before).all()


@pytest.mark.parametrize("kernel", [native, python])
def test_wrong_indices_and_actions_are_refused_and_nothing_changes(kernel: Any) -> None:
    batch = kernel.batch(5, Rules(), seed=1)
    before = columns(batch)
    indices = np.zeros(5, np.int64)
    indices[3] = batch.counts[3]
    for wrong in (indices, -np.ones(5, np.int64), np.zeros(4, np.int64)):
        with pytest.raises(ValueError, match=r"game \d has no such|one index or action"):
            batch.step(wrong)
        with pytest.raises(ValueError, match=r"game \d has no such|one index or action"):
            batch.pick(wrong)
    actions = batch.pick(np.zeros(5, np.int64))
    actions[2] = 1 << 61
    for bad in (actions, actions[:4], np.zeros(5, np.uint64), np.full(5, 2**64 - 1, np.uint64)):
        with pytest.raises(ValueError, match=r"legal|packed|one index or action|time"):
            batch.act(bad)
    for one, two in zip(before, columns(batch), strict=True):
        assert (one == two).all()


def test_threads_of_python_wait_for_one_another() -> None:
    alone, shared = native.batch(200, Rules(), seed=1), native.batch(200, Rules(), seed=1, threads=2)
    workers = [Thread(target=lambda: [shared.random_steps(3) for _ in range(40)]) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    alone.random_steps(4 * 40 * 3)
    for one, two in zip(columns(alone), columns(shared), strict=True):
        assert (one == two).all()


@pytest.mark.parametrize("kernel", [native, python])
def test_a_batch_needs_games_and_threads(kernel: Any) -> None:
    for games, threads in ((0, 1), (1, 0)):
        with pytest.raises((ValueError, GameError)):
            kernel.batch(games, Rules(), seed=1, threads=threads)
