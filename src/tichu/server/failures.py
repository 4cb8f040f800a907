"""What is written down when something breaks that must not."""

import asyncio
import logging
import secrets
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

__all__ = ["RareLine", "log_failure", "outliving", "quieten"]

log = logging.getLogger("tichu.server")

_AGAIN_S: Final = 60.0


def log_failure(place: str, error: BaseException) -> str:
    """Write down where something broke, without what it said: an error may quote cards.  The id is for the client."""
    number = secrets.token_hex(4)
    frames = "".join(traceback.format_tb(error.__traceback__))
    log.error("error %s in %s: %s\n%s", number, place, type(error).__name__, frames)
    return number


@contextmanager
def outliving(place: str) -> Iterator[None]:
    """Write down whatever breaks in the block, and go on after it: for what is done again and again.

    >>> with outliving("a doctest"):
    ...     raise LookupError
    """
    try:
        yield
    except Exception as error:
        log_failure(place, error)


class RareLine:
    """A line that is written once a minute at most: whoever asks again and again must not fill the log."""

    def __init__(self) -> None:
        self._next = 0.0
        self._left_out = 0

    def write(self, place: str, error: BaseException) -> None:
        """Say what failed where, and how often that was left out before."""
        self._left_out += 1
        if time.monotonic() >= self._next:
            log.error("%s: %s (%d of these since the last line)", place, error, self._left_out)
            self._next, self._left_out = time.monotonic() + _AGAIN_S, 0


def quieten(loop: asyncio.AbstractEventLoop) -> None:
    """Say once a minute that connections cannot be taken, not once for each of them."""
    last = -_AGAIN_S

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        nonlocal last
        if "socket.accept()" not in context.get("message", ""):
            loop.default_exception_handler(context)
        elif time.monotonic() - last >= _AGAIN_S:
            last = time.monotonic()
            log.error("no more connections can be taken (%s); raise the limit of open files", context.get("exception"))

    loop.set_exception_handler(handle)
