"""Numbers and bytes of decisions: exact counts, round trips, legality, symmetry, and Python = native."""

from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from random import Random

import numpy as np
import pytest

from tests.properties.rounds import Table, each_rule_set, steps
from tichu import Combo, Exchange, Kind, Phase, Round, Rules, cards_of, parse_combo
from tichu.core.cards import Cards, parse_cards
from tichu.core.plays import leads
from tichu.core.view import View
from tichu.encoding import decode_pick, encode_exchange, legal_numbers, pack_mask, unpack_masks, write_mask
from tichu.encoding.numbering import PICKING, PLAYING, number_of, pick_number
from tichu.encoding.observations import FIELDS, field, write_observation
from tichu.encoding.suits import arrange, restore, suit_order
from tichu.envs import ACTION_COUNT, BLOCKS, MASK_SIZE, OBSERVATION_SIZE, VERSION, decode, describe, encode, shape_at
from tichu.envs.tables import native_tables_are_there
from tichu.kernel.packing import pack, unpack_action

needs_native = pytest.mark.skipif(not native_tables_are_there(), reason="no native core")


def _positions(rules: Rules, seeds: range) -> Iterator[tuple[Round, Random]]:
    for seed in seeds:
        table = Table(seed, (1, 2, 4, 7)[seed % 4], suited=bool(seed // 4 % 2), bold=seed % 3 == 0, meddling=1)
        rng = Random(seed)
        for step in steps(table, rules):
            yield step.before, rng


def _some_picks(state: Round, seat: int, rng: Random) -> tuple[int, ...]:
    if state.phase is not Phase.EXCHANGE or seat not in state.pending:
        return ()
    return tuple(rng.sample(list(cards_of(state.hands[seat])), rng.randrange(3)))


def test_there_are_1625_actions() -> None:
    assert ACTION_COUNT == 1625
    assert sum(block.size for block in BLOCKS) == ACTION_COUNT
    assert [block.first for block in BLOCKS] == [sum(other.size for other in BLOCKS[:at]) for at in range(len(BLOCKS))]
    shapes = [shape_at(number) for number in range(PLAYING, ACTION_COUNT)]
    assert len(set(shapes)) == len(shapes)
    assert len({describe(number) for number in range(ACTION_COUNT)}) == ACTION_COUNT


def test_every_play_number_is_a_combination_that_a_hand_of_fourteen_cards_can_hold() -> None:
    """No number is idle: of each shape some cards are read back as that shape, and they are fourteen at most."""
    met = Counter[int]()
    for number in range(PLAYING, ACTION_COUNT):
        hand = _a_hand_for(number)
        assert hand.bit_count() <= 14
        combos = leads(hand, Rules(stairs="stacked"))
        numbers = {number_of(combo, 0) for combo in combos}
        assert number in numbers, describe(number)
        met.update(numbers)
    assert set(met) == set(range(PLAYING, ACTION_COUNT))


def _a_hand_for(number: int) -> Cards:
    shape = shape_at(number)
    if shape.card >= 0:
        return 1 << shape.card
    hand = 0
    for rank in range(shape.low, shape.low + shape.ranks):
        width = shape.width - (shape.phoenix == rank)
        first = rank & 1 if shape.kind == Kind.STRAIGHT and rank > 1 else 0  # two suits, so that it is no bomb
        hand |= ((1 << width) - 1 << first) << 4 * (rank - 1)
    if shape.pair:
        hand |= (1 << 2 - (shape.phoenix == shape.pair)) - 1 << 4 * (shape.pair - 1)
    return hand | (4 if shape.phoenix else 0)


def test_all_combinations_of_random_hands_have_a_number() -> None:
    rng = Random(1)
    rules = Rules(stairs="stacked")
    for _ in range(100):
        hand = sum(1 << card for card in rng.sample(range(rng.choice((24, 40, 56))), 14))
        for combo in leads(hand, rules):
            shape = shape_at(number_of(combo, 0))
            assert (shape.kind, shape.phoenix or combo.size == 1) == (combo.kind, combo.phoenix or combo.size == 1)


@each_rule_set
def test_the_mask_is_what_legal_actions_encode_to_and_every_choice_of_suits_is_legal(rules: Rules) -> None:
    for state, rng in _positions(rules, range(8)):
        for seat in state.pending:
            view, picks = state.view(seat), _some_picks(state, seat, rng)
            legal = view.legal()
            for number in legal_numbers(view, picks):
                if PICKING <= number < PLAYING:
                    card = decode_pick(number, view, picks)
                    assert pick_number(card) == number
                    assert view.hand >> card & 1
                    assert card not in picks
                    continue
                action = decode(number, view)
                assert action in legal, f"{state} {describe(number)}"
                assert encode(action, view) == number
                assert decode(encode(action, view), view) == action


@needs_native
@each_rule_set
def test_native_observations_masks_and_choices_are_the_same(rules: Rules) -> None:
    import tichu_native as core

    assert (core.ENCODING_VERSION, core.ACTION_COUNT) == (VERSION, ACTION_COUNT)
    one, two = np.empty((2, OBSERVATION_SIZE), np.uint8)
    mask, marked = np.empty((2, ACTION_COUNT), np.int8)
    for state, rng in _positions(rules, range(8)):
        packed = pack(state)
        for seat in range(4):
            picks = _some_picks(state, seat, rng)
            view = state.view(seat)._replace(score=(105, -35) if seat % 2 == 0 else (-35, 105))
            write_observation(view, one, picks)
            write_mask(view, mask, picks)
            core.encode_state(packed, seat, list(picks), (105, -35), two, marked)
            wrong = [each.name for each in FIELDS if (one != two)[each.place].any()]
            assert not wrong, f"{state}, seat {seat}: {wrong}"
            odd = [describe(number) for number in np.flatnonzero(mask != marked).tolist()]
            assert not odd, f"{state}, seat {seat}: {odd}"
            for number in np.flatnonzero(mask).tolist():
                if PICKING <= number < PLAYING:
                    assert core.decode_pick(packed, seat, list(picks), number) == decode_pick(number, view, picks)
                else:
                    assert unpack_action(core.decode(packed, seat, number)) == decode(number, view)


def test_an_exchange_is_three_picks() -> None:
    assert [describe(number) for number in encode_exchange(Exchange(0, 4, 55))] == [
        "give a card Ma",
        "give a card 2",
        "give a card A",
    ]
    with pytest.raises(ValueError, match="three actions"):
        number_of(Exchange(0, 1, 2), 0)
    view = Round.from_position("9s/Kb/-/4s p1 0:8s 90/0/0/0 - ---- 2 -/-/-/-").view(1)
    for number in (PICKING, PLAYING - 1):
        with pytest.raises(ValueError, match="a pick"):
            decode(number, view)
    with pytest.raises(ValueError, match="not a pick"):
        decode_pick(0, view, ())


@pytest.mark.parametrize(
    ("hand", "play", "chosen"),
    [
        # The pair leaves the straight flush alone.
        ("3s4s5s5b5g6s7s", "5s5b", "5b5g"),
        # A straight that would be a bomb takes another suit at the lowest rank that has one.
        ("3s4s5s6s6b7s8s", "3s4s5s6b7s", "3s4s5s6b7s"),
        ("3s3b4s4b5s5b6s6b7s7b", "3s4b5s6s7s", "3b4s5s6s7s"),
        # Four of a kind leave no choice.
        ("9s9b9g9r", "9b9g", "9s9b"),
    ],
)
def test_the_choice_of_suits_keeps_bombs(hand: str, play: str, chosen: str) -> None:
    view = View(
        Rules(), 0, Phase.PLAY, (0,), parse_cards(hand), (7, 14, 14, 14), None, -1, (0,) * 4, 0, (), (), ((),) * 4, 0
    )
    action = decode(number_of(parse_combo(play), 0), view)
    assert isinstance(action, Combo)
    assert number_of(action, 0) == number_of(parse_combo(play), 0)
    assert str(action) == chosen


def test_suits_are_numbered_by_what_the_seat_sees() -> None:
    """Renaming the suits changes neither observation nor mask, and the choice of suits follows."""
    rng = Random(3)
    one, two = np.empty((2, OBSERVATION_SIZE), np.uint8)
    for state, _ in _positions(Rules(bombs="ordered"), range(2)):
        order = rng.choice(list(permutations(range(4))))
        seat = state.pending[0]
        view = state.view(seat)
        renamed = _renamed(state, order).view(seat)
        write_observation(view, one)
        write_observation(renamed, two)
        assert (one == two).all()
        numbers = legal_numbers(view)
        assert numbers == legal_numbers(renamed)
        alike = len({tuple(_of_suit(view, suit)) for suit in range(4)}) < 4
        for number in numbers:
            if number >= PLAYING and not alike:
                action, other = decode(number, view), decode(number, renamed)
                assert isinstance(action, Combo)
                assert isinstance(other, Combo)
                assert arrange(action.cards, order) == other.cards


def _of_suit(view: View, suit: int) -> Iterator[int]:
    for cards in (view.hand, view.played, 0 if view.top is None else view.top.cards):
        yield cards >> suit & 0x11111111111110


def _renamed(state: Round, order: tuple[int, ...]) -> Round:
    def card_in(card: int) -> int:
        return arrange(1 << card, order).bit_length() - 1

    top = state.top and state.top._replace(cards=arrange(state.top.cards, order))
    return state._replace(
        hands=tuple(arrange(hand, order) for hand in state.hands),
        later=tuple(arrange(hand, order) for hand in state.later),
        top=top,
        given=tuple(tuple(map(card_in, cards)) for cards in state.given),
    )


def test_arranging_and_restoring_are_inverse() -> None:
    rng = Random(1)
    for order in permutations(range(4)):
        cards = rng.getrandbits(56)
        assert restore(arrange(cards, order), order) == cards


def test_where_the_suit_decides_suits_keep_their_order() -> None:
    view = Round.from_position("9s/Kb/-/4s p1 0:8s 90/0/0/0 - ---- 2 -/-/-/-", Rules(equal_flush="suit")).view(1)
    assert suit_order(view) == (2, 1, 3, 0)


def test_masks_are_packed_from_the_lowest_bit() -> None:
    mask = np.zeros(ACTION_COUNT, np.int8)
    mask[[0, 9, 1624]] = 1
    packed = pack_mask(mask)
    assert packed.shape == (MASK_SIZE,)
    assert (packed[0], packed[1], packed[1624 // 8]) == (1, 2, 1)
    assert (unpack_masks(packed) == mask).all()


def test_fields_lie_side_by_side_and_stay_below_their_highest_value() -> None:
    assert sum(each.size for each in FIELDS) == OBSERVATION_SIZE == 363
    assert field("rules").first + 13 == OBSERVATION_SIZE
    highest = np.concatenate([np.full(each.size, each.highest) for each in FIELDS])
    observation = np.empty(OBSERVATION_SIZE, np.uint8)
    for rules in (Rules(bombs="ordered"), Rules.parse("courtesy wish=must")):
        for state, rng in _positions(rules, range(2)):
            for seat in range(4):
                write_observation(state.view(seat), observation, _some_picks(state, seat, rng))
                assert (observation <= highest).all()
