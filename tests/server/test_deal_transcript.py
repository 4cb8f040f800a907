"""What is shown of a deal to come: the deal follows from it, a restart keeps it, an operator cannot bend it unseen."""

import copy
import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.server.players import Club, encoded
from tests.server.test_fair_deals import (
    NOBODY,
    NONCES,
    accepts,
    check,
    dealt,
    is_dealt,
    share,
    shown,
    shuffle_of,
    waiting,
)
from tichu.core.deals import format_deal
from tichu.core.fairness import commit_of, committed_deal, fair_deal, nonce_commit_of
from tichu.server import log, wire
from tichu.server.table import Table
from tichu.server.table.shuffle import Shuffle
from tichu.server.wire.settings import Settings

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
