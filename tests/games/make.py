"""The games in this folder: 60 that people played on BrettspielWelt between 2007 and 2019, in TTN.

    python -m tests.games.make FOLDER

reads the ``.tch`` logs of a folder and writes them as ``00.ttn``, ``01.ttn``, ... in the order of their names.  What
was dealt, done and logged as the score stays; who played, and what the logs looked like, does not.  The files are
facts: they are made once, and a change of the rules or of the notation must not need them to be made again.
"""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from tichu import Record, format_record, read_game

FOLDER: Final = Path(__file__).parent
GAMES: Final = sorted(FOLDER.glob("*.ttn"))

#: Game and round, both counted from 0.  The site counted one of two Grand Tichu calls of partners.
WRONG_SCORE: Final = (58, 3)
#: The log of this round stops before its end.
UNFINISHED: Final = (16, 4)


def without_names(path: Path) -> Record:
    """What happened in a game, and nothing else."""
    game = read_game(path).record()
    return Record(game.rules, game.rounds)


def write_games(logs: Iterable[Path], folder: Path) -> None:
    """Write the games of some logs, called by numbers."""
    for number, path in enumerate(logs):
        (folder / f"{number:02}.ttn").write_text(format_record(without_names(path)), encoding="ascii", newline="\n")


if __name__ == "__main__":
    write_games(sorted(Path(sys.argv[1]).glob("*.tch")), FOLDER)
