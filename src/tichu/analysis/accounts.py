"""An account of a round: its actions as one seat has seen them, played again on a deal that may be another.

What the seat could not see is filled in: the cards that others gave are those of the deal at hand, and whoever is asked
to bomb there (§7.2), unseen, has declined if the account goes on without a bomb.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from tichu.core.actions import DECLINE_BOMB, Action, CallTichu, DeclineBomb, Exchange
from tichu.core.cards import Card, Cards
from tichu.core.combos import Combo
from tichu.core.phases import Phase
from tichu.core.round import Round

__all__ = ["Account", "Step", "played_by", "replay_account"]

Account = Iterable[tuple[int, Action]]


class Step(NamedTuple):
    """An action and the states around it."""

    before: Round
    seat: int
    action: Action
    after: Round


def replay_account(
    start: Round, account: Account, seat: int, given: Sequence[Sequence[Card]], *, checked: bool = True
) -> Iterator[Step]:
    """Every action of an account in turn, seen by ``seat``; others gave the cards ``given``.

    After the last step nobody but ``seat`` is left to be asked for a bomb.

    :raises IllegalAction: it cannot have happened like this; unless it is not to be checked
    """
    state = start
    waiting: Step | None = None
    for actor, action in account:
        if actor != seat and isinstance(action, DeclineBomb):
            continue
        if actor != seat and isinstance(action, Exchange):
            action = Exchange(*given[actor])
        if not isinstance(action, CallTichu):
            while state.phase is Phase.BOMB and not _answers(state, actor, action):
                state = state.after_unchecked(state.pending[0], DECLINE_BOMB)
        if waiting is not None:
            yield waiting._replace(after=state)
        after = state.after_recorded(actor, action) if checked else state.after_unchecked(actor, action)
        waiting = Step(state, actor, action, after)
        state = after
    while state.phase is Phase.BOMB and state.pending[0] != seat:
        state = state.after_unchecked(state.pending[0], DECLINE_BOMB)
    if waiting is not None:
        yield waiting._replace(after=state)


def _answers(state: Round, actor: int, action: Action) -> bool:
    """Whether this is what the seat that is asked does."""
    return actor == state.pending[0] and (
        isinstance(action, DeclineBomb) or (isinstance(action, Combo) and action.is_bomb)
    )


def played_by(account: Account) -> list[Cards]:
    """The cards that each seat has played."""
    cards = [0, 0, 0, 0]
    for seat, action in account:
        if isinstance(action, Combo):
            cards[seat] |= action.cards
    return cards
