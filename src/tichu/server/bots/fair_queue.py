"""A queue in which whoever puts much into it waits longer, and nobody else does."""

import threading
from collections import OrderedDict, deque
from typing import Generic, TypeVar

__all__ = ["FairQueue"]

_T = TypeVar("_T")


class FairQueue(Generic[_T]):
    """Items are taken in turn from each address, and of an address in turn from each table.

    >>> queue: FairQueue[str] = FairQueue()
    >>> for number in range(3):
    ...     queue.put(f"many {number}", ("192.0.2.1", f"table {number}"))
    >>> queue.put("one", ("192.0.2.2", "table"))
    >>> [queue.get() for _ in range(4)]
    ['many 0', 'one', 'many 1', 'many 2']
    """

    def __init__(self) -> None:
        self._tables: OrderedDict[str, OrderedDict[str, deque[_T]]] = OrderedDict()
        self._is_closed = False
        self._changed = threading.Condition()

    def put(self, item: _T, source: tuple[str, str]) -> None:
        """Add an item of a table of an address."""
        address, table = source
        with self._changed:
            self._tables.setdefault(address, OrderedDict()).setdefault(table, deque()).append(item)
            self._changed.notify()

    def get(self) -> _T | None:
        """The next item, as soon as there is one; None once the queue is closed and empty."""
        with self._changed:
            while not self._tables and not self._is_closed:
                self._changed.wait()
            if not self._tables:
                return None
            address, tables = self._tables.popitem(last=False)
            table, items = tables.popitem(last=False)
            item = items.popleft()
            if items:
                tables[table] = items
            if tables:
                self._tables[address] = tables
            return item

    def close(self) -> None:
        """Let everybody go who waits, as soon as nothing is left."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
