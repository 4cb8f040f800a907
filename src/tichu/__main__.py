"""``python -m tichu`` is the command ``tichu``."""

import os
import sys
from contextlib import suppress

__all__ = ["main"]


def main() -> None:
    """Run the command line; whoever changes their mind while it is still being read is let go without a word."""
    try:
        from tichu.cli import main as command_line
        from tichu.cli.status import INTERRUPTED
    except KeyboardInterrupt:
        sys.exit(130)  # As INTERRUPTED, which could not be read.
    try:
        command_line(prog_name="tichu")
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    finally:
        _drop_unwritten()


def _drop_unwritten() -> None:
    """What could not be written has been told; Python would try again at the end, and complain once more."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            with suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        except (AttributeError, ValueError):
            continue  # It is closed.


if __name__ == "__main__":
    main()
