"""Duplicate deals: the same cards are played twice with the teams swapped, so that luck cancels.

A deal has two legs: in the second, each team gets the cards that the other had in the first.  In a run of matches the
legs are whole matches over the same sequence of deals, and ``number`` is that of the sequence.

Bots are made anew for every leg, from a seed that says where it stands in the run: a deal comes out the same whoever
plays it, in whatever order.  Two things go beyond a deal: programs are kept running for the few deals of a chunk, for
their start may cost more than a round, and where bots take batches, the legs of a chunk are played at the same time.
Which deals make a chunk is fixed, so the same is true for them.
"""

import sys
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import closing, redirect_stdout
from typing import Any, Final, NamedTuple

from tichu.agents.base import Agent, Question
from tichu.agents.batching import run_batched
from tichu.agents.guard import Guarded
from tichu.agents.process import ProcessAgent
from tichu.agents.registry import make_agent
from tichu.arena.records import leg_record
from tichu.arena.rounds import act_singly, round_coroutine
from tichu.arena.seeds import deal_of, seed_of
from tichu.arena.setup import Setup, players_at, side_of
from tichu.arena.statistics import Stopwatch, Tally, counts_of_round
from tichu.core.actions import Action
from tichu.core.errors import GameError
from tichu.core.game import Game
from tichu.core.legal import Legal
from tichu.core.match import Match
from tichu.core.record import Record, format_record
from tichu.core.scoring import Outcome
from tichu.core.view import View

__all__ = ["Chunk", "Leg", "PlayedDeal", "PlayedGame", "chunks", "play_chunk", "play_chunk_once"]

_DEALS_WITH_PROGRAMS: Final = 8
# Enough for a network to gain most of what it can, and done within a second or, with matches, a few.
_DEALS_WITH_BATCHES: Final = 16
_MATCHES_WITH_BATCHES: Final = 8
# Bots whose calls all fail could lose points for ever; a match that is this long has no winner.
_MOST_ROUNDS: Final = 200


class Leg(NamedTuple):
    """A round, or the rounds of a match, told as if A sat at 0 and 2."""

    rounds: tuple[Outcome, ...]
    #: As TTN, if records are kept.
    record: str = ""

    @property
    def points(self) -> int:
        """A minus B."""
        return sum(outcome.score[0] - outcome.score[1] for outcome in self.rounds)


class PlayedDeal(NamedTuple):
    """A deal, played twice."""

    number: int
    legs: tuple[Leg, Leg]
    #: Per team, and there per kind of bot.
    tallies: tuple[tuple[Tally, ...], tuple[Tally, ...]]

    @property
    def points(self) -> int:
        """A minus B, in all rounds."""
        return self.legs[0].points + self.legs[1].points

    @property
    def rounds(self) -> int:
        """How many rounds were played."""
        return len(self.legs[0].rounds) + len(self.legs[1].rounds)


class PlayedGame(NamedTuple):
    """A deal, or the rounds of a match, played once."""

    number: int
    record: Record
    #: By kind, of all four bots.
    faults: Counter[str]


class Chunk(NamedTuple):
    """Deals that a worker is given at once."""

    setup: Setup
    numbers: range
    keep_records: bool = False


def chunks(setup: Setup, deals: int) -> list[range]:
    """The numbers of the deals, cut into chunks."""
    size = 1
    if setup.in_batches:
        size = _MATCHES_WITH_BATCHES if setup.matches else _DEALS_WITH_BATCHES
    elif not setup.matches and any(player.startswith("process:") for team in setup.teams for player in team.players):
        size = _DEALS_WITH_PROGRAMS
    return [range(start, min(start + size, deals)) for start in range(0, deals, size)]


def play_chunk(chunk: Chunk) -> list[PlayedDeal]:
    """Play the deals of a chunk."""
    # What bots print must not get between the lines of a report.
    with redirect_stdout(sys.stderr), closing(_Table(chunk.setup)) as table:
        return table.play(chunk.numbers, chunk.keep_records)


def play_chunk_once(chunk: Chunk) -> list[PlayedGame]:
    """Play the deals of a chunk for their records, without the second leg."""
    with redirect_stdout(sys.stderr), closing(_Table(chunk.setup)) as table:
        return table.play_once(chunk.numbers)


class _PlayedLeg(NamedTuple):
    """The rounds of a leg and who played them."""

    games: list[Game]
    agents: list[Guarded]
    watches: list[Stopwatch]


class _Table:
    """Where a chunk is played, with the programs that run there."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._programs: dict[tuple[int, int], ProcessAgent] = {}

    def close(self) -> None:
        for program in self._programs.values():
            program.close()

    def play(self, numbers: range, keep_records: bool) -> list[PlayedDeal]:
        ends = self._run([self._leg(number, leg) for number in numbers for leg in range(2)])
        pairs = zip(ends[::2], ends[1::2], strict=True)
        return [self._deal(number, pair, keep_records) for number, pair in zip(numbers, pairs, strict=True)]

    def play_once(self, numbers: range) -> list[PlayedGame]:
        ends = self._run([self._leg(number, 0) for number in numbers])
        played = []
        for number, end in zip(numbers, ends, strict=True):
            faults = _sum([agent.faults for agent in end.agents])
            played.append(PlayedGame(number, leg_record(self._setup, number, 0, end.games, "tichu selfplay"), faults))
        return played

    def _run(self, legs: Sequence[Generator[Question, Any, _PlayedLeg]]) -> list[_PlayedLeg]:
        if self._setup.in_batches:
            return run_batched(legs, Guarded.act_batch)
        return [end for leg in legs for end in run_batched([leg], act_singly)]

    def _leg(self, number: int, leg: int) -> Generator[Question, Any, _PlayedLeg]:
        watches = [Stopwatch() for _ in range(4)]
        agents = [self._make_guarded(number, leg, seat, watches[seat]) for seat in range(4)]
        try:
            games = yield from self._games(agents, number)
        finally:
            for guarded in agents:
                if not isinstance(guarded.agent, ProcessAgent):
                    guarded.close()
        return _PlayedLeg(games, agents, watches)

    def _games(self, agents: Sequence[Guarded], number: int) -> Generator[Question, Any, list[Game]]:
        """One round, or as many as a match takes."""
        games: list[Game] = []
        match = Match(self._setup.rules)
        while match.winner is None and len(games) < _MOST_ROUNDS:
            game = yield from round_coroutine(agents, deal_of(self._setup.seed, number, len(games)), match=match)
            games.append(game)
            score = game.round.outcome.score
            for seat, agent in enumerate(agents):
                agent.round_over(game.view(seat), score if seat % 2 == 0 else score[::-1])
            if not self._setup.matches:
                break
            match = game.match
        return games

    def _deal(self, number: int, played: Sequence[_PlayedLeg], keep_records: bool) -> PlayedDeal:
        tallies = [{kind: Tally() for kind in team.kinds} for team in self._setup.teams]
        legs = []
        for leg, end in enumerate(played):
            self._count(leg, end, tallies)
            rounds = tuple(_from_side_a(game.round.outcome, leg) for game in end.games)
            record = format_record(leg_record(self._setup, number, leg, end.games)) if keep_records else ""
            legs.append(Leg(rounds, record))
        first, second = (tuple(of_kind.values()) for of_kind in tallies)
        return PlayedDeal(number, (legs[0], legs[1]), (first, second))

    def _count(self, leg: int, end: _PlayedLeg, tallies: Sequence[dict[str, Tally]]) -> None:
        players = players_at(self._setup, leg)
        for seat, counts in enumerate(map(_sum, zip(*map(counts_of_round, end.games), strict=True))):
            tally = tallies[side_of(seat, leg)][players[seat]]
            tally.counts.update(counts)
            tally.counts.update(end.agents[seat].faults)
            tally.times.update(end.watches[seat].times)
            for fault in end.agents[seat].examples[:1]:
                tally.first_fault = tally.first_fault or f"{fault.kind}: {fault.reason}"

    def _make_guarded(self, number: int, leg: int, seat: int, watch: Stopwatch) -> Guarded:
        chair = side_of(seat, leg), seat // 2
        agent: Agent | None = self._programs.get(chair)
        if agent is None:
            try:
                agent = make_agent(players_at(self._setup, leg)[seat], _agent_seed(self._setup, number, leg, seat))
            except GameError as error:
                agent = _Absent(str(error))
            if isinstance(agent, ProcessAgent):
                self._programs[chair] = agent
        guarded = Guarded(agent, self._setup.decision_ms)
        guarded.on_time = watch.add
        return guarded


class _Absent(Agent):
    """Sits for a bot that could not be made: the run goes on, and the report tells of the decisions it lost."""

    name = "absent"

    def __init__(self, why: str) -> None:
        super().__init__()
        self._why = why

    def act(self, view: View, legal: Legal) -> Action:
        raise GameError(self._why)


def _agent_seed(setup: Setup, number: int, leg: int, seat: int) -> int:
    return seed_of("agent", setup.seed, number, leg, seat)


def _sum(counts: Sequence[Counter[str]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for one in counts:
        total.update(one)
    return total


def _from_side_a(outcome: Outcome, leg: int) -> Outcome:
    if leg == 0:
        return outcome
    return Outcome(outcome.points[::-1], outcome.bonus[::-1], tuple(seat ^ 1 for seat in outcome.out))
