"""Load on a real server: thousands of sockets that play legal games, and how long the answers take.

``python -m bench.load`` starts ``tichu serve`` on a free port with a store of its own, seats four guests at each table
and lets every table act once in four seconds.  The guests live in this process, the server in another; what is measured
is the time from sending a command to hearing its answer.  ``--until`` goes on with more and more tables until the
answers come late; ``--reviews`` gives the server more games to review meanwhile than it can; with ``--accounts`` those
who sit are accounts with sessions.  Linux only: each table has a loopback address of its own, as if its players lived
apart.
"""

import asyncio
import gc
import json
import os
import resource
import signal
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import click

from bench.accounts import store_accounts
from bench.guests import Guests, Tally
from bench.review_queue import LIMITS, count_parts, fill_queue, store_games

_PATIENCE_S = 10.0
_LATE_MS = 25.0


class Usage(NamedTuple):
    """What a process has taken so far."""

    cpu_s: float
    rss_mb: float
    peak_mb: float


def usage(pid: int) -> Usage:
    """What the system knows about a process."""
    proc = Path("/proc") / str(pid)
    fields = (proc / "stat").read_text().rpartition(")")[2].split()
    ticks = int(fields[11]) + int(fields[12])
    status = dict(line.split(":", 1) for line in (proc / "status").read_text().splitlines())
    return Usage(
        ticks / os.sysconf("SC_CLK_TCK"), int(status["VmRSS"].split()[0]) / 1024, int(status["VmHWM"].split()[0]) / 1024
    )


class Report(NamedTuple):
    """What a stretch of time showed."""

    tables: int
    sockets: int
    seconds: float
    sent: int
    acknowledged: int
    refused: dict[str, int]
    errors: dict[str, int]
    unanswered: int
    gaps: int
    hung_up: int
    actions_per_s: float
    messages_per_s: float
    kb_per_s: float
    p50_ms: float
    p99_ms: float
    longest_ms: float
    server_cpu: float
    server_rss_mb: float
    server_peak_mb: float
    client_cpu: float

    @property
    def is_good(self) -> bool:
        """Nothing lost, and nearly everything in time."""
        lost = self.unanswered + self.gaps + self.hung_up + len(self.errors) + len(self.refused)
        return not lost and bool(self.sent) and self.p99_ms <= _LATE_MS

    def lines(self) -> list[str]:
        """For people."""
        trouble = {**self.refused, **self.errors}
        return [
            f"{self.tables} tables, {self.sockets} sockets, {self.seconds:.0f} s",
            f"  commands   {self.sent} sent ({self.actions_per_s:.0f}/s), {self.acknowledged} acknowledged, "
            f"{sum(self.refused.values())} refused, {self.unanswered} unanswered",
            f"  answers    p50 {self.p50_ms:.1f} ms, p99 {self.p99_ms:.1f} ms, longest {self.longest_ms:.1f} ms",
            f"  messages   {self.messages_per_s:.0f}/s, {self.kb_per_s:.0f} KB/s, {self.gaps} versions missed, "
            f"{self.hung_up} sockets lost",
            f"  server     {100 * self.server_cpu:.0f} % of a core, {self.server_rss_mb:.0f} MB "
            f"(at most {self.server_peak_mb:.0f} MB); clients {100 * self.client_cpu:.0f} % of a core",
            *(f"  {number:6} x  {reason}" for reason, number in trouble.items()),
        ]


class Crowd:
    """All guests."""

    def __init__(
        self,
        host: str,
        port: int,
        pid: int | None,
        period: float,
        settings: dict[str, Any],
        tokens: Sequence[str] = (),
    ) -> None:
        self._host, self._port, self._pid = host, port, pid
        #: Of accounts, four for each table; none for guests.
        self._tokens = tokens
        self._period = period
        self._settings = settings
        self._rng = Random(0)
        self.tally = Tally()
        self.tables: list[Guests] = []

    async def grow(self, number: int, at_once: int = 8) -> None:
        """Seat guests at more tables until there are this many."""
        limit = asyncio.Semaphore(at_once)
        with click.progressbar(length=number - len(self.tables), label="seating", file=sys.stderr) as bar:

            async def seat(at: int) -> None:
                async with limit:
                    guests = Guests(self.tally, Random(self._rng.random()), self._period)
                    # 127.0.0.0/8 is all this machine: nobody is over the limits of an address.
                    source = f"127.1.{at // 250}.{at % 250 + 1}" if self._host == "127.0.0.1" else None
                    tokens = self._tokens[4 * at : 4 * at + 4]
                    await guests.sit_down(self._host, self._port, source, self._settings, tokens)
                    self.tables.append(guests)
                    guests.play()
                    bar.update(1)

            await asyncio.gather(*(seat(at) for at in range(len(self.tables), number)))

    async def measure(self, seconds: float) -> Report:
        """Let them play, and look."""
        tally = self.tally = Tally()
        for guests in self.tables:
            guests.tally = tally
        began, before, own = time.perf_counter(), self._usage(), time.process_time()
        steps = max(1, round(seconds))
        with click.progressbar(range(steps), label=f"{len(self.tables)} tables", file=sys.stderr) as bar:
            for _ in bar:
                await asyncio.sleep(seconds / steps)
        taken = time.perf_counter() - began
        after, own = self._usage(), time.process_time() - own
        sent = tally.sent
        messages, size = tally.messages, tally.size
        # The last commands get the time that they may take.
        for guests in self.tables:
            guests.stop()
        until = time.perf_counter() + _PATIENCE_S
        while time.perf_counter() < until and any(guests.unanswered for guests in self.tables):
            await asyncio.sleep(0.05)
        unanswered = sum(guests.unanswered for guests in self.tables)
        for guests in self.tables:
            guests.play()
        times = sorted(tally.latencies) or [0.0]
        return Report(
            tables=len(self.tables),
            sockets=4 * len(self.tables),
            seconds=taken,
            sent=sent,
            acknowledged=tally.acknowledged,
            refused=dict(tally.refused),
            errors=dict(tally.errors),
            unanswered=unanswered,
            gaps=tally.gaps,
            hung_up=tally.hung_up,
            actions_per_s=sent / taken,
            messages_per_s=messages / taken,
            kb_per_s=size / taken / 1024,
            p50_ms=1000 * statistics.median(times),
            p99_ms=1000 * times[min(len(times) - 1, int(0.99 * len(times)))],
            longest_ms=1000 * times[-1],
            server_cpu=(after.cpu_s - before.cpu_s) / taken,
            server_rss_mb=after.rss_mb,
            server_peak_mb=after.peak_mb,
            client_cpu=own / taken,
        )

    def _usage(self) -> Usage:
        return Usage(0, 0, 0) if self._pid is None else usage(self._pid)

    def leave(self) -> None:
        """Hang up everywhere."""
        for guests in self.tables:
            guests.leave()


def start_server(folder: Path, *options: str) -> tuple[subprocess.Popen[bytes], int]:
    """A server of our own, when it answers."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [str(Path(sys.executable).with_name("tichu")), "serve", "--port", str(port), "--data", str(folder)]
    command += options
    with (folder / "server.log").open("wb") as log:
        server = subprocess.Popen(command, stdout=log, stderr=log)
    until = time.monotonic() + 30
    while time.monotonic() < until and server.poll() is None:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return server, port
        time.sleep(0.05)
    server.kill()
    server.wait()
    raise click.ClickException(f"the server did not start: {(folder / 'server.log').read_text()[-500:]}")


@click.command()
@click.option("--tables", type=click.IntRange(1, 15_000), default=1000, show_default=True)
@click.option("--until", type=click.IntRange(1, 15_000), help="Go on with more tables up to this many.")
@click.option("--step", type=click.IntRange(1), default=250, show_default=True, help="How many more each time.")
@click.option("--seconds", type=click.FloatRange(1), default=60, show_default=True, help="How long to measure.")
@click.option("--period", type=click.FloatRange(0.05), default=4, show_default=True, help="Seconds between actions.")
@click.option("--pace", type=click.FloatRange(0, 3), default=1, show_default=True, help="Of windows and delays.")
@click.option("--rules", default="standard", show_default=True)
@click.option("--reviews", is_flag=True, help="With a full queue of games that are reviewed meanwhile.")
@click.option("--accounts", is_flag=True, help="Accounts sit at the tables, not guests.")
@click.option("--server", "address", metavar="HOST:PORT", help="A server that runs already.")
@click.option("--pid", type=int, help="The process of that server, to see what it takes.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a stretch.")
def main(
    tables: int,
    until: int | None,
    step: int,
    seconds: float,
    period: float,
    pace: float,
    rules: str,
    reviews: bool,
    accounts: bool,
    address: str | None,
    pid: int | None,
    as_json: bool,
) -> None:
    """Measure the time from command to answer with many tables; exit status 1 if they come late or are lost."""
    raise_file_limit()
    gc.disable()  # Our own pauses would be taken for the server's.
    with ExitStack() as stack:
        if address is None:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="tichu-load-")))
            games = store_games(folder) if reviews else []
            tokens = store_accounts(folder, 4 * (until or tables), time.time()) if accounts else []
            server, port = start_server(folder, *LIMITS if reviews else ())
            stack.callback(stop_server, server)
            host, pid = "127.0.0.1", server.pid
        else:
            if reviews or accounts:
                raise click.UsageError("--reviews and --accounts need a server of our own")
            games, tokens = [], []
            host, _, number = address.rpartition(":")
            port = int(number)
        # Windows must be short against the period, or commands wait for them as they should.
        settings = {"rules": rules, "pace": pace, "casual": True}
        crowd = Crowd(host, port, pid, period, settings, tokens)
        is_good = False
        with suppress(KeyboardInterrupt):
            sizes = range(tables, (until or tables) + 1, step)
            is_good = asyncio.run(_run_reviewing(crowd, sizes, seconds, as_json, port, games))
    sys.exit(0 if is_good else 1)


async def _run_reviewing(
    crowd: Crowd, sizes: range, seconds: float, as_json: bool, port: int, games: list[str]
) -> bool:
    if not games:
        return await _run(crowd, sizes, seconds, as_json)
    await fill_queue(port, games)
    is_good = await _run(crowd, sizes, seconds, as_json)
    left, parts = await count_parts(port, games)
    click.echo(
        f"{left} of {len(games)} games are still being reviewed or wait for it, {parts} parts are done", err=True
    )
    return is_good


async def _run(crowd: Crowd, sizes: range, seconds: float, as_json: bool) -> bool:
    is_good = True
    try:
        for number in sizes:
            await crowd.grow(number)
            report = await crowd.measure(seconds)
            click.echo(json.dumps(report._asdict()) if as_json else "\n".join(report.lines()))
            is_good = report.is_good
            if not is_good:
                break
    except (OSError, TimeoutError) as error:
        raise click.ClickException(f"the guests could not sit down: {error}") from None
    finally:
        crowd.leave()
    return is_good


def raise_file_limit() -> None:
    """Every socket is a file."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def stop_server(server: "subprocess.Popen[bytes]") -> None:
    """End a server of our own."""
    server.send_signal(signal.SIGINT)
    try:
        server.wait(20)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


if __name__ == "__main__":
    main()
