"""Who plays with whom: tickets of those who look for a match in, groups of four out.

Pure, so that thousands of seekers can be simulated (``python -m bench.quick_match``).  Whoever has waited longest is
served first, from the nearest in rating; how far apart ratings may lie grows with the time that people have waited.
Pairs stay together, singles are put into the two teams that are most equal.
"""

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import combinations, islice
from operator import attrgetter
from typing import Final, NamedTuple

__all__ = ["Group", "Ticket", "form_groups", "form_with_bots", "grouping", "grouping_with_bots", "spread_after"]

#: How far apart ratings may lie at first, and how much further with each second.
_SPREAD: Final = 150.0
_SPREAD_A_SECOND: Final = 10.0
#: After so many seconds everybody will do.
_ANYBODY_S: Final = 120.0
#: How many of the nearest may play along, how many are looked at to find them, and how many of them a further one may
#: not be allowed to meet.
_NEAREST: Final = 10
_LOOKED_AT: Final = 60
_APART: Final = 3
#: What a pair against two who have just met costs, in points of rating, and each match they have met in lately.
_UNEVEN: Final = 60.0
_AGAIN: Final = 80.0

_TEAM: Final = 2
_TABLE: Final = 4

MayMeet = Callable[[str, str], bool]
Meetings = Callable[[str, str], int]


class Ticket(NamedTuple):
    """One player, or two who come together, and since when they wait."""

    players: tuple[str, ...]
    #: As shown, per player.
    rating: float
    since: float
    #: Whether bots may take free seats.
    bots: bool = False


class Group(NamedTuple):
    """Four seats: 0 and 2 play together; None is a bot's."""

    seats: tuple[str | None, str | None, str | None, str | None]
    #: By team, whether the two came together.
    pairs: tuple[bool, bool]
    tickets: tuple[Ticket, ...]
    #: By how much the sums of the teams' ratings differ, per player.
    difference: float


def spread_after(seconds: float) -> float:
    """How far apart ratings may lie for somebody who has waited so long.

    >>> spread_after(0), spread_after(30), spread_after(500)
    (150.0, 450.0, inf)
    """
    return float("inf") if seconds >= _ANYBODY_S else _SPREAD + _SPREAD_A_SECOND * max(0.0, seconds)


def form_groups(
    tickets: Collection[Ticket],
    now: float,
    may_meet: MayMeet = lambda one, other: True,
    meetings: Meetings = lambda one, other: 0,
) -> list[Group]:
    """All matches that can be made now."""
    return [group for group in grouping(tickets, now, may_meet, meetings) if group is not None]


def grouping(
    tickets: Collection[Ticket], now: float, may_meet: MayMeet, meetings: Meetings = lambda one, other: 0
) -> Iterator[Group | None]:
    """The same, ticket by ticket: None for one that goes on waiting, so that others can be served in between."""
    waiting = _Waiting(tickets)
    for ticket in sorted(tickets, key=attrgetter("since")):
        if ticket in waiting:
            group = _best_group(ticket, waiting, now, may_meet, meetings)
            waiting.remove(() if group is None else group.tickets)
            yield group


def form_with_bots(tickets: Collection[Ticket], may_meet: MayMeet = lambda one, other: True) -> list[Group]:
    """Matches of those who will have bots: the nearest together, two at a table, bots in the other seats."""
    return list(grouping_with_bots(tickets, may_meet))


def grouping_with_bots(tickets: Collection[Ticket], may_meet: MayMeet) -> Iterator[Group]:
    """The same, match by match."""
    welcome = [one for one in tickets if one.bots]
    waiting = _Waiting(welcome)
    for ticket in sorted(welcome, key=attrgetter("since")):
        if ticket not in waiting:
            continue
        a, *partner = ticket.players
        others = [] if partner else waiting.near(ticket, 1, may_meet)[:1]
        waiting.remove([ticket, *others])
        if partner:
            yield Group((a, None, partner[0], None), (True, False), (ticket,), 0.0)
        else:
            # Against each other, so that neither is carried by the other.
            b = others[0].players[0] if others else None
            yield Group((a, b, None, None), (False, False), (ticket, *others), 0.0)


class _Waiting:
    """Those who wait, singles and pairs apart, each in the order of their ratings."""

    def __init__(self, tickets: Iterable[Ticket]) -> None:
        ordered = sorted(tickets, key=attrgetter("rating"))
        self._by_size = {size: [one for one in ordered if len(one.players) == size] for size in (1, _TEAM)}
        self._here = {one.players for one in ordered}

    def __contains__(self, ticket: Ticket) -> bool:
        return ticket.players in self._here

    def remove(self, tickets: Iterable[Ticket]) -> None:
        for ticket in tickets:
            others = self._by_size[len(ticket.players)]
            at = bisect_left(others, ticket.rating, key=attrgetter("rating"))
            while others[at] is not ticket:
                at += 1
            del others[at]
            self._here.remove(ticket.players)

    def near(self, ticket: Ticket, size: int, may_meet: MayMeet) -> list[Ticket]:
        """The nearest in rating who may meet the ticket.

        Of people none of whom may meet another only a few are taken: they would fill the list, and nobody could play.
        """
        found: list[Ticket] = []
        for one in islice(_outward(ticket, self._by_size[size]), _LOOKED_AT):
            if one is ticket or not _may(ticket, one, may_meet):
                continue
            if sum(not _may(one, other, may_meet) for other in found) < _APART:
                found.append(one)
                if len(found) == _NEAREST:
                    break
        return sorted(found, key=lambda one: (abs(one.rating - ticket.rating), one.since))


def _outward(ticket: Ticket, others: Sequence[Ticket]) -> Iterator[Ticket]:
    """Others in the order of their distance, out of a list in the order of ratings."""
    high = bisect_left(others, ticket.rating, key=attrgetter("rating"))
    low = high - 1
    while low >= 0 or high < len(others):
        is_lower = high == len(others) or (
            low >= 0 and ticket.rating - others[low].rating < others[high].rating - ticket.rating
        )
        yield others[low if is_lower else high]
        low, high = (low - 1, high) if is_lower else (low, high + 1)


def _best_group(ticket: Ticket, waiting: _Waiting, now: float, may_meet: MayMeet, meetings: Meetings) -> Group | None:
    singles, pairs = (
        [one for one in waiting.near(ticket, size, may_meet) if _fits(ticket, one, now)] for size in (1, _TEAM)
    )
    best: tuple[float, Group] | None = None
    for others in _others(ticket, singles, pairs):
        if any(not (_fits(a, b, now) and _may(a, b, may_meet)) for a, b in combinations(others, 2)):
            continue
        group = _arrange((ticket, *others))
        cost = _cost(group, meetings)
        if best is None or cost < best[0]:
            best = cost, group
    return None if best is None else best[1]


def _others(ticket: Ticket, singles: list[Ticket], pairs: list[Ticket]) -> Iterator[tuple[Ticket, ...]]:
    """Whoever makes four with a ticket."""
    if len(ticket.players) == _TEAM:
        yield from ((pair,) for pair in pairs)
        yield from combinations(singles, 2)
    else:
        yield from ((single, pair) for single in singles for pair in pairs)
        yield from combinations(singles, 3)


def _fits(one: Ticket, other: Ticket, now: float) -> bool:
    allowed = (spread_after(now - one.since) + spread_after(now - other.since)) / 2
    return abs(one.rating - other.rating) <= allowed


def _may(one: Ticket, other: Ticket, may_meet: MayMeet) -> bool:
    return all(may_meet(a, b) for a in one.players for b in other.players)


def _arrange(tickets: Sequence[Ticket]) -> Group:
    """The fairest two teams; pairs stay together."""
    singles = [one for one in tickets if len(one.players) == 1]
    pairs = [one for one in tickets if len(one.players) == _TEAM]
    if pairs:
        first: Sequence[Ticket] = pairs[:1]
        second: Sequence[Ticket] = pairs[1:] or singles
    else:
        splits = [((singles[0], one), [two for two in singles[1:] if two is not one]) for one in singles[1:]]
        first, second = min(splits, key=lambda teams: abs(_sum(teams[0]) - _sum(teams[1])))
    (a, c), (b, d) = ([player for one in team for player in one.players] for team in (first, second))
    difference = abs(_sum(first) - _sum(second)) / _TEAM
    is_pair = (len(first) == 1, len(second) == 1)
    return Group((a, b, c, d), is_pair, tuple(tickets), difference)


def _sum(team: Iterable[Ticket]) -> float:
    return sum(one.rating * len(one.players) for one in team)


def _cost(group: Group, meetings: Meetings) -> float:
    ratings = [one.rating for one in group.tickets]
    a, b, c, d = group.seats
    again = sum(meetings(one, other) for one in (a, c) for other in (b, d) if one and other)
    uneven = _UNEVEN if group.pairs[0] != group.pairs[1] else 0.0
    return max(ratings) - min(ratings) + 2 * group.difference + uneven + _AGAIN * again
