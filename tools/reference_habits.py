"""Count the habits that ``tichu stats`` shows beside those it has counted, and store them with their origin.

    python -m tools.reference_habits learned.ttn.zst

The file is one that ``tichu selfplay`` has made of games of the champion; its card says how.  People's habits are those
of the sixty games in ``tests/games``.  Both go to ``src/tichu/data/habits.json``.
"""

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any, Final

from tichu.data.habits import FILE
from tichu.data.jobs import map_games
from tichu.data.summary import Counted, count_batch, player_stats
from tichu.formats.sources import find_files
from tichu.parallel import SerialPool

_GAMES: Final = Path(__file__).parent.parent / "tests" / "games"


def _habits(name: str, paths: list[Path], origin: object) -> dict[str, Any]:
    counted: Counted
    counts: dict[tuple[str, int], Counter[str]] = {}
    for counted in map_games(_count, find_files(paths), SerialPool(), lambda files: None):
        counts |= counted.games
    (line,) = player_stats(counts)
    shares = {field: getattr(line, field) for field in line._fields[3:]}
    told = {field: {"value": share.value, "standard_error": share.error} for field, share in shares.items()}
    return {"key": f"{name}, {line.rounds // 4:,} rounds", "origin": origin, "games": line.games, **told}


def _count(batch: Any) -> Counted:
    return count_batch(batch, "all")


def main() -> None:
    """Count and write."""
    source = Path(sys.argv[1])
    card = json.loads(source.with_name(f"{source.name}.card.json").read_text(encoding="utf-8"))
    lines = [
        _habits("people", [_GAMES], "tests/games"),
        _habits("champion", [source], card),
    ]
    FILE.write_text(json.dumps(lines, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
