import os
from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from random import Random

import pytest

from tests.analysis.games import Decision, decisions
from tichu import Game, GameError, IllegalAction, Rules, cards_of
from tichu.analysis.accounts import Account, replay_account
from tichu.analysis.worlds import World, Worlds
from tichu.core.cards import ALL_CARDS
from tichu.core.deals import Deal
from tichu.core.phases import Phase
from tichu.core.position import format_view
from tichu.core.round import Round
from tichu.core.rules import PRESETS

Gifts = tuple[tuple[int, ...], ...]

RULES = [*PRESETS.values(), Rules(bombs="ordered"), Rules(bombs="ordered", phoenix_grants_wish="yes")]
NAMES = [str(rules) for rules in RULES]
#: Of the decisions that are tried.
SHARE = 1.0 if os.environ.get("THOROUGH") else 0.08


def worlds_of(game: Game, seat: int) -> Worlds:
    return Worlds(game.view(seat), game.deal[seat][0])


def seen_views(deal: Deal, given: Gifts, account: Account, seat: int, rules: Rules) -> Iterator[str]:
    """The texts of the views at every decision of the seat in a record."""
    start = Round.start(deal, rules)
    for before, actor, _, _ in replay_account(start, account, seat, given):
        if actor == seat:
            yield format_view(before.view(seat))


@pytest.mark.parametrize("rules", RULES, ids=NAMES)
def test_the_record_replayed_in_a_sampled_world_gives_the_seat_the_same_views(rules: Rules) -> None:
    rng = Random(5)
    for game, seat, _ in [each for each in decisions(1, rules) if rng.random() < SHARE]:
        worlds = worlds_of(game, seat)
        expected = list(seen_views(game.deal, game.round.given, game.actions, seat, rules))
        for world in worlds.sample(2, seed=4):
            assert worlds.round(world).view(seat)._replace(history=game.seen[seat]) == game.view(seat)
            assert worlds.replay(world) == worlds.round(world)
            if game.round.phase is not Phase.GRAND:
                assert list(seen_views(world.deal, world.given, game.actions, seat, rules)) == expected


def test_worlds_do_not_depend_on_what_the_seat_cannot_see() -> None:
    rules = Rules(bombs="ordered")
    for game, seat, _ in list(decisions(3, rules))[::9]:
        worlds = worlds_of(game, seat)
        for other in worlds.sample(2, seed=8):
            # The round as it would have been in that world, seen by the seat.
            view = worlds.round(other).view(seat)._replace(history=game.view(seat).history)
            assert Worlds(view, other.deal[seat][0]).sample(4, seed=1) == worlds.sample(4, seed=1)


def brute_hands(worlds: Worlds, game: Game) -> set[tuple[int, ...]]:
    """Every way to place the unseen cards, kept if the account can be replayed and gives the view."""
    view = worlds.view
    others = [seat for seat in range(4) if seat != view.seat]
    pool = list(cards_of(ALL_CARDS & ~view.hand & ~view.played))
    found = set()
    for order in permutations(pool):
        hands, at = [view.hand] * 4, 0
        for seat in others:
            hands[seat] = sum(1 << card for card in order[at : at + view.counts[seat]])
            at += view.counts[seat]
        if tuple(hands) not in found and _is_possible(worlds, tuple(hands), game):
            found.add(tuple(hands))
    return found


def _is_possible(worlds: Worlds, hands: tuple[int, ...], game: Game) -> bool:
    seat = worlds.view.seat
    # Own gifts must be where they were given; complete draws the rest for any hands.
    for distance, card in enumerate(worlds.view.given[seat], start=1):
        if not worlds.view.played >> card & 1 and not hands[(seat + distance) & 3] >> card & 1:
            return False
    world = worlds.complete(hands, Random(1))
    try:
        return worlds.replay(world).view(seat)._replace(history=game.seen[seat]) == game.view(seat)
    except IllegalAction:
        return False


def small_decisions(rules: Rules, wanted: int) -> Iterator[Decision]:
    """Late decisions after somebody has passed with a wish open."""
    found = 0
    for number in range(1000):
        best = None
        for each in decisions(number, rules):
            pool = ALL_CARDS & ~each.game.view(each.seat).hand & ~each.game.round.played
            if best is None and each.game.round.phase is Phase.PLAY and 4 <= pool.bit_count() <= 7 and _has_facts(each):
                best = each
        if best is not None:
            yield best
            found += 1
            if found == wanted:
                return


def _has_facts(each: Decision) -> bool:
    return each.game.round.wish != 0 and bool(worlds_of(each.game, each.seat)._facts)


@pytest.mark.parametrize("rules", [Rules(bombs="ordered"), Rules.parse("classic")], ids=["ordered", "anytime"])
def test_possible_hands_are_those_on_which_the_record_can_be_replayed(rules: Rules) -> None:
    for game, seat, _ in small_decisions(rules, 4):
        worlds = worlds_of(game, seat)
        assert set(worlds.hands) == brute_hands(worlds, game)
        assert len(set(worlds.hands)) == len(worlds.hands)


def test_every_possible_world_is_equally_likely() -> None:
    tried = 0
    for game, seat, _ in small_decisions(Rules(bombs="ordered"), 4):
        worlds = worlds_of(game, seat)
        possible = worlds.hands
        if len(possible) < 3:
            continue
        tried += 1
        draws = 40 * len(possible)
        rng = Random(tried)
        from_list = Counter(worlds.draw(rng).hands for _ in range(draws))
        for counted in (from_list, Counter(_rejection(worlds, rng) for _ in range(draws))):
            assert set(counted) <= set(possible)
            chi_square = sum((counted[hands] - 40) ** 2 / 40 for hands in possible)
            freedom = len(possible) - 1
            # Five standard deviations.
            assert abs(chi_square - freedom) < 5 * (2 * freedom) ** 0.5 + 5
    assert tried >= 2


def _rejection(worlds: Worlds, rng: Random) -> tuple[int, ...]:
    while True:
        hands = worlds._with_own(worlds._placing.draw(rng))
        if worlds._is_possible(hands):
            return hands


def test_gifts_and_eights_are_drawn_uniformly_too() -> None:
    game = next(each.game for each in decisions(1, Rules()) if each.game.round.phase is Phase.PLAY)
    seat = game.round.pending[0]
    counted: Counter[str] = Counter()
    worlds = worlds_of(game, seat)
    for world in worlds.sample(2000, seed=2):
        other = (seat + 1) & 3
        dealt = world.deal[other][0] | world.deal[other][1]
        received = world.given[(seat + 2) & 3][(other - seat - 3) & 3]
        place = list(cards_of(world.hands[other] & ~(1 << game.round.given[seat][0]))).index(received)
        counted[f"gift {place}"] += 1
        counted[f"eight {[*cards_of(dealt)].index(next(cards_of(world.deal[other][0])))}"] += 1
    gifts = [counted[f"gift {place}"] for place in range(13)]
    assert sum((count - 2000 / 13) ** 2 / (2000 / 13) for count in gifts) < 12 + 5 * 24**0.5
    # The lowest of eight cards of fourteen is the lowest of all in 8 of 14.
    assert abs(counted["eight 0"] / 2000 - 8 / 14) < 0.06


def test_the_same_seed_gives_the_same_worlds() -> None:
    each = list(decisions(2, Rules()))[30]
    worlds = worlds_of(each.game, each.seat)
    assert worlds.sample(5, seed=1) == worlds_of(each.game, each.seat).sample(5, seed=1)
    assert worlds.sample(5, seed=1) != worlds.sample(5, seed=2)


def test_a_view_without_its_history_has_no_worlds() -> None:
    each = list(decisions(2, Rules()))[30]
    with pytest.raises(GameError, match="whole history"):
        Worlds(each.game.round.view(each.seat), each.game.deal[each.seat][0])


def test_a_world_is_a_value() -> None:
    each = next(decisions(2, Rules()))
    world = worlds_of(each.game, each.seat).draw(Random(1))
    assert isinstance(world, World)
    assert sum(eight | six for eight, six in world.deal) == ALL_CARDS
