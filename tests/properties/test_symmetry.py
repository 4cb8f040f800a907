"""Suits, seats and direction permute: a round seen in a mirror, from another chair or with other suits is a round."""

from collections.abc import Iterable
from dataclasses import replace
from random import Random
from typing import NamedTuple, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.properties.rounds import Table, each_rule_set, place_in_errors, steps, tables
from tichu import Action, Cards, Combo, Exchange, Phase, Round, Rules, Take

pytestmark = pytest.mark.no_cover

_T = TypeVar("_T")


class Symmetry(NamedTuple):
    """Another look at the same table."""

    #: Seat 0 becomes this one.
    turn: int = 0
    #: Whether the direction of play is turned around and left and right are swapped.
    mirror: bool = False
    #: What each suit becomes.
    suits: tuple[int, ...] = (0, 1, 2, 3)

    def seat(self, seat: int) -> int:
        return seat if seat < 0 else ((-seat if self.mirror else seat) + self.turn) % 4

    def by_seat(self, values: tuple[_T, ...]) -> tuple[_T, ...]:
        moved = list(values)
        for seat, value in enumerate(values):
            moved[self.seat(seat)] = value
        return tuple(moved)

    def card(self, card: int) -> int:
        return card if card < 4 else (card & ~3) + self.suits[card & 3]

    def cards(self, cards: Cards) -> Cards:
        specials = cards & 15
        moved = 0
        for suit, other in enumerate(self.suits):
            moved |= (cards >> suit & 0x11111111111110) << other
        return moved | specials

    def given(self, cards: tuple[int, ...]) -> tuple[int, ...]:
        moved = tuple(map(self.card, cards))
        return moved[::-1] if self.mirror else moved

    def rules(self, rules: Rules) -> Rules:
        return replace(rules, direction="cw" if rules.direction == "ccw" else "ccw") if self.mirror else rules

    def combo(self, combo: Combo) -> Combo:
        return combo._replace(cards=self.cards(combo.cards))

    def action(self, action: Action) -> Action:
        match action:
            case Combo():
                return self.combo(action)
            case Exchange():
                return Exchange(*self.given(action.cards))
            case Take(recipient) if recipient is not None:
                return Take(self.seat(recipient))
            case _:
                return action

    def actions(self, actions: Iterable[Action]) -> set[Action]:
        return set(map(self.action, actions))

    def state(self, state: Round) -> Round:
        return Round(
            rules=self.rules(state.rules),
            phase=state.phase,
            pending=tuple(sorted(map(self.seat, state.pending))),
            hands=self.by_seat(tuple(map(self.cards, state.hands))),
            later=self.by_seat(tuple(map(self.cards, state.later))),
            top=None if state.top is None else self.combo(state.top),
            owner=self.seat(state.owner),
            points=self.by_seat(state.points),
            wish=state.wish,
            calls=self.by_seat(state.calls),
            out=tuple(map(self.seat, state.out)),
            given=self.by_seat(tuple(map(self.given, state.given))),
            actor=self.seat(state.actor),
        )


symmetries = st.builds(
    Symmetry, turn=st.integers(0, 3), mirror=st.booleans(), suits=st.permutations(range(4)).map(tuple)
)


@each_rule_set
@given(table=tables, symmetry=symmetries)
def test_suits_seats_and_direction_permute(rules: Rules, table: Table, symmetry: Symmetry) -> None:
    if rules.equal_flush == "suit":
        symmetry = symmetry._replace(suits=(0, 1, 2, 3))  # §3.4: there the suits are not equal.
    rng = Random(table.seed)
    taken = list(steps(table, rules))
    image = symmetry.state(taken[0].before)
    for state, seat, action, after, is_automatic in taken:
        with place_in_errors(state, seat, action):
            chair, moved = symmetry.seat(seat), symmetry.action(action)
            if state.phase is not Phase.EXCHANGE:
                somebody = rng.choice((seat, rng.randrange(4)))
                assert set(image.legal(symmetry.seat(somebody))) == symmetry.actions(state.legal(somebody))
            assert image.automatic() == ((chair, moved) if is_automatic else None)
            assert is_automatic or moved in image.legal(chair)
            image = image.after_unchecked(chair, moved)
            assert image == symmetry.state(after)
    score = taken[-1].after.outcome.score
    assert image.outcome.score == (score if symmetry.seat(0) % 2 == 0 else score[::-1])


@pytest.mark.parametrize(
    ("symmetry", "image"),
    [
        (Symmetry(suits=(1, 2, 3, 0)), "2b/3b/4b/5g p1 0:Ag 0/0/0/90 8 T--G - 6s7s8s/6g7g8g/6b7b8b/6r7r8r"),
        (Symmetry(turn=1), "5b/2s/3s/4s p2 1:Ab 90/0/0/0 8 GT-- - 6g7g8g/6r7r8r/6b7b8b/6s7s8s"),
        (Symmetry(turn=2), "4s/5b/2s/3s p3 2:Ab 0/90/0/0 8 -GT- - 6s7s8s/6g7g8g/6r7r8r/6b7b8b"),
        (Symmetry(mirror=True), "2s/5b/4s/3s p3 0:Ab 0/90/0/0 8 TG-- - 8r7r6r/8g7g6g/8s7s6s/8b7b6b"),
    ],
)
def test_what_the_symmetries_do(symmetry: Symmetry, image: str) -> None:
    text = "2s/3s/4s/5b p1 0:Ab 0/0/0/90 8 T--G - 6r7r8r/6b7b8b/6s7s8s/6g7g8g"
    assert str(symmetry.state(Round.from_position(text))) == image
