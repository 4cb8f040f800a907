"""A rated table with four accounts, without a network."""

import random

from tests.server.players import Club
from tichu.core.actions import Action, DeclineGrand
from tichu.core.phases import Phase
from tichu.core.view import View
from tichu.ratings import MatchRow
from tichu.server import wire
from tichu.server.table import Table
from tichu.server.table.ports import Player, Step
from tichu.server.wire import Clock
from tichu.server.wire.settings import Settings

__all__ = ["RATED", "RatedClub", "refusal_of"]

#: A match of few rounds, so that a test can play it.
RATED = Settings(
    rules="standard goal=target:200", clock=Clock(decision=20, reserve=60), casual=False, rated=True, pace=0.1
)


class RatedClub(Club):
    """A table whose four people are accounts; rows of matches are kept."""

    def __init__(self, settings: Settings = RATED, *, seed: int = 1) -> None:
        self.rows: list[MatchRow] = []
        super().__init__(settings, seed=seed)
        self.people = [person._replace(account=True) for person in self.people]
        self.guest = Player("guest", "Guest")

    @property
    def stage(self) -> str:
        return self.table.logged.stage

    def take(self, step: Step) -> None:
        if step.row is not None:
            self.rows.append(step.row)
        super().take(step)

    def agree(self) -> "RatedClub":
        """All four sit down and agree to a match."""
        for seat in range(4):
            self.connect(seat)
            assert isinstance(self.command(seat, wire.Sit(id=self.id(), seat=seat)), wire.Ack)
        for seat in range(4):
            assert isinstance(self.command(seat, wire.Ready(id=self.id())), wire.Ack)
        assert self.table.logged.stage == "playing"
        return self

    def deal(self) -> "RatedClub":
        """Until the cards are dealt."""
        while self.table.logged.game is None:
            assert self.wait()
        return self

    def to_the_end(self, seed: int = 3) -> "RatedClub":
        self.play(random.Random(seed))
        assert self.table.logged.stage == "over"
        return self

    def choose(self, view: View, rng: random.Random) -> Action:
        """Whoever calls at random does not come to an end."""
        return DeclineGrand() if view.phase is Phase.GRAND else super().choose(view, rng)

    def leave(self, seat: int) -> None:
        """The last socket of a player goes."""
        self.take(self.table.disconnect(self.people[seat].id, self.now))

    def pass_time(self, seconds: float) -> None:
        """Let time pass; who is there and not asleep decides as soon as possible."""
        rng, until = random.Random(5), self.now + seconds
        while self.table.logged.stage == "playing" and (self.act(rng) or self.wait(until)):
            pass
        self.now = max(self.now, until)
        self.take(self.table.tick(self.now))

    def restart(self, seconds: float) -> None:
        """The server is away for a while, and comes back with what is stored."""
        start = self.checkpoints[-1] if self.checkpoints else 0
        self.now += seconds
        self.table = Table.restore(self.entries[start:], self.now, self.entropy)
        self.take(Step())


def refusal_of(club: Club, player: int | Player, command: wire.Command) -> str | None:
    """Why a command is refused; None if it is not."""
    answer = club.command(player, command)
    return answer.reason if isinstance(answer, wire.Refused) else None
