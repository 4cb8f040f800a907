"""How a player did in kept games, counted from their records without replaying them."""

import json
from collections.abc import Iterable

from tichu.server.log import FinishedGame
from tichu.server.wire.requests import CallRate, Results

__all__ = ["player_stats"]

_HAND = 14


class _Count:
    def __init__(self) -> None:
        self.games = self.won = self.rounds = self.first_out = self.double_victories = 0
        self.points = (0, 0)
        self.called = {"T": 0, "G": 0}
        self.made = {"T": 0, "G": 0}

    def add(self, game: FinishedGame, seat: int) -> None:
        self.games += 1
        own, other = game.score[seat & 1], game.score[~seat & 1]
        self.won += own > other
        self.points = (self.points[0] + own, self.points[1] + other)
        for line in game.record.splitlines()[1:]:
            self._add_round(json.loads(line)["actions"], seat)

    def _add_round(self, actions: Iterable[str], seat: int) -> None:
        """``0+G`` and ``0+T`` are calls, ``0:7s7b`` is a play of as many cards as there are pairs of signs."""
        played = [0, 0, 0, 0]
        out: list[int] = []
        call = None
        for action in actions:
            actor, sign, rest = int(action[0]), action[1], action[2:]
            if sign == "+" and actor == seat:
                call = rest
            elif sign == ":" and rest != "-":
                played[actor] += len(rest) // 2
                if played[actor] == _HAND:
                    out.append(actor)
        self.rounds += 1
        is_first = out[:1] == [seat]
        self.first_out += is_first
        self.double_victories += set(out[:2]) == {seat, seat ^ 2}
        if call is not None:
            self.called[call] += 1
            self.made[call] += is_first


def player_stats(player: str, games: Iterable[FinishedGame]) -> Results:
    """The player's share in these games; casual ones do not count."""
    count = _Count()
    for game in games:
        if not game.casual and player in game.players:
            count.add(game, game.players.index(player))
    return Results(
        games=count.games,
        won=count.won,
        rounds=count.rounds,
        points=count.points,
        first_out=count.first_out,
        double_victories=count.double_victories,
        tichu=CallRate(called=count.called["T"], made=count.made["T"]),
        grand=CallRate(called=count.called["G"], made=count.made["G"]),
    )
