"""``make cluster``: PostgreSQL, nginx and three nodes on this machine, under load, under faults, while replaced.

``python -m bench.cluster load`` measures three nodes beside one with a third of the tables; ``faults`` kills, stops and
cuts off, ``deploy`` replaces all nodes; without a word it does all three.  ``--short`` is for a minute in CI.
``faults --without-fence`` removes the condition on which entries are stored: it must fail.  Interrupted with Ctrl-C it
ends, checks and reports what there is.  Linux only: it needs loopback addresses and ``/proc``.
"""

import asyncio
import gc
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any, Final

import click

from bench.cluster.balancer import NoBalancer, find_nginx
from bench.cluster.crowd import PAGE, STUBBORN, Crowd
from bench.cluster.deploys import DeployReport, checkout, deploy
from bench.cluster.faults import FaultReport, Plan, disturb
from bench.cluster.load import measure_in_turns
from bench.cluster.nodes import Program
from bench.cluster.running import running
from bench.load import raise_file_limit
from bench.postgres import NoPostgres, Postgres, postgres_server

#: Windows are short against the period, so that what takes long is the cluster's doing.
_SETTINGS: Final = {"rules": "standard goal=target:1", "pace": 0.1, "casual": True}
_SHORT: Final = Plan(kills=2, every_s=1.0, hangs=1, hang_s=12.0, restarts=1, cuts=0)
_UNFENCED: Final = Plan(kills=0, hangs=3, hang_s=20.0, restarts=0, cuts=0, wakes_early=True)
_MODULE_WITHOUT_FENCE: Final = "bench.cluster.unfenced"


async def _stop_when_told(work: Callable[[asyncio.Event], Any]) -> Any:
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    return await work(stopped)


async def run_faults(
    database: Postgres, tables: int, period: float, plan: Plan, seed: int, program: Program, stopped: asyncio.Event
) -> FaultReport:
    """A cluster of its own, and everything that happens to it."""
    is_fenced = program.module != _MODULE_WITHOUT_FENCE
    async with running(database, program=program) as cluster:
        # Without a fence everybody waits for the node that stands still, so that it finds something to do when it goes
        # on; and with three bots the others must take a table over that nobody has asked them for.
        crowd = Crowd(period, _SETTINGS, seed, patience=PAGE if is_fenced else STUBBORN)
        try:
            await crowd.grow(tables, cluster.port, people=(4, 4, 4, 1) if is_fenced else (1,))
            return await disturb(cluster, crowd, plan, seed, stopped)
        finally:
            await crowd.leave()


async def run_deploy(
    database: Postgres,
    tables: int,
    period: float,
    before: str,
    program: Program,
    stopped: asyncio.Event,
    *,
    calm_s: float = 10.0,
) -> DeployReport:
    """A cluster of its own, all of it replaced."""
    async with running(database, program=program) as cluster:
        crowd = Crowd(period, _SETTINGS)
        try:
            await crowd.grow(tables, cluster.port)
            return await deploy(cluster, crowd, before, stopped, calm_s=calm_s, between_s=min(2.0, calm_s))
        finally:
            await crowd.leave()


def _report(lines: Sequence[str], faults: Sequence[str]) -> bool:
    click.echo("\n".join(lines))
    return not faults


class _Runner:
    """What every command needs; ``is_good`` when nothing was wrong so far."""

    def __init__(self, database: Postgres) -> None:
        self._database = database
        self.judges_times = True
        self.is_good = True

    def load(self, tables: int, seconds: float, period: float, turns: int) -> None:
        comparison = asyncio.run(measure_in_turns(self._database, tables, seconds, period, turns))
        self.is_good &= _report(comparison.lines(), comparison.faults())

    def faults(self, tables: int, period: float, plan: Plan, seed: int, program: Program) -> None:
        report: FaultReport = asyncio.run(
            _stop_when_told(lambda stopped: run_faults(self._database, tables, period, plan, seed, program, stopped))
        )
        self.is_good &= _report(report.lines(), report.faults() if self.judges_times else report.errors())

    def deploy(self, tables: int, period: float, revision: str) -> None:
        with ExitStack() as stack:
            program = stack.enter_context(checkout(revision)) if revision else Program()
            before = revision or "the same version"
            report: DeployReport = asyncio.run(
                _stop_when_told(lambda stopped: run_deploy(self._database, tables, period, before, program, stopped))
            )
        self.is_good &= _report(report.lines(), report.faults() if self.judges_times else report.errors())


def _run(work: Callable[[_Runner], None]) -> None:
    """With a database of its own; the exit status says whether everything was good."""
    raise_file_limit()
    gc.disable()  # Our own pauses would be taken for the cluster's.
    try:
        find_nginx()
        with postgres_server() as database:
            runner = _Runner(database)
            work(runner)
    except (NoPostgres, NoBalancer, ConnectionError, TimeoutError) as error:
        raise click.ClickException(str(error) or type(error).__name__) from None
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(0 if runner.is_good else 1)


@click.group(invoke_without_command=True)
@click.option("--short", is_flag=True, help="About a minute, without judging times.")
@click.option("--from", "revision", default="", help="The commit that is replaced by this one in the second deploy.")
@click.pass_context
def main(context: click.Context, short: bool, revision: str) -> None:
    """Run a cluster on this machine, and see what it bears; exit status 1 if it does not."""
    if context.invoked_subcommand is not None:
        return

    def everything(runner: _Runner) -> None:
        if short:
            runner.judges_times = False
            runner.faults(12, 0.5, _SHORT, 0, Program())
            runner.deploy(12, 0.5, revision)
            return
        runner.load(600, 20.0, 4.0, 5)
        runner.faults(60, 1.0, Plan(), 0, Program())
        runner.deploy(60, 1.0, "")
        if revision:
            runner.deploy(60, 1.0, revision)

    _run(everything)


@main.command("load")
@click.option("--tables", type=click.IntRange(3, 5000), default=600, show_default=True)
@click.option("--seconds", type=click.FloatRange(1), default=20, show_default=True)
@click.option("--period", type=click.FloatRange(0.1), default=4, show_default=True, help="Seconds between actions.")
@click.option("--turns", type=click.IntRange(1), default=5, show_default=True)
def load_command(tables: int, seconds: float, period: float, turns: int) -> None:
    """Three nodes, by table and in turns, beside one node with a third of the tables."""
    _run(lambda runner: runner.load(tables, seconds, period, turns))


@main.command("faults")
@click.option("--tables", type=click.IntRange(1, 5000), default=60, show_default=True)
@click.option("--period", type=click.FloatRange(0.1), default=1, show_default=True, help="Seconds between actions.")
@click.option("--kills", type=click.IntRange(0), default=Plan().kills, show_default=True)
@click.option("--every", "every_s", type=click.FloatRange(0), default=Plan().every_s, show_default=True)
@click.option("--hangs", type=click.IntRange(0), default=Plan().hangs, show_default=True)
@click.option("--hang-s", type=click.FloatRange(0), default=Plan().hang_s, show_default=True)
@click.option("--restarts", type=click.IntRange(0), default=1, show_default=True, help="Of the database.")
@click.option("--cuts", type=click.IntRange(0), default=1, show_default=True, help="Of a node from the database.")
@click.option("--cut-s", type=click.FloatRange(0), default=Plan().cut_s, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--without-fence", is_flag=True, help="Nodes that store entries unconditionally: this must fail.")
def faults_command(tables: int, period: float, seed: int, without_fence: bool, **plan: Any) -> None:
    """Kill, stop and cut off while tables play; then compare journals with what the database saw."""
    if without_fence:
        program, what = Program(module=_MODULE_WITHOUT_FENCE), _UNFENCED
    else:
        program, what = Program(), Plan(**plan)
    _run(lambda runner: runner.faults(tables, period, what, seed, program))


@main.command("deploy")
@click.option("--tables", type=click.IntRange(1, 5000), default=60, show_default=True)
@click.option("--period", type=click.FloatRange(0.1), default=1, show_default=True, help="Seconds between actions.")
@click.option("--from", "revision", default="", help="A commit whose nodes are replaced; usually the same version.")
def deploy_command(tables: int, period: float, revision: str) -> None:
    """Replace all nodes one after the other while tables play."""
    _run(lambda runner: runner.deploy(tables, period, revision))


if __name__ == "__main__":
    main()
