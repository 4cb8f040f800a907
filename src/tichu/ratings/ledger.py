"""The one place where rows become ratings.

A ledger applies rows in their order.  What it knows depends on the rows alone, and their numbers are worked out in one
order of operations, so two processes that have applied the same rows agree to the last bit.  Ids are only compared, so
another id for one player changes nobody's numbers.

>>> from tichu.ratings.rows import MatchRow
>>> row = MatchRow(
...     match="m1",
...     at=0,
...     rules="standard",
...     clock="normal",
...     players=("ann", "bob", "cy", "dee"),
...     score=(1020, 480),
...     winner=0,
... )
>>> ledger = Ledger()
>>> change = ledger.apply(ledger.settle(row))
>>> ledger.board(row.pool).players["ann"].rating
<1527 ± 315, provisional>
>>> rebuild([row]).dump() == ledger.dump()
True
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from tichu.core.errors import GameError
from tichu.ratings.anchors import Anchor, anchors_of, can_rate
from tichu.ratings.board import Board, Pair, Standing
from tichu.ratings.history import History
from tichu.ratings.model import check_openskill, rate
from tichu.ratings.rating import Rating, new_pair, newcomer
from tichu.ratings.rows import MatchRow, Pool, is_bot

__all__ = ["Change", "Ledger", "rebuild"]


class Change(NamedTuple):
    """What a match did: ratings before and after it, by seat, and by team for those who came as a pair.

    None for those whose rating it cannot change: everybody in a match that rates nobody, and our bots.
    """

    players: tuple[tuple[Rating, Rating] | None, ...] = (None,) * 4
    pairs: tuple[tuple[Rating, Rating] | None, ...] = (None,) * 2


class Ledger:
    """All ratings, as far as rows have been applied.

    :raises GameError: openskill is not installed
    """

    def __init__(self) -> None:
        check_openskill()
        self._boards: dict[Pool, Board] = {}
        self._matches: set[str] = set()
        self._history = History()

    @property
    def boards(self) -> Mapping[Pool, Board]:
        """All pools that somebody was rated in."""
        return MappingProxyType(self._boards)

    def board(self, pool: Pool) -> Board:
        """A pool; an empty one if nobody was rated there."""
        return self._boards.get(pool) or Board()

    def rating(self, pool: Pool, player: str) -> Rating:
        """A player's rating there, a newcomer's if there is none."""
        anchor = anchors_of(pool).get(player)
        if anchor is not None:
            return anchor.rating
        standing = self.board(pool).players.get(player)
        return newcomer() if standing is None else standing.rating

    def times_spared(self, player: str, at: int) -> int:
        """How often a leaver's partner did not lose, within the thirty days before."""
        return self._history.times_spared(player, at)

    def settle(self, row: MatchRow) -> MatchRow:
        """The next row with what it counts for, ready to be stored and applied.

        :raises GameError: it is older than the row before it
        """
        return self._history.settle(row)

    def apply(self, row: MatchRow) -> Change:
        """Take the next row into account.

        :raises GameError: it was applied before, or is older than the row before it
        """
        if row.match in self._matches:
            raise GameError(f"match {row.match} was applied before")
        self._history.add(row)
        self._matches.add(row.match)
        if not can_rate(row):
            return Change()
        board = self._boards.setdefault(row.pool, Board())
        return _rate_match(board, row, anchors_of(row.pool))

    def dump(self) -> bytes:
        """Everything that is known, as JSON: equal bytes mean equal ratings to the last bit."""
        return msgspec.json.encode(
            [
                {
                    "pool": pool,
                    "players": [
                        (player, standing, sorted(board.opponents.get(player, ())))
                        for player, standing in board.players.items()
                    ],
                    "pairs": [
                        (pair, standing, sorted(board.pair_opponents.get(pair, ())))
                        for pair, standing in board.pairs.items()
                    ],
                }
                for pool, board in self._boards.items()
            ]
        )


def rebuild(rows: Iterable[MatchRow]) -> Ledger:
    """A ledger from all rows, in their order."""
    ledger = Ledger()
    for row in rows:
        ledger.apply(row)
    return ledger


def _rate_match(board: Board, row: MatchRow, anchors: Mapping[str, Anchor]) -> Change:
    # Everything is worked out from what was known before the match, and only then written.
    before = [_rating_before(board, player, anchors) for player in row.players]
    first, second = rate(before[0::2], before[1::2], row.winner, row.weight)
    after = [first[0], second[0], first[1], second[1]]
    pair_changes = _rate_pairs(board, row, before)
    changes: list[tuple[Rating, Rating] | None] = []
    for seat, player in enumerate(row.players):
        if is_bot(player):
            changes.append(None)
            continue
        is_spared = row.spared and row.leaver is not None and seat == row.leaver ^ 2
        new = before[seat] if is_spared else after[seat]
        changes.append((before[seat], new))
        standing = board.players.get(player) or Standing(new)
        board.set_player(player, _counted(standing, new, row, seat, is_spared), row.met(seat))
    for side, change in enumerate(pair_changes):
        if change is not None:
            pair = _pair(row, side)
            standing = board.pairs.get(pair) or Standing(change[1])
            met = set(row.met(side)).intersection(row.met(side + 2))
            board.set_pair(pair, _counted(standing, change[1], row, side, False), met)
    return Change(tuple(changes), pair_changes)


def _rate_pairs(board: Board, row: MatchRow, before: list[Rating]) -> tuple[tuple[Rating, Rating] | None, ...]:
    """Pairs against whoever sat there: another pair, or two players who then count as themselves."""
    is_pair = [row.pairs[side] and not any(map(is_bot, row.team(side))) for side in (0, 1)]
    if not any(is_pair):
        return None, None
    teams: list[list[Rating]] = []
    for side in (0, 1):
        players = before[side::2]
        if is_pair[side]:
            standing = board.pairs.get(_pair(row, side))
            teams.append([new_pair(*players) if standing is None else standing.rating])
        else:
            teams.append(players)
    after = rate(teams[0], teams[1], row.winner, row.weight)
    return tuple((teams[side][0], after[side][0]) if is_pair[side] else None for side in (0, 1))


def _rating_before(board: Board, player: str, anchors: Mapping[str, Anchor]) -> Rating:
    if is_bot(player):
        return anchors[player].rating
    standing = board.players.get(player)
    return newcomer() if standing is None else standing.rating


def _counted(standing: Standing, new: Rating, row: MatchRow, seat: int, is_spared: bool) -> Standing:
    if is_spared:
        return standing._replace(rating=new, spared=standing.spared + 1)
    return Standing(
        rating=new,
        matches=standing.matches + 1,
        wins=standing.wins + (row.winner == seat % 2),
        losses=standing.losses + (row.winner == 1 - seat % 2),
        together=standing.together + row.pairs[seat % 2],
        left=standing.left + (row.leaver == seat),
        spared=standing.spared,
    )


def _pair(row: MatchRow, side: int) -> Pair:
    one, other = row.team(side)
    return (one, other) if one < other else (other, one)
