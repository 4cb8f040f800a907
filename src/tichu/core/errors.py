"""What can go wrong, each with the fact and the place."""

from enum import Enum

__all__ = ["GameError", "IllegalAction", "NotationError", "Reason", "RulesError"]


class Reason(Enum):
    """Why an action is refused.  The value is the English sentence; user interfaces translate by name."""

    NOT_IN_PHASE = "this is not the time for that"
    NOT_YOUR_TURN = "it is not this seat's turn"
    BOMB_ASKED = "another seat may bomb first"
    ROUND_OVER = "the round is over"
    NOT_IN_HAND = "the cards are not in the hand"
    NO_COMBINATION = "the cards are not a combination"
    DOES_NOT_BEAT = "it does not beat the table"
    LEAD_ONLY = "this can only be led"
    MUST_LEAD = "the leader may not pass"
    NO_BOMB = "only a bomb can be thrown now"
    NOTHING_TO_BOMB = "there is nothing to bomb"
    WISH_OWED = "the wish can be fulfilled and must be"
    MUST_WISH = "a rank must be named"
    NO_SUCH_RANK = "only the ranks 2 to A can be wished for"
    PHOENIX_AMBIGUOUS = "say what the Phoenix stands for"
    THREE_CARDS = "the exchange takes three different cards"
    ALREADY_CALLED = "this seat has called"
    TOO_LATE_TO_CALL = "a call must come before the first card"
    TOO_EARLY_TO_CALL = "Tichu can be called from the first lead on"
    TABLE_DECIDES = "the table takes this decision"
    CHOOSE_RECIPIENT = "the Dragon's trick must be given to an opponent"
    NOT_THE_RECIPIENT = "the trick cannot go to that seat"
    NOTHING_TO_GIVE = "only the Dragon's trick is given away"


class GameError(ValueError):
    """The root of all errors that a wrong text or a wrong action can cause."""


class NotationError(GameError):
    """A text that is not TTN.  The message names the place."""


class RulesError(NotationError):
    """A rule set that does not exist."""


class IllegalAction(GameError):
    """An action that the rules refuse; nothing has changed."""

    def __init__(self, reason: Reason, seat: int, action: object) -> None:
        super().__init__(reason, seat, action)
        self.reason = reason
        self.seat = seat
        self.action = action

    def __str__(self) -> str:
        from tichu.core.cards import format_cards  # Which itself can go wrong, and so imports this module.

        try:
            # Cards of which no combination can be made.
            action = format_cards(self.action) if isinstance(self.action, int) else str(self.action)
        except (IndexError, TypeError):  # What nobody can write, such as a wish for a 99.
            action = repr(self.action)
        return f"seat {self.seat}, {action}: {self.reason.value}"
