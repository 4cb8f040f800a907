"""What a seat may do, as far as the seat can know.

The set is made from a :class:`~tichu.core.view.View` and so cannot tell more than the view does.  It is lazy: iterating
generates, ``in`` validates, and neither needs the other; the 2,184 exchanges are listed only to someone who iterates.
"""

from collections.abc import Collection, Iterator
from itertools import islice, permutations
from typing import TYPE_CHECKING, Final

from tichu.core.actions import (
    CALL_GRAND,
    CALL_TICHU,
    DECLINE_BOMB,
    DECLINE_GRAND,
    NO_WISH,
    PASS,
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
from tichu.core.cards import DRAGON, MAH_JONG, RANKS, Cards, cards_of
from tichu.core.combos import STACKED, Combo, Kind, readings
from tichu.core.errors import IllegalAction, Reason
from tichu.core.phases import Call, Phase, opponents_of
from tichu.core.plays import any_fulfils, bombs, fulfils, plays

if TYPE_CHECKING:
    from random import Random

    from tichu.core.view import View

__all__ = ["Legal"]

_WISHES: Final = tuple(map(Wish, RANKS))
#: How many actions a ``repr`` lists.
_MOST_SHOWN: Final = 12


class Legal(Collection[Action]):
    """The legal actions of the seat whose view is given.

    >>> from tichu import Round, parse_combo
    >>> round = Round.from_position("7s7b8g/2s/3s/4s p0 3:6g 110/0/0/0 - ---- - -/-/-/-")
    >>> round.legal(0)
    <Legal 7s 7b 8g pass>
    >>> Round.from_position("5s6s7s8s9s9bTg/2s/3s/4s p0 - 85/0/0/0 - ---- - -/-/-/-").legal(0)
    <Legal 5s 6s 7s 8s 9s 9b 9s9b Tg 5s6s7s8s9b 5s6s7s8s9sTg 5s6s7s8s9bTg 6s7s8s9sTg ... 14 in all>
    >>> parse_combo("8g") in round.legal(0), len(round.legal(0))
    (True, 4)
    """

    __slots__ = ("view",)

    def __init__(self, view: "View") -> None:
        self.view = view

    @property
    def may_call(self) -> bool:
        """Whether Tichu can be called now (§2.2); it comes on top of a decision and does not replace it."""
        return self._call_refusal() is None

    @property
    def owes_wish(self) -> bool:
        """Whether the seat's next play must fulfil the wish (§6.5); a bomb may be excused."""
        view = self.view
        return view.wish != 0 and any_fulfils(plays(view.hand, view.top, view.rules), view.wish, view.rules)

    def __iter__(self) -> Iterator[Action]:
        view = self.view
        if view.phase is Phase.EXCHANGE:
            yield from (Exchange(*cards) for cards in permutations(cards_of(view.hand), 3))
        else:
            yield from self._decisions()
        if self.may_call:
            yield CALL_TICHU

    def __len__(self) -> int:
        view = self.view
        if view.phase is Phase.EXCHANGE:
            held = view.hand.bit_count()
            return held * (held - 1) * (held - 2) + self.may_call
        return len(self._decisions()) + self.may_call

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Action) and self.refusal(action) is None

    def __repr__(self) -> str:
        texts = ["pass" if isinstance(action, Pass) else str(action) for action in islice(self, _MOST_SHOWN)]
        if len(self) > _MOST_SHOWN:
            texts.append(f"... {len(self)} in all")
        return f"<Legal {' '.join(texts) or 'nothing'}>"

    def draw(self, rng: "Random") -> Action:
        """One action, each equally likely; a Tichu call is not drawn, for it leaves the decision open."""
        if self.view.phase is Phase.EXCHANGE:
            return Exchange(*rng.sample(list(cards_of(self.view.hand)), 3))
        return rng.choice(self._decisions())

    def reading(self, cards: Cards) -> Combo:
        """The one legal way to play exactly these cards.

        >>> from tichu import Round, parse_cards
        >>> legal = Round.from_position("7s8b9gTrPh/2s/3s/4s p0 - 115/0/0/0 - ---- - -/-/-/-").legal(0)
        >>> legal.reading(parse_cards("7sPh"))
        Combo('7sP7')
        >>> legal.reading(parse_cards("7s8b9gTrPh"))
        Traceback (most recent call last):
        tichu.core.errors.IllegalAction: seat 0, 7s8b9gTrPh: say what the Phoenix stands for

        :raises IllegalAction: there is none, or the Phoenix makes several (``PHOENIX_AMBIGUOUS``)
        """
        refusal = Reason.NO_COMBINATION
        combos = []
        for combo in readings(cards):
            reason = self.refusal(combo)
            if reason is None:
                combos.append(combo)
            else:
                refusal = reason
        if len(combos) == 1:
            return combos[0]
        raise IllegalAction(Reason.PHOENIX_AMBIGUOUS if combos else refusal, self.view.seat, cards)

    def _decisions(self) -> list[Action]:
        """All actions but exchanges and the Tichu call."""
        view = self.view
        on_turn = view.seat in view.pending
        match view.phase:
            case Phase.PLAY if on_turn:
                return self._turn()
            case Phase.GRAND if on_turn:
                return [DECLINE_GRAND] if view.rules.calls == "auto" else [CALL_GRAND, DECLINE_GRAND]
            case Phase.WISH if on_turn:
                return [*_WISHES] if view.rules.wish == "must" else [*_WISHES, NO_WISH]
            case Phase.TAKE if on_turn:
                return [*self._takes(), *self._bombs_out_of_turn()]
            case Phase.BOMB if on_turn:
                return [*self._bombs_out_of_turn(), DECLINE_BOMB]
            case _:
                return [*self._bombs_out_of_turn()]

    def _turn(self) -> list[Action]:
        view = self.view
        top, wish, rules = view.top, view.wish, view.rules
        combos = plays(view.hand, top, rules)
        if wish and any_fulfils(combos, wish, rules):
            # §6.5: with bombs at any time, one without the wished rank is not a breach, but only on a trick.
            excused = rules.bombs == "anytime" and top is not None
            return [combo for combo in combos if fulfils(combo, wish, rules) or (excused and combo.is_bomb)]
        return [*combos] if top is None else [*combos, PASS]

    def _takes(self) -> list[Action]:
        view = self.view
        if view.top is None or view.top.cards != 1 << DRAGON:
            return [TAKE]
        return [Take(recipient) for recipient in view.recipients()]

    def _bombs_out_of_turn(self) -> list[Combo]:
        view = self.view
        if view.top is None or not self._may_throw():
            return []
        return bombs(view.hand, view.top, view.rules)

    def _may_throw(self) -> bool:
        view = self.view
        if view.phase is Phase.BOMB:
            return True  # Only the seat that is asked sees this phase.
        # §7.1; §8.3: nothing is thrown on the play that ended the round.
        return view.rules.bombs == "anytime" and view.phase in (Phase.PLAY, Phase.TAKE) and len(view.out) < 3

    def refusal(self, action: Action) -> Reason | None:
        """Why the action is not legal, or None if it is.

        >>> from tichu import Round, parse_combo
        >>> round = Round.from_position("7s7b8g/2s/3s/4s p0 3:6g 110/0/0/0 - ---- - -/-/-/-")
        >>> round.legal(0).refusal(parse_combo("7s7b"))
        <Reason.DOES_NOT_BEAT: 'it does not beat the table'>
        """
        view = self.view
        on_turn = view.seat in view.pending
        match action:
            case Combo():
                return self._play_refusal(action)
            case Pass():
                return self._duty_refusal(Phase.PLAY) or self._pass_refusal()
            case CallTichu():
                return self._call_refusal()
            case DeclineGrand():
                return self._duty_refusal(Phase.GRAND)
            case CallGrand():
                if view.phase is Phase.GRAND and view.calls[view.seat] is Call.GRAND:
                    return Reason.ALREADY_CALLED
                refusal = self._duty_refusal(Phase.GRAND)
                return Reason.TABLE_DECIDES if refusal is None and view.rules.calls == "auto" else refusal
            case Exchange():
                return self._exchange_refusal(action)
            case Wish():
                return self._duty_refusal(Phase.WISH) or self._wish_refusal(action)
            case Take():
                return self._duty_refusal(Phase.TAKE) or self._take_refusal(action)
            case DeclineBomb():
                return None if view.phase is Phase.BOMB and on_turn else Reason.NOT_IN_PHASE
            case _:
                not_an_action(action)

    def _duty_refusal(self, phase: Phase) -> Reason | None:
        """Whether this phase is on and the seat's decision is due."""
        view = self.view
        if view.phase is not phase:
            return Reason.ROUND_OVER if view.phase is Phase.END else Reason.NOT_IN_PHASE
        return None if view.seat in view.pending else Reason.NOT_YOUR_TURN

    def _call_refusal(self) -> Reason | None:
        view = self.view
        if view.phase is Phase.GRAND or view.phase is Phase.END:
            return Reason.NOT_IN_PHASE
        if view.counts[view.seat] != 14:
            return Reason.TOO_LATE_TO_CALL
        if view.calls[view.seat] is not Call.NONE:
            return Reason.ALREADY_CALLED
        if view.rules.calls == "auto":
            return Reason.TABLE_DECIDES
        if view.phase is Phase.EXCHANGE and view.rules.tichu_from == "play":
            return Reason.TOO_EARLY_TO_CALL
        return None

    def _exchange_refusal(self, exchange: Exchange) -> Reason | None:
        if self.view.phase is not Phase.EXCHANGE:
            return Reason.NOT_IN_PHASE
        if len(set(exchange.cards)) != 3:
            return Reason.THREE_CARDS
        # Not by shifting: nonsense may be negative.
        if not set(exchange.cards) <= set(cards_of(self.view.hand)):
            return Reason.NOT_IN_HAND
        return None

    def _pass_refusal(self) -> Reason | None:
        view = self.view
        if view.top is None:
            return Reason.MUST_LEAD
        return Reason.WISH_OWED if self.owes_wish else None

    def _wish_refusal(self, wish: Wish) -> Reason | None:
        if wish.rank == 0:
            return Reason.MUST_WISH if self.view.rules.wish == "must" else None
        return None if wish.rank in RANKS else Reason.NO_SUCH_RANK

    def _take_refusal(self, take: Take) -> Reason | None:
        view = self.view
        if view.top is None or view.top.cards != 1 << DRAGON:
            return None if take.recipient is None else Reason.NOTHING_TO_GIVE
        if take.recipient is None:
            return Reason.CHOOSE_RECIPIENT
        if take.recipient not in view.recipients():
            automatic = view.rules.dragon == "auto" and take.recipient in opponents_of(view.seat)
            return Reason.TABLE_DECIDES if automatic else Reason.NOT_THE_RECIPIENT
        return None

    def _play_refusal(self, combo: Combo) -> Reason | None:
        view = self.view
        if view.phase is Phase.END:
            return Reason.ROUND_OVER
        if view.phase in (Phase.GRAND, Phase.EXCHANGE, Phase.WISH):
            return Reason.NOT_IN_PHASE
        if combo.cards & ~view.hand:
            return Reason.NOT_IN_HAND
        if combo not in readings(combo.cards) or (combo.kind in STACKED and view.rules.stairs == "pairs"):
            return Reason.NO_COMBINATION
        if view.phase is Phase.PLAY and view.seat in view.pending:
            return self._turn_refusal(combo)
        if not combo.is_bomb:
            return Reason.NO_BOMB if view.phase is Phase.BOMB else Reason.NOT_YOUR_TURN
        if view.top is None:
            return Reason.NOTHING_TO_BOMB
        if not self._may_throw():
            return Reason.NOT_YOUR_TURN
        return None if combo.beats(view.top, view.rules.equal_flush) else Reason.DOES_NOT_BEAT

    def _turn_refusal(self, combo: Combo) -> Reason | None:
        view = self.view
        if view.top is not None and not combo.beats(view.top, view.rules.equal_flush):
            led_only = combo.kind == Kind.DOG or combo.cards >> MAH_JONG & 1
            return Reason.LEAD_ONLY if led_only else Reason.DOES_NOT_BEAT
        excused = combo.is_bomb and view.top is not None and view.rules.bombs == "anytime"
        if view.wish and not excused and not fulfils(combo, view.wish, view.rules) and self.owes_wish:
            return Reason.WISH_OWED
        return None
