"""The model finds costs that it was given, and what breaks first."""

from itertools import pairwise

import pytest

from bench.cluster.load import Stretch
from bench.cluster.model import Costs, Limits, Micro, breaking_points, carry, errors, fit, predict

MICRO = Micro(50e-6, 1e-6, 20e-6, 5e-6)
TRUE = Costs(0.01, 0.001, 0.0008, 0.004, 0.0002, 0.0001, 1.25, 900.0, MICRO)


def stretch(rate: float, share: float, nodes: int) -> Stretch:
    """As it would be if the costs were these."""
    need = predict(TRUE, rate, share, nodes)
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


def test_no_cost_is_negative_whatever_is_measured() -> None:
    odd = [one._replace(nodes_cpu=cpu) for one, cpu in zip(KNOWN, (0.5, 0.01, 0.3, 0.2), strict=True)]
    assert min(fit(odd, MICRO)[:8]) >= 0


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
