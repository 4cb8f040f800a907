"""What is written down when something breaks that must not."""

import asyncio
import logging
import secrets
import time
import traceback
from typing import Any, Final

__all__ = ["log_failure", "quieten"]

log = logging.getLogger("tichu.server")

_AGAIN_S: Final = 60.0


def log_failure(place: str, error: BaseException) -> str:
    """Write down where something broke, without what it said: an error may quote cards.  The id is for the client."""
    number = secrets.token_hex(4)
    frames = "".join(traceback.format_tb(error.__traceback__))
    log.error("error %s in %s: %s\n%s", number, place, type(error).__name__, frames)
    return number


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
