"""``python -m tichu`` is the command ``tichu``."""

import sys

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


if __name__ == "__main__":
    main()
