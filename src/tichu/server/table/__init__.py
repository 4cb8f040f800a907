"""A table without input and output: see :mod:`tichu.server.table.table`."""

from tichu.server.table.refusals import Refusal, TableReason
from tichu.server.table.table import Table

__all__ = ["Refusal", "Table", "TableReason"]
