"""Fair deals at a table: who says what when, and what becomes of those who say nothing."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from tests.server.players import Club
from tichu import format_record
from tichu.agents.greedy import GreedyAgent
from tichu.cli import main
from tichu.core.deals import format_deal
from tichu.core.fairness import DealCheck, check_record, fair_deal, nonce_commit_of
from tichu.core.record import Record, read_jsonl
from tichu.server import log, wire
from tichu.server.client.client import Guest, ServerApi, parse_address
from tichu.server.log import FinishedGame
from tichu.server.table import Table
from tichu.server.table.shuffle import Shuffle
from tichu.server.wire.settings import Settings

ONE_ROUND = Settings(rules="single-round", pace=0.1)
NONCES = tuple(f"{seat}" * 32 for seat in range(4))
NOBODY = ("", "", "", "")


def waiting(*people: int, settings: Settings = ONE_ROUND) -> Club:
    """A table that has committed itself to its first deal."""
    club = Club(settings)
    club.seat_people(*people)
    club.start()
    assert club.wait(club.now)
    return club


def shuffle_of(club: Club) -> Shuffle:
    assert club.table.logged.shuffle is not None
    return club.table.logged.shuffle


def shown(club: Club) -> wire.ShuffleState:
    state = club.table.state().shuffle
    assert state is not None
    return state


def is_dealt(club: Club) -> bool:
    return club.table.logged.game is not None


def accepts(answer: wire.Ack | wire.Refused | None) -> bool:
    return isinstance(answer, wire.Ack)


def share(club: Club, *seats: int) -> None:
    """These players commit and, if nobody is missing, open."""
    for step in (club.commit_nonce, club.open_nonce):
        for seat in seats:
            assert accepts(step(seat, NONCES[seat]))


def record_of(club: Club) -> Record:
    """The game, played to its end."""
    club.play(random.Random(3))
    (game,) = club.games
    assert isinstance(game, FinishedGame)
    return read_jsonl(game.record).record()


def check(club: Club) -> DealCheck:
    """What the record of the game proves about its first deal."""
    return next(check_record(record_of(club)))


def events(club: Club, seat: int) -> Iterator[wire.Event]:
    for message in club.heard[f"player{seat}"]:
        if isinstance(message, wire.EventMessage):
            yield message.event


# Who says what when.


def test_one_person_has_the_cards_after_two_commands_and_no_time() -> None:
    club = waiting(0)
    began = club.now
    assert accepts(club.commit_nonce(0, NONCES[0]))
    assert not is_dealt(club)
    assert accepts(club.open_nonce(0, NONCES[0]))
    assert is_dealt(club)
    assert club.now == began


def test_a_table_of_bots_waits_for_nobody() -> None:
    club = Club(ONE_ROUND)
    for seat in range(4):
        assert accepts(club.command(0, wire.PutBot(id=club.id(), seat=seat, bot="greedy")))
    club.start()
    assert club.wait(club.now)
    assert is_dealt(club)
    assert shuffle_of(club).is_fixed


def test_commitments_are_shown_to_all_and_opened_when_nobody_is_missing() -> None:
    club = waiting(0, 1, 2)
    for seat in range(3):
        assert not shown(club).fixed
        assert not accepts(club.open_nonce(seat - 1, NONCES[seat - 1])) or seat == 0
        assert accepts(club.commit_nonce(seat, NONCES[seat]))
        assert shown(club).commitments[seat] == nonce_commit_of(shuffle_of(club).commit, seat, NONCES[seat])
    assert shown(club).fixed
    told = [event for event in events(club, 2) if isinstance(event, wire.Committed)]
    assert [(event.what, event.seat) for event in told] == [
        ("seed", None),
        ("nonce", 0),
        ("nonce", 1),
        ("nonce", 2),
        ("set", None),
    ]
    for seat in range(3):
        assert shown(club).nonces == NOBODY
        assert accepts(club.open_nonce(seat, NONCES[seat]))
    assert is_dealt(club)
    assert shown(club).nonces == (*NONCES[:3], "")
    assert check(club).shares == ("proved", "proved", "proved", None)


def test_what_may_not_be_said() -> None:
    club = waiting(0, 1)
    assert accepts(club.commit_nonce(0, NONCES[0]))
    assert not accepts(club.commit_nonce(0, NONCES[1])), "a second commitment"
    assert not accepts(club.open_nonce(0, NONCES[0])), "an opening before the set is fixed"
    assert not accepts(club.commit_nonce(2, NONCES[2])), "a commitment without a seat"
    assert club.wait(club.now + 1.5)
    assert shown(club).fixed
    assert not accepts(club.commit_nonce(1, NONCES[1])), "a commitment after the set is fixed"
    assert not accepts(club.open_nonce(1, NONCES[1])), "a nonce without a commitment after the set is fixed"
    wrong = club.open_nonce(0, NONCES[1])
    assert isinstance(wrong, wire.Refused)
    assert wrong.message == "this is not the nonce that was committed to"
    assert accepts(club.open_nonce(0, NONCES[0]))
    assert is_dealt(club)
    assert not accepts(club.open_nonce(0, NONCES[0])), "an opening after the deal"
    assert not accepts(club.command(0, wire.CommitNonce(id="late", commitment="0" * 64)))


def test_a_repeated_command_is_answered_again() -> None:
    club = waiting(0, 1)
    commitment = nonce_commit_of(shuffle_of(club).commit, 0, NONCES[0])
    command = wire.CommitNonce(id="once", commitment=commitment)
    assert accepts(club.command(0, command))
    club.table = Table.restore(club.entries, club.now)
    club.connect(0, 1)
    before = len(club.entries)
    assert accepts(club.command(0, command))
    assert len(club.entries) == before


# Who is missing.


def test_a_missing_opening_is_not_waited_for_and_nothing_is_drawn_anew(tmp_path: Path) -> None:
    club = waiting(0, 1)
    began = club.now
    for seat in range(2):
        assert accepts(club.commit_nonce(seat, NONCES[seat]))
    assert accepts(club.open_nonce(1, NONCES[1]))
    seed = shuffle_of(club).seed
    assert not club.wait(began + 1.39)
    assert club.wait(began + 1.4)
    assert is_dealt(club)
    assert shuffle_of(club).seed == seed
    assert shown(club).nonces == ("", NONCES[1], "", "")
    assert shown(club).commitments[0]
    assert sum(isinstance(entry, log.CommitEntry) for entry in club.entries) == 1
    record = record_of(club)
    first = next(check_record(record))
    assert (first.error, first.shares, first.unproved) == (None, ("unopened", "proved", None, None), (0,))
    path = tmp_path / "game.ttn"
    path.write_text(format_record(record))
    result = CliRunner().invoke(main, ["verify", str(path)])
    assert result.exit_code == 3
    assert "not proved for seat 0: it committed to a nonce that is not in the deal; ok for seat 1" in result.stdout


def test_who_does_not_commit_is_not_waited_for() -> None:
    club = waiting(0, 1)
    began = club.now
    assert accepts(club.commit_nonce(1, NONCES[1]))
    assert not club.wait(began + 0.89)
    assert club.wait(began + 0.9)
    assert shown(club).fixed
    assert accepts(club.open_nonce(1, NONCES[1]))
    assert is_dealt(club)
    assert check(club).shares == (None, "proved", None, None)


@pytest.mark.parametrize("commits", [None, 0.1, 0.85, 1.15])
@pytest.mark.parametrize("opens", [False, True])
def test_the_first_card_is_there_soon_whoever_does_not_commit_or_open(commits: float | None, opens: bool) -> None:
    club = waiting(0, 1)
    began = club.now
    if commits is not None:
        while club.wait(began + commits):
            pass
        club.now = began + commits
        assert accepts(club.commit_nonce(1, NONCES[1]))
        while opens and not shown(club).fixed:
            assert club.wait(began + 1.5)
        if opens:
            assert accepts(club.open_nonce(1, NONCES[1]))
    while not is_dealt(club):
        assert club.wait(began + 1.5), "no card within 1.5 s"
    assert club.now - began < 1.5


def between_rounds(*people: int) -> Club:
    club = Club(Settings(pace=0.1))
    club.seat_people(*people)
    club.start()
    logged = club.table.logged
    club.play(random.Random(3), stop=lambda: bool(logged.results) and not logged.ready)
    club.wait(club.now)
    assert logged.shuffle is not None
    return club


def test_who_is_away_between_rounds_may_commit_on_coming_back() -> None:
    club = between_rounds(0, 1)
    club.take(club.table.disconnect("player1", club.now))
    assert accepts(club.commit_nonce(0, NONCES[0]))
    club.now += 20
    club.take(club.table.tick(club.now))
    assert not shown(club).fixed
    club.connect(1)
    assert accepts(club.commit_nonce(1, NONCES[1]))
    assert shown(club).fixed
    for seat in range(2):
        assert accepts(club.open_nonce(seat, NONCES[seat]))
        assert accepts(club.command(seat, wire.Ready(id=club.id())))
    assert is_dealt(club)


def test_who_is_away_between_rounds_holds_nobody_up() -> None:
    club = between_rounds(0, 1)
    club.take(club.table.disconnect("player1", club.now))
    assert accepts(club.commit_nonce(0, NONCES[0]))
    assert accepts(club.command(0, wire.Ready(id=club.id())))
    assert shown(club).fixed
    assert accepts(club.open_nonce(0, NONCES[0]))
    assert is_dealt(club)


def test_without_anybody_there_nothing_is_fixed() -> None:
    club = between_rounds(0, 1)
    for player in ("player0", "player1"):
        club.take(club.table.disconnect(player, club.now))
    while club.wait(club.now + 600):
        pass
    assert not shown(club).fixed


def test_the_longest_wait_between_rounds_is_what_it_was() -> None:
    club = between_rounds(0, 1)
    began = club.now
    club.take(club.table.disconnect("player1", club.now))
    assert accepts(club.commit_nonce(0, NONCES[0]))
    while not is_dealt(club):
        assert club.wait()
    assert 44 < club.now - began <= 46


def test_a_commitment_goes_with_its_player_until_the_set_is_fixed() -> None:
    club = waiting(0, 1)
    assert accepts(club.commit_nonce(1, NONCES[1]))
    assert accepts(club.command(1, wire.Stand(id=club.id())))
    assert shown(club).commitments == NOBODY
    assert accepts(club.command(1, wire.Sit(id=club.id(), seat=3)))
    share_of_three = nonce_commit_of(shuffle_of(club).commit, 3, NONCES[3])
    assert accepts(club.command(1, wire.CommitNonce(id="c", commitment=share_of_three)))
    assert accepts(club.commit_nonce(0, NONCES[0]))
    assert shown(club).fixed
    assert accepts(club.command(1, wire.Stand(id=club.id())))
    assert shown(club).commitments[3] == share_of_three
    assert accepts(club.open_nonce(0, NONCES[0]))
    assert check(club).shares == ("proved", None, None, "unopened")


# Programs and tables of the first derivation.


def test_a_program_that_knows_no_commitments_plays_and_is_not_proved() -> None:
    club = waiting(0, 1)
    assert accepts(club.open_nonce(0, NONCES[0]))
    assert shown(club).commitments[0] == "~" + nonce_commit_of(shuffle_of(club).commit, 0, NONCES[0])
    assert shown(club).nonces == NOBODY
    assert not accepts(club.open_nonce(0, NONCES[0]))
    assert accepts(club.commit_nonce(1, NONCES[1]))
    assert accepts(club.open_nonce(1, NONCES[1]))
    assert is_dealt(club)
    assert check(club).shares == ("uncommitted", "proved", None, None)


def of_first_derivation(entries: list[log.Entry]) -> list[log.Entry]:
    """The log as an older version has written it."""
    return [
        msgspec.structs.replace(entry, derivation=1) if isinstance(entry, log.CommitEntry) else entry
        for entry in entries
    ]


def test_a_deal_that_an_older_server_began_goes_on_as_it_began() -> None:
    club = waiting(0, 1)
    older = of_first_derivation(club.entries)
    line = next(log.encode(entry) for entry in older if isinstance(entry, log.CommitEntry))
    assert b"derivation" not in line
    club.table = Table.restore(older, club.now)
    club.connect(0, 1)
    assert shown(club).derivation == 1
    assert not accepts(club.commit_nonce(0, NONCES[0]))
    assert accepts(club.open_nonce(0, NONCES[0]))
    shuffle = shuffle_of(club)
    assert club.wait(club.now + 2)
    assert format_deal(fair_deal(bytes.fromhex(shuffle.seed), (NONCES[0], "", "", ""))) == dealt(club)
    over = check(club)
    assert (over.error, over.derivation, over.shares) == (None, 1, ())


def test_a_game_may_have_deals_of_both() -> None:
    club = waiting(0, settings=Settings(rules="standard goal=target:400", pace=0.1))
    club.table = Table.restore(of_first_derivation(club.entries), club.now)
    club.connect(0)
    derivations = [deal.derivation for deal in check_record(record_of(club))]
    assert derivations == [1] + [2] * (len(derivations) - 1)
    assert len(derivations) > 1


def dealt(club: Club) -> str:
    return next(entry.deal for entry in reversed(club.entries) if isinstance(entry, log.DealEntry) and entry.deal)


# A bot that comes over the API.


class Door(ServerApi):
    """The table itself instead of a server; some commands may be lost on the way."""

    def __init__(self, club: Club, seat: int, lost: type[wire.Command] | None = None) -> None:
        super().__init__(parse_address("localhost"))
        self.club, self.seat, self.lost = club, seat, lost

    def command(self, table: str, command: wire.Command) -> wire.Answer:
        if self.lost is not None and isinstance(command, self.lost):
            return wire.Error(code="busy", message="lost")
        answer = self.club.command(self.seat, command)
        assert answer is not None
        return answer


def same(message: wire.FromServer) -> wire.FromServer:
    return message


def without_shuffle(message: wire.FromServer) -> wire.FromServer:
    """As a server of the first derivation tells it."""
    if isinstance(message, wire.Welcome | wire.State | wire.EventMessage) and isinstance(
        message.table, wire.TableState
    ):
        return msgspec.structs.replace(message, table=msgspec.structs.replace(message.table, shuffle=None))
    return message


@pytest.mark.parametrize(
    ("lost", "change", "shares", "says"),
    [
        (None, same, "proved", False),
        (wire.Nonce, same, "unopened", True),
        (wire.CommitNonce, same, None, True),
        (None, without_shuffle, "uncommitted", False),
    ],
)
def test_a_bot_over_the_api_does_its_part_and_says_if_it_was_not_heard(
    lost: type[wire.Command] | None,
    change: Callable[[wire.FromServer], wire.FromServer],
    shares: str | None,
    says: bool,
) -> None:
    club = waiting(0)
    said: list[str] = []
    guest = Guest(Door(club, 0, lost), "table", GreedyAgent(), 0, said.append)
    club.connect(0)
    club.heard["player0"] = club.heard["player0"][-1:]
    rng = random.Random(3)
    at = 0
    while not is_dealt(club):
        while at < len(club.heard["player0"]):
            guest._hear(change(club.heard["player0"][at]))
            at += 1
        if not is_dealt(club):
            assert club.wait()
    club.play(rng)
    for message in club.heard["player0"][at:]:
        if isinstance(message, wire.EventMessage) and isinstance(message.event, wire.RoundOver):
            guest._hear(message)
    (game,) = club.games
    assert isinstance(game, FinishedGame)
    assert next(check_record(read_jsonl(game.record))).shares[0] == shares
    assert ("our share is not in this deal: nothing is proved to us" in said) == says
