"""What a seat cannot see changes nothing for it: not its view, not its text, not what is legal, not its history.

A round is stopped somewhere, and everything that one seat cannot know by then is drawn anew: the other hands, the
cards not dealt yet, hidden Grand decisions and exchanges, gifts among the others.  From there it goes back to another
deal, and both games are played side by side: the same actions, but for those that the seat cannot see.  Who is asked
to bomb (§7.2) then differs by itself.
"""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given

from tests.properties.rounds import Step, Table, deal_at, each_rule_set, place_in_errors, steps, tables
from tichu import (
    Action,
    CallGrand,
    CallTichu,
    Card,
    Cards,
    Combo,
    Deal,
    DeclineBomb,
    DeclineGrand,
    Exchange,
    Game,
    Match,
    Phase,
    Round,
    Rules,
    cards_of,
    format_view,
)
from tichu.core.actions import CALL_GRAND, DECLINE_BOMB, DECLINE_GRAND
from tichu.core.cards import MAH_JONG, suit_of

pytestmark = pytest.mark.no_cover


@each_rule_set
@given(table=tables)
def test_reshuffling_what_a_seat_cannot_see_changes_nothing_for_it(rules: Rules, table: Table) -> None:
    rng = Random(table.seed)
    taken = list(steps(table, rules))
    until = rng.choice((rng.randrange(1, 13), rng.randrange(1, len(taken) + 1)))
    seat = rng.randrange(4)
    game, twin = both_games(deal_at(table), taken[:until], seat, rng)
    _looks_the_same(game, twin, seat)
    for at, step in enumerate(taken[:until]):
        with place_in_errors(*step[:3]):
            game = _with(game, step.seat, step.action)
            twin = twin.after(step, _next_bomber(taken[at + 1 : until]), seat, rng)
            if not twin.is_ahead(game.round, seat):
                _looks_the_same(game, twin, seat)
    assert {*cards_of(twin.game.round.played)} == {*cards_of(game.round.played)}


class Twin(NamedTuple):
    """The game that looks the same to the seat, and which exchanges and Grand decisions are made in it."""

    game: Game
    secrets: dict[int, list[Action]]

    def after(self, step: Step, bomber: int, seat: int, rng: Random) -> "Twin":
        """Both games after a step of the first."""
        game = self.game
        action: Action | None = step.action
        if isinstance(action, DeclineBomb) and step.seat != seat:
            action = None  # Whoever is asked here is asked unseen.
        elif step.seat in self.secrets and isinstance(action, CallGrand | DeclineGrand | Exchange):
            action = self.secrets[step.seat].pop(0)
        if action is not None:
            if not isinstance(action, CallTichu):
                game = _questions_declined(game, step.seat, action, seat)
            game = _with(game, step.seat, action)
        return self._replace(game=_some_questions_declined(game, step.after, bomber, seat, rng))

    def is_ahead(self, other: Round, seat: int) -> bool:
        """Whether the seat is asked to bomb here and must wait for somebody there: being asked is no secret."""
        return self.game.round.phase is Phase.BOMB and self.game.round.pending == (seat,) != other.pending


def _looks_the_same(game: Game, twin: Twin, seat: int) -> None:
    view, seen = game.view(seat), twin.game.view(seat)
    assert seen == view, f"seat {seat} sees a difference to {twin.game.round}"
    assert format_view(seen) == format_view(view)
    assert len(seen.legal()) == len(view.legal())
    if view.phase is not Phase.EXCHANGE:
        assert set(twin.game.round.legal(seat)) == set(game.round.legal(seat))


def _with(game: Game, seat: int, action: Action) -> Game:
    """The game after an action that is not checked: another deal may put a duty on it that nobody can see."""
    return game._with(seat, action, game.round.after_unchecked(seat, action))


def _questions_declined(game: Game, actor: int, action: Action, seat: int) -> Game:
    """The game when everybody who was asked before an action has declined."""
    while game.round.phase is Phase.BOMB:
        (asked,) = game.round.pending
        if asked == actor and (isinstance(action, DeclineBomb) or (isinstance(action, Combo) and action.is_bomb)):
            break
        assert asked != seat
        game = _with(game, asked, DECLINE_BOMB)
    return game


def _next_bomber(taken: Sequence[Step]) -> int:
    """Who bombs when asked next, -1 if something else comes first."""
    for step in taken:
        if not isinstance(step.action, CallTichu | DeclineBomb):
            return step.seat if step.before.phase is Phase.BOMB else -1
    return -1


def _some_questions_declined(game: Game, other: Round, bomber: int, seat: int, rng: Random) -> Game:
    """The game when the seat itself is asked, if it is in the other game, or any time before."""
    is_asked = other.phase is Phase.BOMB and other.pending == (seat,)
    while game.round.phase is Phase.BOMB and game.round.pending != (seat,):
        if game.round.pending == (bomber,):
            break
        declined = _with(game, game.round.pending[0], DECLINE_BOMB)
        if not is_asked and (rng.random() < 0.5 or declined.round.pending == (seat,) != other.pending):
            break
        game = declined
    return game


def both_games(deal: Deal, taken: Sequence[Step], seat: int, rng: Random) -> tuple[Game, Twin]:
    """The game as it was dealt, and one that will look the same to the seat during these steps."""
    rules = taken[0].before.rules
    state = taken[-1].after
    played = [0, 0, 0, 0]
    for step in taken:
        if isinstance(step.action, Combo):
            played[step.seat] |= step.action.cards
    hands, later = _other_hands(state, seat, rng)
    had = [hand | cards for hand, cards in zip(hands, played, strict=True)]
    given = _other_gifts(state, seat, had, rng)
    if state.phase is Phase.GRAND:
        other_deal = list(zip(hands, later, strict=True))
    else:
        other_deal = []
        for cards in had:
            eight = sum(1 << card for card in rng.sample(list(cards_of(cards)), 8))
            other_deal.append((eight, cards & ~eight))
        other_deal[seat] = deal[seat]
    secrets = {other: _other_secrets(taken, other, had, given, rng) for other in range(4) if other != seat}
    twin = Twin(Game(Match(rules), tuple(other_deal), Round.start(tuple(other_deal), rules)), secrets)
    return Game(Match(rules), deal, taken[0].before), twin


def _other_hands(state: Round, seat: int, rng: Random) -> tuple[tuple[Cards, ...], tuple[Cards, ...]]:
    """Hands of the same sizes; the seat keeps its own, and what it gave stays where it went."""
    fixed = [0] * 8
    fixed[seat] = state.hands[seat]
    if state.phase is not Phase.EXCHANGE:
        for distance, card in enumerate(state.given[seat], start=1):
            receiver = (seat + distance) % 4
            fixed[receiver] |= state.hands[receiver] & 1 << card
    if state.phase not in (Phase.GRAND, Phase.EXCHANGE):
        for holder, hand in enumerate(state.hands):
            fixed[holder] |= hand & 1 << MAH_JONG  # §2.4: everybody saw who led first.
    sets = (*state.hands, *state.later)
    unknown = [card for cards, kept in zip(sets, fixed, strict=True) for card in cards_of(cards & ~kept)]
    if rng.random() < 0.5:
        rng.shuffle(unknown)
    elif rng.random() < 0.5:  # Neighbours together make bombs.
        unknown.sort()
    else:
        unknown.sort(key=lambda card: (suit_of(card), card))
    start = rng.randrange(len(unknown) + 1)
    unknown = unknown[start:] + unknown[:start]
    others = []
    for cards, kept in zip(sets, fixed, strict=True):
        missing = cards.bit_count() - kept.bit_count()
        others.append(kept | sum(1 << card for card in unknown[:missing]))
        del unknown[:missing]
    return tuple(others[:4]), tuple(others[4:])


def _other_gifts(state: Round, seat: int, had: list[Cards], rng: Random) -> list[tuple[Card, ...]]:
    """Gifts among the others that go with what they have had since; undone in ``had``."""
    given = list(state.given)
    if state.phase is Phase.EXCHANGE:
        for giver, cards in enumerate(state.given):
            if cards and giver != seat:
                given[giver] = tuple(rng.sample(list(cards_of(had[giver])), 3))
        return given
    if not state.given[seat]:
        return given
    lists = [list(cards) for cards in given]
    for receiver in range(4):
        if receiver != seat:
            known = 1 << state.given[seat][(receiver - seat - 1) % 4]
            gifts = rng.sample(list(cards_of(had[receiver] & ~known)), 2)
            for giver in range(4):
                if giver not in (seat, receiver):
                    lists[giver][(receiver - giver - 1) % 4] = gifts.pop()
    for giver, gifts in enumerate(lists):
        for distance, card in enumerate(gifts, start=1):
            had[(giver + distance) % 4] &= ~(1 << card)
            had[giver] |= 1 << card
    return [tuple(cards) for cards in lists]


def _other_secrets(
    taken: Sequence[Step], actor: int, had: list[Cards], given: list[tuple[Card, ...]], rng: Random
) -> list[Action]:
    """What another seat decides unseen: only the last exchange counts, and the Grand call once all are made."""
    grand: list[Action] = [
        step.action if taken[-1].after.phase is not Phase.GRAND else rng.choice((CALL_GRAND, DECLINE_GRAND))
        for step in taken
        if step.seat == actor and isinstance(step.action, CallGrand | DeclineGrand)
    ]
    count = sum(step.seat == actor and isinstance(step.action, Exchange) for step in taken)
    exchanges: list[Action] = [Exchange(*rng.sample(list(cards_of(had[actor])), 3)) for _ in range(count - 1)]
    if count:
        left, partner, right = given[actor]
        exchanges.append(Exchange(left, partner, right))
    return grand + exchanges


def test_the_twins_differ_in_everything_that_is_hidden() -> None:
    """The test above would prove nothing if the games were the same."""
    rules = Rules.parse("courtesy")
    seen: set[str] = set()
    for seed in range(400):
        rng = Random(seed)
        table = Table(seed, clump=4, suited=seed % 3 == 0, bold=seed % 2 == 0, meddling=3)
        taken = list(steps(table, rules))[: rng.choice((2, 3, 6, rng.randrange(9, 100)))]
        seat = rng.randrange(4)
        game, twin = both_games(deal_at(table), taken, seat, rng)
        for at, step in enumerate(taken):
            game = _with(game, step.seat, step.action)
            twin = twin.after(step, _next_bomber(taken[at + 1 :]), seat, rng)
            one, two = game.round, twin.game.round
            seen.update(field for field, a, b in zip(Round._fields, one, two, strict=True) if a != b)
            seen.add(f"{one.phase.value}{two.phase.value}")
            if one.phase is two.phase is Phase.BOMB and one.pending != two.pending:
                seen.add("somebody else is asked")
    assert {"hands", "later", "calls", "given", "phase", "pending", "actor"} <= seen
    assert {"bp", "bt", "pb", "tb", "somebody else is asked"} <= seen
