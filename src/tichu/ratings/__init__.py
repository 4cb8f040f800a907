"""Ratings of players and of pairs, from the rows that rated matches leave behind.

A :class:`MatchRow` says how one match ended and what it counts for.  A :class:`Ledger` applies rows in their order and
knows every rating; :func:`rebuild` makes one from all rows, equal to the last bit to the one that grew with them.
Nothing here has a clock, a source of chance or a file: whoever writes rows brings the time, the ids and the store.

Imports the core only; the arena and the server may import it.  Rating needs openskill (``pip install 'tichu[site]'``);
rows, weights and the scale do without.
"""

from tichu.ratings.anchors import ANCHORS, Anchor, anchors_of
from tichu.ratings.board import Board, Standing
from tichu.ratings.history import History, settle_all, unrate, weight_after
from tichu.ratings.ledger import Change, Ledger, rebuild
from tichu.ratings.rating import Rating
from tichu.ratings.rows import (
    ClockClass,
    MatchRow,
    Pool,
    anonymise,
    clock_class,
    format_row,
    is_anonymous,
    parse_row,
    stand_in,
)

__all__ = [
    "ANCHORS",
    "Anchor",
    "Board",
    "Change",
    "ClockClass",
    "History",
    "Ledger",
    "MatchRow",
    "Pool",
    "Rating",
    "Standing",
    "anchors_of",
    "anonymise",
    "clock_class",
    "format_row",
    "is_anonymous",
    "parse_row",
    "rebuild",
    "settle_all",
    "stand_in",
    "unrate",
    "weight_after",
]
