"""Games as tables by the native core: the same columns as :mod:`tichu.data.rows`, many times as fast.

A game goes there as text, is read, played and told in C++, and comes back in the buffers of Arrow.  Only what is
written in the plain way and right from its first round to its last is taken.  Any other game goes the long way, whose
messages say what is wrong: nothing here has to know a mistake when it sees one.
"""

import json
import os
import re
from collections.abc import Iterator
from importlib import import_module
from typing import Final, NamedTuple

from tichu.core.errors import NotationError
from tichu.core.match import Match
from tichu.core.record import Reading, read_jsonl, read_record
from tichu.core.scoring import Outcome
from tichu.data.columns import GameRow
from tichu.data.rows import game_row
from tichu.formats.sources import GameText
from tichu.kernel.packing import pack_rules

__all__ = ["NativeTables", "is_native", "plain_game"]

_FIRST_DEAL: Final = re.compile(r"^deal ", re.MULTILINE)
_NUMBER: Final = "(0|-?[1-9][0-9]{0,3})"
#: After ``deal``; no comment, no tag, no second score.
_ROUND: Final = re.compile(rf"([^\n]*)\n([^=;\[\]]*)\n= {_NUMBER} {_NUMBER}\s*", re.ASCII)

_ABOVE_SCORES: Final = 10_000


class PlainGame(NamedTuple):
    """A game that may be read natively."""

    head: Reading
    #: Deal, actions and the two scores.
    rounds: list[tuple[str, str, int, int]]


def is_native() -> bool:
    """Whether games are replayed in C++.  Every worker asks for itself, so a missing core is nothing to warn about."""
    if os.environ.get("TICHU_KERNEL") == "python":
        return False
    try:
        # Not the module itself: this one also looks whether it fits.
        import_module("tichu.kernel.native")
    except ImportError:
        return False
    return hasattr(import_module("tichu_native"), "Replays")


def plain_game(game: GameText) -> PlainGame | None:
    """The game if it is written in the plain way: every round with its deal, actions and score."""
    try:
        match game.suffix:
            case ".ttn":
                return _plain_ttn(game.text)
            case ".jsonl":
                return _plain_jsonl(game.text)
    except (NotationError, ValueError, RecursionError):
        pass
    return None


def _plain_ttn(text: str) -> PlainGame | None:
    first = _FIRST_DEAL.search(text)
    if first is None:
        return None
    head, body = read_record(text[: first.start()]), text[first.end() :]
    if head.rounds or not body.isascii():
        return None
    rounds = []
    for one in body.split("\ndeal "):
        found = _ROUND.fullmatch(one)
        if found is None:
            return None
        rounds.append((found[1].rstrip(), found[2], int(found[3]), int(found[4])))
    return PlainGame(head, rounds)


def _plain_jsonl(text: str) -> PlainGame | None:
    first, _, body = text.partition("\n")
    head = read_jsonl(first)
    rounds = []
    for line in body.split("\n"):
        if not line.strip():
            continue
        match json.loads(line):
            case {"deal": [str(), str(), str(), str()] as hands, "actions": [*actions], "score": [int(one), int(two)]}:
                if not (_is_score(one) and _is_score(two) and all(map(_is_word, actions))):
                    return None
                rounds.append((" / ".join(hands), " ".join(actions), one, two))
            case _:
                return None
    return PlainGame(head, rounds)


def _is_score(number: int) -> bool:
    return not isinstance(number, bool) and abs(number) < _ABOVE_SCORES


def _is_word(action: object) -> bool:
    return isinstance(action, str) and action.isascii() and action.isprintable() and " " not in action and action != ""


class NativeTables:
    """The tables of games that were taken."""

    def __init__(self) -> None:
        import tichu_native

        self._replays = tichu_native.Replays()
        self._games: list[GameRow] = []

    def add(self, number: int, game: GameText) -> bool:
        """Whether the game was taken."""
        plain = plain_game(game)
        if plain is None:
            return False
        rules, seats = plain.head.rules, plain.head.seats
        try:
            outcomes = self._replays.add(number, pack_rules(rules), seats, plain.rounds)
        except UnicodeEncodeError:  # A name with bytes that are no text.
            return False
        if outcomes is None:
            return False
        match = Match(rules, tuple(Outcome(*outcome) for outcome in outcomes))
        self._games.append(game_row(number, game.place, seats, match))
        return True

    @property
    def games(self) -> list[GameRow]:
        """The rows of the first table, which are few."""
        return self._games

    def columns(self) -> "Iterator[tuple[str, int, list[tuple[int, tuple[bytes | None, ...]]]]]":
        """Of each other table its name, the number of rows, and for each column how many nulls and the buffers."""
        for name in ("rounds", "seats", "decisions"):
            yield name, *getattr(self._replays, name)
