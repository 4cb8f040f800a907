"""nginx in front of the nodes, by the same file that is deployed (``deploy/cluster/nginx.conf``)."""

import asyncio
import os
import shutil
import subprocess
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from bench.cluster.nodes import ROOT, free_port, wait_port

__all__ = ["Balancer", "NoBalancer", "balancer", "find_nginx", "nginx_configuration"]

_SITE: Final = ROOT / "deploy" / "cluster" / "nginx.conf"
_HASH: Final = "    hash $tichu_table consistent;\n"
_LISTEN: Final = "listen 80;"
_TOKENS: Final = "    server_tokens off;\n"
_SERVERS: Final = tuple(f"    server tichu-{number}:8080" for number in (1, 2, 3))


class NoBalancer(Exception):
    """nginx is not installed."""


class Balancer:
    """A running nginx."""

    def __init__(self, process: "subprocess.Popen[bytes]", port: int) -> None:
        self._process = process
        self.port = port

    @property
    def pid(self) -> int:
        """Of its first process, whose children serve."""
        return self._process.pid


def nginx_configuration(folder: Path, port: int, nodes: Sequence[int], *, is_hashing: bool) -> Path:
    """The deployed site as it is, but for ports and, if wished, in turns instead of by table."""
    site = _SITE.read_text()
    for place in (_HASH, _LISTEN, _TOKENS, *_SERVERS):
        if site.count(place) != 1:
            raise ValueError(f"{_SITE.name} has {place.strip()!r} {site.count(place)} times")
    # Whoever makes a table wants to know which node has answered.
    site = site.replace(_TOKENS, f"{_TOKENS}    add_header X-Node $upstream_addr always;\n")
    site = site.replace(_LISTEN, f"listen 127.0.0.1:{port} backlog=4096;")
    for at, place in enumerate(_SERVERS):
        server = f"    server 127.0.0.1:{nodes[at]}" if at < len(nodes) else "    # no server"
        site = site.replace(place, server)
    if not is_hashing:
        site = site.replace(_HASH, "")
    (folder / "site.conf").write_text(site)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = "\n".join(f"    {kind}_temp_path {folder / kind};" for kind in kinds)
    user = "user root;" if os.geteuid() == 0 else ""
    configuration = folder / "nginx.conf"
    configuration.write_text(
        f"daemon off;\n{user}\npid {folder / 'pid'};\nerror_log stderr warn;\nworker_processes 1;\n"
        "worker_rlimit_nofile 65536;\nevents { worker_connections 32768; }\n"
        f"http {{\n    access_log off;\n{paths}\n    include {folder / 'site.conf'};\n}}\n"
    )
    return configuration


def find_nginx() -> str:
    """The program.

    :raises NoBalancer: there is none
    """
    program = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    if program is None:
        raise NoBalancer("nginx is not installed")
    return program


@asynccontextmanager
async def balancer(folder: Path, nodes: Sequence[int], *, is_hashing: bool, port: int = 0) -> AsyncIterator[Balancer]:
    """A balancer before these ports, until the end of the block; usually at a port that is free."""
    program = find_nginx()
    folder.mkdir(exist_ok=True)
    port = port or free_port()
    configuration = nginx_configuration(folder, port, nodes, is_hashing=is_hashing)
    log = folder / "nginx.log"
    with log.open("wb") as file:
        command = [program, "-p", str(folder), "-c", str(configuration)]
        process = subprocess.Popen(command, stdout=file, stderr=file, cwd=folder, start_new_session=True)
    try:
        await wait_port(port, process, log)
        yield Balancer(process, port)
    finally:
        process.terminate()
        try:
            await asyncio.to_thread(process.wait, 20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
