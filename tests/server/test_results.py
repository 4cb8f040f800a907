"""What a player's games add up to."""

from random import Random

from tests.server.test_restart import Sensible
from tichu.core.record import format_jsonl, read_jsonl, replay
from tichu.server.log import FinishedGame, GameSummary
from tichu.server.results import count_game, winner_of
from tichu.server.wire.settings import Settings

_HEAD = '{"ttn": 1}\n'
_ROUND = '{"round": 0, "actions": ["1+T", "1:2s3s4s5s6s7s8s9sTsJsQsKsAsDr"]}\n'


def _game(score: tuple[int, int], *, casual: bool = False) -> FinishedGame:
    players = ("me", "you", "", "")
    summary = GameSummary("g", "t", 0.0, "standard", ("a", "b", "c", "d"), players, score, casual)
    return FinishedGame(summary, _HEAD + _ROUND)


def test_points_are_counted_from_the_own_side_of_the_table() -> None:
    counted = count_game(_game((300, 100)))
    mine, yours = counted.results[:2]
    assert (mine.rounds, mine.won, mine.points, mine.against) == (1, 1, 300, 100)
    assert (yours.won, yours.points, yours.against) == (0, 100, 300)
    assert (mine.first_out, mine.tichu_called) == (0, 0)
    assert (yours.first_out, yours.tichu_called, yours.tichu_made, yours.grand_called) == (1, 1, 1, 0)
    assert counted.summary.winner == 0


def test_after_two_ties_the_first_player_out_has_won() -> None:
    tie = _game((200, 200))
    assert winner_of(tie) == 1
    counted = count_game(tie)
    assert counted.summary.winner == 1
    assert [seat.won for seat in counted.results] == [0, 1, 0, 1]


def test_what_is_counted_when_a_game_ends_is_what_its_record_says() -> None:
    calls = 0
    for seed in range(3):
        club = Sensible(Settings(pace=0.1, rules="standard goal=target:500", casual=False), seed=seed)
        club.seat_people(0, 1, 2, 3)
        club.start()
        club.play(Random(seed), stop=lambda club=club: bool(club.games))  # type: ignore[misc]
        (game,) = club.games
        assert len(game.results) == 4
        assert count_game(game._replace(summary=game.summary._replace(winner=None), results=())) == game
        calls += sum(seat.tichu_called + seat.grand_called for seat in game.results)
    assert calls


def test_the_record_is_one_that_can_be_read_and_replayed() -> None:
    club = Sensible(Settings(pace=0.1, rules="standard goal=target:200"), seed=4)
    club.seat_people(0, 1, 2, 3)
    club.start()
    club.play(Random(4), stop=lambda: bool(club.games))
    record = read_jsonl(club.games[0].record).record()
    assert [one.score for one in record.rounds] == [
        list(replay(one, record.rules))[-1].outcome.score for one in record.rounds
    ]
    assert read_jsonl(format_jsonl(record)).record() == record
    assert dict(record.tags).keys() >= {"Date", "Bots", "Seed", "Nonces"}
