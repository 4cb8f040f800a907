"""Rule sets: one frozen value with independent fields and a text form (§12).

The text is a preset and the fields that differ from it: ``standard bombs=in-turn goal=target:500``.
"""

from dataclasses import dataclass, fields, replace
from typing import Final, Literal, NamedTuple, get_args

from tichu.core.errors import RulesError

__all__ = ["PRESETS", "STANDARD", "Goal", "Rules"]

Direction = Literal["ccw", "cw"]
YesNo = Literal["yes", "no"]
Decided = Literal["choice", "auto"]
TichuFrom = Literal["deal", "play"]
WishRule = Literal["may", "must", "off"]
Bombs = Literal["anytime", "ordered", "in-turn"]
EqualFlush = Literal["holds", "suit"]
Stairs = Literal["pairs", "stacked"]


class Goal(NamedTuple):
    """§9: what a match is played to."""

    kind: Literal["target", "rounds"]
    number: int

    def __str__(self) -> str:
        return f"{self.kind}:{self.number}"


@dataclass(frozen=True, slots=True)
class Rules:
    """How the game is played; the defaults are the preset ``standard``.

    >>> Rules.parse("standard bombs=in-turn goal=target:500").bombs
    'in-turn'
    >>> print(Rules(direction="cw"))
    brettspielwelt
    >>> Rules(direction="cw", wish="must")
    Rules.parse('classic direction=cw')
    """

    direction: Direction = "ccw"
    goal: Goal = Goal("target", 1000)
    grand: YesNo = "yes"
    exchange: YesNo = "yes"
    calls: Decided = "choice"
    tichu_from: TichuFrom = "deal"
    wish: WishRule = "may"
    phoenix_grants_wish: YesNo = "no"
    bombs: Bombs = "anytime"
    equal_flush: EqualFlush = "holds"
    stairs: Stairs = "pairs"
    dragon: Decided = "choice"

    def next_seat(self, seat: int) -> int:
        """§1.2: who sits next in the order of play.  The direction lives here and nowhere else."""
        return (seat + 3 if self.direction == "ccw" else seat + 1) & 3

    def sequential(self) -> "Rules":
        """§7.2: the form in which simulations play, where everybody is asked in turn: ``anytime`` is ``ordered``."""
        return replace(self, bombs="ordered") if self.bombs == "anytime" else self

    def differences(self, other: "Rules") -> dict[str, str]:
        """The fields in which this differs from ``other``, in table order, as this has them."""
        return {name: str(getattr(self, name)) for name in FIELDS if getattr(self, name) != getattr(other, name)}

    def __str__(self) -> str:
        # min keeps the first in the table on a tie.
        name, nearest = min(PRESETS.items(), key=lambda preset: len(self.differences(preset[1])))
        return " ".join([name, *(f"{field}={value}" for field, value in self.differences(nearest).items())])

    def __repr__(self) -> str:
        return f"Rules.parse({str(self)!r})"

    @staticmethod
    def parse(text: str) -> "Rules":
        """Read a preset with any fields set on top of it, in any order.

        >>> Rules.parse("standard bomb=ordered")
        Traceback (most recent call last):
        tichu.core.errors.RulesError: no rule field 'bomb' in 'standard bomb=ordered'
        """
        name, *settings = text.split(" ")
        if name not in PRESETS:
            raise RulesError(f"no preset {name!r} in {text!r}; there are {', '.join(PRESETS)}")
        changes: dict[str, object] = {}
        for setting in settings:
            field, equals, value = setting.partition("=")
            if not equals:
                raise RulesError(f"no setting {setting!r} in {text!r}: write field=value")
            if field not in FIELDS:
                raise RulesError(f"no rule field {field!r} in {text!r}")
            if field in changes:
                raise RulesError(f"{field} twice in {text!r}")
            changes[field] = _parse_value(field, value, text)
        return replace(PRESETS[name], **changes)  # type: ignore[arg-type]


#: Every field and its values; the number of a goal is free.
FIELDS: Final[dict[str, tuple[str, ...]]] = {
    "direction": get_args(Direction),
    "goal": ("target:N", "rounds:1"),
    "grand": get_args(YesNo),
    "exchange": get_args(YesNo),
    "calls": get_args(Decided),
    "tichu_from": get_args(TichuFrom),
    "wish": get_args(WishRule),
    "phoenix_grants_wish": ("no", "yes"),
    "bombs": get_args(Bombs),
    "equal_flush": get_args(EqualFlush),
    "stairs": get_args(Stairs),
    "dragon": get_args(Decided),
}
assert list(FIELDS) == [field.name for field in fields(Rules)]

STANDARD: Final = Rules()

#: §12, in the order of the table.
PRESETS: Final[dict[str, Rules]] = {
    "standard": STANDARD,
    "classic": Rules(wish="must"),
    "courtesy": Rules(bombs="ordered", stairs="stacked"),
    "single-round": Rules(
        goal=Goal("rounds", 1), tichu_from="play", phoenix_grants_wish="yes", bombs="in-turn", equal_flush="suit"
    ),
    "simple": Rules(grand="no", exchange="no", calls="auto", wish="off", dragon="auto"),
    "brettspielwelt": Rules(direction="cw"),
}


def _parse_value(field: str, value: str, text: str) -> object:
    if field != "goal":
        if value not in FIELDS[field]:
            raise RulesError(f"no value {value!r} for {field} in {text!r}; there are {', '.join(FIELDS[field])}")
        return value
    if value == "rounds:1":
        return Goal("rounds", 1)
    kind, _, number = value.partition(":")
    if kind == "target" and number.isascii() and number.isdigit() and not number.startswith("0") and len(number) < 7:
        return Goal("target", int(number))
    raise RulesError(f"no value {value!r} for goal in {text!r}; there are target:N and rounds:1")
