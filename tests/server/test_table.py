"""What people can do at a table, one thing a test."""

import random

import pytest

from tests.server.players import Club
from tichu.core.errors import GameError
from tichu.server import wire
from tichu.server.table import Table
from tichu.server.table.ports import Player
from tichu.server.wire.settings import Settings

#: Seat 0 leads; seats 1 and 3 hold bombs, seat 3 the stronger one.
BOMBS = "7s8s9bTs/2s2b2g2rJs/4s4b4gJr/6s6b6g6r9s p0 - 90/0/0/0 - ---- - -/-/-/-"
#: Seat 3, next after 0, must give an eight if it can.
WISH = "7s9bTs/2sJs/4sJr/8s9s p0 - 90/0/0/0 8 ---- - -/-/-/-"

DEAL = (
    "MaDr2s3s4s5s6s7s+8s9sTsJsQsKs / 2b3b4b5b6b7b8b9b+TbJbQbKbAbAs / "
    "2g3g4g5g6g7g8g9g+TgJgQgKgAgPh / 2r3r4r5r6r7r8r9r+TrJrQrKrArDo"
)


def playing(position: str | None = None, *, rules: str = "standard", **settings: object) -> Club:
    club = Club(Settings(rules=rules, position=position, pace=0.1, **settings))  # type: ignore[arg-type]
    club.seat_people(0, 1, 2, 3)
    club.start()
    return club


def started_at_once() -> Club:
    """A table whose person has not come yet, and which has committed itself to a deal."""
    club = Club(Settings(pace=0.1, rules="single-round"))
    for command in (wire.Sit(id="s", seat=0), wire.Start(id="g")):
        accepted(club, 0, command)
    assert club.wait(club.now)
    assert club.table.state().commit is not None
    return club


def refusal(club: Club, seat: int | Player, command: wire.Command) -> str:
    answer = club.command(seat, command)
    assert isinstance(answer, wire.Refused), answer
    return answer.reason


def accepted(club: Club, seat: int | Player, command: wire.Command) -> None:
    answer = club.command(seat, command)
    assert isinstance(answer, wire.Ack), answer


def answer_to(club: Club, seat: int, command_id: str) -> wire.Ack | wire.Refused | None:
    answers = [m for m in club.heard[f"player{seat}"] if isinstance(m, wire.Ack | wire.Refused) and m.id == command_id]
    assert len(answers) < 2
    return answers[0] if answers else None


def view_of(club: Club, seat: int) -> wire.SeatView:
    view = club.table.snapshot(f"player{seat}", club.now).view
    assert view is not None
    return view


def events(club: Club, player: str) -> list[wire.Event]:
    return [m.event for m in club.heard.get(player, []) if isinstance(m, wire.EventMessage)]


def play(cards: str, name: str = "p", version: int | None = None) -> wire.PlayCards:
    return wire.PlayCards(id=name, cards=tuple(cards[at : at + 2] for at in range(0, len(cards), 2)), version=version)


class TestSeats:
    def test_one_takes_a_seat_and_another_cannot_take_it(self) -> None:
        club = Club()
        club.connect(0, 1)
        accepted(club, 0, wire.Sit(id="a", seat=2, name="  Ada\x07 L. "))
        assert refusal(club, 1, wire.Sit(id="b", seat=2)) == "SEAT_TAKEN"
        assert club.table.state().seats[2].name == "Ada L."

    def test_who_gives_no_name_is_a_guest(self) -> None:
        club = Club()
        nobody = Player("nobody", "")
        club.connect(nobody)
        accepted(club, nobody, wire.Sit(id="a", seat=1))
        assert club.table.state().seats[1].name == "Guest"

    def test_one_takes_another_name_in_the_own_seat_and_stays_host(self) -> None:
        club = Club()
        club.connect(0, 1)
        accepted(club, 0, wire.Sit(id="a", seat=0))
        accepted(club, 1, wire.Sit(id="a", seat=1))
        accepted(club, 0, wire.Sit(id="b", seat=0, name="Queen Ada"))
        state = club.table.state()
        assert (state.seats[0].name, state.host) == ("Queen Ada", "player0")

    def test_two_of_one_name_are_told_apart(self) -> None:
        club = Club()
        club.connect(0, 1)
        accepted(club, 0, wire.Sit(id="a", seat=0, name="Kim"))
        accepted(club, 1, wire.Sit(id="a", seat=1, name="Kim"))
        assert [seat.name for seat in club.table.state().seats[:2]] == ["Kim", "Kim 2"]

    def test_only_the_host_puts_bots_removes_and_starts(self) -> None:
        club = Club()
        club.connect(0, 1)
        accepted(club, 1, wire.Sit(id="s", seat=1))
        assert refusal(club, 1, wire.PutBot(id="a", seat=2, bot="greedy")) == "NOT_HOST"
        assert refusal(club, 1, wire.Start(id="b")) == "NOT_HOST"
        assert refusal(club, 1, wire.Remove(id="c", seat=1)) == "NOT_HOST"
        accepted(club, 0, wire.Remove(id="d", seat=1))
        assert refusal(club, 0, wire.PutBot(id="e", seat=1, bot="gredy")) == "NO_SUCH_BOT"

    def test_free_seats_get_bots_when_the_game_starts(self) -> None:
        club = Club()
        club.connect(0)
        accepted(club, 0, wire.Sit(id="a", seat=0))
        club.start()
        assert [seat.bot is not None for seat in club.table.state().seats] == [False, True, True, True]

    def test_players_change_places_before_the_game_and_not_during_it(self) -> None:
        club = Club()
        club.connect(0, 1)
        accepted(club, 1, wire.Sit(id="a", seat=1))
        accepted(club, 1, wire.Swap(id="b", first=1, second=3))
        assert club.table.logged.seat_of("player1") == 3
        assert refusal(club, 1, wire.Swap(id="c", first=0, second=2)) == "NOT_HOST"
        club.start()
        assert refusal(club, 0, wire.Swap(id="d", first=0, second=2)) == "NOT_NOW"

    def test_a_substitute_takes_the_seat_of_a_bot_and_who_knows_cards_must_wait(self) -> None:
        club = playing()
        club.play(random.Random(1), most=12)
        accepted(club, 1, wire.Stand(id="a"))
        assert club.table.state().seats[1].bot is not None
        accepted(club, 2, wire.Stand(id="b"))
        assert refusal(club, 1, wire.Sit(id="c", seat=2)) == "KNOWS_CARDS"
        guest = Player("guest", "Gil")
        club.connect(guest)
        club.people.append(guest)
        accepted(club, guest, wire.Sit(id="d", seat=2))
        accepted(club, 1, wire.Sit(id="e", seat=1))

    def test_the_next_person_is_host_when_the_host_leaves(self) -> None:
        club = playing()
        accepted(club, 0, wire.Stand(id="a"))
        assert club.table.state().host == "player1"

    def test_players_act_for_a_host_who_is_away(self) -> None:
        club = playing(BOMBS)
        assert refusal(club, 1, wire.Pause(id="a")) == "NOT_HOST"
        club.take(club.table.disconnect("player0", club.now))
        accepted(club, 1, wire.Pause(id="b"))
        guest = Player("guest", "Gil")
        club.connect(guest)
        club.people.append(guest)
        assert refusal(club, guest, wire.Remove(id="c", seat=1)) == "NOT_HOST"

    def test_a_seat_is_recovered_from_another_device(self) -> None:
        club = playing(BOMBS)
        club.take(club.table.disconnect("player1", club.now))
        assert not club.table.state().seats[1].connected
        club.connect(1)
        welcome = club.heard["player1"][-1]
        assert isinstance(welcome, wire.Welcome)
        assert (welcome.you.seat, welcome.you.token) == (1, "secret")
        assert welcome.view is not None
        assert welcome.view.hand == ("2s", "2b", "2g", "2r", "Js")

    def test_a_rematch_begins_anew(self) -> None:
        club = playing(rules="single-round")
        club.play(random.Random(2))
        assert club.table.logged.stage == "over"
        first = club.table.state().game
        club.start()
        state = club.table.state()
        assert (state.stage, state.results, state.score) == ("playing", (), (0, 0))
        assert state.game != first


class TestWindows:
    def test_the_next_play_waits_for_the_end_of_the_window(self) -> None:
        club = playing(BOMBS)
        accepted(club, 0, play("7s"))
        assert club.command(3, play("9s", "n")) is None
        assert answer_to(club, 3, "n") is None
        club.wait()
        assert isinstance(answer_to(club, 3, "n"), wire.Ack)
        assert club.table.logged.trick.plays[-1].seat == 3

    def test_a_bomb_comes_first_and_the_play_is_refused_with_the_fresh_view(self) -> None:
        club = playing(BOMBS)
        accepted(club, 0, play("7s"))
        club.command(3, play("9s", "n", club.table.logged.version))
        assert club.command(1, wire.PlayBomb(id="b", cards=("2s", "2b", "2g", "2r"))) is None
        club.wait()
        assert isinstance(answer_to(club, 1, "b"), wire.Ack)
        late = answer_to(club, 3, "n")
        assert isinstance(late, wire.Refused)
        assert late.reason == "STALE"
        assert isinstance(late.view, wire.SeatView)
        assert late.view.top is not None
        assert late.view.top.owner == 1

    @pytest.mark.parametrize("rules", ["standard", "courtesy direction=cw"])
    def test_of_two_bombs_one_lands_and_the_other_stays_in_the_hand(self, rules: str) -> None:
        club = playing(BOMBS, rules=rules)
        accepted(club, 0, play("7s"))
        club.command(1, wire.PlayBomb(id="low", cards=("2s", "2b", "2g", "2r")))
        club.command(3, wire.PlayBomb(id="high", cards=("6s", "6b", "6g", "6r")))
        club.wait()
        if rules == "standard":
            # At any time: the strongest of a window is applied.
            refused = answer_to(club, 1, "low")
            assert isinstance(refused, wire.Refused)
            assert refused.reason == "OVERBOMBED"
            assert len(view_of(club, 1).hand) == 5
        else:
            # In order: the first asked lands, the next comes on top of it.
            assert isinstance(answer_to(club, 1, "low"), wire.Ack)
            assert answer_to(club, 3, "high") is None
            club.wait()
        assert isinstance(answer_to(club, 3, "high"), wire.Ack)
        assert club.table.logged.trick.plays[-1].seat == 3

    def test_a_bomb_of_somebody_who_gets_up_stays_in_the_hand(self) -> None:
        club = playing(BOMBS)
        club.answers_bots = False
        accepted(club, 0, play("7s"))
        assert club.command(1, wire.PlayBomb(id="b", cards=("2s", "2b", "2g", "2r"))) is None
        accepted(club, 1, wire.Stand(id="s"))
        club.wait()
        late = answer_to(club, 1, "b")
        assert isinstance(late, wire.Refused)
        assert late.reason == "NOT_SEATED"
        assert view_of(club, 0).counts[1] == 5

    def test_a_wait_is_seen_by_all_and_can_be_asked_for_twice(self) -> None:
        club = playing(BOMBS)
        accepted(club, 0, play("7s"))
        before = view_of(club, 2).window
        assert before is not None
        for name in "ab":
            accepted(club, 2, wire.Wait(id=name))
        assert refusal(club, 2, wire.Wait(id="c")) == "NO_WAITS_LEFT"
        after = view_of(club, 0).window
        assert after is not None
        assert after.ends - before.ends == 10_000
        assert events(club, "player0")[-1] == wire.Waited(seat=2)

    def test_there_is_no_window_when_nobody_can_hold_a_bomb(self) -> None:
        club = playing(WISH)
        accepted(club, 0, play("7s"))
        assert view_of(club, 3).window is None
        assert refusal(club, 3, wire.Wait(id="w")) == "NO_WINDOW"

    def test_the_table_takes_the_trick_after_the_window(self) -> None:
        club = playing(BOMBS)
        accepted(club, 0, play("Ts"))
        club.wait()
        for seat in (3, 2, 1):
            accepted(club, seat, wire.Pass(id=f"n{seat}"))
        assert view_of(club, 0).window is not None
        club.wait()
        assert view_of(club, 0).last_taker == 0
        assert view_of(club, 0).decision == "play"


class TestAbsence:
    def test_with_a_clock_a_bot_makes_one_decision_and_hands_back(self) -> None:
        club = playing(BOMBS, clock=wire.Clock(decision=5, reserve=5))
        club.now += 9.0
        club.take(club.table.tick(club.now))
        assert view_of(club, 0).decision == "play"
        club.now += 2.0
        club.take(club.table.tick(club.now))
        acted = events(club, "player2")[-1]
        assert isinstance(acted, wire.Acted)
        assert (acted.seat, acted.by) == (0, "clock")
        assert club.table.logged.seats[0] is not None
        assert club.table.logged.seats[0].bot is None
        assert club.table.logged.reserves[0] == 0

    def test_the_reserve_shrinks_by_what_was_used_of_it(self) -> None:
        club = playing(BOMBS, clock=wire.Clock(decision=5, reserve=9))
        club.now += 7.0
        club.take(club.table.tick(club.now))
        accepted(club, 0, play("7s"))
        assert club.table.logged.reserves[0] == pytest.approx(7.0)

    def test_without_a_clock_nobody_plays_for_the_absent_until_somebody_asks(self) -> None:
        club = playing(BOMBS)
        club.take(club.table.disconnect("player0", club.now))
        club.now += 3600
        club.take(club.table.tick(club.now))
        assert view_of(club, 1).pending == (0,)
        assert refusal(club, 1, wire.Assist(id="a", seat=3)) == "PRESENT"
        accepted(club, 1, wire.Assist(id="b", seat=0))
        club.wait()
        acted = [event for event in events(club, "player1") if isinstance(event, wire.Acted)][-1]
        assert (acted.seat, acted.by) == (0, "bot")

    def test_a_table_without_people_pauses_and_goes_on_when_one_comes_back(self) -> None:
        club = playing(BOMBS)
        for seat in range(4):
            club.take(club.table.disconnect(f"player{seat}", club.now))
        assert club.wait()
        assert club.table.state().stage == "paused"
        assert club.table.due() is None
        club.connect(2)
        assert club.table.state().stage == "playing"

    def test_a_paused_table_is_forgotten_if_all_its_people_have_left_their_seats(self) -> None:
        club = Club()
        club.seat_people(0)
        club.start()
        accepted(club, 0, wire.Stand(id="a"))
        club.take(club.table.disconnect("player0", club.now))
        left = club.now
        while club.table.logged.stage == "playing":
            assert club.wait()
        assert club.table.logged.stage == "paused"
        assert club.table.due() == left + 3600
        assert not club.table.tick(left + 3599).closed
        assert club.table.tick(left + 3600).closed

    def test_a_pause_of_the_host_stops_play(self) -> None:
        club = playing(BOMBS)
        assert refusal(club, 1, wire.Pause(id="a")) == "NOT_HOST"
        accepted(club, 0, wire.Pause(id="b"))
        assert refusal(club, 0, play("7s")) == "PAUSED"
        accepted(club, 1, wire.Resume(id="c"))
        accepted(club, 0, play("7s", "again"))

    def test_auto_pass_passes_after_a_delay_and_never_breaks_a_wish(self) -> None:
        club = playing(BOMBS)
        accepted(club, 3, wire.AutoPass(id="a", until="trick"))
        accepted(club, 0, play("7s"))
        club.wait()
        assert view_of(club, 3).decision == "play"
        club.wait()
        assert club.table.logged.trick.plays[-1] == wire.Play(seat=3)
        owed = playing(WISH)
        accepted(owed, 3, wire.AutoPass(id="a", until="trick"))
        accepted(owed, 0, play("7s"))
        owed.now += 60
        owed.take(owed.table.tick(owed.now))
        assert view_of(owed, 3).decision == "play"
        assert refusal(owed, 3, wire.Pass(id="b")) == "WISH_OWED"

    def test_a_call_before_the_lead_does_not_end_an_auto_pass(self) -> None:
        hands = "Do3s4s5s6s7s8s9sTsJsQsKsAs2b/2s3b4b5b6b7b8b9bTbJbQbKbAbMa/"
        rest = "2g3g4g5g6g7g8g9gTgJgQgKgAgDr/2r3r4r5r6r7r8r9rTrJrQrKrArPh p1 - 0/0/0/0 - ---- - -/-/-/-"
        club = playing(hands + rest, rules="standard exchange=no")
        accepted(club, 0, wire.AutoPass(id="a", until="trick"))
        accepted(club, 1, wire.DeclareTichu(id="b"))
        assert view_of(club, 0).auto_pass == "trick"


class TestSpectators:
    def test_they_see_no_hands_and_are_a_trick_behind(self) -> None:
        club = playing(BOMBS)
        guest = Player("guest", "Gil")
        club.connect(guest)
        accepted(club, 0, play("Ts"))
        assert events(club, "guest") == []
        club.wait()
        for seat in (3, 2, 1):
            accepted(club, seat, wire.Pass(id=f"n{seat}"))
        assert events(club, "guest") == []
        club.wait()
        seen = [event for event in events(club, "guest") if isinstance(event, wire.Acted)]
        assert [event.text for event in seen] == ["0:Ts", "3:-", "2:-", "1:-", "0!"]
        last = club.heard["guest"][-1]
        assert isinstance(last, wire.EventMessage)
        assert isinstance(last.view, wire.SeatView)
        assert last.view.hand == ()
        assert last.view.position == ""

    def test_they_may_not_speak_during_a_game(self) -> None:
        club = playing(BOMBS)
        guest = Player("guest", "Gil")
        club.connect(guest)
        club.people.append(guest)
        assert refusal(club, guest, wire.Say(id="a", text="play the ten")) == "NOT_SEATED"
        assert refusal(club, guest, play("7s")) == "NOT_SEATED"


class TestAnswers:
    def test_a_repeated_command_is_answered_and_not_carried_out_again(self) -> None:
        club = playing(BOMBS)
        accepted(club, 0, wire.Say(id="a", text="hello"))
        version = club.table.logged.version
        accepted(club, 0, wire.Say(id="a", text="hello"))
        assert club.table.logged.version == version

    def test_a_talker_does_not_make_the_table_forget_what_others_did(self) -> None:
        club = playing(BOMBS)
        accepted(club, 0, play("7s", "first"))
        for number in range(200):
            club.now += 1
            accepted(club, 1, wire.Say(id=f"s{number}", text="hm"))
        version = club.table.logged.version
        accepted(club, 0, play("7s", "first"))
        assert club.table.logged.version == version
        restored = Table.restore(club.entries, club.now)
        assert "player0 first" in restored.logged.commands

    def test_check_tells_readings_or_the_reason(self) -> None:
        club = playing("7s8s9bPh/2s2b2g2rJs/4s4b4gJr/6s6b6g6r9s p0 - 125/0/0/0 - ---- - -/-/-/-")
        pair = club.table.check("player0", wire.Check(id="a", cards=("7s", "Ph")))
        assert [reading.text for reading in pair.readings] == ["7sP7"]
        assert pair.reason is None
        none = club.table.check("player0", wire.Check(id="b", cards=("7s", "8s")))
        assert (none.readings, none.reason) == ((), "NO_COMBINATION")
        later = club.table.check("player1", wire.Check(id="c", cards=("Js",)))
        assert later.reason == "NOT_YOUR_TURN"
        assert [reading.type for reading in later.readings] == ["SINGLE"]
        assert club.table.check("player0", wire.Check(id="d", cards=("Js",))).reason == "NOT_IN_HAND"
        assert club.table.check("player0", wire.Check(id="e", cards=("xx",))).reason == "BAD_CARD"

    def test_a_hint_is_a_bots_choice_with_its_reason(self) -> None:
        club = playing(BOMBS)
        hint = wire.Hint(id="h")
        ask = club.table.hint("player0", hint, club.now)
        assert not isinstance(ask, wire.Refused)
        hinted = club.table.hint_answer(hint, ask, club.decide(ask))
        assert hinted.what == "play"
        assert hinted.cards
        assert hinted.words
        refused = club.table.hint("player1", hint, club.now)
        assert isinstance(refused, wire.Refused)
        assert refused.reason == "NOTHING_TO_DECIDE"

    def test_a_serious_table_gives_no_hints_and_takes_no_position(self) -> None:
        with pytest.raises(GameError, match="casual"):
            Club(Settings(position=BOMBS, casual=False))
        club = playing(casual=False)
        refused = club.table.hint("player0", wire.Hint(id="h"), club.now)
        assert isinstance(refused, wire.Refused)
        assert refused.reason == "CASUAL_ONLY"

    def test_settings_that_cannot_be_are_refused_with_the_place(self) -> None:
        host = Player("p", "P")
        with pytest.raises(GameError, match="no preset 'standrd'"):
            Table.create("t", "C", Settings(rules="standrd"), host, 0.0)
        with pytest.raises(GameError, match="four hands"):
            Table.create("t", "C", Settings(deal="Ma"), host, 0.0)
        for score, rules, what in (
            ((1005, 900), "standard", "at 1005:900 the match is over"),
            ((7, 0), "standard", "no match can stand at 7:0"),
            ((-20_000, 0), "standard", "no match can stand"),
            ((50, 50), "single-round", "begins at 0:0"),
        ):
            with pytest.raises(GameError, match=what):
                Table.create("t", "C", Settings(deal=DEAL, score=score, rules=rules), host, 0.0)
        with pytest.raises(GameError, match="only with a given deal"):
            Table.create("t", "C", Settings(score=(50, 50)), host, 0.0)
        with pytest.raises(GameError, match="no seat 'x'"):
            Table.create("t", "C", Settings(deal=DEAL, actions=("x",)), host, 0.0)
