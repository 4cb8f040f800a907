"""A table without input and output: see :mod:`tichu.server.table.table`.

Imports the wire, the log and the agents; no event loop, no network and no store.  Rooms, the lobby and replays import
it.
"""

from tichu.server.table.refusals import Refusal, TableReason
from tichu.server.table.table import Table

__all__ = ["Refusal", "Table", "TableReason"]
