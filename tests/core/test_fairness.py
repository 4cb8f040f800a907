"""Fair deals: the derivation as the docstring states it, its fairness, and what a record proves."""

import hashlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from tichu import (
    Deal,
    GameError,
    NotationError,
    Record,
    RoundRecord,
    format_deal,
    format_record,
    parse_card,
    parse_deal,
    read_record,
)
from tichu.cli import main
from tichu.core.fairness import SEED_BYTES, DealCheck, _below, check_record, commit_of, fair_deal

SEED = bytes(range(SEED_BYTES))
NONCES = ("00ff", "", "c0ffee", "")
CARDS = ["Ma", "Do", "Ph", "Dr", *(rank + suit for rank in "23456789TJQKA" for suit in "sbgr")]

nonces = st.tuples(*[st.text("0123456789abcdef", max_size=64)] * 4)
seeds = st.binary(min_size=SEED_BYTES, max_size=SEED_BYTES)


def deal_by_the_book(seed: str, nonces: str) -> list[str]:
    """Hands of eight and of six as the docstring has it, with texts for cards."""
    texts = (f"tichu deal {seed} {nonces} {block}" for block in range(99))
    stream = b"".join(hashlib.sha256(text.encode()).digest() for text in texts)
    cards = list(CARDS)
    used = 0
    for place in range(55, 0, -1):
        below = max(multiple for multiple in range(0, 257, place + 1))
        while stream[used] >= below:
            used += 1
        other = stream[used] % (place + 1)
        used += 1
        cards[place], cards[other] = cards[other], cards[place]
    bounds = [0, 8, 16, 24, 32, 38, 44, 50, 56]
    return ["".join(cards[bounds[part] : bounds[part + 1]]) for part in range(8)]


@given(seeds, nonces)
def test_the_deal_is_the_one_of_the_docstring(seed: bytes, nonces: tuple[str, ...]) -> None:
    hands = deal_by_the_book(seed.hex(), "/".join(nonces))
    cards = [sum(1 << parse_card(hand[at : at + 2]) for at in range(0, len(hand), 2)) for hand in hands]
    assert fair_deal(seed, nonces) == tuple(zip(cards[:4], cards[4:], strict=True))


def test_a_known_deal() -> None:
    assert (
        format_deal(fair_deal(SEED, NONCES)) == "2g7g8r9s9g9rTrQr+3b7b8gTgJbJr / 3g4s5s6rJgQsAgDr+Ma5b5gQgKsAb"
        " / Do7r8sTbQbKrAsPh+3s4g4r6b8bJs / 2s2b2r3r6s9bTsKg+4b5r6g7sKbAr"
    )
    assert commit_of(SEED) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


@pytest.mark.parametrize("bound", range(2, 57))
def test_every_number_below_a_bound_has_the_same_chance(bound: int) -> None:
    def first_of(byte: int) -> Iterator[int]:
        # A byte that is passed over leads to one that cannot be mistaken for it.
        yield byte
        yield 0
        raise AssertionError

    passed_over = 256 % bound
    drawn = Counter(_below(bound, first_of(byte)) for byte in range(256))
    drawn[0] -= passed_over
    assert drawn == dict.fromkeys(range(bound), 256 // bound)


@given(seeds, nonces, st.integers(0, 3), st.text("0123456789abcdef", min_size=1, max_size=64))
def test_every_nonce_counts(seed: bytes, nonces: tuple[str, ...], seat: int, other: str) -> None:
    changed = (*nonces[:seat], other, *nonces[seat + 1 :])
    assert (fair_deal(seed, changed) == fair_deal(seed, nonces)) == (other == nonces[seat])


@pytest.mark.parametrize(
    ("seed", "nonces", "error"),
    [
        (b"short", NONCES, "a seed has 32 bytes, not 5"),
        (SEED, ("", "", ""), "there are four nonces, not 3"),
        (SEED, ("", "", "", "C0FFEE"), "the nonce of seat 3 is at most 64 digits 0-9a-f, not 'C0FFEE'"),
        (SEED, ("", "0" * 65, "", ""), f"the nonce of seat 1 is at most 64 digits 0-9a-f, not '{'0' * 65}'"),
        # Else the two sides of a slash could be moved.
        (SEED, ("1/2", "", "", ""), "the nonce of seat 0 is at most 64 digits 0-9a-f, not '1/2'"),
    ],
)
def test_what_is_no_seed_and_no_nonce(seed: bytes, nonces: tuple[str, ...], error: str) -> None:
    with pytest.raises(GameError) as caught:
        fair_deal(seed, nonces)
    assert str(caught.value) == error


# Records.


def record_of(*deals: Deal, **tags: tuple[str, ...]) -> Record:
    return Record(rounds=tuple(RoundRecord(deal, ()) for deal in deals), tags=tuple(tags.items()))


def fair_record() -> Record:
    """A fair round, a given one, a fair one."""
    other = bytes(reversed(SEED))
    return record_of(
        fair_deal(SEED, NONCES),
        fair_deal(SEED, NONCES),
        fair_deal(other, ("",) * 4),
        Commit=(commit_of(SEED), "-", commit_of(other)),
        Seed=(SEED.hex(), "-", other.hex()),
        Nonces=("/".join(NONCES), "-", "///"),
    )


def errors_of(record: Record) -> list[str | None]:
    return [check.error for check in check_record(record)]


def test_a_fair_game_holds() -> None:
    record = fair_record()
    commits = dict(record.tags)["Commit"]
    expected = [DealCheck(0, commits[0], None), DealCheck(1, None, None), DealCheck(2, commits[2], None)]
    assert list(check_record(record)) == expected
    assert list(check_record(read_record(format_record(record)))) == expected


def test_a_game_that_promised_nothing() -> None:
    record = fair_record()._replace(tags=())
    assert list(check_record(record)) == [DealCheck(number, None, None) for number in range(3)]


@pytest.mark.parametrize(
    ("tag", "value", "error"),
    [
        ("Seed", "-", "the seed was not shown"),
        ("Seed", "12", "a seed is 64 digits 0-9a-f, not '12'"),
        ("Seed", "Z" * 64, f"a seed is 64 digits 0-9a-f, not '{'Z' * 64}'"),
        ("Seed", "0" * 64, f"the seed has the hash {commit_of(bytes(32))}, not the promised {commit_of(SEED)}"),
        ("Commit", "no", f"the seed has the hash {commit_of(SEED)}, not the promised no"),
        ("Commit", "-", "a seed or nonces without a commitment"),
        ("Nonces", "-", "there are four nonces, not 1"),
        ("Nonces", "00ff//c0ffee/1", "another deal follows from the seed and the nonces"),
        ("Nonces", "00ff//c0ffe/ ", "the nonce of seat 3 is at most 64 digits 0-9a-f, not ' '"),
    ],
)
def test_what_is_wrong_with_a_round_is_said_and_hides_no_other(tag: str, value: str, error: str) -> None:
    record = fair_record()
    tags = tuple((name, (value, *values[1:]) if name == tag else values) for name, values in record.tags)
    assert errors_of(record._replace(tags=tags)) == [error, None, None]


def test_other_cards_than_promised() -> None:
    record = fair_record()
    swapped = (*record.rounds[:2], record.rounds[0])
    assert errors_of(record._replace(rounds=swapped))[2] == "another deal follows from the seed and the nonces"


def test_a_round_that_cannot_be_read() -> None:
    text = format_record(fair_record()).replace("deal ", "deal 2s", 1)
    first, *others = check_record(read_record(text))
    assert first.error is not None
    assert first.error.startswith("line 8:")
    assert [check.error for check in others] == [None, None]


def test_a_tag_has_one_value_a_round() -> None:
    record = fair_record()
    with pytest.raises(NotationError, match=r"^the tag Commit has 3 values for 2 rounds$"):
        list(check_record(record._replace(rounds=record.rounds[:2])))


# The command.


def verify(*arguments: str | Path) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["verify", *map(str, arguments)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.stdout


def test_verify_a_fair_game(tmp_path: Path) -> None:
    path = tmp_path / "game.ttn"
    path.write_text(format_record(fair_record()))
    status, out = verify(path)
    assert status == 0
    first, second, third = out.splitlines()
    assert first == f"{path} round 0: ok, committed to {commit_of(SEED)}"
    assert second == f"{path} round 1: no commitment"
    assert third.startswith(f"{path} round 2: ok")


def test_verify_tells_what_does_not_hold(tmp_path: Path) -> None:
    fair, foul, old, broken = (tmp_path / name for name in ("fair.ttn", "foul.ttn", "old.ttn", "broken.ttn"))
    record = fair_record()
    fair.write_text(format_record(record))
    foul.write_text(format_record(record._replace(rounds=record.rounds[::-1])))
    old.write_text(format_record(record._replace(tags=())))
    broken.write_text("no record")
    assert verify(fair, foul)[0] == 1
    assert f"{foul} round 0: error: another deal" in verify(foul)[1]
    assert verify(old) == (
        1,
        "".join(f"{old} round {number}: no commitment\n" for number in range(3))
        + (f"{old}: error: no round has a commitment: there is nothing to verify\n"),
    )
    assert verify(broken)[0] == 1
    status, out = verify("--json", tmp_path / "absent.ttn")
    assert status == 1
    assert '"ok": false' in out
    assert "No such file" in out


def test_a_dealt_record_reads_back() -> None:
    deal = fair_deal(SEED, NONCES)
    assert parse_deal(format_deal(deal)) == deal
