"""The lines of a BrettspielWelt log, one by one.

What a line means depends on the section it is in, because a player may be called anything: ``(2)Tichu: S4 R2 `` is a
play by somebody called "Tichu" or the cards of somebody called "Tichu:".  So lines are read in order, and nothing is
refused here: a line that cannot be read has the kind ``UNKNOWN`` and says why.

Names are kept apart.  The pattern of a line has ``{2}`` where the line has the name of seat 2, and ``{{`` for a brace.
"""

import re
from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Final, NamedTuple

from tichu.core.cards import Card

__all__ = ["CARD_TEXTS", "RANK_TEXTS", "SECTIONS", "SILENT", "Line", "LineKind", "fill_in", "parse_lines"]

#: 2 to A; B and D are jack and queen.
RANK_TEXTS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "B", "D", "K", "A")
#: By card; S B G R are swords, pagodas, jade, stars, and Hu is the Dog.
CARD_TEXTS: Final = ("Ma", "Hu", "Ph", "Dr", *(suit + rank for rank in RANK_TEXTS for suit in "SBGR"))
_CARD_OF_TEXT: Final = {text: card for card, text in enumerate(CARD_TEXTS)}


class LineKind(Enum):
    """The kinds of lines; the value is how the line is written, or the word it is known by."""

    EIGHTS = "---------------Gr.Tichukarten------------------"
    HANDS = "---------------Startkarten------------------"
    GIFTS = "Schupfen:"
    PLAYS = "---------------Rundenverlauf------------------"
    GRAND = "Grosses Tichu"
    TICHU = "Tichu"
    DRAGON = "Drache an"
    BOMBS = "BOMBE"
    WISH = "Wunsch"
    RESULT = "Ergebnis"
    HAND = "cards"
    GIFT = "gibt"
    PLAY = "play"
    PASS = "passt."
    BLANK = ""
    #: The same as the line before.
    DOUBLED = "doubled"
    #: The last line of a file that does not end with a line's end, unless it may be whole.
    CUT = "cut"
    UNKNOWN = "unknown"


#: The lines that open a section, in order.
SECTIONS: Final = {kind.value: kind for kind in (LineKind.EIGHTS, LineKind.HANDS, LineKind.GIFTS, LineKind.PLAYS)}
#: Lines that say nothing about the game.
SILENT: Final = (LineKind.BLANK, LineKind.DOUBLED)
#: How many cards the hands of a section have.
HAND_SIZES: Final = {LineKind.EIGHTS: 8, LineKind.HANDS: 14}


class Line(NamedTuple):
    """One line: where it stands, what it says."""

    number: int
    text: str
    kind: LineKind
    #: Seats and what they are called, in the order of the line.
    names: tuple[tuple[int, str], ...] = ()
    #: Where in the text the names begin.
    starts: tuple[int, ...] = ()
    #: Who does it, or who gets the Dragon's trick.
    seat: int = -1
    #: In written order.
    cards: tuple[Card, ...] = ()
    #: The rank that is wished for; the score; the seats that hold a bomb.
    numbers: tuple[int, ...] = ()
    #: What is wrong with the line.
    fault: str = ""

    @property
    def pattern(self) -> str:
        """The line with a mark for each name."""
        pattern, end = "", 0
        for (seat, name), start in zip(self.names, self.starts, strict=True):
            pattern += f"{_escape(self.text[end:start])}{{{seat}}}"
            end = start + len(name)
        return pattern + _escape(self.text[end:])


# Patterns with many names take long to fail on a long line.
_LONGEST: Final = 500
_CARD: Final = r"(?:Dr|Ph|Ma|Hu|[RGBS](?:10|[2-9BDKA]))"
_CARDS: Final = rf"((?:{_CARD} +)*{_CARD}) *"
_HAND: Final = re.compile(rf"\(([0-3])\)(.*?) {_CARDS}")
_GIFT: Final = re.compile(rf"\(([0-3])\)(.*) gibt: (.*): ({_CARD}) - (.*): ({_CARD}) - (.*): ({_CARD}) - *")
_PASS: Final = re.compile(r"\(([0-3])\)(.*) passt\. *")
_PLAY: Final = re.compile(rf"\(([0-3])\)(.*): {_CARDS}")
_CALL: Final = re.compile(r"(Grosses Tichu|Tichu|Drache an): \(([0-3])\)(.*?) *")
_BOMBS: Final = re.compile(r"BOMBE: (\([0-3]\).*?) *")
_BOMB_HOLDER: Final = re.compile(r"(?:^| )\(([0-3])\)(.*?)(?=$| \([0-3]\))")
_WISH: Final = re.compile(rf"Wunsch: *({'|'.join(RANK_TEXTS)}) *")
_RESULT: Final = re.compile(r"Ergebnis: (-?[0-9]{1,4}) - (-?[0-9]{1,4}) *")
_SEAT: Final = re.compile(r"\(([^)]*)\)")
_MARK: Final = re.compile(r"\{(?:\{|([0-3])\})")


def _escape(text: str) -> str:
    return text.replace("{", "{{")


def fill_in(pattern: str, names: Sequence[str]) -> str:
    """The line with the names in their places.

    >>> fill_in("Drache an: (1){1}", ("Ada", "Ben", "Cho", "Dov"))
    'Drache an: (1)Ben'
    """
    return _MARK.sub(lambda mark: names[int(mark[1])] if mark[1] else "{", pattern)


def parse_lines(texts: Iterable[str], is_cut: bool) -> list[Line]:
    """Read the lines of a file; ``is_cut`` if the last one has no end."""
    lines: list[Line] = []
    section: LineKind | None = None
    before = ""
    for number, text in enumerate(texts, start=1):
        line = _parse_line(number, text, section)
        if line.kind is not LineKind.BLANK:
            if text == before:
                line = line._replace(kind=LineKind.DOUBLED)
            before = text
        if text in SECTIONS:
            section = SECTIONS[text]
        elif line.kind is LineKind.RESULT:
            section = None
        lines.append(line)
    if is_cut and lines[-1].kind not in (LineKind.BLANK, LineKind.PASS):
        kind = LineKind.RESULT if lines[-1].kind is LineKind.RESULT else LineKind.CUT
        lines[-1] = lines[-1]._replace(kind=kind, fault="the file ends in the middle of this line")
    return _with_long_names(lines)


def _parse_line(number: int, text: str, section: LineKind | None) -> Line:
    if not text.strip():
        return Line(number, text, LineKind.BLANK)
    if text in SECTIONS:
        return Line(number, text, SECTIONS[text])
    if len(text) > _LONGEST:
        return Line(number, text, LineKind.UNKNOWN, fault="this line is too long")
    if text.startswith("("):
        line = _parse_seat_line(number, text, section)
    else:
        line = _parse_other_line(number, text)
    return line or Line(number, text, LineKind.UNKNOWN, fault=_fault(text, section))


def _parse_seat_line(number: int, text: str, section: LineKind | None) -> Line | None:
    """A line that starts with a seat."""
    if section in HAND_SIZES:
        return _hand(number, text, _HAND.fullmatch(text), HAND_SIZES[section])
    if section is LineKind.GIFTS and (found := _GIFT.fullmatch(text)):
        giver = int(found[1])
        names = tuple(((giver + distance) & 3, 2 + (distance and 2 * distance - 1)) for distance in range(4))
        cards = tuple(_CARD_OF_TEXT[found[group]] for group in (4, 6, 8))
        return _line_with_names(number, found, LineKind.GIFT, names, cards)
    if section is LineKind.PLAYS and (found := _PASS.fullmatch(text)):
        return _line_with_names(number, found, LineKind.PASS, ((int(found[1]), 2),))
    if section is LineKind.PLAYS and (found := _PLAY.fullmatch(text)):
        return _line_with_names(number, found, LineKind.PLAY, ((int(found[1]), 2),), _cards(found[3]))
    return None


def _parse_other_line(number: int, text: str) -> Line | None:
    if found := _CALL.fullmatch(text):
        return _line_with_names(number, found, LineKind(found[1]), ((int(found[2]), 3),))
    if found := _WISH.fullmatch(text):
        return Line(number, text, LineKind.WISH, numbers=(RANK_TEXTS.index(found[1]) + 2,))
    if found := _RESULT.fullmatch(text):
        return Line(number, text, LineKind.RESULT, numbers=(int(found[1]), int(found[2])))
    if found := _BOMBS.fullmatch(text):
        holders = [*_BOMB_HOLDER.finditer(found[1])]
        seats = tuple(int(holder[1]) for holder in holders)
        if len(set(seats)) < len(seats):  # Somebody has a name like "x (1)y".
            return Line(number, text, LineKind.BOMBS, numbers=seats)
        names = tuple((int(holder[1]), holder[2]) for holder in holders)
        starts = tuple(found.start(1) + holder.start(2) for holder in holders)
        return Line(number, text, LineKind.BOMBS, names, starts, numbers=seats)
    return None


def _line_with_names(
    number: int, found: re.Match[str], kind: LineKind, named: tuple[tuple[int, int], ...], cards: tuple[Card, ...] = ()
) -> Line:
    """A line with names: for each the seat and the group of the match.  The first seat is the one that acts."""
    names = tuple((seat, found[group]) for seat, group in named)
    starts = tuple(found.start(group) for _, group in named)
    return Line(number, found.string, kind, names, starts, named[0][0], cards)


def _cards(text: str) -> tuple[Card, ...]:
    return tuple(_CARD_OF_TEXT[word] for word in text.split())


def _hand(number: int, text: str, found: re.Match[str] | None, size: int) -> Line | None:
    if found is None:
        return None
    line = _line_with_names(number, found, LineKind.HAND, ((int(found[1]), 2),), _cards(found[3]))
    if len(line.cards) < size:
        word = found[2].split(" ")[-1]
        return line._replace(kind=LineKind.UNKNOWN, fault=f"{len(line.cards)} cards after {word!r}, not {size}")
    if len(line.cards) > size:
        return line._replace(kind=LineKind.UNKNOWN, fault=f"{len(line.cards)} cards, not {size}", numbers=(size,))
    return line


def _with_long_names(lines: list[Line]) -> list[Line]:
    """Hands with too many cards, where the first words belong to a name that other lines tell for sure."""
    known = {
        name for line in lines if line.kind in (LineKind.GIFT, LineKind.PASS, LineKind.PLAY) for name in line.names
    }
    return [_with_long_name(line, known) if line.kind is LineKind.UNKNOWN else line for line in lines]


def _with_long_name(line: Line, known: set[tuple[int, str]]) -> Line:
    size = line.numbers[0] if line.numbers else 0
    if size == 0:
        return line
    found = re.fullmatch(rf"\(([0-3])\)(.*) ((?:{_CARD} +){{{size - 1}}}{_CARD}) *", line.text)
    if found is None or (line.seat, found[2]) not in known:
        return line
    return _line_with_names(line.number, found, LineKind.HAND, ((line.seat, 2),), _cards(found[3]))


def _fault(text: str, section: LineKind | None) -> str:
    """What is wrong with a line that cannot be read."""
    seat = _SEAT.match(text if text.startswith("(") else text.partition(": ")[2])
    if seat and seat[1] not in ("0", "1", "2", "3"):
        return f"there is no seat {seat[1]!r}"
    if section is None:
        return "this stands outside a round"
    if not text.startswith("("):
        return "this is not a line of a log"
    if section is LineKind.PLAYS and ": " in text:
        for word in text.rpartition(": ")[2].split():
            if word not in _CARD_OF_TEXT:
                return f"there is no card {word!r}"
    return "this is not a line of this section"
