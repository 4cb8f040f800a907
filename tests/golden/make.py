"""Golden records: ``python -m tests.golden.make`` writes them anew after a change of the rules or of the notation.

A record ``NAME.ttn`` is one round of random play, chosen so that the rules it names matter in it.  ``NAME.views`` holds
what each seat sees after every action: a line with the action, then a line per seat with its number, how many legal
actions it has and the nine fields of its view, ``=`` for a field that is as it was.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Final, NamedTuple

from tests.properties.rounds import Table, deal_at, steps
from tichu import (
    Action,
    CallTichu,
    Combo,
    Exchange,
    GameError,
    Kind,
    Phase,
    Record,
    Round,
    RoundRecord,
    Rules,
    Take,
    format_action,
    format_record,
    format_view,
    replay,
)
from tichu.core.rules import FIELDS

FOLDER: Final = Path(__file__).parent
SEATS: Final = ("Ada", "Ben", "Cho", "Dov")

Trait = Callable[[list[Round], list[tuple[int, Action]]], bool]


class Golden(NamedTuple):
    """What a record must show."""

    rules: str
    #: Fields whose every other value would make another round of it.
    fields: str = ""
    traits: tuple[Trait, ...] = ()
    clump: int = 2
    suited: bool = False


# What can happen in a round.


def has_grand_call(states: list[Round], actions: list[tuple[int, Action]]) -> bool:
    return any(str(action) == "+G" for _, action in actions)


def has_second_exchange(states: list[Round], actions: list[tuple[int, Action]]) -> bool:
    return sum(isinstance(action, Exchange) for _, action in actions) > 4


def has_double_victory(states: list[Round], actions: list[tuple[int, Action]]) -> bool:
    return states[-1].outcome.is_double_victory


def has_late_call(states: list[Round], actions: list[tuple[int, Action]]) -> bool:
    return any(isinstance(action, CallTichu) and state.out for state, (_, action) in zip(states, actions, strict=False))


def has_call_that_wins(states: list[Round], actions: list[tuple[int, Action]]) -> bool:
    return max(states[-1].outcome.bonus) > 0


def has_last_gift(states: list[Round], actions: list[tuple[int, Action]]) -> bool:
    """§8.3: the Dragon ends the round and is still given away."""
    return isinstance(actions[-1][1], Take)


def has_taker_who_is_out(states: list[Round], actions: list[tuple[int, Action]]) -> bool:
    return any(
        isinstance(action, Take) and len(state.out) < 3 and not state.hands[seat]
        for state, (seat, action) in zip(states, actions, strict=False)
    )


def has_wish_that_stays(states: list[Round], actions: list[tuple[int, Action]]) -> bool:
    return states[-1].wish != 0


def has_wish_of_one_who_is_out(states: list[Round], actions: list[tuple[int, Action]]) -> bool:
    return any(state.phase is Phase.WISH and not state.hands[state.owner] for state in states)


def has(kind: Kind) -> Trait:
    def has_it(states: list[Round], actions: list[tuple[int, Action]]) -> bool:
        return any(isinstance(action, Combo) and action.kind == kind for _, action in actions)

    return has_it


def has_phoenix_in(kind: Kind) -> Trait:
    def has_it(states: list[Round], actions: list[tuple[int, Action]]) -> bool:
        return any(isinstance(action, Combo) and action.kind == kind and action.phoenix for _, action in actions)

    return has_it


GOLDEN: Final = {
    "standard": Golden("standard", "tichu_from wish dragon bombs", (has_grand_call, has_second_exchange), clump=4),
    "classic": Golden("classic", "direction", (has_double_victory, has_phoenix_in(Kind.SINGLE)), clump=1),
    "courtesy": Golden("courtesy", "bombs stairs", (has_taker_who_is_out, has(Kind.FOUR_STAIRS)), clump=4),
    "single-round": Golden("single-round", "phoenix_grants_wish", (has_phoenix_in(Kind.STRAIGHT),), clump=1),
    "simple": Golden("simple", "calls exchange grand wish", (has_call_that_wins, has_phoenix_in(Kind.STAIRS))),
    "brettspielwelt": Golden("brettspielwelt", "direction", (has_last_gift,), clump=4),
    "equal-flush-holds": Golden("courtesy direction=cw", "equal_flush", clump=7, suited=True),
    "equal-flush-suit": Golden("standard equal_flush=suit", "equal_flush", clump=7, suited=True),
    "phoenix-is-no-wish": Golden("standard bombs=in-turn", "phoenix_grants_wish", clump=1),
    "automatic-gift": Golden("single-round dragon=auto wish=must", "dragon", (has_wish_that_stays,), clump=1),
    "automatic-calls": Golden(
        "standard calls=auto goal=target:500", "calls", (has_wish_of_one_who_is_out, has_phoenix_in(Kind.TRIPLE))
    ),
    "no-exchange": Golden("classic exchange=no direction=cw", "exchange", (has_late_call,)),
    "no-grand": Golden(
        "brettspielwelt grand=no stairs=stacked", "grand stairs bombs", (has_phoenix_in(Kind.FULL_HOUSE),), clump=4
    ),
}


def other_values(rules: Rules, field: str) -> Iterator[Rules]:
    """The same rules but for one field; the goal does not matter within a round."""
    if field != "goal":
        for value in FIELDS[field]:
            if value != getattr(rules, field):
                changes = {field: value}
                yield replace(rules, **changes)  # type: ignore[arg-type]


def goes_otherwise(one: RoundRecord, rules: Rules, other: Rules) -> bool:
    """Whether the round cannot be, or is another one, under other rules."""
    try:
        for state, image in zip(replay(one, rules), replay(one, other), strict=True):
            if state._replace(rules=other) != image or state.automatic() != image.automatic():
                return True
    except GameError:
        return True
    return False


def allows_otherwise(one: RoundRecord, rules: Rules, other: Rules) -> bool:
    """Whether somebody could do something else at some time under other rules; only if it goes no otherwise."""
    for state, image in zip(replay(one, rules), replay(one, other), strict=True):
        for seat in range(4):
            if len(state.legal(seat)) != len(image.legal(seat)):
                return True
    return False


def golden_record(wanted: Golden) -> Record:
    """The first round that shows all that is wanted and is not long."""
    rules = Rules.parse(wanted.rules)
    for seed in count():
        table = Table(seed, wanted.clump, wanted.suited, bold=seed % 3 > 0, meddling=3)
        taken = list(steps(table, rules))
        actions = [(step.seat, step.action) for step in taken]
        states = [taken[0].before, *(step.after for step in taken)]
        if len(actions) > 120 or not all(trait(states, actions) for trait in wanted.traits):
            continue
        one = RoundRecord(deal_at(table), tuple(actions), states[-1].outcome.score)
        if all(
            goes_otherwise(one, rules, other) for field in wanted.fields.split() for other in other_values(rules, field)
        ):
            return Record(rules, (one,), SEATS)
    raise AssertionError


def views_text(record: Record) -> str:
    """The ``.views`` file of a record."""
    (one,) = record.rounds
    titles = ["deal", *(format_action(*action) for action in one.actions)]
    lines = []
    shown = [[""] * 9 for _ in range(4)]
    for title, state in zip(titles, replay(one, record.rules), strict=True):
        lines.append(title)
        for seat in range(4):
            fields = format_view(state.view(seat)).split(" ")
            thin = ["=" if field == before else field for field, before in zip(fields, shown[seat], strict=True)]
            lines.append(f"{seat} {len(state.legal(seat))} {' '.join(thin)}")
            shown[seat] = fields
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write all golden files."""
    for name, wanted in GOLDEN.items():
        record = golden_record(wanted)
        (FOLDER / f"{name}.ttn").write_text(format_record(record), encoding="utf-8")
        (FOLDER / f"{name}.views").write_text(views_text(record), encoding="utf-8")


if __name__ == "__main__":
    main()
