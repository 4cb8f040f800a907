"""Rounds played on from many states at once, by the learned bot at all four seats.

Every seat decides on its own view of the state at hand.  In the native core the games, the first layer of the network
and its last are computed there and the layers in between by numpy, for all rounds that wait for a decision; without it
the bot itself is asked, much more slowly.  The bot's decisions are the same, but for the last bit of a score.
"""

from collections.abc import Generator, Iterable, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tichu.agents.base import Question
from tichu.agents.batching import run_batched
from tichu.agents.learned.agent import LearnedAgent
from tichu.agents.learned.features import PLACES, THRESHOLDS
from tichu.agents.learned.mirror import mirror_account, mirror_action, mirror_round
from tichu.agents.learned.network import Network, champion
from tichu.core.actions import Action, Pass
from tichu.core.cards import PHOENIX
from tichu.core.combos import Combo, Kind
from tichu.core.round import Round
from tichu.kernel import KERNEL, pack, pack_action
from tichu.kernel.python import apply_automatic

__all__ = ["Start", "is_native", "play_on", "public_part"]

Account = tuple[tuple[int, Action], ...]

#: How many rounds are played side by side: enough for fast matrices, few enough to stay in the cache.
_ROUNDS: Final = 1024
_PASSED_KINDS: Final = 6


class Start(NamedTuple):
    """Where a round is played on from."""

    #: In the sequential form of the rules.
    state: Round
    #: What everybody has seen happen so far: plays and passes.
    account: Account
    seat: int
    #: What the seat does first; None if the round goes on as it stands.
    action: Action | None
    #: The match before the round, by team.
    score: tuple[int, int] = (0, 0)


def is_native() -> bool:
    """Whether rounds are played on in C++."""
    if KERNEL == "python":
        return False
    import tichu_native

    return hasattr(tichu_native, "Rollouts")


def public_part(account: Iterable[tuple[int, Action]]) -> Account:
    """The plays and passes of an account."""
    return tuple((seat, action) for seat, action in account if isinstance(action, (Combo, Pass)))


def play_on(starts: Sequence[Start], network: Network | None = None) -> NDArray[np.int16]:
    """The difference of the scores, team 0+2 less team 1+3, that comes of each start."""
    chosen = champion() if network is None else network
    if not is_native():
        return np.array(run_batched([_coroutine(start, chosen) for start in starts], LearnedAgent.act_batch), np.int16)
    parts = [_play_on(starts[at : at + _ROUNDS], chosen) for at in range(0, len(starts), _ROUNDS)]
    return np.concatenate(parts) if parts else np.zeros(0, np.int16)


def _play_on(starts: Sequence[Start], network: Network) -> NDArray[np.int16]:
    import tichu_native

    entry, head = network.entry, network.head
    games = tichu_native.Rollouts(entry.weight, entry.bias, head.weight, head.bias, PLACES, THRESHOLDS)
    for start in starts:
        state, account, seat, action, score = _counterclockwise(start)
        games.add(pack(state), _memory(account), seat, 0 if action is None else pack_action(action), score)
    rows = np.empty((len(starts), len(entry.bias)), np.float32)
    while games.active:
        hidden = rows[: games.active]
        games.enter(hidden)
        games.choose(_run_blocks(network, hidden))
    differences = np.empty(len(starts), np.int16)
    games.write_differences(differences)
    return differences


def _run_blocks(network: Network, hidden: NDArray[np.float32]) -> NDArray[np.float32]:
    """As the network does it by itself, in matrices of any height."""
    for one, two in network.blocks:
        inner = _normalise(hidden) @ one.weight
        inner += one.bias
        np.maximum(inner, 0, out=inner)
        hidden += inner @ two.weight
        hidden += two.bias
    return _normalise(hidden)


def _normalise(hidden: NDArray[np.float32]) -> NDArray[np.float32]:
    centred: NDArray[np.float32] = hidden - hidden.mean(-1, keepdims=True)
    squares = np.einsum("ij,ij->i", centred, centred)
    centred *= (1 / np.sqrt(squares / np.float32(hidden.shape[1]) + np.float32(1e-5)))[:, None]
    return centred


def _counterclockwise(start: Start) -> Start:
    """The network has played counterclockwise only."""
    if start.state.rules.direction == "ccw":
        return start
    action = None if start.action is None else mirror_action(start.action)
    seat = -start.seat & 3
    return start._replace(
        state=mirror_round(start.state), account=mirror_account(start.account), seat=seat, action=action
    )


@lru_cache(maxsize=64)
def _memory(account: Account) -> bytes:
    """What all seats remember, as ``native/include/tichu/memory.hpp`` keeps it."""
    played = np.zeros(4, "<u8")
    passed = np.zeros((4, _PASSED_KINDS), np.uint8)
    top: Combo | None = None
    owner = -1
    for seat, action in account:
        if isinstance(action, Combo):
            played[seat] |= np.uint64(action.cards)
            top, owner = action, seat
        elif top is not None and (seat ^ owner) & 1 and _tells(top):
            kind = min(top.kind, Kind.STAIRS) - 1
            passed[seat, kind] = max(int(passed[seat, kind]), 16 - top.rank)
    return played.tobytes() + passed.tobytes()


def _tells(top: Combo) -> bool:
    return Kind.DOG < top.kind < Kind.FOUR and top.cards != 1 << PHOENIX


def _coroutine(start: Start, network: Network) -> Generator[Question, Any, int]:
    """A round played on by the bot itself."""
    agent = LearnedAgent(network=network)
    state, account = start.state, start.account
    if start.action is not None:
        state = state.after(start.seat, start.action)
        account = (*account, *public_part([(start.seat, start.action)]))
    state = apply_automatic(state)
    while not state.is_over:
        seat = state.pending[0]
        score = start.score if seat % 2 == 0 else start.score[::-1]
        view = state.view(seat)._replace(history=account, score=score)
        action = yield Question(agent, view, view.legal())
        state = apply_automatic(state.after_unchecked(seat, action))
        account = (*account, *public_part([(seat, action)]))
    one, two = state.outcome.score
    return one - two
