"""How many tables there may be, in all and of one address."""

from collections import Counter
from collections.abc import Callable

from tichu.server.config import Limits
from tichu.server.metrics import Metrics

__all__ = ["Capacity", "TooManyTables"]


class TooManyTables(Exception):
    """There is no room for another table."""


class Capacity:
    """The tables of a server, counted by the address of whoever made them."""

    def __init__(self, limits: Limits, metrics: Metrics, open_tables: Callable[[], int]) -> None:
        self._limits = limits
        self._metrics = metrics
        self._open_tables = open_tables
        self._addresses: Counter[str] = Counter()

    def require(self, address: str) -> None:
        """Whether there is room for another table.

        :raises TooManyTables: there is none
        """
        if self._open_tables() >= self._limits.tables:
            raise self.refusal()
        if address and self._addresses[address] >= self._limits.address_tables:
            raise self.refusal(of_an_address=True)

    def refusal(self, *, of_an_address: bool = False) -> TooManyTables:
        """What is said, and counted, where there is no room."""
        self._metrics.guarded.labels("tables").inc()
        if of_an_address:
            return TooManyTables(f"an address has at most {self._limits.address_tables} tables at a time")
        return TooManyTables("this server has as many tables as it can take")

    def add(self, address: str) -> None:
        """One table more."""
        self._addresses[address] += 1

    def remove(self, address: str) -> None:
        """One less."""
        self._addresses[address] -= 1
        if self._addresses[address] <= 0:
            del self._addresses[address]

    def busiest(self, addresses: list[str]) -> str:
        """Whose table it is that people of these addresses have: that of most of them, of equals the first."""
        known = [address for address in addresses if address]
        return Counter(known).most_common(1)[0][0] if known else ""
