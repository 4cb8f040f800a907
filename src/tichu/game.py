"""A game in progress: the match, the round, and everything that happened, told to each seat as far as it may know."""

from typing import NamedTuple

from tichu.actions import Action, CallGrand, DeclineBomb, DeclineGrand, Exchange
from tichu.cards import HIDDEN
from tichu.deals import Deal
from tichu.errors import GameError
from tichu.match import Match
from tichu.phases import Phase
from tichu.round import Round
from tichu.rules import STANDARD, Rules
from tichu.view import View

__all__ = ["Game", "seen_by"]


class Game(NamedTuple):
    """A match with the round that is being played.

    >>> import random
    >>> from tichu.deals import shuffled_deal
    >>> game = Game.start(shuffled_deal(random.Random(1)))
    >>> rng = random.Random(2)
    >>> while not game.round.is_over:
    ...     seat = game.round.pending[0]
    ...     game = game.after(seat, game.view(seat).legal().draw(rng))
    >>> game.match.outcomes[0] == game.round.outcome
    True
    """

    match: Match
    deal: Deal
    round: Round
    #: The actions of the round, the table's own included.
    actions: tuple[tuple[int, Action], ...] = ()

    @classmethod
    def start(cls, deal: Deal, rules: Rules = STANDARD, match: Match | None = None) -> "Game":
        """Deal a round, the first of a match or the next of ``match``."""
        before = Match(rules) if match is None else match
        if before.winner is not None:
            raise GameError("the match is over")
        return cls(before, deal, Round.start(deal, before.rules))._automated()

    def next_round(self, deal: Deal) -> "Game":
        """Deal again after a round that is over."""
        if not self.round.is_over:
            raise GameError("the round is not over")
        return Game.start(deal, match=self.match)

    def after(self, seat: int, action: Action) -> "Game":
        """The game after a legal action and whatever the table then does by itself (§10).

        :raises IllegalAction: nothing has changed
        """
        return self._with(seat, action, self.round.after(seat, action))._automated()

    def _automated(self) -> "Game":
        game = self
        while (decision := game.round.automatic()) is not None:
            game = game._with(*decision, game.round.after_unchecked(*decision))
        return game

    def _with(self, seat: int, action: Action, after: Round) -> "Game":
        match = self.match.after(after.outcome) if after.is_over else self.match
        return Game(match, self.deal, after, (*self.actions, (seat, action)))

    def view(self, seat: int) -> View:
        """What the seat can know, with what it has seen this round and the match score from its side."""
        score = self.match.score
        return self.round.view(seat)._replace(
            history=seen_by(seat, self.actions, self.round), score=score if seat % 2 == 0 else score[::-1]
        )


def seen_by(seat: int, actions: tuple[tuple[int, Action], ...], now: Round) -> tuple[tuple[int, Action], ...]:
    """What a seat has seen of the actions that led to ``now``.

    Grand calls and exchanges are simultaneous: others' are seen when all four are made, and of an exchange only the
    card that came to the seat.  That somebody was asked to bomb and declined is never seen (§7.2).
    """
    return tuple(
        (actor, _redacted(seat, actor, action))
        for actor, action in actions
        if actor == seat or not _is_secret(action, now.phase)
    )


def _is_secret(action: Action, phase: Phase) -> bool:
    match action:
        case CallGrand() | DeclineGrand():
            return phase is Phase.GRAND
        case Exchange():
            return phase is Phase.EXCHANGE
        case DeclineBomb():
            return True
        case _:
            return False


def _redacted(seat: int, actor: int, action: Action) -> Action:
    if not isinstance(action, Exchange) or actor == seat:
        return action
    to_me = (seat - actor - 1) & 3
    return Exchange(*(card if distance == to_me else HIDDEN for distance, card in enumerate(action.cards)))
