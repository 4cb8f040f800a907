"""What is counted of a node among others."""

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge

from tichu.server.cluster.build import build_name

__all__ = ["NodeMetrics"]


class NodeMetrics:
    """Beside the numbers of every server; ``tichu_node_info`` says whose they are."""

    def __init__(self, registry: CollectorRegistry, node: str, lease_left: Callable[[], float]) -> None:
        info = Gauge("tichu_node_info", "Which node this is", ["node", "version"], registry=registry)
        info.labels(node, build_name()).set(1)
        lease = Gauge("tichu_lease_seconds", "What is left of the lease; 0 while it is not held", registry=registry)
        lease.set_function(lease_left)
        self.claims = Counter("tichu_claims", "Tables taken, by the reason", ["why"], registry=registry)
        self.handed_over = Counter("tichu_handed_over", "Tables given to another node", registry=registry)
        self.lost = Counter("tichu_lost_tables", "Tables that another node has taken", registry=registry)
        self.moves = Counter(
            "tichu_moves", "Tables that moved between rounds, by the reason", ["why"], registry=registry
        )
        self.relayed = Counter("tichu_relayed", "Requests and sockets relayed to an owner", ["kind"], registry=registry)
        self.relay_sockets = Gauge("tichu_relay_sockets", "Open sockets relayed to an owner", registry=registry)
