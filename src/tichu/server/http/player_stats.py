"""How a player did in finished games, counted from their records without replaying them."""

import json
from collections.abc import Iterable, Sequence
from typing import Final

from tichu.server.log import FinishedGame
from tichu.server.wire.requests import CallRate, Results

__all__ = ["player_stats", "winner_of"]

_HAND: Final = 14


class _Count:
    def __init__(self) -> None:
        self.games = self.won = self.rounds = self.first_out = self.double_victories = 0
        self.points = (0, 0)
        self.called = {"T": 0, "G": 0}
        self.made = {"T": 0, "G": 0}

    def add(self, game: FinishedGame, seat: int) -> None:
        self.games += 1
        self.won += winner_of(game) == seat & 1
        score = game.summary.score
        self.points = (self.points[0] + score[seat & 1], self.points[1] + score[~seat & 1])
        for actions in _rounds(game):
            self._add_round(actions, seat)

    def _add_round(self, actions: Sequence[str], seat: int) -> None:
        """``0+G`` and ``0+T`` are calls."""
        out = _order_out(actions)
        call = next((action[2:] for action in reversed(actions) if action.startswith(f"{seat}+")), None)
        self.rounds += 1
        is_first = out[:1] == [seat]
        self.first_out += is_first
        self.double_victories += set(out[:2]) == {seat, seat ^ 2}
        if call is not None:
            self.called[call] += 1
            self.made[call] += is_first


def _rounds(game: FinishedGame) -> Iterable[list[str]]:
    for line in game.record.splitlines()[1:]:
        yield json.loads(line)["actions"]


def _order_out(actions: Iterable[str]) -> list[int]:
    """``0:7s7b`` is a play of as many cards as there are pairs of signs."""
    played = [0, 0, 0, 0]
    out: list[int] = []
    for action in actions:
        actor, sign, rest = int(action[0]), action[1], action[2:]
        if sign == ":" and rest != "-":
            played[actor] += len(rest) // 2
            if played[actor] == _HAND:
                out.append(actor)
    return out


def winner_of(game: FinishedGame) -> int:
    """The team that has won; §9.2: after an extra round that is a tie too, its first player out decides."""
    ours, theirs = game.summary.score
    if ours != theirs:
        return int(theirs > ours)
    *_, last = _rounds(game)
    return _order_out(last)[0] & 1


def player_stats(player: str, games: Iterable[FinishedGame]) -> Results:
    """The player's share in these games; casual ones do not count."""
    count = _Count()
    for game in games:
        if not game.summary.casual and player in game.summary.players:
            count.add(game, game.summary.players.index(player))
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
