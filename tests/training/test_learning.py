"""Learning: chances, gains, matches, duels, and the weights that go into the package."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch")

from tichu.agents.learned.network import read_network  # noqa: E402
from tichu.encoding import OBSERVATION_SIZE  # noqa: E402
from tichu.encoding.numbering import CALLING_GRAND, CALLING_TICHU  # noqa: E402
from training.credit import VALUES, advantages, round_ends  # noqa: E402
from training.duel import at_random, at_random_without_calls, best_of, by_preference, duel, without  # noqa: E402
from training.export import export  # noqa: E402
from training.matches import Matches  # noqa: E402
from training.network import LOGITS, Policy, choices, unpack  # noqa: E402
from training.ppo import Learner, Rates, Setting  # noqa: E402
from training.simulator import NO_RESULT, RESULT, Frame, Simulator  # noqa: E402

GAMES = 64
# Tests run side by side; threads that wait for each other would only get in the way.
torch.set_num_threads(1)


def shown(seed: int, steps: int = 30) -> Frame:
    simulator, frame = Simulator(GAMES, "cpu"), Frame.empty((GAMES,), "cpu")
    simulator.deal(seed, frame)
    torch.manual_seed(seed)
    for _ in range(steps):
        simulator.step(at_random(frame), frame, simulator.no_results())
    return frame


def small_policy(seed: int) -> Policy:
    torch.manual_seed(seed)
    policy = Policy(32, 2)
    for parameter in policy.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    return policy


def behind(seed: int) -> Any:
    """Rows of somebody who has nearly lost the match."""
    rows = shown(seed).observations.clone()
    rows[:, -2:] = torch.tensor([60, 2])
    return rows


def test_chances_are_chances_and_illegal_actions_have_none() -> None:
    for steps in (0, 30):
        frame = shown(1, steps)
        logs, calling, others = choices(torch.randn(GAMES, LOGITS), frame.masks, 4.0)
        assert torch.allclose(logs.exp().sum(1), torch.ones(GAMES), atol=1e-4)
        assert (logs.exp()[unpack(frame.masks) == 0] == 0).all()
        assert torch.allclose(-(logs.exp() * logs.clamp(min=-60)).sum(1), calling + others * _no_call(logs), atol=1e-3)


def _no_call(logs: Any) -> Any:
    return 1 - logs[:, [CALLING_TICHU, CALLING_GRAND]].exp().sum(1)


def test_a_call_is_never_out_of_the_question() -> None:
    frame = shown(2, 0)  # The Grand calls.
    never = torch.full((GAMES, LOGITS), -1000.0)
    chance = choices(never, frame.masks, 4.0).logs[:, CALLING_GRAND].exp()
    assert torch.allclose(chance, torch.full((GAMES,), 0.018), atol=0.001)


def test_gains_are_what_the_value_of_the_own_team_rises_by() -> None:
    # One game: seat 0 decides, then seat 1, then seat 2, which ends the round with +100 for seats 0 and 2.
    seats = torch.tensor([[0], [1], [2], [3]], dtype=torch.int8)
    values = torch.zeros(4, 1, VALUES)
    values[:, 0, 0] = torch.tensor([0.25, -0.5, 0.75, 9.0])
    values[:, 0, 2] = 1.0  # Everybody thinks to be the first.
    results = torch.full((3, 1, len(RESULT)), NO_RESULT, dtype=torch.int16)
    results[2, 0] = torch.tensor([100, 0, 0, 0, 2, 0, 0])
    over, ends = round_ends(results, None)
    gains, targets = advantages(values, seats, over, ends, decay=0.0)
    assert gains[:, 0].tolist() == [0.25, -0.25, 0.25]
    assert targets[:, 0, 0].tolist() == [0.5, -0.75, 1.0]
    gains, targets = advantages(values, seats, over, ends, decay=1.0)
    assert targets[:, 0, 0].tolist() == [1.0, -1.0, 1.0]
    # Seat 2 was the first and won twice, as everybody sees it from the own seat.
    assert targets[:, 0, 2:6].argmax(1).tolist() == [2, 1, 0]
    assert targets[:, 0, 6:].argmax(1).tolist() == [0, 1, 0]


def test_a_match_is_worth_more_near_its_end() -> None:
    matches = Matches("cpu")
    # Rounds of even teams: 100 to 0, or a double victory with a Tichu.
    points = torch.tensor([[100, 0], [0, 100], [300, 0], [0, 300]])
    results = torch.zeros(4, len(RESULT), dtype=torch.int16)
    results[:, :2] = points
    assert matches.worth(results).tolist() == [1.0, -1.0, 3.0, -3.0]
    for _ in range(249):
        matches.count(results)
    matches.learn()
    assert matches.chances is None  # Nearly a thousand rounds are not enough.
    matches.count(results)
    matches.learn()
    scores = torch.tensor(
        [[0.0, 0], [500, 500], [900, 900], [900, 0], [0, 900], [1005, 1000], [1000, 1000], [-400, 1000]]
    )
    chances = matches.chance(scores).tolist()
    assert chances[:3] == pytest.approx([0.5, 0.5, 0.5], abs=1e-4)
    assert chances[3] > 0.95
    assert chances[3] + chances[4] == pytest.approx(1, abs=1e-4)
    assert chances[5:] == [1.0, pytest.approx(0.5, abs=1e-4), 0.0]
    # At the beginning rounds count nearly by their points; at 900 each there is nothing but to win the round.
    early = matches.worth(results)
    assert early[2] > 2 * early[0] > 0
    results[:, 2:4] = 900
    late = matches.worth(results)
    assert late[2] == pytest.approx(float(late[0]), rel=0.3)


def test_rivals_sit_and_nothing_is_learned_from_them() -> None:
    learner = Learner(Setting("cpu", GAMES, 6, 64, width=16, blocks=1, rivals=0.5))
    learner.rival = small_policy(5)
    learner.begin(2)
    learner.play(4.0)
    seats, own = learner.frames.seats[:6].long(), learner.own
    assert own[:, :32].all()
    theirs = 8 * [{1, 3}, {1, 3}, {2}, {1, 2, 3}]
    for step in range(6):
        assert own[step, 32:].tolist() == [
            int(seat) not in at for seat, at in zip(seats[step, 32:], theirs, strict=True)
        ]
    assert 0.3 < float(own[:, 32:].float().mean()) < 0.8
    # Grand Tichu is decided by 0, 1, 2, 3 in turn: after all of them everybody has had decisions.
    assert {*seats.flatten().tolist()} == {0, 1, 2, 3}
    learner.learn(Rates.at(0.5, 1e-3))


def test_the_forgetful_see_the_match_and_nothing_of_what_was_played() -> None:
    learner = Learner(Setting("cpu", GAMES, 40, 64, width=16, blocks=1, forgetful=0.5))
    learner.begin(3)
    learner.play(4.0)
    memory = learner.frames.observations[-1, :, OBSERVATION_SIZE:]
    assert not memory[:32, :-2].any()
    assert memory[32:, :-2].any()
    assert memory[:, -2:].all()


def test_numpy_computes_what_torch_computes(tmp_path: Path) -> None:
    policy, frame = small_policy(3), shown(3)
    export(policy.state_dict(), tmp_path / "small.npz")
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


def test_tichu_may_be_called_by_the_chance_to_be_first() -> None:
    policy, frame = small_policy(6), shown(6, 18)
    with torch.no_grad():
        chance = policy(frame.observations)[1][:, 1:5].softmax(1)[:, 0]
    may = unpack(frame.masks)[:, CALLING_TICHU] > 0
    middle = float(chance[may].median())
    for least, calling in ((0.0, may), (middle, may & (chance > middle)), (1.0, may & False)):
        assert torch.equal(best_of(policy, first=least)(frame) == CALLING_TICHU, calling)
    assert 0 < int((may & (chance > middle)).sum()) < int(may.sum())


def test_a_duel_is_fair_and_finds_the_better_one() -> None:
    greedy = by_preference("cpu")
    assert duel(greedy, greedy, "cpu", GAMES, seed=4).mean == 0
    torch.manual_seed(4)
    better = duel(greedy, at_random, "cpu", GAMES, seed=4)
    assert better.mean > 3 * better.error
    assert best_of(small_policy(4))(shown(4)).shape == (GAMES,)
    policy, early = best_of(small_policy(4)), shown(4)
    assert not torch.equal(policy(early), without(policy, "memory")(early))
    late = early._replace(observations=behind(4))
    assert not torch.equal(policy(early), policy(late))
    assert torch.equal(policy(early), without(policy, "match")(late))
    won = duel(greedy, at_random_without_calls, "cpu", GAMES, seed=4, goal=100)
    assert won.mean - 0.5 > 3 * won.error
