"""The puzzles of the package: every position can be made again, every answer is legal, nothing hidden is shown."""

import os
from functools import cache
from random import Random

import msgspec
import pytest

from tichu import Rules, View, format_action, format_deal, parse_action, parse_view
from tichu.agents.heuristic import HeuristicAgent
from tichu.analysis.proofs import prove
from tichu.analysis.puzzles import (
    MARGINS,
    STANDARD_ERRORS,
    THEMES,
    Puzzle,
    Theme,
    find_puzzle,
    format_puzzles,
    is_same,
    judge,
    parse_puzzles,
    position_of,
    puzzles,
    question_of,
    round_of,
)
from tichu.analysis.worlds import Worlds
from tichu.core.actions import CallGrand, CallTichu, Exchange
from tichu.core.errors import GameError
from tichu.core.phases import Phase
from tools.explain_puzzles import explain

IS_THOROUGH = bool(os.environ.get("THOROUGH"))
#: One in so many is looked at, unless all are.
SHARE = 1 if IS_THOROUGH else 8
PROVED = 1000 if IS_THOROUGH else 2


def sample() -> tuple[Puzzle, ...]:
    return puzzles()[::SHARE]


@cache
def first(theme: Theme) -> Puzzle:
    return next(puzzle for puzzle in puzzles() if puzzle.theme == theme)


def bot_view(view: View) -> View:
    return view._replace(rules=view.rules.sequential())


def test_the_file_is_read_and_written_as_it_is() -> None:
    assert parse_puzzles(format_puzzles(puzzles())) == puzzles()


def test_no_two_puzzles_share_a_round_or_an_id() -> None:
    assert len({puzzle.id for puzzle in puzzles()}) == len(puzzles())
    assert len({puzzle.deal for puzzle in puzzles()}) == len(puzzles())


def test_a_line_that_is_not_a_puzzle_is_told() -> None:
    with pytest.raises(GameError, match="line 1: not a puzzle"):
        parse_puzzles('{"id": 7}\n')
    with pytest.raises(GameError, match="no puzzle 'nothing'"):
        find_puzzle("nothing")


def test_positions_can_be_made_again() -> None:
    for puzzle in sample():
        view, eight, deal, _ = position_of(puzzle)
        question = question_of(puzzle)
        shown = parse_view(question.view, question.seat, Rules.parse(question.rules))
        assert shown == view._replace(history=(), score=(0, 0)), puzzle.id
        assert tuple(map(parse_action, question.history)) == view.history, puzzle.id
        assert eight == deal[puzzle.seat][0]
        legal = view.legal()
        for candidate in puzzle.candidates:
            seat, action = parse_action(candidate.action)
            assert seat == puzzle.seat
            assert action in legal, (puzzle.id, candidate.action)
        assert sorted(question.choices) == sorted(candidate.action for candidate in puzzle.candidates)


def test_the_heuristic_bot_misses_them() -> None:
    for puzzle in sample():
        view = bot_view(position_of(puzzle).view)
        action = HeuristicAgent(0).act(view, view.legal())
        assert format_action(view.seat, action) == puzzle.heuristic, puzzle.id
        judgement = judge(puzzle, action)
        assert judgement.is_right is False, puzzle.id
        assert judgement.candidate is not None, puzzle.id


def test_the_best_beats_all_others_clearly() -> None:
    for puzzle in puzzles():
        best, *others = puzzle.candidates
        assert (best.lost, best.lost_error) == (0, 0)
        assert others, puzzle.id
        assert puzzle.proved or puzzle.worlds == 2400
        for other in others:
            assert other.lost >= MARGINS[puzzle.theme], puzzle.id
            # Both were rounded.
            assert other.lost + 0.05 > STANDARD_ERRORS * (other.lost_error - 0.05), puzzle.id


def test_actions_that_differ_are_different_answers() -> None:
    for puzzle in sample():
        view = position_of(puzzle).view
        actions = [parse_action(each.action)[1] for each in puzzle.candidates]
        actions += [parse_action(text)[1] for text in puzzle.also]
        assert judge(puzzle, puzzle.best).is_right
        for place, one in enumerate(actions):
            assert not any(is_same(one, two, view) for two in actions[:place]), puzzle.id
        for text in puzzle.also:
            assert judge(puzzle, text).is_right


def test_what_is_proved_can_be_proved_again() -> None:
    proved = sorted((puzzle for puzzle in puzzles() if puzzle.proved), key=lambda puzzle: (puzzle.worlds, puzzle.id))
    assert proved
    for puzzle in proved[:PROVED]:
        view, eight, _, _ = position_of(puzzle)
        proof = prove(bot_view(view), eight)
        assert proof is not None, puzzle.id
        assert format_action(puzzle.seat, proof.actions[0]) == puzzle.best
        assert len(proof.values) == puzzle.worlds
        assert (proof.values[:, :1] >= proof.values).all()
        means = dict(zip(proof.actions, proof.values.mean(0).tolist(), strict=True))
        for candidate in puzzle.candidates:
            assert candidate.points == pytest.approx(means[parse_action(candidate.action)[1]], abs=0.06)


def test_an_action_that_is_not_best_everywhere_is_not_proved() -> None:
    puzzle = next(puzzle for puzzle in puzzles() if puzzle.proved)
    view, eight, _, _ = position_of(puzzle)
    assert prove(bot_view(view), eight, parse_action(puzzle.best)[1]) is None


def test_a_question_depends_on_nothing_that_is_hidden() -> None:
    """The same puzzle in another world that looks the same to the seat."""
    people = [puzzle for puzzle in puzzles() if puzzle.origin == "people"][:: 4 * SHARE]
    differing = 0
    for puzzle in people:
        view, eight, _, _ = position_of(puzzle)
        [world] = Worlds(view, eight).sample(1, seed=1)
        actions = []
        for text in puzzle.actions.split():
            seat, action = parse_action(text)
            if isinstance(action, Exchange):
                action = Exchange(*world.given[seat])
            actions.append(format_action(seat, action))
        if view.phase is Phase.GRAND:
            continue
        other = msgspec.structs.replace(puzzle, deal=format_deal(world.deal), actions=" ".join(actions))
        assert question_of(other) == question_of(puzzle)
        # Late in a round there may be no other world.
        differing += position_of(other).hands != position_of(puzzle).hands
    assert differing


def test_a_question_tells_neither_answer_nor_deal() -> None:
    for puzzle in sample():
        told = msgspec.json.decode(msgspec.json.encode(question_of(puzzle)))
        assert not told.keys() & {"deal", "actions", "candidates", "heuristic", "played", "source", "reasons", "also"}
        assert told["choices"] == sorted(told["choices"])


def test_whoever_is_asked_to_call_may_answer_with_any_play() -> None:
    for puzzle in puzzles():
        if puzzle.theme != "call":
            continue
        legal = position_of(puzzle).view.legal()
        is_call = isinstance(parse_action(puzzle.best)[1], (CallGrand, CallTichu))
        action = legal.draw(Random(1))
        answered = judge(puzzle, action)
        assert answered.is_right is (isinstance(action, (CallGrand, CallTichu)) == is_call)
        assert answered.candidate is not None
        assert len(puzzle.candidates) == 2


def test_an_answer_that_is_not_legal_is_refused() -> None:
    puzzle = first("endgame")
    other = (puzzle.seat + 1) & 3
    with pytest.raises(GameError, match="is to decide"):
        judge(puzzle, f"{other}:-")
    with pytest.raises(GameError, match="not legal"):
        judge(puzzle, f"{puzzle.seat}+G")
    with pytest.raises(GameError, match="no action"):
        judge(puzzle, f"{puzzle.seat}=7s")


def test_a_wrong_history_is_told() -> None:
    puzzle = first("endgame")
    _, _, later = puzzle.actions.partition(" ")
    with pytest.raises(GameError, match="action 3: this is not the time for that"):
        position_of(msgspec.structs.replace(puzzle, actions=later))
    with pytest.raises(GameError, match="nothing to decide"):
        position_of(msgspec.structs.replace(puzzle, seat=(puzzle.seat + 1) & 3))


def test_there_are_many_and_some_of_every_theme() -> None:
    assert len(puzzles()) >= 300
    assert {puzzle.theme for puzzle in puzzles()} == set(THEMES)
    assert {puzzle.origin for puzzle in puzzles()} == {"people", "bots"}


def test_every_puzzle_is_explained() -> None:
    """By what happens more often after the answer, or by what a proof says in numbers."""
    for puzzle in puzzles():
        assert puzzle.reasons or puzzle.proof, puzzle.id
        assert (puzzle.proof is not None) == puzzle.proved, puzzle.id


def test_a_proof_says_in_how_many_worlds_and_by_how_much() -> None:
    for puzzle in puzzles():
        if puzzle.proof is None:
            continue
        proof = puzzle.proof
        assert 0 <= proof.least <= proof.most, puzzle.id
        assert 0 < proof.better <= puzzle.worlds, puzzle.id
        assert (proof.better < puzzle.worlds) == (proof.least == 0), puzzle.id
        # The world as it was is one of them.
        assert proof.least <= proof.best_line.points - proof.missed_line.points <= proof.most, puzzle.id


def test_lines_of_a_proof_can_be_played() -> None:
    for puzzle in [each for each in puzzles() if each.proof][:: 1 if IS_THOROUGH else 10]:
        assert puzzle.proof is not None
        for first, line in ((puzzle.best, puzzle.proof.best_line), (puzzle.heuristic, puzzle.proof.missed_line)):
            state = round_of(puzzle)
            state = state._replace(rules=state.rules.sequential())
            before = len(state.out)
            assert line.actions.split()[0] == first
            for text in line.actions.split():
                state = state.after(*parse_action(text))
            ours, theirs = state.outcome.score
            assert line.points == (ours - theirs if puzzle.seat % 2 == 0 else theirs - ours)
            assert line.next_out == next(iter(state.out[before:]), None)


def test_explaining_again_changes_nothing() -> None:
    proved = next(puzzle for puzzle in puzzles() if puzzle.proof and puzzle.worlds < 20)
    assert explain(proved) is proved
    assert explain(msgspec.structs.replace(proved, proof=None)) == proved
