"""A hostile hour: ``python -m bench.siege --minutes 60`` (``make siege``).

200 honest tables play one action every four seconds: nine of ten with four sockets, since a table without bots shows
what the server itself takes, the tenth with one socket and three bots, so that lost workers matter.  Meanwhile
attackers do what they can from addresses of their own, the server's date is set, its store is held, its workers and the
server itself are killed, all at random from a seed.  No server is killed in the last quarter of the time: what leaks
must have time to show.

Checked are the time of honest answers but for restarts and a held store; the longest step of the event loop; that what
was acknowledged is in the store, once, and nothing else; and that memory and descriptors end where the last life of the
server began.  Interrupted with
Ctrl-C it stops, checks and reports what there is.  Linux only: it needs loopback addresses and ``/proc``.
"""

import asyncio
import gc
import json
import signal
import sys
import time
from collections import Counter
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

import click

from bench.load import raise_file_limit
from bench.postgres import NoPostgres, postgres
from bench.siege.attackers import ATTACKS
from bench.siege.besieged import Besieged, Vitals
from bench.siege.honest import HonestTable, Tally
from bench.siege.journal import compare
from bench.siege.report import Interval, Report, percentile

#: A round is a game, so that records are made all the time.
_RULES: Final = "standard goal=target:1"
#: How often in a minute; attacks come one after the other or a few at once.
_A_MINUTE: Final = {"restart": 0.5, "stall": 1.5, "date": 2.0, "worker": 2.0, "attack": 24.0}
_MOST_ATTACKS: Final = 4
_PEACEFUL_SHARE: Final = 0.25
#: Before the first attack, to compare with.
_CALM_S: Final = 30.0
_SETTLE_S: Final = 15.0
_MARGIN_S: Final = 0.5
_RETURN_S: Final = 180.0


class Siege:
    """One siege."""

    def __init__(self, server: Besieged, number: int, period: float, pace: float, seed: int) -> None:
        self._server = server
        self._rng = Random(seed)
        self._tally = Tally()
        self._number = number
        self._period = period
        self._settings = {"rules": _RULES, "pace": pace, "casual": True}
        self._tables: list[HonestTable] = []
        self._intervals: list[Interval] = []
        self._happened: Counter[str] = Counter()
        self._results: dict[str, Counter[str]] = {}
        self._lags: list[float] = []
        self._attackers: asyncio.subprocess.Process | None = None
        self._running = 0
        self._last_life: Vitals | None = None
        self._is_restarting = False
        self._busy: set[asyncio.Task[None]] = set()
        self.stopped = asyncio.Event()

    async def run(self, seconds: float, most_ms: float, most_step_ms: float) -> Report:
        """All of it; ends early when :attr:`stopped` is set."""
        await self._server.begin()
        await self._seat()
        watching = asyncio.create_task(self._watch())
        await self._wait(min(_CALM_S, seconds / 4))
        calm, self._tally.samples = [sample.ms for sample in self._tally.samples], []
        at_start = await self._server.vitals()
        await self._server.long_steps()  # Those of the start do not count.
        await self._begin_attacks()
        began = time.monotonic()
        showing = asyncio.create_task(self._show(began, seconds))
        try:
            await self._besiege(began, seconds)
        finally:
            showing.cancel()
            await self._end_attacks()
        taken = time.monotonic() - began
        steps = await self._server.long_steps()
        at_end = await self._settle()
        failures = await self._server.metric_lines("tichu_failures_total")
        loop_lag = await self._server.metric_lines("tichu_loop_lag_seconds_bucket", "tichu_loop_lag_seconds_count")
        watching.cancel()
        unanswered = sum(table.is_waiting for table in self._tables)
        for table in self._tables:
            table.leave()
        await self._server.stop()
        return Report(
            seconds=taken,
            tables=len(self._tables),
            sockets=sum(table.people for table in self._tables),
            is_interrupted=self.stopped.is_set(),
            calm_ms=calm,
            samples=self._tally.samples,
            intervals=self._intervals,
            acknowledged=self._tally.acknowledged,
            refused=self._tally.refused,
            reasons=self._tally.reasons,
            asked_again=self._tally.asked_again,
            reconnections=self._tally.reconnections,
            unanswered=unanswered,
            contradictions=self._tally.contradictions,
            lives=self._server.lives,
            happened=dict(self._happened),
            attacks={name: dict(results) for name, results in self._results.items()},
            own_lag_ms=percentile(self._lags, 0.99),
            loop_lag=loop_lag,
            long_steps=steps,
            at_start=at_start,
            in_last_life=self._last_life or at_start,
            at_end=at_end,
            comparison=await compare(self._server.database, self._tables),
            log_faults=self._server.new_faults(),
            # A store that is held counts as a failure of the store, as it should.
            failures=[line for line in failures if "store" not in line],
            most_ms=most_ms,
            most_step_ms=most_step_ms,
        )

    # The honest.

    async def _seat(self) -> None:
        limit = asyncio.Semaphore(8)
        with click.progressbar(length=self._number, label="seating", file=sys.stderr) as bar:

            async def seat(at: int) -> None:
                async with limit:
                    people = 1 if at % 10 == 9 else 4
                    table = HonestTable(self._tally, Random(self._rng.random()), self._period, people)
                    await table.sit_down(self._server.port, f"127.1.{at // 250}.{at % 250 + 1}", self._settings)
                    self._tables.append(table)
                    table.play()
                    bar.update(1)

            await asyncio.gather(*(seat(at) for at in range(self._number)))

    async def _watch(self) -> None:
        """How late this process is by itself: answers cannot be earlier."""
        while True:
            due = time.monotonic() + 0.1
            await asyncio.sleep(0.1)
            self._lags.append(1000 * max(0.0, time.monotonic() - due))

    async def _show(self, began: float, seconds: float) -> None:
        while True:
            await asyncio.sleep(10)
            since = time.monotonic() - 10
            recent = [sample.ms for sample in self._tally.samples[-2000:] if sample.answered > since]
            words = (
                f"{time.monotonic() - began:5.0f} of {seconds:.0f} s  {self._tally.acknowledged} acknowledged  "
                f"p99 {percentile(recent, 0.99):.0f} ms  {self._server.lives} lives  {self._running} attacks"
            )
            click.echo(words, err=True)

    # The siege.

    async def _besiege(self, began: float, seconds: float) -> None:
        due = self._plan(seconds)
        for at, what in due:
            await self._wait(began + at - time.monotonic())
            if self.stopped.is_set():
                break
            if what == "restart":
                await self._restart(is_last=not any(later == "restart" and when > at for when, later in due))
            else:
                self._do(what)
        await self._wait(began + seconds - time.monotonic())
        if self._busy:
            await asyncio.wait(self._busy)

    def _plan(self, seconds: float) -> list[tuple[float, str]]:
        """What happens when; each thing once at least."""
        due: list[tuple[float, str]] = []
        for what, often in _A_MINUTE.items():
            end = seconds * (1 - _PEACEFUL_SHARE) if what == "restart" else 0.95 * seconds
            number = max(1, round(often * seconds / 60))
            due += [(self._rng.uniform(0.05 * seconds, end), what) for _ in range(number)]
        return sorted(due)

    def _do(self, what: str) -> None:
        task = asyncio.create_task(self._happen(what))
        self._busy.add(task)
        task.add_done_callback(self._busy.discard)

    async def _happen(self, what: str) -> None:
        match what:
            case "attack":
                self._attack()
            case "date":
                self._happened["steps of the date"] += 1
                with suppress(OSError):
                    await self._server.step_date(self._rng.choice((-86_400, -3600, -25, 25, 3600, 86_400)))
            case "worker":
                self._happened["killed workers"] += self._server.kill_worker(self._rng)
            case "stall" if not self._is_restarting:
                self._happened["held stores"] += 1
                begin = time.monotonic()
                with suppress(Exception):  # A server that dies in the meantime is something else.
                    await self._server.stall_store(self._rng.uniform(0.2, 3.0))
                self._note("stall", begin)

    def _note(self, what: str, begin: float) -> None:
        self._intervals.append(Interval(what, begin, time.monotonic() + _MARGIN_S))

    async def _restart(self, *, is_last: bool) -> None:
        """Mostly the server is killed, sometimes it is stopped; it is over when everybody is back."""
        self._is_restarting = True
        if self._busy:
            await asyncio.wait(self._busy)
        begin = time.monotonic()
        if self._rng.random() < 0.75:
            self._happened["kills"] += 1
            await self._server.kill()
        else:
            self._happened["stops"] += 1
            await self._server.stop()
        await self._server.begin()
        while not all(table.is_whole for table in self._tables):
            if time.monotonic() > begin + _RETURN_S:
                raise TimeoutError(f"not everybody is back {_RETURN_S:.0f} s after the server died")
            await asyncio.sleep(0.05)
        self._note("restart", begin)
        self._is_restarting = False
        if is_last:
            # Where this life begins, before anybody can have leaked anything.
            while self._running:
                await asyncio.sleep(0.1)
            await self._wait(2.0)
            self._last_life = await self._server.vitals()
            await self._server.long_steps()

    async def _settle(self) -> Vitals:
        """Without attacks, until everything is answered and given back."""
        for table in self._tables:
            table.stop()
        until = time.monotonic() + _SETTLE_S
        sockets = sum(table.people for table in self._tables)
        while time.monotonic() < until:
            await asyncio.sleep(0.5)
            is_calm = await self._server.sockets() == sockets and all(table.is_whole for table in self._tables)
            if is_calm and not any(table.is_waiting for table in self._tables):
                break
        # Requests that were begun and never finished are given ten seconds.
        await asyncio.sleep(11)
        return await self._server.vitals()

    async def _wait(self, seconds: float) -> None:
        """Or until somebody stops it."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.stopped.wait(), max(0.0, seconds))

    # The attackers.

    async def _begin_attacks(self) -> None:
        self._attackers = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bench.siege.attackers", str(self._server.port)),
            cwd=Path(__file__).parents[2],
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        assert self._attackers is not None
        assert self._attackers.stdout is not None
        while line := await self._attackers.stdout.readline():
            self._running -= 1
            answer = json.loads(line)
            self._results.setdefault(answer["attack"], Counter()).update(answer["results"])

    def _attack(self) -> None:
        name = self._rng.choice(list(ATTACKS))
        seconds, seed = self._rng.uniform(2, 10), self._rng.randrange(2**32)
        if self._running >= _MOST_ATTACKS or self._attackers is None or self._attackers.stdin is None:
            return
        games = [table.game for table in self._tables if table.game]
        order: dict[str, Any] = {"attack": name, "seconds": seconds, "seed": seed}
        order |= {"tables": [table.id for table in self._tables[:50]], "game": self._rng.choice(games) if games else ""}
        self._running += 1
        self._happened["attacks"] += 1
        self._attackers.stdin.write(json.dumps(order).encode() + b"\n")

    async def _end_attacks(self) -> None:
        """Let those that run end by themselves, for a while."""
        if self._attackers is None:
            return
        until = time.monotonic() + 20
        while self._running and time.monotonic() < until and not self.stopped.is_set():
            await asyncio.sleep(0.1)
        if self._attackers.returncode is None:
            self._attackers.kill()
        await self._attackers.wait()
        await self._reading


@click.command()
@click.option("--minutes", type=click.FloatRange(0.2, 600), default=60, show_default=True)
@click.option("--tables", type=click.IntRange(1, 5000), default=200, show_default=True)
@click.option("--period", type=click.FloatRange(0.1), default=4, show_default=True, help="Seconds between actions.")
@click.option("--pace", type=click.FloatRange(0, 3), default=1, show_default=True, help="Of windows and delays.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--most-ms", type=click.FloatRange(1), default=100, show_default=True, help="The bar for honest p99.")
@click.option(
    "--most-step-ms",
    type=click.FloatRange(1),
    default=5,
    show_default=True,
    help="The bar for a step of the event loop, in time of the processor.",
)
@click.option(
    "--database", default="", help="postgresql://..., or the word postgres for a server of its own; usually SQLite."
)
@click.option("--log", "log_file", type=click.Path(path_type=Path, dir_okay=False), help="Keep the server's log here.")
def main(
    minutes: float,
    tables: int,
    period: float,
    pace: float,
    seed: int,
    most_ms: float,
    most_step_ms: float,
    database: str,
    log_file: Path | None,
) -> None:
    """Besiege a server; exit status 1 if something acknowledged is lost or doubled, leaks, or answers come late."""
    raise_file_limit()
    gc.freeze()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="tichu-siege-")))
        if database == "postgres":
            try:
                database = stack.enter_context(postgres())
            except NoPostgres as error:
                raise click.ClickException(f"no PostgreSQL: {error}") from None
        server = Besieged(folder, database or f"sqlite:{folder / 'tichu.db'}")
        try:
            siege = Siege(server, tables, period, pace, seed)
            report = asyncio.run(_run(siege, 60 * minutes, most_ms, most_step_ms))
        except OSError as error:
            raise click.ClickException(str(error)) from None
        finally:
            server.end()
            if log_file is not None:
                log_file.write_text(server.log())
    click.echo("\n".join(report.lines()))
    sys.exit(1 if report.faults() else 0)


async def _run(siege: Siege, seconds: float, most_ms: float, most_step_ms: float) -> Report:
    loop = asyncio.get_running_loop()

    def stop() -> None:
        click.echo("stopping; once more to end at once", err=True)
        siege.stopped.set()
        loop.remove_signal_handler(signal.SIGINT)

    loop.add_signal_handler(signal.SIGINT, stop)
    return await siege.run(seconds, most_ms, most_step_ms)


if __name__ == "__main__":
    main()
