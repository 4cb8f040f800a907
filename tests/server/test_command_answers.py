"""Every command gets one answer, with the reason that fits."""

import msgspec
import pytest

from tests.server.players import Club
from tests.server.test_table import BOMBS, accepted, answer_to, play, playing, refusal, view_of
from tichu.server import wire
from tichu.server.http.sockets import Unreadable, read
from tichu.server.wire.settings import Settings

#: Seat 0 leads, holds four sevens and a straight flush in swords; the partner may answer a single.
FLUSH = "2s3s4s5s6s7s7b7g7r/8s9b/8bJs/8gJb p0 - 95/0/0/0 - ---- - -/-/-/-"


class TestWindow:
    @pytest.mark.parametrize("command", [wire.Pass(id="next"), wire.PlayCards(id="next", cards=("9s",))])
    def test_who_declines_to_bomb_can_queue_a_turn_in_the_same_window(self, command: wire.Command) -> None:
        club = playing(BOMBS, rules="standard bombs=ordered")
        accepted(club, 0, play("7s"))
        assert view_of(club, 3).decision == "bomb"
        assert club.command(3, wire.DeclineBomb(id="no")) is None
        assert club.command(3, command) is None
        club.wait()
        assert isinstance(answer_to(club, 3, "no"), wire.Ack)
        # Whose turn comes next follows from the direction; here it is seat 3's.
        assert isinstance(answer_to(club, 3, "next"), wire.Ack)

    def test_a_second_answer_of_the_same_kind_is_refused(self) -> None:
        club = playing(BOMBS, rules="standard bombs=ordered")
        accepted(club, 0, play("7s"))
        assert club.command(3, wire.DeclineBomb(id="no")) is None
        assert refusal(club, 3, wire.DeclineBomb(id="again")) == "NOT_NOW"


class TestDeclarations:
    @pytest.mark.parametrize(
        "declared",
        [
            {"type": "BOMB_STRAIGHT_FLUSH", "suit": "♠", "length": 5, "highRank": "6"},
            {"type": "BOMB_STRAIGHT_FLUSH", "suit": "s"},
            {"highRank": "6"},
        ],
    )
    def test_suits_and_ranks_are_read_as_clients_of_the_single_round_game_write_them(
        self, declared: dict[str, object]
    ) -> None:
        club = playing(FLUSH)
        combo = msgspec.convert(declared, wire.DeclaredCombo)
        accepted(club, 0, wire.PlayBomb(id="b", cards=("2s", "3s", "4s", "5s", "6s"), declared_combo=combo))

    @pytest.mark.parametrize("field", ["highRank", "phoenixAs"])
    def test_a_ten_is_written_either_way(self, field: str) -> None:
        club = playing("TsTbPh/8s9b/8bJs/8gJb p0 - 105/0/0/0 - ---- - -/-/-/-")
        combo = msgspec.convert({field: "10"}, wire.DeclaredCombo)
        accepted(club, 0, wire.PlayCards(id="t", cards=("Ts", "Tb", "Ph"), declared_combo=combo))

    def test_a_ten_can_be_wished_for_either_way(self) -> None:
        club = playing("Ma3s/8s9b/8bJs/8gTb p0 - 90/0/0/0 - ---- - -/-/-/-")
        accepted(club, 0, wire.PlayCards(id="m", cards=("Ma",)))
        accepted(club, 0, wire.Wish(id="w", wish_rank="10"))
        assert view_of(club, 1).wish == "T"

    @pytest.mark.parametrize("declared", [{"type": "PAIR"}, {"suit": "♥"}, {"highRank": "7"}, {"length": 6}])
    def test_a_wrong_declaration_has_a_reason_of_its_own(self, declared: dict[str, object]) -> None:
        club = playing(FLUSH)
        combo = msgspec.convert(declared, wire.DeclaredCombo)
        command = wire.PlayBomb(id="b", cards=("2s", "3s", "4s", "5s", "6s"), declared_combo=combo)
        assert refusal(club, 0, command) == "DECLARED_OTHERWISE"

    def test_what_is_not_a_bomb_is_told_so_whoever_has_the_turn(self) -> None:
        club = playing(BOMBS)
        for seat, card in ((0, "7s"), (1, "Js"), (3, "9s")):
            assert refusal(club, seat, wire.PlayBomb(id=f"b{seat}", cards=(card,))) == "NOT_A_BOMB"


class TestIds:
    @pytest.mark.parametrize(
        ("frame", "expected"),
        [
            ('{"type": "TICHU.PASS", "id": "p1", "colour": 1}', "p1"),
            ('{"type": "TICHU.NONSENSE", "id": "p2"}', "p2"),
            ('{"id": "p3", "type": "TICHU.WISH", "wishRank": "11"}', "p3"),
            ('{"type": "TICHU.PASS", "id": 7}', None),
            ('{"type": "TICHU.PASS", "id": ""}', None),
            ('{"type": "TICHU.PASS"', None),
            ("[]", None),
        ],
    )
    def test_an_unreadable_message_is_answered_with_its_id(self, frame: str, expected: str | None) -> None:
        with pytest.raises(Unreadable) as unreadable:
            read(frame)
        assert (unreadable.value.error.code, unreadable.value.error.id) == ("malformed", expected)


class TestBots:
    def test_who_leaves_is_stood_in_for_by_a_bot_of_medium_strength(self) -> None:
        club = playing()
        accepted(club, 1, wire.Stand(id="s"))
        assert club.table.state().seats[1].bot == "medium"

    def test_a_missed_clock_is_decided_by_a_bot_of_medium_strength(self) -> None:
        club = playing(BOMBS, clock=wire.Clock(decision=5, reserve=0))
        club.answers_bots = False
        asked: list[str] = []
        due = club.table.due()
        assert due is not None
        asked += [ask.bot for ask in club.table.tick(due).asks]
        assert asked == ["medium"]

    def test_hints_come_from_the_strongest_bot(self) -> None:
        club = playing(BOMBS)
        ask = club.table.hint("player0", wire.Hint(id="h"), club.now)
        assert not isinstance(ask, wire.Refused)
        assert ask.bot == "learned"

    @pytest.mark.parametrize(("chosen", "expected"), [("easy", "easy"), (None, "medium")])
    def test_free_seats_get_the_level_that_was_chosen(self, chosen: str | None, expected: str) -> None:
        club = Club(Settings(pace=0.1))
        club.connect(0)
        accepted(club, 0, wire.Sit(id="s", seat=0))
        if chosen is not None:
            accepted(club, 0, wire.PutBot(id="b", seat=2, bot=chosen))
        club.start()
        assert [seat.bot for seat in club.table.state().seats] == [None, expected, expected, expected]


def test_each_phase_of_the_first_round_is_told_once() -> None:
    club = Club(Settings(rules="standard", pace=0.1))
    club.seat_people(0, 1, 2, 3)
    club.start()
    while club.table.logged.game is None:
        assert club.wait()
    told = [
        phase for message in club.heard["player0"] if isinstance(message, wire.EventMessage) for phase in message.phases
    ]
    assert told == ["TICHU.DEAL_PART1", "TICHU.DECLARE_GRAND_WINDOW"]
