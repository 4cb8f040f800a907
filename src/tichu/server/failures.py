"""What is written down when something breaks that must not."""

import logging
import secrets
import traceback

__all__ = ["log_failure"]

log = logging.getLogger("tichu.server")


def log_failure(place: str, error: BaseException) -> str:
    """Write down where something broke, without what it said: an error may quote cards.  The id is for the client."""
    number = secrets.token_hex(4)
    frames = "".join(traceback.format_tb(error.__traceback__))
    log.error("error %s in %s: %s\n%s", number, place, type(error).__name__, frames)
    return number
