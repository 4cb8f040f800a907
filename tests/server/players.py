"""Tables without a network: a fake clock, bots that answer at once, persons who do something legal."""

import random
from collections.abc import Callable

import msgspec

from tichu.agents.base import Choice
from tichu.agents.registry import make_agent
from tichu.core.actions import (
    Action,
    CallGrand,
    CallTichu,
    DeclineBomb,
    DeclineGrand,
    Exchange,
    Pass,
    Take,
    Wish,
    format_action,
)
from tichu.core.cards import format_card, format_rank
from tichu.core.combos import Combo
from tichu.core.fairness import nonce_commit_of
from tichu.core.view import View
from tichu.server import log, wire
from tichu.server.table import Table
from tichu.server.table.ports import BotAsk, Player, Step
from tichu.server.table.translate import combination
from tichu.server.wire.settings import Settings

__all__ = ["Club", "command_for", "entropy_of"]


def entropy_of(seed: int) -> Callable[[int], bytes]:
    """Chance for tests."""
    return random.Random(seed).randbytes


class Club:
    """One table with a fake clock; whatever it says and stores is kept."""

    def __init__(self, settings: Settings | None = None, *, bot: str = "greedy", seed: int = 1) -> None:
        self.now = 1_000_000.0
        self.bot = bot
        self.entries: list[log.Entry] = []
        self.heard: dict[str, list[wire.FromServer]] = {}
        #: When each of these came.
        self.times: dict[str, list[float]] = {}
        self.games: list[log.FinishedGame] = []
        self.checkpoints: list[int] = []
        self.answers_bots = True
        #: Seats whose persons decide nothing.
        self.asleep: set[int] = set()
        self.people = [Player(f"player{seat}", name) for seat, name in enumerate(("Ada", "Bob", "Cyd", "Dan"))]
        self.entropy = entropy_of(seed)
        settings = settings or Settings(pace=0.1)
        self.table, step = Table.create("table", "CODE", settings, self.people[0], self.now, self.entropy)
        self._ids = 0
        self.take(step)

    def take(self, step: Step) -> None:
        """Store, send, ask, as a room does."""
        if step.checkpoint:
            self.checkpoints.append(len(self.entries))
        self.entries += step.entries
        if step.game is not None:
            self.games.append(step.game)
        for player, message in step.messages:
            self.heard.setdefault(player, []).append(message)
            self.times.setdefault(player, []).append(self.now)
        for ask in step.asks if self.answers_bots else ():
            self.take(self.table.take_answer(ask, self.decide(ask), self.now))

    def decide(self, ask: BotAsk) -> Choice:
        return make_agent(self.bot, ask.seed).explain(ask.view, ask.view.legal())

    def command(self, player: int | Player, message: wire.Command) -> wire.Ack | wire.Refused | None:
        """Send a command; the answer, or None if it comes later."""
        person = self.people[player] if isinstance(player, int) else player
        before = len(self.heard.get(person.id, []))
        self.take(self.table.handle(person, message, self.now))
        answers = [m for m in self.heard.get(person.id, [])[before:] if isinstance(m, wire.Ack | wire.Refused)]
        return next((answer for answer in answers if answer.id == message.id), None)

    def forget(self) -> None:
        """What was said and stored so far is no longer of interest."""
        self.entries, self.heard, self.times = [], {}, {}

    def id(self) -> str:
        self._ids += 1
        return f"c{self._ids}"

    def connect(self, *players: int | Player) -> None:
        for player in players:
            person = self.people[player] if isinstance(player, int) else player
            self.take(self.table.connect(person, self.now, None, "secret"))

    def seat_people(self, *seats: int) -> None:
        """Seats that people take; the others are for bots."""
        for seat in seats:
            self.connect(seat)
            assert isinstance(self.command(seat, wire.Sit(id=self.id(), seat=seat)), wire.Ack)
        for seat in range(4):
            if seat not in seats:
                assert isinstance(self.command(0, wire.PutBot(id=self.id(), seat=seat, bot=self.bot)), wire.Ack)

    def start(self) -> None:
        answer = self.command(0, wire.Start(id=self.id()))
        assert isinstance(answer, wire.Ack), answer

    def commit_nonce(self, seat: int, nonce: str) -> wire.Ack | wire.Refused | None:
        """A person commits to a nonce for the deal to come."""
        commit = self.table.state().commit
        assert commit is not None
        return self.command(seat, wire.CommitNonce(id=self.id(), commitment=nonce_commit_of(commit, seat, nonce)))

    def open_nonce(self, seat: int, nonce: str) -> wire.Ack | wire.Refused | None:
        """A person opens it, or gives it openly."""
        return self.command(seat, wire.Nonce(id=self.id(), nonce=nonce))

    def wait(self, until: float | None = None) -> bool:
        """Let the next thing happen that is due; False if there is none (before ``until``)."""
        due = self.table.due()
        if due is None or (until is not None and due > until):
            return False
        self.now = max(self.now, due)
        self.take(self.table.tick(self.now))
        return True

    def play(self, rng: random.Random, *, most: int = 10_000, stop: Callable[[], bool] = lambda: False) -> None:
        """Persons decide at random as soon as they may, until nothing is left to do."""
        for _ in range(most):
            if stop() or self.table.logged.stage == "over":
                return
            if not self.act(rng) and not self.wait():
                return

    def act(self, rng: random.Random) -> bool:
        """One decision of a person who owes one; False if nobody does."""
        logged = self.table.logged
        if logged.stage != "playing":
            return False
        for seat, who in enumerate(logged.seats):
            if who is None or who.player is None or who.player not in self.table.audience.connected:
                continue
            if seat in self.asleep:
                continue
            person = next(person for person in self.people if person.id == who.player)
            view = self.table.snapshot(person.id, self.now).view
            if view is None or view.decision is None:
                continue
            if view.decision == "ready":
                self.command(person, wire.Ready(id=self.id()))
                return True
            if view.window is not None:
                continue
            action = self.choose(logged.view(seat, window=False), rng)
            answer = self.command(person, command_for(action, self.id(), logged.version))
            assert not isinstance(answer, wire.Refused), (answer, format_action(seat, action))
            return True
        return False

    def choose(self, view: View, rng: random.Random) -> Action:
        """What a person does."""
        return view.legal().draw(rng)


def command_for(action: Action, command_id: str, version: int | None = None) -> wire.Action:
    """The command of the wire for an action of the core."""
    match action:
        case CallGrand():
            return wire.DeclareGrandTichu(id=command_id)
        case DeclineGrand():
            return wire.DeclineGrandTichu(id=command_id)
        case CallTichu():
            return wire.DeclareTichu(id=command_id)
        case Exchange():
            left, partner, right = map(format_card, action.cards)
            return wire.ConfirmExchange(id=command_id, left=left, partner=partner, right=right)
        case Pass():
            return wire.Pass(id=command_id)
        case DeclineBomb():
            return wire.DeclineBomb(id=command_id)
        case Wish(rank):
            wish = format_rank(rank) if rank else "NONE"
            return wire.Wish(id=command_id, wish_rank=wish)  # type: ignore[arg-type]
        case Take(recipient):
            assert recipient is not None
            return wire.DragonDonate(id=command_id, to_opponent_player_id=recipient)
        case Combo():
            shown = combination(action)
            declared = wire.DeclaredCombo(
                type=shown.type,
                length=shown.length,
                high_rank=shown.rank,
                phoenix_as=shown.phoenix_as if action.size > 1 else None,  # type: ignore[arg-type]
            )
            return wire.PlayCards(id=command_id, cards=shown.cards, declared_combo=declared, version=version)


def encoded(message: wire.FromServer) -> bytes:
    """The bytes on the wire."""
    return msgspec.json.encode(message)
