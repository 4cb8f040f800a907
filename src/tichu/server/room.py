"""The owner of a table: one task that feeds it, one thing at a time.

Whatever a table answers is stored first, then sent, then bots are asked.  If the store fails, nobody hears anything
until it works again, and whoever looks from outside sees the table as it is stored.  What waits meanwhile is bounded.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator
from typing import Final, Literal

from tichu.agents.base import Choice
from tichu.server.failures import log_failure
from tichu.server.journal import Journal
from tichu.server.keeper import Asker, InboxItem, Keeper, Permission, answering, connecting
from tichu.server.lost_time import LATE_S, LostTime
from tichu.server.mailbox import Mailbox
from tichu.server.metrics import Metrics
from tichu.server.outbox import Letter, Outbox, letter
from tichu.server.store import Store, TakenOver
from tichu.server.table import Table
from tichu.server.table.handover import encode_handover
from tichu.server.table.ports import BotAsk, Player, Step, step_for
from tichu.server.table.replacement import Replacement
from tichu.server.table.state import LoggedState
from tichu.server.waiters import Waiters
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

__all__ = ["Room"]

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
        lease: Permission | None = None,
    ) -> None:
        self.table = table
        self.id = table.id
        #: Of whoever made it, not known after a restart.
        self.address = address
        self.code = table.code
        self._journal = Journal(store, table.id, metrics, next_entry)
        self._ask_bot = ask
        self._metrics = metrics
        self._keeper = keeper
        #: Without a lease nothing is answered, shown or sent; a server alone needs none.
        self._lost_time = LostTime(lease, clock)
        self._clock = clock
        #: How long nobody must have been here until the table leaves memory.
        self._rest_seconds = rest_seconds
        self._inbox: Mailbox[InboxItem | None] = Mailbox()
        #: The sockets that came and have not gone, also those whose welcome still waits.
        self.arrived: set[Outbox] = set()
        self._outboxes: dict[str, list[Outbox]] = {}
        self._players: dict[str, Player] = {}
        self._waiters = Waiters()
        self._timer: asyncio.TimerHandle | None = None
        self._thinking: set[asyncio.Task[None]] = set()
        self._owner: asyncio.Task[None] | None = None
        self._is_over = False
        #: Whether the owner is in the middle of something.
        self._is_busy = False
        self._breakdowns = 0
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
        self.arrived.add(outbox)
        self._keeper.presence.enter(player.id, self)

        def work(table: Table, now: float) -> Step:
            self._outboxes.setdefault(player.id, []).append(outbox)
            self._players[player.id] = player
            outbox.fall_behind = lambda: self._post(lambda table, now: self._snapshot(table, player.id, outbox, now))
            self._keeper.note_change(self)
            return table.connect(player, now, since, token)

        self._post(work, outbox)

    def disconnect(self, player: Player, outbox: Outbox) -> None:
        """A socket or stream of a player has gone."""
        if outbox not in self.arrived:
            return
        self.arrived.remove(outbox)
        self._keeper.presence.leave(player.id, self)

        def work(table: Table, now: float) -> Step:
            outbox.fall_behind = None  # It leads back to the outbox: only a search for garbage would find that.
            outboxes = self._outboxes.get(player.id, [])
            if outbox not in outboxes:
                return Step()
            outboxes.remove(outbox)
            if outboxes:
                return Step()
            del self._outboxes[player.id], self._players[player.id]
            self._keeper.note_change(self)
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
        self._waiters.expect(player.id, said.id)
        match said:
            case Check():
                self.check(player, said)
            case Hint():
                self.hint(player, said)
            case _:
                self.command(player, said)
        return await self._waiters.wait(player.id, said.id, seconds)

    def go_on(self) -> None:
        """The node may speak again: say how much time there is now."""
        self._post(lambda table, now: Step())

    async def replace_person(self, change: Replacement) -> bool:
        """Put somebody else in the place of a person, in the log and here; False if the room has ended before that.

        :raises StoreError: nothing has changed
        """
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        async def rewrite() -> bool:
            try:
                await self._journal.rewrite(change)
            except TakenOver:  # The room ends; whoever asked looks for the table elsewhere.
                raise
            except Exception as error:  # The table is as it was.
                done.set_exception(error)
                return False
            return not done.done()

        def work(table: Table, now: float) -> Step:
            step = table.replace_person(change, now)
            self._stored_state = table.logged.copy()
            self._keeper.note_seats(self)
            done.set_result(None)
            return step

        if self._is_over or self._owner is None:
            return False
        self._inbox.put_nowait(InboxItem(work, None, None, time.perf_counter(), rewrite))
        await asyncio.wait([done, self._owner], return_when=asyncio.FIRST_COMPLETED)
        if done.cancel():  # It was not done.
            return False
        done.result()
        return True

    async def wait_stored(self) -> None:
        """Return when the table is stored, so that it can be shown."""
        if self._stored_state is None and not self._is_over:
            self._is_stored = self._is_stored or asyncio.Event()
            await self._is_stored.wait()

    def state(self) -> TableState:
        """What everybody may know."""
        if self._state is None:
            self._state = self.table.audience.state(self.stored)
        return self._state

    @property
    def stored(self) -> LoggedState:
        """The table as it is stored."""
        return self._stored_state or self.table.logged

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
        return self._journal.is_stuck

    @property
    def sockets(self) -> int:
        """How many sockets and streams are here."""
        return sum(map(len, self._outboxes.values()))

    def ways(self) -> Counter[str]:
        """By which nodes those come who play, each counted once; where nobody does, those who watch."""
        of_players = [self._outboxes[player] for player in self.persons() if self._outboxes.get(player)]
        ways = [outboxes[-1] for outboxes in of_players] if self.persons() else self.arrived
        return Counter(outbox.via for outbox in ways)

    def tokens(self) -> Iterator[tuple[str, str]]:
        """The players who are here, with the tokens by which their sockets came, by their hashes."""
        for player, outboxes in self._outboxes.items():
            yield from ((player, outbox.token_hash) for outbox in outboxes)

    @property
    def waiting(self) -> int:
        """How much waits to be done here."""
        return self._inbox.qsize()

    def send_away(self, player_id: str, words: str, tokens: Collection[str] | None = None) -> None:
        """Tokens of a player have ended, or all: let their sockets go, also those whose welcome still waits."""
        self._drop(player_id, words, tokens)
        if self.arrived:

            def work(table: Table, now: float) -> Step:
                self._drop(player_id, words, tokens)
                return Step()

            self._post(work)

    def _drop(self, player_id: str, words: str, tokens: Collection[str] | None) -> None:
        for outbox in self._outboxes.get(player_id, []):
            if tokens is None or outbox.token_hash in tokens:
                self._let_go(outbox, words)

    async def stop(self) -> None:
        """Finish what waits and let everybody go."""
        await self._finish()
        self._end(_CLOSING)

    async def hand_over(self, give: Callable[[bytes], Awaitable[object]]) -> None:
        """Stop between two commands, give away what is true only now, and let everybody go to the next owner."""
        if await self._finish() and not self._is_over:
            self._is_over = True  # Whoever comes now comes too late.
            await give(encode_handover(self.table.hand_over(self._clock())))
        self._end(_TAKEN_OVER)

    async def _finish(self) -> bool:
        """End the owner after what waits; False if it was in the middle of something."""
        self._inbox.put_nowait(None)
        done: set[asyncio.Task[None]] = set()
        if self._owner is not None:
            # A store that does not answer must not keep the server from ending; nobody was told what it lacks.
            done, _ = await asyncio.wait([self._owner], timeout=_SHUTDOWN_S)
            self._owner.cancel()
        for task in self._thinking:
            task.cancel()
        return bool(done)

    def abandon(self) -> None:
        """Another server has the table now: nothing of it is answered or shown here any more."""
        if self._owner is not None:
            self._owner.cancel()
        for task in self._thinking:
            task.cancel()
        self._end(_TAKEN_OVER)
        self._keeper.lose(self)

    # The owner.

    def _post(
        self,
        work: Callable[[Table, float], Step],
        outbox: Outbox | None = None,
        said: tuple[str, str] | None = None,
    ) -> None:
        if not self._is_over:
            self._inbox.put_nowait(InboxItem(work, outbox, said, time.perf_counter()))

    def _post_said(self, player: Player, number: str, work: Callable[[Table, float], Step]) -> None:
        if not self._is_full():
            self._post(work, said=(player.id, number))
            return
        busy = Error(code="busy", message=_BUSY, id=number)
        self._tell(self._outboxes.get(player.id, []), busy)
        self._waiters.resolve(player.id, busy)

    def _is_full(self) -> bool:
        if self._inbox.qsize() < _MOST_WAITING:
            return False
        self._metrics.guarded.labels("inbox").inc()
        return True

    async def _own(self) -> None:
        while (job := await self._inbox.get()) is not None:
            self._is_busy = True
            try:
                if silent_s := await self._lost_time.wait():
                    await self._send(self.table.stand_still(silent_s, self._clock()), job)
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

    async def _do(self, job: InboxItem) -> None:
        began, now = asyncio.get_running_loop().time(), self._clock()
        if job.before is not None and not await job.before():
            return
        step = job.work(self.table, now)
        await self._keep(step)
        silent_s, late_s = await self._lost_time.wait(), self._clock() - now
        if silent_s or late_s > LATE_S:
            step = step._replace(messages=step.messages + self.table.stand_still(late_s, self._clock()).messages)
        self._state = None
        await self._send(step, job)
        for ask in step.asks:
            self._think(ask, answering(ask))
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
        await self._journal.append(step)
        was, now = self._stored_state, self.table.logged.copy()
        self._stored_state = now
        self._note_stored()
        if was is None or was.seats is not now.seats or was.stage != now.stage:
            self._keeper.note_seats(self)
        elif step.checkpoint or step.game is not None:
            self._keeper.note_change(self)

    def _note_stored(self) -> None:
        if self._is_stored is not None:
            self._is_stored.set()

    async def _send(self, step: Step, job: InboxItem) -> None:
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

    def _settle(self, player: str, answer: Answer, job: InboxItem) -> None:
        if isinstance(answer, _TO_COMMANDS):
            (self._metrics.acknowledged if isinstance(answer, Ack) else self._metrics.refused).inc()
            if job.said == (player, answer.id):
                self._metrics.answer_seconds.observe(time.perf_counter() - job.came)
        self._waiters.resolve(player, answer)

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
            at = max(due + offset, loop.time())
            self._timer = loop.call_at(at, self._wake, at)
        elif not self.arrived:
            self._await_rest()

    def _wake(self, at: float) -> None:
        self._lost_time.note_late(asyncio.get_running_loop().time() - at)
        self._post(lambda table, now: table.tick(now))

    def _await_rest(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(self._rest_seconds, self._rest)

    def _rest(self) -> None:
        """Leave memory.  Nothing can come in between: whoever looks for the table later finds that it has to be loaded.

        Everything that was answered is stored, and a table at rest has no window, no clock and no bot at work.
        """
        self._timer = None
        if self._is_busy or self.arrived or not self._inbox.empty():
            return  # What goes on ends with another timer.
        if self._waiters or self._thinking or not self.table.is_at_rest:
            self._await_rest()
            return
        self._keeper.rest(self)
        self._is_over = True
        self._inbox.put_nowait(None)

    async def _begin_again(self, job: InboxItem, error: Exception) -> None:
        """The table broke in the middle of something: go on from what is stored."""
        words = f"something broke here; the log has it as {log_failure(f'table {self.id}', error)}"
        if job.said is not None:
            player, number = job.said
            self._tell(self._outboxes.get(player, []), Error(code="busy", message=words, id=number))
        # Whoever waits for a bomb window waits for something that is no longer there.
        self._waiters.resolve_all("busy", words)
        for task in self._thinking:
            task.cancel()
        self._breakdowns += 1
        try:
            if self._breakdowns > _BREAKDOWNS:
                raise error
            self.table, next_entry = await self._keeper.reload(self.id)
        except TakenOver:
            self.abandon()
            return
        except Exception as hopeless:
            self._end("the table broke and is set aside; the operator of the server can see why")
            await self._keeper.give_up(self, hopeless)
            return
        self._journal.begin_again(next_entry)
        self._stored_state = self.table.logged.copy()
        self._keeper.note_seats(self)
        for player_at_table in self._players.values():
            self._post(connecting(player_at_table))
        self._post(lambda table, now: Step())

    def _tell(self, outboxes: Iterable[Outbox], message: FromServer) -> None:
        data = ENCODER.encode(message)
        for outbox in outboxes:
            outbox.put(message, data)

    def _end(self, words: str) -> None:
        self._is_over = True
        self._note_stored()  # Whoever waits for it need not wait any more.
        self._waiters.resolve_all("closing", words)
        # Some may have come whose welcome is still in the queue.
        waiting = [self._inbox.get_nowait() for _ in range(self._inbox.qsize())]
        new = [job.outbox for job in waiting if job is not None and job.outbox is not None]
        for outbox in (*(outbox for some in self._outboxes.values() for outbox in some), *new):
            self._let_go(outbox, words)

    def _let_go(self, outbox: Outbox, words: str, code: Literal["busy", "closing"] = "closing") -> None:
        self._tell([outbox], Error(code=code, message=words))
        outbox.close()
