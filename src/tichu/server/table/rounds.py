"""The cycle of rounds: score, commit to a seed, wait for nonces and for who is ready, deal."""

import math
from collections.abc import Callable, Container
from typing import Final

from tichu.core.deals import format_deal
from tichu.core.fairness import SEED_BYTES, fair_deal
from tichu.server import log
from tichu.server.table.archive import finished_game
from tichu.server.table.state import LoggedState
from tichu.server.table.steps import StepBuilder
from tichu.server.table.timing import Timing

__all__ = ["Entropy", "RoundCycle"]

Entropy = Callable[[int], bytes]

_NONCE_WAIT: Final = 2.0
_READY_WAIT: Final = 45.0
_BOTS_READY_WAIT: Final = 3.0


class RoundCycle:
    """What a table does between two rounds."""

    def __init__(self, logged: LoggedState, timing: Timing, entropy: Entropy, now: float) -> None:
        self._logged = logged
        self._timing = timing
        self._entropy = entropy
        self._waiting_since = now

    def restart(self, now: float) -> None:
        """The wait for the next round begins, or begins anew."""
        self._waiting_since = now

    def advance(self, step: StepBuilder, present: Container[str]) -> bool:
        """One thing that lies between two rounds; False if there is nothing to do yet."""
        logged = self._logged
        if logged.match.winner is not None:
            step.game = finished_game(logged, step.now)
            step.apply(log.SeatEntry(at=step.now, what="over", seats=logged.seats, host=logged.host, ready=()))
            return True
        start = self.given_start(step.now)
        if start is not None:
            step.apply(start)
            return True
        if logged.seed is None:
            if step.entries:
                return False  # A checkpoint stands at the beginning of a step; due() asks for one at once.
            step.checkpoint = True
            step.apply(logged.checkpoint(step.now))
            seed = self._entropy(SEED_BYTES).hex()
            step.apply(log.CommitEntry(at=step.now, round=logged.round_number, seed=seed))
            return True
        if step.now < self.next_deal(present):
            return False
        nonces = [logged.nonces.get(seat, "") for seat in range(4)]
        deal = format_deal(fair_deal(bytes.fromhex(logged.seed), nonces))
        step.apply(log.DealEntry(at=step.now, round=logged.round_number, deal=deal))
        return True

    def next_deal(self, present: Container[str]) -> float:
        """When the next round can begin, as things stand."""
        logged = self._logged
        if logged.match.winner is not None or logged.seed is None:
            return 0.0
        here = [player for player in logged.persons() if player in present]
        # Whoever has a table start at once comes a moment later, and is to have a share in the first deal too.
        asked = here if logged.results else logged.persons()
        owed = any(logged.seat_of(player) not in logged.nonces for player in asked)
        soonest = self._waiting_since + _NONCE_WAIT if owed else self._waiting_since
        if not logged.results:
            return soonest
        if not logged.persons():
            return max(soonest, self._waiting_since + _BOTS_READY_WAIT * self._timing.factor)
        if here and all(player in logged.ready for player in here):
            return soonest
        return self._waiting_since + _READY_WAIT if here else math.inf

    def given_start(self, now: float) -> log.DealEntry | None:
        """The first round of a table that was made with a deal or a position."""
        settings = self._logged.settings
        if self._logged.results or not (settings.deal or settings.position) or self._logged.game is not None:
            return None
        return log.DealEntry(at=now, round=0, deal=settings.deal, actions=settings.actions, position=settings.position)
