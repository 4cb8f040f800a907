"""Tables as Parquet files: written row group by row group, and moved to their names when all is done."""

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NamedTuple, get_args, get_type_hints

from tichu.core.errors import GameError
from tichu.data.columns import TABLES
from tichu.data.jobs import Batch, map_games, read_batch
from tichu.data.native import NativeTables, is_native
from tichu.data.rows import GameTables, SkippedRound
from tichu.formats.sources import PACKED, STANDARD_INPUT, Paths, find_files
from tichu.parallel import Pool, SerialPool

__all__ = ["Exported", "ParquetFiles", "check_tables_name", "export_games", "table_paths"]

_SUFFIX: Final = ".parquet"
#: So that a reader can skip what it does not ask for.
_ROWS_A_GROUP: Final = 100_000

#: What others write; a folder of such a name would be a surprise.
_OTHER_TABLES: Final = frozenset(
    {".arrow", ".csv", ".db", ".duckdb", ".feather", ".json", ".jsonl", ".pq", ".sqlite", ".tsv", ".xlsx"}
)
_OTHER_FILES: Final = _OTHER_TABLES | {".tch", ".ttn", ".txt", ".html", ".md", ".npz", ".tar", ".tgz", ".zip", *PACKED}


class _ArrowTables(NamedTuple):
    """A batch as tables of Arrow, by name, and what is missing."""

    tables: dict[str, Any]
    skipped: list[SkippedRound]


class Exported(NamedTuple):
    """How many rows were written, and what was left out."""

    games: int
    rounds: int
    seats: int
    decisions: int
    skipped: tuple[SkippedRound, ...] = ()


def table_paths(target: Path) -> dict[str, Path]:
    """Where the tables go, by name."""
    return {name: _path_of(target, name) for name in TABLES}


def check_tables_name(target: Path) -> None:
    """Refuse what is not the name of a folder or of a Parquet file.

    :raises GameError: with what it may be
    """
    if str(target) == STANDARD_INPUT:
        raise GameError(f"four tables do not go to the standard output: name a folder or a file that ends in {_SUFFIX}")
    if target.exists():
        return
    suffix = target.suffix.lower()
    if suffix in PACKED and Path(target.stem).suffix.lower() == _SUFFIX:
        raise GameError(f"{target}: Parquet is packed by itself: name a folder or a file that ends in {_SUFFIX}")
    if suffix in _OTHER_FILES:
        raise GameError(
            f"{target}: tables are written as Parquet: name a folder or a file that ends in {_SUFFIX}"
            + (f"; DuckDB, polars and pandas make {suffix} of it" if suffix in _OTHER_TABLES else "")
        )


def export_games(
    paths: Paths,
    target: str | os.PathLike[str],
    *,
    is_forced: bool = False,
    pool: Pool | None = None,
    advance: Callable[[int], None] = lambda files: None,
    report: Callable[[SkippedRound], None] = lambda skipped: None,
) -> Exported:
    """Write all games of these files and folders as tables; see :class:`ParquetFiles` for their names.

    ``advance`` is told how many files are done, ``report`` each round that is left out, as it is found.

    :raises GameError: pyarrow is not installed, there is no finished round, or a file is there and may not be replaced
    """
    skipped: list[SkippedRound] = []
    with ParquetFiles(Path(target), is_forced=is_forced) as files:
        for tables in map_games(_arrow_batch, find_files(paths), pool or SerialPool(), advance):
            files.add(tables)
            for one in tables.skipped:
                report(one)
            skipped += tables.skipped
        if not files.written.rounds:
            raise GameError("no finished round in these games")
    return files.written._replace(skipped=tuple(skipped))


def _pyarrow(name: str = "pyarrow") -> Any:
    """Typed by what little is used of it; it comes as an extra."""
    try:
        return import_module(name)
    except ImportError:
        raise GameError("Parquet needs pyarrow: pip install 'tichu[data]'") from None


@cache
def _schema(row: type[NamedTuple]) -> Any:
    arrow = _pyarrow()
    types = {bool: arrow.bool_(), int: arrow.int32(), str: arrow.string()}
    fields = []
    for name, hint in get_type_hints(row).items():
        kinds = [kind for kind in get_args(hint) or (hint,) if kind is not type(None)]
        fields.append(arrow.field(name, types[kinds[0]], nullable=bool(get_args(hint))))
    return arrow.schema(fields)


def _arrow_batch(batch: Batch) -> _ArrowTables:
    """Read and play a batch; the work of one worker."""
    if not is_native():
        return _arrow_rows(read_batch(batch))
    # Games that the native core takes and games that it leaves come in turns; the rows keep the order of the games.
    skipped: list[SkippedRound] = [*batch.failures]
    parts: list[dict[str, Any]] = []
    taken = NativeTables()
    for number, game in enumerate(batch.games, start=batch.first):
        if taken.add(number, game):
            continue
        parts.append(_arrow_columns(taken))
        taken = NativeTables()
        left = _arrow_rows(read_batch(Batch(number, [game], 0)))
        parts.append(left.tables)
        skipped += left.skipped
    parts.append(_arrow_columns(taken))
    concat = _pyarrow().concat_tables
    return _ArrowTables({name: concat([part[name] for part in parts]).combine_chunks() for name in TABLES}, skipped)


def _arrow_rows(rows: GameTables) -> _ArrowTables:
    return _ArrowTables({name: _table(name, getattr(rows, name)) for name in TABLES}, rows.skipped)


def _table(name: str, rows: Sequence[tuple[object, ...]]) -> Any:
    arrow, schema = _pyarrow(), _schema(TABLES[name])
    columns = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in schema]
    arrays = [arrow.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
    return arrow.Table.from_arrays(arrays, schema=schema)


def _arrow_columns(taken: NativeTables) -> dict[str, Any]:
    arrow = _pyarrow()
    tables = {"games": _table("games", taken.games)}
    for name, rows, columns in taken.columns():
        schema = _schema(TABLES[name])
        arrays = [
            arrow.Array.from_buffers(
                field.type, rows, [None if part is None else arrow.py_buffer(part) for part in buffers], missing
            )
            for field, (missing, buffers) in zip(schema, columns, strict=bool(rows))
        ]
        tables[name] = arrow.Table.from_arrays(arrays, schema=schema) if rows else schema.empty_table()
    return tables


class ParquetFiles:
    """The files of one export.

    ``games.parquet`` and its three siblings in a folder, or, for a name with the suffix, the decisions under that name
    and the others beside it: ``all.parquet``, ``all.games.parquet`` and so on.  Until the end they have other names, so
    a run that fails leaves what was there before.  An interrupted one keeps the games so far, unless they would replace
    others.

    :raises GameError: pyarrow is not installed, or a file is there and may not be replaced
    """

    def __init__(self, target: Path, *, is_forced: bool = False) -> None:
        self._arrow, self._parquet = _pyarrow(), _pyarrow("pyarrow.parquet")
        self.paths = table_paths(target)
        check_tables_name(target)
        folder = next(iter(self.paths.values())).parent
        if folder == target and target.exists() and not target.is_dir():
            raise GameError(
                f"{target}: this file is there already; tables go into a folder, or name a file that ends in {_SUFFIX}"
            )
        for path in self.paths.values():
            if path.is_dir():
                raise GameError(f"{path}: this is a folder; tables are files that end in {_SUFFIX}")
            if path.exists() and not is_forced:
                raise GameError(f"{path}: this file is there already; --force replaces it")
        self._replaces = any(path.exists() for path in self.paths.values())
        self._drafts = {name: path.with_name(f"{path.name}.part") for name, path in self.paths.items()}
        folder.mkdir(parents=True, exist_ok=True)
        self._waiting: dict[str, list[Any]] = {name: [] for name in TABLES}
        self._counts = dict.fromkeys(TABLES, 0)
        self._writers: dict[str, Any] = {}
        try:
            for name, row in TABLES.items():
                self._writers[name] = self._parquet.ParquetWriter(self._drafts[name], _schema(row), compression="zstd")
        except BaseException:
            self._drop_drafts()
            raise

    def __enter__(self) -> "ParquetFiles":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        is_part = kind is KeyboardInterrupt and not self._replaces and self._counts["rounds"] > 0
        try:
            if kind is None or is_part:
                for name in TABLES:
                    self._flush(name)
                    self._writers[name].close()
                # All of them are whole: tables of two exports are never mixed.
                for name, path in self.paths.items():
                    self._drafts[name].replace(path)
        finally:
            self._drop_drafts()

    def _drop_drafts(self) -> None:
        """Those that have become files are not there any more."""
        for writer in self._writers.values():
            # What is dropped need not be whole.
            with suppress(Exception):
                writer.close()
            writer.is_open = False  # Or it would try again when it is collected.
        for draft in self._drafts.values():
            draft.unlink(missing_ok=True)

    @property
    def written(self) -> Exported:
        """How many rows of each table."""
        counts = self._counts
        return Exported(counts["games"], counts["rounds"], counts["seats"], counts["decisions"])

    def add(self, tables: _ArrowTables) -> None:
        """Write what one worker has made."""
        for name, table in tables.tables.items():
            self._waiting[name].append(table)
            self._counts[name] += table.num_rows
            if sum(one.num_rows for one in self._waiting[name]) >= _ROWS_A_GROUP:
                self._flush(name)

    def _flush(self, name: str) -> None:
        waiting: Iterable[Any] = self._waiting[name]
        if waiting:
            self._writers[name].write_table(self._arrow.concat_tables(waiting))
        self._waiting[name] = []


def _path_of(target: Path, name: str) -> Path:
    if target.suffix.lower() != _SUFFIX:
        return target / f"{name}{_SUFFIX}"
    return target if name == "decisions" else target.with_name(f"{target.stem}.{name}{_SUFFIX}")
