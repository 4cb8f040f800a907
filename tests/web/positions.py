"""Deals and positions that lead to what is looked at."""

from typing import Final

__all__ = [
    "ASKED",
    "BOMB",
    "GIFT",
    "GIVEN",
    "LAST_CARD",
    "LEADING",
    "OUT",
    "OWED",
    "READINGS",
    "WAITING",
    "WISH",
]

LEADING: Final = (
    "2g4b4g5s8b9gQrAs+3s3r4s7sKbKr / Ma3g7b8r9sTsTgAb+2s2b4r6sJbKs"
    " / Do8s8g9rQsQgArDr+2r6b6rQbKgAg / 3b5b7g7rTbTrJsPh+5g5r6g9bJgJr"
)
GIVEN: Final = ("0-G", "1-G", "2-G", "3-G", "0>5sQr2g", "1>3g4rMa", "2>Do9r2r", "3>3b6g9b")
READINGS: Final = "3s6b6gQsQrPh/3b8s9sTs/4b4g7rJb/2g2r5sKb p0 - 25/25/25/25 - ---- - -/-/-/-"
WISH: Final = "3g5r8sTb/2s2b4r/4s9gKr/6b7bAs w0 0:Ma 15/30/15/15 - ---- - -/-/-/-"
OWED: Final = "3g5r8sTbAs/2s2b4r/4s9gKr/6b7b p0 3:7r 15/30/15/15 A ---- - -/-/-/-"
GIFT: Final = "5b6b9s/2gJb/4g8g/2r3r7s t0 0:Dr 15/25/15/15 - ---- - -/-/-/-"
BOMB: Final = "3s3r5b6b7b8b9bKg/4s4g9sTgJr/6s8gQsQrAg/2r7sJb p0 3:Dr 0/15/10/5 - ---T - -/-/-/-"
#: Seat 0 is asked for a bomb; only under bombs=ordered, such as in "courtesy".
ASKED: Final = BOMB.replace("p0 3:Dr", "b03 3:Dr")
WAITING: Final = "3g5r8sTbAs/2s2b4r/4s9gKr/6b7bKb p3 0:2g 15/30/15/15 - ---- - -/-/-/-"
OUT: Final = "-/2s2b3g4r5s/6g7b8r9s/TsJbQrKs p1 - 25/25/25/0 - ---- 0 -/-/-/-"
LAST_CARD: Final = "8b/2s2b3g4r5s6g7b8r9sTsJbKs/-/2g2r3b3s4b4g5b6b7g9rTrQgAr p0 - 20/15/25/0 - --T- 2 -/-/-/-"
