from tests.analysis.test_reviews import decision
from tichu.analysis.players import player_sheets
from tichu.analysis.reviews import RoundReview

ANNA = ("Anna", "Ben", "Cem", "Dora")


def review(file: str, number: int, lost: float, score: tuple[int, int]) -> RoundReview:
    decisions = (decision(lost, seat=0), decision(-4, seat=0, kind="wish"), decision(50, seat=1))
    return RoundReview(file, number, 1, decisions, players=ANNA, score=score)


def test_a_sheet_adds_up_what_one_player_lost() -> None:
    reviews = [
        review("a", 0, 10, (100, 0)),
        review("a", 1, 30, (0, 100)),
        review("b", 0, 20, (300, 0)),
        review("c", 0, 60, (0, 0)),
        RoundReview("d", 0, 1, error="illegal", players=ANNA),
    ]
    sheets = player_sheets(reviews)
    assert list(sheets) == sorted(ANNA)
    anna = sheets["Anna"]
    assert (anna.games, anna.rounds) == (3, 4)
    assert anna.lost.lost_per_round == 26
    assert (anna.by_kind["lead"].lost_per_round, anna.by_kind["wish"].lost_per_round) == (30, -4)
    assert anna.score.lost_per_round == 75
    assert sheets["Ben"].score.lost_per_round == -75
    assert sheets["Cem"].lost.lost_per_round == 0
    assert anna.games_for_lost is not None
    assert anna.games_for_score is not None
    assert anna.games_for_lost < anna.games_for_score


def test_a_round_that_was_broken_off_has_no_score() -> None:
    unfinished = RoundReview("b", 0, 1, (decision(10, seat=0),), players=ANNA)
    anna = player_sheets([review("a", 0, 10, (100, 0)), unfinished])["Anna"]
    assert (anna.rounds, anna.lost.lost_per_round, anna.score.lost_per_round) == (2, 8, 100)
    assert player_sheets([unfinished])["Anna"].score.lost_per_round == 0


def test_one_game_does_not_say_how_many_are_needed() -> None:
    [anna, *_] = player_sheets([review("a", 0, 10, (100, 0)), review("a", 1, 10, (100, 0))]).values()
    assert anna.games_for_lost is None


def test_without_names_there_are_no_sheets() -> None:
    assert player_sheets([RoundReview("a", 0, 1, (decision(3),))]) == {}
    for word in ("Seat ", "p"):
        unknown = tuple(f"{word}{seat}" for seat in range(4))
        assert player_sheets([RoundReview("a", 0, 1, (decision(3),), players=unknown)]) == {}


def test_a_deal_that_nobody_has_played_is_no_round() -> None:
    empty = RoundReview("a", 1, 1, players=ANNA)
    assert player_sheets([review("a", 0, 10, (100, 0)), empty])["Anna"].rounds == 1
