"""The database's own copy: it has what was committed, by whom and whose the table was, whatever is deleted later."""

from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import TypeAlias, cast

import asyncpg
import pytest

from bench.attacks.proxy import Proxy
from bench.cluster.audit import begin_audit, read_audit
from bench.cluster.checker import check
from bench.cluster.crowd import Crowd
from bench.cluster.history import Answer, History
from bench.cluster.running import Cluster
from bench.postgres import Postgres

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"

#: What the audit needs of the schema of a server.
SCHEMA = """
    DROP SCHEMA IF EXISTS tichu CASCADE;
    DROP SCHEMA IF EXISTS audit CASCADE;
    CREATE SCHEMA tichu;
    CREATE TABLE tichu.tables (id text PRIMARY KEY, next bigint, owner text, epoch bigint NOT NULL DEFAULT 0);
    CREATE TABLE tichu.log (table_id text, n bigint, entry bytea NOT NULL, PRIMARY KEY (table_id, n));
    CREATE TABLE tichu.nodes (id text PRIMARY KEY);
"""
#: As a node does it: one statement on one condition.
APPEND = """
    WITH moved AS (
        UPDATE tichu.tables SET next = next + cardinality($4::bytea[])
        WHERE id = $1 AND next = $2 AND {} RETURNING id
    )
    INSERT INTO tichu.log
    SELECT moved.id, $2 + at - 1, entry FROM moved, unnest($4::bytea[]) WITH ORDINALITY AS step (entry, at)
    WHERE $3::text IS NOT NULL
"""


class Writer:
    """A node, as far as the database can tell."""

    def __init__(self, db: Connection, owner: str, fence: str = "owner = $3") -> None:
        self._db, self.owner, self._fence = db, owner, fence

    async def begin(self) -> None:
        await self._db.execute("INSERT INTO tichu.nodes VALUES ($1)", self.owner)

    async def claim(self, table: str) -> None:
        query = """
            INSERT INTO tichu.tables VALUES ($1, 1, $2, 1)
            ON CONFLICT (id) DO UPDATE SET owner = $2, epoch = tables.epoch + 1
        """
        await self._db.execute(query, table, self.owner)

    async def append(self, table: str, first: int, entries: Sequence[bytes]) -> bool:
        status = await self._db.execute(APPEND.format(self._fence), table, first, self.owner, entries)
        return status == f"INSERT 0 {len(entries)}"

    async def rewrite(self, table: str, number: int, entry: bytes) -> None:
        await self._db.execute("UPDATE tichu.log SET entry = $3 WHERE table_id = $1 AND n = $2", table, number, entry)


@pytest.fixture
async def writers(postgres: str) -> AsyncIterator[tuple[Writer, Writer]]:
    """A node with the condition on which entries are stored, and one without."""
    db = await asyncpg.connect(postgres)
    await db.execute(SCHEMA)
    await begin_audit(postgres)
    first = await asyncpg.connect(f"{postgres}&application_name=a.1")
    second = await asyncpg.connect(f"{postgres}&application_name=b.1")
    good, careless = Writer(first, "a.x"), Writer(second, "b.y", fence="true")
    await good.begin()
    await careless.begin()
    yield good, careless
    for one in (first, second):
        await one.close()
    await db.execute("DROP SCHEMA tichu CASCADE; DROP SCHEMA audit CASCADE")
    await db.close()


def entry(command: str, action: str = "0:-") -> bytes:
    return f'{{"e":"acted","at":1.0,"command":"player {command}","action":"{action}"}}'.encode()


async def history(url: str, *answers: Answer) -> History:
    return History(*await read_audit(url), list(answers))


@pytest.mark.anyio
async def test_what_a_checkpoint_deletes_stays_in_the_copy(postgres: str, writers: tuple[Writer, Writer]) -> None:
    good, _ = writers
    await good.claim("t")
    assert await good.append("t", 1, [b"{}", entry("c1", "2:7s")])
    assert await good.append("t", 3, [entry("c2")])
    db = await asyncpg.connect(postgres)
    await db.execute("DELETE FROM tichu.log WHERE n < 3")
    await db.close()
    told = await history(postgres, Answer("t", "c1", "ack", "5", "2:7s"), Answer("t", "c2", "ack", "6", "0:-"))
    numbers = [(one.number, one.command, one.writer, one.owner, one.epoch) for one in told.written]
    assert numbers == [(1, "", "a.1", "a.x", 1), (2, "c1", "a.1", "a.x", 1), (3, "c2", "a.1", "a.x", 1)]
    assert told.sessions == {"a.x": "a.1", "b.y": "b.1"}
    assert check(told).faults == []


@pytest.mark.anyio
async def test_what_is_rolled_back_or_refused_is_not_in_the_copy(postgres: str, writers: tuple[Writer, Writer]) -> None:
    good, other = writers
    await other.claim("t")
    assert not await good.append("t", 1, [entry("c1")])
    with pytest.raises(asyncpg.PostgresError):
        await other.append("t", 1, [entry("c1"), None])  # type: ignore[list-item]
    told = await history(postgres)
    assert told.written == []
    assert [(claim.owner, claim.epoch) for claim in told.claims] == [("b.y", 1)]


@pytest.mark.anyio
async def test_whoever_writes_on_after_a_take_over_is_found(postgres: str, writers: tuple[Writer, Writer]) -> None:
    good, careless = writers
    await careless.claim("t")
    assert await careless.append("t", 1, [entry("c1")])
    await good.claim("t")
    # With the condition this would store nothing.
    assert await careless.append("t", 2, [entry("c2")])
    assert await good.append("t", 3, [entry("c3")])
    (fault,) = check(await history(postgres)).faults
    assert (fault.kind, fault.table) == ("stale writer", "t")
    assert "entry 2 was written by b.1 in epoch 2" in fault.words


@pytest.mark.anyio
async def test_a_log_that_somebody_else_rewrites_is_found(postgres: str, writers: tuple[Writer, Writer]) -> None:
    good, careless = writers
    await good.claim("t")
    assert await good.append("t", 1, [b"{}", entry("c1", "2:7s")])
    await good.rewrite("t", 2, entry("c1", "2:7s").replace(b"player", b"former"))
    told = await history(postgres, Answer("t", "c1", "ack", "5", "2:7s"))
    assert [(one.number, one.is_rewritten) for one in told.written] == [(1, False), (2, False), (2, True)]
    assert check(told).faults == []
    assert check(told).entries == 2
    await careless.rewrite("t", 2, entry("c1", "2:8s"))
    faults = check(await history(postgres)).faults
    assert [fault.kind for fault in faults] == ["stale writer", "overwritten"]
    assert "entry 2 was 2:7s and was rewritten by b.1 as 2:8s" in faults[1].words


@pytest.mark.anyio
async def test_an_acknowledgement_without_an_entry_is_found(postgres: str, writers: tuple[Writer, Writer]) -> None:
    good, _ = writers
    await good.claim("t")
    await good.append("t", 1, [entry("c1")])
    found = check(await history(postgres, Answer("t", "c1", "ack", "2"), Answer("t", "c2", "ack", "3"))).faults
    assert [fault.kind for fault in found] == ["lost"]


@pytest.mark.anyio
async def test_what_people_were_told_before_they_sat_down_anew_is_looked_at_too(
    postgres: str, writers: tuple[Writer, Writer], tmp_path: Path
) -> None:
    good, _ = writers
    await good.claim("left")
    await good.append("left", 1, [entry("c1")])
    crowd = Crowd(1.0, {})
    cluster = Cluster(tmp_path, cast("Postgres", SimpleNamespace(url=postgres)), [], cast("Proxy", None))
    crowd.answers.append(Answer("left", "c1", "ack", "2"))
    verdict = await cluster.verdict(crowd)
    assert (verdict.entries, verdict.faults) == (1, [])
    crowd.answers.append(Answer("left", "c2", "ack", "3"))
    assert [fault.kind for fault in (await cluster.verdict(crowd)).faults] == ["lost"]
