"""A million frames and requests, mutated from real ones: ``python -m bench.fuzz --frames 1000000`` (``make fuzz``).

A real server with its limits on rates raised hears them from a few sockets and many connections.  It fails if a
traceback gets into the log, if something is not answered, if an answer says that something broke, or if the server
holds more in the end than at first.  The cases follow from ``--seed`` alone.  A batch that fails is written to a file;
``--replay FILE`` says it to a new server, one case after the other, and names the one that fails.  Ctrl-C ends it
early, with its report.
"""

import asyncio
import base64
import json
import signal
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

import click

from bench.fuzz.mutations import Case, make_case
from bench.fuzz.seeds import Place, Seeds, load_seeds
from bench.fuzz.talk import Failed, Talker, make_place, say_request
from bench.siege.besieged import Besieged, Vitals, growth
from tichu.server.config import Limits

_TALKERS: Final = 6
_AT_ONCE: Final = 24
#: Fewer than the answers that a socket may leave unread.
_BATCH: Final = 40
_SETTINGS: Final = {"rules": "standard goal=target:1", "pace": 0, "casual": True}
_UNLIMITED: Final = 1_000_000_000
_LIMITS: Final = {
    **dict.fromkeys(("socket_rate", "socket_burst", "socket_rejections", "address_rate", "address_burst"), _UNLIMITED),
    **dict.fromkeys(("making_rate", "making_burst", "costly_rate", "costly_burst", "code_rate"), _UNLIMITED),
    # Requests that never end are many, and each must end soon.
    "request_seconds": 3,
    "answer_seconds": 5,
}


class Fuzzer:
    """One run against one server."""

    def __init__(self, server: Besieged, seed: int, failures: Path) -> None:
        self._server = server
        self._port = server.port
        self._seed = seed
        self._failures = failures
        self._seeds: Seeds = load_seeds()
        self._place = Place("", "")
        self._next = 0
        self._is_stopped = False
        self.said: Counter[str] = Counter()
        self.statuses: Counter[int] = Counter()
        self.faults: list[str] = []
        self.before: Vitals | None = None
        self.after: Vitals | None = None

    async def run(self, number: int) -> None:
        """Say so many cases, as far as nothing fails."""
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, self._stop)
        await self._server.begin()
        places = [await make_place(self._port, _SETTINGS) for _ in range(_TALKERS)]
        self._place = places[0]
        # What is there after the first hundredth is there to stay.
        await self._say_all(max(_BATCH, number // 100), places)
        self.before = await self._calm_vitals()
        await self._say_all(number, places)
        self.after = await self._calm_vitals()
        await self._server.stop()
        self.faults += growth(self.before, self.after)
        if self.after.tables > Limits().address_tables:
            self.faults.append("the server holds more tables than an address may have")

    def _stop(self) -> None:
        """Say nothing more, and look at what the server holds."""
        click.echo("interrupted", err=True)
        self._is_stopped = True

    async def _calm_vitals(self) -> Vitals:
        """When everybody has gone."""
        until = time.monotonic() + 30
        while await self._server.sockets() and time.monotonic() < until:
            await asyncio.sleep(0.5)
        return await self._server.vitals()

    async def _say_all(self, until: int, places: Sequence[Place]) -> None:
        requests: asyncio.Queue[Case | None] = asyncio.Queue(4 * _AT_ONCE)
        asking = [asyncio.create_task(self._ask(requests)) for _ in range(_AT_ONCE)]
        talkers = [Talker(self._port, place, Random(f"{self._seed} {place.table}")) for place in places]
        await asyncio.gather(*(self._talk(talker, until, requests) for talker in talkers))
        for _ in asking:
            await requests.put(None)
        await asyncio.gather(*asking)
        for talker in talkers:
            talker.close()

    async def _talk(self, talker: Talker, until: int, requests: "asyncio.Queue[Case | None]") -> None:
        while self._next < until and not self.faults and not self._is_stopped:
            numbers = range(self._next, min(until, self._next + _BATCH))
            self._next = numbers.stop
            cases = [make_case(self._seeds, self._place, self._seed, number) for number in numbers]
            for case in cases:
                if case.kind == "request":
                    await requests.put(case)
            await self._try(cases, self._frames(talker, cases))
            if numbers.start // 20_000 != numbers.stop // 20_000:
                click.echo(f"{numbers.stop} of {until} said", err=True)

    async def _ask(self, requests: "asyncio.Queue[Case | None]") -> None:
        """Many requests wait for nothing but the end of their time."""
        while (case := await requests.get()) is not None:
            await self._try([case], self._request(case))

    async def _try(self, cases: Sequence[Case], saying: Awaitable[None]) -> None:
        try:
            await saying
            self._check_log()
        except Failed as failed:
            self.fail(str(failed), cases)

    async def _request(self, case: Case) -> None:
        self.said[case.kind] += 1
        self.statuses[await say_request(self._port, case.data)] += 1

    async def _frames(self, talker: Talker, cases: Sequence[Case]) -> None:
        frames = [case for case in cases if case.kind in ("text", "binary")]
        self.said.update(case.kind for case in frames)
        if frames:
            await talker.say(frames)
        # Bytes that are no frame end a socket, so they come last.
        for case in cases:
            if case.kind == "raw":
                self.said[case.kind] += 1
                await talker.say([case])

    def _check_log(self) -> None:
        found = self._server.new_faults()
        if found:
            raise Failed(f"the log says: {found[0]}")

    def fail(self, words: str, cases: Sequence[Case]) -> None:
        """Keep the cases, to be said again."""
        self.faults.append(words)
        place = self._place
        kept = [{"kind": case.kind, "data": base64.b64encode(_named(case.data, place)).decode()} for case in cases]
        log = self._server.log().splitlines()[-60:]
        failure = {"failed": words, "seed": self._seed, "cases": kept, "log": log}
        self._failures.parent.mkdir(parents=True, exist_ok=True)
        self._failures.write_text(json.dumps(failure, indent=1) + "\n")

    async def replay(self, kept: Sequence[dict[str, Any]]) -> None:
        """Say the cases of a file one by one until one fails."""
        await self._server.begin()
        place = await make_place(self._port, _SETTINGS)
        talker = Talker(self._port, place, Random(self._seed))
        for number, one in enumerate(kept):
            data = base64.b64decode(one["data"])
            case = Case(one["kind"], place.fill(data.decode("latin-1")).encode("latin-1"))
            try:
                await (self._request(case) if case.kind == "request" else self._frames(talker, [case]))
                self._check_log()
            except Failed as failed:
                self.faults.append(f"case {number}, {case.kind} {case.data[:300]!r}: {failed}")
                break
        talker.close()


def _named(data: bytes, place: Place) -> bytes:
    """With names again for what belongs to this server."""
    for name, value in place._asdict().items():
        data = data.replace(value.encode(), f"<{name}>".encode()) if value else data
    return data


@click.command()
@click.option("--frames", type=click.IntRange(100), default=1_000_000, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True)
@click.option(
    "--failures",
    type=click.Path(path_type=Path, dir_okay=False),
    default="build/fuzz-failure.json",
    show_default=True,
    help="Where a batch that fails is kept.",
)
@click.option("--replay", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="Say such a file again.")
def main(frames: int, seed: int, failures: Path, replay: Path | None) -> None:
    """Say mutated things to a server; exit status 1 if it breaks, does not answer or grows."""
    limits = [part for name, value in _LIMITS.items() for part in ("--limit", f"{name}={value}")]
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="tichu-fuzz-")))
        server = Besieged(folder, f"sqlite:{folder / 'tichu.db'}", *limits)
        stack.callback(server.end)
        fuzzer = Fuzzer(server, seed, failures)
        began = time.monotonic()
        try:
            if replay is None:
                asyncio.run(fuzzer.run(frames))
            else:
                asyncio.run(fuzzer.replay(json.loads(replay.read_text())["cases"]))
        except (Failed, OSError) as failed:
            fuzzer.faults.append(str(failed))
        taken = time.monotonic() - began
        lines = len(server.log().splitlines())
    click.echo(
        f"{fuzzer.said.total()} said in {taken:.0f} s ({_counts(fuzzer.said)}), "
        f"requests answered with {_counts(fuzzer.statuses)}; {lines} lines in the log"
    )
    if fuzzer.before is not None and fuzzer.after is not None:
        click.echo(f"  at first   {fuzzer.before}\n  in the end {fuzzer.after}")
    for fault in fuzzer.faults:
        click.echo(f"! {fault}")
    if fuzzer.faults and replay is None:
        click.echo(f"! python -m bench.fuzz --replay {failures}")
    sys.exit(1 if fuzzer.faults else 0)


def _counts(counts: Counter[Any]) -> str:
    return ", ".join(f"{number} x {what}" for what, number in sorted(counts.items()))


if __name__ == "__main__":
    main()
