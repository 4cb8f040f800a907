"""Who plays what in a run, and how the seats are taken."""

from typing import NamedTuple

from tichu.arena.teams import Team
from tichu.core.errors import GameError
from tichu.core.rules import Rules

__all__ = ["DECISION_MS", "LONGEST_DECISION_MS", "Setup", "check_decision_ms", "players_at", "side_of"]

#: How long a bot may think about one decision if nothing else is said.
DECISION_MS = 10_000

#: A day.
LONGEST_DECISION_MS = 86_400_000


class Setup(NamedTuple):
    """All that a deal depends on besides its number."""

    teams: tuple[Team, Team]
    rules: Rules
    seed: int
    #: Whether a leg is a match and not a round.
    matches: bool = False
    decision_ms: float = DECISION_MS
    #: Whether legs are played at the same time, because there are bots that take batches.
    in_batches: bool = False


def check_decision_ms(limit_ms: float) -> None:
    """Whether bots can be held to it.

    :raises GameError: it is less than a millisecond, more than a day, or not a number
    """
    if not 1 <= limit_ms <= LONGEST_DECISION_MS:
        raise GameError(f"a decision takes some time, from 1 ms to a day, not {limit_ms:g} ms")


def side_of(seat: int, leg: int) -> int:
    """Which team sits there, 0 for A and 1 for B: A at 0 and 2 in the first leg, at 1 and 3 in the second."""
    return (seat + leg) & 1


def players_at(setup: Setup, leg: int) -> tuple[str, ...]:
    """The bots at seats 0 to 3."""
    return tuple(setup.teams[side_of(seat, leg)].players[seat // 2] for seat in range(4))
