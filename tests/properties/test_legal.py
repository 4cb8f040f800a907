"""Along any round: what is listed, what is accepted and what is refused agree, also for nonsense."""

from random import Random

import pytest
from hypothesis import given

from tests.properties.rounds import Table, each_rule_set, place_in_errors, steps, tables
from tichu import Action, Combo, Exchange, IllegalAction, Kind, Phase, Reason, Round, Rules, Take, Wish, cards_of
from tichu.core.actions import CALL_GRAND, CALL_TICHU, DECLINE_BOMB, DECLINE_GRAND, PASS
from tichu.core.plays import leads

pytestmark = pytest.mark.no_cover

_PLAIN: tuple[Action, ...] = (CALL_GRAND, DECLINE_GRAND, CALL_TICHU, PASS, DECLINE_BOMB)
_STACKED = Rules(stairs="stacked")


@each_rule_set
@given(table=tables)
def test_listing_membership_and_check_agree_and_the_illegal_changes_nothing(rules: Rules, table: Table) -> None:
    rng = Random(table.seed)
    for before, seat, action, _, is_automatic in steps(table, rules):
        with place_in_errors(before, seat, action):
            assert is_automatic or action in before.legal(seat)
            # A quarter of the moments is enough, and the test stays quick; to lead under a wish is rare.
            if rng.random() < 0.25 or (before.wish and before.top is None):
                _agrees(before, rng.choice((seat, rng.randrange(4))), rng)


def _agrees(state: Round, seat: int, rng: Random) -> None:
    legal = state.legal(seat)
    hand: set[int] = set()
    if state.phase is Phase.EXCHANGE:
        # The 2,184 exchanges are listed in a test of their own.
        hand.update(cards_of(state.hands[seat]))
        listed: list[Action] = [CALL_TICHU] if legal.may_call else []
        assert len(legal) == 2184 + len(listed)
    else:
        listed = list(legal)
        assert len(legal) == len(listed)
    members = set(listed)
    assert len(members) == len(listed)
    for candidate in listed:
        assert candidate in legal
    refused = None
    for candidate in rng.sample(nonsense(state, seat, rng), 5):
        is_exchange = isinstance(candidate, Exchange) and len(set(candidate.cards) & hand) == 3
        is_member = candidate in members or is_exchange
        assert (candidate in legal) == is_member, candidate
        assert _passes(state, seat, candidate) == is_member, candidate
        refused = refused if is_member else candidate
    if refused is not None:
        _changes_nothing(state, seat, refused)
    if seat in state.pending:
        drawn = legal.draw(rng)
        assert drawn in members or (isinstance(drawn, Exchange) and drawn in legal)


def _passes(state: Round, seat: int, action: Action) -> bool:
    try:
        state.check(seat, action)
    except IllegalAction as refused:
        return (refused.seat, refused.action) != (seat, action)
    return True


def _changes_nothing(state: Round, seat: int, action: Action) -> None:
    same = Round(*state)
    reason = state.legal(seat).refusal(action)
    assert reason is not None
    with pytest.raises(IllegalAction) as refused:
        state.after(seat, action)
    assert refused.value.reason is reason
    assert isinstance(reason, Reason)
    assert state == same


def nonsense(state: Round, seat: int, rng: Random) -> list[Action]:
    """Actions of every kind, hardly any of them possible."""
    candidates: list[Action] = [
        *rng.sample(_PLAIN, 2),
        Wish(rng.randrange(-2, 17)),
        Take(rng.choice((None, -1, 0, 1, 2, 3, 4))),
        _some_exchange(state, seat, rng),
    ]
    hand = state.hands[seat] if rng.random() < 0.9 else state.hands[rng.randrange(4)]
    combos = leads(hand, _STACKED)
    combos = rng.sample(combos, min(4, len(combos)))
    candidates += combos
    candidates += [_bent(combo, rng) for combo in combos]
    if state.top is not None:
        candidates.append(state.top)
    return candidates


def _some_exchange(state: Round, seat: int, rng: Random) -> Exchange:
    hand = list(cards_of(state.hands[seat])) or [0]
    cards = [rng.choice(hand) for _ in range(3)]
    if rng.random() < 0.4:
        cards[rng.randrange(3)] = rng.randrange(-2, 58)
    return Exchange(*cards)


def _bent(combo: Combo, rng: Random) -> Combo:
    """A combination that is read wrongly, or of other cards."""
    match rng.randrange(6):
        case 0:
            return combo._replace(kind=Kind(rng.randrange(11)))
        case 1:
            return combo._replace(size=combo.size + rng.choice((-1, 1)))
        case 2:
            return combo._replace(rank=combo.rank + rng.choice((-1, 1)))
        case 3:
            return combo._replace(phoenix=rng.randrange(-1, 16))
        case 4:
            return combo._replace(cards=combo.cards ^ 1 << rng.randrange(58))
        case _:
            return combo._replace(cards=rng.choice((0, -1, -combo.cards, ~combo.cards, combo.cards << 1)))


@each_rule_set
@pytest.mark.parametrize("seed", range(3))
def test_all_2184_exchanges_are_listed_once_and_accepted(rules: Rules, seed: int) -> None:
    table = Table(seed, meddling=4)
    during = [step.before for step in steps(table, rules) if step.before.phase is Phase.EXCHANGE]
    assert bool(during) == (rules.exchange == "yes")
    for state in during:
        for seat in range(4):
            legal = state.legal(seat)
            listed = list(legal)
            assert len(set(listed)) == len(listed) == len(legal) == 2184 + legal.may_call
            assert all(action in legal for action in listed)


@pytest.mark.parametrize("thing", [None, 0, "2:-", ":-", (), (Kind.SINGLE, 1, 9, 1 << 32, 0), type(PASS)])
def test_what_is_no_action_is_not_legal(thing: object) -> None:
    state = Round.from_position("9s/2s2b2g2r3s/Kb/4s p2 0:As 90/0/0/0 - ---- - -/-/-/-")
    assert not any(thing in state.legal(seat) for seat in range(4))
