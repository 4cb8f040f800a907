"""The checker finds every fault that is planted in a history, and nothing in one without."""

from collections.abc import Callable
from typing import Any

import pytest

from bench.cluster.checker import check
from bench.cluster.history import Answer, Claim, History, Written

SESSIONS = {"A": "a.1", "B": "b.1"}


def good() -> History:
    """Two tables; the first is taken over by B after its fourth entry, the second stays with A."""
    written, claims, answers, order = [], [], [], 0
    for table in ("one", "two"):
        claims.append(Claim(order := order + 1, table, "A", 1))
        for number in range(1, 9):
            owner, epoch = ("B", 2) if table == "one" and number > 4 else ("A", 1)
            if owner == "B" and number == 5:
                claims.append(Claim(order := order + 1, table, "", 1))
                claims.append(Claim(order := order + 1, table, "B", 2))
            command = "" if number in (1, 6) else f"c{number}"
            action = f"{number % 4}:-" if command else ""
            order += 1
            written.append(Written(order, table, number, command, action, SESSIONS[owner], owner, epoch))
            if command:
                answers.append(Answer(table, command, "ack", str(10 + number), action))
        answers.append(Answer(table, "c99", "refused", "STALE"))
    # What is asked again is answered again.
    answers.append(answers[2])
    return History(written, claims, SESSIONS, answers)


def test_a_good_history_has_no_fault_and_everything_in_it_was_looked_at() -> None:
    verdict = check(good())
    assert verdict.faults == []
    assert (verdict.tables, verdict.entries, verdict.epochs, verdict.acknowledged, verdict.refused) == (2, 16, 3, 13, 2)
    assert "nothing is wrong" in verdict.lines()[0]


def _replace(history: History, number: int, **other: Any) -> History:
    """An entry of the first table is another one."""
    written = [
        entry._replace(**other) if (entry.table, entry.number) == ("one", number) else entry
        for entry in history.written
    ]
    return history._replace(written=written)


def lose(history: History) -> History:
    """An acknowledged entry is not there, and neither is a hole where it was."""
    kept = [entry for entry in history.written if (entry.table, entry.number) != ("one", 8)]
    return history._replace(written=kept)


def overwrite(history: History) -> History:
    return _replace(history, 7, action="3:As")


def store_another_command(history: History) -> History:
    return _replace(history, 7, command="c70")


def double(history: History) -> History:
    """Whoever was replaced writes under a number that its successor has written."""
    late = Written(1000, "one", 5, "c5", "1:-", "b.1", "B", 2)
    return history._replace(written=[*history.written, late])


def repeat_a_command(history: History) -> History:
    again = Written(1000, "one", 9, "c7", "3:-", "b.1", "B", 2)
    return history._replace(written=[*history.written, again])


def leave_a_gap(history: History) -> History:
    kept = [entry for entry in history.written if (entry.table, entry.number) != ("one", 6)]
    return history._replace(written=kept)


def write_late(history: History) -> History:
    """A writes after B has taken over; B goes on behind it."""
    return _replace(history, 5, writer="a.1")


def write_late_and_say_so(history: History) -> History:
    """The same, where the row of the table was made to say that it is A's."""
    return _replace(history, 6, writer="a.1", owner="A", epoch=1)


def write_in_an_earlier_life(history: History) -> History:
    return _replace(history, 5, writer="b.0")


def write_unowned(history: History) -> History:
    """Between giving a table up and its next owner."""
    claims = [claim for claim in history.claims if (claim.table, claim.owner) != ("one", "B")]
    return history._replace(claims=claims)


def own_twice(history: History) -> History:
    return history._replace(claims=[*history.claims, Claim(1001, "two", "B", 1)])


def go_back(history: History) -> History:
    return history._replace(claims=[*history.claims, Claim(1001, "one", "A", 1)])


def answer_otherwise(history: History) -> History:
    again = Answer("one", "c3", "ack", "77", "3:-")
    return history._replace(answers=[*history.answers, again])


def refuse_afterwards(history: History) -> History:
    return history._replace(answers=[*history.answers, Answer("one", "c3", "refused", "STALE")])


def refuse_what_is_stored(history: History) -> History:
    answers = [
        answer._replace(kind="refused", result="STALE") if (answer.table, answer.command) == ("two", "c8") else answer
        for answer in history.answers
    ]
    return history._replace(answers=answers)


def store_in_another_order(history: History) -> History:
    changed = _replace(_replace(history, 7, command="c0"), 8, command="c7", action="3:-")
    changed = _replace(changed, 7, command="c8", action="0:-")
    answers = [one for one in changed.answers if one.table == "one"]
    assert [one.command for one in answers][4:6] == ["c7", "c8"]
    return changed


def rewrite_as_something_else(history: History) -> History:
    some = next(one for one in history.written if one.action)
    changed = some._replace(order=1000, action="3:2s", is_rewritten=True)
    return history._replace(written=[*history.written, changed])


def rewrite_after_a_take_over(history: History) -> History:
    some = next(one for one in history.written if one.table == "one" and one.owner == "A")
    return history._replace(written=[*history.written, some._replace(order=1000, is_rewritten=True)])


def rewrite_what_is_not_there(history: History) -> History:
    some = history.written[-1]._replace(order=1000, number=999, is_rewritten=True)
    return history._replace(written=[*history.written, some])


FAULTS: dict[Callable[[History], History], str] = {
    lose: "lost",
    overwrite: "overwritten",
    store_another_command: "lost",
    double: "double",
    repeat_a_command: "doubled",
    leave_a_gap: "gap",
    write_late: "stale writer",
    write_late_and_say_so: "stale writer",
    write_in_an_earlier_life: "stale writer",
    write_unowned: "stale writer",
    own_twice: "two owners",
    go_back: "epoch",
    answer_otherwise: "contradiction",
    refuse_afterwards: "contradiction",
    refuse_what_is_stored: "refused and stored",
    store_in_another_order: "order",
    rewrite_as_something_else: "overwritten",
    rewrite_after_a_take_over: "stale writer",
    rewrite_what_is_not_there: "gap",
}


@pytest.mark.parametrize("plant", FAULTS, ids=lambda plant: plant.__name__)
def test_a_planted_fault_is_found_and_named(plant: Callable[[History], History]) -> None:
    verdict = check(plant(good()))
    kinds = {fault.kind for fault in verdict.faults}
    assert FAULTS[plant] in kinds, verdict.faults
    assert all(fault.table for fault in verdict.faults)
    assert f"x {FAULTS[plant]}" in verdict.lines()[0]


def test_an_epoch_that_falls_is_found_where_its_owner_is_new() -> None:
    history = good()
    claims = [*history.claims, Claim(1001, "one", "A", 5), Claim(1002, "one", "B", 4)]
    assert [fault.kind for fault in check(history._replace(claims=claims)).faults] == ["epoch"]


def test_of_a_fault_at_one_table_the_others_know_nothing() -> None:
    assert {fault.table for fault in check(leave_a_gap(good())).faults} == {"one"}
