"""The simulator plays what the environments play, bit for bit."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch")

from tichu.encoding import field  # noqa: E402
from tichu.envs import SelfPlay, unpack_masks  # noqa: E402
from training.simulator import COUNTERS, NO_RESULT, Frame, Simulator, play_at_random  # noqa: E402
from training.speed import same_frames  # noqa: E402

GAMES = 64


@pytest.mark.parametrize("rules", ["standard", "courtesy", "single-round", "brettspielwelt"])
def test_it_writes_what_the_environments_write(rules: str) -> None:
    games = SelfPlay(GAMES, rules, reward="difference", forced=False, seed=5)
    simulator, frame = Simulator(GAMES, "cpu", rules), Frame.empty((GAMES,), "cpu")
    results = torch.zeros(GAMES, dtype=torch.int16)
    simulator.deal(5, frame)
    games.reset(5)
    ended = 0
    for _ in range(150):
        assert (frame.observations.numpy() == games.observations).all()
        assert (frame.masks.numpy() == games.masks).all()
        assert (frame.seats.numpy() == games.seats).all()
        actions = games.sample()
        games.step(actions)
        simulator.step(torch.from_numpy(actions.astype(np.int16)), frame, results)
        over = results.numpy() != NO_RESULT
        assert (over == games.done.astype(bool)).all()
        assert (results.numpy()[over] == games.rewards[over, 0]).all()
        ended += int(over.sum())
    assert dict(zip(COUNTERS, simulator.counters.tolist(), strict=True))["rounds"] == ended > GAMES


def test_critics_see_hands_that_fit_the_observation() -> None:
    games = SelfPlay(GAMES, "standard", forced=False, seed=6)
    simulator, frame = Simulator(GAMES, "cpu"), Frame.empty((GAMES,), "cpu")
    results = torch.zeros(GAMES, dtype=torch.int16)
    simulator.deal(6, frame)
    games.reset(6)
    hand, played, phase = field("hand").place, field("played").place, field("phase").first
    for _ in range(80):
        hands = np.unpackbits(frame.hands.numpy(), axis=1, bitorder="little").reshape(GAMES, 4, 56)
        seen = frame.observations.numpy()
        assert (hands.sum(1) + seen[:, played] == 1).all()
        is_play = seen[:, phase : phase + 2].sum(1) == 0
        assert (hands[is_play, 0] == seen[is_play, hand]).all()
        # During the Grand calls six cards are still to come; in the exchange some are on their way.
        before = ~is_play
        assert (hands[before, 0].sum(1) >= 11).all()
        actions = games.sample()
        games.step(actions)
        simulator.step(torch.from_numpy(actions.astype(np.int16)), frame, results)


def test_every_game_of_the_mask_can_be_stepped() -> None:
    simulator, frame = Simulator(GAMES, "cpu", first=1000), Frame.empty((GAMES,), "cpu")
    simulator.deal(7, frame)
    assert (unpack_masks(frame.masks.numpy()).sum(1) > 1).all()


def test_the_same_games_twice() -> None:
    assert same_frames("cpu", "cpu", GAMES, 60, seed=8) == 60 * GAMES


def test_random_games_depend_on_the_seed_alone() -> None:
    one = play_at_random("cpu", 1024, 150, seed=9)
    assert one == play_at_random("cpu", 1024, 150, seed=9)
    assert one != play_at_random("cpu", 1024, 150, seed=10)
    assert one[0] + one[1] == 1024 * 150


def test_a_number_of_games_that_no_block_holds_is_refused() -> None:
    with pytest.raises(RuntimeError, match="64 games or a multiple"):
        Simulator(63, "cpu").deal(1, Frame.empty((63,), "cpu"))
