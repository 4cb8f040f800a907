"""The columns of the four tables: games, rounds, seats of a round, decisions.

Columns are only ever added, at the end; their meaning never changes.  ``game`` counts the games of an export from 0,
``round`` the rounds of a game, and both together with ``seat`` join the tables.  Teams are 0 (seats 0 and 2) and 1
(seats 1 and 3).  Cards and actions are in the notation (docs/notation.md).
"""

from typing import NamedTuple

__all__ = ["TABLES", "DecisionRow", "GameRow", "RoundRow", "SeatRow"]


class GameRow(NamedTuple):
    """One game."""

    game: int
    #: The file, and which of its games if there are several.
    place: str
    rules: str
    name_0: str
    name_1: str
    name_2: str
    name_3: str
    #: How many rounds are in the tables: those that are finished and right.
    rounds: int
    #: The sum of these rounds.
    score_0: int
    score_1: int
    #: The team that has won the match; null if it is not over.
    winner: int | None


class RoundRow(NamedTuple):
    """One finished round."""

    game: int
    round: int
    #: The match before the round.
    before_0: int
    before_1: int
    #: What the round was worth to each team, in all.
    score_0: int
    score_1: int
    #: Of it from cards, or 200 and 0 after a double victory.
    cards_0: int
    cards_1: int
    #: The seat that was out first.
    first: int
    #: Whether partners were first and second.
    double_victory: bool
    #: Plays, passes, bombs and tricks.
    plays: int
    passes: int
    bombs: int
    tricks: int


class SeatRow(NamedTuple):
    """One player in one round."""

    game: int
    round: int
    seat: int
    name: str
    #: The first eight cards, and all fourteen before and after the exchange.
    eight: str
    dealt: str
    hand: str
    #: The exchange; null where there is none, or no card is known.
    gave_left: str | None
    gave_partner: str | None
    gave_right: str | None
    got_left: str | None
    got_partner: str | None
    got_right: str | None
    #: ``grand``, ``tichu`` or null; and whether it was made.
    call: str | None
    made: bool | None
    #: 1 for the first out; 4, too, for the last, and 3 for both of a team that lost by a double victory.
    place: int
    #: Card points in the player's own tricks, with the Dragon's trick where it was given.
    points: int
    #: What the round was worth to the player's team, less what it was worth to the other.
    difference: int
    bombs: int
    #: The rank that was wished for, ``-`` for none; null for who did not play the Mah Jong.
    wish: str | None


class DecisionRow(NamedTuple):
    """One decision of a player; what the table does by itself is none."""

    game: int
    round: int
    #: Counts the actions of the round from 0, those of the table too.
    action_number: int
    seat: int
    #: ``grand``, ``exchange``, ``tichu``, ``lead``, ``follow``, ``wish``, ``gift`` or ``bomb`` (out of turn, or asked).
    kind: str
    #: The player's hand before it.
    hand: str
    #: What was done, without the seat: ``7s7b``, ``-`` for a pass.
    action: str
    #: Among how many legal actions.
    legal: int
    #: The combination to beat and who played it; null for a lead.
    top: str | None
    owner: int | None
    #: The wish in force; null without one.
    wish: str | None
    #: How many cards each of the four holds, from the player on in the order of seats.
    cards_own: int
    cards_next: int
    cards_partner: int
    cards_previous: int
    #: The calls in force, in the same order: ``grand``, ``tichu`` or null.
    call_own: str | None
    call_next: str | None
    call_partner: str | None
    call_previous: str | None
    #: The match before the round, for the player's team and the other.
    score_own: int
    score_other: int
    #: How it ended for the player: place, whether an own call was made, the difference of the teams' scores.
    place: int
    made: bool | None
    difference: int


#: By name; the name is that of the file, too.
TABLES: dict[str, type[NamedTuple]] = {
    "games": GameRow,
    "rounds": RoundRow,
    "seats": SeatRow,
    "decisions": DecisionRow,
}
