from pathlib import Path

import numpy as np
import pytest

from tichu import CallTichu, Exchange, GameError, Pass, RoundRecord, read_game
from tichu.agents.learned.agent import LearnedAgent
from tichu.analysis.decisions import KINDS, Question, decisions_of, questions_of
from tichu.analysis.values import Values, estimate, values_of
from tichu.analysis.worlds import Worlds
from tichu.core.phases import Phase

GAMES = Path(__file__).parent.parent / "games"
READING = read_game(GAMES / "00.ttn")


def record() -> RoundRecord:
    one = READING.rounds[1]
    assert isinstance(one, RoundRecord)
    return one


@pytest.fixture(scope="module")
def questions() -> list[Question]:
    return questions_of(list(decisions_of(record(), READING.rules, (100, 40))), LearnedAgent())


def test_decisions_are_those_with_a_choice(questions: list[Question]) -> None:
    numbers = [question.decision.number for question in questions]
    assert numbers == sorted(set(numbers))
    assert sum(question.kind == "grand" for question in questions) == 4
    assert sum(isinstance(question.decision.played, Exchange) for question in questions) == 4
    for question in questions:
        view = question.decision.view
        assert question.kind in KINDS
        assert view.seat in view.pending
        assert question.candidates[0] == question.decision.played == record().actions[question.decision.number][1]
        assert all(action in view.legal() for action in question.candidates)
        assert view.score == ((100, 40) if view.seat % 2 == 0 else (40, 100))


def test_where_the_bot_would_have_done_something_else_more_is_compared(questions: list[Question]) -> None:
    several = [question for question in questions if len(question.candidates) > 1]
    assert 0 < len(several) < len(questions)
    for question in several:
        assert len(set(map(str, question.candidates))) == len(question.candidates)
        calls = any(isinstance(action, CallTichu) for action in question.candidates[:2])
        assert calls == (question.kind == "tichu")
        if question.kind == "follow" and Pass() in question.decision.view.legal():
            assert Pass() in question.candidates


def test_an_illegal_round_is_told_with_its_action() -> None:
    one = record()
    wrong = one._replace(actions=(*one.actions[:8], (one.actions[8][0], Pass())))
    with pytest.raises(GameError, match="action 8"):
        list(decisions_of(wrong, READING.rules))


def late(questions: list[Question]) -> list[Question]:
    """Some of the last ones, which are quickly played on."""
    return [question for question in questions if len(question.candidates) > 1][-2:]


def test_values_depend_on_the_seed_and_on_what_the_seat_knew_alone(questions: list[Question]) -> None:
    asked = late(questions)
    values = values_of(asked, 8, seed=1)
    again = values_of(asked, 8, seed=1)
    for question, one, two in zip(asked, values, again, strict=True):
        assert one.points.shape == (8, len(question.candidates))
        assert np.array_equal(one.points, two.points)
        # The decision in another world that looks the same to the seat.
        decision = question.decision
        worlds = Worlds(decision.view, decision.eight)
        [world] = worlds.sample(1, seed=99)
        view = worlds.round(world).view(decision.view.seat)
        view = view._replace(history=decision.view.history, score=decision.view.score)
        elsewhere = Question(decision._replace(view=view), question.kind, question.candidates)
        [other] = values_of([elsewhere], 8, seed=1)
        assert np.array_equal(other.points, values_of([question], 8, seed=1)[0].points)


def test_nothing_is_played_where_there_is_nothing_to_compare(questions: list[Question]) -> None:
    alone = next(question for question in questions if len(question.candidates) == 1)
    [values] = values_of([alone], 8, seed=1)
    assert (values.worlds, values.best(), values.lost()) == (0, 0, (0.0, 0.0))


def test_simultaneous_decisions_are_made_anew(questions: list[Question]) -> None:
    hidden = next(question for question in questions if question.decision.view.phase is Phase.GRAND)
    if len(hidden.candidates) == 1:
        hidden = hidden._replace(candidates=tuple(hidden.decision.view.legal()))
    [values] = values_of([hidden], 2, seed=1)
    assert values.worlds == 2


def test_the_error_is_that_of_the_mean_and_never_nothing() -> None:
    sample = np.array([10.0, -10.0] * 200)
    assert estimate(sample).mean == 0
    assert estimate(sample).error == pytest.approx(10 / 20, rel=0.05)
    assert estimate(np.zeros(50)).error == pytest.approx(1, rel=0.05)


def test_a_candidate_is_not_valued_where_it_was_chosen(questions: list[Question]) -> None:
    draw = np.random.default_rng(1)
    lost, naive = [], []
    for _ in range(400):
        # Four candidates that are worth the same.
        points = np.round(draw.normal(0, 100, (24, 4))).astype(np.int16)
        values = Values(questions[0], points)
        lost.append(values.lost().mean)
        naive.append((points.mean(0).max() - points[:, 0].mean()).item())
    assert np.mean(naive) > 15
    assert abs(np.mean(lost)) < 4 * np.std(lost) / 20


def test_lost_is_signed(questions: list[Question]) -> None:
    # One half likes the other candidate, the other half does not.
    points = np.array([[0, 30], [0, -30]] * 8, np.int16)
    assert Values(questions[0], points).lost().mean == -15
