"""Who may not speak, and who is not let in, because an operator wants it so."""

from datetime import UTC, datetime

from tichu.server.store import Store
from tichu.server.store.operator import restriction_of
from tichu.server.table.refusals import TableReason
from tichu.server.wire import Emote, Refused, Say

__all__ = ["ban_words", "mute_refusal"]


async def mute_refusal(store: Store, now: float, player: str, said: Say | Emote) -> Refused | None:
    """Why somebody may say nothing now.  The store is asked each time: nobody says so much, and all nodes agree."""
    muted, _ = await store.read(restriction_of, player)
    if muted <= now:
        return None
    reason = TableReason.MUTED
    return Refused(id=said.id, reason=reason.name, message=reason.value, version=0)


def ban_words(until: float) -> str:
    """What is told to whoever is not let in.

    >>> ban_words(0)
    'the operator of this server lets you in no longer, until 1970-01-01 00:00 UTC'
    """
    day = datetime.fromtimestamp(until, UTC).strftime("%Y-%m-%d %H:%M")
    return f"the operator of this server lets you in no longer, until {day} UTC"
