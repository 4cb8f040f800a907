"""A program that answers lines with lines, whatever it does.

Three threads serve a running program, so that neither side ever waits for a full pipe: one writes, one reads lines, one
keeps the end of what it prints as errors.
"""

import os
import re
import shlex
import shutil
import signal
import subprocess
import threading
import time
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import IO, Final, Literal

from tichu.core.errors import GameError

__all__ = ["LONGEST_LINE", "QUIT_S", "START_S", "BotFault", "FaultKind", "LostProgram", "Program", "command_words"]

#: How long a program may take until it is ready, and until it has ended.
START_S: Final = 10.0
QUIT_S: Final = 1.0
#: In bytes, of an action.
LONGEST_LINE: Final = 4096

_MOST_WAITING: Final = 100
_MOST_ERROR_OUTPUT: Final = 2000
_IS_WINDOWS: Final = os.name == "nt"
_WINDOWS_PATH: Final = re.compile(r"""["']?([A-Za-z]:|\\)\\""")

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


class LostProgram(BotFault):
    """A fault after which nobody knows what the program will say next."""


def command_words(command: str) -> list[str]:
    """The program and its arguments, as a shell would read them; a path of a program may be all of it, with blanks.

    In a path of Windows a backslash is a backslash.

    :raises GameError: there is no such program
    """
    if shutil.which(command) is not None:
        return [command]
    lexer = shlex.shlex(command, posix=True, punctuation_chars=False)
    lexer.whitespace_split = True
    lexer.commenters = ""
    if _IS_WINDOWS or _WINDOWS_PATH.match(command):
        lexer.escape = ""
    try:
        words = list(lexer)
    except ValueError as error:
        raise GameError(f"no command {command!r}: {error}") from None
    if not words:
        raise GameError("an empty command starts no program; it is written ./mybot, as a bot process:./mybot")
    if shutil.which(words[0]) is None:
        starts = (" ".join(words[:number]) for number in range(2, len(words)))
        meant = next((start for start in starts if shutil.which(start) is not None), None)
        quoted = "" if meant is None else f"; {meant!r} is one: set it in quotes"
        raise GameError(f"no program {words[0]!r} to start, or it may not be executed{quoted}")
    return words


class Program:
    """One run of a program and the threads that serve it."""

    def __init__(self, words: list[str], longest_line: int = LONGEST_LINE) -> None:
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
            threading.Thread(target=_read_lines, args=(process.stdout, self._lines, longest_line), daemon=True),
            threading.Thread(target=_keep_end, args=(process.stderr, self._errors), daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def send(self, text: str) -> None:
        """Write; the program may read it later."""
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
            raise LostProgram("late", otherwise) from None
        return self._raise_end() if line is None else line

    def _raise_end(self) -> bytes:
        try:
            status = self._process.wait(QUIT_S)
        except subprocess.TimeoutExpired:
            raise LostProgram("crashed", "the program closed its output") from None
        how = f"was killed by signal {-status}" if status < 0 else f"ended with exit status {status}"
        self._threads[2].join(QUIT_S)
        errors = self._errors.decode("utf-8", "backslashreplace").strip().splitlines()
        raise LostProgram("crashed", f"the program {how}" + (f": {errors[-1]}" if errors else ""))

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
            thread.join(QUIT_S)


def _write(stream: IO[bytes], texts: "SimpleQueue[bytes | None]") -> None:
    # A program that has ended is noticed by its reader.
    with suppress(OSError):
        while (text := texts.get()) is not None:
            stream.write(text)
            stream.flush()
    with suppress(OSError):
        stream.close()


def _read_lines(stream: IO[bytes], lines: "SimpleQueue[bytes | None]", longest: int) -> None:
    with stream:
        while line := stream.readline(longest + 1):
            lines.put(line)
            # Nobody who floods is followed any further.
            if len(line) > longest or lines.qsize() > _MOST_WAITING:
                break
    lines.put(None)


def _keep_end(stream: IO[bytes], errors: bytearray) -> None:
    with stream:
        while chunk := os.read(stream.fileno(), 65536):
            errors += chunk
            del errors[:-_MOST_ERROR_OUTPUT]
