"""Rounds played on from many states at once, by a learned bot at all four seats.

Every seat decides on its own view of the state at hand.  The native core plays all of them, with the bot's own
network; without it, or where a network is to be computed by numpy, the bot itself is asked, much more slowly.  Either
way the decisions are the bot's.
"""

from collections.abc import Callable, Generator, Iterable, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tichu.agents.base import Question
from tichu.agents.batching import run_batched
from tichu.agents.learned.agent import LearnedAgent
from tichu.agents.learned.features import add_counts, encode_row
from tichu.agents.learned.mirror import mirror_account, mirror_action, mirror_round, mirror_view
from tichu.agents.learned.network import Network, champion, small
from tichu.analysis.critic import critic
from tichu.core.actions import Action, Exchange, Pass
from tichu.core.cards import DRAGON, PHOENIX
from tichu.core.combos import Combo, Kind
from tichu.core.errors import GameError
from tichu.core.phases import Phase
from tichu.core.round import Round
from tichu.core.view import View
from tichu.encoding import legal_numbers
from tichu.encoding.suits import arrange, suit_order
from tichu.kernel import KERNEL, pack, pack_action
from tichu.kernel.python import apply_automatic

__all__ = ["POLICIES", "Ends", "Start", "is_native", "play_on", "policy", "public_part"]

Account = tuple[tuple[int, Action], ...]

#: Who can play rounds on, by name.
POLICIES: Final[dict[str, Callable[[], Network]]] = {"learned": champion, "small": small}
#: How many rounds are played side by side: enough for fast matrices, few enough to stay in the cache.
_ROUNDS: Final = 1024
_PASSED_KINDS: Final = 6
#: Points of both teams, who was first, which team doubled, who played the Dragon, bombs of both teams.
_OUTCOME_SIZE: Final = 7
_FIRST: Final = 2
_DRAGON: Final = 4


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

    # An older core is like none.
    return hasattr(tichu_native, "Critic")


def policy(name: str) -> Network:
    """The network that plays rounds on.

    :raises GameError: there is none of this name
    """
    if name not in POLICIES:
        raise GameError(f"no network {name!r} plays rounds on; there are {', '.join(POLICIES)}")
    return POLICIES[name]()


def public_part(account: Iterable[tuple[int, Action]]) -> Account:
    """The plays and passes of an account."""
    return tuple((seat, action) for seat, action in account if isinstance(action, (Combo, Pass)))


class Ends(NamedTuple):
    """What came of rounds, a row each."""

    #: The difference of the scores, team 0+2 less team 1+3: as it was, or as the critic expects it.
    points: NDArray[np.float32]
    #: A row of numbers in the order of the properties below; the scores are 0 where a round was cut short.
    outcomes: NDArray[np.int16]

    @property
    def scores(self) -> NDArray[np.int16]:
        """The points of both teams."""
        return self.outcomes[:, :2]

    @property
    def first(self) -> NDArray[np.int16]:
        """Who went out first, -1 where the round was cut short."""
        return self.outcomes[:, 2]

    @property
    def double(self) -> NDArray[np.int16]:
        """Which team has won a double victory, -1 without one."""
        return self.outcomes[:, 3]

    @property
    def dragon(self) -> NDArray[np.int16]:
        """Who played the Dragon, -1 if nobody has."""
        return self.outcomes[:, 4]

    @property
    def bombs(self) -> NDArray[np.int16]:
        """How many bombs each team has thrown."""
        return self.outcomes[:, 5:7]

    @property
    def is_over(self) -> NDArray[np.bool_]:
        """Whether a round was played to its end."""
        return self.first >= 0


def play_on(starts: Sequence[Start], network: Network | None = None, decisions: int | None = None) -> Ends:
    """What comes of each start; after so many decisions with a choice the critic says what to expect."""
    chosen = champion() if network is None else network
    play = _play_natively if is_native() and chosen.native is not None else _play_in_python
    parts = [play(starts[at : at + _ROUNDS], chosen, decisions) for at in range(0, len(starts), _ROUNDS)]
    if not parts:
        return Ends(np.zeros(0, np.float32), np.zeros((0, _OUTCOME_SIZE), np.int16))
    return Ends(np.concatenate([part.points for part in parts]), np.concatenate([part.outcomes for part in parts]))


def _play_natively(starts: Sequence[Start], network: Network, decisions: int | None) -> Ends:
    import tichu_native

    assert network.native is not None
    games = tichu_native.Rollouts(network.native)
    mirrored = [_counterclockwise(start) for start in starts]
    for state, account, seat, action, score in mirrored:
        games.add(pack(state), _memory(account), seat, 0 if action is None else pack_action(action), score)
    games.play(-1 if decisions is None else decisions)
    outcomes, points = np.empty((len(starts), _OUTCOME_SIZE), np.int16), np.empty(len(starts), np.float32)
    games.write_outcomes(outcomes)
    games.write_points(critic().native, points)
    # Seats of clockwise rounds are counted the other way round; teams are the same.
    is_mirrored = np.array([start.state.rules.direction != "ccw" for start in starts])
    for column in (_FIRST, _DRAGON):
        known = is_mirrored & (outcomes[:, column] >= 0)
        outcomes[known, column] = -outcomes[known, column] & 3
    return Ends(points, outcomes)


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


def _play_in_python(starts: Sequence[Start], network: Network, decisions: int | None) -> Ends:
    played = run_batched([_coroutine(start, network, decisions) for start in starts], LearnedAgent.act_batch)
    points = [difference for difference, _ in played]
    return Ends(np.array(points, np.float32), np.array([outcome for _, outcome in played], np.int16))


def _coroutine(
    start: Start, network: Network, decisions: int | None = None
) -> Generator[Question, Any, tuple[float, tuple[int, ...]]]:
    """A round played on by the bot itself: the difference of the scores, and a row of outcomes."""
    agent = LearnedAgent(network=network)
    state, account = start.state, start.account
    done: list[tuple[int, Action]] = []
    if start.action is not None:
        state = state.after(start.seat, start.action)
        done.append((start.seat, start.action))
    state = apply_automatic(state)
    left = -1 if decisions is None else decisions
    while not state.is_over:
        seat = state.pending[0]
        score = start.score if seat % 2 == 0 else start.score[::-1]
        view = state.view(seat)._replace(history=(*account, *public_part(done)), score=score)
        is_choice = len(legal_numbers(view)) > 1
        if is_choice and decisions is not None and left <= 0:
            return _expected(state, view), _outcome(done, state)
        action = yield Question(agent, view, view.legal())
        left -= 3 if isinstance(action, Exchange) else is_choice
        state = apply_automatic(state.after_unchecked(seat, action))
        done.append((seat, action))
    outcome = _outcome(done, state)
    return outcome[0] - outcome[1], outcome


def _outcome(done: Sequence[tuple[int, Action]], state: Round) -> tuple[int, ...]:
    dragon, bombs = -1, [0, 0]
    for seat, action in done:
        if isinstance(action, Combo):
            dragon = seat if action.cards == 1 << DRAGON else dragon
            bombs[seat % 2] += action.is_bomb
    if not state.is_over:
        return (0, 0, -1, -1, dragon, *bombs)
    first, second = state.out[:2]
    return (*state.outcome.score, first, first % 2 if first % 2 == second % 2 else -1, dragon, *bombs)


def _expected(state: Round, view: View) -> float:
    """What the critic expects of a round."""
    seen = view if view.rules.direction == "ccw" else mirror_view(view)
    whole = state if view.rules.direction == "ccw" else mirror_round(state)
    order = suit_order(seen)
    hands = [whole.hands[(seen.seat + distance) & 3] for distance in range(4)]
    if whole.phase is Phase.GRAND:
        hands = [hand | whole.later[(seen.seat + distance) & 3] for distance, hand in enumerate(hands)]
    for giver, cards in enumerate(whole.given if whole.phase is Phase.EXCHANGE else ()):
        for distance, card in enumerate(cards, start=1):
            hands[(giver - seen.seat) & 3] &= ~(1 << card)
            hands[(giver + distance - seen.seat) & 3] |= 1 << card
    packed = b"".join(arrange(hand, order).to_bytes(7, "little") for hand in hands)
    row = add_counts(encode_row(seen)[None])
    points = float(critic().points(row, np.frombuffer(packed, np.uint8)[None])[0])
    return points if seen.seat % 2 == 0 else -points
