"""Two choices in the same deals, and the answers that the page tells."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.games.make import GAMES
from tichu import Action, Exchange, GameError, Pass, Round
from tichu.core.actions import CALL_GRAND, DECLINE_GRAND, CallTichu
from tichu.core.cards import DRAGON
from tichu.core.combos import Combo
from tichu.data import calling_grand, calling_tichu, compare_choices, giving_the_dragon
from tools.data_answers import _PAGE, ANSWERS, block


def test_the_same_choice_is_worth_the_same() -> None:
    def nothing(state: Round, seat: int, actions: Sequence[Action]) -> tuple[list[Action], list[Action]] | None:
        return ([DECLINE_GRAND], [DECLINE_GRAND]) if actions[0] == DECLINE_GRAND else None

    assert compare_choices(GAMES[:1], nothing, most=3) == [(0, 0.0)] * 3


def test_choices_of_both_teams_are_told_from_their_own_side() -> None:
    def order(sign: int) -> object:
        def choices(state: Round, seat: int, actions: Sequence[Action]) -> object:
            return ([CALL_GRAND], [DECLINE_GRAND])[::sign] if actions[0] in (CALL_GRAND, DECLINE_GRAND) else None

        return choices

    forth = compare_choices(GAMES[1:3], order(1), most=6)  # type: ignore[arg-type]
    back = compare_choices(GAMES[1:3], order(-1), most=6)  # type: ignore[arg-type]
    assert [(game, -points) for game, points in back] == forth
    # Of four hands of eight cards most are no Grand Tichu.
    assert sum(points for _, points in forth) < 0


def seen(choices: object, games: int) -> list[tuple[Round, int, list[Action], list[Action]]]:
    found = []

    def look(state: Round, seat: int, actions: Sequence[Action]) -> None:
        pair = choices(state, seat, actions)  # type: ignore[operator]
        if pair is not None:
            found.append((state, seat, *pair))

    assert compare_choices(GAMES[:games], look) == []
    return found


def test_the_dragon_is_given_or_kept_in_every_exchange_of_who_holds_it() -> None:
    found = seen(giving_the_dragon, 2)
    assert len(found) > 10
    for state, seat, (given,), (kept,) in found:
        assert isinstance(given, Exchange)
        assert isinstance(kept, Exchange)
        assert (given.partner, given.left, given.right) == (DRAGON, kept.left, kept.right)
        assert DRAGON not in kept.cards
        state.check(seat, kept)


def test_a_call_comes_with_the_same_play() -> None:
    found = seen(calling_tichu, 3)
    assert found
    for _, _, (call, play), (alone,) in found:
        assert isinstance(call, CallTichu)
        assert isinstance(play, Combo)
        assert play == alone
    assert compare_choices(GAMES[:3], calling_tichu, most=1)


def test_a_choice_that_is_not_legal_is_refused() -> None:
    with pytest.raises(GameError, match="this is not the time for that"):
        compare_choices(GAMES[:1], lambda state, seat, actions: ([Pass()], [Pass()]))


def test_a_wrong_round_and_a_wrong_game_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.ttn").write_text("hello")
    decisions = []

    def look(state: Round, seat: int, actions: Sequence[Action]) -> None:
        decisions.append(calling_grand(state, seat, actions))

    left_out: list[object] = []
    assert compare_choices([tmp_path, GAMES[58], tmp_path / "none.ttn"], look, report=left_out.append) == []
    assert {str(one).partition(": ")[0] for one in left_out} == {
        str(tmp_path / "a.ttn"),
        f"{GAMES[58]} round 3",
        str(tmp_path / "none.ttn"),
    }
    # Nine rounds, one of them wrong.
    assert sum(pair is not None for pair in decisions) == 8 * 4


def test_what_is_left_out_is_a_warning_if_nobody_listens(tmp_path: Path) -> None:
    broken = tmp_path / "a.ttn"
    broken.write_text(GAMES[0].read_text(encoding="utf-8").replace("deal ", "deal 9s", 1), encoding="utf-8")
    with pytest.warns(UserWarning, match=r"left out: .*a\.ttn round 0: line \d+"):
        assert compare_choices(str(broken), lambda state, seat, actions: None) == []


def test_the_page_tells_what_was_answered() -> None:
    told = json.loads(ANSWERS.read_text(encoding="utf-8"))
    assert block(told) in _PAGE.read_text(encoding="utf-8")
    assert len(told["page"]) == 10
    assert told["learned"]["origin"]["seats"] == ["learned"] * 4
