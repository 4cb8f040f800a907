"""Matches to rate, from the smallest example to drawn seasons."""

import os
from importlib.util import find_spec
from itertools import accumulate
from typing import Any, Final

import pytest
from hypothesis import settings
from hypothesis import strategies as st

from tichu.ratings import MatchRow

DAY: Final = 24 * 60 * 60 * 1000

#: CI has it; whoever lacks it is told what is not tested.
needs_openskill: Final = pytest.mark.skipif(
    find_spec("openskill") is None and os.environ.get("CI") != "true",
    reason="openskill is not installed: pip install 'tichu[site]'",
)

#: A season costs more than other examples.
few_seasons: Final = settings(max_examples=settings.default.max_examples // 4 if settings.default else 25)


def match(name: str = "m", players: str = "a b c d", winner: int | None = 0, **fields: Any) -> MatchRow:
    """A match of four players, seat 0 first, that the server has made."""
    known = {"at": 0, "rules": "standard", "clock": "normal", "score": (0, 0), "from_pool": True}
    return MatchRow(match=name, players=tuple(players.split()), winner=winner, **{**known, **fields})  # type: ignore[arg-type]


def left(seat: int, name: str = "m", players: str = "a b c d", **fields: Any) -> MatchRow:
    """A match that the player of a seat has left."""
    return match(name, players, winner=1 - seat % 2, ending="left", leaver=seat, **fields)


_PEOPLE: Final = ("ann", "bob", "cy", "dee", "eve", "fay", "bot:hard", "bot:easy")


@st.composite
def seasons(draw: st.DrawFn, most: int = 12) -> list[MatchRow]:
    """Some matches of few people, in their order; not settled."""
    gaps = draw(st.lists(st.integers(0, 20 * DAY), min_size=1, max_size=most))
    rows = []
    for number, at in enumerate(accumulate(gaps)):
        players = " ".join(draw(st.permutations(_PEOPLE))[:4])
        fields = {
            "at": at,
            "rules": draw(st.sampled_from(["standard", "courtesy"])),
            "pairs": draw(st.tuples(st.booleans(), st.booleans())),
            "from_pool": draw(st.booleans()),
            "unrated": draw(st.sampled_from([False, False, False, True])),
        }
        ending = draw(st.sampled_from(["played", "played", "left", "aborted"]))
        if ending == "left":
            rows.append(left(draw(st.integers(0, 3)), f"m{number}", players, **fields))
        else:
            winner = draw(st.sampled_from([0, 1, None])) if ending == "played" else None
            rows.append(match(f"m{number}", players, winner, ending=ending, **fields))
    return rows
