"""Games played in rank-level decisions: what every environment here stands on.

:func:`tables` makes them, in C++ where ``tichu_native`` is installed, else in Python; both deal the same cards for the
same seed and write the same bytes.  A game asks the lowest pending seat; an exchange is asked as three picks.
"""

from typing import TYPE_CHECKING, Final, Literal, Protocol, get_args

import numpy as np
from numpy.typing import NDArray

from tichu.core.actions import Exchange
from tichu.core.cards import Card
from tichu.core.errors import GameError
from tichu.core.match import Match
from tichu.core.round import Round
from tichu.core.rules import PRESETS, Rules
from tichu.encoding import (
    ACTION_COUNT,
    MASK_SIZE,
    OBSERVATION_SIZE,
    VERSION,
    decode,
    decode_pick,
    legal_numbers,
    write_mask,
    write_observation,
)
from tichu.encoding.numbering import PICKING, PLAYING
from tichu.envs.arguments import MOST_ROUNDS, check_counts, check_flag
from tichu.envs.critic import pack_secret
from tichu.kernel import KERNEL
from tichu.kernel.chance import Chance
from tichu.kernel.packing import pack, pack_goal, pack_rules
from tichu.kernel.python import apply_automatic

if TYPE_CHECKING:
    from tichu.core.view import View

__all__ = [
    "ILLEGAL",
    "MAX_ROUNDS",
    "REWARDS",
    "PythonTables",
    "Reward",
    "Settings",
    "Tables",
    "native_tables_are_there",
    "settings",
    "tables",
]

#: Points of the seat's team; those minus the other team's; or 1 and -1 for a match won and lost.
Reward = Literal["points", "difference", "match"]

#: The same in order: the native core has numbers for them.
REWARDS: Final = get_args(Reward)

#: What an action outside the mask brings to its seat where that ends the episode.
ILLEGAL: Final = {"points": -200.0, "difference": -200.0, "match": -1.0}

#: After how many rounds a match is truncated: players who lose their calls may never reach the goal.
MAX_ROUNDS: Final = 100


class Settings:
    """What the games of an environment have in common."""

    def __init__(self, rules: Rules, reward: Reward, takes_forced: bool, max_rounds: int) -> None:
        #: The rules as they are played: ``bombs=anytime`` in its sequential form (§7.2).
        self.rules = rules.sequential()
        self.reward: Reward = reward
        #: Whether the table takes decisions that leave no choice.
        self.takes_forced = takes_forced
        #: After how many rounds a match that nobody has won is truncated.
        self.max_rounds = max_rounds


def settings(
    rules: Rules | str = "standard",
    reward: Reward = "points",
    forced: bool | None = None,
    max_rounds: int = MAX_ROUNDS,
) -> Settings:
    """What an environment is made with, checked.

    ``forced`` says whether seats are asked where there is only one action; if not said they are, except under the
    preset ``simple``, which asks for plays alone.
    """
    given = Rules.parse(rules) if isinstance(rules, str) else rules
    if not isinstance(given, Rules):
        raise GameError(f"rules are a text as 'standard', or Rules, not {rules!r}")
    if reward not in REWARDS:
        raise GameError(f"no reward {reward!r}; there are {', '.join(REWARDS)}")
    check_counts(max_rounds=max_rounds)
    takes_forced = given == PRESETS["simple"] if forced is None else not check_flag("forced", forced)
    return Settings(given, reward, takes_forced, min(int(max_rounds), MOST_ROUNDS))


class Tables(Protocol):
    """Games that are stepped together; arrays have a row a game and are overwritten by every step."""

    def __len__(self) -> int: ...
    @property
    def observations(self) -> NDArray[np.uint8]:
        """What the seat that is to decide sees."""

    @property
    def final_observations(self) -> NDArray[np.uint8]:
        """What the seat that acted last sees, where the last step ended an episode."""

    @property
    def masks(self) -> NDArray[np.uint8]:
        """What may be done, packed."""

    @property
    def rewards(self) -> NDArray[np.float32]:
        """Of the last step, by seat."""

    @property
    def scores(self) -> NDArray[np.int16]:
        """Of the round that ended last, by team."""

    @property
    def totals(self) -> NDArray[np.int32]:
        """Of the match so far, by team; zero where episodes are rounds."""

    @property
    def seats(self) -> NDArray[np.int8]:
        """Who is to decide, -1 at the end."""

    @property
    def done(self) -> NDArray[np.uint8]:
        """Whether the last step ended an episode."""

    @property
    def truncated(self) -> NDArray[np.uint8]:
        """Whether it ended an episode that nobody has won, after the last round that a match may have."""

    def seat(self, game: int) -> int:
        """Who is to decide in one game."""

    def state(self, game: int) -> bytes:
        """The round of one game, packed (``docs/native.md``)."""

    def picks(self, game: int) -> list[int]:
        """The cards picked in an exchange that is not complete."""

    def secrets(self) -> bytes:
        """All of every game, for :func:`tichu.envs.critic.write_states`."""

    def reset(self, seed: int) -> None:
        """All games at the first deal of the seed."""

    def begin(self, game: int) -> None:
        """A new episode of one game, with the next deal of its seed."""

    def step(self, actions: NDArray[np.int64]) -> None:
        """Take an action in every game; -1 leaves a game alone."""

    def step_one(self, game: int, action: int) -> None:
        """Take an action in one game."""

    def sample(self, into: NDArray[np.int64]) -> None:
        """Draw an action for every game, all of its mask equally likely."""

    def observe(self, game: int, seat: int, observation: NDArray[np.uint8], mask: NDArray[np.int8]) -> None:
        """What any seat sees, and what it may do if it is to decide; one byte an action."""


def native_tables_are_there() -> bool:
    """Whether games are played in C++; ``TICHU_KERNEL=python`` keeps them in Python."""
    if KERNEL == "python":
        return False
    import tichu_native

    return getattr(tichu_native, "ENCODING_VERSION", 0) == VERSION


def tables(games: int, of: Settings, seed: int = 0, *, deals_anew: bool, threads: int = 1, first: int = 0) -> Tables:
    """Make games, in C++ if that is installed.

    :raises GameError: their number or that of threads is not a number from 1 on
    """
    check_counts(games=games, threads=threads)
    if not native_tables_are_there():
        return PythonTables(games, of, seed, deals_anew=deals_anew, first=first)
    import tichu_native

    return tichu_native.Tables(
        games,
        pack_rules(of.rules),
        pack_goal(of.rules.goal),
        seed,
        REWARDS.index(of.reward),
        of.takes_forced,
        deals_anew,
        threads,
        first,
        of.max_rounds,
    )


class PythonTables:
    """Games in pure Python: the definition of what the C++ ones do."""

    def __init__(self, games: int, of: Settings, seed: int = 0, *, deals_anew: bool, first: int = 0) -> None:
        if games < 1:
            raise GameError("there is one game at least")
        self._of, self._deals_anew, self._first = of, deals_anew, first
        self.observations = np.zeros((games, OBSERVATION_SIZE), np.uint8)
        self.final_observations = np.zeros((games, OBSERVATION_SIZE), np.uint8)
        self.masks = np.zeros((games, MASK_SIZE), np.uint8)
        self.rewards = np.zeros((games, 4), np.float32)
        self.scores = np.zeros((games, 2), np.int16)
        self.totals = np.zeros((games, 2), np.int32)
        self.seats = np.zeros(games, np.int8)
        self.done = np.zeros(games, np.uint8)
        self.truncated = np.zeros(games, np.uint8)
        self._legal: list[list[int]] = [[]] * games
        self._picks: list[tuple[Card, ...]] = [()] * games
        self._matches = [Match(of.rules)] * games
        self.reset(seed)

    def __len__(self) -> int:
        return len(self.seats)

    def reset(self, seed: int) -> None:
        """All games at the first deal of the seed."""
        self._seed = seed
        self._deals = [0] * len(self)
        self._chances = [Chance(seed + 1, self._first + game) for game in range(len(self))]
        self._rounds = [self._deal(game) for game in range(len(self))]
        self._deals = [0] * len(self)
        for game in range(len(self)):
            self.begin(game)

    def begin(self, game: int) -> None:
        """A new episode of one game, with the next deal of its seed."""
        self._forget_end(game)
        self.scores[game] = 0
        self._new_match(game)
        self._rounds[game] = self._deal(game)
        self._settle(game)
        self._show(game)

    def seat(self, game: int) -> int:
        """Who is to decide in one game."""
        pending = self._rounds[game].pending
        return pending[0] if pending else -1

    def state(self, game: int) -> bytes:
        """The round of one game, packed."""
        return pack(self._rounds[game])

    def picks(self, game: int) -> list[int]:
        """The cards picked in an exchange that is not complete."""
        return list(self._picks[game])

    def secrets(self) -> bytes:
        """All of every game, for critics."""
        return b"".join(
            pack_secret(self._rounds[game], self._picks[game], tuple(self.totals[game].tolist()))
            for game in range(len(self))
        )

    def step(self, actions: NDArray[np.int64]) -> None:
        """Take an action in every game; -1 leaves a game alone."""
        if len(actions) != len(self):
            raise ValueError("one action a game")
        for game, action in enumerate(actions.tolist()):
            if action != -1:
                self._check(game, action)
        for game, action in enumerate(actions.tolist()):
            if action == -1:
                self._forget_end(game)
            else:
                self.step_one(game, action)

    def step_one(self, game: int, action: int) -> None:
        """Take an action in one game."""
        self._check(game, action)
        actor = self.seat(game)
        self._forget_end(game)
        self._decide(game, action)
        self._settle(game)
        if self._rounds[game].is_over:
            self._finish(game, actor)
            self._settle(game)
        self._show(game)

    def sample(self, into: NDArray[np.int64]) -> None:
        """Draw an action for every game, all of its mask equally likely."""
        for game, legal in enumerate(self._legal):
            into[game] = legal[self._chances[game].below(len(legal))] if legal else -1

    def observe(self, game: int, seat: int, observation: NDArray[np.uint8], mask: NDArray[np.int8]) -> None:
        """What any seat sees, and what it may do if it is to decide; one byte an action."""
        if not 0 <= seat < 4 or observation.shape != (OBSERVATION_SIZE,) or mask.shape != (ACTION_COUNT,):
            raise ValueError("no such seat, or arrays of another size")
        deciding = seat == self.seat(game)
        view, picks = self._view(game, seat), self._picks[game] if deciding else ()
        write_observation(view, observation, picks)
        if deciding:
            write_mask(view, mask, picks)
        else:
            mask[:] = 0

    def _check(self, game: int, action: int) -> None:
        if action not in self._legal[game]:
            raise ValueError(f"game {game} has no action {action} now")

    def _deal(self, game: int) -> Round:
        chance = Chance(self._seed, self._first + game, self._deals[game])
        self._deals[game] += 1
        self._picks[game] = ()
        return apply_automatic(Round.start(chance.deal(), self._of.rules))

    def _view(self, game: int, seat: int) -> "View":
        own, other = self.totals[game].tolist()[:: 1 if seat % 2 == 0 else -1]
        return self._rounds[game].view(seat)._replace(score=(own, other))

    def _decide(self, game: int, action: int) -> None:
        state, seat, picks = self._rounds[game], self.seat(game), self._picks[game]
        if PICKING <= action < PLAYING:
            picks = (*picks, decode_pick(action, state.view(seat), picks))
            self._picks[game] = picks if len(picks) < 3 else ()
            if len(picks) < 3:
                return
            left, partner, right = picks
            state = state.after_unchecked(seat, Exchange(left, partner, right))
        else:
            state = state.after_unchecked(seat, decode(action, state.view(seat)))
        self._rounds[game] = apply_automatic(state)

    def _settle(self, game: int) -> None:
        while not self._rounds[game].is_over:
            seat = self.seat(game)
            legal = sorted(legal_numbers(self._rounds[game].view(seat), self._picks[game]))
            self._legal[game] = legal
            if not self._of.takes_forced or len(legal) != 1:
                return
            self._decide(game, legal[0])
        self._legal[game] = []

    def _forget_end(self, game: int) -> None:
        self.done[game] = self.truncated[game] = 0
        self.rewards[game] = 0

    def _new_match(self, game: int) -> None:
        self._matches[game] = Match(self._of.rules)
        self.totals[game] = 0

    def _finish(self, game: int, actor: int) -> None:
        outcome = self._rounds[game].outcome
        self.scores[game] = outcome.score
        winner = None
        if self._of.reward == "match":
            match = self._matches[game] = self._matches[game].after(outcome)
            self.totals[game] = match.score
            winner = match.winner
            if winner is None and len(match.outcomes) < self._of.max_rounds:
                self._rounds[game] = self._deal(game)
                return
            self.truncated[game] = winner is None
        self.done[game] = 1
        for seat in range(4):
            self.rewards[game, seat] = self._reward(seat & 1, outcome.score, winner)
        write_observation(self._view(game, actor), self.final_observations[game])
        if self._deals_anew:
            self._new_match(game)
            self._rounds[game] = self._deal(game)

    def _reward(self, team: int, score: tuple[int, int], winner: int | None) -> int:
        match self._of.reward:
            case "points":
                return score[team]
            case "difference":
                return score[team] - score[1 - team]
            case "match":
                return 0 if winner is None else 1 if winner == team else -1

    def _show(self, game: int) -> None:
        seat = self.seat(game)
        self.seats[game] = seat
        mask = np.zeros(8 * MASK_SIZE, np.uint8)
        mask[self._legal[game]] = 1
        self.masks[game] = np.packbits(mask, bitorder="little")
        if seat >= 0:
            write_observation(self._view(game, seat), self.observations[game], self._picks[game])
