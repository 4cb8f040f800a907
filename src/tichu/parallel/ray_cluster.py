"""Work on a Ray cluster (``pip install tichu[ray]``).

Every machine of the cluster needs this package, and at the same paths whatever files and programs the bots are.
"""

import os
import socket
from collections import deque
from collections.abc import Callable, Generator, Iterable
from importlib import import_module
from typing import Any, Final, TypeVar

from tichu.core.errors import GameError
from tichu.parallel.pool import WorkerDied

__all__ = ["RayCluster"]

_QUEUED: Final = 4
_CONNECT_S: Final = 5.0

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")


class RayCluster:
    """The processes of a cluster; the address ``local`` starts one on this machine.

    :raises GameError: Ray is not installed, or there is no cluster at the address
    """

    def __init__(self, address: str, processes: int | None = None) -> None:
        _check_address(address)
        # Nothing is told to anybody about a cluster that we start.
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        # Ray is large and comes as an extra: typed by what little is used of it.
        try:
            self._ray: Any = import_module("ray")
        except ImportError:
            raise GameError("--ray needs Ray: pip install 'tichu[ray]'") from None
        own: dict[str, object] = {"include_dashboard": False, "num_cpus": processes} if address == "local" else {}
        try:
            self._ray.init(address=address, log_to_driver=False, logging_level="ERROR", **own)
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise GameError(f"no Ray cluster at {address!r}: {str(error).splitlines()[0]}") from None
        self._most_queued = _QUEUED * max(int(self._ray.cluster_resources().get("CPU", 1)), 1)

    def map(self, work: Callable[[_Task], _Result], tasks: Iterable[_Task]) -> Generator[_Result, None, None]:
        """See :class:`~tichu.parallel.pool.Pool`.

        :raises WorkerDied: a process has ended by itself
        :raises GameError: the work, or the cluster, says why it cannot go on
        """

        # Ray takes a function and nothing else that can be called.
        def run(task: _Task) -> _Result:
            return work(task)

        remote = self._ray.remote(run)
        waiting: deque[Any] = deque()
        try:
            for task in tasks:
                waiting.append(remote.remote(task))
                if len(waiting) >= self._most_queued:
                    yield self._ray.get(waiting.popleft())
            while waiting:
                yield self._ray.get(waiting.popleft())
        except self._ray.exceptions.WorkerCrashedError:
            raise WorkerDied from None
        except self._ray.exceptions.RayTaskError as error:
            # Its text is a traceback of the other machine; what was raised there is told as if it were raised here.
            raise error.cause if isinstance(error.cause, Exception) else error from None
        except self._ray.exceptions.RayError as error:
            raise GameError(f"the Ray cluster has failed: {str(error).strip().splitlines()[0]}") from None
        finally:
            for reference in waiting:
                self._ray.cancel(reference)

    def close(self) -> None:
        """Leave the cluster; one that was started here ends."""
        self._ray.shutdown()


def _check_address(address: str) -> None:
    """Whether anybody listens at ``host:port``: Ray itself would try for many minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not port.isdecimal():
        return
    try:
        socket.create_connection((host, int(port)), _CONNECT_S).close()
    except (OSError, OverflowError) as error:
        raise GameError(f"no Ray cluster at {address!r}: {error}") from None
