"""A table under everything a network does: clients that come, go, repeat themselves and overtake each other."""

import random
from collections import Counter

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.server.players import Club, command_for
from tichu.core.actions import TAKE
from tichu.core.cards import ALL_CARDS, points_of
from tichu.core.fairness import nonce_commit_of
from tichu.core.phases import Phase
from tichu.server import wire
from tichu.server.table import Table
from tichu.server.table.ports import Player
from tichu.server.wire.settings import Settings

seats = st.integers(0, 3)
chances = st.integers(0, 2**32)


class Network(RuleBasedStateMachine):
    """Four clients, a spectator, a fake clock, and a wire that is not to be trusted."""

    @initialize(
        rules=st.sampled_from(("standard", "courtesy", "single-round", "simple", "standard goal=target:200")),
        clock=st.sampled_from((None, wire.Clock(decision=5, reserve=3))),
        seed=st.integers(0, 99),
    )
    def open(self, rules: str, clock: wire.Clock | None, seed: int) -> None:
        self.club = Club(Settings(rules=rules, clock=clock, pace=0.1), seed=seed)
        self.club.seat_people(0, 1, 2, 3)
        self.guest = Player("guest", "Guest")
        self.club.people.append(self.guest)
        self.club.connect(self.guest)
        self.club.start()
        #: Sent and not delivered yet.
        self.on_the_way: list[tuple[int, wire.Command]] = []
        self.delivered: list[tuple[int, wire.Command]] = []

    # The clients.

    @rule(chance=chances)
    def somebody_decides(self, chance: int) -> None:
        for _ in range(1 + chance % 8):
            if not self.club.act(random.Random(chance)):
                self.club.wait()

    @rule(seat=seats, chance=chances)
    def a_client_sends(self, seat: int, chance: int) -> None:
        """Something legal, as far as the client knows; it may arrive much later."""
        logged, rng = self.club.table.logged, random.Random(chance)
        commit = self.club.table.state().commit or ""
        command: wire.Command = rng.choice(
            [
                wire.Pass(id=self.club.id()),
                wire.Wait(id=self.club.id()),
                wire.Ready(id=self.club.id()),
                wire.DeclareTichu(id=self.club.id()),
                wire.Say(id=self.club.id(), text="hello"),
                wire.AutoPass(id=self.club.id(), until="trick"),
                wire.Assist(id=self.club.id(), seat=(seat + 1) & 3),
                wire.StandIn(id=self.club.id(), seat=(seat + 1) & 3),
                wire.ChangeSettings(id=self.club.id(), settings=Settings(rules="courtesy", pace=0.1)),
                wire.Nonce(id=self.club.id(), nonce="0a"),
                wire.CommitNonce(id=self.club.id(), commitment=nonce_commit_of(commit, seat, "0a")),
                wire.Pause(id=self.club.id()),
                wire.Resume(id=self.club.id()),
                wire.Stand(id=self.club.id()),
                wire.Sit(id=self.club.id(), seat=seat),
            ]
        )
        if logged.game is not None and rng.random() < 0.7:
            legal = logged.view(seat, window=True).legal()
            if len(legal) > legal.may_call and (action := legal.draw(rng)) != TAKE:
                command = command_for(action, self.club.id(), logged.version)
        self.on_the_way.append((seat, command))

    @precondition(lambda self: self.on_the_way)
    @rule(chance=chances)
    def something_arrives(self, chance: int) -> None:
        """In any order."""
        seat, command = self.on_the_way.pop(chance % len(self.on_the_way))
        self.club.command(seat, command)
        self.delivered.append((seat, command))

    @precondition(lambda self: self.delivered)
    @rule(chance=chances)
    def something_arrives_again(self, chance: int) -> None:
        seat, command = self.delivered[chance % len(self.delivered)]
        before = len(self.club.entries)
        self.club.command(seat, command)
        # Time may do something by itself, the command may not.
        assert all(entry.command is None for entry in self.club.entries[before:])

    @precondition(lambda self: self.on_the_way)
    @rule()
    def something_is_lost(self) -> None:
        self.on_the_way.pop(0)

    @rule(seat=seats)
    def a_client_drops(self, seat: int) -> None:
        self.club.take(self.club.table.disconnect(f"player{seat}", self.club.now))

    @rule(seat=seats, back=st.one_of(st.none(), st.integers(-5, 50)))
    def a_client_returns(self, seat: int, back: int | None) -> None:
        logged = self.club.table.logged
        since = None if back is None else logged.version - back
        self.club.take(self.club.table.connect(self.club.people[seat], self.club.now, since, "secret"))
        welcome = next(m for m in reversed(self.club.heard[f"player{seat}"]) if isinstance(m, wire.Welcome))
        missed = [message.version for message in welcome.missed]
        assert missed == sorted(set(missed))
        if missed:
            assert missed[-1] == welcome.version
            assert missed[0] == (since or 0) + 1

    @rule(seconds=st.sampled_from((-30.0, 0.0, 0.05, 0.5, 4.0, 40.0, 10_000.0)))
    def time_jumps(self, seconds: float) -> None:
        self.club.now += seconds
        self.club.take(self.club.table.tick(self.club.now))

    @rule()
    def the_server_restarts(self) -> None:
        """Whatever was stored is there again."""
        start = self.club.checkpoints[-1] if self.club.checkpoints else 0
        table = Table.restore(self.club.entries[start:], self.club.now, self.club.entropy)
        logged, was = table.logged, self.club.table.logged
        assert (logged.game, logged.version, logged.seats, logged.stage, logged.results, logged.match) == (
            was.game,
            was.version,
            was.seats,
            was.stage,
            was.results,
            was.match,
        )
        assert (logged.host, logged.ready, logged.reserves) == (was.host, was.ready, was.reserves)
        assert (logged.shuffle, logged.drafts, logged.waits, logged.trick, logged.commands) == (
            was.shuffle,
            was.drafts,
            was.waits,
            was.trick,
            was.commands,
        )
        there = list(self.club.table.audience.connected.values())
        self.club.table = table
        self.club.connect(*there)
        # Only what was done is remembered; a refusal may be another one the next time.
        self.delivered = [(seat, sent) for seat, sent in self.delivered if f"player{seat} {sent.id}" in logged.commands]

    # What must hold.

    @invariant()
    def no_card_and_no_point_is_lost(self) -> None:
        game = self.club.table.logged.game
        if game is None:
            return
        state = game.round
        cards = [*state.hands, *state.later, state.played]
        if state.phase is not Phase.GRAND:
            assert sum(state.points) + state.points_on_table + sum(map(points_of, state.hands)) == 100
        assert sum(cards) == ALL_CARDS
        assert sum(card.bit_count() for card in cards) == 56

    @invariant()
    def no_version_is_left_out_and_they_are_the_same_for_all(self) -> None:
        events: dict[int, set[str]] = {}
        for player in ("player0", "player1", "player2", "player3", "guest"):
            version = 0
            for message in self.club.heard[player]:
                if isinstance(message, wire.EventMessage):
                    assert message.version == version + 1
                    events.setdefault(message.version, set()).add(type(message.event).__name__)
                if isinstance(message, wire.EventMessage | wire.State | wire.Welcome):
                    version = message.version
        assert all(len(kinds) == 1 for kinds in events.values())

    @invariant()
    def each_command_is_carried_out_once(self) -> None:
        counts = Counter(entry.command for entry in self.club.entries if entry.command is not None)
        assert all(count == 1 for count in counts.values())

    @invariant()
    def spectators_see_no_hand(self) -> None:
        for message in self.club.heard["guest"]:
            view = getattr(message, "view", None)
            assert not isinstance(view, wire.SeatView) or (view.hand == () and view.seat is None)


TestNetwork = pytest.mark.no_cover(Network.TestCase)
TestNetwork.settings = settings(max_examples=25, stateful_step_count=60, deadline=None)
