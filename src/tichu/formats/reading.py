"""Reading games from files, whatever their format.

What only reading needs is imported when something is read, so that ``import tichu`` is quick.
"""

import os
from collections.abc import Iterator

from tichu.core.errors import NotationError
from tichu.core.record import Reading

__all__ = ["read_game", "read_games"]


def read_game(path: str | os.PathLike[str]) -> Reading:
    """Read a game from a ``.ttn``, ``.jsonl`` or ``.tch`` file; another suffix leaves the format to the content.

    Each round is there, or what is wrong with it: one broken round costs one round.  ``record()`` of the result is the
    game if all of it could be read, ``check(number)`` plays a round.  The file may be packed (``.gz``, ``.zst``), and
    ``-`` is the standard input.

    :raises NotationError: the file does not hold one game, or what comes before the rounds is wrong; with the path
    :raises OSError: the file cannot be read
    """
    from tichu.formats.sources import whole_text

    game = whole_text(path)
    try:
        return game.read()
    except NotationError as error:
        raise type(error)(f"{game.place}: {error}") from None


def read_games(path: str | os.PathLike[str]) -> Iterator[tuple[str, Reading | NotationError]]:
    """Read the games of a file one after the other: for each its place and the game, or what is wrong with its head.

    Of a large file only one game is in memory at a time, but for ``.tch``.

    :raises NotationError: the file does not hold games; with the path
    :raises OSError: the file cannot be read
    """
    from tichu.formats.sources import game_texts

    for game in game_texts(path):
        try:
            yield game.place, game.read()
        except NotationError as error:
            yield game.place, error
