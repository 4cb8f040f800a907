"""A log from before a rule was made clearer is read as it was written."""

from msgspec.structs import replace

from tests.server.players import Club
from tichu.server import log
from tichu.server.table import Table
from tichu.server.wire.settings import Settings


def test_a_gift_that_the_table_would_make_otherwise_today_is_believed() -> None:
    """§10.2: with equal counts the Dragon's trick once went to the next player, called or not."""
    position = "3s/4b/4g/4r t0 0:Dr 75/0/0/0 - ---T - -/-/-/-"
    club = Club(Settings(rules="simple", position=position, pace=0.1))
    club.seat_people(0, 1, 2, 3)
    club.start()
    while not any(isinstance(entry, log.ActionEntry) for entry in club.entries):
        assert club.wait()
    last = next(at for at, entry in enumerate(club.entries) if isinstance(entry, log.ActionEntry))
    taken = club.entries[last]
    assert isinstance(taken, log.ActionEntry)
    assert taken.action == "0!1"
    old = [*club.entries[:last], replace(taken, action="0!3")]
    game = Table.restore(old, club.now).logged.game
    assert game is not None
    assert game.round.points == (75, 0, 0, 25)
