"""The score sheet of a run: a file of JSON lines from which an interrupted run goes on.

The first line names the run; each further one is a finished deal of a pair of teams.  A last line that was cut short by
whatever ended the run is dropped.
"""

import hashlib
import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from tichu import __version__
from tichu.arena.duel import Leg, PlayedDeal
from tichu.arena.records import name_in_errors
from tichu.arena.setup import Setup
from tichu.arena.statistics import Tally
from tichu.core.errors import GameError
from tichu.core.scoring import Outcome

__all__ = ["ScoreSheet"]

_FORMAT: Final = "tichu arena 1"
# Far beyond what is ever counted, and still a number to calculate with.
_MOST: Final = 10**12
_LONGEST_TIME: Final = 10_000


class ScoreSheet:
    """The finished deals of a run, by pair of teams, in a file that grows.

    :raises GameError: the file is of another run, or not a score sheet at all
    """

    def __init__(self, path: Path, setups: Sequence[Setup]) -> None:
        #: Per pair of teams the deals by number.
        self.finished: list[dict[int, PlayedDeal]] = [{} for _ in setups]
        self._path = path
        header = _header(setups)
        with path.open("a+b") as file:
            file.seek(0)
            end = self._read(path, file.read(), header, setups)
            # What was cut short must not stick to the next line.
            file.truncate(end)
        self._file = path.open("a", encoding="utf-8")
        if end == 0:
            self._write(header)

    def _read(self, path: Path, content: bytes, header: dict[str, object], setups: Sequence[Setup]) -> int:
        """Read all whole lines and tell where they end."""
        end = content.rfind(b"\n") + 1
        for number, line in enumerate(content[:end].splitlines(), start=1):
            try:
                value = json.loads(line)
                if number > 1:
                    pair, played = _parse_deal(value, setups)
                    self.finished[pair][played.number] = played
                    continue
            except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
                raise GameError(f"{path}, line {number}: not a line of a score sheet") from None
            if value != header:
                raise GameError(f"{path} is of another run: {_difference(value, header)}")
        if end == 0 and content and not json.dumps(header).encode().startswith(content):
            raise GameError(f"{path} is not a score sheet")
        return end

    def add(self, pair: int, played: PlayedDeal) -> None:
        """Write a finished deal down, unless it is there."""
        if self.finished[pair].get(played.number) is not played:
            self._write(_format_deal(pair, played))

    def _write(self, value: dict[str, object]) -> None:
        with name_in_errors(self._path):
            self._file.write(json.dumps(value) + "\n")
            self._file.flush()

    def close(self) -> None:
        """Nothing more will be written."""
        # A line that could not be written was told, and would be tried again.
        with suppress(OSError):
            self._file.close()


def _header(setups: Sequence[Setup]) -> dict[str, object]:
    """Everything that the result of a deal depends on; the number of deals is free to grow."""
    first = setups[0]
    return {
        "format": _FORMAT,
        "tichu": __version__,
        "pairs": [[team.text for team in setup.teams] for setup in setups],
        "files": _digests(setups),
        "rules": str(first.rules),
        "seed": first.seed,
        "matches": first.matches,
        "decision_ms": first.decision_ms,
    }


def _digests(setups: Sequence[Setup]) -> dict[str, str]:
    """A bot that was edited in the meantime is another bot."""
    players = {player for setup in setups for team in setup.teams for player in team.players}
    files = {player.rpartition(":")[0] for player in players if not player.startswith("process:")}
    # A colon may also stand before the options of a bot that has a name.
    named = sorted(name for name in files if name.endswith(".py"))
    return {name: hashlib.sha256(Path(name).read_bytes()).hexdigest()[:16] for name in named}


def _difference(there: object, here: dict[str, object]) -> str:
    if not isinstance(there, dict) or there.get("format") != _FORMAT:
        return "it is not a score sheet"
    name = next((name for name in here if there.get(name) != here[name]), "format")
    return f"{name} {json.dumps(there.get(name))} there, {json.dumps(here[name])} here"


def _format_deal(pair: int, played: PlayedDeal) -> dict[str, object]:
    return {
        "pair": pair,
        "deal": played.number,
        "legs": [leg.rounds for leg in played.legs],
        "tallies": [[tally.to_json() for tally in team] for team in played.tallies],
    }


def _parse_deal(value: dict[str, Any], setups: Sequence[Setup]) -> tuple[int, PlayedDeal]:
    pair, number = _int(value["pair"], 0, len(setups) - 1), _int(value["deal"], 0)
    first, second = (_parse_leg(rounds, setups[pair]) for rounds in value["legs"])
    a, b = (
        tuple(_parse_tally(tally) for _, tally in zip(team.kinds, tallies, strict=True))
        for team, tallies in zip(setups[pair].teams, value["tallies"], strict=True)
    )
    return pair, PlayedDeal(number, (first, second), (a, b))


def _parse_leg(rounds: list[Any], setup: Setup) -> Leg:
    if not rounds or (len(rounds) > 1 and not setup.matches):
        raise ValueError("a leg is a round or a match")
    return Leg(tuple(_parse_outcome(*one) for one in rounds))


def _parse_outcome(points: list[Any], bonus: list[Any], out: list[Any]) -> Outcome:
    a, b = map(_int, points)
    bonus_a, bonus_b = map(_int, bonus)
    seats = tuple(_int(seat, 0, 3) for seat in out)
    if len(set(seats)) != len(seats):
        raise ValueError("a seat goes out once")
    return Outcome((a, b), (bonus_a, bonus_b), seats)


def _parse_tally(value: dict[str, Any]) -> Tally:
    tally = Tally.from_json(value)
    for number in (*tally.counts.values(), *tally.times.values()):
        _int(number, 0)
    for power in tally.times:
        _int(power, -_LONGEST_TIME, _LONGEST_TIME)
    if not isinstance(tally.first_fault, str):
        raise TypeError("a fault is told in words")
    return tally


def _int(value: object, least: int = -_MOST, most: int = _MOST) -> int:
    # True is an int to Python and to nobody else.
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"no number from {least} to {most}: {value!r}")
    return value
