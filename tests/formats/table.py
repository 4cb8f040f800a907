"""A BrettspielWelt log put together by hand.

After the exchange of the usual deal seat 0 holds all twos, threes and fours, the Mah Jong and the Dog; seat 1 all
fives, sevens and eights, the Phoenix and the Dragon; seat 2 all sixes, nines and tens and two aces; seat 3 the rest.
Of the deal ``SUITED`` each seat holds a suit: swords and the Mah Jong, pagodas and the Phoenix, jade and the Dragon,
stars and the Dog.
"""

from tichu import format_action
from tichu.core.record import RoundRecord
from tichu.formats.bsw import read_tch

NAMES = ("Ada", "Ben", "Cho", "Dov")

# Per seat what it keeps, and what it gives to the seats 1, 2 and 3 further on.
RANKED = (
    ("R4 G4 B4 S4 S3 B3 R3 G3 R2 Ma Hu", "S5 S6 SB"),
    ("Dr Ph S8 G8 R8 B8 R7 G7 S7 B7 R5", "B6 BB S2"),
    ("SA BA B10 G10 S10 R10 G9 S9 B9 R9 R6", "GB B2 B5"),
    ("GA RA BK SK RK GK BD SD GD RD RB", "G2 G5 G6"),
)
SUITED = (
    ("SB S10 S9 S8 S7 S6 S5 S4 S3 S2 Ma", "BD GK RA"),
    ("Ph BB B10 B9 B8 B7 B6 B5 B4 B3 B2", "GD RK SA"),
    ("Dr GB G10 G9 G8 G7 G6 G5 G4 G3 G2", "RD SK BA"),
    ("RB R10 R9 R8 R7 R6 R5 R4 R3 R2 Hu", "SD BK GA"),
)
#: Nobody holds a bomb, before the exchange or after it.
ALTERNATING = (
    ("SA RK GD BB S10 R9 G8 B7 S6 R5 Ma", "S2 B3 G4"),
    ("Ph BA SK RD GB B10 S9 R8 G7 B6 S5", "B2 G3 R4"),
    ("Dr GA BK SD RB G10 B9 S8 R7 G6 B5", "G2 R3 S4"),
    ("RA GK BD SB R10 G9 B8 S7 R6 G5 Hu", "R2 S3 B4"),
)
_RANKS = ("r", "h", "A", "K", "D", "B", "10", "9", "8", "7", "6", "5", "4", "3", "2", "a", "u")

EIGHTS = "---------------Gr.Tichukarten------------------"
HANDS = "---------------Startkarten------------------"
GIFTS = "Schupfen:"
BOMBS = "BOMBE: (0){0} (1){1} (2){2} (3){3} "
PLAYS = "---------------Rundenverlauf------------------"


def _falling(cards: list[str]) -> str:
    """The highest first, each followed by a blank."""
    return "".join(f"{card} " for card in sorted(cards, key=lambda card: _RANKS.index(card[1:])))


def opening(
    calls: str = "",
    before: str = "",
    bombs: str = BOMBS,
    names: tuple[str, ...] = NAMES,
    deal: tuple[tuple[str, str], ...] = RANKED,
) -> list[str]:
    """The lines up to the first lead: who calls Grand Tichu, who Tichu before the exchange."""
    hands = [f"{kept} {gifts}".split() for kept, gifts in deal]
    lines = [EIGHTS]
    lines += [f"({seat}){{{seat}}} {_falling(hand[3:11])}" for seat, hand in enumerate(hands)]
    lines.append(HANDS)
    lines += [f"({seat}){{{seat}}} {_falling(hand)}" for seat, hand in enumerate(hands)]
    lines += [f"Grosses Tichu: ({seat}){{{seat}}}" for seat in calls]
    lines += [f"Tichu: ({seat}){{{seat}}}" for seat in before]
    lines.append(GIFTS)
    for seat, (_, gifts) in enumerate(deal):
        given = [f"{{{(seat + distance) & 3}}}: {card} - " for distance, card in enumerate(gifts.split(), start=1)]
        lines.append(f"({seat}){{{seat}}} gibt: {''.join(given)}")
    return [line.format(*names) for line in [*lines, *([bombs] if bombs else []), PLAYS]]


def play(text: str, names: tuple[str, ...] = NAMES) -> list[str]:
    """Lines of play from short ones: ``0: S2 B2, 1 passt., Tichu: 3, Wunsch:4``."""
    lines = []
    for short in text.split(", "):
        seat = short[0]
        if seat in "0123":
            rest = short[1:] if short.endswith("passt.") else f"{short[1:]} "
            lines.append(f"({seat}){names[int(seat)]}{rest}")
        elif short.startswith(("Tichu: ", "Drache an: ", "Grosses Tichu: ")):
            lines.append(f"{short[:-1]}({short[-1]}){names[int(short[-1])]}")
        else:
            lines.append(short)
    return lines


def passes(*seats: int) -> str:
    return ", ".join(f"{seat} passt." for seat in seats)


#: Seat 3 leads all it has but a queen, while seat 1 holds all its cards.
ONLY_A_QUEEN_LEFT = ", ".join(
    [
        "0: Hu, 2: S9, 3: GA",
        *(f"{passes(0, 1, 2, 3)}, 3: {cards}" for cards in ("RA", "SB BB GB RB", "SK BK GK RK", "SD BD GD")),
        passes(0, 1, 2, 3),
    ]
)
#: A round to its end: a bomb out of turn, the Dragon given away, a double victory of seats 3 and 1.
TO_THE_LAST_TRICK = ", ".join(
    [
        "0: S3 B3 S2 B2 G2, 1: S8 B8 G8 S7 B7, 2: S10 B10 G10 S9 B9, 3: SK BK GK SD BD",
        passes(0, 1, 2, 3),
        "3: SB BB GB RB",
        passes(0, 1, 2, 3),
        "3: GA RA",
        passes(0, 1, 2, 3),
        "3: GD RD",
        passes(0, 1, 2, 3),
        "3: RK, 1: S5 B5 G5 R5, 2 passt., 0 passt., 1 passt.",
        "1: G7 R7, 2: G9 R9, 0 passt., 1 passt., 2 passt.",
        "2: SA BA, 0 passt., 1 passt., 2 passt.",
        "2: R10, 0 passt., 1: Dr, 2 passt., 0 passt., 1 passt., Drache an: 2",
    ]
)
WHOLE = f"{TO_THE_LAST_TRICK}, 1: Ph R8, Ergebnis: 0 - 200"
WHOLE_IN_TTN = (
    "0-G 1-G 2-G 3-G 0>5s6sJs 1>6bJb2s 2>Jg2b5b 3>2g5g6g "
    "0:2s2b2g3s3b 1:7s7b8s8b8g 2:9s9bTsTbTg 3:QsQbKsKbKg 0:- 1:- 2:- 3! "
    "3:JsJbJgJr 0:- 1:- 2:- 3! 3:AgAr 0:- 1:- 2:- 3! 3:QgQr 0:- 1:- 2:- 3! "
    "3:Kr 1:5s5b5g5r 2:- 0:- 1! 1:7g7r 2:9g9r 0:- 1:- 2! 2:AsAb 0:- 1:- 2! "
    "2:Tr 0:- 1:Dr 2:- 0:- 1!2 1:8rP8"
)


def text_of(*parts: list[str]) -> str:
    return "".join(f"{line}\n" for part in parts for line in part)


def one_round(text: str) -> RoundRecord:
    """The only round of a log, read without an error."""
    (one,) = read_tch(text).rounds
    assert isinstance(one, RoundRecord), one
    return one


def actions(text: str) -> str:
    """What is done in the only round of a log, as TTN."""
    return " ".join(format_action(*action) for action in one_round(text).actions)


def plays_of(text: str) -> str:
    """What is done after the exchange."""
    return actions(text).partition(" 3>")[2].partition(" ")[2]


def fault(text: str) -> str:
    """What is wrong with the only round of a log."""
    (one,) = read_tch(text).rounds
    assert not isinstance(one, RoundRecord)
    return str(one)
