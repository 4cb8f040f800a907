"""Who is brought together with whom."""

import random

import pytest

from tichu.server.rating.pairing import Group, Ticket, form_groups, form_with_bots


def tickets(*ratings: float, since: float = 0.0) -> list[Ticket]:
    return [Ticket((f"p{at}",), rating, since) for at, rating in enumerate(ratings)]


def teams(group: Group) -> set[frozenset[str | None]]:
    return {frozenset(group.seats[0::2]), frozenset(group.seats[1::2])}


def test_four_of_like_rating_play() -> None:
    (group,) = form_groups(tickets(1500, 1510, 1490, 1505), 0.0)
    assert set(group.seats) == {"p0", "p1", "p2", "p3"}
    assert group.pairs == (False, False)


def test_three_wait() -> None:
    assert form_groups(tickets(1500, 1500, 1500), 1000.0) == []


def test_teams_are_as_equal_as_can_be() -> None:
    (group,) = form_groups(tickets(1600, 1590, 1500, 1490), 0.0)
    assert teams(group) == {frozenset({"p0", "p3"}), frozenset({"p1", "p2"})}
    assert group.difference == 0


def test_far_apart_they_wait_until_they_have_waited_long() -> None:
    far = tickets(1200, 1500, 1800, 2100)
    assert form_groups(far, 10.0) == []
    assert len(form_groups(far, 121.0)) == 1


def test_whoever_waits_longest_is_served_first() -> None:
    waiting = [*tickets(1500, 1500, 1500, since=100.0), Ticket(("old",), 1500, 0.0), Ticket(("new",), 1500, 101.0)]
    (group,) = form_groups(waiting, 102.0)
    assert "old" in group.seats


def test_a_pair_stays_together() -> None:
    pair = Ticket(("a", "b"), 1500, 0.0)
    (group,) = form_groups([pair, *tickets(1500, 1510)], 0.0)
    assert frozenset({"a", "b"}) in teams(group)
    assert sorted(group.pairs) == [False, True]
    assert group.pairs[0] == ({"a", "b"} == set(group.seats[0::2]))


def test_pairs_meet_pairs_if_they_can() -> None:
    pairs = [Ticket(("a", "b"), 1500, 0.0), Ticket(("c", "d"), 1510, 0.0)]
    (group,) = form_groups([*pairs, *tickets(1500, 1500)], 0.0)
    assert teams(group) == {frozenset({"a", "b"}), frozenset({"c", "d"})}


def test_who_may_not_meet_does_not() -> None:
    waiting = tickets(1500, 1500, 1500, 1500)
    assert form_groups(waiting, 500.0, lambda one, other: {one, other} != {"p0", "p3"}) == []
    five = tickets(1500, 1500, 1500, 1500, 1500)
    (group,) = form_groups(five, 500.0, lambda one, other: {one, other} != {"p0", "p3"})
    assert not {"p0", "p3"} <= set(group.seats)


def test_others_are_preferred_to_those_one_has_just_met() -> None:
    waiting = tickets(1500, 1500, 1500, 1500, 1520, 1520, 1520)
    met = {frozenset(pair) for pair in (("p0", "p1"), ("p0", "p2"), ("p0", "p3"))}
    (group,) = form_groups(waiting, 0.0, meetings=lambda one, other: int(frozenset((one, other)) in met))
    assert set(group.seats) == {"p0", "p4", "p5", "p6"}


def test_nobody_is_in_two_groups() -> None:
    rng = random.Random(1)
    waiting = [
        Ticket((f"a{at}",) if rng.random() < 0.7 else (f"a{at}", f"b{at}"), rng.gauss(1500, 200), rng.uniform(0, 60))
        for at in range(300)
    ]
    groups = form_groups(waiting, 60.0)
    seated = [player for group in groups for player in group.seats]
    assert len(seated) == len(set(seated))
    assert len(groups) > 80
    assert None not in seated


@pytest.mark.parametrize(("number", "tables"), [(1, 1), (2, 1), (3, 2)])
def test_with_bots_nobody_waits_any_longer(number: int, tables: int) -> None:
    welcome = [Ticket((f"p{at}",), 1500 + at, 0.0, bots=True) for at in range(number)]
    groups = form_with_bots(welcome)
    assert len(groups) == tables
    seated = [player for group in groups for player in group.seats if player is not None]
    assert sorted(seated) == [f"p{at}" for at in range(number)]
    for group in groups:
        people = [seat % 2 for seat, player in enumerate(group.seats) if player]
        assert len(people) == len(set(people))


def test_bots_play_against_a_pair() -> None:
    (group,) = form_with_bots([Ticket(("a", "b"), 1500, 0.0, bots=True)])
    assert (group.seats, group.pairs) == (("a", None, "b", None), (True, False))


def test_who_did_not_ask_for_bots_gets_none() -> None:
    assert form_with_bots(tickets(1500, 1500)) == []
