"""Reading a log: a round at a time, so that what is wrong with one does not hide the others."""

from collections.abc import Iterable

from tichu.core.errors import NotationError
from tichu.core.record import Reading, Record, RoundRecord
from tichu.formats.bsw.layout import LogLayout, renamings
from tichu.formats.bsw.lines import SILENT, Line, LineKind, parse_lines
from tichu.formats.bsw.rounds import read_round
from tichu.formats.bsw.writing import BSW_RULES

__all__ = ["read_tch"]


def read_tch(text: str) -> Reading:
    """Read a log as far as possible; nothing is raised, every round has its own error.

    >>> read_tch("Tichu: (0)Ada").rounds
    (NotationError("line 1: the file ends in the middle of this line: 'Tichu: (0)Ada'"),)
    """
    texts = text.split("\n")
    is_cut = texts[-1] != ""
    if not is_cut:
        texts.pop()
    ended = texts[:-1] if is_cut else texts
    has_crlf = bool(ended) and all(line.endswith("\r") for line in ended)
    notes = []
    if not has_crlf and any(line.endswith("\r") for line in ended):
        notes.append("some lines end in CR LF, some in LF: written again, all will end in LF")
    lines = parse_lines([line.removesuffix("\r") for line in texts], is_cut)
    rounds: list[RoundRecord | NotationError] = []
    scores: list[tuple[int, int] | None] = []
    seats: tuple[str, ...] = ()
    names: list[str] = []
    layouts: list[tuple[int, RoundRecord, list[Line]]] = []
    for number, part in enumerate(_by_round(lines)):
        try:
            one, score, remarks = read_round(part)
        except NotationError as error:
            rounds.append(error)
            scores.append(None)
            continue
        rounds.append(one)
        scores.append(score)
        layouts.append((number, one, part))
        if not seats:
            seats = tuple(dict(reversed([name for line in part for name in line.names]))[seat] for seat in range(4))
            names = [*seats]
        for line, seat, name in renamings(part, names):
            remarks.append((line.number, f"seat {seat} is called {name!r} from here on, before {names[seat]!r}"))
            names[seat] = name
        notes += [f"round {number}, line {line}: {remark}" for line, remark in sorted(remarks)]
    ends = (("crlf",) if has_crlf else ()) + (("no-newline",) if is_cut else ())
    layout = LogLayout(ends, seats, tuple(layouts))
    return Reading(BSW_RULES, seats or Record().seats, (), tuple(rounds), tuple(notes), tuple(scores), layout)


def _by_round(lines: Iterable[Line]) -> list[list[Line]]:
    """A round ends with its result, or where the next one is dealt; what is not a line of a log belongs to the next."""
    parts: list[list[Line]] = [[]]
    seen: set[LineKind] = set()
    for line in lines:
        if line.kind not in SILENT and (
            LineKind.RESULT in seen or (line.kind is LineKind.EIGHTS and LineKind.EIGHTS in seen)
        ):
            parts.append([])
            seen = set()
        seen.add(line.kind)
        parts[-1].append(line)
    return [_calls_once(part) for part in parts]


def _calls_once(lines: Iterable[Line]) -> list[Line]:
    """A call that is told again later is doubled too."""
    seen: set[tuple[LineKind, int]] = set()
    once = []
    for line in lines:
        if line.kind in (LineKind.GRAND, LineKind.TICHU):
            if (line.kind, line.seat) in seen:
                line = line._replace(kind=LineKind.DOUBLED)
            seen.add((line.kind, line.seat))
        once.append(line)
    return once
