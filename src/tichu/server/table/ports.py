"""What goes in and out of a table that does no input or output itself."""

from typing import Literal, NamedTuple

from tichu.core.view import View
from tichu.ratings.rows import MatchRow
from tichu.server.log import Entry, FinishedGame
from tichu.server.wire import FromServer

__all__ = ["BotAsk", "Player", "Step", "step_for"]


class Player(NamedTuple):
    """A person or a program behind a socket.  The id is public; the token that proves it never enters a table."""

    id: str
    name: str
    #: Whether the name belongs to them, and they can be rated; guests may be called anything else.
    account: bool = False
    kind: Literal["person", "bot"] = "person"
    #: Where they come from, to tell when two who play together may be one; never shown and never stored.
    address: str = ""
    device: str = ""
    #: With these numbers behind it, for one of several of that name, the name would be an account's.
    numbers_taken: tuple[int, ...] = ()
    #: With these they do not sit at one table.
    apart: frozenset[str] = frozenset()


class BotAsk(NamedTuple):
    """A question to a bot.  Its answer comes back with it; a table that has gone on ignores it."""

    #: Distinguishes the questions of a table; a hint has a negative one.
    key: int
    seat: int
    #: As in :func:`tichu.agents.registry.make_agent`.
    bot: str
    view: View
    seed: int
    #: The address of whoever made the table, and the table: who asks much waits longer than others.
    source: tuple[str, str] = ("", "")


class Step(NamedTuple):
    """What follows from a command, a tick or an answer: first store, then send, then ask."""

    #: To be stored before anything is sent.
    entries: tuple[Entry, ...] = ()
    #: Messages by the id of the player, in order; a spectator is a player without a seat.
    messages: tuple[tuple[str, FromServer], ...] = ()
    asks: tuple[BotAsk, ...] = ()
    #: Entries from here on are enough to restore the table.
    checkpoint: bool = False
    game: FinishedGame | None = None
    #: What a rated match leaves behind, stored with the entries.
    row: MatchRow | None = None
    #: The table is over and nobody is there: it may be forgotten.
    closed: bool = False


def step_for(player: str, message: FromServer) -> Step:
    """A message to one player, and nothing to store."""
    return Step(messages=((player, message),))
