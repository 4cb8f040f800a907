"""The description of the HTTP API: complete, and good enough for others to make a client from."""

import asyncio
import importlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.serving import served

pytestmark = pytest.mark.anyio

_METHODS = ("get", "post", "delete")
_PACKAGE = "tichuapi"
#: What has no JSON is left to whoever makes the request: pictures and the endless stream.
_NOT_JSON = {"GET /api/qr", "POST /api/qr", "GET /api/tables/{table}/stream"}


async def described() -> dict[str, Any]:
    async with served() as place:
        document: dict[str, Any] = (await place.http.get("/openapi.json")).json()
        return document


def nodes(part: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every object in a document, with the way there."""
    if isinstance(part, dict):
        yield path, part
        for name, inner in part.items():
            yield from nodes(inner, f"{path}/{name}")
    elif isinstance(part, list):
        for at, inner in enumerate(part):
            yield from nodes(inner, f"{path}/{at}")


async def test_every_field_is_described() -> None:
    schemas = (await described())["components"]["schemas"]
    fields = {
        f"{name}.{field}": schema.get("description", "")
        for name, whole in schemas.items()
        for field, schema in whole.get("properties", {}).items()
    }
    assert "NewTableAnswer.you" in fields
    assert [name for name, words in fields.items() if not words.strip()] == []
    assert "factor of the usual time" in fields["Settings.pace"]
    # What is said of commands in general holds for each.
    assert fields["PlayCards.version"] == fields["Say.version"]
    assert [name for name, whole in schemas.items() if not whole.get("description")] == []
    assert [name for name, words in fields.items() if "``" in words] == []


async def test_every_operation_has_a_name_and_words() -> None:
    document = await described()
    operations = [one for path in document["paths"].values() for one in path.values()]
    assert all(set(path) <= set(_METHODS) for path in document["paths"].values())
    names = [one["operationId"] for one in operations]
    assert len(set(names)) == len(names)
    tags = {tag["name"] for tag in document["tags"]}
    for one in operations:
        assert one["summary"]
        assert set(one["tags"]) <= tags
        assert [each["name"] for each in one.get("parameters", ()) if not each.get("description")] == []
    # Clients in some languages cannot be made from a document with this, and it says nothing that maxItems does not.
    assert [path for path, node in nodes(document) if node.get("items") is False] == []


async def test_a_server_that_closes_answers_as_described() -> None:
    async with served() as place:
        document = (await place.http.get("/openapi.json")).json()
        place.lobby.is_closing = True
        answer = await place.http.get("/healthz")
    described_answer = document["paths"]["/healthz"]["get"]["responses"][str(answer.status_code)]
    kinds = [kind["$ref"] for kind in described_answer["content"]["application/json"]["schema"]["anyOf"]]
    health = document["components"]["schemas"]["Health"]
    assert (answer.status_code, answer.json()["status"]) == (503, "closing")
    assert set(answer.json()) == set(health["properties"])
    assert "#/components/schemas/Health" in kinds


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where a client may be generated to be imported."""
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path / _PACKAGE
    for name in [name for name in sys.modules if name.partition(".")[0] == _PACKAGE]:
        del sys.modules[name]


def generate(document: dict[str, Any], package: Path) -> str:
    """What the generator says about the document."""
    given, config = package.with_name("openapi.json"), package.with_name("config.json")
    given.write_text(json.dumps(document), encoding="utf-8")
    # Nobody reads this client, so it needs no formatting.
    config.write_text(json.dumps({"post_hooks": []}), encoding="utf-8")
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none", "--path", str(given)]
    command += ["--config", str(config), "--output-path", str(package)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout + run.stderr


async def test_a_generated_client_makes_a_table_and_reads_it(package: Path) -> None:
    async with served() as place:
        document = (await place.http.get("/openapi.json")).json()
        said = await asyncio.to_thread(generate, document, package)
        assert set(re.findall(r"(?:WARNING|ERROR) parsing (\S+ \S+)", said)) == _NOT_JSON, said

        client = importlib.import_module(_PACKAGE)
        models = importlib.import_module(f"{_PACKAGE}.models")
        tables = {
            name: importlib.import_module(f"{_PACKAGE}.api.tables.{name}")
            for name in ("make_table", "read_table", "send_command")
        }
        new = models.NewTable(
            name="Ada",
            seats=["you", "greedy", None, "greedy"],
            settings=models.Settings(rules="single-round", pace=0.5, clock=models.Clock(decision=30)),
        )
        async with client.Client(base_url=place.url) as anybody:
            made = await tables["make_table"].asyncio(client=anybody, body=new)
            assert isinstance(made, models.NewTableAnswer)
            read = await tables["read_table"].asyncio(made.table.id, client=anybody)
            none = await tables["read_table"].asyncio("none", client=anybody)
        assert (made.you.name, made.you.seat, made.table.host) == ("Ada", 0, made.you.player)
        assert isinstance(read, models.TableInfo)
        assert read.to_dict()["table"] == made.to_dict()["table"]
        assert (read.table.pace, read.table.clock.decision) == (0.5, 30)
        assert [seat.bot for seat in read.table.seats] == [None, "greedy", None, "greedy"]
        assert isinstance(none, models.ApiError)
        assert none.error == "no_such_table"

        async with client.AuthenticatedClient(base_url=place.url, token=made.you.token) as host:
            put = models.PutBot(type_=models.PutBotType.TABLE_PUT_BOT, id="1", seat=2, bot="random")
            done = await tables["send_command"].asyncio(made.table.id, client=host, body=put)
            assert isinstance(done, models.Ack)
            read = await tables["read_table"].asyncio(made.table.id, client=host)
        assert [seat.bot for seat in read.table.seats] == [None, "greedy", "random", "greedy"]
