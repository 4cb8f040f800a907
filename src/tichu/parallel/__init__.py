"""One map over many workers: in this process, in others of this machine, or on a Ray cluster.

Knows the core's errors and nothing of what is computed; the arena and the data tools run on it.
"""

from tichu.parallel.pool import Pool, ProcessPool, SerialPool, WorkerDied, count_processors, open_pool

__all__ = ["Pool", "ProcessPool", "SerialPool", "WorkerDied", "count_processors", "open_pool"]
