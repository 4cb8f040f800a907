"""A function from arrays to actions as a bot."""

from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import numpy as np
import pytest
from numpy.typing import NDArray

from tichu import PRESETS, Game, GameError, Rules, shuffled_deal
from tichu.agents import Question, make_agent
from tichu.agents.policy import PolicyAgent
from tichu.arena import play_round
from tichu.core.actions import CALL_TICHU, DECLINE_GRAND, Exchange
from tichu.encoding import OBSERVATION_SIZE


def mixed(observations: NDArray[np.uint8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
    """Any legal action, drawn from what is seen."""
    rows = zip(observations, masks, strict=True)
    return np.array([np.flatnonzero(mask)[crc32(seen.tobytes()) % mask.sum()] for seen, mask in rows])


def lowest(observations: NDArray[np.uint8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
    first: NDArray[np.int64] = masks.argmax(axis=1)
    return first


@pytest.mark.parametrize("preset", PRESETS)
def test_a_policy_plays_whole_rounds_under_every_preset(preset: str) -> None:
    rng = Random(3)
    for _ in range(3):
        result = play_round([PolicyAgent(mixed)] * 4, shuffled_deal(rng), Rules.parse(preset))
        assert result.round.is_over


def test_a_batch_asks_each_policy_once_a_turn_and_decides_as_alone() -> None:
    asked: list[int] = []

    def counted(observations: NDArray[np.uint8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        assert observations.shape == (len(masks), OBSERVATION_SIZE)
        asked.append(len(masks))
        return mixed(observations, masks)

    one, other = PolicyAgent(counted), PolicyAgent(lowest)
    views = [Game.start(shuffled_deal(Random(seed))).view(0) for seed in range(6)]
    questions = [Question(agent, view, view.legal()) for view in views for agent in (one, other)]
    together = PolicyAgent.act_batch(questions)
    assert asked == [6]
    assert together == [agent.act(view, legal) for agent, view, legal in questions]


def test_an_exchange_is_three_picks_and_a_call_may_come_before() -> None:
    game = Game.start(shuffled_deal(Random(2)))
    for seat in range(4):
        game = game.after(seat, DECLINE_GRAND)
    view = game.view(1)
    first = PolicyAgent(lowest).act(view, view.legal())
    last = PolicyAgent(lambda _, masks: masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)).act(view, view.legal())
    assert first == CALL_TICHU
    assert isinstance(last, Exchange)
    assert last in view.legal()


def test_a_policy_for_single_rounds_sees_no_match() -> None:
    seen: list[NDArray[np.uint8]] = []

    def keep(observations: NDArray[np.uint8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        seen.append(observations[0])
        return lowest(observations, masks)

    view = Game.start(shuffled_deal(Random(1))).view(0)._replace(score=(400, -100))
    PolicyAgent(keep, sees_match=False).act(view, view.legal())
    PolicyAgent(keep, sees_match=False).act(view._replace(score=(0, 0)), view.legal())
    PolicyAgent(keep).act(view, view.legal())
    assert (seen[0] == seen[1]).all()
    assert (seen[0] != seen[2]).any()


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda _, masks: masks.argmin(axis=1), "which its mask does not allow"),
        (lambda _, masks: [-1], "chose action -1"),
        (lambda _, masks: [1.5], "whole numbers, not with float64"),
        (lambda _, masks: [[0]], r"shape \(1, 1\)"),
    ],
    ids=["illegal", "negative", "float", "shape"],
)
def test_a_wrong_answer_is_told(answer: Any, words: str) -> None:
    view = Game.start(shuffled_deal(Random(1))).view(0)
    with pytest.raises(GameError, match=words):
        PolicyAgent(answer).act(view, view.legal())


def test_a_function_of_a_file_is_a_bot(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def lowest(observations, masks):\n    return masks.argmax(axis=1)\n\n\ndef _own():\n    pass\n")
    agent = make_agent(f"{file}:lowest", 7)
    assert isinstance(agent, PolicyAgent)
    view = Game.start(shuffled_deal(Random(1))).view(0)
    assert agent.act(view, view.legal()) == PolicyAgent(lowest).act(view, view.legal())
    with pytest.raises(GameError, match=r"has no class or function 'highest'; it has lowest$"):
        make_agent(f"{file}:highest")
