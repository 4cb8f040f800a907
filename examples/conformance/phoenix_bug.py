"""The same engine with a bug that is easily made: the Phoenix is taken for the wished card.

tichu conformance "python examples/conformance/phoenix_bug.py"
"""

import json
import sys

from tichu.conformance import answer


def main() -> None:
    """Answer as if every rule set had phoenix_grants_wish=yes."""
    for line in sys.stdin:
        if line.startswith("conformance "):
            sys.stdout.write("name Phoenix bug\nready\n")
        elif line.strip() == "quit":
            return
        else:
            question = json.loads(line)
            if "rules" in question and "phoenix_grants_wish" not in question["rules"]:
                question["rules"] += " phoenix_grants_wish=yes"
            sys.stdout.write(json.dumps(answer(question)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
