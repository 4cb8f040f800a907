"""The command ``tichu``: beside the package, because to import that takes long enough for Ctrl-C to come in between."""

import sys

__all__ = ["main"]


def main() -> None:
    """Run the command line; whoever changes their mind while it is still being read is let go without a word."""
    try:
        from tichu.__main__ import main as command
    except KeyboardInterrupt:
        sys.exit(130)  # As tichu.cli.status.INTERRUPTED, which could not be read.
    command()
