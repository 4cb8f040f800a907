"""Bots that are programs: lines on stdin and stdout, like a chess engine (``docs/bots.md``).

A program answers each question with one line.  Whatever else it does - end, hang, flood, speak out of turn, print what
is not text - is a :class:`BotFault`; who asked may go on without it (:class:`~tichu.agents.guard.Guarded`).  A program
that can no longer be followed is killed and started again for the next decision, and after three such failures in a
row for the next round.

Three threads serve a running program, so that neither side ever waits for a full pipe: one writes, one reads lines, one
keeps the end of what it prints as errors.
"""

import os
import shlex
import shutil
import signal
import subprocess
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import IO, Final, Literal

from tichu.agents.base import Agent
from tichu.core.actions import Action, format_action, parse_action
from tichu.core.errors import GameError, NotationError
from tichu.core.legal import Legal
from tichu.core.phases import Phase
from tichu.core.position import format_view
from tichu.core.view import View

__all__ = ["BotFault", "FaultKind", "ProcessAgent"]

PROTOCOL: Final = 1
DEADLINE_MS: Final = 10_000.0

_START_S: Final = 10.0
_QUIT_S: Final = 1.0
_LONGEST_LINE: Final = 4096
_MOST_WAITING: Final = 100
_MOST_ERROR_OUTPUT: Final = 2000
_MOST_FAILURES: Final = 3

FaultKind = Literal["illegal", "late", "crashed"]


class BotFault(GameError):
    """A bot did not give a legal answer in time."""

    def __init__(self, kind: FaultKind, reason: str, dialogue: tuple[str, ...] = ()) -> None:
        super().__init__(kind, reason, dialogue)
        self.kind = kind
        self.reason = reason
        #: What was said for this decision: ``> `` to the bot, ``< `` from the bot.
        self.dialogue = dialogue

    def __str__(self) -> str:
        return f"{self.kind}: {self.reason}"


class _Lost(BotFault):
    """A fault after which nobody knows what the program will say next."""


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
        self._words = _words(command)
        self._program: _Program | None = None
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
        except _Lost as fault:
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
            self._stop(_QUIT_S)

    def _answer(self, view: View, legal: Legal, is_new: bool) -> Action:
        if self._program is None:
            self._start()
            is_new = True
        assert self._program is not None
        stray = self._program.poll_line()
        if stray is not None:
            raise _Lost("illegal", f"a line that nobody asked for: {self._hear(stray)!r}")
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
            raise _Lost("illegal", f"the answer is written 'act <action>', not {answer!r}")
        try:
            return _legal_action(text, view, legal)
        except GameError as error:
            self._say([f"error {error}"])
            raise BotFault("illegal", str(error)) from None

    def _start(self) -> None:
        try:
            self._program = program = _Program(self._words)
        except OSError as error:
            raise _Lost("crashed", f"{self._words[0]} cannot be started: {error.strerror}") from None
        # Whoever forgets to close a bot leaves no program behind.
        self._finalizer = weakref.finalize(self, program.stop, 0)
        self._say([f"tichu {PROTOCOL}"])
        until = time.monotonic() + _START_S
        for word in ("name", "ready"):
            line = self._hear(program.line(until, f"no '{word}' within {_START_S:.0f} s of the start"))
            if line.split(" ")[0] != word or (word == "name" and not line[5:].strip()):
                raise _Lost("illegal", f"'tichu 1' is answered by 'name <name>' and 'ready', not {line!r}")
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
        if len(raw) > _LONGEST_LINE:
            text = f"{text[:60]}..."
        self._note(f"< {text}")
        if len(raw) > _LONGEST_LINE:
            raise _Lost("illegal", f"a line longer than {_LONGEST_LINE} bytes: {text!r}")
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


def _words(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise GameError(f"no command {command!r}: {error}") from None
    if not words:
        raise GameError("process: needs a command, as in process:./mybot")
    if shutil.which(words[0]) is None:
        raise GameError(f"no program {words[0]!r} to start, or it may not be executed")
    return words


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


class _Program:
    """One run of a program and the threads that serve it."""

    def __init__(self, words: list[str]) -> None:
        # A session of its own: what it starts ends with it, and an interrupt from the keyboard is for us to handle.
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True)
        self._texts: SimpleQueue[bytes | None] = SimpleQueue()
        self._lines: SimpleQueue[bytes | None] = SimpleQueue()
        self._errors = bytearray()
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._threads = [
            threading.Thread(target=_write, args=(process.stdin, self._texts), daemon=True),
            threading.Thread(target=_read_lines, args=(process.stdout, self._lines), daemon=True),
            threading.Thread(target=_keep_end, args=(process.stderr, self._errors), daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def send(self, text: str) -> None:
        self._texts.put(text.encode())

    def poll_line(self) -> bytes | None:
        """A line that is already there, if any."""
        try:
            line = self._lines.get_nowait()
        except Empty:
            return None
        return self._raise_end() if line is None else line

    def line(self, until: float, otherwise: str) -> bytes:
        """The next line; ``otherwise`` says what it means that there is none by then."""
        try:
            line = self._lines.get(timeout=max(until - time.monotonic(), 0))
        except Empty:
            raise _Lost("late", otherwise) from None
        return self._raise_end() if line is None else line

    def _raise_end(self) -> bytes:
        try:
            status = self._process.wait(_QUIT_S)
        except subprocess.TimeoutExpired:
            raise _Lost("crashed", "the program closed its output") from None
        how = f"was killed by signal {-status}" if status < 0 else f"ended with exit status {status}"
        self._threads[2].join(_QUIT_S)
        errors = self._errors.decode("utf-8", "backslashreplace").strip().splitlines()
        raise _Lost("crashed", f"the program {how}" + (f": {errors[-1]}" if errors else ""))

    def stop(self, grace: float) -> None:
        """End the program, by force if it has not ended by itself in ``grace`` seconds."""
        self._texts.put(None)
        if grace:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(grace)
        if self._process.poll() is None:
            if os.name == "posix":
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
            self._process.wait()
        # A grandchild that left the session may still hold a pipe; its thread ends with ours.
        for thread in self._threads:
            thread.join(_QUIT_S)


def _write(stream: IO[bytes], texts: "SimpleQueue[bytes | None]") -> None:
    # A program that has ended is noticed by its reader.
    with suppress(OSError):
        while (text := texts.get()) is not None:
            stream.write(text)
            stream.flush()
    with suppress(OSError):
        stream.close()


def _read_lines(stream: IO[bytes], lines: "SimpleQueue[bytes | None]") -> None:
    with stream:
        while line := stream.readline(_LONGEST_LINE + 1):
            lines.put(line)
            # Nobody who floods is followed any further.
            if len(line) > _LONGEST_LINE or lines.qsize() > _MOST_WAITING:
                break
    lines.put(None)


def _keep_end(stream: IO[bytes], errors: bytearray) -> None:
    with stream:
        while chunk := os.read(stream.fileno(), 65536):
            errors += chunk
            del errors[:-_MOST_ERROR_OUTPUT]
