"""A round as a value: hands in, actions one by one, an outcome at the end (§2, §4 to §8).

Two questions are asked of it: ``pending``, which seats must decide now, and ``legal(seat)``, what may a seat do now,
also out of turn.  ``after`` answers with the next round.  Nothing is stored that can be derived: the points on the
table are what hands and tricks lack of 100, the passes are the seats between the owner of the trick and the seat to
act.
"""

from typing import NamedTuple, TypeVar, assert_never

from tichu.core.actions import (
    CALL_TICHU,
    DECLINE_GRAND,
    TAKE,
    Action,
    CallGrand,
    CallTichu,
    DeclineBomb,
    DeclineGrand,
    Exchange,
    Pass,
    Take,
    Wish,
    not_an_action,
)
from tichu.core.automation import THRESHOLD, rating
from tichu.core.cards import ALL_CARDS, DRAGON, HIDDEN, MAH_JONG, PHOENIX, Card, Cards, points_of
from tichu.core.combos import Combo, Kind
from tichu.core.deals import Deal
from tichu.core.errors import GameError, IllegalAction, Reason
from tichu.core.legal import Legal
from tichu.core.phases import Call, Phase, check_seat, opponents_of, partner_of
from tichu.core.plays import bombs, fulfils
from tichu.core.rules import STANDARD, Rules
from tichu.core.scoring import Outcome, is_double_victory, score_round
from tichu.core.view import View

__all__ = ["Round"]

_NO_CARDS: tuple[Cards, ...] = (0, 0, 0, 0)
_NO_CALLS = (Call.NONE,) * 4
_NOTHING_GIVEN: tuple[tuple[Card, ...], ...] = ((), (), (), ())
_ALL_SEATS = (0, 1, 2, 3)
_T = TypeVar("_T")


class Round(NamedTuple):
    """The whole state of a round; equal if everything that can matter is equal.

    >>> Round.from_position("9s/Kb/-/4s p1 0:8s 90/0/0/0 - ---- 2 -/-/-/-", Rules.parse("courtesy"))
    Round.from_position('9s/Kb/-/4s p1 0:8s 90/0/0/0 - ---- 2 -/-/-/-', Rules.parse('courtesy'))
    """

    rules: Rules
    phase: Phase
    #: The seats that must decide now, ascending; nobody at the end.
    pending: tuple[int, ...]
    hands: tuple[Cards, ...]
    #: The six cards of each seat that are not dealt yet; only during the Grand calls.
    later: tuple[Cards, ...] = _NO_CARDS
    #: The combination on the table and the seat that played it, -1 without one.
    top: Combo | None = None
    owner: int = -1
    #: Card points won so far, by seat.
    points: tuple[int, ...] = (0, 0, 0, 0)
    #: The rank wished for, 0 without a wish.
    wish: int = 0
    calls: tuple[Call, ...] = _NO_CALLS
    #: The seats that are out, in order.
    out: tuple[int, ...] = ()
    #: Cards given in the exchange by seat, for LEFT, PARTNER, RIGHT; () if not chosen.
    given: tuple[tuple[Card, ...], ...] = _NOTHING_GIVEN
    #: Whose play or pass the question to bomb follows (§7.2), -1 when nobody is asked.
    actor: int = -1

    @classmethod
    def start(cls, deal: Deal, rules: Rules = STANDARD) -> "Round":
        """§2.1: the cards are dealt, nothing is decided."""
        eights = tuple(eight for eight, _ in deal)
        sixes = tuple(six for _, six in deal)
        if rules.grand == "yes":
            return cls(rules, Phase.GRAND, _ALL_SEATS, eights, sixes)
        return _after_deal(rules, eights, sixes, _NO_CALLS)

    @classmethod
    def from_position(cls, text: str, rules: Rules = STANDARD) -> "Round":
        """Read a position (``docs/notation.md``)."""
        from tichu.core.position import parse_position  # Text stands above the state; this is only a short way there.

        return parse_position(text, rules)

    def __str__(self) -> str:
        from tichu.core.position import format_position

        return format_position(self)

    def __repr__(self) -> str:
        return f"Round.from_position({str(self)!r}{'' if self.rules == STANDARD else f', {self.rules!r}'})"

    # What can be asked.

    def legal(self, seat: int) -> Legal:
        """What the seat may do now, in or out of turn, as far as it can know.

        While somebody else is asked to bomb, that is what it will be able to do if nobody bombs: the seat cannot
        see the question (§7.2), and only :meth:`after` makes it wait.
        """
        return Legal(self.view(seat))

    def check(self, seat: int, action: Action) -> None:
        """Pass exactly if ``action in legal(seat)``.

        :raises IllegalAction: with the reason
        """
        refusal = self.legal(seat).refusal(action)
        if refusal is not None:
            raise IllegalAction(refusal, seat, action)

    def automatic(self) -> tuple[int, Action] | None:
        """The decision that the table itself takes now, if any (§5.3, §10): apply it before asking anybody."""
        rules = self.rules
        if rules.calls == "auto":
            if self.phase is Phase.GRAND:
                return self.pending[0], DECLINE_GRAND
            seat = self.pending[0] if self.pending else 0
            for _ in range(4):
                if self.table_may(seat, CALL_TICHU) and rating(self.hands[seat]) > THRESHOLD:
                    return seat, CALL_TICHU
                seat = rules.next_seat(seat)
        if self.phase is Phase.TAKE and (rules.bombs == "in-turn" or len(self.out) == 3):
            seat = self.pending[0]
            if not self._is_dragon_trick():
                return seat, TAKE
            if rules.dragon == "auto":
                return seat, Take(*self.view(seat).recipients())
        return None

    def table_may(self, seat: int, action: Action) -> bool:
        """§10: whether the table may decide this for the seat; replay believes a recorded call and a recorded gift."""
        match action:
            case CallTichu():
                return (
                    self.rules.calls == "auto"
                    and self.phase is Phase.PLAY
                    and all(hand.bit_count() == 14 for hand in self.hands)
                    and self.calls[seat] is Call.NONE
                    and self.calls[partner_of(seat)] is Call.NONE
                )
            case Take(recipient):
                return (
                    self.rules.dragon == "auto"
                    and self.phase is Phase.TAKE
                    and seat in self.pending
                    and self._is_dragon_trick()
                    and recipient in opponents_of(seat)
                )
            case _:
                return False

    @property
    def is_over(self) -> bool:
        """Whether the round can be scored."""
        return self.phase is Phase.END

    @property
    def outcome(self) -> Outcome:
        """§8: the result.

        :raises GameError: the round is not over
        """
        if self.phase is not Phase.END:
            raise GameError("the round is not over")
        return score_round(self.hands, self.points, self.calls, self.out)

    @property
    def played(self) -> Cards:
        """All cards played so far, by anybody."""
        if self.phase is Phase.GRAND:
            return 0
        one, two, three, four = self.hands
        return ALL_CARDS & ~(one | two | three | four)

    @property
    def points_on_table(self) -> int:
        """What the trick in progress is worth."""
        return points_of(self.played) - sum(self.points)

    def view(self, seat: int, history: tuple[tuple[int, Action], ...] = (), score: tuple[int, int] = (0, 0)) -> View:
        """What the seat can know; a game says what it has seen, and the score from its side.

        :raises GameError: there is no such seat
        """
        check_seat(seat)
        phase, pending, actor = self.phase, self.pending, self.actor
        if phase is Phase.BOMB and pending != (seat,):
            phase, pending, actor = *self._unless_bombed(actor), -1
        calls: tuple[Call | None, ...] = self.calls
        if phase is Phase.GRAND:
            calls = tuple(call if other == seat or other in pending else None for other, call in enumerate(self.calls))
        one, two, three, four = self.hands
        return View(
            self.rules,
            seat,
            phase,
            pending,
            self.hands[seat],
            (one.bit_count(), two.bit_count(), three.bit_count(), four.bit_count()),
            self.top,
            self.owner,
            self.points,
            self.wish,
            calls,
            self.out,
            self._gifts_known_to(seat),
            0 if phase is Phase.GRAND else ALL_CARDS & ~(one | two | three | four),
            actor,
            history,
            score,
        )

    def _gifts_known_to(self, seat: int) -> tuple[tuple[Card, ...], ...]:
        """§2.3: this seat's gifts, and after the exchange what came from whom."""
        if self.given is _NOTHING_GIVEN:
            return _NOTHING_GIVEN
        seen = []
        for giver, cards in enumerate(self.given):
            if cards and giver != seat:
                hidden = [HIDDEN, HIDDEN, HIDDEN]
                if self.phase is not Phase.EXCHANGE:
                    to_me = (seat - giver - 1) & 3
                    hidden[to_me] = cards[to_me]
                cards = tuple(hidden)
            seen.append(cards)
        return tuple(seen)

    # What can be done.

    def after(self, seat: int, action: Action | None = None) -> "Round":
        """The round after a legal action.

        :raises IllegalAction: the action is not legal, or another seat may bomb first; nothing has changed
        :raises TypeError: without an action, or with what is none
        """
        if action is None:
            not_an_action(action)
        self.check(seat, action)
        if self.phase is Phase.BOMB and seat not in self.pending and not isinstance(action, CallTichu):
            raise IllegalAction(Reason.BOMB_ASKED, seat, action)
        return self.after_unchecked(seat, action)

    def after_recorded(self, seat: int, action: Action) -> "Round":
        """The round after an action of a record, in which the table may have decided for the seat (§10.3).

        :raises IllegalAction: neither the seat nor the table may do this
        """
        return self.after_unchecked(seat, action) if self.table_may(seat, action) else self.after(seat, action)

    def after_unchecked(self, seat: int, action: Action) -> "Round":
        """The round after an action that is known to be legal."""
        match action:
            case Combo():
                return self._after_play(seat, action)
            case Pass():
                return self._window(seat)
            case Take(recipient):
                return self._after_take(seat, recipient)
            case DeclineBomb():
                return self._after_decline(seat)
            case Wish(rank):
                return self._replace(wish=rank)._window(seat)
            case CallTichu():
                return self._replace(calls=_put(self.calls, seat, Call.TICHU))
            case Exchange():
                return self._after_exchange(seat, action)
            case CallGrand():
                return self._after_grand(seat, Call.GRAND)
            case DeclineGrand():
                return self._after_grand(seat, Call.NONE)
            case _:
                assert_never(action)

    def _after_grand(self, seat: int, call: Call) -> "Round":
        calls = _put(self.calls, seat, call)
        pending = tuple(other for other in self.pending if other != seat)
        if pending:
            return self._replace(calls=calls, pending=pending)
        return _after_deal(self.rules, self.hands, self.later, calls)

    def _after_exchange(self, seat: int, exchange: Exchange) -> "Round":
        given = _put(self.given, seat, exchange.cards)
        pending = tuple(other for other in self.pending if other != seat)
        if pending:
            return self._replace(given=given, pending=pending)
        hands = list(self.hands)
        for giver, cards in enumerate(given):
            for distance, card in enumerate(cards, start=1):
                hands[giver] ^= 1 << card
                hands[(giver + distance) & 3] |= 1 << card
        return self._replace(phase=Phase.PLAY, pending=(_leader(hands),), hands=tuple(hands), given=given)

    def _after_play(self, seat: int, combo: Combo) -> "Round":
        rules = self.rules
        left = self.hands[seat] & ~combo.cards
        hands = _put(self.hands, seat, left)
        out = self.out if left else (*self.out, seat)
        wish = 0 if self.wish and fulfils(combo, self.wish, rules) else self.wish
        if combo.cards == 1 << PHOENIX and self.top is not None:
            combo = combo._replace(rank=self.top.rank, phoenix=self.top.rank)  # §4.3
        played = Round(
            rules,
            Phase.PLAY,
            (seat,),
            hands,
            _NO_CARDS,
            combo,
            seat,
            self.points,
            wish,
            self.calls,
            out,
            self.given,
        )
        if not left and (len(out) == 3 or is_double_victory(out)):
            return played._after_last_play(seat)
        if combo.kind == Kind.DOG:
            lead = partner_of(seat)  # §4.2
            while not hands[lead]:
                lead = rules.next_seat(lead)
            return played._replace(pending=(lead,), top=None, owner=-1)
        if combo.cards >> MAH_JONG & 1 and rules.wish != "off":
            return played._replace(phase=Phase.WISH)
        return played._window(seat)

    def _after_last_play(self, seat: int) -> "Round":
        """§8.2, §8.3: the player of the last card has the trick, unless the Dragon's has to be given away."""
        if self._is_dragon_trick() and not is_double_victory(self.out):
            return self._replace(phase=Phase.TAKE)
        return self._award_trick(seat)._replace(phase=Phase.END, pending=())

    def _after_take(self, seat: int, recipient: int | None) -> "Round":
        taken = self._award_trick(seat if recipient is None else recipient)
        if len(self.out) == 3:
            return taken._replace(phase=Phase.END, pending=())
        lead = seat
        while not self.hands[lead]:
            lead = self.rules.next_seat(lead)  # §5.2
        return taken._replace(phase=Phase.PLAY, pending=(lead,))

    def _award_trick(self, seat: int) -> "Round":
        """The trick in the pile of a seat, the table empty."""
        points = _put(self.points, seat, self.points[seat] + self.points_on_table)
        return self._replace(points=points, top=None, owner=-1)

    def _is_dragon_trick(self) -> bool:
        return self.top is not None and self.top.cards == 1 << DRAGON

    def _window(self, actor: int) -> "Round":
        """After a play or a pass: the questions to bomb where the rules ask them, then whoever is next."""
        if self.rules.bombs == "ordered":
            return self._replace(actor=actor)._ask_from(self.rules.next_seat(actor))
        return self._proceed(actor)

    def _ask_from(self, seat: int) -> "Round":
        """§7.2: ask the first that can bomb, from ``seat`` around to the one that acted."""
        assert self.top is not None
        while not bombs(self.hands[seat], self.top, self.rules):
            if seat == self.actor:
                return self._proceed(self.actor)
            seat = self.rules.next_seat(seat)
        return self._replace(phase=Phase.BOMB, pending=(seat,))

    def _after_decline(self, seat: int) -> "Round":
        return self._proceed(seat) if seat == self.actor else self._ask_from(self.rules.next_seat(seat))

    def _proceed(self, actor: int) -> "Round":
        phase, pending = self._unless_bombed(actor)
        return self._replace(phase=phase, pending=pending, actor=-1)

    def _unless_bombed(self, actor: int) -> tuple[Phase, tuple[int, ...]]:
        """§5.1, §5.2: the next seat with cards plays; back at the owner the trick is complete."""
        seat = self.rules.next_seat(actor)
        while seat != self.owner:
            if self.hands[seat]:
                return Phase.PLAY, (seat,)
            seat = self.rules.next_seat(seat)
        return Phase.TAKE, (seat,)


def _after_deal(rules: Rules, eights: tuple[Cards, ...], sixes: tuple[Cards, ...], calls: tuple[Call, ...]) -> Round:
    """§2.1, §2.4: fourteen cards each; on to the exchange, or to the first lead without one."""
    hands = tuple(eight | six for eight, six in zip(eights, sixes, strict=True))
    if rules.exchange == "yes":
        return Round(rules, Phase.EXCHANGE, _ALL_SEATS, hands, calls=calls)
    return Round(rules, Phase.PLAY, (_leader(hands),), hands, calls=calls)


def _leader(hands: tuple[Cards, ...] | list[Cards]) -> int:
    """§2.4: who holds the Mah Jong."""
    return next(seat for seat, hand in enumerate(hands) if hand >> MAH_JONG & 1)


def _put(values: tuple[_T, ...], seat: int, value: _T) -> tuple[_T, ...]:
    return (*values[:seat], value, *values[seat + 1 :])
