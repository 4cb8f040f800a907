"""Names and sentences of people, without anything that could disturb a page, a log or a terminal."""

from typing import Final
from unicodedata import category, combining

__all__ = ["clean"]

#: Letters and signs by name, and nothing to see: Hangul fillers, the empty Braille cell, what stands for an object that
#: is not there, a note without a head, Egyptian blanks.
_BLANKS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0\ufffc\U0001d159\U00013441\U00013442")
#: Marks by name, and nothing to see: variation selectors and their like.
_UNSEEN_MARKS: Final = frozenset(
    map(chr, (0x34F, 0x17B4, 0x17B5, *range(0x180B, 0x1810), *range(0xFE00, 0xFE10), 0x16FE4, 0x1BC9D))
)
_LATE_SELECTORS: Final = range(0xE0100, 0xE01F0)

_JOINER: Final = "\u200d"
_AS_EMOJI: Final = "\ufe0f"
_SYMBOLS: Final = ("So", "Sk", "Sm")
_VIRAMA: Final = 9
#: More on one letter would reach into the lines above and below.
_MOST_MARKS: Final = 4


def clean(text: str, limit: int) -> str:
    r"""The text as it is shown to others, empty if there is nothing to see.

    Signs that are not seen are left out, unless they make one emoji or one letter of two: elsewhere two names that are
    not the same would look the same.

    >>> clean("  Ada\x07  L. ", 24), clean("A\u200dda", 24), clean("\u200b", 24)
    ('Ada L.', 'A da', '')
    >>> family = "\U0001f468\u200d\U0001f467"
    >>> clean(family, 24) == family
    True
    """
    signs: list[str] = []
    marks = 0
    for at, letter in enumerate(text):
        marks = marks + 1 if category(letter)[0] == "M" else 0
        if marks <= _MOST_MARKS:
            signs.append(_visible(letter, text[at - 1 : at], text[at + 1 : at + 2]))
    shown = " ".join("".join(signs).split())[:limit].strip(f" {_JOINER}")
    return shown if any(category(letter)[0] not in "MC" for letter in shown) else ""


def _visible(letter: str, before: str, after: str) -> str:
    is_symbol = category(before or " ") in _SYMBOLS
    if letter == _JOINER:
        joins_emoji = (is_symbol or before == _AS_EMOJI) and category(after or " ") in _SYMBOLS
        return letter if joins_emoji or combining(before or " ") == _VIRAMA else " "
    if letter == _AS_EMOJI:
        return letter if is_symbol else ""
    if letter in _UNSEEN_MARKS or ord(letter) in _LATE_SELECTORS:
        return ""
    return letter if letter.isprintable() and letter not in _BLANKS else " "
