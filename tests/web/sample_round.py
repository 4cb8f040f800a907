"""A round to look at: a wish, a bomb, a Tichu that is made, the Dragon given away.  Seat 0 plays the last card."""

from typing import Any, Final

__all__ = ["BOTS", "at_table", "owing"]

BOTS: Final = ("you", "heuristic", "heuristic", "heuristic")

_DEAL: Final = (
    "2g4b4g5s8b9gQrAs+3s3r4s7sKbKr / Ma3g7b8r9sTsTgAb+2s2b4r6sJbKs"
    " / Do8s8g9rQsQgArDr+2r6b6rQbKgAg / 3b5b7g7rTbTrJsPh+5g5r6g9bJgJr"
)
_TRICKS: Final = """
0-G 1-G 2-G 3-G
0>5sQr2g 1>3gMa4r 2>Do9r2r 3>3b6g9b
3:Ma 3?9 2+T 2:9b 1:Ts 0:As 3:Ph 2:- 1:- 0:- 3!
3:2g 2:3g 1:6s 0:7s 3:- 2:Kg 1:Ab 0:- 3:- 2:- 1!
1:5s6g7b8r9sTgJb 0:- 3:- 2:- 1!
1:2s2b2r 0:4s4b4g4r 3:- 2:- 1:- 0!
0:3s3b3r9g9r 3:5b5g5rTbTr 2:6b6rQsQbQg 1:- 0:- 3:- 2!
2:8s8g 1:- 0:- 3:- 2!
2:Dr 1:- 0:- 3:- 2!3
2:Ag 1:- 0:- 3:- 2!
2:Ar 1:- 0:- 3:- 2!
2:Qr 1:Ks 0:- 3:- 1!
0:Kb 3:- 0!
0:Kr 3:- 0!
0:8b
"""


def at_table(before: str = "", time: int = 1) -> dict[str, Any]:
    """Settings of a table where everything has happened before this action, when it comes for the nth time.

    Without an action nothing but the deal has happened.
    """
    actions = _TRICKS.split()
    at = -1
    for _ in range(time if before else 0):
        at = actions.index(before, at + 1)
    return {"deal": _DEAL, "actions": actions[: max(at, 0)]}


def owing() -> dict[str, Any]:
    """Settings of a table where seat 0 has all cards, a bomb, the call of Tichu, and owes a wish."""
    before = at_table("3:Ma")
    return {**before, "actions": [*before["actions"], "3:Ma", "3?4", "2:-", "1:-"]}
