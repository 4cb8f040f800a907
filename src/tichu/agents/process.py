"""Bots that are programs: lines on stdin and stdout, like a chess engine (``docs/bots.md``).

A program answers each question with one line.  Whatever else it does - end, hang, flood, speak out of turn, print what
is not text - is a :class:`~tichu.agents.program.BotFault`; who asked may go on without it
(:class:`~tichu.agents.guard.Guarded`).  A program that can no longer be followed is killed and started again for the
next decision, and after three such failures in a row for the next round.
"""

import time
import weakref
from collections.abc import Callable, Sequence
from typing import Final

from tichu.agents.base import Agent
from tichu.agents.program import LONGEST_LINE, QUIT_S, START_S, BotFault, LostProgram, Program, command_words
from tichu.core.actions import Action, format_action, parse_action
from tichu.core.errors import GameError, NotationError
from tichu.core.legal import Legal
from tichu.core.phases import Phase
from tichu.core.position import format_view
from tichu.core.view import View

__all__ = ["ProcessAgent"]

PROTOCOL: Final = 1
DEADLINE_MS: Final = 10_000.0

_MOST_FAILURES: Final = 3


class ProcessAgent(Agent):
    """A program that speaks the bot protocol; it is started when first asked."""

    name = "process"

    def __init__(self, command: str, seed: int = 0, deadline_ms: float = DEADLINE_MS) -> None:
        super().__init__(seed)
        self.deadline_ms = deadline_ms
        #: What the program calls itself, once it runs.
        self.title = ""
        #: Hears every line: ``> `` to the bot, ``< `` from the bot.
        self.log: Callable[[str], object] | None = None
        self._words = command_words(command)
        self._program: Program | None = None
        self._dialogue: list[str] = []
        self._failures = 0
        self._last_failure: BotFault | None = None
        # The view of the last question, None before a round.
        self._asked: View | None = None
        # How much of the history the running program was told.
        self._told = 0

    def act(self, view: View, legal: Legal) -> Action:
        """The program's answer.

        :raises BotFault: there is none, or it is not legal
        """
        self._dialogue = []
        is_new = self._asked is None or not _continues(view, self._asked)
        self._asked = view
        if self.has_given_up and not is_new and self._last_failure is not None:
            last = self._last_failure
            raise BotFault(
                last.kind, f"not started again in this round, after {self._failures} failures: {last.reason}"
            )
        try:
            action = self._answer(view, legal, is_new)
        except LostProgram as fault:
            self._stop(0)
            self._failures += 1
            self._last_failure = fault
            raise BotFault(fault.kind, fault.reason, tuple(self._dialogue)) from None
        except BotFault as fault:
            self._failures = 0
            raise BotFault(fault.kind, fault.reason, tuple(self._dialogue)) from None
        except BaseException:
            # An interrupt leaves an answer under way.
            self._stop(0)
            raise
        self._failures = 0
        return action

    @property
    def is_running(self) -> bool:
        """Whether the program has been started and not been stopped."""
        return self._program is not None

    @property
    def has_given_up(self) -> bool:
        """Whether the program failed so often in a row that it is not started again before the next round."""
        return self._failures >= _MOST_FAILURES

    def round_over(self, view: View, score: tuple[int, int]) -> None:
        """Tell the program the rest of a round and its score, its own team's first."""
        self._asked = None
        if self._program is not None:
            self._say([*self._events(view), f"result {score[0]} {score[1]}"])

    def close(self) -> None:
        if self._program is not None:
            self._say(["quit"])
            self._stop(QUIT_S)

    def _answer(self, view: View, legal: Legal, is_new: bool) -> Action:
        if self._program is None:
            self._start()
            is_new = True
        assert self._program is not None
        stray = self._program.poll_line()
        if stray is not None:
            raise LostProgram("illegal", f"a line that nobody asked for: {self._hear(stray)!r}")
        if is_new:
            self._told = 0
            self._say([f"new {view.rules}"])
        own, other = view.score
        self._say(
            [
                f"seat {view.seat} score {own} {other} time {max(self.deadline_ms, 1):.0f}",
                *self._events(view),
                f"view {format_view(view)}",
                " ".join(["choose", *_choices(view, legal)]),
            ]
        )
        until = time.monotonic() + self.deadline_ms / 1000
        answer = self._hear(self._program.line(until, f"no answer within {self.deadline_ms:.0f} ms"))
        word, _, text = answer.partition(" ")
        if word != "act":
            raise LostProgram("illegal", f"the answer is written 'act <action>', not {answer!r}")
        try:
            return _legal_action(text, view, legal)
        except GameError as error:
            self._say([f"error {error}"])
            raise BotFault("illegal", str(error)) from None

    def _start(self) -> None:
        try:
            self._program = program = Program(self._words)
        except OSError as error:
            raise LostProgram("crashed", f"{self._words[0]} cannot be started: {error.strerror}") from None
        # Whoever forgets to close a bot leaves no program behind.
        self._finalizer = weakref.finalize(self, program.stop, 0)
        self._say([f"tichu {PROTOCOL}"])
        until = time.monotonic() + START_S
        for word in ("name", "ready"):
            line = self._hear(program.line(until, f"no '{word}' within {START_S:.0f} s of the start"))
            if line.split(" ")[0] != word or (word == "name" and not line[5:].strip()):
                raise LostProgram("illegal", f"'tichu 1' is answered by 'name <name>' and 'ready', not {line!r}")
            if word == "name":
                self.title = line[5:].strip()

    def _events(self, view: View) -> list[str]:
        news = view.history[self._told :]
        self._told = len(view.history)
        return [f"event {format_action(seat, action)}" for seat, action in news]

    def _say(self, lines: Sequence[str]) -> None:
        assert self._program is not None
        for line in lines:
            self._note(f"> {line}")
        self._program.send("".join(f"{line}\n" for line in lines))

    def _hear(self, raw: bytes) -> str:
        """One line as text; a very long one is cut."""
        text = raw.decode("utf-8", "backslashreplace").rstrip()
        if len(raw) > LONGEST_LINE:
            text = f"{text[:60]}..."
        self._note(f"< {text}")
        if len(raw) > LONGEST_LINE:
            raise LostProgram("illegal", f"a line longer than {LONGEST_LINE} bytes: {text!r}")
        return text

    def _note(self, line: str) -> None:
        self._dialogue.append(line)
        if self.log is not None:
            self.log(line)

    def _stop(self, grace: float) -> None:
        if self._program is not None:
            self._finalizer.detach()
            self._program.stop(grace)
        self._program = None


def _continues(view: View, before: View) -> bool:
    """Whether two questions belong to the same round: whoever decided has seen its own decision happen since."""
    seen = len(before.history)
    return (
        (view.rules, view.seat, view.score) == (before.rules, before.seat, before.score)
        and len(view.history) > seen
        and view.history[:seen] == before.history
    )


def _choices(view: View, legal: Legal) -> list[str]:
    if view.phase is not Phase.EXCHANGE:
        return [format_action(view.seat, action) for action in legal]
    # Any three cards: nobody wants to read 2,184 of them.
    return [f"{view.seat}>", f"{view.seat}+T"] if legal.may_call else [f"{view.seat}>"]


def _legal_action(text: str, view: View, legal: Legal) -> Action:
    seat, action = parse_action(text)
    if seat != view.seat:
        raise NotationError(f"seat {view.seat} was asked, not {text!r}")
    refusal = legal.refusal(action)
    if refusal is not None:
        raise GameError(f"{text} is not legal: {refusal.value}")
    return action
