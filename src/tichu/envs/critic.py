"""The whole state as bytes, for critics that may look at all hands."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from tichu.core.cards import Cards, cards_of
from tichu.core.round import Round
from tichu.encoding.observations import FIELDS, OBSERVATION_SIZE, write_observation

__all__ = ["STATE_FIELDS", "STATE_LENGTH", "write_state"]

_PUBLIC: Final = next(field.first for field in FIELDS if field.name == "counts")

#: Name, size and meaning; seats are counted from seat 0, suits are as they are.
STATE_FIELDS: Final = (
    ("hands", 224, "the cards of seats 0 to 3"),
    ("later", 224, "the cards that they are still dealt"),
    ("top_cards", 56, "the combination on the table"),
    ("given", 56, "cards given: 3 * giver + 1 to LEFT, + 2 to PARTNER, + 3 to RIGHT"),
    ("seat", 4, "who decides"),
    (
        "public",
        OBSERVATION_SIZE - _PUBLIC,
        "an observation of seat 0 from `counts` on, with all calls and who is asked",
    ),
)
STATE_LENGTH: Final = sum(size for _, size, _ in STATE_FIELDS)


def write_state(state: Round, picks: tuple[int, ...], score: tuple[int, int]) -> NDArray[np.uint8]:
    """Everything there is to know about a round."""
    whole = np.zeros(STATE_LENGTH, np.uint8)
    for seat in range(4):
        _write_set(state.hands[seat], 56 * seat, whole)
        _write_set(state.later[seat], 224 + 56 * seat, whole)
        for distance, card in enumerate(state.given[seat], start=1):
            whole[504 + card] = 3 * seat + distance
    if state.top is not None:
        _write_set(state.top.cards, 448, whole)
    for distance, card in enumerate(picks, start=1):
        whole[504 + card] = 3 * state.pending[0] + distance
    if state.pending:
        whole[560 + state.pending[0]] = 1
    # Seen from seat 0, but with nothing hidden.
    view = state.view(0)._replace(
        phase=state.phase, pending=state.pending, actor=state.actor, calls=state.calls, score=score
    )
    observation = np.zeros(OBSERVATION_SIZE, np.uint8)
    write_observation(view, observation)
    whole[564:] = observation[_PUBLIC:]
    return whole


def _write_set(cards: Cards, first: int, into: NDArray[np.uint8]) -> None:
    for card in cards_of(cards):
        into[first + card] = 1
