"""A game in progress: matches from deal to deal, the table's own decisions, and what each seat has seen."""

from random import Random

import pytest

from tests.table import SUITED_DEAL, play
from tichu import (
    Game,
    GameError,
    IllegalAction,
    Match,
    Outcome,
    Phase,
    Reason,
    Round,
    Rules,
    format_action,
    parse_action,
    parse_deal,
    shuffled_deal,
)
from tichu.core.actions import DECLINE_GRAND

DEAL = parse_deal(SUITED_DEAL)


def played(game: Game, actions: str) -> Game:
    for action in actions.split():
        game = game.after(*parse_action(action))
    return game


def seen(game: Game, seat: int) -> str:
    return " ".join(format_action(*event) for event in game.view(seat).history)


def told(game: Game) -> str:
    return " ".join(format_action(*action) for action in game.actions)


def played_out(game: Game, rng: Random) -> Game:
    """Play at random, but call nothing: nobody would ever reach a goal."""
    while not game.round.is_over:
        seat = rng.choice(game.round.pending)
        is_grand = game.round.phase is Phase.GRAND
        game = game.after(seat, DECLINE_GRAND if is_grand else game.view(seat).legal().draw(rng))
    return game


def test_a_game_starts_with_a_match_at_zero() -> None:
    game = Game.start(DEAL)
    assert game.match == Match(Rules())
    assert game.round.phase is Phase.GRAND
    assert game.actions == ()
    assert [game.view(seat).history for seat in range(4)] == [()] * 4


@pytest.mark.parametrize("rules", ["standard", "courtesy", "simple", "single-round", "brettspielwelt goal=target:300"])
def test_rounds_until_somebody_wins(rules: str) -> None:
    rng = Random(7)
    game = played_out(Game.start(shuffled_deal(rng), Rules.parse(rules)), rng)
    rounds = 1
    while game.match.winner is None:
        deal = shuffled_deal(rng)
        game = game.next_round(deal)
        assert game.deal == deal
        assert game.round.rules == Rules.parse(rules)
        assert len(game.match.outcomes) == rounds
        before = game.match.score
        game = played_out(game, rng)
        rounds += 1
        score = game.round.outcome.score
        assert game.match.score == (before[0] + score[0], before[1] + score[1])
    assert len(game.match.outcomes) == rounds
    totals = game.match.score
    if game.round.rules.goal.kind == "target":
        assert totals[game.match.winner] == max(totals) >= game.round.rules.goal.number
    else:
        assert rounds == 1
    with pytest.raises(GameError, match="the match is over"):
        game.next_round(shuffled_deal(rng))


def test_a_tie_in_a_single_round_is_followed_by_one_more() -> None:
    tied = Match(Rules.parse("single-round")).after(Outcome((50, 50), (0, 0), (0, 1, 2)))
    rng = Random(3)
    game = played_out(Game.start(shuffled_deal(rng), match=tied), rng)
    assert game.round.rules == tied.rules
    assert game.match.winner is not None


def test_the_round_must_be_over_before_the_next() -> None:
    with pytest.raises(GameError, match="the round is not over"):
        Game.start(DEAL).next_round(DEAL)


def test_no_round_for_a_match_that_is_over() -> None:
    won = Match().after(Outcome((1000, 0), (0, 0), (0, 2)))
    with pytest.raises(GameError, match="the match is over"):
        Game.start(DEAL, match=won)


def test_an_illegal_action_changes_nothing() -> None:
    game = played(Game.start(DEAL), "0-G")
    with pytest.raises(IllegalAction) as refused:
        game.after(*parse_action("0+G"))
    assert refused.value.reason is Reason.NOT_YOUR_TURN
    assert told(game) == "0-G"


def test_each_seat_has_the_score_from_its_side() -> None:
    match = Match().after(Outcome((70, 30), (100, 0), (0, 1, 2)))
    game = Game.start(DEAL, match=match)
    assert [game.view(seat).score for seat in range(4)] == [(170, 30), (30, 170), (170, 30), (30, 170)]


# What each seat sees.


def test_grand_calls_are_seen_when_all_are_made() -> None:
    game = played(Game.start(DEAL), "2+G 0-G 3-G")
    assert [seen(game, seat) for seat in range(4)] == ["0-G", "", "2+G", "3-G"]
    assert [call and call.value for call in game.view(0).calls] == ["-", "-", None, None]
    assert [call and call.value for call in game.view(2).calls] == [None, "-", "G", None]
    game = played(game, "1-G")
    assert [seen(game, seat) for seat in range(4)] == [
        "0-G 1-G 2+G 3-G",
        "1-G 0-G 2+G 3-G",
        "2+G 0-G 1-G 3-G",
        "3-G 0-G 1-G 2+G",
    ]


def test_of_an_exchange_others_see_the_card_that_came_to_them() -> None:
    game = played(Game.start(DEAL), "0-G 1-G 2-G 3-G 0>Ma2s3s 3>2r3r4r 0+T 0>4s5s6s 1>2b3b4b")
    assert seen(game, 2) == "2-G 0-G 1-G 3-G 0+T"
    game = played(game, "2>2g3g4g")
    others = ("0>??5s??", "1>2b????", "3>????4r")
    assert seen(game, 2) == "2-G 0-G 1-G 3-G 0+T 2>2g3g4g " + " ".join(others)
    # The choice that seat 0 replaced is known to seat 0 alone.
    assert seen(game, 0).startswith("0-G 1-G 2-G 3-G 0>Ma2s3s 0+T 0>4s5s6s")
    assert all("Ma" not in seen(game, seat) for seat in (1, 2, 3))
    assert told(game) == "0-G 1-G 2-G 3-G 0>Ma2s3s 3>2r3r4r 0+T 0>4s5s6s 1>2b3b4b 2>2g3g4g"


def test_plays_are_seen_by_all() -> None:
    game = played(Game.start(DEAL, Rules.parse("standard exchange=no")), "0-G 1-G 2-G 3-G 0:Ma 0?7 3:7r 2:8g 1+T")
    for seat in range(4):
        assert seen(game, seat).endswith("0:Ma 0?7 3:7r 2:8g 1+T")


def test_declining_to_bomb_is_seen_by_nobody_else() -> None:
    game = played(
        Game.start(DEAL, Rules.parse("courtesy exchange=no")), "0-G 1-G 2-G 3-G 0:Ma 0?- 3-B 2-B 1-B 0-B 3:2r"
    )
    assert seen(game, 1).endswith("1-G 0-G 2-G 3-G 0:Ma 0?- 1-B 3:2r")
    assert seen(game, 0).endswith("0:Ma 0?- 0-B 3:2r")


# §10.


def test_the_table_declines_grand_and_calls_by_itself() -> None:
    rules = Rules.parse("standard calls=auto exchange=no")
    deal = parse_deal(
        "MaDo2s3s4s5s6s7s+8s9sTsJsQs2b / 2g2r3b3g3r4b4g4r+5b5g5r6b6g6r"
        " / PhDrAsAbAgArKsKb+KgKrQbQgQrJb / 7b7g7r8b8g8r9b9g+9rTbTgTrJgJr"
    )
    game = Game.start(deal, rules)
    assert told(game) == "0-G 1-G 2-G 3-G 2+T"
    assert game.round.phase is Phase.PLAY
    assert seen(game, 1) == "1-G 0-G 2-G 3-G 2+T"


def test_the_take_follows_by_itself_and_is_recorded() -> None:
    rules = Rules.parse("standard bombs=in-turn exchange=no wish=off")
    game = played(Game.start(DEAL, rules), "0-G 1-G 2-G 3-G 0:As 3:- 2:- 1:-")
    assert told(game).endswith("0:As 3:- 2:- 1:- 0!")
    assert seen(game, 2).endswith("0:As 3:- 2:- 1:- 0!")
    assert game.round.pending == (0,)


def test_the_dragon_is_given_by_the_table() -> None:
    rules = Rules.parse("standard bombs=in-turn exchange=no wish=off dragon=auto")
    game = played(Game.start(DEAL, rules), "0-G 1-G 2-G 3-G 0:9s 3:Dr 2:- 1:- 0:-")
    # Both opponents of seat 3 have fewer than fourteen or as many: seat 2 has more than seat 0.
    assert told(game).endswith("3:Dr 2:- 1:- 0:- 3!2")
    assert game.round.points == (0, 0, 25, 0)


def test_the_dragon_is_asked_for_otherwise() -> None:
    rules = Rules.parse("standard bombs=in-turn exchange=no wish=off")
    game = played(Game.start(DEAL, rules), "0-G 1-G 2-G 3-G 0:9s 3:Dr 2:- 1:- 0:-")
    assert game.round.phase is Phase.TAKE
    assert told(played(game, "3!0")).endswith("0:- 3!0")


def test_a_game_and_a_round_agree() -> None:
    game = Game.start(DEAL)
    actions = "0-G 1-G 2-G 3-G 0>2s3s4s 1>2b3b4b 2>2g3g4g 3>2r3r4r 0:Ma 0?- 3:Ar"
    assert played(game, actions).round == play(game.round, actions)


def test_a_game_goes_on_from_a_position() -> None:
    game = Game.from_round(Round.from_position("7s8b/2s/3s/4s p0 - 100/0/0/0 - ---- - -/-/-/-"))
    assert (game.deal, game.actions, game.match) == ((), (), Match())
    assert [format_action(0, action) for action in game.view(0).legal()] == ["0:7s", "0:8b"]
    with pytest.raises(GameError, match="the round is over"):
        Game.from_round(Round.from_position("-/-/-/5sKs e - 30/25/10/20 - TT-- 012 -/-/-/-"))
    won = Match(outcomes=(Outcome((1000, 0), (0, 0), (0, 1, 2)),))
    with pytest.raises(GameError, match="the match is over"):
        Game.from_round(game.round, won)
