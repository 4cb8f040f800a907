"""Random rounds under many rule sets.

A :class:`Table` is a few numbers that say everything about a round, so a failing one is a line to repeat.  Bombs are
rare among shuffled cards; a table may deal neighbours together to make them common.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Final, NamedTuple

import pytest
from hypothesis import strategies as st

from tichu import PRESETS, Action, Combo, Deal, Phase, Round, Rules, deal_in_order, format_action
from tichu.core.actions import CALL_TICHU, PASS
from tichu.core.cards import suit_of

#: As many unusual values as go together.
ODD: Final = (
    "courtesy direction=cw goal=rounds:1 tichu_from=play wish=must phoenix_grants_wish=yes equal_flush=suit dragon=auto"
)

_RULE_SETS: Final = {**PRESETS, "odd": Rules.parse(ODD)}
each_rule_set = pytest.mark.parametrize("rules", _RULE_SETS.values(), ids=_RULE_SETS.keys())


class Table(NamedTuple):
    """How a round is dealt and played."""

    seed: int
    #: How many neighbouring cards are dealt together; 1 is a fair deal.
    clump: int = 1
    #: Whether neighbours are cards of one suit, not of one rank.
    suited: bool = False
    #: Whether everybody plays long combinations first and of these the lowest; such rounds are shorter.
    bold: bool = False
    #: In how many of ten moments somebody who is not asked tries to act.
    meddling: int = 0


def _tables(bold: st.SearchStrategy[bool]) -> st.SearchStrategy[Table]:
    return st.builds(
        Table,
        seed=st.integers(0, 2**32 - 1),
        clump=st.sampled_from((1, 2, 4, 7)),
        suited=st.booleans(),
        bold=bold,
        meddling=st.sampled_from((0, 1, 4)),
    )


tables: Final = _tables(st.sampled_from((True, True, False)))
#: For tests that take long at every step.
quick_tables: Final = _tables(st.just(True))


class Step(NamedTuple):
    """One action of a round."""

    before: Round
    seat: int
    action: Action
    after: Round
    #: Whether the table took the decision (§10).
    is_automatic: bool


def deal_at(table: Table) -> Deal:
    """The cards of a table."""
    rng = Random(table.seed)
    deck = sorted(range(56), key=lambda card: (suit_of(card), card)) if table.suited else list(range(56))
    clumps = [deck[start : start + table.clump] for start in range(0, 56, table.clump)]
    rng.shuffle(clumps)
    cards = [card for clump in clumps for card in clump]
    for _ in range(4):
        one, two = rng.sample(range(56), 2)
        cards[one], cards[two] = cards[two], cards[one]
    hands = [cards[start : start + 14] for start in range(0, 56, 14)]
    for hand in hands:
        rng.shuffle(hand)
    return deal_in_order([card for hand in hands for card in hand[:8]] + [card for hand in hands for card in hand[8:]])


def steps(table: Table, rules: Rules) -> Iterator[Step]:
    """A whole round, action by action."""
    rng = Random(table.seed + 1)
    state = Round.start(deal_at(table), rules)
    while not state.is_over:
        automatic = state.automatic()
        # Not checked: that what is drawn is legal is a property of its own.
        seat, action = automatic or _decision(state, table, rng)
        after = state.after_unchecked(seat, action)
        yield Step(state, seat, action, after, automatic is not None)
        state = after


def _decision(state: Round, table: Table, rng: Random) -> tuple[int, Action]:
    """What happens next where the table leaves it to the players."""
    if rng.randrange(10) < table.meddling:
        seat = rng.randrange(4)
        if seat not in state.pending:
            unasked = _unasked(state, seat, rng)
            if unasked is not None:
                return seat, unasked
    seat = rng.choice(state.pending)
    legal = state.legal(seat)
    if legal.may_call and rng.random() < 0.04:
        return seat, CALL_TICHU
    if state.phase is not Phase.PLAY or not table.bold:
        return seat, legal.draw(rng)
    combos = [action for action in legal if isinstance(action, Combo)]
    return seat, max(combos, key=lambda combo: (combo.size, -combo.rank, rng.random())) if combos else PASS


def _unasked(state: Round, seat: int, rng: Random) -> Action | None:
    """A bomb, a call or another exchange by a seat whose decision is not due."""
    legal = state.legal(seat)
    if state.phase is Phase.EXCHANGE:
        return CALL_TICHU if legal.may_call and rng.random() < 0.3 else legal.draw(rng)
    if state.phase is Phase.BOMB:
        return CALL_TICHU if legal.may_call else None  # Everything else waits for the answer.
    actions = list(legal)
    return rng.choice(actions) if actions else None


@contextmanager
def place_in_errors(state: Round, seat: int, action: Action) -> Iterator[None]:
    """Say where something failed, as one line."""
    try:
        yield
    except Exception as error:
        error.add_note(f"{state} ({state.rules}), then {format_action(seat, action)}")
        raise
