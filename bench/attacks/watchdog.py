"""A server whose event loop is watched, to see how long a single step holds everybody up.

    python -m bench.attacks.watchdog REPORT serve --port 8080 ...

Every callback of the event loop is measured, in processor time of its thread (what it takes on a machine that has
nothing else to do) and on the clock.  On SIGUSR1 the longest steps since the last signal are written to the file REPORT
as JSON, and forgotten.
"""

import asyncio
import heapq
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

__all__ = ["LoopStep", "WatchedServer"]

_KEPT: Final = 5
_WAIT_S: Final = 30.0


class LoopStep(NamedTuple):
    """One turn of the event loop for one callback, in milliseconds."""

    processor: float
    clock: float
    #: What was called: a task by its name, or a method of a connection.
    what: str


class _Watchdog:
    def __init__(self, report: Path) -> None:
        self._report = report
        self._steps = 0
        self._longest: list[LoopStep] = []

    def install(self) -> None:
        run = asyncio.Handle._run

        def run_watched(handle: Any) -> None:
            processor, clock = time.thread_time(), time.perf_counter()
            run(handle)
            self._note(1000 * (time.thread_time() - processor), 1000 * (time.perf_counter() - clock), handle)

        asyncio.Handle._run = run_watched  # type: ignore[method-assign, assignment]
        signal.signal(signal.SIGUSR1, lambda *_: self._write())

    def _note(self, processor: float, clock: float, handle: Any) -> None:
        self._steps += 1
        if len(self._longest) < _KEPT or processor > self._longest[0].processor:
            heapq.heappush(self._longest, LoopStep(processor, clock, _name(handle)))
            if len(self._longest) > _KEPT:
                heapq.heappop(self._longest)

    def _write(self) -> None:
        steps, self._steps = self._steps, 0
        longest, self._longest = sorted(self._longest, reverse=True), []
        draft = self._report.with_suffix(".draft")
        draft.write_text(json.dumps({"steps": steps, "longest": longest}))
        draft.replace(self._report)


def _name(handle: Any) -> str:
    callback = handle._callback
    owner = getattr(callback, "__self__", None)
    if isinstance(owner, asyncio.Task):
        code = getattr(owner.get_coro(), "__qualname__", "")
        name = owner.get_name()
        return f"{name.split(' ')[0]}: {code}" if not name.startswith("Task-") else code
    return str(getattr(callback, "__qualname__", callback))


class WatchedServer:
    """A watched server in a process of its own."""

    def __init__(self, folder: Path, port: int, *options: str) -> None:
        self.port = port
        self._report = folder / "steps.json"
        self._log = folder / "server.log"
        command = [sys.executable, "-m", "bench.attacks.watchdog", str(self._report), "serve"]
        command += ["--port", str(port), "--data", str(folder), *options]
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log)

    def log(self) -> str:
        """What it wrote."""
        return self._log.read_text()

    async def longest_steps(self) -> list[LoopStep]:
        """The longest steps since this was last asked, the longest first."""
        self._report.unlink(missing_ok=True)
        os.kill(self.process.pid, signal.SIGUSR1)
        until = time.monotonic() + _WAIT_S
        while time.monotonic() < until and self.process.poll() is None:
            with suppress(OSError):
                return [LoopStep(*one) for one in json.loads(self._report.read_text())["longest"]]
            await asyncio.sleep(0.02)
        sys.exit(f"the server does not answer: {self.log()[-500:]}")

    def stop(self) -> None:
        """End it."""
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def main() -> None:
    """Be the command line of tichu, with a watched event loop."""
    from tichu.cli import main as tichu

    _Watchdog(Path(sys.argv[1])).install()
    sys.argv = ["tichu", *sys.argv[2:]]
    tichu()


if __name__ == "__main__":
    main()
