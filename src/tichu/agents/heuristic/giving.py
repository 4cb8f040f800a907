"""The exchange, the wish and the Dragon's gift."""

from typing import Final

from tichu.agents.base import Choice
from tichu.agents.heuristic.outlook import Outlook
from tichu.agents.heuristic.planning import Planner
from tichu.agents.heuristic.weights import DEFAULT, Weights
from tichu.core.actions import NO_WISH, Exchange, Take, Wish
from tichu.core.cards import DOG, DRAGON, MAH_JONG, PHOENIX, Card, cards_of, rank_of
from tichu.core.legal import Legal
from tichu.core.phases import Call, partner_of
from tichu.core.view import View

__all__ = ["choose_exchange", "choose_gift", "choose_wish"]

# What a card helps whoever gets it, in turns.
_SPECIAL_HELP: Final = {DRAGON: 1.2, PHOENIX: 1.15, MAH_JONG: 0.25, DOG: -0.45}


def _help(card: Card) -> float:
    if card < 4:
        return _SPECIAL_HELP[card]
    rank = rank_of(card)
    return {14: 0.8, 13: 0.5, 12: 0.33, 11: 0.25, 10: 0.18}.get(rank, 0.015 * rank)


def choose_exchange(view: View, weights: Weights = DEFAULT) -> Choice:
    """Three cards by the convention.

    Opponents get what the hand misses least: LEFT an odd rank, RIGHT an even one, so that partners who both follow this
    make no pair for an opponent.  The partner gets a good card, a better one if the hand is weak or the partner has
    called.
    """
    planner = Planner(Outlook(view, weights))
    hand = view.hand
    whole = planner.cost(hand)
    cards = list(cards_of(hand))
    loss = {card: planner.cost(hand & ~(1 << card)) - whole for card in cards}
    partner_called = view.calls[partner_of(view.seat)] not in (Call.NONE, None)
    called = view.calls[view.seat] not in (Call.NONE, None)
    is_strong = called or whole < weights.strong
    generosity = 4.0 if partner_called else weights.generosity_strong if is_strong else weights.generosity

    def for_partner(card: Card) -> float:
        if card == DOG and not called:
            return -9.0
        return generosity * _help(card) - loss[card]

    def for_opponent(card: Card, parity: int) -> float:
        odd = 0.12 if card >= 4 and rank_of(card) % 2 == parity else 0.0
        return odd - weights.harm * _help(card) - loss[card]

    partner = max(cards, key=for_partner)
    rest = [card for card in cards if card != partner]
    left, right = max(
        ((one, two) for one in rest for two in rest if one != two),
        key=lambda pair: for_opponent(pair[0], 1) + for_opponent(pair[1], 0),
    )
    return Choice(Exchange(left, partner, right), "convention")


def choose_wish(view: View, legal: Legal) -> Choice:
    """The rank given to the next player, who then has to play it, and nobody else is hurt."""
    following = view.rules.next_seat(view.seat)
    given = view.given[view.seat]
    if given:
        card = given[(following - view.seat - 1) & 3]
        if card >= 4 and not view.played >> card & 1:
            wish = Wish(rank_of(card))
            if wish in legal:
                return Choice(wish, "given_card", {"rank": rank_of(card)})
    if NO_WISH in legal:
        return Choice(NO_WISH, "no_wish")
    return Choice(Wish(14), "high_card", {"rank": 14})


def choose_gift(view: View, legal: Legal) -> Choice:
    """§8.4: the last player's tricks come back, so whoever has most cards gets it."""
    options = [action for action in legal if isinstance(action, Take)]
    if len(options) == 1:
        return Choice(options[0], "forced")

    def left_over(take: Take) -> tuple[bool, int]:
        seat = take.recipient if take.recipient is not None else 0
        return view.calls[seat] is Call.NONE, view.counts[seat]

    gift = max(options, key=left_over)
    return Choice(gift, "to_the_last", {"seat": gift.recipient})
