"""A restart is a replay: whatever was stored is there again, and nothing is folded that is over."""

import asyncio
import logging
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest

from tests.server.players import Club
from tests.server.test_store import logs, opened
from tichu.agents.base import Choice
from tichu.agents.greedy import GreedyAgent
from tichu.core.actions import Action, format_action
from tichu.core.game import Game
from tichu.core.record import RoundRecord, read_jsonl
from tichu.core.view import View
from tichu.server import log, wire
from tichu.server.clock import SteadyClock
from tichu.server.config import Config
from tichu.server.lobby import Lobby
from tichu.server.log import FinishedGame
from tichu.server.metrics import Metrics
from tichu.server.results import count_game
from tichu.server.store import open_store
from tichu.server.table import Table
from tichu.server.table.ports import BotAsk, Player, Step
from tichu.server.table.state import LoggedState
from tichu.server.table.translate import card_list
from tichu.server.wire.settings import Settings

#: The clocks, windows and waiting passes of a table begin anew.
MOMENTARY: dict[str, Any] = {"now": 0, "window": None, "clocks": (), "auto_pass": "off"}


class Seen(NamedTuple):
    """A table after some of its entries, as it is shown."""

    entries: int
    start: int
    people: dict[str, Player]
    is_window_open: bool
    state: wire.TableState
    snapshots: tuple[wire.State, ...]


def snapshots(club: Club, table: Table) -> tuple[wire.State, ...]:
    """What each seat sees, without what is only momentary."""
    persons = [person.id for person in club.people if table.logged.seat_of(person.id) is not None]
    states = [table.snapshot(person, club.now) for person in persons]
    return tuple(
        state if state.view is None else msgspec.structs.replace(state, view=timeless(state.view)) for state in states
    )


def is_window_open(table: Table) -> bool:
    return table._play.window is not None


def timeless(view: wire.SeatView) -> wire.SeatView:
    return msgspec.structs.replace(view, **MOMENTARY)


def remembered(logged: LoggedState) -> dict[str, Any]:
    """Everything that a log tells."""
    known = {name: value.copy() if isinstance(value, list | dict) else value for name, value in vars(logged).items()}
    for made in ("_views", "_told_results"):
        del known[made]  # From the rest, when somebody looks.
    # Between two rounds there is no trick that a command could be too late for.
    return known if logged.game is not None else known | {"trick_version": None}


class Sensible(Club):
    """A table of people who mostly do what makes sense, or no game would ever end."""

    def choose(self, view: View, rng: Random) -> Action:
        return super().choose(view, rng) if rng.random() < 0.1 else GreedyAgent().act(view, view.legal())

    def stored(self, start: int, end: int) -> Iterator[log.Entry]:
        """Entries as they come back from a store."""
        return (log.decode(log.encode(entry)) for entry in self.entries[start:end])


class Witness(Sensible):
    """A table that is looked at after everything that it stores."""

    def __init__(self, settings: Settings, seed: int) -> None:
        self.seen: list[Seen] = []
        super().__init__(settings, seed=seed)

    def take(self, step: Step) -> None:
        super().take(step)
        if step.entries:
            self.seen.append(
                Seen(
                    entries=len(self.entries),
                    start=self.checkpoints[-1] if self.checkpoints else 0,
                    people=self.table.audience.connected.copy(),
                    is_window_open=is_window_open(self.table),
                    state=self.table.state(),
                    snapshots=snapshots(self, self.table),
                )
            )


def meddle(club: Club, rng: Random) -> None:
    """What people do besides playing; a table may refuse it."""
    seat = rng.randrange(4)
    logged = club.table.logged
    match rng.randrange(7):
        case 0:
            club.command(seat, wire.Say(id=club.id(), text="well played"))
        case 1:
            club.command(seat, wire.Emote(id=club.id(), emote="hello"))
        case 2:
            club.command(seat, wire.Wait(id=club.id()))
        case 3:
            club.command(0, wire.Pause(id=club.id()))
            club.command(seat, wire.Resume(id=club.id()))
        case 4:
            club.command(seat, wire.AutoPass(id=club.id(), until="turn"))
        case 5 if seat and logged.game is not None:
            # The seat goes to a bot for a moment.
            club.command(seat, wire.Stand(id=club.id()))
            club.command(seat, wire.Sit(id=club.id(), seat=seat))
        case _:
            club.now += rng.uniform(0, 3)


def prepare(club: Club, rng: Random) -> None:
    """What people do before the first card: they add to the shuffle, and lay out cards for the exchange."""
    logged, seat = club.table.logged, rng.randrange(4)
    if logged.game is None:
        if logged.shuffle is not None:
            # Three kinds of people: who commit and open, who commit only, who know no commitments.
            nonce, first = f"{seat:032x}", club.commit_nonce if seat else club.open_nonce
            first(seat, nonce)
            if seat < 3:
                club.open_nonce(seat, nonce)
    elif logged.phase() == "TICHU.EXCHANGE_SELECT":
        left, *_, right = card_list(logged.game.round.hands[seat])
        club.command(seat, wire.SelectExchange(id=club.id(), left=left, right=right))


def played(club: Club, seed: int) -> None:
    """Four people play until the game is over, and do whatever else people do."""
    rng = Random(seed)
    club.seat_people(0, 1, 2, 3)
    club.start()
    for _ in range(5_000):
        if club.table.logged.stage == "over":
            return
        if rng.random() < 0.15:
            meddle(club, rng)
        prepare(club, rng)
        if not club.act(rng) and not club.wait():
            break
    assert club.table.logged.stage == "over"


TABLES = [
    Settings(rules="standard goal=target:500", pace=0.1),
    Settings(rules="standard goal=rounds:1 bombs=ordered", pace=0.1, clock=wire.Clock(decision=5, reserve=30)),
    Settings(rules="single-round", pace=0.1),
]


@pytest.mark.parametrize("settings", TABLES, ids=lambda settings: settings.rules)
def test_every_prefix_of_a_log_folds_to_the_state_it_came_from(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    memories: list[dict[str, Any]] = []
    apply = LoggedState.apply

    def watched(logged: LoggedState, entry: log.Entry) -> Any:
        told = apply(logged, entry)
        memories.append(remembered(logged))
        return told

    with monkeypatch.context() as patch:
        patch.setattr(LoggedState, "apply", watched)
        club = Sensible(settings, seed=1)
        played(club, seed=2)
    assert len(memories) == len(club.entries)
    assert len(club.checkpoints) > 2 or "round" in settings.rules
    starts = iter([*club.checkpoints, len(club.entries)])
    start, following = 0, next(starts)
    for end, memory in enumerate(memories, 1):
        if end > following:
            start, following = following, next(starts)
        logged = Table.restore(club.stored(start, end), club.now).logged
        assert remembered(logged) == memory, f"entries {start} to {end}"


@pytest.mark.parametrize("settings", TABLES, ids=lambda settings: settings.rules)
def test_every_seat_sees_after_a_restart_what_it_saw(settings: Settings) -> None:
    club = Witness(settings, seed=7)
    played(club, seed=8)
    for seen in club.seen:
        table = Table.restore(club.stored(seen.start, seen.entries), club.now)
        table.audience.connected = seen.people
        assert table.state() == seen.state
        # Under "ordered" a seat is asked to bomb as long as the window is open, and that begins anew.
        if "ordered" not in settings.rules or is_window_open(table) == seen.is_window_open:
            assert snapshots(club, table) == seen.snapshots


@pytest.mark.parametrize("settings", TABLES, ids=lambda settings: settings.rules)
def test_a_game_goes_on_after_each_of_many_restarts(settings: Settings) -> None:
    club = Sensible(settings, seed=5)
    rng = Random(6)
    club.seat_people(0, 1, 2, 3)
    club.start()
    restarts = 0
    for _ in range(5_000):
        if club.table.logged.stage == "over":
            break
        if rng.random() < 0.1:
            start = club.checkpoints[-1] if club.checkpoints else 0
            club.table = Table.restore(club.stored(start, len(club.entries)), club.now, club.entropy)
            club.connect(0, 1, 2, 3)
            restarts += 1
        assert club.act(rng) or club.wait()
    (game,) = club.games
    assert isinstance(game, FinishedGame)
    assert restarts > 3
    record = read_jsonl(game.record)
    assert len(record.rounds) == len(club.table.logged.results)
    assert all(isinstance(one, RoundRecord) for one in record.rounds)


def test_finished_rounds_are_not_folded_again(monkeypatch: pytest.MonkeyPatch) -> None:
    club = Sensible(Settings(rules="standard goal=target:1000", pace=0.1), seed=7)
    rng = Random(8)
    club.seat_people(0, 1, 2, 3)
    club.start()
    club.play(rng, stop=lambda: len(club.checkpoints) == 4)
    club.play(rng, stop=lambda: club.table.logged.game is not None and len(club.table.logged.game.actions) > 20)
    stored = list(club.stored(club.checkpoints[-1], len(club.entries)))
    played = [entry.action for entry in stored if isinstance(entry, log.ActionEntry)]
    folded: list[tuple[int, Action]] = []
    after = Game.after_recorded

    def watched(game: Game, seat: int, action: Action) -> Game:
        folded.append((seat, action))
        return after(game, seat, action)

    monkeypatch.setattr(Game, "after_recorded", watched)
    table = Table.restore(stored, club.now)
    assert len(table.logged.results) == 3
    assert table.logged.game == club.table.logged.game
    assert [format_action(*one) for one in folded] == played
    assert len(played) > 15


class Kept(Sensible):
    """A table whose steps are also handed to a store."""

    def __init__(self, settings: Settings, seed: int) -> None:
        self.steps: list[Step] = []
        super().__init__(settings, seed=seed)

    def take(self, step: Step) -> None:
        self.steps.append(step)
        super().take(step)


def test_a_store_gives_back_what_a_table_needs(url: str) -> None:
    club = Kept(TABLES[0], seed=7)
    played(club, seed=8)
    (game,) = club.games
    assert isinstance(game, FinishedGame)

    async def keep() -> None:
        async with opened(url) as store:
            first = 1
            for step in club.steps:
                lines = [log.encode(entry) for entry in step.entries]
                await store.append("table", first, lines, checkpoint=step.checkpoint, game=step.game)
                first += len(lines)

    async def restored() -> Table:
        async with opened(url) as store:
            kept = await store.game(game.summary.id)
            assert kept is not None
            assert count_game(kept) == game
            ((_, lines),) = (await logs(store)).items()
            return Table.restore(map(log.decode, lines), club.now)

    asyncio.run(keep())
    assert remembered(asyncio.run(restored()).logged) == remembered(club.table.logged)


async def no_bot(ask: BotAsk) -> Choice:
    raise AssertionError("nobody asks a bot here")


def unreadable(good: list[bytes]) -> dict[str, list[bytes]]:
    """Logs that no version, a newer version or no game has written."""
    opened = msgspec.json.decode(good[0])
    dealt = next(number for number, line in enumerate(good) if b'"dealt"' in line)
    return {
        "no json": [*good, b"\xff"],
        "cut": [*good[:-1], good[-1][:-2]],
        "from the future": [msgspec.json.encode(opened | {"format": log.FORMAT + 1}), *good[1:]],
        "an unknown entry": [*good, b'{"e":"promoted","at":1}'],
        "an illegal action": [*good[: dealt + 1], b'{"e":"acted","at":1,"action":"0:As"}'],
        "no notation": [*good[: dealt + 1], b'{"e":"acted","at":1,"action":"what?"}'],
        "no beginning": good[1:],
        "unknown rules": [msgspec.json.encode(opened | {"settings": '{"rules":"mystery"}'}), *good[1:]],
    }


def test_a_log_that_cannot_be_read_is_set_aside_and_the_others_are_played(
    url: str, caplog: pytest.LogCaptureFixture
) -> None:
    club = Sensible(Settings(pace=0.1), seed=11)
    club.seat_people(0, 1, 2, 3)
    club.start()
    club.play(Random(12), stop=lambda: len(club.entries) > 60)
    good = [log.encode(entry) for entry in club.entries]
    bad = unreadable(good)

    async def main() -> None:
        async with opened(url) as store:
            await store.append("table", 1, good)
            for name, lines in bad.items():
                await store.append(name, 1, lines)
        for _ in range(2):
            store = await open_store(url)
            lobby = Lobby(Config(), store, no_bot, Metrics(), clock=SteadyClock(lambda: club.now))
            await lobby.start()
            assert set(lobby.rooms) == {"table"}
            assert lobby.rooms["table"].table.logged.game == club.table.logged.game
            assert {table for table, _ in await store.parked()} == set(bad)
            assert set(await logs(store)) == {"table"}
            await lobby.close()
            await store.close()

    with caplog.at_level(logging.WARNING, "tichu.server"):
        asyncio.run(main())
    assert all(f"table {name} is set aside" in caplog.text for name in bad)


#: Seats 1 and 3 can bomb the seven that seat 0 leads, and are asked in this order.
BOMBS = "7s8s9bTs/2s2b2g2rJs/4s4b4gJr/6s6b6g6r9s p0 - 90/0/0/0 - ---- - -/-/-/-"


def asked_to_bomb() -> Club:
    club = Club(Settings(rules="standard bombs=ordered", position=BOMBS, casual=True, pace=0.1))
    club.seat_people(0, 1, 2, 3)
    club.start()
    while club.table.logged.game is None:
        club.wait()
    assert isinstance(club.command(0, wire.PlayCards(id="lead", cards=("7s",))), wire.Ack)
    return club


def answer_of(club: Club, seat: int, command: str) -> wire.FromServer | None:
    heard = club.heard[f"player{seat}"]
    return next((one for one in heard if isinstance(one, wire.Ack | wire.Refused) and one.id == command), None)


@pytest.mark.parametrize("bomber", [None, 1, 3])
def test_who_does_not_bomb_is_answered_the_same_after_a_restart(bomber: int | None) -> None:
    """Whether the answer led to something, or somebody before it bombed."""
    club = asked_to_bomb()
    cards = {1: ("2s", "2b", "2g", "2r"), 3: ("6s", "6b", "6g", "6r")}
    decliners = [seat for seat in (1, 3) if seat != bomber]
    for seat in decliners:
        assert club.command(seat, wire.DeclineBomb(id="no")) is None
    if bomber is not None:
        assert club.command(bomber, wire.PlayBomb(id="yes", cards=cards[bomber])) is None
    club.wait()
    first = {seat: answer_of(club, seat, "no") for seat in decliners}
    assert all(isinstance(answer, wire.Ack) for answer in first.values())
    table = Table.restore([log.decode(log.encode(entry)) for entry in club.entries], club.now)
    assert remembered(table.logged) == remembered(club.table.logged)
    for seat in decliners:
        stored = len(club.entries)
        step = table.handle(club.people[seat], wire.DeclineBomb(id="no"), club.now)
        (answer,) = [message for _, message in step.messages if isinstance(message, wire.Ack | wire.Refused)]
        assert isinstance(answer, wire.Ack)
        assert not [entry for entry in step.entries if entry.command]
        assert len(club.entries) == stored
