"""The cycle of rounds: score, commit to a seed, wait for commitments to nonces and for the nonces, deal.

Nothing of it is drawn twice: whatever has been said is in the log, and a nonce that is missing is missing.
"""

import math
from collections.abc import Callable, Container, Sequence
from typing import Final

from tichu.core.deals import format_deal
from tichu.core.fairness import DERIVATION, SEED_BYTES
from tichu.server import log
from tichu.server.table.archive import finished_game
from tichu.server.table.rated import match_row
from tichu.server.table.shuffle import Shuffle
from tichu.server.table.state import LoggedState
from tichu.server.table.steps import StepBuilder
from tichu.server.table.timing import Timing

__all__ = ["Entropy", "RoundCycle", "given_start"]

Entropy = Callable[[int], bytes]

#: For commitments to nonces, for the first of them, and for all these and the nonces together: whoever takes no part,
#: the first card is there within a second and a half.
_COMMIT_WAIT: Final = 0.9
_FIRST_COMMIT_WAIT: Final = 1.2
_NONCE_WAIT: Final = 1.4
_OPENING_WAIT: Final = _NONCE_WAIT - _COMMIT_WAIT
_READY_WAIT: Final = 45.0
_BOTS_READY_WAIT: Final = 3.0


class RoundCycle:
    """What a table does between two rounds."""

    def __init__(self, logged: LoggedState, timing: Timing, entropy: Entropy, now: float) -> None:
        self._logged = logged
        self._timing = timing
        self._entropy = entropy
        self._waiting_since = now
        self._fixed_at = now

    def restart(self, now: float) -> None:
        """The wait for the next round begins, or begins anew."""
        self._waiting_since = now
        self._fixed_at = now

    def passed(self, now: float) -> tuple[float, float]:
        """Seconds since the wait for the next round began, and since the set of commitments was fixed."""
        return now - self._waiting_since, now - self._fixed_at

    def set_passed(self, waited: float, fixed: float, now: float) -> None:
        """Go on with what another server has counted."""
        self._waiting_since, self._fixed_at = now - waited, now - fixed

    def stand_still(self, seconds: float) -> None:
        """So many seconds were nobody's."""
        self._waiting_since += seconds
        self._fixed_at += seconds

    def advance(self, step: StepBuilder, present: Container[str]) -> bool:
        """One thing that lies between two rounds; False if there is nothing to do yet."""
        logged = self._logged
        if logged.match.winner is not None:
            step.game, step.row = finished_game(logged, step.now), match_row(logged, step.now)
            step.apply(log.SeatEntry(at=step.now, what="over", seats=logged.seats, host=logged.host, ready=()))
            return True
        start = given_start(logged, step.now)
        if start is not None:
            step.apply(start)
            return True
        shuffle = logged.shuffle
        if shuffle is None:
            if step.entries:
                return False  # A checkpoint stands at the beginning of a step; due() asks for one at once.
            step.checkpoint = True
            step.apply(logged.checkpoint(step.now))
            seed = self._entropy(SEED_BYTES).hex()
            step.apply(log.CommitEntry(at=step.now, round=logged.round_number, seed=seed, derivation=DERIVATION))
            return True
        if step.now < self.due(present):
            return False
        if shuffle.takes_commitments:
            self._fixed_at = step.now
            step.apply(log.FixEntry(at=step.now, round=logged.round_number))
            return True
        step.apply(log.DealEntry(at=step.now, round=logged.round_number, deal=format_deal(shuffle.deal())))
        return True

    def due(self, present: Container[str]) -> float:
        """When the set of commitments can be fixed, or after that the next round can begin, as things stand."""
        shuffle = self._logged.shuffle
        if self._logged.match.winner is not None or shuffle is None:
            return 0.0
        here = [player for player in self._logged.persons() if player in present]
        if shuffle.takes_commitments:
            return self._fixing_time(shuffle, here)
        return max(self._opening_time(shuffle, here), self._ready_time(here))

    def _fixing_time(self, shuffle: Shuffle, here: Sequence[str]) -> float:
        """At once if nobody's commitment is missing, else soon."""
        missing = [player for player in self._logged.persons() if shuffle.takes_commitment(self._seat_of(player))]
        if not missing:
            return self._waiting_since
        if not self._logged.results:
            # Whoever has a table start at once comes a moment later, and is to have a share in the first deal too.
            return self._waiting_since + (_COMMIT_WAIT if any(shuffle.commitments) else _FIRST_COMMIT_WAIT)
        # Whoever is away may come back while the others look at the score.
        is_here = any(player in here for player in missing)
        earliest = self._waiting_since + _COMMIT_WAIT if is_here else self._waiting_since
        return max(earliest, self._ready_time(here) - _OPENING_WAIT)

    def _opening_time(self, shuffle: Shuffle, here: Sequence[str]) -> float:
        """At once if no nonce is owed any more, else soon."""
        persons = self._logged.persons()
        if shuffle.derivation == 1 and self._logged.results:
            persons = tuple(here)
        if not any(shuffle.takes_nonce(self._seat_of(player)) for player in persons):
            return self._waiting_since
        soon = self._waiting_since + _NONCE_WAIT
        return max(soon, self._fixed_at + _OPENING_WAIT) if self._logged.results else soon

    def _ready_time(self, here: Sequence[str]) -> float:
        """When those who play can see the next cards."""
        logged = self._logged
        if not logged.results:
            return self._waiting_since
        if not logged.persons():
            return self._waiting_since + _BOTS_READY_WAIT * self._timing.factor
        if here and all(player in logged.ready for player in here):
            return self._waiting_since
        return self._waiting_since + _READY_WAIT if here else math.inf

    def _seat_of(self, player: str) -> int:
        seat = self._logged.seat_of(player)
        assert seat is not None
        return seat


def given_start(logged: LoggedState, now: float) -> log.DealEntry | None:
    """The first round of a table that was made with a deal or a position."""
    settings = logged.settings
    if logged.results or not (settings.deal or settings.position) or logged.game is not None:
        return None
    return log.DealEntry(at=now, round=0, deal=settings.deal, actions=settings.actions, position=settings.position)
