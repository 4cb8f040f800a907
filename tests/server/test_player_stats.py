"""What a player's games add up to."""

from tichu.server.http.player_stats import player_stats, winner_of
from tichu.server.log import FinishedGame, GameSummary

_HEAD = '{"ttn": 1}\n'
_ROUND = '{"round": 0, "actions": ["1+T", "1:2s3s4s5s6s7s8s9sTsJsQsKsAsDr"]}\n'


def _game(score: tuple[int, int], players: tuple[str, ...], *, casual: bool = False) -> FinishedGame:
    summary = GameSummary("g", "t", 0.0, "standard", ("a", "b", "c", "d"), players, score, casual)
    return FinishedGame(summary, _HEAD + _ROUND)


def test_points_are_counted_from_the_own_side_of_the_table() -> None:
    even, odd = ("me", "", "", ""), ("", "me", "", "")
    counted = player_stats("me", [_game((300, 100), even), _game((-50, 250), odd)])
    assert (counted.rounds, counted.won, counted.points) == (2, 2, (550, 50))
    assert (counted.first_out, counted.tichu.called, counted.tichu.made) == (1, 1, 1)


def test_neither_casual_games_nor_those_of_others_count() -> None:
    games = [_game((300, 0), ("me", "", "", ""), casual=True), _game((300, 0), ("you", "", "", ""))]
    counted = player_stats("me", games)
    assert (counted.games, counted.rounds, counted.points) == (0, 0, (0, 0))


def test_after_two_ties_the_first_player_out_has_won() -> None:
    tie = _game((200, 200), ("me", "you", "", ""))
    assert winner_of(tie) == 1
    assert (player_stats("me", [tie]).won, player_stats("you", [tie]).won) == (0, 1)
