"""Exit statuses that are the same for all commands; 0 is a success, and click's own 2 a wrong command line."""

from typing import Final

__all__ = ["FAILED", "INTERRUPTED"]

#: The command was understood, and the answer is no, or something that it names is missing or wrong.
FAILED: Final = 1
#: After Ctrl-C.
INTERRUPTED: Final = 130
