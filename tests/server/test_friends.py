"""Playing with friends: who is away and comes back, rematches, and what is played next."""

import random

import pytest

from tests.server.players import Club
from tests.server.test_table import BOMBS, WISH, accepted, events, play, playing, refusal, view_of
from tichu.agents.base import Choice
from tichu.core.actions import CALL_TICHU, PASS, Exchange, Take
from tichu.core.cards import parse_card
from tichu.core.combos import parse_combo
from tichu.core.round import Round
from tichu.server import log, wire
from tichu.server.table import Table
from tichu.server.table.hint_facts import hint_facts
from tichu.server.table.window import BombWindow
from tichu.server.wire.settings import Settings


def leave(club: Club, *seats: int) -> None:
    for seat in seats:
        club.take(club.table.disconnect(f"player{seat}", club.now))


def restarted(club: Club) -> Table:
    """The table as another server finds it in the store."""
    return Table.restore([log.decode(log.encode(entry)) for entry in club.entries], club.now)


def over(*seats: int) -> Club:
    """A game that has just ended."""
    club = Club(Settings(rules="standard goal=rounds:1", pace=0.1))
    club.seat_people(*seats)
    club.start()
    club.play(random.Random(3))
    while club.table.logged.stage != "over":  # Level: an extra round.
        club.play(random.Random(4))
    return club


def stand_in_with_a_bomb() -> tuple[Club, BombWindow]:
    """A bot that stands in for seat 3 has chosen to bomb, and the window is still open."""
    club = playing(BOMBS)
    club.answers_bots = False
    leave(club, 3)
    accepted(club, 1, wire.StandIn(id="a", seat=3))
    accepted(club, 0, play("7s"))
    window = club.table._play.window
    assert window is not None
    (key,) = window.asks
    window.answer(key, parse_combo("6s6b6g6r"))
    return club, window


class TestStandIns:
    def test_a_bot_decides_again_and_again_until_the_player_is_back(self) -> None:
        club = playing(BOMBS)
        leave(club, 0)
        accepted(club, 1, wire.StandIn(id="a", seat=0))
        state = club.table.state().seats[0]
        assert (state.stand_in, state.connected, state.name) == (True, False, "Ada")
        assert club.wait()
        acted = [event for event in events(club, "player1") if isinstance(event, wire.Acted)]
        assert [(event.seat, event.by) for event in acted] == [(0, "bot")]
        # The others go on, and when it is seat 0's turn again, nobody has to ask.
        club.play(random.Random(1), stop=lambda: sum(e.seat == 0 for e in acted_by_bot(club)) > 1)
        assert sum(event.seat == 0 for event in acted_by_bot(club)) > 1

        club.connect(0)
        assert not club.table.state().seats[0].stand_in
        assert [event.what for event in events(club, "player1") if isinstance(event, wire.Seated)][-1] == "back"

    def test_whoever_is_back_in_the_middle_of_a_decision_takes_it(self) -> None:
        club = playing(BOMBS)
        leave(club, 0)
        accepted(club, 1, wire.StandIn(id="a", seat=0))
        club.connect(0)
        club.now += 60
        club.take(club.table.tick(club.now))
        assert view_of(club, 0).decision == "play"
        accepted(club, 0, play("7s"))

    def test_a_bomb_of_the_stand_in_is_not_thrown_by_who_is_back(self) -> None:
        club, window = stand_in_with_a_bomb()
        club.connect(3)
        assert window.bomb_of(3) is None

    def test_the_stand_in_bombs_like_any_bot(self) -> None:
        club, _ = stand_in_with_a_bomb()
        club.wait()
        assert [(event.seat, event.by) for event in acted_by_bot(club)] == [(3, "bot")]

    def test_it_outlives_the_server(self) -> None:
        club = playing(BOMBS)
        leave(club, 0)
        accepted(club, 1, wire.StandIn(id="a", seat=0))
        club.table = restarted(club)
        club.connect(1, 2, 3)
        assert club.table.state().seats[0].stand_in
        assert club.wait()
        assert acted_by_bot(club)

    @pytest.mark.parametrize("who", [1, 2])
    def test_only_for_the_absent_and_once(self, who: int) -> None:
        club = playing(BOMBS)
        assert refusal(club, who, wire.StandIn(id="a", seat=0)) == "PRESENT"
        leave(club, 0)
        accepted(club, who, wire.StandIn(id="b", seat=0))
        assert refusal(club, who, wire.StandIn(id="c", seat=0)) == "NOT_NOW"

    def test_not_by_a_spectator_and_not_before_the_game(self) -> None:
        club = Club()
        club.seat_people(0, 1)
        assert refusal(club, 0, wire.StandIn(id="a", seat=1)) == "NOT_NOW"
        club.start()
        club.connect(2)
        leave(club, 1)
        assert refusal(club, 2, wire.StandIn(id="b", seat=1)) == "NOT_SEATED"

    def test_a_program_that_only_posts_is_back_when_it_plays(self) -> None:
        club = playing(BOMBS)
        leave(club, 0)
        accepted(club, 1, wire.StandIn(id="a", seat=0))
        accepted(club, 0, play("7s"))
        assert not club.table.state().seats[0].stand_in


def acted_by_bot(club: Club) -> list[wire.Acted]:
    return [event for event in events(club, "player1") if isinstance(event, wire.Acted) and event.by == "bot"]


class TestRematch:
    def test_it_begins_when_all_are_ready(self) -> None:
        club = over(0, 1)
        first = club.table.logged.game_id
        accepted(club, 1, wire.Ready(id="a"))
        assert [seat.ready for seat in club.table.state().seats] == [False, True, True, True]
        assert club.table.state().stage == "over"
        accepted(club, 0, wire.Ready(id="b"))
        assert club.table.state().stage == "playing"
        assert club.table.logged.game_id not in (None, first)

    def test_nobody_waits_for_whoever_has_gone_and_a_bot_stands_in(self) -> None:
        club = over(0, 1)
        leave(club, 1)
        accepted(club, 0, wire.Ready(id="a"))
        state = club.table.state()
        assert (state.stage, state.seats[1].stand_in) == ("playing", True)

    def test_whoever_is_ready_can_go_on_when_the_others_have_left(self) -> None:
        club = over(0, 1)
        accepted(club, 0, wire.Ready(id="a"))
        leave(club, 1)
        assert club.table.state().stage == "over"
        accepted(club, 0, wire.Ready(id="b"))
        assert club.table.state().stage == "playing"

    def test_a_host_need_not_wait(self) -> None:
        club = over(0, 1)
        accepted(club, 0, wire.Start(id="a"))
        assert club.table.state().stage == "playing"

    def test_partners_may_change_and_all_are_asked_again(self) -> None:
        club = over(0, 1)
        accepted(club, 1, wire.Ready(id="a"))
        accepted(club, 0, wire.Swap(id="b", first=1, second=2))
        state = club.table.state()
        assert state.seats[2].player == "player1"
        assert not state.seats[2].ready
        # The score is still that of those who made it.
        assert state.final is not None
        assert state.final.players == ("player0", "player1", "", "")
        assert state.final.names[1] == "Bob"

    def test_a_new_name_changes_nothing(self) -> None:
        club = over(0, 1)
        accepted(club, 1, wire.Ready(id="a"))
        accepted(club, 1, wire.Sit(id="b", seat=1, name="Bo"))
        assert club.table.state().seats[1].ready

    def test_the_end_of_a_game_outlives_the_server(self) -> None:
        club = over(0, 1)
        accepted(club, 1, wire.Ready(id="a"))
        accepted(club, 0, wire.Swap(id="b", first=1, second=2))
        accepted(club, 1, wire.Ready(id="c"))
        before = club.table.logged
        after = restarted(club).logged
        assert (after.final, after.ready, after.seats) == (before.final, before.ready, before.seats)


class TestSettings:
    def test_the_host_changes_them_before_the_game(self) -> None:
        club = Club(Settings(name="Friday", pace=0.1))
        club.seat_people(0, 1)
        wanted = Settings(rules="courtesy", name=" Monday\x07", clock=wire.Clock(decision=20), private=False, pace=0.4)
        accepted(club, 0, wire.ChangeSettings(id="a", settings=wanted))
        state = club.table.state()
        assert (state.rules, state.name, state.private, state.pace) == ("courtesy", "Monday", False, 0.4)
        assert state.clock == wire.Clock(decision=20)
        assert [event.what for event in events(club, "player1") if isinstance(event, wire.Seated)][-1] == "settings"
        club.start()
        assert club.table.logged.match.rules.bombs == "ordered"

    def test_they_are_those_of_the_rematch_and_outlive_the_server(self) -> None:
        club = over(0, 1)
        accepted(club, 1, wire.Ready(id="a"))
        before = club.table.state()
        accepted(club, 0, wire.ChangeSettings(id="b", settings=Settings(rules="standard goal=target:300", pace=0.1)))
        state = club.table.state()
        assert (state.winner, state.score, state.results) == (before.winner, before.score, before.results)
        assert not state.seats[1].ready
        club.start()
        club.wait(club.now)
        assert club.checkpoints
        table = Table.restore(club.entries[club.checkpoints[-1] :], club.now)
        assert table.state().rules == "standard goal=target:300"
        assert restarted(club).state().rules == "standard goal=target:300"

    def test_not_by_others_and_not_in_a_game(self) -> None:
        club = Club()
        club.seat_people(0, 1)
        change = wire.ChangeSettings(id="a", settings=Settings(rules="courtesy"))
        assert refusal(club, 1, change) == "NOT_HOST"
        club.start()
        assert refusal(club, 0, wire.ChangeSettings(id="b", settings=Settings())) == "NOT_NOW"

    def test_they_must_make_a_game(self) -> None:
        club = Club()
        club.seat_people(0)
        answer = club.command(0, wire.ChangeSettings(id="a", settings=Settings(rules="standard wish=never")))
        assert isinstance(answer, wire.Refused)
        assert answer.reason == "WRONG_SETTINGS"
        assert "never" in answer.message
        assert club.table.state().rules == "standard"

    def test_a_given_position_stays_and_stays_casual(self) -> None:
        club = Club(Settings(position=BOMBS, pace=0.1))
        club.seat_people(0, 1, 2, 3)
        assert refusal(club, 0, wire.ChangeSettings(id="a", settings=Settings(casual=False))) == "WRONG_SETTINGS"
        accepted(club, 0, wire.ChangeSettings(id="b", settings=Settings(position=WISH, name="Bombs", pace=0.1)))
        club.start()
        assert view_of(club, 1).hand == ("2s", "2b", "2g", "2r", "Js")


class TestWish:
    def test_everybody_knows_whose_wish_it_is_and_who_owes_it_knows_that(self) -> None:
        club = playing("Ma3g5r8sTb/2s2b4r/4s9gKr/6b7bAs p0 - 15/30/15/15 - ---- - -/-/-/-")
        accepted(club, 0, play("Ma"))
        accepted(club, 0, wire.Wish(id="w", wish_rank="A"))
        club.wait()
        views = [view_of(club, seat) for seat in range(4)]
        assert [view.wished_by for view in views] == [0, 0, 0, 0]
        assert [view.wish_owed for view in views] == [False, False, False, True]

    def test_a_position_does_not_tell_whose_wish_it_is(self) -> None:
        club = playing(WISH)
        assert view_of(club, 0).wish == "8"
        assert view_of(club, 0).wished_by is None


class TestHintFacts:
    def facts(self, position: str, choice: Choice, points: int = 0) -> dict[str, wire.HintFact]:
        view = Round.from_position(position).view(0)
        return {fact.code: fact for fact in hint_facts(view, choice.action, points)}

    def test_a_play_beats_keeps_and_takes_points(self) -> None:
        facts = self.facts(
            "3g4r8b9rAgDr/2b3r5b7s/2r3b4b/2g4g5s p0 1:6s 20/20/20/20 - ---- - -/-/-/-",
            Choice(parse_combo("9r"), ""),
            15,
        )
        assert list(facts) == ["beats", "points", "keeps"]
        assert facts["beats"].seat == 1
        assert facts["beats"].combination is not None
        assert facts["beats"].combination.text == "6s"
        assert facts["keeps"].cards == ("Dr", "Ag")

    def test_it_stops_whoever_is_nearly_out_and_goes_out_itself(self) -> None:
        facts = self.facts("9r/2b3r/2r3b4b/2g4g5s p0 1:6s 20/20/20/20 - ---- - -/-/-/-", Choice(parse_combo("9r"), ""))
        assert list(facts) == ["last", "stops"]
        assert facts["stops"].count == 2

    def test_bombs_are_kept_or_split(self) -> None:
        hand = "4r7s7b7g7rTg/4s6g9r2b/3b5b8s/2g2r3sQb p0 3:9s 20/25/20/20 - ---- - -/-/-/-"
        assert "keeps_bomb" in self.facts(hand, Choice(parse_combo("Tg"), ""))
        split = self.facts(hand.replace("3:9s", "3:6s"), Choice(parse_combo("7s"), ""))
        assert "splits_bomb" in split

    def test_passing_helps_the_partner(self) -> None:
        hand = "4g6rAb/3s5b8g/3b8s8r/2g5r7b p0 2:Kg 20/20/20/20 - --{}- - -/-/-/-"
        assert list(self.facts(hand.format("-"), Choice(PASS, ""))) == ["partner_holds", "keeps"]
        assert list(self.facts(hand.format("T"), Choice(PASS, ""))) == ["helps", "keeps"]
        others = hand.format("T").replace("2:Kg", "1:Kg")
        assert list(self.facts(others, Choice(PASS, ""))) == ["partner_called", "keeps"]

    def test_the_other_decisions(self) -> None:
        position = (
            "2s3b4g4r6s7b8g9s9rJbQgKrAsDr/2b3s5s5b6g8s8bTgJsQsQbKgAbAg/"
            "Ma2g3g5g6b7s7g9bTsTbJgQrKsAr/Do2r3r4s4b5r6r7r8r9gTrJrKbPh "
            "x0123 - 0/0/0/0 - ---- - -/-/-/-"
        )
        gift = Exchange(*(parse_card(card) for card in ("2s", "As", "3b")))
        assert self.facts(position, Choice(gift, ""))["gives_partner"].cards == ("As",)
        assert self.facts(position, Choice(CALL_TICHU, ""))["holds"].cards == ("Dr", "As")
        dragon = "5b6b9s/2gJb/4g8g/2r3r7s t0 0:Dr 15/25/15/15 - ---- - -/-/-/-"
        assert self.facts(dragon, Choice(Take(3), ""))["more_cards"].count == 3
        assert self.facts(dragon, Choice(Take(1), "")) == {}
        dog = "Do4b9gKr/2b7bTg/JsJbAs/3s5b8r9s p0 - 15/30/15/15 - ---- - -/-/-/-"
        assert self.facts(dog, Choice(parse_combo("Do"), ""))["to_partner"].seat == 2
