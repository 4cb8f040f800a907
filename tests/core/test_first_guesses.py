"""What one tries first at a prompt works, or says what to do."""

from random import Random
from typing import Any

import pytest

from tichu import Game, GameError, parse_action, shuffled_deal


@pytest.fixture
def game() -> Game:
    return Game.start(shuffled_deal(Random(1)))


@pytest.mark.parametrize("seat", [9, 4, -1, "0"])
def test_what_is_no_seat_is_told(game: Game, seat: Any) -> None:
    _, decline = parse_action("0-G")
    for ask in (game.view, game.round.view, game.round.legal):
        with pytest.raises(GameError, match=f"a seat is 0, 1, 2 or 3, not {seat!r}"):
            ask(seat)
    for after in (game.after, game.round.after):
        with pytest.raises(GameError, match=f"a seat is 0, 1, 2 or 3, not {seat!r}"):
            after(seat, decline)


def test_a_seat_beside_a_seat_and_an_action_is_told(game: Game) -> None:
    guess: Any = parse_action("0-G")
    for after in (game.after, game.round.after):
        with pytest.raises(TypeError, match=r"\(0, DeclineGrand\(\)\) is a seat and an action: after\(\*parse_action"):
            after(0, guess)
        assert after(*guess) == after(0, guess[1])
