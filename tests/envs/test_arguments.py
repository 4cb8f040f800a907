"""Wrong numbers, shapes, seeds and options: a plain error, the same with and without the native core."""

from typing import Any

import gymnasium
import numpy as np
import pytest

from tichu import GameError
from tichu.agents.greedy import GreedyAgent
from tichu.envs import SelfPlay, tichu_v0, unpack_masks
from tichu.envs.seat_vector import SeatVectorEnv
from tichu.envs.single import TichuEnv
from tichu.envs.vector import TichuVectorEnv

#: Decline Grand Tichu, which begins every round.
_DECLINE = 7


class Slow(GreedyAgent):
    """Of a subclass the native core knows nothing, so games with it are played in Python."""


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"seat": 1.0}, "a seat is 0, 1, 2 or 3, not 1.0"),
        ({"seat": np.array([1, 2])}, "a seat is 0, 1, 2 or 3"),
        ({"max_rounds": "a"}, "max_rounds is a number from 1 on, not 'a'"),
        ({"max_rounds": 1.5}, "max_rounds is a number from 1 on, not 1.5"),
        ({"max_rounds": 0}, "max_rounds is a number from 1 on, not 0"),
    ],
)
def test_an_environment_is_not_made_with_wrong_numbers(options: dict[str, Any], words: str) -> None:
    for make in (TichuEnv, SeatVectorEnv):
        with pytest.raises(GameError, match=words):
            make(**options)
    if "max_rounds" in options:
        with pytest.raises(GameError, match=words):
            tichu_v0.env(**options)
        with pytest.raises(GameError, match=words):
            SelfPlay(2, **options)


@pytest.mark.parametrize("wrong", ["no", "False", "", 2, 0.0, None])
def test_a_yes_or_no_is_no_text(wrong: Any) -> None:
    forms: dict[str, list[Any]] = {
        "forced": [TichuEnv, SeatVectorEnv, TichuVectorEnv, SelfPlay, tichu_v0.env],
        "copy": [SeatVectorEnv, TichuVectorEnv],
        "packed_masks": [SeatVectorEnv, TichuVectorEnv],
    }
    for option, makes in forms.items():
        if option == "forced" and wrong is None:
            continue
        for make in makes:
            many = [2] if make in (SeatVectorEnv, TichuVectorEnv, SelfPlay) else []
            with pytest.raises(GameError, match=f"{option} is True or False, not {wrong!r}"):
                make(*many, **{option: wrong})
    assert TichuEnv(forced=np.False_).settings.takes_forced  # type: ignore[arg-type]


def test_only_packed_masks_are_unpacked() -> None:
    games = SelfPlay(3)
    for wrong in (games.masks[:, :207], unpack_masks(games.masks), games.masks.astype(np.int64), np.uint8(3)):
        with pytest.raises(GameError, match="a packed mask has 208 bytes, not the shape"):
            unpack_masks(wrong)  # type: ignore[arg-type]


def test_a_wrong_action_is_named_as_it_was_given() -> None:
    raw = tichu_v0.raw_env()
    raw.reset(seed=1)
    for wrong in (99999, -7):
        with pytest.raises(ValueError, match=f"seat_0 has no action {wrong} now"):
            raw.step(wrong)


@pytest.mark.parametrize("opponents", ["greedy", Slow()])
def test_after_a_position_that_was_refused_a_reset_is_needed(opponents: Any) -> None:
    # Seat 0 is out, and the others play the round to its end.
    refused = {"position": "-/3s/5b/4s p1 - 95/0/0/0 - ---- 0 -/-/-/-"}
    cases: list[tuple[Any, Any]] = [
        (TichuEnv(opponents), _DECLINE),
        (SeatVectorEnv(2, opponents), np.full(2, _DECLINE)),
    ]
    for table, action in cases:
        table.reset(seed=1)
        with pytest.raises(GameError, match="seat 0 has nothing to decide in this position"):
            table.reset(options=refused)
        with pytest.raises(gymnasium.error.ResetNeeded, match="reset"):
            table.step(action)
        table.reset()
        table.step(action)


def test_large_and_foreign_numbers_are_taken() -> None:
    assert TichuEnv(max_rounds=2**40, seat=np.int8(2)).seat == 2  # type: ignore[arg-type]
    tables = SeatVectorEnv(2, packed_masks=1, max_rounds=np.int32(3))  # type: ignore[arg-type]
    assert "packed_action_mask" in tables.reset(seed=np.uint8(255))[0]  # type: ignore[arg-type]


@pytest.mark.parametrize("opponents", ["greedy", Slow()])
def test_what_is_no_number_is_no_action(opponents: Any) -> None:
    for illegal in ("end", "raise"):
        table = TichuEnv(opponents, illegal=illegal)
        table.reset(seed=1)
        before = table.state()
        for action in (None, "x", "7", 7.5, float("nan"), float("inf"), [7], np.array([7, 7])):
            with pytest.raises(GameError, match="an action is a number, not"):
                table.step(action)  # type: ignore[arg-type]
        assert (table.state() == before).all()
    assert table.step(np.float32(_DECLINE))[1] == 0  # type: ignore[arg-type]


@pytest.mark.parametrize("opponents", ["greedy", Slow()])
@pytest.mark.parametrize("action", [10**30, -(10**30), 1e30, -1, 1625])
def test_an_action_beyond_all_numbers_is_illegal_like_any_other(opponents: Any, action: Any) -> None:
    table = TichuEnv(opponents)
    table.reset(seed=1)
    with pytest.warns(UserWarning, match="is not in the mask"):
        *_, info = table.step(action)
    assert info == {"illegal": True}
    table = TichuEnv(opponents, illegal="raise")
    table.reset(seed=1)
    with pytest.raises(ValueError, match="is not in the mask"):
        table.step(action)
    raw = tichu_v0.raw_env()
    raw.reset(seed=1)
    with pytest.raises(ValueError, match="has no action"):
        raw.step(action)


def test_after_the_end_an_episode_begins_by_reset() -> None:
    table = TichuEnv(rules="simple")
    with pytest.raises(gymnasium.error.ResetNeeded, match="reset"):
        table.state()
    table.reset(seed=1)
    is_over = False
    while not is_over:
        *_, is_over, _, _ = table.step(int(table.action_masks().argmax()))
    with pytest.raises(gymnasium.error.ResetNeeded, match="the episode is over"):
        table.step(0)
    table.reset()
    table.step(int(table.action_masks().argmax()))


@pytest.mark.parametrize("make", [SeatVectorEnv, TichuVectorEnv])
def test_many_games_take_one_whole_number_each(make: Any) -> None:
    tables = make(3)
    tables.reset(seed=1)
    for actions in (None, 7, [7, 7], [7, 7, 7, 7], np.full((3, 1), 7)):
        with pytest.raises(GameError, match="one action a game: 3 in a row"):
            tables.step(actions)
    for wrong in ([7.5, 7, 7], [7, 7, float("nan")], ["7", "7", "7"], [True, True, True], [7, 7, 10**30]):
        with pytest.raises(GameError, match="actions are whole numbers"):
            tables.step(wrong)
    for number, right in enumerate(([7, 7, 7], np.full(3, 7.0), np.full(6, 7)[::2], np.full(3, 7, np.uint8))):
        tables.reset(seed=number)
        assert not tables.step(right)[2].any()


def test_self_play_takes_one_whole_number_a_game() -> None:
    games = SelfPlay(3)
    for actions in (None, 7, [7, 7], [7.5, 7, 7]):
        with pytest.raises(GameError, match=r"one action a game|whole numbers"):
            games.step(actions)  # type: ignore[arg-type]
    games.step([7, 7, 7])  # type: ignore[arg-type]
    assert games.seats.tolist() == [1, 1, 1]


def test_nothing_is_stepped_before_it_is_dealt() -> None:
    for tables in (SeatVectorEnv(2), SeatVectorEnv(2, Slow()), TichuVectorEnv(2)):
        with pytest.raises(gymnasium.error.ResetNeeded, match="reset"):
            tables.step(np.full(2, _DECLINE))
    for tables in (SeatVectorEnv(2), SeatVectorEnv(2, Slow())):
        for ask in (tables.sample, tables.state):
            with pytest.raises(gymnasium.error.ResetNeeded, match="reset"):
                ask()


@pytest.mark.parametrize("seed", [-1, 1.5, "x", None, [1, 2], (1, 2)])
def test_a_seed_is_a_number_from_0_on(seed: Any) -> None:
    with pytest.raises(GameError, match="a seed is a number from 0 on, not"):
        SelfPlay(2, seed=seed)
    if seed is None:
        return
    table = tichu_v0.env()
    with pytest.raises(GameError, match="a seed is a number from 0 on, not"):
        table.reset(seed=seed)
    with pytest.raises(
        (GameError, gymnasium.error.Error), match=r"a seed is a number from 0 on|one seed deals for all"
    ):
        TichuVectorEnv(2).reset(seed=seed)
    with pytest.raises(GameError, match=r"a seed is a number from 0 on, not|2 seeds for 3 games"):
        SeatVectorEnv(3).reset(seed=seed)
    if not isinstance(seed, list | tuple):
        with pytest.raises(GameError, match="a seed is a number from 0 on, not"):
            SeatVectorEnv(2).reset(seed=[seed, 1])


@pytest.mark.parametrize("seed", [0, 2**64 - 1, 2**70 + 3])
def test_the_same_seed_deals_the_same_in_every_form(seed: int) -> None:
    table = tichu_v0.env()
    table.reset(seed=seed)
    cards = table.last()[0]["observation"]
    assert (SelfPlay(2, seed=seed).observations[0] == cards).all()
    for made in (TichuEnv(), TichuEnv(Slow())):
        assert (made.reset(seed=seed)[0]["observation"] == cards).all()
    for many in (SeatVectorEnv(2), SeatVectorEnv(2, Slow()), TichuVectorEnv(2)):
        assert (many.reset(seed=seed)[0]["observation"][0] == cards).all()


def test_seeds_may_come_in_any_row() -> None:
    given: list[Any] = [[4, 5, 6], (4, 5, 6), np.arange(4, 7), 4]
    rows = [SeatVectorEnv(3).reset(seed=seeds)[0]["observation"] for seeds in given]
    assert all((row == rows[0]).all() for row in rows)


def test_options_that_a_form_does_not_have_are_refused() -> None:
    position = {"position": "9sAs/3s/5b/4s p0 - 95/0/0/0 - ---- - -/-/-/-"}
    with pytest.raises(GameError, match="a table of four is dealt"):
        tichu_v0.env().reset(seed=1, options=position)
    with pytest.raises(GameError, match="are dealt"):
        TichuVectorEnv(2).reset(seed=1, options=position)
    for made in (TichuEnv(), SeatVectorEnv(2)):
        with pytest.raises(GameError, match="options are a mapping"):
            made.reset(seed=1, options=["position"])  # type: ignore[arg-type]
