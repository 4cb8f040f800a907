"""A small cluster with the real programs, and that its reports can fail."""

import asyncio
import sys
from collections.abc import Iterator
from random import Random

import pytest

from bench.cluster.__main__ import run_deploy, run_faults
from bench.cluster.balancer import NoBalancer, find_nginx
from bench.cluster.checker import Fault, Verdict
from bench.cluster.crowd import Crowd
from bench.cluster.deploys import DeployReport
from bench.cluster.faults import Disturbance, FaultReport, Plan
from bench.cluster.load import Comparison, Stretch, Variant, measure
from bench.cluster.nodes import Program
from bench.postgres import NoPostgres, Postgres, postgres_server
from bench.siege.honest import HonestTable, Tally
from tests.server.conftest import CI

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="clients have loopback addresses of their own")

GOOD = Verdict(2, 100, 3, 80, 0, [])
BAD = GOOD._replace(faults=[Fault("lost", "t", "command c7 was acknowledged and is not there")])


@pytest.fixture(scope="module")
def database() -> Iterator[Postgres]:
    """A database of its own: it is stopped and started again."""
    try:
        find_nginx()
        with postgres_server() as server:
            yield server
    except (NoBalancer, NoPostgres) as error:
        if CI:
            pytest.fail(str(error))
        pytest.skip(f"no nginx, or no PostgreSQL: {error}")


def test_a_death_and_a_restart_of_the_database_lose_nothing(database: Postgres) -> None:
    plan = Plan(kills=1, every_s=0.0, hangs=0, restarts=1, cuts=0)
    report = asyncio.run(run_faults(database, 4, 0.3, plan, 1, Program(), asyncio.Event()))
    assert [one.what for one in report.disturbances] == ["death", "database"]
    assert report.verdict.faults == []
    assert report.verdict.acknowledged > 20
    assert (report.contradictions, report.unanswered, report.log_faults) == ([], 0, [])
    assert [one.stuck for one in report.disturbances] == [[], []]


def test_a_rolling_deploy_loses_nothing(database: Postgres) -> None:
    report = asyncio.run(run_deploy(database, 4, 0.3, "the same", Program(), asyncio.Event(), calm_s=0.5))
    assert (report.statuses, report.log_faults) == ([0, 0, 0], [])
    assert report.verdict.faults == []
    assert report.verdict.acknowledged > 20
    assert (report.contradictions, report.unanswered, report.log_faults) == ([], 0, [])


def test_nothing_is_measured_before_the_first_trick(database: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is before it costs less and is soon over; how many tables are still there depends on how many were made."""
    monkeypatch.setattr("bench.cluster.load._WARM_UP_S", 0.0)
    begin, found = Crowd.begin_measuring, list[bool]()

    def look(crowd: Crowd) -> None:
        found.extend(table.has_led for table in crowd.tables)
        begin(crowd)

    monkeypatch.setattr(Crowd, "begin_measuring", look)
    stretch = asyncio.run(measure(database, Variant("one", 1, is_hashing=False, tables=3), 1.0, 0.3))
    assert found == [True] * 3
    assert stretch.commands


def test_tables_that_never_begin_to_play_are_named() -> None:
    async def wait() -> None:
        crowd = Crowd(1.0, {})
        crowd.tables = [HonestTable(Tally(), Random(1), 1.0, 4) for _ in range(2)]
        crowd.tables[0].has_led = True
        await crowd.wait_led(0.0)

    with pytest.raises(TimeoutError, match="1 of 2 tables"):
        asyncio.run(wait())


def fault_report(**other: object) -> FaultReport:
    fields: dict[str, object] = dict.fromkeys(FaultReport._fields)
    one = Disturbance("death", "a", 1, [7.0], [0.5], [])
    fields |= {"tables": 2, "seconds": 30.0, "disturbances": [one], "verdict": GOOD, "contradictions": []}
    fields |= {"unanswered": 0, "asked_again": 0, "reconnections": 0, "reasons": {}, "log_faults": []}
    return FaultReport(**(fields | other))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("other", "fault"),
    [
        ({"verdict": BAD}, "the checker found 1 faults"),
        ({"verdict": GOOD._replace(acknowledged=0)}, "nothing was acknowledged"),
        ({"unanswered": 2}, "2 commands were never answered"),
        ({"contradictions": ["version 3 after 5"]}, "version 3 after 5"),
        ({"log_faults": ["a: Traceback"]}, "a: Traceback"),
        ({"disturbances": [Disturbance("death", "a", 1, [15.5], [], [])]}, "more than 15 s"),
        ({"disturbances": [Disturbance("death", "a", 1, [], [15.5], [])]}, "more than 15 s"),
        ({"disturbances": [Disturbance("hang", "a", 1, [25.5], [], [])]}, "more than 25 s"),
        ({"disturbances": [Disturbance("hang", "a", 1, [], [], ["t"])]}, "1 tables did not"),
    ],
)
def test_each_fault_of_a_run_is_named(other: dict[str, object], fault: str) -> None:
    assert fault_report().faults() == []
    (words,) = fault_report(**other).faults()
    assert fault in words
    assert any(fault in line for line in fault_report(**other).lines())


def deploy_report(**other: object) -> DeployReport:
    fields: dict[str, object] = {"before": "0.1", "tables": 2, "ended_s": [0.5], "back_s": [1.0], "statuses": [0]}
    fields |= {"pauses_s": [0.5, 2.9], "calm_s": [0.1], "verdict": GOOD, "contradictions": [], "unanswered": 0}
    return DeployReport(**({"log_faults": []} | fields | other))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("other", "fault"),
    [
        ({"pauses_s": [0.1, 3.1]}, "a table was held up for 3.1 s"),
        ({"statuses": [0, -9, 0]}, "nodes ended with [0, -9, 0]"),
        ({"verdict": BAD}, "the checker found 1 faults"),
        ({"unanswered": 1}, "1 commands were never answered"),
    ],
)
def test_each_fault_of_a_deploy_is_named(other: dict[str, object], fault: str) -> None:
    assert deploy_report().faults() == []
    (words,) = deploy_report(**other).faults()
    assert fault in words


def stretch(p99: float, **other: object) -> Stretch:
    fields: dict[str, object] = dict.fromkeys(Stretch._fields, 0)
    return Stretch(**(fields | {"p99_ms": p99, "seconds": 10.0, "commands": 100, "busy": 0.5} | other))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("some", "fault"),
    [
        ([stretch(9.0), stretch(21.0), stretch(22.0)], "three: p99 is 2.10 times that of one"),
        ([stretch(9.0, unanswered=1)], "three: 1 commands were never answered"),
        ([stretch(9.0, busy=0.8)], "three: the machine was 80 % busy"),
    ],
)
def test_three_nodes_are_judged_beside_one(some: list[Stretch], fault: str) -> None:
    one = [stretch(8.0), stretch(10.0), stretch(12.0)]
    assert Comparison({"one": one, "three": [stretch(19.0), stretch(30.0), stretch(5.0)]}).faults() == []
    (words,) = Comparison({"one": one, "three": some}).faults()
    assert fault in words
