"""Playing with a bot that cannot be trusted: whatever it does, there is a legal decision.

A decision that a bot loses - by an exception, an illegal answer, too late or none - is taken by the greedy bot, and
counted.  A bot in Python can be stopped at its deadline only in the main thread of a process on POSIX; elsewhere its
late answer is refused when it comes.

A batch has the time of all its decisions, and each of them took its share of what the batch took.
"""

import contextlib
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from types import FrameType
from typing import Final, NamedTuple, TypeVar, cast

from tichu.agents.base import Agent, BatchAgent, Choice, Question
from tichu.agents.greedy import GreedyAgent
from tichu.agents.process import ProcessAgent
from tichu.agents.program import BotFault, FaultKind
from tichu.agents.tracebacks import describe_error
from tichu.core.actions import Action, Exchange, Take, Wish, format_action
from tichu.core.combos import Combo
from tichu.core.legal import Legal
from tichu.core.position import format_view
from tichu.core.view import View

__all__ = ["Fault", "Guarded", "call_bot"]

_MOST_EXAMPLES: Final = 5
_T = TypeVar("_T")
_BatchMethod = Callable[[Sequence[Question]], Sequence[Action]]


class Fault(NamedTuple):
    """A decision that a bot lost, told so that it can be repeated."""

    kind: FaultKind
    reason: str
    #: What the bot was to decide: the rules, the seat, and its view.
    rules: str
    seat: int
    view: str
    #: For a program: what was said, ``> `` to the bot and ``< `` from the bot.
    dialogue: tuple[str, ...] = ()


class Guarded(BatchAgent):
    """A bot whose every decision is legal and in time, its own or a fallback's."""

    name = "guarded"

    def __init__(self, agent: Agent, deadline_ms: float | None = None) -> None:
        super().__init__(getattr(agent, "seed", 0))
        self.agent = agent
        self.deadline_ms = deadline_ms
        #: How many decisions were lost, by kind.
        self.faults: Counter[str] = Counter()
        #: The first few of each kind.
        self.examples: list[Fault] = []
        #: Hears of each lost decision.
        self.on_fault: Callable[[Fault], object] | None = None
        #: Hears how many milliseconds the bot took for each decision, lost ones included.
        self.on_time: Callable[[float], object] | None = None
        self._fallback = GreedyAgent()
        # A program is watched from outside.
        self._watched = None if isinstance(agent, ProcessAgent) else deadline_ms
        if isinstance(agent, ProcessAgent) and deadline_ms is not None:
            agent.deadline_ms = deadline_ms

    def act(self, view: View, legal: Legal) -> Action:
        return self._judge(*_ask(lambda: self.agent.act(view, legal), self._watched), view)

    @staticmethod
    def act_batch(questions: Sequence[Question]) -> Sequence[Action]:
        """The decisions of guarded bots: a batch for those that have their method in common, the others one by one."""
        batches: dict[_BatchMethod | None, dict[int, Question]] = {}
        for place, question in enumerate(questions):
            assert isinstance(question.agent, Guarded)
            batches.setdefault(_batch_method(question.agent.agent), {})[place] = question
        actions: dict[int, Action] = {}
        for act_batch, batch in batches.items():
            actions.update(zip(batch, _decide(act_batch, [*batch.values()]), strict=True))
        return [actions[place] for place in range(len(questions))]

    @property
    def takes_batches(self) -> bool:
        return self.agent.takes_batches

    def explain(self, view: View, legal: Legal) -> Choice:
        choice, taken = _ask(lambda: self.agent.explain(view, legal), self._watched)
        self._tell_time(taken)
        try:
            if isinstance(choice, BotFault):
                raise choice
            if not isinstance(choice, Choice):
                raise BotFault("illegal", f"{_show(choice)} is not a Choice")
            call_bot(lambda: self._check(choice.action, view))
        except BotFault as fault:
            return Choice(self._replace(view, fault), "fallback", {"fault": fault.kind})
        return choice

    def round_over(self, view: View, score: tuple[int, int]) -> None:
        # There is no decision to lose here, so a bot that trips over it only misses the news.
        with contextlib.suppress(BotFault):
            call_bot(lambda: self.agent.round_over(view, score))

    def close(self) -> None:
        # Nothing is lost by a bot that cannot even go.
        with contextlib.suppress(BotFault):
            call_bot(self.agent.close)

    def _judge(self, action: Action | BotFault, taken: float, view: View) -> Action:
        """The bot's answer, or the fallback's if it is none."""
        self._tell_time(taken)
        try:
            if isinstance(action, BotFault):
                raise action
            call_bot(lambda: self._check(action, view))
        except BotFault as fault:
            return self._replace(view, fault)
        return action

    def _tell_time(self, taken: float) -> None:
        if self.on_time is not None:
            self.on_time(taken)

    def _check(self, action: object, view: View) -> None:
        """Whether the action is legal; a fresh ``legal`` is asked, for the bot had the other in its hands."""
        if not isinstance(action, Action):
            raise BotFault("illegal", f"{_show(action)} is not an action")
        try:
            text = call_bot(lambda: format_action(view.seat, action))
            refusal = call_bot(lambda: view.legal().refusal(action))
        except BotFault:
            raise BotFault("illegal", f"{_show(action)} is not an action") from None
        if refusal is not None:
            raise BotFault("illegal", f"{text} is not legal: {refusal.value}")
        if not all(isinstance(number, int) for number in _numbers(action)):
            raise BotFault("illegal", f"{_show(action)}: cards and ranks are ints")

    def _replace(self, view: View, fault: BotFault) -> Action:
        self.faults[fault.kind] += 1
        known = sum(example.kind == fault.kind for example in self.examples)
        if known < _MOST_EXAMPLES or self.on_fault is not None:
            told = Fault(fault.kind, fault.reason, str(view.rules), view.seat, format_view(view), fault.dialogue)
            if known < _MOST_EXAMPLES:
                self.examples.append(told)
            if self.on_fault is not None:
                self.on_fault(told)
        return self._fallback.act(view, view.legal())


def _batch_method(agent: Agent) -> _BatchMethod | None:
    return type(agent).act_batch if isinstance(agent, BatchAgent) and agent.takes_batches else None


def _decide(act_batch: _BatchMethod | None, questions: Sequence[Question]) -> Sequence[Action]:
    """The decisions of guarded bots that have their method in common, if they have one."""
    guards = [cast(Guarded, question.agent) for question in questions]
    if act_batch is not None:
        batch = [question._replace(agent=guarded.agent) for guarded, question in zip(guards, questions, strict=True)]
        limits = [guarded._watched for guarded in guards if guarded._watched is not None]
        limit = sum(limits) if len(limits) == len(guards) else None
        answer, taken = _ask(lambda: [*act_batch(batch)], limit)
        actions: Sequence[Action | BotFault] = answer if isinstance(answer, list) else []
        if isinstance(answer, BotFault) and answer.kind == "late":
            actions = [answer] * len(questions)
        if len(actions) == len(questions):
            share = taken / len(questions)
            return [
                guarded._judge(action, share, question.view)
                for guarded, action, question in zip(guards, actions, questions, strict=True)
            ]
    # Also where one has spoiled it for all: alone, it loses only its own decision.
    return [question.agent.act(question.view, question.legal) for question in questions]


def _ask(decide: Callable[[], _T], limit_ms: float | None) -> tuple[_T | BotFault, float]:
    """What bots answer, whatever it is, or why they do not, and how many milliseconds they took."""
    taken = 0.0

    def timed() -> _T:
        nonlocal taken
        start = time.perf_counter()
        try:
            return decide()
        finally:
            taken = 1000 * (time.perf_counter() - start)

    try:
        answer = call_bot(timed if limit_ms is None else partial(_call_until, limit_ms, timed))
    except _Overtime:
        return BotFault("late", f"no answer within {limit_ms:.0f} ms"), taken
    except BotFault as fault:
        return fault, taken
    if limit_ms is not None and taken > limit_ms:
        return BotFault("late", f"an answer after {taken:.0f} ms, not within {limit_ms:.0f}"), taken
    return answer, taken


def call_bot(call: Callable[[], _T]) -> _T:
    """What a call into the code of a bot gives.

    :raises BotFault: it raised whatever it was, but for an interrupt from the keyboard
    """
    try:
        return call()
    except (BotFault, KeyboardInterrupt, _Overtime):
        raise
    except BaseException as error:
        raise BotFault("crashed", describe_error(error)) from None


def _numbers(action: Action) -> tuple[object, ...]:
    match action:
        case Combo():
            return tuple(action)
        case Exchange():
            return action.cards
        case Wish(rank):
            return (rank,)
        case Take(int() as recipient):
            return (recipient,)
        case _:
            return ()


def _show(value: object) -> str:
    try:
        text = call_bot(lambda: repr(value))
    except BotFault:
        text = f"<{type(value).__name__}>"
    return text if len(text) <= 100 else text[:97] + "..."


class _Overtime(BaseException):
    """Not an Exception, so that a bot does not catch it by accident."""


def _raise_overtime(_signal: int, _frame: FrameType | None) -> None:
    raise _Overtime


def _call_until(limit_ms: float, decide: Callable[[], _T]) -> _T:
    """The answer, or :class:`_Overtime` where the system can interrupt."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        return decide()
    seconds = limit_ms / 1000
    former = signal.signal(signal.SIGALRM, _raise_overtime)
    try:
        # Again and again, in case the bot swallows the first.
        signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
        try:
            return decide()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        # The alarm may have rung in the very line that was to stop it.
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)
