from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from msgspec.structs import replace

from tests.ratings.matches import DAY, few_seasons, left, match, seasons
from tichu.core.errors import GameError
from tichu.ratings import History, MatchRow, settle_all, unrate, weight_after
from tichu.ratings.anchors import can_rate


def weights(rows: Sequence[MatchRow]) -> list[float]:
    return [row.weight for row in settle_all(rows)]


def test_meeting_the_same_people_counts_less_each_time() -> None:
    found = weights([match(f"m{number}") for number in range(30)])
    assert found == [weight_after(number) for number in range(30)]
    assert all(later < earlier for earlier, later in pairwise(found))


def test_one_acquaintance_on_the_other_side_is_enough() -> None:
    assert weights([match("m1", "a b c d"), match("m2", "a e f b")]) == [1, weight_after(1)]


def test_a_partner_is_not_an_opponent() -> None:
    assert weights([match("m1", "a b c d"), match("m2", "a e c f")]) == [1, 1]


def test_after_thirty_days_a_meeting_is_forgotten() -> None:
    assert weights([match("m1"), match("m2", at=30 * DAY - 1), match("m3", at=30 * DAY)]) == [
        1,
        weight_after(1),
        weight_after(1),
    ]


def test_what_rates_nobody_is_no_meeting() -> None:
    rows = [match("m1", unrated=True), match("m2", winner=None, ending="aborted"), match("m3")]
    assert weights(rows) == [1, 1, 1]


def test_our_bots_are_met_for_ever() -> None:
    assert weights([match(f"m{number}", "a bot:hard b bot:hard") for number in range(5)]) == [1] * 5


def test_a_stranger_who_is_left_alone_is_spared_three_times_in_thirty_days() -> None:
    rows = [left(0, f"m{day}", f"x{day} o{day} a p{day}", at=day * DAY) for day in range(5)]
    rows.append(left(0, "late", "y o a p", at=31 * DAY))
    assert [row.spared for row in settle_all(rows)] == [True, True, True, False, False, True]


def test_who_came_with_the_leaver_is_not_spared() -> None:
    assert [row.spared for row in settle_all([left(0, pairs=(True, False)), left(0, "n", pairs=(False, True))])] == [
        False,
        True,
    ]


def test_rows_go_forward_in_time() -> None:
    history = History()
    history.add(match("m1", at=7))
    for step in (history.settle, history.add):
        with pytest.raises(GameError, match="ended before"):
            step(match("m2", at=6))


def test_settling_a_row_that_is_not_applied_changes_nothing() -> None:
    history = History()
    history.add(match("m1"))
    assert history.settle(match("m2", at=40 * DAY)).weight == 1
    assert history.settle(match("m2", at=DAY)).weight == weight_after(1)


def test_what_is_long_past_is_thrown_away() -> None:
    history = History()
    history.add(left(0, "m0", spared=True))
    for number in range(5000):
        history.add(match(f"m{number + 1}", f"p{number} q{number} r{number} s{number}", at=31 * DAY))
    assert len(history) == 4 * 5000
    assert history.settle(match("again", "p0 q0 x y", at=31 * DAY)).weight == weight_after(1)


def by_definition(row: MatchRow, earlier: Sequence[MatchRow]) -> tuple[float, bool]:
    """The rule as it is told, without any bookkeeping."""
    recent = [one for one in earlier if one.at > row.at - 30 * DAY and can_rate(one)]

    def met(one: str, other: str) -> int:
        return sum(
            {one, other} <= set(past.players) and other not in past.team(past.players.index(one) % 2) for past in recent
        )

    people = [[player for player in row.team(side) if not player.startswith("bot:")] for side in (0, 1)]
    weight = weight_after(max((met(one, other) for one in people[0] for other in people[1]), default=0))
    if row.leaver is None or row.pairs[row.leaver % 2]:
        return weight, False
    partner = row.players[row.leaver ^ 2]
    times = sum(one.spared and one.leaver is not None and one.players[one.leaver ^ 2] == partner for one in recent)
    return weight, times < 3


@few_seasons
@given(seasons(most=20))
def test_a_row_is_settled_by_the_rows_before_it(rows: list[MatchRow]) -> None:
    settled = list(settle_all(rows))
    for number, row in enumerate(settled):
        assert (row.weight, row.spared) == by_definition(rows[number], settled[:number])


def test_what_follows_an_unrated_match_is_settled_anew() -> None:
    rows = list(settle_all([match("m1"), match("m2"), match("m3")]))
    first, second, third = unrate(rows, "m2")
    assert first == rows[0]
    assert second == replace(rows[1], unrated=True)
    assert third.weight == weight_after(1)
    with pytest.raises(GameError, match="no match m9"):
        list(unrate(rows, "m9"))
