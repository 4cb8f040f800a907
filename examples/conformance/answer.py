"""An engine for the conformance suite in twenty lines: every question is answered by this library.

tichu conformance "python examples/conformance/answer.py"
"""

import json
import sys

from tichu.conformance import answer


def main() -> None:
    """Answer until somebody says quit."""
    for line in sys.stdin:
        if line.startswith("conformance "):
            sys.stdout.write("name tichu\nready\n")
        elif line.strip() == "quit":
            return
        else:
            sys.stdout.write(json.dumps(answer(json.loads(line))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
