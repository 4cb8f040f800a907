"""Records: whole games as text (``.ttn``) or JSON lines (``.jsonl``), and their replay.

The deal is data, so a record is read without any random generator, and replay checks every action and every score.
Rounds are read one by one: what is wrong with one does not hide the others.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from tichu.core.actions import Action, CallGrand, DeclineGrand, Exchange, Take, format_action, parse_action
from tichu.core.combos import Combo, Kind
from tichu.core.deals import Deal, format_deal, parse_deal
from tichu.core.errors import GameError, IllegalAction, NotationError
from tichu.core.round import Round
from tichu.core.rules import STANDARD, Rules

__all__ = [
    "START",
    "Reading",
    "Record",
    "RoundRecord",
    "Tags",
    "format_jsonl",
    "format_record",
    "parse_record",
    "read_jsonl",
    "read_record",
    "replay",
    "start_of",
]

#: The tag of a match that was taken up in its middle: what both teams had before the first round.
START: Final = "Start"

_TAG: Final = re.compile(r"\[([A-Za-z][A-Za-z0-9]*)((?: \"(?:[^\"\\]|\\.)*\")+)\]")
_TAG_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_TAG_VALUE: Final = re.compile(r"\"((?:[^\"\\]|\\.)*)\"")
_POINTS: Final = re.compile(r"0|-?[1-9][0-9]{0,4}")
_SCORE: Final = re.compile(r"= (0|-?[1-9][0-9]{0,3}) (0|-?[1-9][0-9]{0,3})")
_NAMES: Final = ("Seat 0", "Seat 1", "Seat 2", "Seat 3")

Tags = tuple[tuple[str, tuple[str, ...]], ...]


class RoundRecord(NamedTuple):
    """One round: the deal, what was done, and the score, or None if the round was not finished."""

    deal: Deal
    actions: tuple[tuple[int, Action], ...]
    score: tuple[int, int] | None = None

    def __repr__(self) -> str:
        score = "unfinished" if self.score is None else f"{self.score[0]}:{self.score[1]}"
        actions = "1 action" if len(self.actions) == 1 else f"{len(self.actions)} actions"
        return f"<RoundRecord {format_deal(self.deal)}; {actions}; {score}>"


class Record(NamedTuple):
    """One game.

    >>> from tichu.core.deals import deal_in_order
    >>> Record(rounds=(RoundRecord(deal_in_order(range(56)), ()),), seats=("Ada", "Ben", "Cho", "Dov"))
    <Record standard; Ada, Ben, Cho, Dov; 1 round>
    >>> _.rounds[0]
    <RoundRecord MaDo2s2b2g2rPhDr+9s9b9g9rTsTb / ... / 7s7b7g7r8s8b8g8r+KgKrAsAbAgAr; 0 actions; unfinished>
    """

    rules: Rules = STANDARD
    rounds: tuple[RoundRecord, ...] = ()
    seats: tuple[str, ...] = _NAMES
    #: Further tags in order, each with its values.
    tags: Tags = ()

    def __repr__(self) -> str:
        rounds = "1 round" if len(self.rounds) == 1 else f"{len(self.rounds)} rounds"
        return f"<Record {self.rules}; {', '.join(self.seats)}; {rounds}>"


class Reading(NamedTuple):
    """A file as far as it could be read: per round the round or what is wrong with it."""

    rules: Rules
    seats: tuple[str, ...]
    tags: Tags
    rounds: tuple[RoundRecord | NotationError, ...]
    #: What the file could not tell and how it was read.
    notes: tuple[str, ...] = ()
    #: If rounds had to be played to be read: the score that follows from each, None for one that is not over.
    scores: tuple[tuple[int, int] | None, ...] = ()
    #: Further tags, which keep what the file looked like.  They are worked out when the game is written again.
    layout: Callable[[], Tags] = tuple

    def __repr__(self) -> str:
        wrong = sum(isinstance(one, NotationError) for one in self.rounds)
        return f"<Reading {self.rules}; {', '.join(self.seats)}; {len(self.rounds)} rounds, {wrong} wrong>"

    def check(self, number: int) -> RoundRecord:
        """One round, every action and the score checked.

        :raises GameError: it could not be read, an action is illegal or the score does not follow
        """
        one = self.rounds[number]
        if isinstance(one, NotationError):
            raise one
        if self.scores:
            _check_score(one, self.scores[number])
        else:
            for _ in replay(one, self.rules):
                pass
        return one

    def record(self) -> Record:
        """The game.

        :raises NotationError: a round could not be read
        """
        good = []
        for number, one in enumerate(self.rounds):
            if isinstance(one, NotationError):
                raise NotationError(f"round {number}: {one}")
            good.append(one)
        return Record(self.rules, tuple(good), self.seats, (*self.tags, *self.layout()))


def start_of(tags: Tags) -> tuple[int, int]:
    """How the match stood before the first round.

    >>> start_of((("Start", ("860", "720")),)), start_of(())
    ((860, 720), (0, 0))

    :raises NotationError: the tag does not hold two numbers
    """
    values = dict(tags).get(START, ("0", "0"))
    if len(values) != 2 or not all(map(_POINTS.fullmatch, values)):
        raise NotationError(f"a match begins at two numbers of points, not at {' '.join(values)!r}")
    return int(values[0]), int(values[1])


def replay(one: RoundRecord, rules: Rules) -> Iterator[Round]:
    """Every state of a round from the deal on, each action and the score checked.

    :raises GameError: an action is illegal or the score does not follow; the message names the action
    """
    state = Round.start(one.deal, rules)
    yield state
    for number, (seat, action) in enumerate(one.actions):
        try:
            state = state.after_recorded(seat, action)
        except IllegalAction as error:
            raise GameError(f"action {number}, {format_action(seat, action)}: {error.reason.value}") from None
        yield state
    _check_score(one, state.outcome.score if state.is_over else None)


def _check_score(one: RoundRecord, score: tuple[int, int] | None) -> None:
    """Compare the recorded score with the one that follows from the actions."""
    if one.score is None:
        return
    if score is None:
        raise GameError(f"a score after action {len(one.actions) - 1}, but the round is not over")
    if score != one.score:
        raise GameError(f"the score is {score[0]} {score[1]}, not {one.score[0]} {one.score[1]}")


def format_record(record: Record) -> str:
    """The game as TTN."""
    for name, values in record.tags:
        if not _TAG_NAME.fullmatch(name) or not values:
            raise NotationError(f"a tag {name!r} with {len(values)} values cannot be written")
    tags: Tags = (("TTN", ("1",)), ("Rules", (str(record.rules),)), ("Seats", record.seats), *record.tags)
    lines = [f"[{name} {' '.join(map(_quote, values))}]" for name, values in tags]
    for one in record.rounds:
        lines += ["", f"deal {format_deal(one.deal)}"]
        lines += [" ".join(format_action(*action) for action in line) for line in _trick_lines(one.actions)]
        if one.score is not None:
            lines.append(f"= {one.score[0]} {one.score[1]}")
    return "\n".join(lines) + "\n"


def _quote(value: str) -> str:
    if "\n" in value:
        raise NotationError(f"a tag is one line, not {value!r}")
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _trick_lines(actions: Sequence[tuple[int, Action]]) -> Iterator[list[tuple[int, Action]]]:
    """Grand calls, exchange, then one trick a line."""
    line: list[tuple[int, Action]] = []
    decided: set[int] = set()
    for seat, action in actions:
        line.append((seat, action))
        match action:
            case CallGrand() | DeclineGrand() | Exchange():
                decided.add(seat)
                is_full = len(decided) == 4
                if is_full:
                    decided.clear()
            case Take():
                is_full = True
            case Combo():
                is_full = action.kind == Kind.DOG
            case _:
                is_full = False
        if is_full:
            yield line
            line = []
    if line:
        yield line


def parse_record(text: str) -> Record:
    """Read a game that is right in every line.

    :raises NotationError: with the line
    """
    return read_record(text).record()


def read_record(text: str) -> Reading:
    """Read a game as far as possible.

    :raises NotationError: the tags are wrong
    """
    numbered = enumerate(text.split("\n"), start=1)
    lines = [(number, line) for number, raw in numbered if (line := _without_comment(raw.strip()).strip())]
    if not lines:
        raise NotationError("the file is empty")
    # A round ends with its score even if the next deal cannot be made out.
    after_score = [at + 1 for at, (_, line) in enumerate(lines[:-1]) if line.startswith("=")]
    deals = [at for at, (_, line) in enumerate(lines) if line.split(" ")[0] == "deal"]
    bounds = [*sorted({*deals, *after_score}), len(lines)]
    rules, seats, tags = _parse_tags(lines[: bounds[0]])
    return Reading(rules, seats, tags, tuple(_read_round(lines[start:end]) for start, end in pairwise(bounds)))


def _without_comment(line: str) -> str:
    """``;`` starts a comment, except inside the quotes of a tag."""
    match = _TAG.match(line)
    start = match.end() if match else 0
    return line[:start] + line[start:].partition(";")[0]


def _parse_tags(lines: list[tuple[int, str]]) -> tuple[Rules, tuple[str, ...], Tags]:
    tags: dict[str, tuple[str, ...]] = {}
    for number, line in lines:
        match = _TAG.fullmatch(line)
        if match is None:
            raise NotationError(f'line {number}: not a tag: {_cut(line)!r}; it is written [Name "value"]')
        if not tags and line != '[TTN "1"]':
            raise NotationError(f'line {number}: the first tag is [TTN "1"], not {_cut(line)}')
        if match[1] in tags:
            raise NotationError(f"line {number}: tag {match[1]} twice")
        tags[match[1]] = tuple(re.sub(r"\\(.)", r"\1", value) for value in _TAG_VALUE.findall(match[2]))
    return _header(tags)


def _header(tags: dict[str, tuple[str, ...]]) -> tuple[Rules, tuple[str, ...], Tags]:
    if tags.pop("TTN", None) != ("1",):
        raise NotationError("not TTN 1")
    rules = tags.pop("Rules", ())
    if len(rules) != 1:
        raise NotationError('the tag [Rules "..."] is missing')
    seats = tags.pop("Seats", _NAMES)
    if len(seats) != 4:
        raise NotationError(f"the tag Seats names four players, not {len(seats)}")
    return Rules.parse(rules[0]), seats, tuple(tags.items())


def _read_round(lines: list[tuple[int, str]]) -> RoundRecord | NotationError:
    """A round from its ``deal`` line on, or what is wrong with it."""
    deal: Deal = ()
    actions: list[tuple[int, Action]] = []
    score = None
    for number, line in lines:
        try:
            if not deal:
                if not line.startswith("deal "):
                    raise NotationError(f"a round begins with its deal, not {_cut(line)!r}")
                deal = parse_deal(line.removeprefix("deal "))
            elif line.startswith("="):
                score = _parse_score(line)
            else:
                actions += map(parse_action, line.split())
        except NotationError as error:
            return NotationError(f"line {number}: {error}")
    return RoundRecord(deal, tuple(actions), score)


def _cut(text: str, width: int = 80) -> str:
    """A text short enough for an error."""
    return text if len(text) <= width else text[:width] + "..."


def _parse_score(line: str) -> tuple[int, int]:
    match = _SCORE.fullmatch(line)
    if match is None:
        raise NotationError(f"not a score: {line!r}")
    return int(match[1]), int(match[2])


def format_jsonl(record: Record) -> str:
    """The game as JSON lines: one object for the game, then one a round."""
    header = {"ttn": 1, "rules": str(record.rules), "seats": record.seats, "tags": dict(record.tags)}
    rounds = [
        {
            "round": number,
            "deal": format_deal(one.deal).split(" / "),
            "actions": [format_action(*action) for action in one.actions],
            "score": one.score,
        }
        for number, one in enumerate(record.rounds)
    ]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in (header, *rounds))


def read_jsonl(text: str) -> Reading:
    """Read what :func:`format_jsonl` writes.

    :raises NotationError: the first line is wrong
    """
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    if not lines:
        raise NotationError("the file is empty")
    try:
        header = _json_object(lines[0][1])
        tags = {name: _strings(values) for name, values in _mapping(header.get("tags", {})).items()}
        tags |= {"TTN": (str(header.get("ttn")),), "Rules": (str(header.get("rules")),)}
        rules, seats, others = _header(tags | {"Seats": _strings(header.get("seats", _NAMES))})
    except NotationError as error:
        raise NotationError(f"line {lines[0][0]}: {error}") from None
    return Reading(rules, seats, others, tuple(_read_json_round(*line) for line in lines[1:]))


def _json_object(line: str) -> dict[str, object]:
    try:
        return _mapping(json.loads(line))
    except (ValueError, RecursionError) as error:
        raise NotationError(f"not a JSON object: {error}") from None


def _mapping(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise NotationError(f"names and values, not {value!r}")
    return value


def _strings(values: object) -> tuple[str, ...]:
    if not isinstance(values, list | tuple) or not all(isinstance(value, str) for value in values):
        raise NotationError(f"a list of texts, not {values!r}")
    return tuple(values)


def _read_json_round(number: int, line: str) -> RoundRecord | NotationError:
    try:
        value = _json_object(line)
        hands = _strings(value.get("deal"))
        if len(hands) != 4:
            raise NotationError(f"a deal has four hands, not {len(hands)}")
        deal = parse_deal(" / ".join(hands))
        actions = tuple(map(parse_action, _strings(value.get("actions"))))
        score = value.get("score")
        if score is None:
            return RoundRecord(deal, actions)
        if not isinstance(score, list) or len(score) != 2 or not all(type(points) is int for points in score):
            raise NotationError(f"not a score: {score!r}")
        return RoundRecord(deal, actions, (score[0], score[1]))
    except NotationError as error:
        return NotationError(f"line {number}: {error}")
