"""Gymnasium: one seat, with bots at the others.

>>> table = TichuEnv(opponents="greedy", partner="greedy", rules="simple")
>>> observation, info = table.reset(seed=1)
>>> observation["observation"].shape
(363,)
"""

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from tichu.agents import make_agent
from tichu.agents.base import Agent
from tichu.core.actions import Action, Exchange
from tichu.core.cards import Card
from tichu.core.deals import Deal
from tichu.core.errors import GameError
from tichu.core.game import Game
from tichu.core.phases import partner_of
from tichu.core.position import format_view
from tichu.core.round import Round
from tichu.core.rules import Rules
from tichu.encoding import (
    ACTION_COUNT,
    OBSERVATION_SIZE,
    decode,
    decode_pick,
    legal_numbers,
    write_observation,
)
from tichu.encoding.numbering import PICKING, PLAYING
from tichu.envs.illegal import Illegal, IllegalActions, check_illegal
from tichu.envs.spaces import action_space, observation_space
from tichu.envs.tables import ILLEGAL, MAX_ROUNDS, Reward, settings
from tichu.envs.text import RENDER_MODES, check_render_mode, show_table
from tichu.kernel.chance import Chance

__all__ = ["TichuEnv"]

Observation = dict[str, NDArray[Any]]


class TichuEnv(gymnasium.Env[Observation, int]):
    """A round, or with ``reward="match"`` a match, of one seat.

    The others are bots by name, as on the command line, or agents.  An action outside the mask ends the episode, lost:
    ``info["illegal"]`` says so, and the first one warns; with ``illegal="raise"`` it is a ValueError and changes
    nothing.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012 - Gymnasium's form

    def __init__(
        self,
        opponents: str | Agent = "greedy",
        partner: str | Agent = "greedy",
        rules: Rules | str = "standard",
        *,
        seat: int = 0,
        reward: Reward = "points",
        forced: bool | None = None,
        max_rounds: int = MAX_ROUNDS,
        illegal: Illegal = "end",
        render_mode: str | None = None,
    ) -> None:
        if seat not in range(4):
            raise GameError(f"a seat is 0, 1, 2 or 3, not {seat!r}")
        for bot in (opponents, partner):
            if not isinstance(bot, str | Agent):
                raise GameError(f"a bot is a name as 'greedy', or an Agent, not {bot!r}")
        self._illegal = check_illegal(illegal)
        self.settings = settings(rules, reward, forced, max_rounds)
        self.seat = seat
        self.render_mode = check_render_mode(render_mode)
        self.observation_space: gymnasium.spaces.Space[Any] = observation_space()
        self.action_space: gymnasium.spaces.Space[Any] = action_space()
        self._bots = {(seat + 1) & 3: opponents, partner_of(seat): partner, (seat + 3) & 3: opponents}
        self._agents: dict[int, Agent] = {}
        self._seed: int | None = None
        self._deals = 0
        self._game: Game | None = None
        self._picks: tuple[Card, ...] = ()
        self._legal: set[int] = set()
        self._illegal_actions = IllegalActions()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal: the first cards of the seed, or without one the next cards of the last seed.

        ``options={"position": "..."}`` begins in a position instead (``docs/notation.md``).

        :raises GameError: the position cannot be read, or this seat has nothing to decide in it
        """
        super().reset(seed=seed)
        if seed is not None or self._seed is None:
            self._seed = int(self.np_random.integers(2**32)) if seed is None else seed
            self._deals = 0
            self._seat_bots(self._seed)
        position = _position(options)
        if position is None:
            self._game = Game.start(self._deal(), self.settings.rules)
        else:
            self._picks = ()
            self._game = Game.from_round(Round.from_position(position, self.settings.rules))
        self._ask()
        if not self._legal:
            raise GameError(f"seat {self.seat} has nothing to decide in this position")
        self._show()
        return self._observation(), {}

    def action_masks(self) -> NDArray[np.bool_]:
        """What may be done now, in the form that MaskablePPO asks for."""
        mask = np.zeros(ACTION_COUNT, np.bool_)
        mask[list(self._legal)] = True
        return mask

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Decide for this seat; then everybody else decides until it is asked again.

        :raises ResetNeeded: nothing is dealt yet
        :raises ValueError: the action is not in the mask, with ``illegal="raise"``
        """
        game = self._current
        if int(action) not in self._legal:
            if self._illegal == "raise":
                raise ValueError(f"action {int(action)} is not in the mask")
            self._illegal_actions.add(1, int(action))
            self._legal = set()
            return self._observation(), ILLEGAL[self.settings.reward], True, False, {"illegal": True}
        self._take(int(action))
        self._ask()
        self._show()
        game = self._current
        if not game.round.is_over:
            return self._observation(), 0.0, False, False, {}
        own, other = game.round.outcome.score[:: 1 if self.seat % 2 == 0 else -1]
        info = {"score": (own, other), "rounds": len(game.match.outcomes)}
        is_truncated = self.settings.reward == "match" and game.match.winner is None
        reward = 0.0 if is_truncated else self._reward(own, other)
        return self._observation(), reward, not is_truncated, is_truncated, info

    def render(self) -> str | None:
        """The position as the seat sees it, with ``ansi``; ``human`` prints the table after every step by itself."""
        return format_view(self._current.view(self.seat)) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Let the bots go."""
        for agent in self._agents.values():
            agent.close()
        self._agents = {}

    def _show(self) -> None:
        if self.render_mode == "human":
            show_table(self._current.view(self.seat))

    @property
    def _current(self) -> Game:
        if self._game is None:
            raise gymnasium.error.ResetNeeded("reset() comes first")
        return self._game

    def _seat_bots(self, seed: int) -> None:
        self.close()
        self._agents = {
            seat: make_agent(bot, seed=4 * seed + seat) if isinstance(bot, str) else bot
            for seat, bot in self._bots.items()
        }

    def _deal(self) -> Deal:
        assert self._seed is not None
        self._deals += 1
        self._picks = ()
        return Chance(self._seed, 0, self._deals - 1).deal()

    def _reward(self, own: int, other: int) -> float:
        if self.settings.reward == "match":
            return 1.0 if self._current.match.winner == self.seat & 1 else -1.0
        return float(own if self.settings.reward == "points" else own - other)

    def _ask(self) -> None:
        """Let the others decide until this seat has a choice or the episode is over."""
        while True:
            game = self._current
            if game.round.is_over:
                self._legal = set()
                if not self._has_next_round(game):
                    return
                self._game = game.next_round(self._deal())
                continue
            seat = game.round.pending[0]
            view = game.view(seat)
            if seat != self.seat:
                self._game = game.after(seat, self._agents[seat].act(view, view.legal()))
                continue
            self._legal = legal_numbers(view, self._picks)
            if not self.settings.takes_forced or len(self._legal) > 1:
                return
            self._take(next(iter(self._legal)))

    def _has_next_round(self, game: Game) -> bool:
        is_open = self.settings.reward == "match" and game.match.winner is None
        return is_open and len(game.match.outcomes) < self.settings.max_rounds

    def _take(self, number: int) -> None:
        game = self._current
        view = game.view(self.seat)
        action: Action
        if PICKING <= number < PLAYING:
            self._picks = (*self._picks, decode_pick(number, view, self._picks))
            if len(self._picks) < 3:
                return
            left, partner, right = self._picks
            action = Exchange(left, partner, right)
            self._picks = ()
        else:
            action = decode(number, view)
        self._game = game.after(self.seat, action)

    def _observation(self) -> Observation:
        observation = np.zeros(OBSERVATION_SIZE, np.uint8)
        mask = np.zeros(ACTION_COUNT, np.int8)
        score = (0, 0)
        view = self._current.view(self.seat)
        if self.settings.reward == "match":
            score = view.score
        write_observation(view._replace(score=score), observation, self._picks)
        mask[list(self._legal)] = 1
        return {"observation": observation, "action_mask": mask}


def _position(options: dict[str, Any] | None) -> str | None:
    """The only option there is.

    :raises GameError: there is another one
    """
    if unknown := [name for name in options or {} if name != "position"]:
        raise GameError(f"no option {unknown[0]!r} for reset; there is position")
    return None if not options else str(options["position"])
