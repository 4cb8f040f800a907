"""Games to ask about: played by bots that are quick, with wishes and bombs."""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from tichu import Game, Rules, Wish, shuffled_deal
from tichu.core.actions import Action
from tichu.core.cards import rank_of
from tichu.core.phases import Phase


class Decision(NamedTuple):
    """A game in which a seat is to decide, and what it did."""

    game: Game
    seat: int
    action: Action


def decisions(seed: int, rules: Rules) -> Iterator[Decision]:
    """One round of players who play anything that is legal, seldom pass, and wish for what others hold."""
    rng = Random(seed)
    game = Game.start(shuffled_deal(rng), rules)
    while not game.round.is_over:
        seat = rng.choice(game.round.pending)
        view = game.view(seat)
        legal = view.legal()
        action = legal.draw(rng)
        if view.phase is Phase.WISH:
            others = [rank_of(card) for card in range(4, 56) if not view.hand >> card & 1]
            action = Wish(rng.choice(others))
        elif view.phase is Phase.PLAY and legal.may_call and rng.random() < 0.02:
            action = next(each for each in reversed([*legal]))
        yield Decision(game, seat, action)
        game = game.after(seat, action)
