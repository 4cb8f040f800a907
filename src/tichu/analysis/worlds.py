"""Possible worlds: whole hidden histories that give a seat exactly what it has seen.

A world is a deal (8+6 to each seat), all gifts that were chosen, Grand decisions that are made and not yet shown, and
with these the hands of the moment.  It is *possible* if the actions that the seat has seen are legal on it one by one
and lead to the seat's view: who passed or played something else while a wish was open could not fulfil it (§6.2),
whoever led first held the Mah Jong (§2.4), the seat's own gifts are where it gave them, the table called for nobody
else (§10.1).  Grand decisions, bombs not thrown and tricks given away exclude nothing: every hand may do so.

**The measure** without a belief is uniform: every possible world counts the same, whatever the others would have done
with it.  Given the hands after the exchange, the other hidden parts are the same in number for all of them - each of
the others got two cards unseen, any two of the thirteen that are not the seat's own gift, in either order, and any
eight of fourteen cards came first.  So hands are drawn uniformly among those that are possible, then gifts, then
eights, each uniformly.  Hands come from :class:`~tichu.analysis.placing.Placing`, which obeys everything that concerns
single cards; what concerns several cards at once (a wish that only a straight could have fulfilled) is obeyed by
drawing again.  Where there are few placements all of them are listed, and one that is possible is taken from the list.

With a :class:`~tichu.analysis.beliefs.Belief` the same worlds are possible, and hands are as likely as the belief says,
given all that makes them possible; then gifts are drawn by habit.  Eights are drawn uniformly, and so is everything
during the Grand calls, when nobody has done anything yet.
"""

from collections.abc import Iterator, Sequence
from copy import copy
from functools import cached_property
from itertools import permutations
from random import Random
from typing import Final, NamedTuple

import numpy as np

from tichu.analysis.accounts import Step, played_by, replay_account
from tichu.analysis.beliefs import Belief, seats_beside
from tichu.analysis.placing import Placing
from tichu.analysis.weighing import OUTPUTS, WeightedPlacing, unit_of
from tichu.core.actions import CALL_GRAND, DECLINE_GRAND, Action, CallTichu, Exchange, Pass
from tichu.core.cards import ALL_CARDS, HIDDEN, MAH_JONG, PHOENIX, Card, Cards, cards_of
from tichu.core.combos import Combo
from tichu.core.deals import Deal
from tichu.core.errors import GameError
from tichu.core.phases import Call, Phase
from tichu.core.plays import any_fulfils, fulfils, plays
from tichu.core.round import Round
from tichu.core.rules import Rules
from tichu.core.view import View

__all__ = ["World", "Worlds"]

#: Up to how many placements all of them are listed.
_FEW: Final = 2_000
#: After how many draws that are not possible one gives up.
_MOST_DRAWS: Final = 100_000


class World(NamedTuple):
    """A hidden history."""

    deal: Deal
    #: By seat the cards for LEFT, PARTNER, RIGHT; () where they are not chosen.
    given: tuple[tuple[Card, ...], ...]
    #: The hands of the moment.
    hands: tuple[Cards, ...]
    #: Calls by seat, those not yet shown included.
    calls: tuple[Call, ...]


class _CouldNotFulfil(NamedTuple):
    """Somebody did something else while a wish was open."""

    seat: int
    #: What the seat has played since, this play included: it held these cards then.
    since: Cards
    top: Combo | None
    wish: int
    rules: Rules

    def is_so(self, hand: Cards) -> bool:
        """Whether the seat could not, if it now holds ``hand``."""
        held = hand | self.since
        phoenix = self.rules.phoenix_grants_wish == "yes" and held >> PHOENIX & 1
        if not held >> 4 * (self.wish - 1) & 15 and not phoenix:
            return True
        return not any_fulfils(plays(held, self.top, self.rules), self.wish, self.rules)


class Worlds:
    """The worlds that a seat can think possible: a function of its view and its first eight cards alone.

    The view carries the whole history of the round as the seat has seen it.  Without a belief all worlds are equally
    likely.

    >>> from tichu import Game, parse_action, shuffled_deal
    >>> game = Game.start(shuffled_deal(Random(1)))
    >>> for action in "0-G 1-G 2-G 3-G".split():
    ...     game = game.after(*parse_action(action))
    >>> worlds = Worlds(game.view(2), game.deal[2][0])
    >>> [world.deal[2] == game.deal[2] for world in worlds.sample(3, seed=1)]
    [True, True, True]

    :raises GameError: the history is not whole, or no world can be like this
    """

    def __init__(self, view: View, eight: Cards, belief: Belief | None = None) -> None:
        self.view = view
        self.belief = belief
        self._eight = eight
        self._others = tuple(seat for seat in range(4) if seat != view.seat)
        self._played = played_by(view.history)
        if sum(self._played) != view.played:
            raise GameError("possible worlds need the whole history of the round")
        self._is_dealt = view.phase not in (Phase.GRAND, Phase.EXCHANGE)
        self._gifts = self._own_gifts()
        if view.phase is not Phase.GRAND:
            self._facts: tuple[_CouldNotFulfil, ...] = ()
            self._placing = Placing(self._masks(), self._sizes)
            if self._is_dealt and any(isinstance(action, (Combo, Pass)) for _, action in view.history):
                self._facts = self._read_facts()
                self._placing = Placing(self._masks(), self._sizes)
            if not self._placing.count:
                raise GameError("no world is possible: this cannot have happened")

    def believing(self, belief: Belief | None) -> "Worlds":
        """The same worlds, some of them more likely than others."""
        other = copy(self)
        # What was kept of the weights is of another belief.
        for name in ("_weighted", "_listed_weights", "_habits"):
            vars(other).pop(name, None)
        other.belief = belief
        return other

    # The hands.

    @property
    def placements(self) -> int:
        """How many ways there are to place the unseen cards, as far as single cards are concerned."""
        if self.view.phase is Phase.GRAND:
            raise GameError("nothing is known yet: worlds are not counted during the Grand calls")
        return self._placing.count

    @cached_property
    def hands(self) -> tuple[tuple[Cards, ...], ...]:
        """The possible hands of the moment, each once: a list to be had only where there are few."""
        if self.placements > 50 * _FEW:
            raise GameError(f"{self.placements:,} placements are too many to list")
        return tuple(hands for three in self._placing if self._is_possible(hands := self._with_own(three)))

    def _with_own(self, three: Sequence[Cards]) -> tuple[Cards, ...]:
        hands = [self.view.hand] * 4
        for seat, hand in zip(self._others, three, strict=True):
            hands[seat] = hand
        return tuple(hands)

    @property
    def _sizes(self) -> list[int]:
        return [self.view.counts[seat] for seat in self._others]

    def _masks(self) -> dict[Card, int]:
        """Who of the others may hold which card, by bits."""
        view = self.view
        pool = ALL_CARDS & ~view.hand & ~view.played
        masks = dict.fromkeys(cards_of(pool), 0b111)
        for seat, card in self._gifts:
            if card in masks and self._is_dealt:
                masks[card] = 1 << self._others.index(seat)
        if MAH_JONG in masks and self._is_dealt:
            masks[MAH_JONG] = 1 << self._others.index(self._leader())
        for fact in self._facts:
            bit = 1 << self._others.index(fact.seat)
            for card in masks:
                # More cards never take a play away, so one card that is too many is too many in any hand.
                if masks[card] & bit and not fact.is_so(1 << card):
                    masks[card] &= ~bit
        return masks

    @cached_property
    def _weighted(self) -> tuple[WeightedPlacing, tuple[int, ...]]:
        """The placements as the belief weighs them, and the places among the others of its three seats."""
        weights = np.zeros(OUTPUTS) if self.belief is None else self.belief.weights(self.view)
        order = tuple(self._others.index(seat) for seat in seats_beside(self.view))
        masks = {
            card: sum((mask >> place & 1) << bit for bit, place in enumerate(order))
            for card, mask in self._masks().items()
        }
        sizes = self._sizes
        return WeightedPlacing(masks, [sizes[place] for place in order], weights), order

    @cached_property
    def _listed_weights(self) -> list[float]:
        """How likely each of the possible hands is, up to a factor."""
        seats = seats_beside(self.view)
        logs = self._weighted[0].log_probabilities([[hands[seat] for seat in seats] for hands in self.hands])
        weights: list[float] = np.exp(logs - logs.max()).tolist()
        return weights

    def log_probability(self, hands: Sequence[Cards]) -> float:
        """The logarithm of the probability of hands of the moment, as far as single cards are concerned."""
        placing, _ = self._weighted
        [log] = placing.log_probabilities([[hands[seat] for seat in seats_beside(self.view)]])
        return float(log)

    def chances(self) -> dict[Card, dict[int, float]]:
        """How likely each of the others has each unseen card, as far as single cards are concerned."""
        placing, _ = self._weighted
        seats = seats_beside(self.view)
        return {card: dict(zip(seats, chances, strict=True)) for card, chances in placing.chances().items()}

    def _own_gifts(self) -> list[tuple[int, Card]]:
        view = self.view
        return [((view.seat + distance) & 3, card) for distance, card in enumerate(view.given[view.seat], start=1)]

    def _leader(self) -> int:
        """§2.4: who led first."""
        led = (seat for seat, action in self.view.history if isinstance(action, Combo))
        return next(led, self.view.pending[0])

    def _is_possible(self, hands: tuple[Cards, ...]) -> bool:
        return all(fact.is_so(hands[fact.seat]) for fact in self._facts) and self._table_called(hands)

    def _table_called(self, hands: Sequence[Cards]) -> bool:
        """§10.1: whether the table would have called as it did."""
        view = self.view
        if view.rules.calls != "auto" or not self._is_dealt:
            return True
        whole = tuple(hand | played for hand, played in zip(hands, self._played, strict=True))
        state = Round(view.rules, Phase.PLAY, (self._leader(),), whole)
        while (decision := state.automatic()) is not None:
            state = state.after_unchecked(*decision)
        called = {seat for seat, action in view.history if isinstance(action, CallTichu)}
        return called == {seat for seat, call in enumerate(state.calls) if call is Call.TICHU}

    def _read_facts(self) -> tuple[_CouldNotFulfil, ...]:
        """Walk through the history in any world that need not be possible: what is public is the same in all."""
        world = self.complete(self._with_own(self._placing.draw(Random(0))), Random(0))
        facts = []
        since = [*self._played]
        for before, seat, action, _ in self._steps(world, checked=False):
            if before.wish and before.phase is Phase.PLAY and seat in before.pending and seat != self.view.seat:
                is_free = isinstance(action, Combo) and (
                    fulfils(action, before.wish, before.rules)
                    # §6.5
                    or (action.is_bomb and before.top is not None and before.rules.bombs == "anytime")
                )
                if isinstance(action, (Combo, Pass)) and not is_free:
                    facts.append(_CouldNotFulfil(seat, since[seat], before.top, before.wish, before.rules))
            if isinstance(action, Combo):
                since[seat] &= ~action.cards
        return tuple(facts)

    # Worlds.

    def sample(self, number: int, seed: int) -> list[World]:
        """Worlds drawn with replacement; the same seed gives the same."""
        return self.draw_some(number, Random(seed))

    def draw(self, rng: Random) -> World:
        """One world.

        :raises GameError: none was found
        """
        [world] = self.draw_some(1, rng)
        return world

    def draw_some(self, number: int, rng: Random) -> list[World]:
        """So many worlds, drawn with replacement; with a belief many at once are much faster than one by one.

        :raises GameError: none was found
        """
        if self.view.phase is Phase.GRAND:
            return [self._draw_deal(rng) for _ in range(number)]
        if self.belief is None:
            # Hands and gifts in turns: a world is the same whether it is drawn alone or among others.
            return [self.complete(self._draw_hands(rng), rng) for _ in range(number)]
        return [self.complete(hands, rng) for hands in self.draw_hands(number, rng)]

    def draw_hands(self, number: int, rng: Random) -> list[tuple[Cards, ...]]:
        """The hands of the moment in so many worlds, drawn with replacement; not during the Grand calls.

        :raises GameError: none was found
        """
        if self.belief is None:
            return [self._draw_hands(rng) for _ in range(number)]
        # Where nothing concerns several cards at once no draw is in vain.
        is_plain = not self._facts and self.view.rules.calls != "auto"
        if not is_plain and self._is_listed:
            return rng.choices(self.hands, self._listed_weights, k=number)
        return self._weigh_hands(number, rng)

    @property
    def _is_listed(self) -> bool:
        """Whether hands are taken from the list of all that are possible."""
        if self._placing.count > _FEW:
            return False
        if not self.hands:
            raise GameError("no world is possible: this cannot have happened")
        return True

    def _draw_hands(self, rng: Random) -> tuple[Cards, ...]:
        if self._is_listed:
            return rng.choice(self.hands)
        for _ in range(_MOST_DRAWS):
            hands = self._with_own(self._placing.draw(rng))
            if self._is_possible(hands):
                return hands
        raise GameError(f"no possible world among {_MOST_DRAWS:,} draws")

    def _weigh_hands(self, number: int, rng: Random) -> list[tuple[Cards, ...]]:
        placing, order = self._weighted
        numpy_rng = np.random.default_rng(rng.getrandbits(64))
        found: list[tuple[Cards, ...]] = []
        tried = 0
        while len(found) < number:
            if tried > _MOST_DRAWS * (1 + len(found)):
                raise GameError(f"no possible world among {_MOST_DRAWS:,} draws")
            # The more are thrown away the more are drawn.
            wanted = min(1000, (number - len(found)) * max(1, tried // (1 + len(found))))
            tried += wanted
            three = [0, 0, 0]
            for drawn in placing.draw(wanted, numpy_rng).tolist():
                for place, hand in zip(order, drawn, strict=True):
                    three[place] = hand
                if self._is_possible(hands := self._with_own(three)):
                    found.append(hands)
        return found[:number]

    def _draw_deal(self, rng: Random) -> World:
        """Only the seat's first eight are known."""
        view = self.view
        cards = list(cards_of(ALL_CARDS & ~view.hand))
        rng.shuffle(cards)
        deal = []
        for seat in range(4):
            eight = view.hand if seat == view.seat else _take(cards, 8)
            deal.append((eight, _take(cards, 6)))
        calls = tuple(rng.choice((Call.NONE, Call.GRAND)) if call is None else call for call in view.calls)
        return World(tuple(deal), ((), (), (), ()), tuple(eight for eight, _ in deal), calls)

    def complete(self, hands: tuple[Cards, ...], rng: Random) -> World:
        """Gifts and eights for these hands."""
        view = self.view
        whole = [hand | played for hand, played in zip(hands, self._played, strict=True)]
        given = self._draw_gifts(whole, rng)
        dealt = whole
        if self._is_dealt and view.given[view.seat]:
            dealt = [*whole]
            for giver, cards in enumerate(given):
                for distance, card in enumerate(cards, start=1):
                    dealt[giver] |= 1 << card
                    dealt[(giver + distance) & 3] &= ~(1 << card)
        deal = []
        for seat, fourteen in enumerate(dealt):
            eight = self._eight if seat == view.seat else _take(rng.sample(list(cards_of(fourteen)), 8), 8)
            deal.append((eight, fourteen & ~eight))
        return World(tuple(deal), given, hands, tuple(call or Call.NONE for call in view.calls))

    def _draw_gifts(self, whole: Sequence[Cards], rng: Random) -> tuple[tuple[Card, ...], ...]:
        view = self.view
        if view.phase is Phase.EXCHANGE:
            return tuple(
                tuple(rng.sample(list(cards_of(whole[seat])), 3)) if cards and seat != view.seat else cards
                for seat, cards in enumerate(view.given)
            )
        if not view.given[view.seat]:
            return view.given
        given = [list(cards) for cards in view.given]
        for seat in self._others:
            givers = [other for other in self._others if other != seat]
            mine = view.given[view.seat][(seat - view.seat - 1) & 3]
            cards = list(cards_of(whole[seat] & ~(1 << mine)))
            chosen = rng.sample(cards, 2) if self.belief is None else self._weigh_gifts(seat, givers, cards, rng)
            for giver, card in zip(givers, chosen, strict=True):
                assert given[giver][(seat - giver - 1) & 3] == HIDDEN
                given[giver][(seat - giver - 1) & 3] = card
        return tuple(map(tuple, given))

    def _weigh_gifts(self, receiver: int, givers: Sequence[int], cards: Sequence[Card], rng: Random) -> list[Card]:
        """Which of the cards came from each giver, by habit; never the same one from both."""
        weights = [[self._habits[giver, receiver][unit_of(card)] for card in cards] for giver in givers]
        while True:
            chosen = [rng.choices(cards, by_card)[0] for by_card in weights]
            if chosen[0] != chosen[1]:
                return chosen

    @cached_property
    def _habits(self) -> dict[tuple[int, int], list[float]]:
        """How likely cards are gifts, by giver and receiver."""
        assert self.belief is not None
        pairs = permutations(self._others, 2)
        return {pair: self.belief.gift_weights(self.view, *pair) for pair in pairs}

    # A world at the moment, and from the start.

    def round(self, world: World) -> Round:
        """The state of the round in a world, which is the seat's view to the seat."""
        view = self.view
        later = tuple(six for _, six in world.deal) if view.phase is Phase.GRAND else (0, 0, 0, 0)
        return Round(
            view.rules,
            view.phase,
            view.pending,
            world.hands,
            later,
            view.top,
            view.owner,
            view.points,
            view.wish,
            world.calls,
            view.out,
            world.given,
            view.actor,
        )

    def replay(self, world: World) -> Round:
        """The round in a world after everything that the seat has seen, each action checked.

        :raises IllegalAction: the world is not possible
        """
        state = Round.start(world.deal, self.view.rules)
        for step in self._steps(world, checked=True):
            state = step.after
        return state

    def _steps(self, world: World, *, checked: bool) -> Iterator[Step]:
        start = Round.start(world.deal, self.view.rules)
        return replay_account(start, self._whole_account(world), self.view.seat, world.given, checked=checked)

    def _whole_account(self, world: World) -> Iterator[tuple[int, Action]]:
        """What the seat has seen, and what others have decided that it has not seen yet."""
        view = self.view
        yield from view.history
        for seat in self._others:
            if view.phase is Phase.GRAND and seat not in view.pending:
                yield seat, CALL_GRAND if world.calls[seat] is Call.GRAND else DECLINE_GRAND
            if view.phase is Phase.EXCHANGE and seat not in view.pending:
                yield seat, Exchange(*world.given[seat])


def _take(cards: list[Card], number: int) -> Cards:
    """The last cards of a list, which loses them, as a set."""
    taken = cards[-number:]
    del cards[-number:]
    return sum(1 << card for card in taken)
