"""All nodes replaced one after the other while tables play, by the same version or by a newer one."""

import asyncio
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import click

from bench.cluster.checker import Verdict
from bench.cluster.crowd import Crowd
from bench.cluster.nodes import ROOT, Program
from bench.cluster.running import Cluster

__all__ = ["DeployReport", "checkout", "deploy"]

#: How long a table may be held up.
_MOST_PAUSE_S: Final = 3.0
_SETTLE_S: Final = 30.0


class DeployReport(NamedTuple):
    """What came of it."""

    before: str
    tables: int
    #: Seconds from SIGTERM until the node is gone, and until its successor listens, by node.
    ended_s: list[float]
    back_s: list[float]
    statuses: list[int]
    #: The longest time that each table was held up: somebody away, or a command unanswered.
    pauses_s: list[float]
    #: The same in an equal time before.
    calm_s: list[float]
    verdict: Verdict
    contradictions: list[str]
    unanswered: int
    log_faults: list[str]

    def lines(self) -> list[str]:
        """For people."""
        took = ", ".join(f"{end:.1f} + {back:.1f} s" for end, back in zip(self.ended_s, self.back_s, strict=True))
        return [
            f"{self.tables} tables, all nodes replaced, from {self.before}: to end and to be back {took}",
            f"  pauses     longest of a table {max(self.pauses_s, default=0):.2f} s "
            f"(before: {max(self.calm_s, default=0):.2f} s)",
            *self.verdict.lines(),
            *(f"  ! {line}" for line in self.faults()),
        ]

    def faults(self) -> list[str]:
        """What must not be, and what took too long."""
        pause = max(self.pauses_s, default=0.0)
        return [*self.errors(), *([f"a table was held up for {pause:.1f} s"] if pause > _MOST_PAUSE_S else [])]

    def errors(self) -> list[str]:
        """What must not be, however busy the machine is."""
        checks = {
            f"the checker found {len(self.verdict.faults)} faults": self.verdict.faults,
            "nothing was acknowledged": not self.verdict.acknowledged,
            f"{self.unanswered} commands were never answered": self.unanswered,
            f"a client was told otherwise before: {'; '.join(self.contradictions[:3])}": self.contradictions,
            f"nodes ended with {self.statuses}": any(self.statuses),
            f"lines in logs that must not be: {'; '.join(self.log_faults[:3])}": self.log_faults,
        }
        return [words for words, is_so in checks.items() if is_so]


@contextmanager
def checkout(revision: str) -> Iterator[Program]:
    """The sources of another commit, until the end of the block.

    :raises click.ClickException: there is no such commit
    """
    with tempfile.TemporaryDirectory(prefix="tichu-before-") as name:
        folder = Path(name) / "tichu"
        made = subprocess.run(
            ["git", "worktree", "add", "--detach", folder, revision], cwd=ROOT, capture_output=True, text=True
        )
        if made.returncode:
            raise click.ClickException(f"no commit {revision}: {made.stderr.strip()}")
        try:
            yield Program(folder)
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", folder], cwd=ROOT, check=False, capture_output=True)


async def deploy(
    cluster: Cluster, crowd: Crowd, before: str, stopped: asyncio.Event, *, calm_s: float = 10.0, between_s: float = 2.0
) -> DeployReport:
    """Replace all nodes by those of this checkout."""
    crowd.begin_measuring()
    await asyncio.sleep(calm_s)
    calm = list(crowd.pauses.values())
    crowd.begin_measuring()
    ended, back, statuses, last_words = [], [], [], []
    for node in cluster.nodes:
        if stopped.is_set():
            break
        began = time.monotonic()
        node.program = Program()
        statuses.append(await node.stop())
        ended.append(time.monotonic() - began)
        if statuses[-1]:
            last_words.append(f"{node.name}: {node.log()[-400:]}")
        await node.start()
        back.append(time.monotonic() - began - ended[-1])
        click.echo(f"{node.name}: {ended[-1]:.1f} s to end, {back[-1]:.1f} s to be back", err=True)
        await asyncio.sleep(between_s)
    pauses = list(crowd.pauses.values())
    unanswered = await crowd.settle(_SETTLE_S)
    return DeployReport(
        before=before,
        tables=len(crowd.tables),
        ended_s=ended,
        back_s=back,
        statuses=statuses,
        pauses_s=pauses,
        calm_s=calm,
        verdict=await cluster.verdict(crowd),
        contradictions=crowd.tally.contradictions,
        unanswered=unanswered,
        log_faults=last_words + [line for node in cluster.nodes for line in node.faults()],
    )
