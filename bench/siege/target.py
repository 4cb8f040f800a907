"""``tichu serve`` on a machine whose date can be set: the process that is besieged.

Orders come over standard input, a line each, and are answered with a number over the pipe that is the first argument:
``date SECONDS`` steps the wall clock as an administrator or a time server would, for everything in this process that
reads it; ``count`` searches for garbage and answers with the number of objects that are left.  Nothing else differs
from the command.
"""

import ctypes
import gc
import os
import sys
import threading
import time
from contextlib import suppress

_step = 0.0
_date = time.time


def _stepped() -> float:
    return _date() + _step


def _obey(answers: int) -> None:
    global _step
    for line in sys.stdin:
        order, _, argument = line.strip().partition(" ")
        if order == "date":
            _step += float(argument)
        elif order == "count":
            gc.collect()
            with suppress(OSError, AttributeError):
                ctypes.CDLL("libc.so.6").malloc_trim(0)
        os.write(answers, f"{sys.getallocatedblocks()}\n".encode())


def main() -> None:
    """Serve until a signal comes."""
    time.time = _stepped
    threading.Thread(target=_obey, args=(int(sys.argv[1]),), name="orders", daemon=True).start()
    from tichu.cli import main as tichu

    tichu(["serve", *sys.argv[2:]])


if __name__ == "__main__":
    main()
