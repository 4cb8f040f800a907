"""Somebody's engine: a program that answers the questions of the suite, a JSON value in a line to each.

It starts like a bot (``docs/notation.md``, bot protocol): ``conformance 1`` is answered by ``name Some Engine`` and
``ready``, and ``quit`` ends it.
"""

import json
import time
from typing import Any, Final

from tichu.agents.program import QUIT_S, START_S, LostProgram, Program, command_words
from tichu.conformance.answers import Question
from tichu.conformance.checking import NoAnswer
from tichu.core.errors import GameError

__all__ = ["Engine"]

_PROTOCOL: Final = 1
#: In bytes: the longest list of legal actions has some forty thousand.
_LONGEST_LINE: Final = 1 << 20
_MOST_FAILURES: Final = 3


class Engine:
    """A program, started when first asked and again after it was lost; use it in ``with``."""

    def __init__(self, command: str, deadline_s: float) -> None:
        """Find the program.

        :raises GameError: there is none
        """
        #: What it calls itself, once it runs.
        self.name = ""
        self._words = command_words(command)
        self._deadline_s = deadline_s
        self._program: Program | None = None
        self._failures = 0

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, *error: object) -> None:
        if self._program is not None:
            self._program.send("quit\n")
            self._program.stop(QUIT_S)
            self._program = None

    def ask(self, question: Question) -> Any:
        """The answer, whatever it is.

        :raises NoAnswer: there is none, or it is not JSON
        :raises GameError: there was none several times in a row
        """
        try:
            program = self._program or self._start()
            program.send(json.dumps(question) + "\n")
            line = program.line(time.monotonic() + self._deadline_s, f"no answer within {self._deadline_s:g} s")
        except LostProgram as lost:
            self._lose()
            self._failures += 1
            if self._failures >= _MOST_FAILURES:
                raise GameError(f"{self._failures} questions in a row were not answered: {lost.reason}") from None
            raise NoAnswer(lost.reason) from None
        self._failures = 0
        try:
            return json.loads(line)
        except (ValueError, RecursionError):
            # Who knows what comes next: an answer to this question, or to the one before.
            self._lose()
            text = line.decode("utf-8", "backslashreplace").strip()
            raise NoAnswer(f"the answer is one line of JSON, not {text[:100]!r}") from None

    def _start(self) -> Program:
        try:
            self._program = program = Program(self._words, _LONGEST_LINE)
        except OSError as error:
            raise LostProgram("crashed", f"{self._words[0]} cannot be started: {error.strerror}") from None
        program.send(f"conformance {_PROTOCOL}\n")
        until = time.monotonic() + START_S
        for word in ("name", "ready"):
            raw = program.line(until, f"no '{word}' within {START_S:.0f} s of the start")
            line = raw.decode("utf-8", "backslashreplace").strip()
            if line.split(" ")[0] != word or (word == "name" and not line[5:].strip()):
                reason = f"'conformance {_PROTOCOL}' is answered by 'name <name>' and 'ready', not {line[:100]!r}"
                raise LostProgram("illegal", reason)
            if word == "name":
                self.name = line[5:].strip()
        return program

    def _lose(self) -> None:
        if self._program is not None:
            self._program.stop(0)
        self._program = None
