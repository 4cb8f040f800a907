"""Writing a log: the usual lines, edited to be what they were, and read again to be sure that they tell the game."""

from collections.abc import Sequence
from itertools import groupby, zip_longest
from typing import Final

from tichu.core.actions import Action, CallGrand, DeclineGrand, Exchange, format_action
from tichu.core.errors import GameError, NotationError
from tichu.core.record import Record, RoundRecord, replay
from tichu.core.rules import Rules
from tichu.formats.bsw.edits import apply_edits, with_names
from tichu.formats.bsw.reading import read_tch
from tichu.formats.bsw.writing import BSW_RULES, Layout, lines_of

__all__ = ["can_express", "format_tch"]

# What every log takes for granted.  Other rules may differ as long as the actions are legal.
_REASONS: Final = {
    "direction": "the seats of a log play in the order 0, 1, 2, 3",
    "grand": "a log begins with the decisions about Grand Tichu",
    "exchange": "every round of a log has an exchange",
}


def can_express(rules: Rules) -> bool:
    """Whether a game with these rules can be written as a log at all.

    >>> can_express(Rules.parse("brettspielwelt")), can_express(Rules.parse("standard"))
    (True, False)
    """
    return not _faults(rules)


def _faults(rules: Rules) -> list[str]:
    others = rules.differences(BSW_RULES)
    return [f"{field}={others[field]} ({reason})" for field, reason in _REASONS.items() if field in others]


def format_tch(record: Record) -> str:
    """The game as a log of BrettspielWelt.

    The layout is that of the log that the game was read from, if the tags tell it.  Other tags are not written, nor are
    the rules, nor the order of simultaneous decisions.

    :raises NotationError: a log cannot hold the game; with the round and the action
    """
    faults = _faults(record.rules)
    if faults:
        raise NotationError(f"a .tch cannot express {', '.join(faults)}")
    for name in record.seats:
        if "\n" in name or "\r" in name:
            raise NotationError(f"a .tch cannot hold the name {name!r}")
    if not record.rounds:
        raise NotationError("a .tch cannot hold a game without a round")
    tags = dict(record.tags)
    look = tags.get("Tch", ())
    names = [*record.seats]
    lines: list[str] = []
    for number, one in enumerate(record.rounds):
        try:
            layout = _layout(tags.get(f"Tch{number}", ()))
            patterns = apply_edits(lines_of(one, layout), layout.edits)
            lines += with_names(patterns, layout.edits, names)
        except NotationError as error:
            raise NotationError(f"round {number}, {error}") from None
    end = "\r\n" if "crlf" in look else "\n"
    text = end.join(lines) + ("" if "no-newline" in look else end)
    _check(record, text)
    return text


def _layout(values: Sequence[str]) -> Layout:
    eights, hands, plays, *edits = *values, *("",) * (3 - len(values))
    return Layout(eights, hands, plays, tuple(edits))


def _check(record: Record, text: str) -> None:
    """Read the text again: what does not come back cannot be held."""
    reading = read_tch(text)
    for number, (one, back) in enumerate(zip(record.rounds, reading.rounds, strict=False)):
        if back != _in_seat_order(one):
            place = f"round {number}" + (f" with the tag Tch{number}" if f"Tch{number}" in dict(record.tags) else "")
            raise NotationError(f"{place}, {_difference(_in_seat_order(one), back)}")
    if len(reading.rounds) != len(record.rounds) or reading.seats != record.seats:
        players = ", ".join(map(repr, reading.seats))
        raise NotationError(f"a .tch would tell {len(reading.rounds)} rounds of {players}")


def _in_seat_order(one: RoundRecord) -> RoundRecord:
    """§2.1, §2.3: Grand calls and exchanges are simultaneous, and a log has them by seat."""
    actions: list[tuple[int, Action]] = []
    for step, run in groupby(one.actions, _step):
        actions += sorted(run, key=lambda action: action[0] if step else 0)
    return one._replace(actions=tuple(actions))


def _step(action: tuple[int, Action]) -> int:
    """1 for the Grand calls, 2 for the exchange, 0 where seats act one by one."""
    match action[1]:
        case CallGrand() | DeclineGrand():
            return 1
        case Exchange():
            return 2
        case _:
            return 0


def _difference(one: RoundRecord, back: RoundRecord | NotationError) -> str:
    """Where and why the round is not what a log of it tells."""
    try:
        for _ in replay(one._replace(score=None), BSW_RULES):
            pass
    except GameError as error:
        return f"{error}"
    if isinstance(back, NotationError):
        return f"a .tch of it would be wrong: {back}"
    for number, (wanted, read) in enumerate(zip_longest(one.actions, back.actions)):
        if wanted != read:
            texts = [format_action(*action) if action else "the end" for action in (wanted, read)]
            return f"action {number}, {texts[0]}: a .tch would tell {texts[1]}"
    return "a .tch would tell another deal or score"
