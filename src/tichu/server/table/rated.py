"""Rated matches: what may be done at their tables, who counts as having left, and the row that a match leaves.

Seats are locked from the start of a match to its end, and nobody has powers over others.  Whoever is away for two
minutes in all, or misses three decisions running, has left.  Time is only counted while somebody could play: not during
a pause, not while people of both teams are all away (then nobody is harmed), and not while the server was away.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Final, Literal

from msgspec.structs import replace

from tichu.ratings.rows import BOT_PREFIX, Ending, MatchRow, clock_class
from tichu.server import log
from tichu.server.table.handover import AttendanceLeft
from tichu.server.table.names import unique_name
from tichu.server.table.ports import Player
from tichu.server.table.refusals import Refusal, TableReason
from tichu.server.table.sanitize import clean
from tichu.server.table.seating import fill_with_bots
from tichu.server.table.state import LoggedState
from tichu.server.table.steps import StepBuilder
from tichu.server.wire import Assist, Command, PutBot, Remove, SetPace, Sit, StandIn, Swap

__all__ = [
    "AWAY_S",
    "MISSED",
    "Attendance",
    "check_command",
    "check_ready",
    "likeness",
    "match_row",
    "may_stand_still",
    "new_flags",
    "pool_start",
    "rated_start",
]

#: Away for so many seconds in all is leaving.
AWAY_S: Final = 120.0
#: So many missed decisions running are leaving.
MISSED: Final = 3
#: How long everybody has to come back after the server was away, from when the first one is back.
_GRACE_S: Final = 120.0
#: The same after the match went to another server, which nobody notices but for a moment.
_MOVE_S: Final = 30.0

#: What the host of another table may do to others, or anybody for somebody who is away.
_POWERS: Final = (PutBot, Remove, StandIn, Assist, SetPace)


class Attendance:
    """Who is away from a rated match, and since when."""

    def __init__(self, logged: LoggedState) -> None:
        self._logged = logged
        #: Since when seats are away, as far as it is counted and not yet in the log.
        self._since: dict[int, float] = {}
        #: Who has not come back since the server was away, and until when they need not.
        self.excused: set[str] = set()
        self._excused_until: float | None = None
        self._grace = _GRACE_S

    def excuse_all(self) -> None:
        """The server was away, and all players with it."""
        self.excused, self._excused_until, self._grace = set(self._logged.persons()), None, _GRACE_S

    def remainder(self, present: Container[str], now: float) -> AttendanceLeft:
        """What another server needs to count on: those who are there have to come back, the others are as they were."""
        until = self._excused_until
        left = 0.0 if not self.excused else self._grace if until is None else until - now
        here = {player for player in self._logged.persons() if player in present}
        return AttendanceLeft(
            away={seat: now - since for seat, since in self._since.items()},
            excused=tuple(sorted(self.excused | here)),
            excused_left=max(_MOVE_S, left),
        )

    def take_over(self, left: AttendanceLeft, now: float) -> None:
        """Count on where another server stopped."""
        self._since = {seat: now - seconds for seat, seconds in left.away.items()}
        self.excused, self._excused_until, self._grace = set(left.excused), None, left.excused_left

    def stand_still(self, seconds: float) -> None:
        """Nobody could come for so long."""
        self._since = {seat: since + seconds for seat, since in self._since.items()}
        if self._excused_until is not None:
            self._excused_until += seconds

    def update(self, step: StepBuilder, present: Mapping[str, Player]) -> None:
        """Count on, or stop counting, as things stand now."""
        logged = self._logged
        self._update_excuses(step.now, present)
        is_counted = self._is_counted(present)
        for seat, who in enumerate(logged.seats):
            player = None if who is None else who.player
            is_away = is_counted and player is not None and player not in present and player not in self.excused
            since = self._since.get(seat)
            if is_away and since is None:
                self._since[seat] = step.now
            elif not is_away and since is not None:
                del self._since[seat]
                if logged.stage in ("playing", "paused"):
                    seconds = round(logged.rated.away[seat] + step.now - since, 3)
                    step.apply(log.AwayEntry(at=step.now, seat=seat, seconds=seconds))

    def leaver(self, now: float) -> tuple[int, Literal["away", "missed"]] | None:
        """Who counts as having left, and why."""
        if not self._is_rated_match():
            return None
        for seat, missed in enumerate(self._logged.rated.missed):
            if missed >= MISSED:
                return seat, "missed"
        late = [(at, seat) for seat, at in self.deadlines().items() if now >= at]
        return (min(late)[1], "away") if late else None

    def deadlines(self) -> dict[int, float]:
        """When those who are away will have left, by seat."""
        away = self._logged.rated.away
        return {seat: since + max(0.0, AWAY_S - away[seat]) for seat, since in self._since.items()}

    def due(self) -> list[float]:
        """When something changes by itself."""
        if not self._is_rated_match():
            return []
        times = list(self.deadlines().values())
        return times if self._excused_until is None else [*times, self._excused_until]

    def _update_excuses(self, now: float, present: Mapping[str, Player]) -> None:
        if not self.excused:
            return
        self.excused.difference_update(present)
        if self._excused_until is None and any(player in present for player in self._logged.persons()):
            self._excused_until = now + self._grace
        if self._excused_until is not None and now >= self._excused_until:
            self.excused.clear()
        if not self.excused:
            self._excused_until = None

    def _is_rated_match(self) -> bool:
        return self._logged.settings.rated and self._logged.stage == "playing"

    def _is_counted(self, present: Mapping[str, Player]) -> bool:
        return self._is_rated_match() and not (
            may_stand_still(self._logged) and not any(player in present for player in self._logged.persons())
        )


def may_stand_still(logged: LoggedState) -> bool:
    """Whether a match may wait for its people: not if it would spare one side a defeat that only bots could claim."""
    sides = {seat % 2 for seat, who in enumerate(logged.seats) if who is not None and who.player is not None}
    return not logged.settings.rated or len(sides) == 2


def check_command(logged: LoggedState, player: Player, command: Command) -> None:
    """Whether a command is possible at a rated table at all.

    :raises Refusal: it is not
    """
    if not logged.settings.rated:
        return
    is_match = logged.stage in ("playing", "paused")
    if isinstance(command, _POWERS):
        raise Refusal(TableReason.RATED)
    if isinstance(command, Swap):
        own = logged.seat_of(player.id)
        if is_match or own not in (command.first, command.second):
            raise Refusal(TableReason.RATED)
        other = logged.seats[command.first if own == command.second else command.second]
        if other is not None:
            raise Refusal(TableReason.RATED)
    if isinstance(command, Sit):
        if is_match:
            raise Refusal(TableReason.RATED)
        _check_player(player)


def _check_player(player: Player) -> None:
    if not player.account:
        raise Refusal(TableReason.ACCOUNT_ONLY)


def check_ready(present: Mapping[str, Player], player: Player) -> None:
    """Whether somebody can agree to a rated match.

    :raises Refusal: they have no account
    """
    _check_player(present.get(player.id, player))


def rated_start(logged: LoggedState, at: float, game_id: str, present: Mapping[str, Player]) -> log.SeatEntry | None:
    """The start of a match that all four have agreed to; None while somebody is missing.

    :raises Refusal: the four cannot be rated together
    """
    players = [present.get(who.player) for who in logged.seats if who is not None and who.player is not None]
    here = [player for player in players if player is not None and player.id in logged.ready]
    if len(here) < 4:
        return None
    if not all(player.account for player in here):
        raise Refusal(TableReason.ACCOUNT_ONLY)
    if len({player.kind for player in here}) > 1:
        raise Refusal(TableReason.RATED, "programs are rated among themselves")
    was = logged.final
    # Whoever came together and sits as before is still together; that the server chose them is true once.
    is_same = was is not None and [one and one.player for one in was] == [one and one.player for one in logged.seats]
    facts = log.RatedFacts(
        pairs=logged.rated.pairs if is_same else (False, False),
        are_programs=here[0].kind == "bot",
        flags=(*_flags_between(logged.seats, here), *_flags_of_watchers(logged, here, present)),
    )
    seats = tuple(None if who is None else replace(who, stand_in=False) for who in logged.seats)
    return log.SeatEntry(at=at, what="start", seats=seats, host=logged.host, game=game_id, rated=facts)


def pool_start(
    logged: LoggedState, at: float, game_id: str, players: Sequence[Player | None], pairs: tuple[bool, bool]
) -> log.SeatEntry:
    """The start of a match that the server has brought together; bots take the other seats."""
    seats: list[log.Occupant | None] = [None] * 4
    for seat, player in enumerate(players):
        if player is not None:
            seats[seat] = log.Occupant(name=_name(player, seats), player=player.id, account=player.account)
    here = [player for player in players if player is not None]
    facts = log.RatedFacts(
        from_pool=True,
        pairs=pairs,
        are_programs=any(player.kind == "bot" for player in here),
        flags=_flags_between(seats, here),
    )
    fill_with_bots(seats)
    return log.SeatEntry(at=at, what="start", seats=tuple(seats), host=logged.host, game=game_id, rated=facts)


def _name(player: Player, seats: Sequence[log.Occupant | None]) -> str:
    others = [who.name for who in seats if who is not None]
    try:
        return unique_name(clean(player.name, 24) or "Guest", others, player.numbers_taken)
    except Refusal:  # It looks like another one: nobody can be asked for a better one now.
        return unique_name("Guest", others)


def _flags_between(seats: Sequence[log.Occupant | None], players: Iterable[Player]) -> tuple[str, ...]:
    where = {who.player: seat for seat, who in enumerate(seats) if who is not None}
    pairs = combinations(sorted(players, key=lambda player: where[player.id]), 2)
    return tuple(f"{flag} {where[one.id]} {where[other.id]}" for one, other in pairs if (flag := likeness(one, other)))


def _flags_of_watchers(
    logged: LoggedState, players: Iterable[Player], present: Mapping[str, Player]
) -> tuple[str, ...]:
    """What those who sit have in common with those who were there before the match and do not."""
    watchers = [watcher for watcher in present.values() if logged.seat_of(watcher.id) is None]
    pairs = ((player, likeness(player, watcher)) for player in players for watcher in watchers)
    return tuple(sorted({f"{alike} {logged.seat_of(player.id)} watching" for player, alike in pairs if alike}))


def likeness(one: Player, other: Player) -> str:
    """What two have in common who may be one; empty for nothing."""
    if one.device and one.device == other.device:
        return "browser"
    return "address" if one.address and one.address == other.address else ""


def new_flags(logged: LoggedState, player: Player, present: Mapping[str, Player]) -> list[str]:
    """What is odd about somebody who comes to a rated match, to play or to watch: by seat, never by name."""
    if not (logged.settings.rated and logged.stage in ("playing", "paused")):
        return []
    own = logged.seat_of(player.id)
    flags: list[str] = []
    for other in present.values():
        alike, seat = likeness(player, other), logged.seat_of(other.id)
        if other.id == player.id or not alike or own is seat is None:
            continue
        first, second = sorted("watching" if at is None else str(at) for at in (own, seat))
        flags.append(f"{alike} {first} {second}")
    return [flag for flag in flags if flag not in logged.rated.flags]


def match_row(logged: LoggedState, now: float, ending: Ending | None = None) -> MatchRow | None:
    """What the match that has just ended leaves behind; None at a table that is not rated."""
    clock, facts = logged.settings.clock, logged.rated
    if not logged.settings.rated or clock is None or logged.game_id is None:
        return None
    ending = ending or ("played" if facts.left is None else "left")
    a, b, c, d = (_id(who) for who in logged.seats)
    winner = None if ending == "aborted" else logged.winner
    return MatchRow(
        match=logged.game_id,
        at=round(now * 1000),
        rules=str(logged.rules),
        clock=clock_class(clock.decision, clock.reserve),
        players=(a, b, c, d),
        score=logged.match.score,
        winner=winner,  # type: ignore[arg-type]
        ending=ending,
        leaver=facts.left,  # type: ignore[arg-type]
        pairs=facts.pairs,
        from_pool=facts.from_pool,
        league="bots" if facts.are_programs else "people",
        flags=facts.flags,
    )


def _id(who: log.Occupant | None) -> str:
    assert who is not None
    return who.player or f"{BOT_PREFIX}{who.bot}"
