"""Learning: probabilities, advantages, matches, evaluation, and the weights that go into the package."""

from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tichu.agents.learned.network import read_network
from tichu.encoding import OBSERVATION_SIZE
from tichu.encoding.numbering import CALLING_GRAND, CALLING_TICHU
from training.advantages import VALUES, estimate_advantages, round_rewards
from training.checkpoint import read_policy
from training.evaluation import ablate, deterministic, evaluate, greedy, random_player, random_player_without_calls
from training.matches import MatchValue
from training.network import LOGITS, Policy, action_distribution, unpack_bits
from training.ppo import Coefficients, Config, Learner
from training.simulator import NO_RESULT, RESULT, Frame, Simulator
from training.weights import write_bot

GAMES = 64
# Tests run side by side; threads that wait for each other would only get in the way.
torch.set_num_threads(1)


def frame_after(seed: int, steps: int = 30) -> Frame:
    simulator, frame = Simulator(GAMES, "cpu"), Frame.empty((GAMES,), "cpu")
    simulator.deal(seed, frame)
    torch.manual_seed(seed)
    for _ in range(steps):
        simulator.step(random_player(frame), frame, simulator.empty_results())
    return frame


def small_policy(seed: int) -> Policy:
    torch.manual_seed(seed)
    policy = Policy(32, 2)
    for parameter in policy.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    return policy


def behind(seed: int) -> Any:
    """Rows of somebody who has nearly lost the match."""
    rows = frame_after(seed).observations.clone()
    rows[:, -2:] = torch.tensor([60, 2])
    return rows


def test_probabilities_sum_to_one_and_illegal_actions_have_none() -> None:
    for steps in (0, 30):
        frame = frame_after(1, steps)
        logs, call_entropy, play_entropy = action_distribution(torch.randn(GAMES, LOGITS), frame.masks, 4.0)
        assert torch.allclose(logs.exp().sum(1), torch.ones(GAMES), atol=1e-4)
        assert (logs.exp()[unpack_bits(frame.masks) == 0] == 0).all()
        assert torch.allclose(
            -(logs.exp() * logs.clamp(min=-60)).sum(1), call_entropy + play_entropy * _no_call(logs), atol=1e-3
        )


def _no_call(logs: Any) -> Any:
    return 1 - logs[:, [CALLING_TICHU, CALLING_GRAND]].exp().sum(1)


def test_a_call_is_never_out_of_the_question() -> None:
    frame = frame_after(2, 0)  # The Grand calls.
    never = torch.full((GAMES, LOGITS), -1000.0)
    chance = action_distribution(never, frame.masks, 4.0).log_probabilities[:, CALLING_GRAND].exp()
    assert torch.allclose(chance, torch.full((GAMES,), 0.018), atol=0.001)


def test_advantages_are_the_rise_of_the_deciding_teams_value() -> None:
    # One game: seat 0 decides, then seat 1, then seat 2, which ends the round with +100 for seats 0 and 2.
    seats = torch.tensor([[0], [1], [2], [3]], dtype=torch.int8)
    values = torch.zeros(4, 1, VALUES)
    values[:, 0, 0] = torch.tensor([0.25, -0.5, 0.75, 9.0])
    values[:, 0, 2] = 1.0  # Every seat expects to be first.
    results = torch.full((3, 1, len(RESULT)), NO_RESULT, dtype=torch.int16)
    results[2, 0] = torch.tensor([100, 0, 0, 0, 2, 0, 0])
    done, rewards = round_rewards(results, None)
    advantages, returns = estimate_advantages(values, seats, done, rewards, gae_lambda=0.0)
    assert advantages[:, 0].tolist() == [0.25, -0.25, 0.25]
    assert returns[:, 0, 0].tolist() == [0.5, -0.75, 1.0]
    advantages, returns = estimate_advantages(values, seats, done, rewards, gae_lambda=1.0)
    assert returns[:, 0, 0].tolist() == [1.0, -1.0, 1.0]
    # Seat 2 was first and its team won a double victory, as each seat counts from itself.
    assert returns[:, 0, 2:6].argmax(1).tolist() == [2, 1, 0]
    assert returns[:, 0, 6:].argmax(1).tolist() == [0, 1, 0]


def test_a_match_is_worth_more_near_its_end() -> None:
    matches = MatchValue("cpu")
    # Rounds of even teams: 100 to 0, or a double victory with a Tichu.
    points = torch.tensor([[100, 0], [0, 100], [300, 0], [0, 300]])
    results = torch.zeros(4, len(RESULT), dtype=torch.int16)
    results[:, :2] = points
    assert matches.reward(results).tolist() == [1.0, -1.0, 3.0, -3.0]
    for _ in range(249):
        matches.count(results)
    matches.update()
    assert matches.win_probabilities is None  # Nearly a thousand rounds are not enough.
    matches.count(results)
    matches.update()
    scores = torch.tensor(
        [[0.0, 0], [500, 500], [900, 900], [900, 0], [0, 900], [1005, 1000], [1000, 1000], [-400, 1000]]
    )
    chances = matches.win_probability(scores).tolist()
    assert chances[:3] == pytest.approx([0.5, 0.5, 0.5], abs=1e-4)
    assert chances[3] > 0.95
    assert chances[3] + chances[4] == pytest.approx(1, abs=1e-4)
    assert chances[5:] == [1.0, pytest.approx(0.5, abs=1e-4), 0.0]
    # At the beginning rounds count nearly by their points; at 900 each there is nothing but to win the round.
    early = matches.reward(results)
    assert early[2] > 2 * early[0] > 0
    results[:, 2:4] = 900
    late = matches.reward(results)
    assert late[2] == pytest.approx(float(late[0]), rel=0.3)


def test_opponents_take_their_seats_and_nothing_is_learned_from_them() -> None:
    learner = Learner(Config("cpu", GAMES, 6, 64, width=16, blocks=1, opponent_share=0.5))
    learner.opponent = small_policy(5)
    learner.reset(2)
    learner.collect_rollout(4.0)
    seats, own = learner.frames.seats[:6].long(), learner.is_own
    assert own[:, :32].all()
    theirs = 8 * [{1, 3}, {1, 3}, {2}, {1, 2, 3}]
    for step in range(6):
        assert own[step, 32:].tolist() == [
            int(seat) not in at for seat, at in zip(seats[step, 32:], theirs, strict=True)
        ]
    assert 0.3 < float(own[:, 32:].float().mean()) < 0.8
    # Grand Tichu is decided by 0, 1, 2, 3 in turn: after all of them everybody has had decisions.
    assert {*seats.flatten().tolist()} == {0, 1, 2, 3}
    learner.update(Coefficients.at(0.5, 1e-3))


def test_memoryless_games_show_the_match_and_nothing_of_what_was_played() -> None:
    learner = Learner(Config("cpu", GAMES, 40, 64, width=16, blocks=1, memoryless_share=0.5))
    learner.reset(3)
    learner.collect_rollout(4.0)
    memory = learner.frames.observations[-1, :, OBSERVATION_SIZE:]
    assert not memory[:32, :-2].any()
    assert memory[32:, :-2].any()
    assert memory[:, -2:].all()


def test_numpy_computes_what_torch_computes(tmp_path: Path) -> None:
    policy, frame = small_policy(3), frame_after(3)
    write_bot(policy.state_dict(), tmp_path / "small.npz")
    network = read_network(str(tmp_path / "small.npz"))
    with torch.no_grad():
        scores, expected = policy(frame.observations)
    for row in range(0, GAMES, 4):
        own, foreseen = network.scores(frame.observations[row].numpy(), np.arange(1625))
        assert np.abs(own - scores[row, :1625].numpy()).max() < 0.05 * np.abs(own).max()
        wanted = float(expected[row, 0])
        assert foreseen.points / 100 == pytest.approx(wanted, abs=0.05 * (1 + abs(wanted)))
        first, double = expected[row, 1:5].softmax(0), expected[row, 5:].softmax(0)
        assert foreseen.first == pytest.approx(first.tolist(), abs=0.1)
        assert foreseen.double == pytest.approx(double.tolist(), abs=0.1)


def test_eight_bits_are_half_of_the_file_and_nearly_the_same_network(tmp_path: Path) -> None:
    policy = read_policy(Path(str(files("tichu.agents.learned") / "champion.npz")), "cpu").state_dict()
    paths = [tmp_path / "sixteen.npz", tmp_path / "eight.npz"]
    for path, is_short in zip(paths, (False, True), strict=True):
        write_bot(policy, path, eight_bits=is_short)
    assert paths[1].stat().st_size < 0.6 * paths[0].stat().st_size
    sixteen, eight = (read_network(str(path)) for path in paths)
    for one, two in ((sixteen.entry, eight.entry), (sixteen.head, eight.head), (sixteen.value, eight.value)):
        step = np.abs(one.weight).max(axis=1 if one is sixteen.head else 0, keepdims=True) / 127
        assert (np.abs(one.weight - two.weight) <= 0.51 * step + 1e-3 * np.abs(one.weight)).all()
    again = read_policy(paths[1], "cpu").state_dict()
    assert np.allclose(again["head.weight"][:1625], eight.head.weight)


def test_what_is_left_of_a_schedule_is_a_schedule_of_its_own() -> None:
    """As docs/training.md tells those who go on from a file: after a third of it, here."""
    share = 1 / 3
    left = (1 - share) ** 1.5
    for progress in (0.05, 0.3, 0.7):
        whole = Coefficients.at(share + (1 - share) * progress, 5e-4, 0.006)
        rest = Coefficients.at(progress, 5e-4 * left, 0.006 * left)
        # But for what both never fall below.
        assert rest.learning_rate == pytest.approx(whole.learning_rate, abs=0.02 * 5e-4)
        assert rest.call_entropy == pytest.approx(whole.call_entropy)
        assert rest.play_entropy == pytest.approx(whole.play_entropy)


def test_tichu_may_be_called_by_the_probability_of_being_first() -> None:
    policy, frame = small_policy(6), frame_after(6, 18)
    with torch.no_grad():
        chance = policy(frame.observations)[1][:, 1:5].softmax(1)[:, 0]
    may = unpack_bits(frame.masks)[:, CALLING_TICHU] > 0
    middle = float(chance[may].median())
    for least, calling in ((0.0, may), (middle, may & (chance > middle)), (1.0, may & False)):
        assert torch.equal(deterministic(policy, first_threshold=least)(frame) == CALLING_TICHU, calling)
    assert 0 < int((may & (chance > middle)).sum()) < int(may.sum())


def test_evaluation_is_fair_and_finds_the_better_one() -> None:
    greedy_player = greedy("cpu")
    assert evaluate(greedy_player, greedy_player, "cpu", GAMES, seed=4).mean == 0
    torch.manual_seed(4)
    better = evaluate(greedy_player, random_player, "cpu", GAMES, seed=4)
    assert better.mean > 3 * better.standard_error
    assert deterministic(small_policy(4))(frame_after(4)).shape == (GAMES,)
    policy, early = deterministic(small_policy(4)), frame_after(4)
    assert not torch.equal(policy(early), ablate(policy, "memory")(early))
    late = early._replace(observations=behind(4))
    assert not torch.equal(policy(early), policy(late))
    assert torch.equal(policy(early), ablate(policy, "match")(late))
    won = evaluate(greedy_player, random_player_without_calls, "cpu", GAMES, seed=4, goal=100)
    assert won.mean - 0.5 > 3 * won.standard_error
