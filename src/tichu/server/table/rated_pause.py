"""Pauses of a rated match: all must want one, and all must want its end, or its time must be up.

One alone who ended a pause would win against those who believed in it; one alone who could keep it up would never
lose.  So an agreed pause has an end that everybody sees.  A match that waits because nobody was there goes on when all
are back, or a while after the first who is.
"""

from typing import Final

from tichu.server.table.audience import Audience
from tichu.server.table.state import LoggedState

__all__ = ["GATHER_S", "PAUSE_S", "WISH_S", "RatedPause"]

#: For how long somebody wants something.
WISH_S: Final = 60.0
#: An agreed pause ends by itself after so long.
PAUSE_S: Final = 900.0
#: How long those who are back first wait for the others.
GATHER_S: Final = 600.0


class RatedPause:
    """Who wants a pause or its end, and when it ends by itself; at another table nobody wants anything."""

    def __init__(self, logged: LoggedState, audience: Audience) -> None:
        self._logged = logged
        self._audience = audience
        #: Since when people want what can be wanted now: a pause, or to go on.
        self._wishes: dict[str, float] = {}
        #: Since when somebody is there whom nobody was waiting with.
        self._back_since: float | None = None

    def wish(self, player: str, now: float) -> bool:
        """Somebody wants a pause, or to go on; whether all do."""
        self._wishes[player] = now
        return self._wishes.keys() >= set(self._logged.persons())

    def clear(self) -> None:
        """What was wanted has come, or cannot come any more."""
        self._wishes.clear()

    def update(self, now: float) -> bool:
        """Forget what nobody wants any more; whether something is to be told."""
        present = self._audience.connected
        is_match = self._logged.settings.rated and self._logged.stage in ("playing", "paused")
        self._wishes = {
            player: since
            for player, since in self._wishes.items()
            if is_match and player in present and now < since + WISH_S
        }
        is_waiting = is_match and self._logged.paused_why == "nobody" and self._has_anybody()
        self._back_since = (self._back_since or now) if is_waiting else None
        told = frozenset(self._wishes), self.resumes_at()
        is_news = told != (self._audience.pause_asked, self._audience.resumes_at)
        self._audience.pause_asked, self._audience.resumes_at = told
        return is_news

    def is_over(self, now: float) -> bool:
        """Whether a pause ends by itself."""
        ends = self.resumes_at()
        if ends is None:
            return False
        are_all_back = all(player in self._audience.connected for player in self._logged.persons())
        return now >= ends or (self._logged.paused_why == "nobody" and are_all_back)

    def resumes_at(self) -> float | None:
        """When a pause will end by itself, if it will."""
        logged = self._logged
        if not (logged.settings.rated and logged.stage == "paused"):
            return None
        if logged.paused_why == "agreed":
            return logged.paused_at + PAUSE_S
        return None if self._back_since is None else self._back_since + GATHER_S

    def due(self) -> list[float]:
        """When something changes by itself."""
        ends = self.resumes_at()
        return [since + WISH_S for since in self._wishes.values()] + ([] if ends is None else [ends])

    def _has_anybody(self) -> bool:
        return any(player in self._audience.connected for player in self._logged.persons())
