"""What one seat can know: the only thing that an agent, a socket or an environment ever gets.

A view is built from what the seat may know, never filtered from what it may not.  To the other seats a question to
bomb (§7.2) looks like the state after it, so a view never tells who was asked.
"""

from typing import NamedTuple

from tichu.core.actions import Action
from tichu.core.cards import Card, Cards
from tichu.core.combos import Combo
from tichu.core.legal import Legal
from tichu.core.phases import Call, Phase, opponents_of, partner_of
from tichu.core.rules import STANDARD, Rules

__all__ = ["View"]


class View(NamedTuple):
    """A round as one seat sees it; ``str`` writes it as text.

    >>> from tichu import Round
    >>> round = Round.from_position("2s/3s/4s/5s p0 3:Dr 0/0/0/70 - ---- - -/-/-/-")
    >>> round.view(0)
    <View seat 0: 2s/*1/*1/*1 p0 3:Dr 0/0/0/70 - ---- - -/-/-/- MaDo2b...ArPhDr>
    >>> print(round.view(0))
    2s/*1/*1/*1 p0 3:Dr 0/0/0/70 - ---- - -/-/-/- MaDo2b...ArPhDr
    """

    rules: Rules
    seat: int
    phase: Phase
    #: The seats that must decide now, ascending.
    pending: tuple[int, ...]
    hand: Cards
    #: How many cards each seat holds (eight during the Grand calls).
    counts: tuple[int, ...]
    #: The combination on the table and the seat that played it, -1 without one.
    top: Combo | None
    owner: int
    #: Card points won so far, by seat.
    points: tuple[int, ...]
    #: The rank wished for, 0 without a wish.
    wish: int
    #: Calls by seat; None for a Grand decision that is made and not yet shown.
    calls: tuple[Call | None, ...]
    #: The seats that are out, in order.
    out: tuple[int, ...]
    #: Cards given in the exchange by seat, for LEFT, PARTNER, RIGHT; others' cards are HIDDEN, () if not chosen.
    given: tuple[tuple[Card, ...], ...]
    #: All cards played so far, by anybody.
    played: Cards
    #: Whose play or pass the question to bomb follows, -1 if this seat is not asked.
    actor: int = -1
    #: What this seat has seen happen in the round, as far as the game in progress kept it.
    history: tuple[tuple[int, Action], ...] = ()
    #: The match so far: this seat's team, the other team.
    score: tuple[int, int] = (0, 0)

    def __str__(self) -> str:
        from tichu.core.position import format_view  # As in Round: text stands above the state.

        return format_view(self)

    def __repr__(self) -> str:
        return f"<View seat {self.seat}{'' if self.rules == STANDARD else f' under {self.rules}'}: {self}>"

    def legal(self) -> Legal:
        """What this seat may do now."""
        return Legal(self)

    def recipients(self) -> tuple[int, ...]:
        """§4.6, §10.2: to whom this seat may give a trick that its Dragon wins."""
        if self.rules.dragon == "choice":
            return opponents_of(self.seat)
        following = self.rules.next_seat(self.seat)
        other = partner_of(following)
        more = self.counts[other] - self.counts[following]
        recipient = other if more > 0 else following
        # With equal counts, two callers are alike: the next player after the giver gets the trick.
        if self.calls[recipient] is not Call.NONE and (more or self.calls[other] is Call.NONE):
            recipient = partner_of(recipient)
        return (recipient,)

    def received(self) -> tuple[tuple[int, Card], ...]:
        """§2.3: who gave this seat which card, once the exchange is done.

        >>> from tichu.core.round import Round
        >>> text = "2s/3s/4s/5s p0 - 0/0/0/95 - ---- - 3s4s5s/4b5b2s/5r2b3b/2r3g4g"
        >>> [(seat, card) for seat, card in Round.from_position(text).view(0).received()]
        [(1, 4), (2, 5), (3, 7)]
        """
        if self.phase in (Phase.GRAND, Phase.EXCHANGE):
            return ()
        return tuple(
            (giver, cards[(self.seat - giver - 1) & 3])
            for giver, cards in enumerate(self.given)
            if cards and giver != self.seat
        )
