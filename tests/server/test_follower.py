"""The core's view rebuilt from messages is the one that the table has; actions survive the wire."""

from random import Random

import pytest

from tichu import PRESETS
from tichu.core.actions import DECLINE_BOMB
from tichu.server import wire
from tichu.server.client.follower import Follower
from tichu.server.table import Table
from tichu.server.table.ports import Player, Step
from tichu.server.table.translate import command_of
from tichu.server.wire.settings import Settings

PLAYERS = [Player(f"id{seat}", f"Guest {seat}") for seat in range(4)]


class Seats:
    """Four followers at a table with a clock of their own."""

    def __init__(self, rules: str, seed: int) -> None:
        self.rng = Random(seed)
        self.now = 1_000_000.0
        self.followers = [Follower() for _ in range(4)]
        self.answers: list[wire.Ack | wire.Refused] = []
        settings = Settings(rules=rules, pace=0)
        self.table, step = Table.create("t", "C", settings, PLAYERS[0], self.now, self.rng.randbytes)
        self.hear(step)
        for seat, player in enumerate(PLAYERS):
            self.hear(self.table.connect(player, self.now, 0))
            self.say(seat, wire.Sit(id="sit", seat=seat))
        self.say(0, wire.Start(id="start"))

    def hear(self, step: Step) -> None:
        assert not step.asks
        for player, message in step.messages:
            seat = PLAYERS.index(next(one for one in PLAYERS if one.id == player))
            match message:
                case wire.Welcome() | wire.EventMessage() | wire.State():
                    self.followers[seat].hear(message)
                case wire.Ack() | wire.Refused():
                    self.answers.append(message)

    def say(self, seat: int, command: wire.Command) -> None:
        """A command, and time for whatever holds it back."""
        self.answers.clear()
        self.hear(self.table.handle(PLAYERS[seat], command, self.now))
        self.pass_time()
        (answer,) = self.answers
        assert isinstance(answer, wire.Ack), answer

    def pass_time(self) -> None:
        while (due := self.table.due()) is not None and due <= self.now + 5:
            self.now = max(self.now, due)
            self.hear(self.table.tick(self.now))

    def reconnect(self, seat: int) -> None:
        follower = self.followers[seat]
        self.hear(self.table.disconnect(PLAYERS[seat].id, self.now))
        self.hear(self.table.connect(PLAYERS[seat], self.now, self.rng.choice([0, follower.version])))


@pytest.mark.parametrize("rules", [*PRESETS, "standard bombs=ordered", "standard wish=must grand=no"])
@pytest.mark.parametrize("seed", range(3))
def test_followers_see_what_the_table_shows(rules: str, seed: int) -> None:
    seats = Seats(rules, seed)
    logged = seats.table.logged
    seats.pass_time()
    decisions = 0
    while logged.game is not None:
        deciding = []
        for seat, follower in enumerate(seats.followers):
            assert follower.version == logged.version
            view = follower.core_view()
            assert view is not None
            expected = logged.view(seat, window=view.actor >= 0)
            # Declining to bomb is the only thing that is not told, not even to who does it.
            history = tuple(one for one in expected.history if one[1] != DECLINE_BOMB)
            assert view == expected._replace(history=history)
            if follower.view is not None and follower.view.decision is not None:
                deciding.append((seat, view))
        seat, view = seats.rng.choice(deciding)
        action = view.legal().draw(seats.rng)
        decisions += 1
        seats.say(seat, command_of(action, view, f"c{decisions}", seats.followers[seat].version))
        if seats.rng.random() < 0.1:
            seats.reconnect(seats.rng.randrange(4))
    assert decisions > 12
    assert all(follower.core_view() is None for follower in seats.followers)
