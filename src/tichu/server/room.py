"""The owner of a table: one task that feeds it, one thing at a time.

Whatever a table answers is stored first, then sent, then bots are asked.  If the store fails, nobody hears anything
until it works again, and whoever looks from outside sees the table as it is stored.  What waits meanwhile is bounded.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Final, Literal, NamedTuple, Protocol

from tichu.agents.base import Choice
from tichu.server.failures import log_failure
from tichu.server.log import encode
from tichu.server.mailbox import Mailbox
from tichu.server.metrics import Metrics
from tichu.server.outbox import Letter, Outbox, letter
from tichu.server.store import OutOfStep, Store, StoreError, TakenOver
from tichu.server.table import Table
from tichu.server.table.ports import BotAsk, Player, Step, step_for
from tichu.server.table.state import LoggedState
from tichu.server.wire import (
    ENCODER,
    Ack,
    Answer,
    Check,
    Checked,
    Command,
    Error,
    FromServer,
    Hint,
    Hinted,
    Refused,
    TableState,
    Welcome,
)

__all__ = ["Asker", "Keeper", "Room"]

log = logging.getLogger("tichu.server")

#: Seconds between tries to store, from the first to the last.
_RETRY_DELAYS: Final = (0.1, 0.5, 1.0, 2.0, 5.0)
_TRIES_A_MINUTE: Final = 12

#: A store that takes longer does not work.
_SLOW_S: Final = 2.0
#: Commands and newcomers that may wait; whoever comes then is told to try again.
_MOST_WAITING: Final = 256

#: Sockets that hear of something in one go.
_SLICE: Final = 100

_SHUTDOWN_S: Final = 3.0
_CLOSING: Final = "the table or the server is closing; come back in a moment"
_BUSY: Final = "too much waits at this table; try again in a moment"
_TAKEN_OVER: Final = "another server has this table now; come back in a moment"
#: A table that breaks more often is set aside.
_BREAKDOWNS: Final = 3

_TO_COMMANDS: Final = (Ack, Refused)
_ANSWERS: Final = (*_TO_COMMANDS, Checked, Hinted, Error)

#: Whoever decides for bots.
Asker = Callable[[BotAsk], Awaitable[Choice]]


class Keeper(Protocol):
    """What a room asks of whoever keeps all of them."""

    async def reload(self, table_id: str) -> tuple[Table, int]:
        """The table as it is stored, and the number of its next entry."""

    async def give_up(self, room: "Room", error: Exception) -> None:
        """Set a table aside that breaks again and again."""

    async def close_table(self, room: "Room") -> None:
        """Forget a table."""

    def note_seats(self, room: "Room") -> None:
        """Others sit there now."""

    def rest(self, room: "Room") -> None:
        """Nobody is there and nothing goes on: drop the room until somebody comes."""


class _InboxItem(NamedTuple):
    work: Callable[[Table, float], Step]
    #: The socket that gets the welcome.
    outbox: Outbox | None
    #: Who said what, and when: whatever happens, it is answered.
    said: tuple[str, str] | None
    came: float


class Room:
    """A table with its sockets, its timer and its bots."""

    def __init__(
        self,
        table: Table,
        *,
        store: Store,
        ask: Asker,
        metrics: Metrics,
        keeper: Keeper,
        clock: Callable[[], float],
        rest_seconds: float,
        next_entry: int = 1,
        address: str = "",
    ) -> None:
        self.table = table
        self.id = table.id
        #: Of whoever made it, not known after a restart.
        self.address = address
        self.code = table.code
        self._store = store
        #: The number of the next entry in the log.
        self._next_entry = next_entry
        self._ask_bot = ask
        self._metrics = metrics
        self._keeper = keeper
        self._clock = clock
        #: How long nobody must have been here until the table leaves memory.
        self._rest_seconds = rest_seconds
        self._inbox: Mailbox[_InboxItem | None] = Mailbox()
        #: The sockets that came and have not gone, also those whose welcome still waits.
        self._arrived: set[Outbox] = set()
        self._outboxes: dict[str, list[Outbox]] = {}
        self._players: dict[str, tuple[Player, str]] = {}
        self._waiters: dict[tuple[str, str], asyncio.Future[Answer]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._thinking: set[asyncio.Task[None]] = set()
        self._owner: asyncio.Task[None] | None = None
        self._is_over = False
        #: Whether the owner is in the middle of something.
        self._is_busy = False
        self._breakdowns = 0
        #: Since when something waits to be stored, and whether that has failed.
        self._storing_since: float | None = None
        self._is_failing = False
        #: The table as it is stored, which is all that others may see of it; None before that.
        self._stored_state: LoggedState | None = None if next_entry == 1 else table.logged.copy()
        #: For whoever waits until it is.
        self._is_stored: asyncio.Event | None = None
        self._state: TableState | None = None
        #: When somebody was last here, by the clock.
        self.visited = clock()

    # What others may ask for; all but the last of these only put a job into the queue.

    def start(self, step: Step | None = None) -> None:
        """Begin, with what the making of the table answered."""
        self._owner = asyncio.create_task(self._own(), name=f"table {self.id}")
        self._post(lambda table, now: step or Step())

    def connect(self, player: Player, outbox: Outbox, since: int | None, token: str) -> None:
        """A socket or stream of a player comes; one that comes too late is told so."""
        if self._is_over:
            self._let_go(outbox, _CLOSING)
            return
        if self._is_full():
            self._let_go(outbox, _BUSY, "busy")
            return
        self._arrived.add(outbox)

        def work(table: Table, now: float) -> Step:
            self._outboxes.setdefault(player.id, []).append(outbox)
            self._players[player.id] = (player, token)
            outbox.fall_behind = lambda: self._post(lambda table, now: self._snapshot(table, player.id, outbox, now))
            return table.connect(player, now, since, token)

        self._post(work, outbox)

    def disconnect(self, player: Player, outbox: Outbox) -> None:
        """A socket or stream of a player has gone."""
        if outbox not in self._arrived:
            return
        self._arrived.remove(outbox)

        def work(table: Table, now: float) -> Step:
            outbox.fall_behind = None  # It leads back to the outbox: only a search for garbage would find that.
            outboxes = self._outboxes.get(player.id, [])
            if outbox not in outboxes:
                return Step()
            outboxes.remove(outbox)
            if outboxes:
                return Step()
            del self._outboxes[player.id]
            del self._players[player.id]
            return table.disconnect(player.id, now)

        self._post(work)

    def command(self, player: Player, command: Command) -> None:
        """A player says something that changes the table; the answer goes to all sockets of the player."""
        self._post_said(player, command.id, lambda table, now: table.handle(player, command, now))

    def check(self, player: Player, check: Check) -> None:
        """A player asks what cards can be played as."""
        self._post_said(player, check.id, lambda table, now: step_for(player.id, table.check(player.id, check)))

    def hint(self, player: Player, hint: Hint) -> None:
        """A player asks what a bot would do."""

        def work(table: Table, now: float) -> Step:
            ask = table.hint(player.id, hint, now)
            if not isinstance(ask, BotAsk):
                return step_for(player.id, ask)
            self._think(ask, lambda table, choice, now: step_for(player.id, table.hint_answer(hint, ask, choice)))
            return Step()

        self._post_said(player, hint.id, work)

    async def answer(self, player: Player, said: Command | Check | Hint, seconds: float) -> Answer:
        """Say something and wait for the answer.

        :raises TimeoutError: none came in time
        """
        if self._is_over:
            return Error(code="closing", message=_CLOSING, id=said.id)
        key = (player.id, said.id)
        waiter = self._waiters.get(key)
        if waiter is None:
            waiter = self._waiters[key] = asyncio.get_running_loop().create_future()
        match said:
            case Check():
                self.check(player, said)
            case Hint():
                self.hint(player, said)
            case _:
                self.command(player, said)
        try:
            return await asyncio.wait_for(asyncio.shield(waiter), seconds)
        finally:
            if self._waiters.get(key) is waiter:
                del self._waiters[key]

    async def wait_stored(self) -> None:
        """Return when the table is stored, so that it can be shown."""
        if self._stored_state is None and not self._is_over:
            self._is_stored = self._is_stored or asyncio.Event()
            await self._is_stored.wait()

    def state(self) -> TableState:
        """What everybody may know."""
        if self._state is None:
            self._state = self.table.audience.state(self._stored_state or self.table.logged)
        return self._state

    def persons(self) -> tuple[str, ...]:
        """Who has a seat here."""
        return () if self._stored_state is None else self._stored_state.persons()

    @property
    def is_open(self) -> bool:
        """Whether the start page offers it."""
        stored = self._stored_state
        return stored is not None and not stored.settings.private and stored.stage != "over"

    @property
    def has_free_seat(self) -> bool:
        """Whether a person can sit down."""
        return self._stored_state is not None and len(self._stored_state.persons()) < 4

    @property
    def is_stuck(self) -> bool:
        """Whether something cannot be stored."""
        since = self._storing_since
        return since is not None and (self._is_failing or time.perf_counter() - since > _SLOW_S)

    @property
    def sockets(self) -> int:
        """How many sockets and streams are here."""
        return sum(map(len, self._outboxes.values()))

    @property
    def waiting(self) -> int:
        """How much waits to be done here."""
        return self._inbox.qsize()

    def send_away(self, player_id: str, words: str) -> None:
        """The token of a player has ended: let all their sockets go, also those whose welcome still waits."""
        self._drop(player_id, words)
        if self._arrived:

            def work(table: Table, now: float) -> Step:
                self._drop(player_id, words)
                return Step()

            self._post(work)

    def _drop(self, player_id: str, words: str) -> None:
        for outbox in self._outboxes.get(player_id, []):
            self._let_go(outbox, words)

    async def stop(self) -> None:
        """Finish what waits and let everybody go."""
        self._inbox.put_nowait(None)
        if self._owner is not None:
            # A store that does not answer must not keep the server from ending; nobody was told what it lacks.
            await asyncio.wait([self._owner], timeout=_SHUTDOWN_S)
            self._owner.cancel()
        for task in self._thinking:
            task.cancel()
        self._end(_CLOSING)

    def abandon(self) -> None:
        """Another server has the table now: nothing of it is answered or shown here any more."""
        if self._owner is not None:
            self._owner.cancel()
        for task in self._thinking:
            task.cancel()
        self._end(_TAKEN_OVER)

    # The owner.

    def _post(
        self,
        work: Callable[[Table, float], Step],
        outbox: Outbox | None = None,
        said: tuple[str, str] | None = None,
    ) -> None:
        if not self._is_over:
            self._inbox.put_nowait(_InboxItem(work, outbox, said, time.perf_counter()))

    def _post_said(self, player: Player, number: str, work: Callable[[Table, float], Step]) -> None:
        if not self._is_full():
            self._post(work, said=(player.id, number))
            return
        busy = Error(code="busy", message=_BUSY, id=number)
        self._tell(self._outboxes.get(player.id, []), busy)
        self._resolve_waiter(player.id, busy)

    def _is_full(self) -> bool:
        if self._inbox.qsize() < _MOST_WAITING:
            return False
        self._metrics.guarded.labels("inbox").inc()
        return True

    async def _own(self) -> None:
        while (job := await self._inbox.get()) is not None:
            self._is_busy = True
            try:
                await self._do(job)
            except TakenOver:
                self.abandon()
            except Exception as error:
                self._metrics.failures.labels("table").inc()
                await self._begin_again(job, error)
            self._is_busy = False
            if self._is_over:
                break
        if self._timer is not None:
            self._timer.cancel()

    async def _do(self, job: _InboxItem) -> None:
        began, now = asyncio.get_running_loop().time(), self._clock()
        step = job.work(self.table, now)
        await self._keep(step)
        self._state = None
        await self._send(step, job)
        for ask in step.asks:
            self._think(ask, _answering(ask))
        if self._outboxes:
            self.visited = now
        if step.closed:
            self._end("the table is closed")
            await self._keeper.close_table(self)
            return
        self._set_timer(began - now)

    async def _keep(self, step: Step) -> None:
        if not step.entries:
            return
        lines = [encode(entry) for entry in step.entries]
        self._storing_since = began = time.perf_counter()
        tries = 0
        while True:
            try:
                first = self._next_entry
                await self._store.append(self.id, first, lines, checkpoint=step.checkpoint, game=step.game)
                break
            except (OutOfStep, TakenOver):
                # The log is not what this table believes: asking again would not help.
                raise
            except StoreError as error:
                self._is_failing = True
                self._metrics.failures.labels("store").inc()
                if tries % _TRIES_A_MINUTE == 0:
                    log.error("table %s waits for the store: %s", self.id, error)
                await asyncio.sleep(_RETRY_DELAYS[min(tries, len(_RETRY_DELAYS) - 1)])
                tries += 1
        self._storing_since, self._is_failing = None, False
        self._next_entry += len(lines)
        was = self._stored_state
        self._stored_state = self.table.logged.copy()
        self._note_stored()
        if was is None or was.seats is not self._stored_state.seats:
            self._keeper.note_seats(self)
        self._metrics.store_seconds.observe(time.perf_counter() - began)
        self._metrics.entries.inc(len(lines))
        if step.game is not None:
            self._metrics.games.inc()

    def _note_stored(self) -> None:
        if self._is_stored is not None:
            self._is_stored.set()

    async def _send(self, step: Step, job: _InboxItem) -> None:
        written: dict[int, Letter] = {}
        letters: dict[Outbox, list[Letter]] = {}
        for player, message in step.messages:
            outboxes = self._outboxes.get(player, ())
            if isinstance(message, Welcome) and job.outbox is not None:
                outboxes = [job.outbox]
            if isinstance(message, _ANSWERS):
                self._settle(player, message, job)
            if not outboxes:
                continue
            one = written.get(id(message))
            if one is None:
                one = written[id(message)] = letter(message, ENCODER.encode(message))
            for outbox in outboxes:
                letters.setdefault(outbox, []).append(one)
        for number, (outbox, some) in enumerate(letters.items(), 1):
            outbox.put_all(some)
            if number % _SLICE == 0:
                await asyncio.sleep(0)

    def _settle(self, player: str, answer: Answer, job: _InboxItem) -> None:
        if isinstance(answer, _TO_COMMANDS):
            (self._metrics.acknowledged if isinstance(answer, Ack) else self._metrics.refused).inc()
            if job.said == (player, answer.id):
                self._metrics.answer_seconds.observe(time.perf_counter() - job.came)
        self._resolve_waiter(player, answer)

    def _resolve_waiter(self, player: str, answer: Answer) -> None:
        waiter = self._waiters.get((player, answer.id or ""))
        if waiter is not None and not waiter.done():
            waiter.set_result(answer)

    def _snapshot(self, table: Table, player: str, outbox: Outbox, now: float) -> Step:
        """Everything before it is stored, because the owner does one thing at a time."""
        outbox.put_snapshot(ENCODER.encode(table.snapshot(player, now)))
        self._metrics.snapshots.inc()
        return Step()

    def _think(self, ask: BotAsk, then: Callable[[Table, Choice, float], Step]) -> None:
        async def thinking() -> None:
            began = time.perf_counter()
            choice = await self._ask_bot(ask._replace(source=(self.address or self.id, self.id)))
            self._metrics.bot_seconds.observe(time.perf_counter() - began)
            self._post(lambda table, now: then(table, choice, now))

        task = asyncio.create_task(thinking(), name=f"bot of {self.id}")
        self._thinking.add(task)
        task.add_done_callback(self._thinking.discard)

    def _set_timer(self, offset: float) -> None:
        """Wake up when something is due; the offset is between the table's clock and the event loop's."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        due = self.table.due()
        if due is not None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_at(due + offset, self._post, lambda table, now: table.tick(now))
        elif not self._arrived:
            self._await_rest()

    def _await_rest(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(self._rest_seconds, self._rest)

    def _rest(self) -> None:
        """Leave memory.  Nothing can come in between: whoever looks for the table later finds that it has to be loaded.

        Everything that was answered is stored, and a table at rest has no window, no clock and no bot at work.
        """
        self._timer = None
        if self._is_busy or self._arrived or not self._inbox.empty():
            return  # What goes on ends with another timer.
        if self._waiters or self._thinking or not self.table.is_at_rest:
            self._await_rest()
            return
        self._keeper.rest(self)
        self._is_over = True
        self._inbox.put_nowait(None)

    async def _begin_again(self, job: _InboxItem, error: Exception) -> None:
        """The table broke in the middle of something: go on from what is stored."""
        words = f"something broke here; the log has it as {log_failure(f'table {self.id}', error)}"
        if job.said is not None:
            player, number = job.said
            self._tell(self._outboxes.get(player, []), Error(code="busy", message=words, id=number))
        # Whoever waits for a bomb window waits for something that is no longer there.
        self._answer_waiters("busy", words)
        for task in self._thinking:
            task.cancel()
        self._breakdowns += 1
        try:
            if self._breakdowns > _BREAKDOWNS:
                raise error
            self.table, self._next_entry = await self._keeper.reload(self.id)
        except TakenOver:
            self.abandon()
            return
        except Exception as hopeless:
            self._end("the table broke and is set aside; the operator of the server can see why")
            await self._keeper.give_up(self, hopeless)
            return
        self._stored_state, self._storing_since = self.table.logged.copy(), None
        self._keeper.note_seats(self)
        for player_at_table, token in self._players.values():
            self._post(_connecting(player_at_table, token))
        self._post(lambda table, now: Step())

    def _tell(self, outboxes: Iterable[Outbox], message: FromServer) -> None:
        data = ENCODER.encode(message)
        for outbox in outboxes:
            outbox.put(message, data)

    def _answer_waiters(self, code: Literal["busy", "closing"], words: str) -> None:
        for (_, number), waiter in self._waiters.items():
            if not waiter.done():
                waiter.set_result(Error(code=code, message=words, id=number))

    def _end(self, words: str) -> None:
        self._is_over = True
        self._note_stored()  # Whoever waits for it need not wait any more.
        self._answer_waiters("closing", words)
        # Some may have come whose welcome is still in the queue.
        waiting = [self._inbox.get_nowait() for _ in range(self._inbox.qsize())]
        new = [job.outbox for job in waiting if job is not None and job.outbox is not None]
        for outbox in (*(outbox for some in self._outboxes.values() for outbox in some), *new):
            self._let_go(outbox, words)

    def _let_go(self, outbox: Outbox, words: str, code: Literal["busy", "closing"] = "closing") -> None:
        self._tell([outbox], Error(code=code, message=words))
        outbox.close()


def _answering(ask: BotAsk) -> Callable[[Table, Choice, float], Step]:
    return lambda table, choice, now: table.take_answer(ask, choice, now)


def _connecting(player: Player, token: str) -> Callable[[Table, float], Step]:
    return lambda table, now: table.connect(player, now, None, token)
