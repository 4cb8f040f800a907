"""Games that people have played: what was decided in them, and which of them share players.

Who plays at several tables plays alike at all of them, so games with a player in common belong together: what is
measured on one must not have been learned from another.  Players are known by their names; games without names are
strangers to each other, unless they are the same game.
"""

import hashlib
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from tichu.core.actions import TAKE, Action, Pass
from tichu.core.combos import Combo
from tichu.core.deals import format_deal
from tichu.core.errors import GameError, NotationError
from tichu.core.match import Match
from tichu.core.record import Reading, replay
from tichu.core.view import View
from tichu.formats.reading import read_game, read_games
from tichu.formats.sources import find_files
from training.command_line import TrainingError

__all__ = ["Game", "decisions", "group", "known_deals", "read", "unseen"]

#: Names that say nothing: of seats, and of games from which the names were removed.
_NOBODY: Final = re.compile(r"(?:Seat |p)?[0-3]|")


class Game(NamedTuple):
    """A game, and what tells it from others."""

    path: Path
    reading: Reading

    def marks(self) -> frozenset[object]:
        """The names of its players, and its deals: two games that share one of them belong together."""
        names = {name for name in self.reading.seats if not _NOBODY.fullmatch(name)}
        return frozenset(names | self.deals())

    def deals(self) -> frozenset[int]:
        """Its deals, each as a number of eight bytes."""
        deals = (one.deal for one in self.reading.rounds if not isinstance(one, NotationError))
        digests = (hashlib.sha256(format_deal(deal).encode()).digest() for deal in deals)
        return frozenset(int.from_bytes(each[:8], "little") for each in digests)

    def has_names(self) -> bool:
        """Whether it says who played."""
        return not all(map(_NOBODY.fullmatch, self.reading.seats))


def read(paths: Sequence[Path]) -> list[Game]:
    """Read the games of files and folders; what cannot be read is told and left out.

    :raises TrainingError: nothing could be read
    """
    games = []
    for path in find_files(paths):
        for reading in _readings(path):
            if isinstance(reading, Reading):
                games.append(Game(path, reading))
            else:
                sys.stderr.write(f"left out: {reading}\n")
    if not games:
        raise TrainingError("there is no game in these files")
    return games


def _readings(path: Path) -> Iterator[Reading | str]:
    """The games of a file, or what is wrong with one."""
    try:
        # A log does not say where a match ends.
        found = [(path.name, read_game(path))] if ".tch" in path.suffixes else read_games(path)
        for place, reading in found:
            yield reading if isinstance(reading, Reading) else f"{place}: {reading}"
    except NotationError as error:
        yield str(error)


def known_deals(path: Path) -> frozenset[int]:
    """The deals of the games that a file of :mod:`training.imitate` was learned from."""
    with np.load(path, allow_pickle=False) as file:
        return frozenset(file["deals"].tolist())


def group(games: Sequence[Game]) -> list[list[Game]]:
    """The games in groups that have no player in common, in the order of their first games."""
    groups: list[tuple[set[object], list[int]]] = []
    for place, game in enumerate(games):
        marks, members = set(game.marks()), [place]
        strangers = []
        for other in groups:
            if marks.isdisjoint(other[0]):
                strangers.append(other)
            else:
                marks |= other[0]
                members += other[1]
        groups = [*strangers, (marks, members)]
    return [[games[place] for place in members] for members in sorted(sorted(places) for _, places in groups)]


def unseen(games: Sequence[Game], known: Sequence[Game]) -> list[Game]:
    """Those games that are not among the known ones and have none of their players."""
    marks: set[object] = set().union(*(game.marks() for game in known))
    return [game for game in games if marks.isdisjoint(game.marks())]


def decisions(game: Game | Path) -> Iterator[tuple[View, Action]]:
    """What people decided in a game, with what they had seen by then."""
    path, reading = game if isinstance(game, Game) else Game(game, read_game(game))
    match = Match(reading.rules)
    for one in reading.rounds:
        if isinstance(one, NotationError) or one.score is None:
            continue
        try:
            states = list(replay(one, reading.rules))
        except GameError as error:
            sys.stderr.write(f"{path.name}: a round left out: {error}\n")
            continue
        seen = [(seat, action if isinstance(action, (Combo, Pass)) else TAKE) for seat, action in one.actions]
        for place, (state, (seat, action)) in enumerate(zip(states, one.actions, strict=False)):
            if seat not in state.pending or state.table_may(seat, action) or state.automatic() == (seat, action):
                continue
            score = match.score if seat % 2 == 0 else match.score[::-1]
            yield state.view(seat)._replace(history=tuple(seen[:place]), score=score), action
        match = match._replace(outcomes=(*match.outcomes, states[-1].outcome))
