"""Why a table refuses a command, beyond the reasons of the rules."""

from enum import Enum

from tichu.core.errors import Reason

__all__ = ["Refusal", "TableReason"]


class TableReason(Enum):
    """The value is the English sentence; the page translates by name."""

    NOT_SEATED = "take a seat first"
    NOT_HOST = "only the host may do that"
    SEAT_TAKEN = "somebody sits there"
    SEAT_FREE = "nobody sits there"
    NOT_NOW = "the table is not at that point"
    PAUSED = "the game is paused"
    STALE = "the trick has changed in the meantime"
    BAD_CARD = "there is no such card"
    DECLARED_OTHERWISE = "the cards are not what was declared"
    NOT_A_BOMB = "these cards are not a bomb"
    OVERBOMBED = "a stronger bomb was thrown at the same time"
    NO_WINDOW = "there is no bomb window to hold open"
    NO_WAITS_LEFT = "both waits of this round are used"
    PRESENT = "this player is here and decides alone"
    NOTHING_TO_DECIDE = "this seat has nothing to decide"
    NO_SUCH_BOT = "there is no such bot"
    LOOKALIKE = "this name looks like another at the table"
    NAME_TAKEN = "this name, or one that looks like it, is that of an account"
    BLOCKED = "somebody sits here whom you have blocked"
    MUTED = "the operator of this server lets you say nothing for now"
    KNOWS_CARDS = "you know other cards of this round; wait for the next"
    WRONG_SETTINGS = "these settings make no game"
    CASUAL_ONLY = "that is for casual tables"
    EMPTY = "there is nothing to say"
    RATED = "not at a rated table"
    ACCOUNT_ONLY = "rated tables are for accounts"
    TOO_FAST = "slower, please"


class Refusal(Exception):
    """A command that changes nothing."""

    def __init__(self, reason: Reason | TableReason, message: str = "") -> None:
        super().__init__(reason.name)
        self.reason = reason
        self.message = message or reason.value
