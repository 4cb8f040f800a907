"""The model finds costs that it was given, and what breaks first."""

import json
import os
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

from bench.cluster.load import Stretch
from bench.cluster.model import (
    Costs,
    Limits,
    Micro,
    breaking_points,
    carry,
    errors,
    fit,
    fit_clients,
    joined,
    main,
    predict,
)
from bench.cluster.running import family_s, processor_s

MICRO = Micro(50e-6, 1e-6, 20e-6, 5e-6, 0.01)
TRUE = Costs(0.01, 0.001, 0.0008, 0.004, 0.0002, 0.0001, 1.25, 900.0, MICRO)


def stretch(rate: float, share: float, nodes: int, costs: Costs = TRUE) -> Stretch:
    """As it would be if the costs were these."""
    need = predict(costs, rate, share, nodes)
    fields: dict[str, float] = dict.fromkeys(Stretch._fields, 0)
    fields |= {"seconds": 10.0, "commands": int(10 * rate), "sockets": 300, "relayed_sockets": int(300 * share)}
    fields |= {"nodes": nodes, "entries": int(12.5 * rate), "wal_bytes": int(11_250 * rate)}
    fields |= {"nodes_cpu": need.nodes, "database_cpu": need.database, "balancer_cpu": need.balancer}
    return Stretch(**fields)  # type: ignore[arg-type]


KNOWN = [stretch(2, 0.5, 3), stretch(40, 0.0, 1), stretch(60, 0.1, 3), stretch(60, 0.6, 3)]


def test_costs_are_found_from_what_they_lead_to() -> None:
    costs = fit(KNOWN, MICRO)
    assert costs[:8] == pytest.approx(TRUE[:8])
    for said, was in errors(costs, stretch(200, 0.3, 5)).values():
        assert said == pytest.approx(was)


def test_a_node_that_is_busy_wakes_up_less() -> None:
    sleepy = TRUE._replace(waking=0.8)
    idle, busy = (predict(sleepy, rate, 0.0, 1) for rate in (1, 500))
    assert (idle.nodes - sleepy.node_s) / 1 > 1.3 * (busy.nodes - sleepy.node_s) / 500
    # Whoever is busy all the time never wakes up.
    assert predict(sleepy, 990, 0.0, 1).nodes == pytest.approx(1.0)
    loads = ((2.0, 0.5, 3), (40.0, 0.0, 1), (400.0, 0.0, 1), (60.0, 0.6, 3))
    costs = fit([stretch(rate, share, nodes, sleepy) for rate, share, nodes in loads], MICRO)
    assert costs.waking == pytest.approx(0.8)
    assert costs[:8] == pytest.approx(sleepy[:8])
    for said, was in errors(costs, stretch(200, 0.3, 5, sleepy)).values():
        assert said == pytest.approx(was)
    assert carry(sleepy, 100_000, 0.1).nodes > carry(TRUE, 100_000, 0.1).nodes
    # Where all were idle nobody knows, and nothing is promised.
    idle_only = [stretch(rate / 20, share, nodes, sleepy) for rate, share, nodes in loads]
    assert fit(idle_only, MICRO).waking == 0


def test_no_cost_is_negative_whatever_is_measured() -> None:
    odd = [one._replace(nodes_cpu=cpu) for one, cpu in zip(KNOWN, (0.5, 0.01, 0.3, 0.2), strict=True)]
    assert min(fit(odd, MICRO)[:8]) >= 0


def test_a_stretch_of_much_load_does_not_decide_alone() -> None:
    """What is a little wrong of much would be much of what an idle node takes."""
    odd = [*KNOWN, stretch(600, 0.6, 3)._replace(nodes_cpu=1.1 * predict(TRUE, 600, 0.6, 3).nodes)]
    assert fit(odd, MICRO).node_s == pytest.approx(TRUE.node_s, rel=0.2)


def test_turns_count_by_how_long_they_took() -> None:
    short, long = stretch(40, 0.0, 1), stretch(80, 0.0, 1)._replace(seconds=30.0, commands=2400, p99_ms=9.0)
    both = joined([short, long])
    assert both.commands / both.seconds == pytest.approx(70)
    assert both.nodes_cpu == pytest.approx(predict(TRUE, 70, 0.0, 1).nodes)
    assert both.p99_ms == 9.0


@pytest.mark.parametrize(("factor", "elsewhere"), [(1.0, 0.0), (1.2, 0.3), (1.6, 0.0)])
def test_it_fails_only_where_what_it_was_not_fitted_to_is_far_off(
    factor: float, elsewhere: float, tmp_path: Path
) -> None:
    last = stretch(120, 0.6, 3)
    more = {name: factor * getattr(last, name) for name in ("nodes_cpu", "database_cpu", "balancer_cpu")}
    some = {str(at): [one._asdict()] for at, one in enumerate((*KNOWN, last._replace(**more, elsewhere=elsewhere)))}
    path = tmp_path / "measured.json"
    path.write_text(json.dumps({"stretches": some, "micro": MICRO._asdict()}))
    told = CliRunner().invoke(main, ["--measured", str(path)])
    assert told.exit_code == (factor > 1.5), told.output
    assert ("others kept 0.3 cores busy" in told.output) == bool(elsewhere)


_TAKEN = ("nodes_cpu", "database_cpu", "balancer_cpu", "clients_cpu")


def with_clients(one: Stretch, slowness: float = 1.0) -> Stretch:
    """The same with clients, on a machine that takes so many times as long for everything."""
    one = one._replace(clients_cpu=0.002 + 0.0004 * one.commands / one.seconds)
    return one._replace(**{name: slowness * getattr(one, name) for name in _TAKEN})


def test_a_machine_that_is_slow_for_a_while_makes_nothing_more_expensive(tmp_path: Path) -> None:
    usual = fit_clients([with_clients(one) for one in KNOWN])
    assert usual == pytest.approx((0.002, 0.0004))
    slow = with_clients(KNOWN[-1], 1.5)
    assert usual.slowness(slow) == pytest.approx(1.5)
    assert usual.evened(slow).nodes_cpu == pytest.approx(KNOWN[-1].nodes_cpu)
    # Whoever tells nothing of the clients is believed.
    assert usual.evened(KNOWN[-1]) == KNOWN[-1]
    # Slow where the costs are found, and fast where they are judged by.
    last = with_clients(stretch(120, 0.6, 3), 0.6)
    named = {str(at): [with_clients(one)._asdict()] for at, one in enumerate(KNOWN[:-1])}
    named |= {"slow": [slow._asdict()], "last": [last._asdict()]}
    path = tmp_path / "measured.json"
    path.write_text(json.dumps({"stretches": named, "micro": MICRO._asdict()}))
    told = CliRunner().invoke(main, ["--measured", str(path)])
    assert told.exit_code == 0, told.output


def test_what_is_kept_is_predicted_within_a_quarter() -> None:
    told = CliRunner().invoke(main, [])
    assert told.exit_code == 0, told.output
    assert "predicted: 300 tables" in told.output or "predicted: 600 tables" in told.output


def test_turns_that_were_disturbed_count_only_where_there_are_no_others(tmp_path: Path) -> None:
    last = stretch(120, 0.6, 3)
    wrong = last._replace(**{name: 3 * getattr(last, name) for name in _TAKEN}, elsewhere=0.5)
    for turns, status in ([last, wrong], 0), ([wrong, wrong], 1):
        named = {str(at): [one._asdict()] for at, one in enumerate(KNOWN)} | {"last": [one._asdict() for one in turns]}
        path = tmp_path / "measured.json"
        path.write_text(json.dumps({"stretches": named, "micro": MICRO._asdict()}))
        told = CliRunner().invoke(main, ["--measured", str(path)])
        assert told.exit_code == status, told.output
        assert ("others kept 0.5 cores busy" in told.output) == bool(status)


def test_what_children_took_counts_also_when_they_have_ended() -> None:
    """A connection that ends takes its process in the database with it."""
    busy = "import time\nwhile time.process_time() < {}: pass"
    before = family_s(os.getpid())
    subprocess.run([sys.executable, "-c", busy.format(0.3)], check=True)
    assert family_s(os.getpid()) - before >= 0.29
    with subprocess.Popen([sys.executable, "-c", f"{busy.format(0.3)}\ninput()"], stdin=subprocess.PIPE) as child:
        until = time.monotonic() + 20
        while processor_s(child.pid) < 0.3 and time.monotonic() < until:
            time.sleep(0.02)
        alive = family_s(os.getpid())
        assert alive - before >= 0.59
        child.communicate(b"\n")
    assert family_s(os.getpid()) >= alive - 0.02
    with pytest.raises(OSError, match="Invalid argument"):
        processor_s(child.pid)


def test_more_tables_need_more_of_everything() -> None:
    sizes = [carry(TRUE, tables, 0.1) for tables in (1_000, 10_000, 100_000, 1_000_000)]
    for smaller, larger in pairwise(sizes):
        assert all(less < more for less, more in zip(smaller, larger, strict=True))
    # What every node tells every node grows with the square of their number.
    assert sizes[3].renewal_cores / sizes[2].renewal_cores == pytest.approx(100, rel=0.05)


def test_whatever_there_is_least_of_breaks_first() -> None:
    generous = Limits(1e9, 1e9, 1e9, 1e9)
    for field, name in (("connections", "connections"), ("database_cores", "processors"), ("wal_mb_s", "write-ahead")):
        limits = generous._replace(**{field: 20.0})
        tables, first = breaking_points(TRUE, 0.1, limits)[0]
        assert first.startswith(name)
        assert 1 < tables < 1e9
