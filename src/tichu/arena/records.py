"""The played games as records: one file a leg, called so that a stranger knows what is in it.

``deal-00017-leg-1-heuristic-against-random.ttn``: the team named first sits at 0 and 2.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tichu.arena.setup import Setup, players_at
from tichu.core.game import Game
from tichu.core.record import Record, RoundRecord

__all__ = ["leg_record", "name_in_errors", "record_path"]

_LONGEST_NAME: Final = 40


def leg_record(setup: Setup, number: int, leg: int, games: Sequence[Game], event: str = "tichu arena") -> Record:
    """The rounds of a leg."""
    rounds = tuple(RoundRecord(game.deal, game.actions, game.round.outcome.score) for game in games)
    tags = (
        ("Event", (event,)),
        ("Seed", (str(setup.seed),)),
        ("Match" if setup.matches else "Deal", (str(number),)),
        ("Leg", (str(leg + 1),)),
    )
    return Record(setup.rules.sequential(), rounds, players_at(setup, leg), tags)


def record_path(folder: Path, setup: Setup, number: int, leg: int, mark: str = "") -> Path:
    """Where the record of a leg goes; the mark comes first in the name."""
    first, second = (_file_name(team.text) for team in setup.teams)
    # Two commands may look alike once they are cut down to a file name.
    if first == second and setup.teams[0].text != setup.teams[1].text:
        first, second = f"{first}.a", f"{second}.b"
    if leg:
        first, second = second, first
    unit = "match" if setup.matches else "deal"
    return folder / f"{mark}{unit}-{number:05}-leg-{leg + 1}-{first}-against-{second}.ttn"


@contextmanager
def name_in_errors(path: Path) -> Iterator[None]:
    """Name the file in an error of the system: a full disk does not say what was to be written."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def _file_name(text: str) -> str:
    """A text as part of a file name, its end if it is long: there stands what differs.

    >>> _file_name("process:node ./bots/bot.js")
    'process-node-bots-bot.js'
    """
    return re.sub(r"[^A-Za-z0-9.+_]+", "-", re.sub(r"(?<![A-Za-z0-9])\.+/", "", text)).strip("-.")[-_LONGEST_NAME:]
