"""Trainers: what they deal, and the champion's judgement."""

import pytest

from tichu.agents.learned.agent import LearnedAgent
from tichu.analysis.drills import TRAINERS, TrainerJudgement, TrainerName
from tichu.analysis.trainers import ask, judge
from tichu.core.actions import CALL_TICHU, Exchange
from tichu.core.cards import parse_card_list, parse_cards
from tichu.core.errors import NotationError
from tichu.core.phases import Phase
from tichu.core.position import parse_view

_WORLDS = 4


@pytest.mark.parametrize("trainer", TRAINERS)
def test_the_same_seed_asks_the_same(trainer: TrainerName) -> None:
    one = ask(trainer, 3)
    assert one == ask(trainer, 3)
    assert one.hand != ask(trainer, 4).hand
    assert parse_cards(one.hand).bit_count() == (8 if trainer == "grand" else 14)
    view = parse_view(one.view, one.seat)
    assert one.seat in view.pending
    wanted = {"grand": Phase.GRAND, "tichu": Phase.PLAY, "exchange": Phase.EXCHANGE}
    assert view.phase is wanted[trainer]


def test_tichu_is_asked_of_who_leads_first() -> None:
    question = ask("tichu", 1)
    view = parse_view(question.view, question.seat)
    assert question.hand.startswith("Ma")
    assert CALL_TICHU in view.legal()
    assert len(question.received) == 3
    assert {card for _, card in question.received} <= {
        question.hand[at : at + 2] for at in range(0, len(question.hand), 2)
    }


def test_questions_are_neither_all_calls_nor_all_without() -> None:
    bot = LearnedAgent()
    choices = set()
    for seed in range(12):
        question = ask("grand", seed)
        view = parse_view(question.view, question.seat)._replace(score=question.score)
        choices.add(str(bot.act(view, view.legal())))
    assert choices == {"+G", "-G"}
    assert len({ask("grand", seed).score for seed in range(12)}) > 1


@pytest.mark.parametrize("trainer", ["grand", "tichu"])
def test_both_calls_are_valued_whatever_the_answer(trainer: TrainerName) -> None:
    call, no = (judge(trainer, 2, answer, _WORLDS) for answer in ("call", "no"))
    assert call.is_agreed != no.is_agreed
    assert call.answers == no.answers
    assert [each.answer for each in call.answers] == [call.choice, "no" if call.choice == "call" else "call"]
    assert call.worlds == _WORLDS
    one, two = call.answers
    assert call.difference == pytest.approx(one.points - two.points, abs=0.2)
    assert call.difference_error > 0
    _check_hands(call)


def _check_hands(judged: TrainerJudgement) -> None:
    cards = [parse_cards(hand) for hand in judged.hands]
    assert [hand.bit_count() for hand in cards] == [14] * 4
    assert sum(cards) == 2**56 - 1


def test_an_exchange_is_compared_with_the_champions() -> None:
    question = ask("exchange", 5)
    worst = question.hand[-6:]
    judged = judge("exchange", 5, worst, _WORLDS)
    assert not judged.is_agreed
    assert [each.answer for each in judged.answers] == [judged.choice, worst]
    view = parse_view(question.view, question.seat)
    assert Exchange(*parse_card_list(judged.choice)) in view.legal()
    agreed = judge("exchange", 5, judged.choice, _WORLDS)
    assert agreed.is_agreed
    assert (agreed.answers, agreed.worlds, agreed.is_clear) == ((), 0, False)


@pytest.mark.parametrize(
    ("trainer", "answer", "words"),
    [
        ("grand", "+G", "call or no"),
        ("tichu", "", "call or no"),
        ("exchange", "call", "'ca'"),
        ("exchange", "2s", "three cards"),
        ("exchange", "2s2s2s", "cannot be given"),
    ],
)
def test_wrong_answers_are_told(trainer: TrainerName, answer: str, words: str) -> None:
    with pytest.raises(NotationError, match=words):
        judge(trainer, 0, answer, _WORLDS)


def test_a_difference_is_clear_beyond_two_errors() -> None:
    judged = judge("grand", 2, "no", _WORLDS)
    import msgspec

    for difference, error, is_clear in ((21.0, 10.0, True), (-21.0, 10.0, True), (19.0, 10.0, False)):
        changed = msgspec.structs.replace(judged, difference=difference, difference_error=error)
        assert changed.is_clear is is_clear
