"""Games as rows: what they tell agrees with the record, and what is wrong costs a round."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from tests.games.make import GAMES
from tichu import (
    NotationError,
    Reading,
    RoundRecord,
    Rules,
    parse_cards,
    read_game,
    read_games,
    shuffled_deal,
)
from tichu.core.combos import Combo
from tichu.core.game import Game
from tichu.core.phases import Call
from tichu.core.record import replay
from tichu.data import GameTables, game_tables
from tichu.data.columns import TABLES


def tables_of(number: int) -> tuple[Reading, GameTables]:
    reading = read_game(GAMES[number])
    return reading, game_tables("a game", reading, number)


@pytest.mark.parametrize("number", [0, 7, 23])
def test_a_game_is_told_by_its_rows(number: int) -> None:
    reading, tables = tables_of(number)
    (game,) = tables.games
    assert (game.game, game.place, game.rules) == (number, "a game", str(reading.rules))
    assert game.rounds == len(tables.rounds) == len(reading.rounds)
    totals = [0, 0]
    for row, one in zip(tables.rounds, reading.rounds, strict=True):
        assert not isinstance(one, NotationError)
        assert (row.before_0, row.before_1) == tuple(totals)
        assert (row.score_0, row.score_1) == one.score
        assert row.cards_0 + row.cards_1 == (200 if row.double_victory else 100)
        totals = [totals[0] + row.score_0, totals[1] + row.score_1]
    assert [game.score_0, game.score_1] == totals
    assert game.winner == (None if max(totals) < 1000 else int(totals[1] > totals[0]))
    assert tables.skipped == []


@pytest.mark.parametrize("number", [0, 7, 23])
def test_the_seats_of_a_round(number: int) -> None:
    reading, tables = tables_of(number)
    for row in tables.rounds:
        one = reading.rounds[row.round]
        assert not isinstance(one, NotationError)
        *_, end = replay(one, reading.rules)
        seats = [seat for seat in tables.seats if seat.round == row.round]
        assert [seat.seat for seat in seats] == [0, 1, 2, 3]
        for seat in seats:
            eight, six = one.deal[seat.seat]
            assert (parse_cards(seat.eight), parse_cards(seat.dealt)) == (eight, eight | six)
            gave = {seat.gave_left, seat.gave_partner, seat.gave_right}
            got = {seat.got_left, seat.got_partner, seat.got_right}
            kept = parse_cards(seat.dealt) & ~parse_cards("".join(map(str, gave)))
            assert parse_cards(seat.hand) == kept | parse_cards("".join(map(str, got)))
            assert seats[(seat.seat + 1) & 3].got_right == seat.gave_left
            assert seats[(seat.seat + 2) & 3].got_partner == seat.gave_partner
            own = [action for who, action in one.actions if who == seat.seat]
            assert seat.bombs == sum(isinstance(action, Combo) and action.is_bomb for action in own)
            call = end.calls[seat.seat]
            assert seat.call == {Call.NONE: None, Call.TICHU: "tichu", Call.GRAND: "grand"}[call]
            assert seat.made == (None if seat.call is None else seat.place == 1)
            assert seat.difference == (row.score_0 - row.score_1) * (1 if seat.seat % 2 == 0 else -1)
        places = sorted(seat.place for seat in seats)
        assert places == ([1, 2, 3, 3] if row.double_victory else [1, 2, 3, 4])
        assert row.bombs == sum(seat.bombs for seat in seats)


@pytest.mark.parametrize("number", [0, 7, 23])
def test_decisions_are_those_of_the_record_but_for_what_nobody_decides(number: int) -> None:
    reading, tables = tables_of(number)
    for row in tables.decisions:
        one = reading.rounds[row.round]
        assert not isinstance(one, NotationError)
        seat, action = one.actions[row.action_number]
        assert (row.seat, row.action) == (seat, str(action).removeprefix(":"))
        state = list(replay(one, reading.rules))[row.action_number]
        assert parse_cards(row.hand) == state.hands[seat]
        assert row.legal == len(state.legal(seat))
        assert row.cards_partner == state.hands[seat ^ 2].bit_count()
        assert (row.top is None) == (row.owner is None)
        if row.kind in ("lead", "grand", "exchange"):
            assert row.top is None
    kinds = Counter(row.kind for row in tables.decisions)
    assert kinds["grand"] == kinds["exchange"] == 4 * len(tables.rounds)
    actions = sum(len(one.actions) for one in reading.rounds if not isinstance(one, NotationError))
    takes = sum(
        str(action) == "!" for one in reading.rounds if not isinstance(one, NotationError) for _, action in one.actions
    )
    assert sum(kinds.values()) == actions - takes


def test_grand_calls_of_others_are_not_told_while_they_are_hidden() -> None:
    reading, _ = tables_of(1)
    tables = game_tables("a game", reading)
    asked = [row for row in tables.decisions if row.kind == "grand"]
    assert any(row.action == "+G" for row in asked)
    assert all((row.call_next, row.call_partner, row.call_previous) == (None, None, None) for row in asked)


def test_a_wrong_round_costs_itself_and_the_match_goes_on_as_it_was_written() -> None:
    _, tables = tables_of(58)
    (skipped,) = tables.skipped
    assert str(skipped) == "a game round 3: the score is 15 85, not 15 285"
    assert skipped.is_wrong
    before, after = (next(row for row in tables.rounds if row.round == at) for at in (2, 4))
    assert after.before_0 == before.before_0 + before.score_0 + 15
    assert after.before_1 == before.before_1 + before.score_1 + 285


def test_an_unfinished_round_is_no_fault() -> None:
    _, tables = tables_of(16)
    (skipped,) = tables.skipped
    assert (str(skipped), skipped.is_wrong) == ("a game round 4: unfinished", False)


def test_a_game_that_cannot_be_read_is_told() -> None:
    tables = game_tables("a game", NotationError("not TTN 1"))
    assert tables[:4] == ([], [], [], [])
    assert [str(one) for one in tables.skipped] == ["a game: not TTN 1"]
    broken = Reading(Rules.parse("standard"), ("a", "b", "c", "d"), (), (NotationError("line 5: no deal"),))
    assert [str(one) for one in game_tables("x", broken).skipped] == ["x round 0: line 5: no deal"]


def test_games_without_an_exchange_or_grand_calls() -> None:
    rng = Random(7)
    rules = Rules.parse("simple bombs=ordered")
    rounds = []
    for _ in range(6):
        game = Game.start(shuffled_deal(rng), rules)
        while not game.round.is_over:
            seat = game.round.pending[0]
            game = game.after(seat, game.view(seat).legal().draw(rng))
        rounds.append(RoundRecord(game.deal, game.actions, game.round.outcome.score))
    tables = game_tables("a game", Reading(rules, ("Ada", "Ben", "Cho", "Dov"), (), tuple(rounds)))
    assert len(tables.rounds) == 6
    assert {(row.gave_left, row.got_partner, row.wish) for row in tables.seats} == {(None, None, None)}
    assert {row.name for row in tables.seats} == {"Ada", "Ben", "Cho", "Dov"}
    assert {row.kind for row in tables.decisions} >= {"lead", "follow"}


def test_every_column_is_documented() -> None:
    text = (Path(__file__).parents[2] / "docs" / "data.md").read_text(encoding="utf-8")
    for name, row in TABLES.items():
        assert f"`{name}`" in text
        for column in row._fields:
            assert f"`{column}`" in text, f"{name}.{column}"


def test_all_games_of_a_folder_have_rows() -> None:
    rounds = sum(len(game_tables(place, reading).rounds) for path in GAMES[:5] for place, reading in read_games(path))
    assert rounds == sum(len(read_game(path).rounds) for path in GAMES[:5])
