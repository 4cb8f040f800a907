"""What bots do at the table, counted so that it can be put beside what people do.

Everything but time and faults is read off the finished round, so nothing watches the play.  Counts are by player; a
rate is scaled to a table of four such players, as the people's rates are.
"""

import math
from collections import Counter
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from tichu.core.actions import Pass
from tichu.core.combos import Combo
from tichu.core.game import Game
from tichu.core.phases import Call

__all__ = ["FAULTS", "PEOPLE", "Rates", "Stopwatch", "Tally", "counts_of_round"]

FAULTS: Final = ("illegal", "late", "crashed")

_CALLS: Final = {Call.TICHU: "tichu", Call.GRAND: "grand"}

# A time is kept as a power of this: counts of a few hundred powers tell median and p99 to 1 %, however many times.
_STEP: Final = 1.02


class Rates(NamedTuple):
    """How four players play; None where there is nothing to tell."""

    #: Calls a round, and the share of them that were made.
    tichu: float
    tichu_made: float | None
    grand: float
    grand_made: float | None
    #: The share of rounds that a team of these players wins with a double victory - of both teams, for a table.
    double_victories: float
    bombs: float
    plays_and_passes: float


#: 21 million rounds on BrettspielWelt.
PEOPLE: Final = Rates(0.557, 0.734, 0.313, 0.618, 0.237, 0.443, 56.0)


def counts_of_round(game: Game) -> list[Counter[str]]:
    """What each seat did in a round that is over."""
    outcome = game.round.outcome
    seats: list[Counter[str]] = [Counter(rounds=1) for _ in range(4)]
    for seat, action in game.actions:
        if isinstance(action, Combo):
            seats[seat]["plays"] += 1
            seats[seat]["bombs"] += action.is_bomb
        elif isinstance(action, Pass):
            seats[seat]["passes"] += 1
    for seat, call in enumerate(game.round.calls):
        if call is not Call.NONE:
            seats[seat][_CALLS[call]] += 1
            seats[seat][f"{_CALLS[call]}_made"] += seat == outcome.out[0]
    if outcome.is_double_victory:
        for seat in outcome.out[:2]:
            seats[seat]["double_victories"] += 1
    return seats


class Stopwatch:
    """The times that one bot took for its decisions."""

    def __init__(self) -> None:
        self.times: Counter[int] = Counter()

    def add(self, milliseconds: float) -> None:
        """Note the time of one decision."""
        self.times[round(math.log(max(milliseconds, 1e-6), _STEP))] += 1


class Tally:
    """Counts and times of one player, over any number of rounds."""

    def __init__(
        self, counts: Counter[str] | None = None, times: Counter[int] | None = None, first_fault: str = ""
    ) -> None:
        self.counts: Counter[str] = Counter() if counts is None else counts
        self.times: Counter[int] = Counter() if times is None else times
        #: How the player lost its first decision, in words; empty if it has lost none.
        self.first_fault = first_fault

    @classmethod
    def total(cls, tallies: Iterable["Tally"]) -> "Tally":
        """The sum of several."""
        total = cls()
        for tally in tallies:
            total.counts.update(tally.counts)
            total.times.update(tally.times)
            total.first_fault = total.first_fault or tally.first_fault
        return total

    def to_json(self) -> dict[str, object]:
        """For a file."""
        return {
            "counts": {name: number for name, number in sorted(self.counts.items()) if number},
            "times": {str(power): number for power, number in sorted(self.times.items())},
            "first_fault": self.first_fault,
        }

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> "Tally":
        """What :meth:`to_json` gave."""
        times = Counter({int(power): number for power, number in value["times"].items()})
        return cls(Counter(value["counts"]), times, value["first_fault"])

    def rates(self, *, teams: int = 1) -> Rates:
        """Rates for a table of four such players; ``teams=2`` if this is the tally of all four seats of a table."""
        counts = self.counts
        # Every player counts the rounds it sat in: four players, four times as many.
        rounds = max(counts["rounds"], 1) / 4
        return Rates(
            counts["tichu"] / rounds,
            _share(counts["tichu_made"], counts["tichu"]),
            counts["grand"] / rounds,
            _share(counts["grand_made"], counts["grand"]),
            teams * counts["double_victories"] / (4 * rounds),
            counts["bombs"] / rounds,
            (counts["plays"] + counts["passes"]) / rounds,
        )

    @property
    def decisions(self) -> int:
        """How often the player was asked."""
        return self.times.total()

    @property
    def faults(self) -> dict[str, int]:
        """Decisions that were lost, by kind."""
        return {kind: self.counts[kind] for kind in FAULTS}

    def milliseconds(self, share: float) -> float | None:
        """The time within which this share of the decisions was taken, None without any."""
        wanted = share * self.times.total()
        for power, number in sorted(self.times.items()):
            wanted -= number
            if wanted <= 0:
                return float(_STEP**power)
        return None


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
