"""What is counted, for Prometheus."""

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest, start_http_server

__all__ = ["Metrics"]

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """The numbers of one server; two servers in a process do not share them."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.tables = Gauge("tichu_tables", "Tables in memory", registry=self.registry)
        self.resting = Gauge("tichu_resting_tables", "Tables that wait for a visit", registry=self.registry)
        self.sockets = Gauge("tichu_sockets", "Open sockets and streams", registry=self.registry)
        self.commands = Counter("tichu_commands", "Commands by their answer", ["answer"], registry=self.registry)
        #: Those that are counted with every command.
        self.acknowledged, self.refused = self.commands.labels("ack"), self.commands.labels("refused")
        self.answer_seconds = Histogram(
            "tichu_answer_seconds", "From a command to its stored answer", registry=self.registry, buckets=_SECONDS
        )
        self.bot_seconds = Histogram(
            "tichu_bot_seconds", "How long bots think", registry=self.registry, buckets=_SECONDS
        )
        self.loop_lag = Histogram(
            "tichu_loop_lag_seconds", "How late the event loop is", registry=self.registry, buckets=_SECONDS
        )
        self.inbox = Gauge("tichu_inbox_depth", "What waits at the table where most waits", registry=self.registry)
        self.store_seconds = Histogram(
            "tichu_store_seconds", "How long it takes to store", registry=self.registry, buckets=_SECONDS
        )
        self.bot_faults = Counter("tichu_bot_faults", "Lost decisions of bots", ["kind"], registry=self.registry)
        self.searches = Gauge("tichu_searches", "Players who look for a match", registry=self.registry)
        self.matches = Counter("tichu_matches", "Matches that were brought together", registry=self.registry)
        self.reviews = Gauge("tichu_reviews", "Games that are reviewed or wait for it", registry=self.registry)
        self.review_parts = Counter("tichu_review_parts", "Parts of games that were reviewed", registry=self.registry)
        self.review_faults = Counter("tichu_review_faults", "Lost parts of reviews", registry=self.registry)
        self.mails = Counter("tichu_mails", "Mails that were sent or lost", ["outcome"], registry=self.registry)
        # From 0 on, or nobody would see the first one that is lost rise.
        for outcome in ("sent", "lost"):
            self.mails.labels(outcome)
        self.parked = Gauge("tichu_parked_tables", "Tables set aside as unreadable", registry=self.registry)
        self.entries = Counter("tichu_entries", "Stored entries", registry=self.registry)
        self.games = Counter("tichu_games", "Finished games", registry=self.registry)
        self.snapshots = Counter("tichu_snapshots", "Snapshots for slow readers", registry=self.registry)
        self.requests = Counter("tichu_requests", "HTTP answers by status", ["status"], registry=self.registry)
        self.guarded = Counter("tichu_guarded", "What the guard refused", ["why"], registry=self.registry)
        self.failures = Counter("tichu_failures", "Errors that should not be", ["where"], registry=self.registry)

    def serve(self, host: str, port: int) -> Callable[[], None]:
        """Answer at a port of its own, until the function is called that comes back.

        :raises OSError: the port cannot be had
        """
        server, _ = start_http_server(port, host, self.registry)

        def stop() -> None:
            server.shutdown()
            server.server_close()

        return stop

    def open_sockets(self) -> int:
        """How many sockets and streams there are."""
        return int(self.registry.get_sample_value("tichu_sockets") or 0)

    def text(self) -> bytes:
        """All of them in Prometheus' format."""
        return generate_latest(self.registry)
