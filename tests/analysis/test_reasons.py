import numpy as np
import pytest

from tichu import Round, parse_action
from tichu.analysis.reasons import _bombs, _card_points, _clearest, _shares
from tichu.analysis.rollouts import Ends


def ends(first: int, dragon: int = -1, double: int = -1) -> Ends:
    return Ends(np.zeros(48, np.float32), np.array([[0, 0, first, double, dragon, 0, 0]] * 48, np.int16))


def test_what_differs_is_told_from_the_seat() -> None:
    found = _clearest(_shares(ends(first=1, dragon=1), 2), _shares(ends(first=2, dragon=1), 2))
    assert [str(each) for each in found] == [
        "you go out first in 100 % instead of 0 %",
        "an opponent goes out first in 0 % instead of 100 %",
    ]


def test_what_is_the_same_is_not_told() -> None:
    same = _shares(ends(first=0, dragon=3, double=0), 0)
    assert _clearest(same, same) == []
    assert [name for name, worlds in same.items() if worlds.all()] == [
        "self_first",
        "double_won",
        "opponent_dragon",
    ]


@pytest.mark.parametrize(("seat", "who"), [(0, "your partner"), (1, "an opponent"), (2, "you"), (3, "an opponent")])
def test_who_plays_the_dragon_is_named(seat: int, who: str) -> None:
    [reason] = _clearest(_shares(ends(first=0), 2), _shares(ends(first=0, dragon=seat), 2))
    plays = "play" if who == "you" else "plays"
    assert str(reason) == f"{who} {plays} the Dragon in 100 % instead of 0 %"


@pytest.mark.parametrize(
    ("played", "better", "told"),
    [
        ("0:7s7b", "0:9s", ["your bomb 7s7b7g7r stays"]),
        ("0:9s", "0:7s7b", ["your bomb 7s7b7g7r is broken up"]),
        ("0:7s7b7g7r", "0:9s", ["your bomb 7s7b7g7r stays"]),
        # That it is thrown can be seen.
        ("0:9s", "0:7s7b7g7r", []),
        ("0:9s", "0:-", []),
    ],
)
def test_a_bomb_that_stays_or_goes_is_named(played: str, better: str, told: list[str]) -> None:
    view = Round.from_position("7s7b7g7r9s/2s/2b/2g p0 - 100/0/0/0 - ---- - -/-/-/-").view(0)
    actions = [parse_action(text)[1] for text in (played, better)]
    assert [str(each) for each in _bombs(view, *actions)] == told


def scores(*rows: tuple[int, int]) -> Ends:
    """Rounds in which seat 1 was first, by the scores of both teams."""
    found = [[ours, theirs, 1, -1, -1, 0, 0] for ours, theirs in rows]
    return Ends(np.zeros(len(rows), np.float32), np.array(found, np.int16))


def test_card_points_are_told_without_calls() -> None:
    view = Round.from_position("7s/2s/2b/2g p0 - 70/30/0/0 - -T-- - -/-/-/-").view(0)
    # Seat 1 has made its Tichu: of 130 points 100 are for that.
    played, better = scores(*[(70, 130)] * 48), scores(*[(90, 110)] * 48)
    assert [str(each) for each in _card_points(view, played, better)] == [
        "your team takes 90 card points instead of 70"
    ]
    [reason] = _card_points(view._replace(seat=1), played, better)
    assert (reason.played, reason.better) == (0.3, 0.1)


def test_few_card_points_and_double_victories_are_not_told() -> None:
    view = Round.from_position("7s/2s/2b/2g p0 - 70/30/0/0 - -T-- - -/-/-/-").view(0)
    base = scores(*[(70, 130)] * 48)
    assert not list(_card_points(view, base, scores(*[(72, 128)] * 48)))
    assert not list(_card_points(view, base, scores(*[(0, 300)] * 48)))
