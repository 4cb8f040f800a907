"""Edits: what to change in the lines that a round usually has to get those of a log.

They are written as :mod:`tichu.formats.bsw` tells.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from tichu.core.errors import NotationError
from tichu.formats.bsw.lines import fill_in

__all__ = ["apply_edits", "edits_between", "with_names"]

_EDIT: Final = re.compile(r"([1-9][0-9]{0,4})([-+=@])(.*)", re.DOTALL)


def edits_between(usual: Sequence[str], wanted: Sequence[str]) -> list[str]:
    """What turns the usual lines into the wanted ones; few, but not always the fewest.

    >>> edits_between(["a", "b", "c"], ["a", "x", "c", "d"])
    ['2=x', '4+d']
    """
    start = 0
    while start < min(len(usual), len(wanted)) and usual[start] == wanted[start]:
        start += 1
    end = 0
    while end < min(len(usual), len(wanted)) - start and usual[-1 - end] == wanted[-1 - end]:
        end += 1
    left, right = usual[start : len(usual) - end], wanted[start : len(wanted) - end]
    edits: list[str] = []
    at, used = 0, 0
    for i, j in (*_common(left, right), (len(left), len(right))):
        both = min(i - at, j - used)
        edits += [f"{start + at + n + 1}={right[used + n]}" for n in range(both)]
        edits += [f"{start + n + 1}-" for n in range(at + both, i)]
        edits += [f"{start + i + 1}+{text}" for text in right[used + both : j]]
        at, used = i + 1, j + 1
    return edits


def _common(left: Sequence[str], right: Sequence[str]) -> list[tuple[int, int]]:
    """The longest common subsequence, as pairs of places."""
    longest = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i in reversed(range(len(left))):
        for j in reversed(range(len(right))):
            if left[i] == right[j]:
                longest[i][j] = longest[i + 1][j + 1] + 1
            else:
                longest[i][j] = max(longest[i + 1][j], longest[i][j + 1])
    pairs = []
    i = j = 0
    while i < len(left) and j < len(right):
        if left[i] == right[j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif longest[i + 1][j] >= longest[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs


def _parse_edits(edits: Sequence[str]) -> Iterator[tuple[int, str, str]]:
    for edit in edits:
        found = _EDIT.fullmatch(edit)
        if found is None:
            raise NotationError(f"no edit {edit!r}")
        yield int(found[1]) - 1, found[2], found[3]


def apply_edits(usual: Sequence[str], edits: Sequence[str]) -> list[str]:
    """The lines after the edits, but for the names.

    >>> apply_edits(["a", "b", "c"], ["2=x", "4+d"])
    ['a', 'x', 'c', 'd']
    """
    before: list[list[str]] = [[] for _ in range(len(usual) + 1)]
    kept = [[line] for line in usual]
    for at, sign, text in _parse_edits(edits):
        if sign == "@":
            continue
        if at > len(usual) - (sign != "+"):
            raise NotationError(f"no line {at + 1} to edit")
        if sign == "+":
            before[at].append(text)
        else:
            kept[at] = [text] if sign == "=" else []
    parts = [[*early, *late] for early, late in zip(before, [*kept, []], strict=True)]
    return [line for part in parts for line in part]


def with_names(patterns: Sequence[str], edits: Sequence[str], names: list[str]) -> list[str]:
    """The lines with the names in them; ``names`` change where an edit says so."""
    changes: dict[int, list[tuple[int, str]]] = {}
    for at, sign, text in _parse_edits(edits):
        if sign == "@":
            if text[:1] not in ("0", "1", "2", "3") or text[1:2] != " ":
                raise NotationError(f"no name of a seat {text!r}")
            changes.setdefault(at, []).append((int(text[0]), text[2:]))
    lines = []
    for at, pattern in enumerate(patterns):
        for seat, name in changes.get(at, ()):
            names[seat] = name
        lines.append(fill_in(pattern, names))
    return lines
