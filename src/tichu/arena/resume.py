"""The score sheet of a run: a file of JSON lines from which an interrupted run goes on.

The first line names the run; each further one is a finished deal of a pair of teams.  A last line that was cut short by
whatever ended the run is dropped.
"""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from tichu import __version__
from tichu.arena.duel import Leg, PlayedDeal
from tichu.arena.setup import Setup
from tichu.arena.statistics import Tally
from tichu.errors import GameError
from tichu.scoring import Outcome

__all__ = ["ScoreSheet"]

_FORMAT: Final = "tichu arena 1"


class ScoreSheet:
    """The finished deals of a run, by pair of teams, in a file that grows.

    :raises GameError: the file is of another run, or none at all
    """

    def __init__(self, path: Path, setups: Sequence[Setup]) -> None:
        #: Per pair of teams the deals by number.
        self.finished: list[dict[int, PlayedDeal]] = [{} for _ in setups]
        header = _header(setups)
        with path.open("a+b") as file:
            file.seek(0)
            end = self._read(path, file.read(), header)
            # What was cut short must not stick to the next line.
            file.truncate(end)
        self._file = path.open("a", encoding="utf-8")
        if end == 0:
            self._write(header)

    def _read(self, path: Path, content: bytes, header: dict[str, object]) -> int:
        """Read all whole lines and tell where they end."""
        end = content.rfind(b"\n") + 1
        for number, line in enumerate(content[:end].splitlines(), start=1):
            try:
                value = json.loads(line)
                if number > 1:
                    pair, played = _parse_deal(value)
                    self.finished[pair][played.number] = played
                    continue
            except (ValueError, LookupError, TypeError, AttributeError):
                raise GameError(f"{path}, line {number}: no line of a score sheet") from None
            if value != header:
                raise GameError(f"{path} is of another run: {_difference(value, header)}")
        if end == 0 and content and not json.dumps(header).encode().startswith(content):
            raise GameError(f"{path} is no score sheet")
        return end

    def add(self, pair: int, played: PlayedDeal) -> None:
        """Write a finished deal down, unless it is there."""
        if self.finished[pair].get(played.number) is not played:
            self._write(_format_deal(pair, played))

    def _write(self, value: dict[str, object]) -> None:
        self._file.write(json.dumps(value) + "\n")
        self._file.flush()

    def close(self) -> None:
        """Nothing more will be written."""
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
    return {name: hashlib.sha256(Path(name).read_bytes()).hexdigest()[:16] for name in sorted(files - {""})}


def _difference(there: object, here: dict[str, object]) -> str:
    if not isinstance(there, dict) or there.get("format") != _FORMAT:
        return "it is no score sheet"
    name = next((name for name in here if there.get(name) != here[name]), "format")
    return f"{name} {json.dumps(there.get(name))} there, {json.dumps(here[name])} here"


def _format_deal(pair: int, played: PlayedDeal) -> dict[str, object]:
    return {
        "pair": pair,
        "deal": played.number,
        "legs": [leg.rounds for leg in played.legs],
        "tallies": [[tally.to_json() for tally in team] for team in played.tallies],
    }


def _parse_deal(value: dict[str, Any]) -> tuple[int, PlayedDeal]:
    first, second = (Leg(tuple(_parse_outcome(*one) for one in rounds)) for rounds in value["legs"])
    a, b = (tuple(map(Tally.from_json, team)) for team in value["tallies"])
    return value["pair"], PlayedDeal(value["deal"], (first, second), (a, b))


def _parse_outcome(points: list[int], bonus: list[int], out: list[int]) -> Outcome:
    return Outcome((points[0], points[1]), (bonus[0], bonus[1]), tuple(out))
