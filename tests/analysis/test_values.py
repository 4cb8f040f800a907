from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tichu import CallTichu, Exchange, GameError, Pass, RoundRecord, read_game
from tichu.agents.learned.agent import LearnedAgent
from tichu.analysis import values as values_module
from tichu.analysis.decisions import KINDS, Question, decisions_of, questions_of
from tichu.analysis.precision import Budget
from tichu.analysis.rollouts import Ends, Start, policy
from tichu.analysis.values import CandidateValues, Values, values_of
from tichu.analysis.worlds import Worlds
from tichu.core.phases import Phase
from tichu.core.rules import Goal

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


#: Enough to see that it works.
SMALL = Budget(pilot=4, fewest=8, most=8, decisions=4)


def points_of(values: Values) -> list[object]:
    return [None if each is None else each.points.tolist() for each in (values.pilot, values.duel)]


def test_values_depend_on_the_seed_and_on_what_the_seat_knew_alone(questions: list[Question]) -> None:
    asked = late(questions)
    values = values_of(asked, 1, SMALL)
    again = values_of(asked, 1, SMALL)
    for question, one, two in zip(asked, values, again, strict=True):
        assert one.worlds == 8
        assert one.challenger in range(1, len(question.candidates))
        assert points_of(one) == points_of(two)
        # The decision in another world that looks the same to the seat.
        decision = question.decision
        worlds = Worlds(decision.view, decision.eight)
        [world] = worlds.sample(1, seed=99)
        view = worlds.round(world).view(decision.view.seat)
        view = view._replace(history=decision.view.history, score=decision.view.score)
        elsewhere = Question(decision._replace(view=view), question.kind, question.candidates)
        [other] = values_of([elsewhere], 1, SMALL)
        assert points_of(other) == points_of(values_of([question], 1, SMALL)[0])


def test_the_small_bot_too_plays_rounds_on(questions: list[Question]) -> None:
    asked = late(questions)[:1]
    [values] = values_of(asked, 1, SMALL._replace(policy="small"))
    assert points_of(values) == points_of(values_of(asked, 1, SMALL, policy("small"))[0])


def test_candidates_have_points_and_a_chance_to_win(questions: list[Question]) -> None:
    [values] = values_of(late(questions)[:1], 1, SMALL)
    for place in range(len(values.question.candidates)):
        points, win = values.of(place)
        assert points.error > 0
        assert win is not None
        assert 0 < win.mean < 1
        assert 0 < win.error < 0.5
    single = values.question.decision
    rules = single.view.rules.sequential()
    alone = single._replace(view=single.view._replace(rules=replace(rules, goal=Goal("rounds", 1))))
    [values] = values_of([values.question._replace(decision=alone)], 1, SMALL)
    assert values.of(0)[1] is None


def test_time_that_runs_out_leaves_all_decisions_with_fewer_worlds(
    questions: list[Question], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = late(questions)
    budget = SMALL._replace(fewest=40, most=40)
    now = iter(range(1000))
    # A second passes whenever somebody looks: 8 rollouts and more were played in the first.
    monkeypatch.setattr(values_module, "process_time", lambda: float(next(now)))
    hurried = values_of(asked, 1, budget._replace(seconds=2.5))
    assert all(8 <= each.worlds < 40 for each in hurried)
    assert {each.worlds for each in values_of(asked, 1, budget._replace(seconds=1000.0))} == {40}
    assert {each.worlds for each in values_of(asked, 1, budget)} == {40}
    assert {each.worlds for each in values_of(asked, 1, budget._replace(seconds=0.5))} == {8}


def test_nothing_is_played_where_there_is_nothing_to_compare(questions: list[Question]) -> None:
    alone = next(question for question in questions if len(question.candidates) == 1)
    [values] = values_of([alone], 1, SMALL)
    assert (values.worlds, values.best(), values.lost(), values.chance()) == (0, 0, (0.0, 0.0), 1.0)


def test_simultaneous_decisions_are_made_anew(questions: list[Question]) -> None:
    hidden = next(question for question in questions if question.decision.view.phase is Phase.GRAND)
    if len(hidden.candidates) == 1:
        hidden = hidden._replace(candidates=tuple(hidden.decision.view.legal()))
    [values] = values_of([hidden], 1, SMALL)
    assert values.worlds == 8


def duel(question: Question, points: NDArray[np.float64], cut: float = 0.0) -> Values:
    known = CandidateValues(points.astype(np.float32), np.zeros((0, 2)), cut)
    return Values(question, known, 1, known)


def test_lost_is_signed(questions: list[Question]) -> None:
    better, worse = (duel(questions[0], np.array([[0, sign * 30], [0, sign * 10]] * 16)) for sign in (1, -1))
    assert (better.lost().mean, worse.lost().mean) == (20, -20)
    assert (better.best(), worse.best()) == (1, 0)
    assert better.chance() < 0.1 < 0.9 < worse.chance()


def test_what_the_critic_may_be_off_by_is_part_of_the_error(questions: list[Question]) -> None:
    points = np.array([[0, 30], [0, 10]] * 400)
    assert duel(questions[0], points).lost().error < 1
    assert 1 < duel(questions[0], points, 0.5).lost().error < duel(questions[0], points, 1).lost().error


def test_the_challenger_is_not_valued_where_it_was_chosen(
    questions: list[Question], monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = np.random.default_rng(1)
    question = next(question for question in questions if len(question.candidates) > 1)
    four = question._replace(candidates=question.candidates[:1] * 4)

    def play(starts: list[Start], network: object, decisions: object) -> Ends:
        # Four candidates that are worth the same.
        return Ends(draw.normal(0, 100, len(starts)).astype(np.float32), np.zeros((len(starts), 7), np.int16))

    monkeypatch.setattr(values_module, "play_on", play)
    monkeypatch.setattr(values_module, "starts_in", lambda _, __, drawn, each: [None] * len(drawn) * len(each))
    lost, naive = [], []
    for seed in range(80):
        [values] = values_of([four], seed, Budget(pilot=24, fewest=24, most=24))
        assert values.pilot is not None
        means = values.pilot.points.mean(0)
        naive.append(float(means[values.challenger] - means[0]))
        lost.append(values.lost().mean)
    assert np.mean(naive) > 10
    assert abs(np.mean(lost)) < 4 * np.std(lost) / np.sqrt(len(lost))
