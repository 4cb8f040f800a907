"""``tichu serve`` on a machine whose date can be set: the process that is besieged.

Orders come over standard input, a line each, and are answered with JSON over the pipe that is the first argument:
``date SECONDS`` steps the wall clock as an administrator or a time server would, for everything in this process that
reads it; ``count`` searches for garbage and answers with the number of objects that are left; ``steps`` answers with
the two longest steps of each kind of the event loop since it was last asked.  Nothing else differs from the command.

Steps are measured in time of the processor, so that a busy machine does not count.
"""

import asyncio
import ctypes
import gc
import json
import os
import re
import sys
import threading
import time
from contextlib import suppress

_MOST_STEPS = 12
#: Longer steps are noted.
_LONG_S = 0.002

#: Of a table, a person or a game, in a path.
_CODE = re.compile(r"(?<=/)[A-Za-z0-9_-]{6,}(?=/|$)")

_step = 0.0
_long_steps: dict[str, list[float]] = {}
_date = time.time


def _stepped() -> float:
    return _date() + _step


def _obey(answers: int) -> None:
    global _step
    for line in sys.stdin:
        order, _, argument = line.strip().partition(" ")
        if order == "date":
            _step += float(argument)
            answer: object = _step
        elif order == "count":
            gc.collect()
            with suppress(OSError, AttributeError):
                ctypes.CDLL("libc.so.6").malloc_trim(0)
            answer = sys.getallocatedblocks()
        else:
            longest = sorted(_long_steps.items(), key=lambda kind: -kind[1][0])[:_MOST_STEPS]
            answer = {name: [1000 * seconds for seconds in taken] for name, taken in longest}
            _long_steps.clear()
        os.write(answers, json.dumps(answer).encode() + b"\n")


def _watch_steps() -> None:
    """Have every step of the event loop measured."""
    run = asyncio.Handle._run

    def measured(handle: asyncio.Handle) -> None:
        name = _name_of(handle)  # Before it runs: a coroutine that has ended no longer knows what it was for.
        began = time.thread_time()
        run(handle)
        taken = time.thread_time() - began
        if taken > _LONG_S:
            _long_steps[name] = sorted([taken, *_long_steps.get(name, ())], reverse=True)[:2]

    asyncio.Handle._run = measured  # type: ignore[assignment, method-assign]


def _name_of(handle: asyncio.Handle) -> str:
    """Of the coroutine, with the path of a request, or of the function."""
    callback = getattr(handle, "_callback", None)
    owner = getattr(callback, "__self__", None)
    if isinstance(owner, asyncio.Task):
        coroutine = owner.get_coro()
        name = str(getattr(coroutine, "__qualname__", coroutine))
        frame = getattr(coroutine, "cr_frame", None) if name.endswith(".run_asgi") else None
        scope = getattr(frame.f_locals.get("self"), "scope", None) if frame else None
        return f"{name} {_CODE.sub('CODE', scope['path'])}" if scope else name
    return f"{type(owner).__name__}.{getattr(callback, '__name__', callback)}"


def main() -> None:
    """Serve until a signal comes."""
    time.time = _stepped
    _watch_steps()
    threading.Thread(target=_obey, args=(int(sys.argv[1]),), name="orders", daemon=True).start()
    from tichu.cli import main as tichu

    tichu(["serve", *sys.argv[2:]])


if __name__ == "__main__":
    main()
