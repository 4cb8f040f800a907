"""Fair deals at a table: who says what when, what becomes of those who say nothing, and what an operator cannot do."""

import copy
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from tests.server.players import Club, encoded
from tichu import format_record
from tichu.agents.greedy import GreedyAgent
from tichu.cli import main
from tichu.core.deals import format_deal
from tichu.core.fairness import DealCheck, check_record, commit_of, committed_deal, fair_deal, nonce_commit_of
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
    assert not club.wait(began + 1.99)
    assert club.wait(began + 2)
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
    assert not club.wait(began + 1.39)
    assert club.wait(began + 1.4)
    assert shown(club).fixed
    assert accepts(club.open_nonce(1, NONCES[1]))
    assert is_dealt(club)
    assert check(club).shares == (None, "proved", None, None)


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
    club = waiting(0, settings=Settings(rules="standard goal=target:150", pace=0.1))
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


# The transcript.


steps = st.lists(
    st.tuples(
        st.sampled_from(("commit", "open", "wrong", "wait", "drop", "come", "stand", "sit", "die")), st.integers(0, 3)
    ),
    max_size=25,
)


@given(steps)
def test_the_deal_is_a_function_of_what_was_shown(plan: list[tuple[str, int]]) -> None:
    club = waiting(0, 1, 2, 3)
    seed = shuffle_of(club).seed
    watcher = club.people[0]._replace(id="watcher")
    club.connect(watcher)
    for what, seat in plan:
        if is_dealt(club):
            break
        take_step(club, what, seat)
    while not is_dealt(club):
        assert club.wait()
    # Whoever watched has everything but the seed, and knew the set before the first nonce.
    heard = [m for m in club.heard["watcher"] if isinstance(m, wire.Welcome | wire.State | wire.EventMessage)]
    states = [message.table for message in heard if isinstance(message.table, wire.TableState)]
    seen = [state.shuffle for state in states if state.shuffle]
    assert {state.commit for state in states} == {commit_of(bytes.fromhex(seed))}
    fixed = {state.commitments for state in seen if state.fixed}
    assert fixed == {shown(club).commitments}
    assert {state.nonces for state in seen} <= {NOBODY, shown(club).nonces}
    deal = committed_deal(bytes.fromhex(seed), seen[-1].commitments, seen[-1].nonces)
    assert format_deal(deal) == dealt(club)


def take_step(club: Club, what: str, seat: int) -> None:
    match what:
        case "commit":
            club.commit_nonce(seat, NONCES[seat])
        case "open":
            club.open_nonce(seat, NONCES[seat])
        case "wrong":
            club.open_nonce(seat, "ab")
        case "wait":
            club.wait(club.now + 1)
        case "drop":
            club.take(club.table.disconnect(f"player{seat}", club.now))
        case "come":
            club.connect(seat)
        case "stand":
            club.command(seat, wire.Stand(id=club.id()))
        case "sit":
            club.command(seat, wire.Sit(id=club.id(), seat=seat))
        case _:
            there = list(club.table.audience.connected.values())
            club.table = Table.restore([log.decode(log.encode(entry)) for entry in club.entries], club.now)
            club.connect(*there)


def test_after_a_restart_at_any_entry_nothing_is_drawn_anew() -> None:
    club = waiting(0, 1, 2)
    assert accepts(club.open_nonce(2, NONCES[2]))
    share(club, 0, 1)
    assert is_dealt(club)
    seed, commitments = shuffle_of(club).seed, shuffle_of(club).commitments
    begun = next(number for number, entry in enumerate(club.entries) if isinstance(entry, log.CommitEntry))
    kinds = [type(entry).__name__ for entry in club.entries[begun:]]
    assert kinds == [
        "CommitEntry",
        "NonceEntry",
        *["NonceCommitEntry"] * 2,
        "FixEntry",
        *["NonceEntry"] * 2,
        "DealEntry",
    ]
    for end in range(begun + 1, len(club.entries) + 1):
        again = copy.deepcopy(club)
        again.entries = [log.decode(log.encode(entry)) for entry in club.entries[:end]]
        # Another source of chance: whatever it is asked for now would be another draw.
        again.table = Table.restore(again.entries, again.now, random.Random(99).randbytes)
        again.connect(0, 1, 2)
        for seat, first in ((2, again.open_nonce), (0, again.commit_nonce), (1, again.commit_nonce)):
            first(seat, NONCES[seat])
        for seat in (0, 1):
            again.open_nonce(seat, NONCES[seat])
        assert is_dealt(again)
        assert (shuffle_of(again).seed, shuffle_of(again).commitments) == (seed, commitments)
        assert again.table.logged.game == club.table.logged.game


# What an operator may try.


def swap(values: tuple[str, ...], seat: int, value: str) -> tuple[str, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def drop_opening(shuffle: Shuffle) -> Shuffle:
    return shuffle._replace(nonces=swap(shuffle.nonces, 0, ""))


def swap_nonce(shuffle: Shuffle) -> Shuffle:
    return shuffle._replace(nonces=swap(shuffle.nonces, 0, "ab"))


def choose_last(shuffle: Shuffle) -> Shuffle:
    return shuffle._replace(nonces=swap(shuffle.nonces, 3, "ab"))


def replay_commitment(shuffle: Shuffle) -> Shuffle:
    old = nonce_commit_of(commit_of(bytes(32)), 0, "ab")
    commitments = swap(shuffle.commitments, 0, old)
    return shuffle._replace(commitments=commitments, nonces=swap(shuffle.nonces, 0, "ab"))


def redeal(shuffle: Shuffle) -> Shuffle:
    return shuffle._replace(seed="11" * 32)


@pytest.mark.parametrize(
    ("trick", "error"),
    [
        (swap_nonce, "the nonce of seat 0 is not the one that was committed to"),
        (choose_last, "seat 3 has a nonce without a commitment"),
        (replay_commitment, "the nonce of seat 0 is not the one that was committed to"),
        (redeal, "the nonce of seat 0 is not the one that was committed to"),
        (drop_opening, None),
    ],
)
def test_what_an_operator_does_to_a_deal_is_in_the_record(
    trick: Callable[[Shuffle], Shuffle], error: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server deals whatever suits it, and writes down what it has to claim for that."""
    club = waiting(0, 1)
    for seat in range(2):
        assert accepts(club.commit_nonce(seat, NONCES[seat]))
    assert accepts(club.open_nonce(0, NONCES[0]))
    chosen = fair_deal(bytes(32), NOBODY)
    honest = Shuffle.deal

    def deal(shuffle: Shuffle) -> object:
        club.table.logged.shuffle = trick(shuffle)
        return chosen if error else honest(trick(shuffle))

    monkeypatch.setattr(Shuffle, "deal", deal)
    assert accepts(club.open_nonce(1, NONCES[1]))
    assert is_dealt(club)
    first = check(club)
    assert first.error == error
    assert error or first.unproved == (0,)


# What nobody hears too early.


def test_nobody_hears_a_nonce_before_the_cards_or_a_seed_before_the_end() -> None:
    club = Club(Settings(pace=0.1))
    club.seat_people(0, 1, 2, 3)
    club.connect(club.people[0]._replace(id="watcher"))
    club.start()
    rng, logged, secrets = random.Random(5), club.table.logged, set[tuple[int, str]]()
    drawn: dict[tuple[int, int], str] = {}
    while len(logged.results) < 3:
        if logged.shuffle is not None and logged.game is None:
            secrets.add((logged.round_number, logged.shuffle.seed))
            for seat in rng.sample(range(4), 4):
                nonce = drawn.setdefault((logged.round_number, seat), f"{rng.getrandbits(128):032x}")
                first = club.open_nonce if seat == 3 else club.commit_nonce
                first(seat, nonce)
                club.take(club.table.disconnect(f"player{seat}", club.now))
                club.connect(seat)
        if logged.shuffle is not None and logged.shuffle.is_fixed and logged.game is None:
            for seat in rng.sample(range(3), 3):
                club.open_nonce(seat, drawn[logged.round_number, seat])
                club.connect(seat)
        assert club.act(rng) or club.wait()
    assert len(secrets) == 3
    assert len(drawn) == 12
    for player, messages in club.heard.items():
        told = [encoded(message) for message in messages]
        for number, seed in secrets:
            end = next(at for at, line in enumerate(told) if b'"round_over"' in line and seed.encode() in line)
            assert not any(seed.encode() in line for line in told[:end]), player
            nonces = [nonce.encode() for (of, _), nonce in drawn.items() if of == number]
            cards = next(at for at, line in enumerate(told) if any(nonce in line for nonce in nonces))
            assert b'"dealt"' in told[cards], player


def test_nobody_can_tell_who_has_opened() -> None:
    one = waiting(0, 1, 2, 3)
    for seat in range(4):
        assert accepts(one.commit_nonce(seat, NONCES[seat]))
    one.forget()
    two = copy.deepcopy(one)
    assert accepts(one.open_nonce(1, NONCES[1]))
    one.heard = {}
    for club in (one, two):
        club._ids = 100
        club.command(0, wire.Say(id="hm", text="hm"))
        club.take(club.table.disconnect("player0", club.now))
        club.connect(0)
        club.commit_nonce(0, NONCES[0])
        club.now += 0.5
        club.take(club.table.tick(club.now))
        club.open_nonce(0, NONCES[0])
    heard = [[*map(encoded, club.heard["player0"])] for club in (one, two)]
    assert heard[0] == heard[1]
    assert len(heard[0]) > 4
    assert one.table.due() == two.table.due()
