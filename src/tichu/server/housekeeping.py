"""What has to be done now and then, as long as a server runs."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from tichu.server.failures import log_failure
from tichu.server.metrics import Metrics
from tichu.server.store import StoreError

__all__ = ["keep_house", "tell_forgotten"]

log = logging.getLogger("tichu.server")

_INTERVAL_S: Final = 600.0


async def keep_house(tidy: Callable[[], Awaitable[None]], metrics: Metrics) -> None:
    """Tidy up, later if the store fails; until it is cancelled."""
    while True:
        try:
            await tidy()
        except StoreError as error:
            metrics.failures.labels("store").inc()
            log.error("housekeeping waits for the store: %s", error)
        except Exception as error:  # Whatever it is, the rest is to be done.
            metrics.failures.labels("housekeeping").inc()
            log_failure("housekeeping", error)
        await asyncio.sleep(_INTERVAL_S)


def tell_forgotten(number: int, what: str) -> None:
    """Say how many of something are gone, if any are."""
    if number:
        log.info("%d %s are forgotten", number, what)
