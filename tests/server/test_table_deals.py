"""What lies between two rounds: readiness, seeds, nonces, deals."""

import random

import pytest

from tests.server.players import Club, encoded
from tests.server.test_table import (
    BOMBS,
    DEAL,
    events,
    playing,
    refusal,
    started_at_once,
    view_of,
)
from tichu.core.record import RoundRecord, read_jsonl, start_of
from tichu.server import wire
from tichu.server.table import Table
from tichu.server.table.archive import finished_game
from tichu.server.wire.settings import Settings


class TestDeals:
    def test_the_commitment_comes_before_the_nonces_and_the_seed_after_the_round(self) -> None:
        club = Club(Settings(pace=0.1, rules="single-round", casual=False))
        club.seat_people(0, 1, 2, 3)
        club.start()
        club.wait()
        commit = club.table.state().commit
        assert commit is not None
        for seat in range(4):
            assert isinstance(club.commit_nonce(seat, f"a{seat}"), wire.Ack)
        assert isinstance(club.commit_nonce(0, "ff"), wire.Refused)
        for seat in range(4):
            assert isinstance(club.open_nonce(seat, f"a{seat}"), wire.Ack)
        assert refusal(club, 0, wire.Nonce(id="m", nonce="ff")) == "NOT_NOW"
        club.play(random.Random(3))
        over = next(event for event in events(club, "player3") if isinstance(event, wire.RoundOver))
        assert over.proof is not None
        assert over.proof.nonces == ("a0", "a1", "a2", "a3")
        sent = b"".join(map(encoded, club.heard["player3"]))
        before, after = sent.split(b'"round_over"')[0], sent
        assert over.proof.seed.encode() not in before
        assert over.proof.seed.encode() in after

    def test_who_comes_after_a_round_is_told_what_was_left_until_the_next_one(self) -> None:
        club = Club(Settings(pace=0.1))
        club.seat_people(0)
        club.start()

        def last_round() -> wire.RoundOver | None:
            club.connect(0)
            welcome = next(m for m in reversed(club.heard["player0"]) if isinstance(m, wire.Welcome))
            return welcome.last_round

        assert last_round() is None
        club.play(random.Random(3), stop=lambda: bool(club.table.logged.results))
        over = next(event for event in events(club, "player0") if isinstance(event, wire.RoundOver))
        assert any(over.hands)
        assert last_round() == over
        club.play(random.Random(3), stop=lambda: any(view_of(club, 0).counts))
        assert last_round() is None

    def test_the_first_deal_waits_for_who_has_a_table_start_at_once_and_comes_a_moment_later(self) -> None:
        club = started_at_once()
        club.now += 0.4
        club.connect(0)
        welcome = club.heard["player0"][-1]
        assert isinstance(welcome, wire.Welcome)
        assert welcome.table.commit is not None
        assert welcome.view is not None
        assert not any(welcome.view.counts)
        club.commit_nonce(0, "a0")
        assert not any(view_of(club, 0).counts)
        club.open_nonce(0, "a0")
        # Nothing more to wait for: the cards come with the answer.
        assert sum(view_of(club, 0).counts) == 32
        club.play(random.Random(3))
        over = next(event for event in events(club, "player0") if isinstance(event, wire.RoundOver))
        assert over.proof is not None
        assert over.proof.nonces == ("a0", "", "", "")

    @pytest.mark.parametrize("comes", [None, 0.4, 1.19])
    def test_the_first_deal_does_not_wait_long(self, comes: float | None) -> None:
        club = started_at_once()
        began = club.now
        if comes is not None:
            club.now += comes
            club.connect(0)
        assert not any(view_of(club, 0).counts)
        assert not club.wait(began + 1.19)
        assert club.wait(began + 1.2)
        assert sum(view_of(club, 0).counts) == 32
        assert club.table.logged.shuffle is not None
        assert club.table.logged.shuffle.commitments == ("", "", "", "")

    @pytest.mark.parametrize("commits", [0.1, 0.4, 1.19])
    def test_an_opening_is_not_waited_for_longer_than_a_nonce_was(self, commits: float) -> None:
        club = started_at_once()
        began = club.now
        club.now += commits
        club.connect(0)
        club.commit_nonce(0, "a0")
        assert not club.wait(began + 1.38)
        assert club.wait(began + 1.4)
        assert sum(view_of(club, 0).counts) == 32

    def test_who_comes_back_after_a_restart_has_a_share_in_the_first_deal(self) -> None:
        club = started_at_once()
        club.now += 60
        club.table = Table.restore(club.entries, club.now)
        assert not club.wait(club.now + 1.19)
        club.connect(0)
        club.commit_nonce(0, "a0")
        club.open_nonce(0, "a0")
        assert club.table.logged.game is not None
        assert club.table.logged.shuffle is not None
        assert club.table.logged.shuffle.nonces == ("a0", "", "", "")

    def test_later_deals_wait_only_for_who_is_there(self) -> None:
        club = Club()
        club.seat_people(0, 1)
        club.start()
        logged = club.table.logged
        club.play(random.Random(3), stop=lambda: bool(logged.results) and logged.shuffle is not None)
        club.commit_nonce(0, "a0")
        assert isinstance(club.open_nonce(0, "a0"), wire.Refused)
        club.take(club.table.disconnect("player1", club.now))
        assert not any(view_of(club, 0).counts)
        assert isinstance(club.open_nonce(0, "a0"), wire.Ack)
        assert any(view_of(club, 0).counts)

    def test_a_given_deal_goes_on_from_what_has_been_played(self) -> None:
        actions = ("0-G", "1-G", "2-G", "3-G")
        club = playing(deal=DEAL, actions=actions)
        assert view_of(club, 0).phase == "TICHU.EXCHANGE_SELECT"
        assert club.table.state().commit is None
        assert club.table.state().game is not None

    def test_a_given_deal_goes_on_with_the_score_of_its_match(self) -> None:
        actions = ("0-G", "1-G", "2-G", "3-G")
        club = playing(deal=DEAL, actions=actions, score=(860, 720))
        assert (club.table.state().score, view_of(club, 0).score) == ((860, 720), (860, 720))
        assert view_of(club, 1).score == (720, 860)
        club.table = Table.restore(club.entries, club.now)
        assert club.table.state().score == (860, 720)

    def test_its_record_says_where_the_match_stood(self) -> None:
        club = playing(deal=DEAL, score=(950, 0), rules="standard goal=target:1000")
        club.play(random.Random(3), stop=lambda: club.table.logged.stage == "over")
        found = finished_game(club.table.logged, club.now)
        assert found is not None
        record = read_jsonl(found.record)
        assert start_of(record.tags) == (950, 0)
        scores = [one.score for one in record.rounds if isinstance(one, RoundRecord) and one.score is not None]
        assert found.summary.score == (950 + sum(each[0] for each in scores), sum(each[1] for each in scores))

    def test_a_round_from_a_position_has_no_game_to_look_at(self) -> None:
        assert playing(BOMBS).table.state().game is None
