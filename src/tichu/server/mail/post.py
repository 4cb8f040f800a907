"""What is sent is sent by one thread, in its order; nobody waits for it, and what waits is bounded.

A mail is tried once.  Nobody but the log and the metrics is told of one that was not sent, and neither to whom it was
to go: errors of SMTP quote addresses.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final

from tichu.server.failures import RareLine
from tichu.server.mail.letters import Letter, compose, name_of
from tichu.server.mail.smtp import Delivery, SmtpServer
from tichu.server.metrics import Metrics

__all__ = ["Post"]

_MOST_WAITING: Final = 64
#: What waits when the server closes may still be sent for so long.
_CLOSE_S: Final = 3.0


class _NotSentError(Exception):
    """Why a mail was not sent, without whom it was for."""


class Post:
    """Sends letters."""

    def __init__(self, server: SmtpServer, sender: str, site: str, metrics: Metrics) -> None:
        self._server = server
        self._sender = sender
        self._site = site
        self._metrics = metrics
        self._line = RareLine()
        self._pool: ThreadPoolExecutor | None = None
        self._waiting: set[asyncio.Task[None]] = set()
        self._delivery: Delivery | None = None
        self._is_closed = False

    def send(self, letter: Letter) -> None:
        """Send a letter later, if not too many wait."""
        if self._is_closed or len(self._waiting) >= _MOST_WAITING:
            self._note_lost(_NotSentError("too many wait"))
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(1, "tichu-mail")
        task = asyncio.get_running_loop().create_task(self._send(self._pool, letter), name="a mail")
        self._waiting.add(task)
        task.add_done_callback(self._waiting.discard)

    async def close(self) -> None:
        """Send what waits if that is quickly done, and nothing after it."""
        self._is_closed = True
        if self._waiting:
            await asyncio.wait(self._waiting, timeout=_CLOSE_S)
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
        # Its thread may be done with it at any moment.
        if (delivery := self._delivery) is not None:
            delivery.give_up()
        if self._waiting:
            await asyncio.wait(self._waiting, timeout=_CLOSE_S)

    async def _send(self, pool: ThreadPoolExecutor, letter: Letter) -> None:
        try:
            await asyncio.get_running_loop().run_in_executor(pool, partial(self._deliver, letter))
        except asyncio.CancelledError:
            self._note_lost(_NotSentError("the server has ended"))
        # Whatever breaks in a mail must not break anything else, and its words are not to be read.
        except Exception as error:
            self._note_lost(_NotSentError(_fact(error)))
        else:
            self._metrics.mails.labels("sent").inc()

    def _deliver(self, letter: Letter) -> None:
        self._delivery = Delivery(self._server, name_of(self._site))
        try:
            self._delivery.run(compose(letter, self._sender, self._site))
        finally:
            self._delivery = None

    def _note_lost(self, error: _NotSentError) -> None:
        self._metrics.mails.labels("lost").inc()
        self._line.write("a mail was not sent", error)


def _fact(error: Exception) -> str:
    """What went wrong, by its kind and by the number of SMTP."""
    code = getattr(error, "smtp_code", None)
    refused = getattr(error, "recipients", None)
    if isinstance(refused, dict) and refused:
        code = next(iter(refused.values()))[0]
    return f"{type(error).__name__} {code}" if isinstance(code, int) else type(error).__name__
