"""Teams: two bots that are partners.

``heuristic`` is a team of two of that kind, ``heuristic+random`` a mixed one.  A ``+`` that belongs to a file or a
command is doubled: ``process:./c++++bot``.
"""

import re
from typing import NamedTuple

from tichu.core.errors import GameError

__all__ = ["Team", "parse_team"]


class Team(NamedTuple):
    """Partners, each the text that names a bot."""

    text: str
    players: tuple[str, str]

    @property
    def kinds(self) -> tuple[str, ...]:
        """The different bots of the team, one or two."""
        return tuple(dict.fromkeys(self.players))

    def __str__(self) -> str:
        return self.text


def parse_team(text: str) -> Team:
    """Read a team.

    >>> parse_team("greedy").players, parse_team("greedy+random").players
    (('greedy', 'greedy'), ('greedy', 'random'))
    >>> parse_team("process:./c++++bot").kinds
    ('process:./c++bot',)
    >>> parse_team("a+b+c")
    Traceback (most recent call last):
    tichu.core.errors.GameError: a team is one bot or two as in heuristic+random, not 'a+b+c' ...
    """
    players = [player.replace("++", "+") for player in re.split(r"(?<!\+)\+(?!\+)", text)]
    if len(players) > 2 or not all(players):
        raise GameError(f"a team is one bot or two as in heuristic+random, not {text!r} (a + in a name is written ++)")
    return Team(text, (players[0], players[-1]))
