"""A game in progress: the match, the round, and everything that happened, told to each seat as far as it may know."""

from typing import NamedTuple

from tichu.core.actions import CALL_GRAND, DECLINE_GRAND, Action, DeclineBomb, Exchange, not_an_action
from tichu.core.deals import Deal
from tichu.core.errors import GameError
from tichu.core.match import Match
from tichu.core.phases import Call, Phase, check_seat
from tichu.core.round import Round
from tichu.core.rules import STANDARD, Rules
from tichu.core.view import View

__all__ = ["Game"]

Events = tuple[tuple[int, Action], ...]


class Game(NamedTuple):
    """A match with the round that is being played.

    >>> import random
    >>> from tichu.core.deals import shuffled_deal
    >>> game = Game.start(shuffled_deal(random.Random(1)))
    >>> rng = random.Random(2)
    >>> while not game.round.is_over:
    ...     seat = game.round.pending[0]
    ...     game = game.after(seat, game.view(seat).legal().draw(rng))
    >>> game.match.outcomes[0] == game.round.outcome
    True
    >>> game
    <Game -305:-195 after 1 round; 125 actions: -/Do/-/- e - 50/5/45/0 - GGG- 320 Ar2bQb/AbQs3r/7g9g7s/Tb2sKr>
    """

    match: Match
    deal: Deal
    round: Round
    #: The actions of the round, the table's own included.
    actions: Events = ()
    #: What each seat has seen of them; it only ever grows at the end.
    seen: tuple[Events, ...] = ((), (), (), ())

    def __repr__(self) -> str:
        under = "" if self.match.rules == STANDARD else f" under {self.match.rules}:"
        actions = "1 action" if len(self.actions) == 1 else f"{len(self.actions)} actions"
        return f"<Game{under} {self.match}; {actions}: {self.round}>"

    @classmethod
    def start(cls, deal: Deal, rules: Rules = STANDARD, match: Match | None = None) -> "Game":
        """Deal the first round under ``rules``, or the next of ``match``, which has its own."""
        before = Match(rules) if match is None else match
        if before.winner is not None:
            raise GameError("the match is over")
        return cls(before, deal, Round.start(deal, before.rules))._after_automatic()

    @classmethod
    def from_round(cls, round: Round, match: Match | None = None) -> "Game":
        """Go on from a state of a round; how it came about is not known, so the game has no deal and no history.

        >>> game = Game.from_round(Round.from_position("7s8b/2s/3s/4s p0 - 100/0/0/0 - ---- - -/-/-/-"))
        >>> game.view(0).legal()
        <Legal 7s 8b>

        :raises GameError: the round or the match is over
        """
        before = Match(round.rules) if match is None else match
        if round.is_over or before.winner is not None:
            raise GameError(f"the {'round' if round.is_over else 'match'} is over")
        return cls(before, (), round)._after_automatic()

    def next_round(self, deal: Deal) -> "Game":
        """Deal again after a round that is over."""
        if not self.round.is_over:
            raise GameError("the round is not over")
        return Game.start(deal, match=self.match)

    def after(self, seat: int, action: Action | None = None) -> "Game":
        """The game after a legal action and whatever the table then does by itself (§10).

        >>> import random
        >>> from tichu import parse_action, shuffled_deal
        >>> game = Game.start(shuffled_deal(random.Random(1)))
        >>> game.after(*parse_action("0-G")).round.pending
        (1, 2, 3)
        >>> game.after(parse_action("0-G"))
        Traceback (most recent call last):
        TypeError: after() takes a seat and an action: after(2, Pass()), or after(*parse_action("2:-"))

        :raises IllegalAction: nothing has changed
        :raises TypeError: without an action, or with what is none
        """
        if action is None:
            not_an_action(action)
        return self._with(seat, action, self.round.after(seat, action))._after_automatic()

    def after_recorded(self, seat: int, action: Action) -> "Game":
        """The game after an action that was stored when it was made; the gift of the table is believed (§10.3).

        :raises IllegalAction: nothing has changed
        """
        return self._with(seat, action, self.round.after_recorded(seat, action))._after_automatic()

    def _after_automatic(self) -> "Game":
        game = self
        while (decision := game.round.automatic()) is not None:
            game = game._with(*decision, game.round.after_unchecked(*decision))
        return game

    def _with(self, seat: int, action: Action, after: Round) -> "Game":
        match = self.match.after(after.outcome) if after.is_over else self.match
        seen = tuple(
            events + _news(other, seat, action, self.round.phase, after) for other, events in enumerate(self.seen)
        )
        return Game(match, self.deal, after, (*self.actions, (seat, action)), seen)

    def view(self, seat: int) -> View:
        """What the seat can know, with what it has seen this round and the match score from its side.

        :raises GameError: there is no such seat
        """
        check_seat(seat)
        score = self.match.score
        return self.round.view(seat, self.seen[seat], score if seat % 2 == 0 else score[::-1])


def _news(seat: int, actor: int, action: Action, phase: Phase, after: Round) -> Events:
    """What a seat learns when somebody acts.

    Grand calls and exchanges are simultaneous (§2): a seat sees its own at once, the others' when all are made, and of
    an exchange only the card that came to it.  Declining to bomb is seen by nobody else (§7.2).
    """
    others = [other for other in range(4) if other != seat]
    match action:
        case _ if phase is Phase.GRAND:
            shown: Events = ()
            if after.phase is not Phase.GRAND:
                shown = tuple(
                    (other, CALL_GRAND if after.calls[other] is Call.GRAND else DECLINE_GRAND) for other in others
                )
            return (((actor, action),) if actor == seat else ()) + shown
        case Exchange():
            shown = ()
            if after.phase is not Phase.EXCHANGE:
                shown = tuple((other, Exchange(*after.view(seat).given[other])) for other in others)
            return (((actor, action),) if actor == seat else ()) + shown
        case DeclineBomb() if actor != seat:
            return ()
        case _:
            return ((actor, action),)
