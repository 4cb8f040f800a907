"""Pictures at the seats, and the pace of the bots: neither changes the game."""

import msgspec
import pytest

from tests.server.players import Club
from tichu.server import log, wire
from tichu.server.http.sockets import Unreadable, read
from tichu.server.table import Table
from tichu.server.table.timing import Timing
from tichu.server.wire.settings import Settings


def started(*people: int) -> Club:
    club = Club(Settings(pace=1))
    club.seat_people(*people)
    club.start()
    return club


def refusal(club: Club, seat: int, command: wire.Command) -> str:
    answer = club.command(seat, command)
    assert isinstance(answer, wire.Refused), answer
    return answer.reason


def accepted(club: Club, seat: int, command: wire.Command) -> None:
    answer = club.command(seat, command)
    assert isinstance(answer, wire.Ack), answer


def restarted(club: Club) -> Table:
    """The table from its log, as it is written down."""
    return Table.restore([log.decode(log.encode(entry)) for entry in club.entries], club.now, club.entropy)


def avatars(table: Table) -> list[str | None]:
    return [seat.avatar for seat in table.state().seats]


# Pictures.


def test_everybody_sees_the_picture_that_somebody_chooses_in_the_middle_of_a_game() -> None:
    club = started(0, 1)
    accepted(club, 1, wire.SetAvatar(id="a", avatar="owl"))
    for person in ("player0", "player1"):
        told = [message for message in club.heard[person] if isinstance(message, wire.EventMessage)]
        assert isinstance(told[-1].table, wire.TableState)
        assert told[-1].table.seats[1].avatar == "owl"
    assert avatars(restarted(club)) == avatars(club.table)


def test_a_picture_moves_with_its_player_and_can_be_put_away() -> None:
    club = Club()
    club.connect(0)
    accepted(club, 0, wire.Sit(id="s", seat=0))
    accepted(club, 0, wire.SetAvatar(id="a", avatar="fox"))
    accepted(club, 0, wire.Sit(id="n", seat=0, name="Ada L."))
    accepted(club, 0, wire.Sit(id="m", seat=2))
    assert avatars(club.table) == [None, None, "fox", None]
    accepted(club, 0, wire.SetAvatar(id="b"))
    assert avatars(club.table) == [None, None, None, None]


def test_bots_have_pictures_that_no_person_can_have() -> None:
    club = started(0)
    of_bots = avatars(club.table)[1:]
    assert len(set(of_bots)) == 3
    assert set(of_bots) <= {"fan", "gong", "lantern", "teapot"}
    for name in ("teapot", "<svg>", "../fox", ""):
        with pytest.raises(Unreadable, match="malformed"):
            read(msgspec.json.encode({"type": "TABLE.AVATAR", "id": "a", "avatar": name}))


def test_only_who_has_a_seat_has_a_picture() -> None:
    club = started(0)
    club.connect(1)
    assert refusal(club, 1, wire.SetAvatar(id="a", avatar="cat")) == "NOT_SEATED"


def test_a_seat_of_an_older_log_has_no_picture() -> None:
    line = b'{"e":"seated","at":1.0,"what":"sit","seat":0,"seats":[{"name":"Ada"},null,null,null],"host":"p"}'
    entry = log.decode(line)
    assert isinstance(entry, log.SeatEntry)
    assert entry.seats[0] is not None
    assert entry.seats[0].avatar is None


# The pace of bots.


def test_the_only_person_at_a_table_sets_the_pace_and_it_survives_a_restart() -> None:
    club = started(1)
    assert club.table.logged.host == "player0"
    club.connect(0)  # The host watches.
    accepted(club, 1, wire.SetPace(id="p", pace=0.5))
    assert club.table.state().pace == 0.5
    again = restarted(club)
    assert again.state().pace == 0.5
    assert again._play.timing.factor == 0.5


def test_among_several_persons_only_the_host_sets_the_pace() -> None:
    club = started(0, 1)
    assert refusal(club, 1, wire.SetPace(id="p", pace=0.5)) == "NOT_HOST"
    accepted(club, 0, wire.SetPace(id="p", pace=2))
    club.forget()
    accepted(club, 0, wire.SetPace(id="q", pace=3))
    seen = [message.table.pace for message in club.heard["player1"] if isinstance(message, wire.State)]
    assert seen == [3]


def test_the_pace_is_in_a_checkpoint() -> None:
    club = started(0)
    accepted(club, 0, wire.SetPace(id="p", pace=0.25))
    point = log.decode(log.encode(club.table.logged.checkpoint(club.now)))
    assert isinstance(point, log.Checkpoint)
    assert Table.restore([point], club.now, club.entropy).state().pace == 0.25


@pytest.mark.parametrize("pace", [0, 0.2, 3.1, -1, "fast", None])
def test_no_pace_stops_the_bots_or_sets_them_racing(pace: object) -> None:
    with pytest.raises(Unreadable, match="malformed"):
        read(msgspec.json.encode({"type": "TABLE.PACE", "id": "p", "pace": pace}))


def test_the_pace_changes_how_long_bots_think_and_not_the_time_for_bombs() -> None:
    club = started(0)
    timing, rules = Timing("secret", 1.0), club.table.logged.rules
    window, thinking = timing.window(rules, (14,) * 4, trick_over=False), timing.thinking(7, 1, "play")
    timing.set_pace(0.5)
    assert timing.window(rules, (14,) * 4, trick_over=False) == window
    assert timing.thinking(7, 1, "play") == thinking / 2
