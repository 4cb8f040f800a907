"""Golden records: every action, every view and every score is as it was when they were made (``make.py``)."""

from collections import Counter
from pathlib import Path

import pytest

from tests.golden.make import FOLDER, GOLDEN, allows_otherwise, goes_otherwise, other_values
from tichu import (
    CallTichu,
    Combo,
    Game,
    Kind,
    Phase,
    Record,
    Round,
    Rules,
    Take,
    Wish,
    format_action,
    format_record,
    format_view,
    parse_record,
    parse_view,
    replay,
)
from tichu.core.rules import FIELDS

RECORDS = {path.stem: parse_record(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.ttn"))}
each_record = pytest.mark.parametrize("name", RECORDS)


def states_of(record: Record) -> list[Round]:
    (one,) = record.rounds
    return list(replay(one, record.rules))


def read_views(path: Path) -> list[tuple[str, list[tuple[int, str]]]]:
    """Per action its text and for each seat how many actions are legal and the whole view."""
    read: list[tuple[str, list[tuple[int, str]]]] = []
    shown = [[""] * 9 for _ in range(4)]
    lines = path.read_text(encoding="utf-8").splitlines()
    for start in range(0, len(lines), 5):
        seen = []
        for seat, line in enumerate(lines[start + 1 : start + 5]):
            number, count, *fields = line.split(" ")
            assert number == str(seat)
            shown[seat] = [new if new != "=" else old for new, old in zip(fields, shown[seat], strict=True)]
            seen.append((int(count), " ".join(shown[seat])))
        read.append((lines[start], seen))
    return read


def test_every_golden_record_is_there_and_nothing_else() -> None:
    files = {path.name for path in FOLDER.iterdir() if path.suffix in (".ttn", ".views")}
    assert files == {f"{name}{suffix}" for name in GOLDEN for suffix in (".ttn", ".views")}


@each_record
def test_the_record_is_written_as_it_was_read(name: str) -> None:
    assert format_record(RECORDS[name]) == (FOLDER / f"{name}.ttn").read_text(encoding="utf-8")
    assert RECORDS[name].rules == Rules.parse(GOLDEN[name].rules)


@each_record
def test_replay_gives_the_same_views_after_every_action_and_the_same_score(name: str) -> None:
    record = RECORDS[name]
    (one,) = record.rounds
    titles = ["deal", *(format_action(*action) for action in one.actions)]
    states = states_of(record)
    golden = read_views(FOLDER / f"{name}.views")
    assert [title for title, _ in golden] == titles
    for (title, seen), state in zip(golden, states, strict=True):
        for seat, (count, text) in enumerate(seen):
            view = state.view(seat)
            assert format_view(view) == text, f"seat {seat} after {title}"
            assert parse_view(text, seat, record.rules) == view
            assert len(state.legal(seat)) == count, f"seat {seat} after {title}: {text}"
    assert states[-1].outcome.score == one.score


@each_record
def test_a_game_takes_the_decisions_of_the_table_by_itself(name: str) -> None:
    record = RECORDS[name]
    (one,) = record.rounds
    game = Game.start(one.deal, record.rules)
    while not game.round.is_over:
        game = game.after(*one.actions[len(game.actions)])
    assert game.actions == one.actions


def values() -> list[tuple[str, str]]:
    return [(field, value) for field, values in FIELDS.items() for value in values]


@pytest.mark.parametrize(("field", "value"), values())
def test_every_value_of_every_field_occurs(field: str, value: str) -> None:
    texts = {str(getattr(record.rules, field)) for record in RECORDS.values()}
    if value == "target:N":
        assert {text for text in texts if text.startswith("target:")} > {"target:1000"}
    else:
        assert value in texts


@pytest.mark.parametrize(("field", "value"), [pair for pair in values() if pair[0] != "goal"])
def test_every_value_of_every_field_matters(field: str, value: str) -> None:
    """Against each other value there is a record that would go, or could have gone, otherwise."""
    missing = None
    for record in RECORDS.values():
        (one,) = record.rounds
        if getattr(record.rules, field) != value:
            continue
        others = {
            str(getattr(other, field))
            for other in other_values(record.rules, field)
            if goes_otherwise(one, record.rules, other) or allows_otherwise(one, record.rules, other)
        }
        unseen = set(FIELDS[field]) - {value} - others
        missing = unseen if missing is None else missing & unseen
    assert missing == set()


def test_every_kind_of_action_occurs() -> None:
    signs: Counter[str] = Counter()
    kinds = set()
    for record in RECORDS.values():
        (one,) = record.rounds
        for _, action in one.actions:
            match action:
                case Combo(kind=kind, phoenix=phoenix):
                    kinds.add((kind, bool(phoenix)))
                case Wish(rank):
                    signs["a wish" if rank else "no wish"] += 1
                case Take(recipient):
                    signs["a take" if recipient is None else "a gift"] += 1
                case _:
                    signs[type(action).__name__] += 1
    assert {kind for kind, _ in kinds} == set(Kind)
    assert {kind for kind, phoenix in kinds if phoenix} >= {
        Kind.SINGLE, Kind.PAIR, Kind.TRIPLE, Kind.FULL_HOUSE, Kind.STRAIGHT, Kind.STAIRS,
    }  # fmt: skip
    assert set(signs) == {
        "CallGrand", "DeclineGrand", "CallTichu", "Exchange", "Pass", "DeclineBomb", "a wish", "no wish", "a take",
        "a gift",
    }  # fmt: skip


def test_what_is_rare_occurs() -> None:
    found = set()
    for record in RECORDS.values():
        (one,) = record.rounds
        for state, (seat, action) in zip(states_of(record), one.actions, strict=False):
            found.add(state.phase.name)
            if seat not in state.pending:
                found.add(f"out of turn: {type(action).__name__}")
            if isinstance(action, CallTichu) and state.out:
                found.add("a call when somebody is out")
            if isinstance(action, Take) and not state.hands[seat]:
                found.add("a last gift" if len(state.out) == 3 else "a take by one who is out")
        end = states_of(record)[-1]
        found |= {end.phase.name, f"{len(end.out)} out"}
        found |= {"a call won" if seat == end.out[0] else "a call lost" for seat in range(4) if end.calls[seat].stake}
    assert found >= {
        *Phase.__members__, "out of turn: Combo", "out of turn: CallTichu", "out of turn: Exchange",
        "a call when somebody is out", "a last gift", "a take by one who is out", "2 out", "3 out", "a call won",
        "a call lost",
    }  # fmt: skip
