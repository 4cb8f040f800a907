"""``deploy/cluster`` by its linters, and nginx as it spreads requests."""

import asyncio
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import click
import httpx
import pytest
import yaml
from prometheus_client import CollectorRegistry

from bench.cluster.balancer import NoBalancer, balancer, find_nginx, nginx_configuration
from bench.cluster.crowd import HEARTBEAT_S, PAGE
from tichu.cli.serve import serve
from tichu.server.cluster.metrics import NodeMetrics
from tichu.server.metrics import Metrics
from tichu.server.supervision import REPLACED

ROOT = Path(__file__).parents[2]
CLUSTER = ROOT / "deploy" / "cluster"
DOCS = ("docs/server.md", "docs/operations.md")


def program(name: str) -> str:
    """Where it is; a test that needs it is skipped where it is not, and fails in CI."""
    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    if found is None:
        _miss(f"no {name}")
    assert found is not None
    return found


def _miss(what: str) -> None:
    if os.environ.get("CI") == "true":
        pytest.fail(what)
    pytest.skip(what)


def run(*command: str | Path) -> None:
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def read(name: str) -> Any:
    return yaml.safe_load((CLUSTER / name).read_text())


def manifests() -> Iterator[tuple[str, dict[str, Any]]]:
    for path in sorted((CLUSTER / "kubernetes").glob("*.yaml")):
        for document in yaml.safe_load_all(path.read_text()):
            yield f"{document['kind']} {document['metadata']['name']}", document


# nginx.


@pytest.mark.parametrize("is_hashing", [True, False])
def test_nginx_accepts_its_site(tmp_path: Path, is_hashing: bool) -> None:
    nginx = program("nginx")
    configuration = nginx_configuration(tmp_path, 1, [2, 3, 4], is_hashing=is_hashing)
    run(nginx, "-t", "-p", tmp_path, "-c", configuration)


@asynccontextmanager
async def echoes(statuses: list[int]) -> AsyncIterator[tuple[list[int], list[str]]]:
    """Servers that answer with their status, and what they were asked."""
    asked: list[str] = []

    def answer(at: int) -> Any:
        async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            head = await reader.readuntil(b"\r\n\r\n")
            asked.append(f"{at} {head.split(b' ')[1].decode()}")
            writer.write(f"HTTP/1.1 {statuses[at]} x\r\nContent-Length: 1\r\nConnection: close\r\n\r\n{at}".encode())
            await writer.drain()
            writer.close()

        return accept

    servers = [await asyncio.start_server(answer(at), "127.0.0.1", 0) for at in range(len(statuses))]
    try:
        yield [server.sockets[0].getsockname()[1] for server in servers], asked
    finally:
        for server in servers:
            server.close()


async def spread(folder: Path, paths: list[str], *, is_hashing: bool = True, statuses: list[int] | None = None) -> str:
    """Which node answers each of these."""
    try:
        find_nginx()
    except NoBalancer as error:
        _miss(f"no nginx: {error}")
    async with (
        echoes(statuses or [200, 200, 200]) as (ports, _),
        balancer(folder, ports, is_hashing=is_hashing) as front,
        httpx.AsyncClient(base_url=f"http://127.0.0.1:{front.port}", timeout=30) as client,
    ):
        return "".join([(await client.get(path)).text for path in paths])


@pytest.mark.anyio
async def test_whatever_names_a_table_goes_to_one_node(tmp_path: Path) -> None:
    tables = [f"Ab{number:02}-_cdEFgh" for number in range(30)]
    ways = (
        "/ws/v1/tables/{}",
        "/api/tables/{}",
        "/api/tables/{}/commands",
        "/api/tables/{}/stream?x=1",
        "/tichu/api/tables/{}",
    )
    answers = await spread(tmp_path, [way.format(table) for table in tables for way in ways])
    nodes = [set(answers[at : at + len(ways)]) for at in range(0, len(answers), len(ways))]
    assert all(len(some) == 1 for some in nodes), answers
    assert Counter(node for some in nodes for node in some).keys() == {"0", "1", "2"}


@pytest.mark.anyio
async def test_whatever_is_about_the_review_of_a_game_goes_to_one_node(tmp_path: Path) -> None:
    ways = ("/api/games/{}/review", "/ws/v1/reviews/{}", "/tichu/ws/v1/reviews/{}")
    answers = await spread(tmp_path, [way.format(f"Ab{number:02}-_cd") for number in range(30) for way in ways])
    nodes = [set(answers[at : at + len(ways)]) for at in range(0, len(answers), len(ways))]
    assert all(len(some) == 1 for some in nodes), answers
    assert Counter(node for some in nodes for node in some).keys() == {"0", "1", "2"}


@pytest.mark.anyio
async def test_what_names_none_goes_anywhere(tmp_path: Path) -> None:
    assert set(await spread(tmp_path, ["/", "/ws/v1", "/api/tables"] * 20)) == {"0", "1", "2"}


@pytest.mark.anyio
async def test_in_turns_a_table_comes_to_all_nodes(tmp_path: Path) -> None:
    assert set(await spread(tmp_path, ["/ws/v1/tables/abc"] * 6, is_hashing=False)) == {"0", "1", "2"}


@pytest.mark.anyio
async def test_a_node_that_cannot_answer_for_one_table_is_asked_for_others(tmp_path: Path) -> None:
    paths = [f"/ws/v1/tables/table{number}" for number in range(40)]
    assert set(await spread(tmp_path, paths, statuses=[503, 200, 502])) == {"0", "1", "2"}


def page_seconds(name: str) -> float:
    """A constant of the page's connection."""
    text = (ROOT / "web" / "src" / "lib" / "connection.ts").read_text()
    (found,) = re.findall(rf"^const {name} = ([\d_]+);", text, re.M)
    return int(found.replace("_", "")) / 1000


def socket_timeout() -> float:
    """How long nginx waits for a node to say something over a socket."""
    (found,) = re.findall(r"/ws/v1 \{[^}]*proxy_read_timeout (\d+)s;", (CLUSTER / "nginx.conf").read_text())
    return float(found)


def test_nginx_asks_the_next_node_while_the_page_still_waits_and_cuts_nothing_that_it_still_believes_in() -> None:
    assert socket_timeout() + 2 <= page_seconds("OPEN_TIMEOUT")
    late = 2 * page_seconds("HEARTBEAT")
    assert page_seconds("PING_AFTER") + page_seconds("PONG_TIMEOUT") + late <= socket_timeout() <= 10


def test_the_crowd_of_the_cluster_is_as_patient_as_the_page() -> None:
    names = ("OPEN_TIMEOUT", "WELCOME_TIMEOUT", "PING_AFTER", "PONG_TIMEOUT")
    assert tuple(map(page_seconds, names)) == PAGE
    assert page_seconds("HEARTBEAT") == HEARTBEAT_S


@pytest.mark.anyio
async def test_a_page_gets_past_a_node_that_stands_still(tmp_path: Path) -> None:
    try:
        find_nginx()
    except NoBalancer as error:
        _miss(f"no nginx: {error}")
    hung, is_over = asyncio.Event(), asyncio.Event()

    async def hang(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        hung.set()
        await is_over.wait()
        writer.close()

    still = await asyncio.start_server(hang, "127.0.0.1", 0)
    async with still, echoes([200, 200]) as (others, _):
        ports = [still.sockets[0].getsockname()[1], *others]
        async with balancer(tmp_path, ports, is_hashing=True) as front:

            async def open_socket(table: int) -> bytes:
                reader, writer = await asyncio.open_connection("127.0.0.1", front.port)
                handshake = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13"
                writer.write(f"GET /ws/v1/tables/t{table} HTTP/1.1\r\nHost: x\r\n{handshake}\r\n\r\n".encode())
                try:
                    return await asyncio.wait_for(reader.readline(), page_seconds("OPEN_TIMEOUT"))
                finally:
                    writer.close()

            answers = await asyncio.gather(*map(open_socket, range(12)))
            is_over.set()
            await asyncio.sleep(0)
    assert hung.is_set()
    assert all(b" 200 " in answer for answer in answers), answers


def test_the_numbers_stay_inside() -> None:
    assert "return 404;" in (CLUSTER / "nginx.conf").read_text()


# Prometheus and its dashboard.


def alarms() -> dict[str, str]:
    (group,) = read("alarms.yml")["groups"]
    return {rule["alert"]: rule["expr"] for rule in group["rules"]}


def dashboard() -> list[str]:
    panels = json.loads((CLUSTER / "grafana" / "tichu.json").read_text())["panels"]
    return [target["expr"] for panel in panels for target in panel["targets"]]


def test_promtool_accepts_configuration_and_alarms(tmp_path: Path) -> None:
    promtool = program("promtool")
    for name in ("prometheus.yml", "alarms.yml"):
        shutil.copy(CLUSTER / name, tmp_path)
    (tmp_path / "metrics_token").write_text("token")
    run(promtool, "check", "config", tmp_path / "prometheus.yml")


def test_promtool_can_read_what_the_dashboard_asks(tmp_path: Path) -> None:
    promtool = program("promtool")
    rules = [{"record": f"panel:{at}", "expr": query} for at, query in enumerate(dashboard())]
    path = tmp_path / "rules.yml"
    path.write_text(yaml.safe_dump({"groups": [{"name": "dashboard", "rules": rules}]}))
    run(promtool, "check", "rules", path)


def test_every_number_that_is_asked_for_is_counted() -> None:
    metrics = Metrics()
    NodeMetrics(metrics.registry, "a", lambda: 1.0)
    known = {name for family in _families(metrics.registry) for name in family}
    asked = {name for query in (*alarms().values(), *dashboard()) for name in re.findall(r"tichu_\w+", query)}
    assert len(asked) > 15
    assert asked <= known


def _families(registry: CollectorRegistry) -> Iterator[set[str]]:
    for family in registry.collect():
        suffixes = {"counter": ("_total",), "histogram": ("_bucket", "_count", "_sum")}.get(family.type, ("",))
        yield {family.name + suffix for suffix in suffixes}


def test_the_alarms_of_the_docs_are_those_of_the_file() -> None:
    told = set()
    for name in DOCS:
        cells = re.findall(r"^\| `([^`]+)` \|", (ROOT / name).read_text(), re.M)
        told |= {cell.replace("\\|", "|") for cell in cells if re.search(r" (>|<|==) [0-9.]+$", cell)}
    assert told == set(alarms().values())


# Kubernetes.


@pytest.mark.parametrize(
    ("name", "document"), list(manifests()), ids=lambda part: part if isinstance(part, str) else ""
)
def test_kubernetes_accepts_it(name: str, document: dict[str, Any]) -> None:
    if importlib.util.find_spec("kubernetes_validate") is None:
        _miss("no kubernetes-validate")
    import kubernetes_validate

    for version in ("1.31", kubernetes_validate.latest_version()):
        kubernetes_validate.validate(document, version, strict=True)


# Options.


def options() -> set[str]:
    return {str(option.envvar) for option in serve.params if isinstance(option, click.Option) and option.envvar}


def environments() -> Iterator[tuple[str, set[str]]]:
    """The variables that each node is given, by file."""
    for name, service in read("compose.yaml")["services"].items():
        if name.startswith("tichu"):
            yield f"compose {name}", set(service["environment"])
    documents = [document for _, document in manifests()]
    shared = next(set(one["data"]) for one in documents if one["kind"] == "ConfigMap")
    for one in documents:
        if one["kind"] == "StatefulSet" and one["metadata"]["name"] == "tichu":
            (container,) = one["spec"]["template"]["spec"]["containers"]
            yield "kubernetes", shared | {variable["name"] for variable in container["env"]}
    unit = (CLUSTER / "systemd" / "tichu-node@.service").read_text()
    yield "systemd", set(re.findall(r"TICHU_\w+", unit)) | {"TICHU_NODE"}


@pytest.mark.parametrize(
    ("name", "given"), list(environments()), ids=lambda part: part if isinstance(part, str) else ""
)
def test_a_node_is_told_what_it_must_know_and_nothing_that_does_not_exist(name: str, given: set[str]) -> None:
    assert given <= options(), name
    needed = {"NODE", "NODE_URL", "NODE_SECRET", "DATABASE", "PUBLIC_URL", "TRUSTED_PROXIES", "METRICS_TOKEN"}
    assert {f"TICHU_{word}" for word in needed} <= given, name


def test_the_names_in_compose_are_those_that_nginx_and_prometheus_ask() -> None:
    services = read("compose.yaml")["services"]
    nodes = {name for name in services if name.startswith("tichu-")}
    assert set(re.findall(r"^    server (tichu-\d):8080 ", (CLUSTER / "nginx.conf").read_text(), re.M)) == nodes
    (job,) = read("prometheus.yml")["scrape_configs"]
    assert {target for one in job["static_configs"] for target in one["targets"]} == {f"{one}:8080" for one in nodes}
    for name in nodes:
        environment = services[name]["environment"]
        assert (environment["TICHU_NODE"], environment["TICHU_NODE_URL"]) == (name, f"http://{name}:8080")
        assert environment["TICHU_TRUSTED_PROXIES"] == services["balancer"]["networks"]["inside"]["ipv4_address"]


def test_every_file_that_compose_mounts_is_there_and_every_image_is_pinned() -> None:
    services = read("compose.yaml")["services"]
    mounted = [
        volume.partition(":")[0]
        for service in services.values()
        for volume in service.get("volumes", [])
        if volume.startswith("./")
    ]
    assert len(mounted) == 6
    assert all((CLUSTER / path).is_file() for path in mounted)
    images = {service["image"] for service in services.values()} - {"tichu"}
    assert all(re.fullmatch(r"[a-z/]+:v?\d+\.\d+(\.\d+)?(-[a-z]+)?", image) for image in images), images


def test_docker_accepts_compose() -> None:
    docker = shutil.which("docker")
    if docker is None or subprocess.run([docker, "compose", "version"], capture_output=True, check=False).returncode:
        # Not even in CI: it is not among the system's packages.
        pytest.skip("no docker compose")
    secrets = dict.fromkeys(("POSTGRES_PASSWORD", "TICHU_NODE_SECRET", "TICHU_METRICS_TOKEN"), "x" * 16)
    command = [docker, "compose", "-f", str(CLUSTER / "compose.yaml"), "config", "--quiet"]
    ran = subprocess.run(command, env=os.environ | secrets, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


# systemd.


@pytest.mark.parametrize("name", ["tichu.service", "cluster/systemd/tichu-node@.service"])
def test_systemd_accepts_the_unit(tmp_path: Path, name: str) -> None:
    analyze = program("systemd-analyze")
    unit = (ROOT / "deploy" / name).read_text()
    assert unit.count("/opt/tichu/bin/tichu serve") == 1
    # Programs must be there; this one is.
    path = tmp_path / Path(name).name.replace("@", "@a")
    path.write_text(unit.replace("/opt/tichu/bin/tichu serve", f"{sys.executable} -m tichu serve"))
    ran = subprocess.run([analyze, "verify", path], capture_output=True, text=True, check=False)
    ours = [line for line in ran.stderr.splitlines() if path.name in line]
    assert (ran.returncode, ours) == (0, []), ran.stderr


def test_a_node_whose_name_another_one_has_is_not_started_again() -> None:
    unit = (CLUSTER / "systemd" / "tichu-node@.service").read_text()
    assert f"\nRestartPreventExitStatus={REPLACED}\n" in unit
