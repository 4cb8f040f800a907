"""Who may sit where: each command becomes the seating after it, or is refused."""

from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import suppress
from typing import Final

from msgspec.structs import replace

from tichu.agents.registry import AGENTS, LEVELS
from tichu.core.errors import GameError
from tichu.server import log
from tichu.server.table.names import looks_like, unique_name
from tichu.server.table.ports import Player
from tichu.server.table.refusals import Refusal, TableReason
from tichu.server.table.sanitize import clean
from tichu.server.table.state import LoggedState
from tichu.server.wire import Avatar, PutBot, Remove, SetAvatar, Sit, Stand, StandIn, Swap

__all__ = [
    "BOTS",
    "HINTING_BOT",
    "STAND_IN",
    "USUAL_LEVEL",
    "SeatingCommand",
    "back_entry",
    "bot_avatar",
    "bot_of",
    "fill_with_bots",
    "opening_commands",
    "seating_entry",
    "stand_in_of",
    "start_entry",
]

SeatingCommand = Sit | Stand | Swap | PutBot | Remove | SetAvatar | StandIn

Seats = tuple[log.Occupant | None, ...]

_BOT_NAMES: Final = ("Ben", "Cho", "Dov", "Eve", "Finn", "Gia", "Hana", "Ivo")
_BOT_AVATARS: Final[tuple[Avatar, ...]] = ("teapot", "lantern", "fan", "gong")

#: Who may be put into a seat; no program and no file of somebody's.
BOTS: Final = (*AGENTS, *LEVELS)
#: Whom people play with unless they choose.
USUAL_LEVEL: Final = "medium"
#: Who decides for a person who is away or out of time: nobody gains by leaving.
STAND_IN: Final = "medium"
#: The same where the game is rated: nobody gains by sleeping.
RATED_STAND_IN: Final = "easy"
#: Who gives hints: the strongest of those that answer at once.
HINTING_BOT: Final = AGENTS[-1]


def seating_entry(
    logged: LoggedState,
    player: Player,
    command: SeatingCommand,
    at: float,
    *,
    is_host: bool,
    present: Container[str],
) -> log.SeatEntry:
    """The entry that a seating command leads to.

    :raises Refusal: it may not be
    """
    seats = list(logged.seats)
    what: str
    seat: int | None = None
    match command:
        case Sit():
            what, seat = "sit", command.seat
            _sit(logged, seats, player, command)
        case Stand():
            what, seat = "stand", _own_seat(logged, player)
            seats[seat] = _left(logged, seats, seat)
        case Swap():
            what = "swap"
            _swap(logged, seats, player, command, is_host=is_host)
        case PutBot():
            what, seat = "bot", command.seat
            _require_host(is_host)
            _put_bot(seats, command.seat, command.bot)
        case Remove():
            what, seat = "remove", command.seat
            _require_host(is_host)
            if seats[seat] is None:
                raise Refusal(TableReason.SEAT_FREE)
            seats[seat] = _left(logged, seats, seat)
        case SetAvatar():
            # Sitting down where one sits, with another picture.
            what, seat = "sit", _own_seat(logged, player)
            there = seats[seat]
            assert there is not None
            seats[seat] = replace(there, avatar=command.avatar)
        case StandIn():
            what, seat = "stand_in", command.seat
            _own_seat(logged, player)
            _let_bot_play(logged, seats, command.seat, present)
    return log.SeatEntry(
        at=at,
        command=f"{player.id} {command.id}",
        what=what,  # type: ignore[arg-type]
        seat=seat,
        seats=tuple(seats),
        host=_host(logged, seats),
        ready=_still_ready(logged, seats),
    )


def opening_commands(seats: Sequence[str | None], new_id: Callable[[], str]) -> Iterator[Sit | PutBot]:
    """How the host of a new table fills it; by seat ``you`` is the host, another word a bot, None nobody yet.

    :raises GameError: the host would sit twice
    """
    if seats.count("you") > 1:
        raise GameError("the host has one seat at most")
    for seat, who in enumerate(seats):
        if who == "you":
            yield Sit(id=new_id(), seat=seat)
        elif who is not None:
            yield PutBot(id=new_id(), seat=seat, bot=who)


def start_entry(
    logged: LoggedState, at: float, game_id: str, present: Container[str], command: str | None = None
) -> log.SeatEntry:
    """A game begins: bots take the free seats, and in a rematch they stand in for whoever has gone.

    :raises Refusal: it is not the time
    """
    if logged.stage not in ("open", "over"):
        raise Refusal(TableReason.NOT_NOW)
    seats = list(logged.seats)
    fill_with_bots(seats)
    for seat, who in enumerate(logged.seats):
        if who is not None:
            # Before the first game somebody on the way is waited for.
            is_gone = logged.stage == "over" and who.player is not None and who.player not in present
            seats[seat] = replace(who, stand_in=is_gone)
    host = _host(logged, seats)
    return log.SeatEntry(at=at, command=command, what="start", seats=tuple(seats), host=host, game=game_id)


def back_entry(logged: LoggedState, player: Player, at: float) -> log.SeatEntry | None:
    """A person for whom a bot decides is back, or a guest has become an account; None for everybody else."""
    seat = logged.seat_of(player.id)
    who = None if seat is None else logged.seats[seat]
    if seat is None or who is None or not (who.stand_in or player.account > who.account):
        return None
    name = who.name
    if player.account > who.account:
        with suppress(Refusal):
            name = unique_name(player.name, _other_names(logged.seats, seat), player.numbers_taken)
    back = replace(who, name=name, stand_in=False, account=player.account)
    seats = (*logged.seats[:seat], back, *logged.seats[seat + 1 :])
    ready = tuple(sorted(logged.ready))
    return log.SeatEntry(at=at, what="back", seat=seat, seats=seats, host=logged.host, ready=ready)


def bot_of(logged: LoggedState, who: log.Occupant | None) -> str | None:
    """The bot that decides in a seat."""
    if who is None or not who.stand_in:
        return None if who is None else who.bot
    return stand_in_of(logged)


def stand_in_of(logged: LoggedState) -> str:
    """The bot that decides for persons at a table."""
    return RATED_STAND_IN if logged.settings.rated else STAND_IN


def fill_with_bots(seats: list[log.Occupant | None]) -> None:
    """Bots take the free seats, of the level that the others have."""
    chosen = next((who.bot for who in seats if who is not None and who.bot is not None), USUAL_LEVEL)
    for seat, who in enumerate(seats):
        if who is None:
            _put_bot(seats, seat, chosen)


def _still_ready(logged: LoggedState, seats: Sequence[log.Occupant | None]) -> tuple[str, ...]:
    """Whoever has agreed to a game has agreed to these players in these seats; nobody gets others by a trick."""
    if logged.stage not in ("open", "over"):
        return tuple(sorted(logged.ready))
    sitters, before = ([who and (who.player, who.bot) for who in row] for row in (seats, logged.seats))
    # Before the first game those who have agreed wait for whoever takes a seat that is free.
    places = [seat for seat in range(4) if logged.stage == "over" or before[seat] is not None]
    return tuple(sorted(logged.ready)) if all(sitters[seat] == before[seat] for seat in places) else ()


def _let_bot_play(logged: LoggedState, seats: list[log.Occupant | None], seat: int, present: Container[str]) -> None:
    if logged.stage not in ("playing", "paused"):
        raise Refusal(TableReason.NOT_NOW)
    who = seats[seat]
    if who is None or who.player is None or who.player in present:
        raise Refusal(TableReason.PRESENT)
    if who.stand_in:
        raise Refusal(TableReason.NOT_NOW, "a bot plays there already")
    seats[seat] = replace(who, stand_in=True)


def bot_avatar(name: str) -> Avatar:
    """The picture of a bot; those that sit down one after the other have different ones."""
    at = _BOT_NAMES.index(name) if name in _BOT_NAMES else 0
    return _BOT_AVATARS[at % len(_BOT_AVATARS)]


def _require_host(is_host: bool) -> None:
    if not is_host:
        raise Refusal(TableReason.NOT_HOST)


def _own_seat(logged: LoggedState, player: Player) -> int:
    seat = logged.seat_of(player.id)
    if seat is None:
        raise Refusal(TableReason.NOT_SEATED)
    return seat


def _sit(logged: LoggedState, seats: list[log.Occupant | None], player: Player, command: Sit) -> None:
    there = seats[command.seat]
    # Sitting down where one sits is how one takes another name.
    if there is not None and there.player not in (None, player.id):
        raise Refusal(TableReason.SEAT_TAKEN)
    # Two may sit down in one moment, when neither was there to be asked about.
    if any(who is not None and who.player in player.apart for who in seats):
        raise Refusal(TableReason.NOT_NOW)
    own = logged.seat_of(player.id)
    playing = logged.stage in ("playing", "paused")
    if playing and own is not None:
        raise Refusal(TableReason.NOT_NOW)
    if logged.knows.get(player.id, command.seat) != command.seat:
        raise Refusal(TableReason.KNOWS_CARDS)
    avatar = None
    if own is not None and (left := seats[own]) is not None:
        seats[own], avatar = None, left.avatar
    # Where it counts, and where the name is known to others, people are who they are.
    wanted = "" if logged.settings.rated or player.account else command.name
    name = clean(wanted, 24) or clean(player.name, 24) or "Guest"
    others = _other_names(seats, command.seat)
    seats[command.seat] = log.Occupant(
        name=unique_name(name, others, player.numbers_taken),
        player=player.id,
        avatar=avatar,
        account=player.account,
    )


def _other_names(seats: Sequence[log.Occupant | None], seat: int) -> list[str]:
    return [who.name for at, who in enumerate(seats) if who is not None and at != seat]


def _swap(
    logged: LoggedState, seats: list[log.Occupant | None], player: Player, command: Swap, *, is_host: bool
) -> None:
    if logged.stage in ("playing", "paused"):
        raise Refusal(TableReason.NOT_NOW)
    first, second = command.first, command.second
    others = [who for who in (seats[first], seats[second]) if who is not None and who.player not in (None, player.id)]
    own = logged.seat_of(player.id)
    if not is_host and (others or own not in (first, second)):
        raise Refusal(TableReason.NOT_HOST)
    seats[first], seats[second] = seats[second], seats[first]


def _put_bot(seats: list[log.Occupant | None], seat: int, bot: str) -> None:
    there = seats[seat]
    if there is not None and there.player is not None:
        raise Refusal(TableReason.SEAT_TAKEN)
    if bot not in BOTS:
        raise Refusal(TableReason.NO_SUCH_BOT, f"no bot {bot!r}; there are {', '.join(BOTS)}")
    name = there.name if there is not None else _bot_name(seats)
    seats[seat] = log.Occupant(name=name, bot=bot)


def _left(logged: LoggedState, seats: list[log.Occupant | None], seat: int) -> log.Occupant | None:
    """What stays behind: during a game a bot plays on."""
    if logged.stage not in ("playing", "paused"):
        return None
    there = seats[seat]
    if there is not None and there.bot is not None:
        raise Refusal(TableReason.NOT_NOW, "a bot plays there; somebody can take its seat")
    return log.Occupant(name=_bot_name(seats), bot=STAND_IN)


def _host(logged: LoggedState, seats: list[log.Occupant | None]) -> str | None:
    """The host stays as long as there is no other person; a host without a seat gives way to one with a seat."""
    persons = [who.player for who in seats if who is not None and who.player is not None]
    if logged.host in persons or not persons:
        return logged.host
    was_seated = logged.host is not None and logged.seat_of(logged.host) is not None
    return persons[0] if was_seated else logged.host


def _bot_name(seats: list[log.Occupant | None]) -> str:
    used = [who.name for who in seats if who is not None]
    return next(name for name in _BOT_NAMES if not any(looks_like(name, other) for other in used))
