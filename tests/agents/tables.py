"""Decisions to ask bots for: from rounds that are played, and from positions that nobody would play."""

from collections.abc import Iterator
from random import Random

from tichu import Call, Game, Phase, Round, Rules, View, cards_of, points_of, shuffled_deal
from tichu.core.actions import CALL_GRAND, CALL_TICHU
from tichu.core.cards import ALL_CARDS, HIDDEN, MAH_JONG, RANKS
from tichu.core.combos import Combo, Kind
from tichu.core.plays import bombs, leads

_SEATS = (0, 1, 2, 3)
_CALL_CHANCE = 0.1


def decisions(rules: Rules, seed: int) -> Iterator[tuple[Round, View]]:
    """Every decision of a round played at random, calls and bombs included, for every seat that is pending."""
    rng = Random(seed)
    game = Game.start(shuffled_deal(rng), rules)
    while not game.round.is_over:
        for seat in game.round.pending:
            yield game.round, game.view(seat)
        seat = rng.choice(game.round.pending)
        legal = game.view(seat).legal()
        call = CALL_GRAND if game.round.phase is Phase.GRAND else CALL_TICHU
        if rng.random() < _CALL_CHANCE and call in legal:
            game = game.after(seat, call)
        else:
            game = game.after(seat, legal.draw(rng))


def positions(rules: Rules, seed: int, number: int) -> Iterator[Round]:
    """Positions in the middle of a round that can be written, however unlikely they are."""
    rng = Random(seed)
    found = 0
    while found < number:
        state = _position(rules, rng)
        if state is not None:
            assert Round.from_position(str(state), rules) == state
            found += 1
            yield state


def _position(rules: Rules, rng: Random) -> Round | None:
    cards = rng.sample(range(56), 56)
    most = rng.choice([2, 5, 14])
    hands = []
    for _ in _SEATS:
        held = rng.randint(0 if rng.random() < 0.2 else 1, most)
        hands.append(sum(1 << cards.pop() for _ in range(held)))
    out = [seat for seat in rng.sample(_SEATS, 4) if not hands[seat]]
    if len(out) > 2 or (len(out) == 2 and out[0] ^ out[1] == 2):
        return None
    gone = sum(1 << card for card in cards)
    top, owner = None, -1
    if rng.random() < 0.8:
        combos = [combo for combo in leads(sum(1 << card for card in cards[:14]), rules) if combo.kind != Kind.DOG]
        if combos:
            top = rng.choice(combos)
            able = [seat for seat in _SEATS if hands[seat].bit_count() + top.size <= 14]
            if not able:
                return None
            owner = rng.choice(able)
    phase, seat = _duty(rules, rng, tuple(hands), top, owner)
    if phase is None:
        return None
    on_table = points_of(top.cards) if top else 0
    has_grand = rules.grand == "yes" and rules.calls != "auto"
    wish = rng.choice([0, *RANKS]) if gone >> MAH_JONG & 1 and rules.wish != "off" and phase is not Phase.WISH else 0
    return Round(
        rules,
        phase,
        (seat,),
        tuple(hands),
        top=top,
        owner=owner,
        points=(points_of(gone) - on_table, 0, 0, 0),
        wish=wish,
        calls=tuple(rng.choice([call for call in Call if has_grand or call is not Call.GRAND]) for _ in _SEATS),
        out=tuple(out),
        actor=rng.choice([seat for seat in _SEATS if hands[seat]]) if phase is Phase.BOMB else -1,
    )


def _duty(rules: Rules, rng: Random, hands: tuple[int, ...], top: Combo | None, owner: int) -> tuple[Phase | None, int]:
    """What is to be decided by whom."""
    options = [(Phase.PLAY, seat) for seat in _SEATS if hands[seat] and seat != owner]
    if top is not None:
        if top.cards & 1 and rules.wish != "off":
            return Phase.WISH, owner
        options.append((Phase.TAKE, owner))
        if rules.bombs == "ordered":
            asked = [seat for seat in _SEATS if bombs(hands[seat], top, rules)]
            options += [(Phase.BOMB, seat) for seat in asked for _ in range(4)]
    return rng.choice(options) if options else (None, -1)


def reshuffled(state: Round, seat: int, rng: Random) -> Round:
    """Another round that looks the same to a seat: everything it cannot see lies elsewhere."""
    others = [other for other in _SEATS if other != seat]
    if state.phase is Phase.GRAND:
        hidden = _shuffled(ALL_CARDS & ~state.hands[seat], rng)
        hands = tuple(state.hands[seat] if other == seat else _take(hidden, 8) for other in _SEATS)
        later = tuple(_take(hidden, 6) for _ in _SEATS)
        # The others' Grand decisions are hidden too, where they have been made.
        calls = tuple(
            call if other == seat or other in state.pending else rng.choice([Call.GRAND, Call.NONE])
            for other, call in enumerate(state.calls)
        )
        return state._replace(hands=hands, later=later, calls=calls)
    # A card that this seat gave away lies where it gave it until it is played.
    fixed = [0, 0, 0, 0]
    if state.phase is not Phase.EXCHANGE:
        for distance, card in enumerate(state.given[seat], start=1):
            fixed[(seat + distance) & 3] |= 1 << card & ~state.played
    hidden = _shuffled(sum(state.hands[other] & ~fixed[other] for other in others), rng)
    hands = tuple(
        hand if other == seat else fixed[other] | _take(hidden, hand.bit_count() - fixed[other].bit_count())
        for other, hand in enumerate(state.hands)
    )
    return state._replace(hands=hands, given=_regiven(state._replace(hands=hands), seat, rng))


def _regiven(state: Round, seat: int, rng: Random) -> tuple[tuple[int, ...], ...]:
    """Gifts between the others that go with where the cards are now."""
    if not any(state.given):
        return state.given
    in_exchange = state.phase is Phase.EXCHANGE
    given = [list(cards) for cards in state.given]
    hidden = [
        (giver, distance)
        for giver, cards in enumerate(given)
        if cards and giver != seat
        for distance in range(3)
        if in_exchange or (giver + distance + 1) & 3 != seat
    ]
    for giver, distance in hidden:
        given[giver][distance] = HIDDEN
    used = {card for cards in given for card in cards}
    for giver, distance in hidden:
        holder = giver if in_exchange else (giver + distance + 1) & 3
        free = [card for card in cards_of(state.hands[holder]) if card not in used]
        free = free or [card for card in cards_of(state.played) if card not in used]
        given[giver][distance] = rng.choice(free)
        used.add(given[giver][distance])
    return tuple(map(tuple, given))


def _shuffled(cards: int, rng: Random) -> list[int]:
    order = list(cards_of(cards))
    rng.shuffle(order)
    return order


def _take(cards: list[int], number: int) -> int:
    return sum(1 << cards.pop() for _ in range(number))
