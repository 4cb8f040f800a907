"""Games of one seat each in Python: the definition of what the C++ ones do, and the way to play against any bot.

Bots keep what they have seen in a :class:`~tichu.core.game.Game`.  Those that take batches, as networks do, are asked
for all games at once.
"""

from collections.abc import Generator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tichu.agents import make_agent
from tichu.agents.base import Agent, BatchAgent, Question
from tichu.agents.batching import run_batched
from tichu.core.actions import Action, Exchange
from tichu.core.cards import Card
from tichu.core.game import Game
from tichu.core.view import View
from tichu.encoding import (
    ACTION_COUNT,
    MASK_SIZE,
    OBSERVATION_SIZE,
    decode,
    decode_pick,
    legal_numbers,
    pack_mask,
    write_observation,
)
from tichu.encoding.numbering import PICKING, PLAYING
from tichu.envs.critic import pack_secret
from tichu.envs.tables import ILLEGAL, Settings
from tichu.kernel.chance import Chance, random_decision
from tichu.kernel.packing import pack, unpack

__all__ = ["PythonSeats"]


class PythonSeats:
    """Games in pure Python, with any bots: see :class:`tichu.envs.seats.Seats`.

    A bot that is named is made for each game when that gets a seed, from the seed and its seat, so that no game depends
    on another.  Programs and bots from files, which may be dear, play in all games and are made with the first.
    ``random`` draws as the native core does, from the generator that has dealt the round.
    """

    def __init__(
        self,
        games: int,
        of: Settings,
        seat: int,
        bots: Mapping[int, str | Agent],
        *,
        deals_anew: bool,
        packs: bool = False,
    ) -> None:
        self._of, self._seat, self._bots = of, seat, dict(bots)
        self._deals_anew, self._packs = deals_anew, packs
        self.observations = np.zeros((games, OBSERVATION_SIZE), np.uint8)
        self.final_observations = np.zeros((games, OBSERVATION_SIZE), np.uint8)
        self.masks = np.zeros((games, 0 if packs else ACTION_COUNT), np.int8)
        self.packed_masks = np.zeros((games, MASK_SIZE if packs else 0), np.uint8)
        self.rewards = np.zeros(games, np.float32)
        self.terminated, self.truncated, self.illegal = np.zeros((3, games), np.uint8)
        self.scores = np.zeros((games, 2), np.int16)
        self.rounds = np.zeros(games, np.uint32)
        #: By game and seat; who is not there is the one of game 0.
        self._agents: dict[tuple[int, int], Agent] = {}
        self._seeds = list(range(games))
        self._deals = [0] * games
        self._chances = [Chance(game) for game in range(games)]
        self._draws = [Chance(game + 1) for game in range(games)]
        self._games: list[Game | None] = [None] * games
        self._picks: list[tuple[Card, ...]] = [()] * games
        self._legal: list[list[int]] = [[]] * games

    def __len__(self) -> int:
        return len(self.rewards)

    def state(self, game: int) -> bytes:
        """The round of one game, packed."""
        return pack(self._current(game).round)

    def totals(self, game: int) -> tuple[int, int]:
        """Of the match so far, by team."""
        return self._current(game).match.score if self._of.reward == "match" else (0, 0)

    def secrets(self) -> bytes:
        """All of every game, for critics."""
        return b"".join(
            pack_secret(self._current(game).round, self._picks[game], self.totals(game)) for game in range(len(self))
        )

    def seed(self, game: int, seed: int) -> None:
        """The next episode of the game has the first deal of the seed."""
        self._seeds[game] = seed
        self._deals[game] = 0
        self._draws[game] = Chance(seed + 1)
        for seat, bot in self._bots.items():
            if bot == "random" or (game and not _is_light(bot)):
                continue
            self._close(game, seat)
            self._agents[game, seat] = make_agent(bot, seed=4 * seed + seat) if isinstance(bot, str) else bot

    def close(self) -> None:
        """Let the bots go that were made here."""
        for game, seat in list(self._agents):
            self._close(game, seat)

    def _close(self, game: int, seat: int) -> None:
        agent = self._agents.pop((game, seat), None)
        if agent is not None and isinstance(self._bots[seat], str):
            agent.close()

    def begin(self, game: int) -> None:
        """A new episode with the next deal."""
        self._forget_end(game)
        run_batched([self._begin(game)], _act_together)

    def begin_all(self) -> None:
        """The same in every game."""
        for game in range(len(self)):
            self._forget_end(game)
        run_batched([self._begin(game) for game in range(len(self))], _act_together)

    def begin_at(self, game: int, state: bytes) -> None:
        """A new episode that begins in a state; it counts as a deal."""
        self._forget_end(game)
        self._next_chance(game)
        self._games[game] = Game.from_round(unpack(state))
        run_batched([self._go_on(game)], _act_together)

    def first_illegal(self, actions: NDArray[np.int64]) -> int:
        """The first game whose action is not in its mask; their number if there is none."""
        self._check(actions)
        wrong = (game for game, action in enumerate(actions.tolist()) if action not in self._legal[game])
        return next(wrong, len(self))

    def step(self, actions: NDArray[np.int64]) -> None:
        """An action in every game; one outside the mask ends its episode, lost."""
        self._check(actions)
        run_batched([self._step(game, action) for game, action in enumerate(actions.tolist())], _act_together)

    def step_one(self, game: int, action: int) -> bool:
        """An action in one game; answers whether the episode is over."""
        run_batched([self._step(game, action)], _act_together)
        return bool(self.terminated[game] or self.truncated[game])

    def sample(self, into: NDArray[np.int64]) -> None:
        """Draw an action for every game, all of its mask equally likely."""
        for game, legal in enumerate(self._legal):
            into[game] = legal[self._draws[game].below(len(legal))] if legal else -1

    def _check(self, actions: NDArray[np.int64]) -> None:
        if len(actions) != len(self):
            raise ValueError("one action a game")

    def _current(self, game: int) -> Game:
        one = self._games[game]
        assert one is not None
        return one

    def _forget_end(self, game: int) -> None:
        self.rewards[game] = self.terminated[game] = self.truncated[game] = self.illegal[game] = 0

    def _next_chance(self, game: int) -> Chance:
        self._chances[game] = Chance(self._seeds[game], 0, self._deals[game])
        self._deals[game] += 1
        self._picks[game] = ()
        return self._chances[game]

    def _deal(self, game: int, before: Game | None) -> Game:
        deal = self._next_chance(game).deal()
        return Game.start(deal, self._of.rules) if before is None else before.next_round(deal)

    def _step(self, game: int, action: int) -> Generator[Question, Any, None]:
        self._forget_end(game)
        if action not in self._legal[game]:
            self.illegal[game] = 1
            self._end(game, _End(ILLEGAL[self._of.reward]))
        else:
            self._decide(game, action)
            yield from self._go_on(game)
        if self._deals_anew and (self.terminated[game] or self.truncated[game]):
            yield from self._begin(game)

    def _begin(self, game: int) -> Generator[Question, Any, None]:
        """Deal until the seat is asked: a round can pass by without a choice."""
        while True:
            self._games[game] = self._deal(game, None)
            if (yield from self._until_asked(game)) is None:
                break
        self._show(game)

    def _go_on(self, game: int) -> Generator[Question, Any, None]:
        end = yield from self._until_asked(game)
        if end is not None:
            self._end(game, end)
        self._show(game)

    def _end(self, game: int, end: "_End") -> None:
        self._legal[game] = []
        self.rewards[game], self.truncated[game], self.terminated[game] = (
            end.reward,
            end.is_truncated,
            not end.is_truncated,
        )
        if end.rounds:
            self.scores[game], self.rounds[game] = end.score, end.rounds
        self._observe(game, self.final_observations[game])
        self._show(game)

    def _decide(self, game: int, number: int) -> None:
        one, picks = self._current(game), self._picks[game]
        view = one.view(self._seat)
        action: Action
        if PICKING <= number < PLAYING:
            picks = (*picks, decode_pick(number, view, picks))
            self._picks[game] = picks if len(picks) < 3 else ()
            if len(picks) < 3:
                return
            left, partner, right = picks
            action = Exchange(left, partner, right)
        else:
            action = decode(number, view)
        self._games[game] = one.after(self._seat, action)

    def _until_asked(self, game: int) -> Generator[Question, Any, "_End | None"]:
        """Let the others decide until the seat has a choice, or the episode is over."""
        while True:
            one = self._current(game)
            if one.round.is_over:
                end = self._end_of(one)
                if end is not None:
                    return end
                self._games[game] = self._deal(game, one)
                continue
            seat = one.round.pending[0]
            view = one.view(seat)
            if seat != self._seat:
                self._games[game] = one.after(seat, (yield from self._bot_action(game, seat, view)))
                continue
            self._legal[game] = sorted(legal_numbers(view, self._picks[game]))
            if not self._of.takes_forced or len(self._legal[game]) != 1:
                return None
            self._decide(game, self._legal[game][0])

    def _bot_action(self, game: int, seat: int, view: View) -> Generator[Question, Any, Action]:
        legal = view.legal()
        if self._bots[seat] == "random":
            return random_decision(legal, self._chances[game])
        agent = self._agents.get((game, seat)) or self._agents[0, seat]
        if agent.takes_batches and len(self) > 1:
            action: Action = yield Question(agent, view, legal)
            return action
        return agent.act(view, legal)

    def _end_of(self, one: Game) -> "_End | None":
        """What a round that is over brings, or None if the match goes on."""
        own, other = one.round.outcome.score[:: 1 if self._seat % 2 == 0 else -1]
        rounds, winner = len(one.match.outcomes), one.match.winner
        match self._of.reward:
            case "points":
                return _End(own, (own, other), rounds)
            case "difference":
                return _End(own - other, (own, other), rounds)
            case "match" if winner is not None:
                return _End(1 if winner == self._seat & 1 else -1, (own, other), rounds)
            case "match":
                return None if rounds < self._of.max_rounds else _End(0, (own, other), rounds, is_truncated=True)

    def _observe(self, game: int, into: NDArray[np.uint8]) -> None:
        view = self._current(game).view(self._seat)
        if self._of.reward != "match":
            view = view._replace(score=(0, 0))
        write_observation(view, into, self._picks[game])

    def _show(self, game: int) -> None:
        self._observe(game, self.observations[game])
        mask = np.zeros(ACTION_COUNT, np.int8)
        mask[self._legal[game]] = 1
        if self._packs:
            self.packed_masks[game] = pack_mask(mask)
        else:
            self.masks[game] = mask


class _End(NamedTuple):
    """How an episode ended; without rounds, by an action outside the mask."""

    reward: float
    score: tuple[int, int] = (0, 0)
    rounds: int = 0
    is_truncated: bool = False


def _is_light(bot: str | Agent) -> bool:
    """Whether it is one of those that have a name, which share what is large in them."""
    return isinstance(bot, str) and not bot.startswith("process:") and ".py" not in bot


def _act_together(questions: Sequence[Question]) -> list[Action]:
    """The decisions of bots that take batches, those of each kind together."""
    actions: dict[int, Action] = {}
    by_method: dict[Any, list[int]] = {}
    for place, question in enumerate(questions):
        agent = question.agent
        assert isinstance(agent, BatchAgent)
        by_method.setdefault(agent.act_batch, []).append(place)
    for act_batch, places in by_method.items():
        actions.update(zip(places, act_batch([questions[place] for place in places]), strict=True))
    return [actions[place] for place in range(len(questions))]
