"""Four bots play a round, by itself or as one of many whose decisions are taken in batches.

As one of many a round is a coroutine: it yields the questions to bots that take batches and is sent their actions.  All
other bots it asks itself, so that it waits only where there is a gain.
"""

from collections.abc import Generator, Sequence
from typing import Any

from tichu.agents.base import Agent, Question
from tichu.agents.batching import run_batched
from tichu.core.actions import Action
from tichu.core.deals import Deal
from tichu.core.game import Game
from tichu.core.match import Match
from tichu.core.rules import STANDARD, Rules

__all__ = ["act_singly", "play_round", "round_coroutine"]


def play_round(agents: Sequence[Agent], deal: Deal, rules: Rules = STANDARD, match: Match | None = None) -> Game:
    """Play a deal to its end, under ``rules`` or as the next round of ``match``, which has its own.

    ``bombs=anytime`` is played in its sequential form, ``bombs=ordered`` (§7.2): whoever can bomb is asked.

    >>> from random import Random
    >>> from tichu import shuffled_deal
    >>> from tichu.agents import GreedyAgent
    >>> game = play_round([GreedyAgent() for _ in range(4)], shuffled_deal(Random(1)))
    >>> game.match
    <Match under standard bombs=ordered: ... after 1 round>
    """
    [game] = run_batched([round_coroutine(agents, deal, rules, match)], act_singly)
    return game


def round_coroutine(
    agents: Sequence[Agent], deal: Deal, rules: Rules = STANDARD, match: Match | None = None
) -> Generator[Question, Any, Game]:
    """As :func:`play_round`, but questions to bots that take batches are yielded."""
    before = Match(rules) if match is None else match
    # Pending seats are asked one by one; under bombs=anytime nobody would be asked out of turn.
    game = Game.start(deal, match=before._replace(rules=before.rules.sequential()))
    waits = [agent.takes_batches for agent in agents]
    while not game.round.is_over:
        seat = game.round.pending[0]
        view = game.view(seat)
        agent, legal = agents[seat], view.legal()
        game = game.after(seat, (yield Question(agent, view, legal)) if waits[seat] else agent.act(view, legal))
    return game


def act_singly(questions: Sequence[Question]) -> list[Action]:
    """The decisions of any bots, each asked by itself."""
    return [agent.act(view, legal) for agent, view, legal in questions]
