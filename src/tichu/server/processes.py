"""Several nodes on one machine behind one listener, each in a process of its own.

All of them accept from the same socket, so whoever has time takes the next connection.  Each has another one for the
other nodes.  A process that ends by itself is started again under its name and takes its tables back
(:mod:`.supervision`).
"""

import asyncio
import logging
import multiprocessing
import secrets
import signal
import socket
import time
from dataclasses import replace
from multiprocessing.process import BaseProcess
from typing import Final
from urllib.parse import urlsplit

from tichu.core.errors import GameError
from tichu.server.config import Config
from tichu.server.serve import listen, run
from tichu.server.store import StoreError, TakenOver
from tichu.server.supervision import REPLACED, Supervisor

__all__ = ["node_configs", "run_processes"]

log = logging.getLogger("tichu.server")

#: Seconds between two looks at the processes.
_LOOK_S: Final = 0.1


def node_configs(config: Config, processes: int, name: str = "", url: str = "", secret: str = "") -> list[Config]:
    """What each of the nodes is started with.

    >>> base = Config(database="postgresql://h/d")
    >>> [(one.node, one.node_url) for one in node_configs(base, 2, "m", "http://10.0.0.1:9000")]
    [('m-1', 'http://10.0.0.1:9000'), ('m-2', 'http://10.0.0.1:9001')]
    >>> node_configs(Config(database="sqlite:x.db"), 2)
    Traceback (most recent call last):
    tichu.core.errors.GameError: several processes share a PostgreSQL database: a SQLite file has one writer, ...
    """
    if not config.database.startswith(("postgresql://", "postgres://")):
        raise GameError(
            "several processes share a PostgreSQL database: a SQLite file has one writer, "
            "to whom the others would have to pass every entry (--database postgresql://...)"
        )
    name, secret = name or _host_name(), secret or secrets.token_urlsafe(24)
    parts = urlsplit(url or "http://127.0.0.1:0")
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    return [
        replace(
            config,
            node=f"{name}-{number + 1}",
            node_url=f"http://{host}:{parts.port + number if parts.port else 0}",
            node_secret=secret,
            metrics_port=config.metrics_port + number if config.metrics_port else 0,
        )
        for number in range(processes)
    ]


def _host_name() -> str:
    return "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in socket.gethostname())[:30] or "node"


class _Process:
    """One node in a process of its own; a :class:`~tichu.server.supervision.Child`."""

    def __init__(self, config: Config, place: socket.socket) -> None:
        self.name = config.node
        self._config = config
        self._place = place
        self._process: BaseProcess | None = None

    @property
    def is_alive(self) -> bool:
        return self._process is not None and self._process.is_alive()

    @property
    def exit_code(self) -> int | None:
        return None if self._process is None else self._process.exitcode

    def start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._process = context.Process(target=_serve, args=(self._config, self._place), daemon=False)
        self._process.start()

    def terminate(self) -> None:
        if self._process is not None:
            self._process.terminate()


def run_processes(configs: list[Config], place: socket.socket) -> bool:
    """Serve until a signal comes; False if the processes could not be kept running."""
    supervisor = Supervisor([_Process(config, place) for config in configs])
    for sign in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sign, lambda number, frame: supervisor.end())
    while supervisor.step():
        time.sleep(_LOOK_S)
    return supervisor.is_well


def _serve(config: Config, place: socket.socket) -> None:
    """The life of one process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # The parent says when to end.
    logging.basicConfig(format=f"%(asctime)s {config.node} %(levelname)s %(message)s", level=logging.INFO)
    url = urlsplit(config.node_url)
    try:
        with listen(url.hostname or "127.0.0.1", url.port or 0) as own:
            host, port = own.getsockname()[:2]
            there = f"[{host}]" if ":" in host else host
            asyncio.run(run(replace(config, node_url=f"http://{there}:{port}"), place, _nothing, own))
    except TakenOver as error:
        log.critical("%s", error)
        raise SystemExit(REPLACED) from None
    except StoreError as error:
        log.critical("%s", error)
        raise SystemExit(1) from None
    except OSError as error:
        log.critical("--node-url %s is no address of this machine that is free: %s", config.node_url, error)
        raise SystemExit(1) from None


async def _nothing(lobby: object) -> None:
    """The parent has said that there are tables."""
