"""Whatever a bot does, the round goes on, and the report says so."""

import asyncio
import signal
import threading
import time
from random import Random

import pytest

from tests.table import at
from tichu import PRESETS, Action, Combo, Exchange, Legal, Phase, Take, View, Wish, parse_action, shuffled_deal
from tichu.agents import Agent, Choice, Fault, GreedyAgent, Guarded
from tichu.agents.base import Agent as Base
from tichu.arena.rounds import play_round
from tichu.core.actions import PASS
from tichu.core.combos import Kind


class Odd(Agent):
    """Answers whatever it was made with."""

    name = "odd"

    def __init__(self, answer: object) -> None:
        super().__init__()
        self.answer = answer

    def act(self, view: View, legal: Legal) -> Action:
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer  # type: ignore[return-value]


TURN = at("6r/9sTs/5r/4r p1 0:8s").view(1)
LOWEST = parse_action("1:9s")[1]


class _Unprintable:
    def __repr__(self) -> str:
        raise SystemExit("no")


class _Own(BaseException):
    def __str__(self) -> str:
        raise SystemExit("no")


@pytest.mark.parametrize(
    ("answer", "kind", "reason"),
    [
        (None, "illegal", "None is not an action"),
        ("1:9s", "illegal", "'1:9s' is not an action"),
        (_Unprintable(), "illegal", "<_Unprintable> is not an action"),
        (parse_action("1:2s")[1], "illegal", "1:2s is not legal: the cards are not in the hand"),
        (parse_action("1!")[1], "illegal", "1! is not legal: this is not the time for that"),
        (Combo(Kind.SINGLE, 1, 10, "x"), "illegal", "is not an action"),  # type: ignore[arg-type]
        (Combo(Kind.SINGLE, 1, 9.0, 1 << 32), "illegal", "cards and ranks are ints"),  # type: ignore[arg-type]
        (Exchange(1.5, 2, 3), "illegal", "is not an action"),  # type: ignore[arg-type]
        (ZeroDivisionError("oops"), "crashed", "ZeroDivisionError: oops"),
        (SystemExit(3), "crashed", "SystemExit: 3"),
        (RecursionError(), "crashed", "RecursionError"),
        (asyncio.CancelledError(), "crashed", "CancelledError"),
        (GeneratorExit(), "crashed", "GeneratorExit"),
        (_Own(), "crashed", "_Own"),
    ],
)
def test_a_bad_answer_loses_the_decision_to_the_greedy_bot(answer: object, kind: str, reason: str) -> None:
    guarded = Guarded(Odd(answer))
    assert guarded.act(TURN, TURN.legal()) == LOWEST
    assert guarded.faults == {kind: 1}
    fault = guarded.examples[0]
    assert (fault.kind, fault.seat, fault.rules) == (kind, 1, "standard")
    assert reason in fault.reason
    assert fault.view == "*1/9sTs/*1/*1 p1 0:8s 85/0/0/0 - ---- - -/-/-/- " + fault.view.split(" ")[-1]


def test_a_float_is_no_rank() -> None:
    view = at("KsAs/2s/5r/4r w0 0:Ma").view(0)
    guarded = Guarded(Odd(Wish(8.0)))  # type: ignore[arg-type]
    assert guarded.act(view, view.legal()) == Wish(12)
    assert guarded.faults == {"illegal": 1}


def test_a_crash_names_the_file_and_the_line() -> None:
    guarded = Guarded(Odd(KeyError("x")))
    guarded.act(TURN, TURN.legal())
    assert "test_guard.py, line " in guarded.examples[0].reason


def test_a_good_answer_passes() -> None:
    guarded = Guarded(Odd(parse_action("1:Ts")[1]))
    assert guarded.act(TURN, TURN.legal()) == parse_action("1:Ts")[1]
    assert not guarded.faults
    assert not guarded.examples


def test_an_interrupt_from_the_keyboard_passes() -> None:
    with pytest.raises(KeyboardInterrupt):
        Guarded(Odd(KeyboardInterrupt())).act(TURN, TURN.legal())


def test_a_bot_that_bends_the_legal_set_does_not_bend_the_rules() -> None:
    class Bending(Agent):
        name = "bending"

        def act(self, view: View, legal: Legal) -> Action:
            legal.view = view._replace(phase=Phase.TAKE, owner=view.seat)
            return Take()

    guarded = Guarded(Bending())
    assert guarded.act(TURN, TURN.legal()) == LOWEST
    assert guarded.faults == {"illegal": 1}


def test_a_reason_is_guarded_too() -> None:
    class Mute(GreedyAgent):
        def explain(self, view: View, legal: Legal) -> Choice:
            return None  # type: ignore[return-value]

    assert Guarded(GreedyAgent()).explain(TURN, TURN.legal()) == Choice(LOWEST, "chosen")
    assert Guarded(Odd(PASS)).explain(TURN, TURN.legal()).code == "chosen"
    assert Guarded(Mute()).explain(TURN, TURN.legal()) == Choice(LOWEST, "fallback", {"fault": "illegal"})


def test_a_bot_that_trips_over_the_news_or_over_its_end_only_misses_them() -> None:
    class Tripping(GreedyAgent):
        def explain(self, view: View, legal: Legal) -> Choice:
            raise SystemExit

        def round_over(self, view: View, score: tuple[int, int]) -> None:
            raise asyncio.CancelledError

        def close(self) -> None:
            raise SystemExit(3)

    guarded = Guarded(Tripping())
    guarded.round_over(TURN, (0, 0))
    guarded.close()
    assert not guarded.faults
    assert guarded.explain(TURN, TURN.legal()) == Choice(LOWEST, "fallback", {"fault": "crashed"})


def test_only_a_few_faults_are_told_in_full_and_all_are_counted() -> None:
    heard: list[Fault] = []
    guarded = Guarded(Odd(None))
    guarded.on_fault = heard.append
    for _ in range(30):
        guarded.act(TURN, TURN.legal())
    assert guarded.faults == {"illegal": 30}
    assert (len(guarded.examples), len(heard)) == (5, 30)


class _Sleeper(Agent):
    name = "sleeper"

    def act(self, view: View, legal: Legal) -> Action:
        time.sleep(0.05)
        return LOWEST


class _Stubborn(Agent):
    """Swallows what would stop it, once."""

    name = "stubborn"

    def act(self, view: View, legal: Legal) -> Action:
        try:
            while True:
                pass
        except BaseException:
            while True:
                pass


@pytest.mark.parametrize("bot", [_Sleeper, _Stubborn])
def test_a_bot_in_python_is_stopped_at_its_deadline(bot: type[Base]) -> None:
    former = signal.getsignal(signal.SIGALRM)
    guarded = Guarded(bot(), deadline_ms=10)
    assert guarded.act(TURN, TURN.legal()) == LOWEST
    assert guarded.faults == {"late": 1}
    assert signal.getsignal(signal.SIGALRM) is former
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_outside_the_main_thread_a_late_answer_is_refused_when_it_comes() -> None:
    guarded = Guarded(_Sleeper(), deadline_ms=10)
    thread = threading.Thread(target=lambda: guarded.act(TURN, TURN.legal()))
    thread.start()
    thread.join()
    assert guarded.faults == {"late": 1}
    assert "not within 10" in guarded.examples[0].reason


@pytest.mark.parametrize("rules", PRESETS)
def test_a_round_with_nothing_but_broken_bots_comes_to_its_end(rules: str) -> None:
    agents = [Guarded(Odd(answer)) for answer in (None, PASS, ValueError("no"), parse_action("0:Ma")[1])]
    game = play_round(agents, shuffled_deal(Random(1)), PRESETS[rules])
    assert game.round.is_over
    assert agents[0].faults["illegal"]
    assert agents[2].faults["crashed"]
