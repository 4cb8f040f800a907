"""Rounds to look through, and their decisions that the heuristic bot seems to get wrong."""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from tichu.agents.batching import run_batched
from tichu.agents.heuristic import HeuristicAgent
from tichu.agents.learned.agent import LearnedAgent
from tichu.analysis.decisions import Decision, decisions_of, sequential_view
from tichu.analysis.puzzles import Origin, Theme, is_same
from tichu.arena.rounds import round_coroutine
from tichu.core.actions import NO_WISH, Action, CallGrand, CallTichu, Exchange, Pass
from tichu.core.combos import Combo
from tichu.core.deals import shuffled_deal
from tichu.core.errors import GameError
from tichu.core.phases import Phase
from tichu.core.record import RoundRecord
from tichu.core.rules import Rules
from tichu.core.view import View
from tichu.formats.sources import find_files, game_texts
from tools.puzzles.exchanges import likely_exchanges

__all__ = ["Case", "PlayedRound", "cases_of", "people", "play"]

_GAMES: Final = Path(__file__).parents[2] / "tests" / "games"
#: What the bot gives less is not sensible; but some others are looked at in any case.
_LEAST_CHANCE: Final = 0.02
_FEWEST_CANDIDATES: Final = 5
#: So many cards in all four hands are an endgame.
_ENDGAME: Final = 20


class _CarelessAgent(LearnedAgent):
    """Makes a mistake now and then."""

    name = "careless"
    temperature = 4.5


class PlayedRound(NamedTuple):
    """A round and where it is from."""

    kind: Origin
    name: str
    record: RoundRecord
    rules: Rules
    score: tuple[int, int]


class Case(NamedTuple):
    """A decision that may be a puzzle."""

    origin: PlayedRound
    decision: Decision
    theme: Theme
    #: What the heuristic bot does comes first.
    candidates: tuple[Action, ...]
    #: How much the learned bot prefers something else.
    preference: float

    @property
    def is_scarce(self) -> bool:
        """Whether what is missed is not what the heuristic bot does too much of: it bombs too soon, and calls late."""
        missed = self.candidates[0]
        if self.theme == "bomb":
            return not (isinstance(missed, Combo) and missed.is_bomb)
        return self.theme != "call" or isinstance(missed, (CallGrand, CallTichu))


@cache
def people() -> list[PlayedRound]:
    """The rounds of people, those of one game far apart."""
    found = []
    for path in find_files([_GAMES]):
        for game in game_texts(path):
            reading = game.read()
            score = (0, 0)
            for number, one in enumerate(reading.rounds):
                if isinstance(one, RoundRecord):
                    found.append(PlayedRound("people", f"game {path.stem}, round {number}", one, reading.rules, score))
                    if one.score is not None:
                        score = score[0] + one.score[0], score[1] + one.score[1]
    Random(0).shuffle(found)
    return found


def play(seed: int, first: int, number: int) -> list[PlayedRound]:
    """Rounds between bots; half of them make mistakes, so that there is more to see."""
    rules = Rules.parse("standard").sequential()
    names = range(first, first + number)
    seeds = [f"{seed} {place}" for place in names]
    deals = [shuffled_deal(Random(each)) for each in seeds]
    kinds = [LearnedAgent if place % 2 else _CarelessAgent for place in names]
    agents = [[kind(4 * place + seat) for seat in range(4)] for kind, place in zip(kinds, names, strict=True)]
    games = run_batched(
        [round_coroutine(four, deal, rules) for four, deal in zip(agents, deals, strict=True)], LearnedAgent.act_batch
    )
    return [
        PlayedRound("bots", f"{four[0].name} bots, seed {each}", RoundRecord(game.deal, game.actions), rules, (0, 0))
        for four, each, game in zip(agents, seeds, games, strict=True)
    ]


def cases_of(origin: PlayedRound) -> Iterator[Case]:
    """Decisions of a round that the heuristic bot seems to get wrong."""
    try:
        decisions = list(decisions_of(origin.record, origin.rules, origin.score))
    except GameError:
        return
    views = [sequential_view(decision.view) for decision in decisions]
    heuristic = HeuristicAgent(0)
    for decision, view, ranked in zip(decisions, views, LearnedAgent().rank_batch(views), strict=True):
        missed = heuristic.act(view, view.legal())
        known = (
            likely_exchanges(view, _LEAST_CHANCE, _FEWEST_CANDIDATES) if isinstance(ranked[0][0], Exchange) else ranked
        )
        case = _case(origin, decision, view, missed, known)
        if case is not None:
            yield case


def _case(
    origin: PlayedRound, decision: Decision, view: View, missed: Action, ranked: Sequence[tuple[Action, float]]
) -> Case | None:
    choice = ranked[0][0]
    theme = _theme(view, missed, choice)
    given = next((chance for action, chance in ranked if is_same(action, missed, view)), 0.0)
    if theme == "call":
        calls = [isinstance(each, (CallGrand, CallTichu)) for each in (missed, choice)]
        if calls[0] == calls[1]:
            return None
        # How sure the bot is about the call, whatever else it would do.
        return Case(origin, decision, theme, (missed, choice), 1 - 2 * given if calls[0] else 2 * ranked[0][1] - 1)
    others = [
        action
        for place, (action, chance) in enumerate(ranked)
        if place < _FEWEST_CANDIDATES or chance >= _LEAST_CHANCE or isinstance(action, Pass) or action == NO_WISH
    ]
    candidates = [missed]
    for action in others:
        if not any(is_same(action, other, view) for other in candidates):
            candidates.append(action)
    if len(candidates) == 1:
        return None
    return Case(origin, decision, theme, tuple(candidates), ranked[0][1] - given)


def _theme(view: View, missed: Action, choice: Action) -> Theme:
    if view.phase is Phase.GRAND or isinstance(missed, CallTichu) or isinstance(choice, CallTichu):
        return "call"
    match view.phase:
        case Phase.EXCHANGE:
            return "exchange"
        case Phase.WISH:
            return "wish"
        case Phase.TAKE:
            return "gift"
        case Phase.BOMB:
            return "bomb"
    if any(isinstance(each, Combo) and each.is_bomb for each in (missed, choice)):
        return "bomb"
    if sum(view.counts) <= _ENDGAME:
        return "endgame"
    return "lead" if view.top is None else "follow"
