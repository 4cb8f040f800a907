"""Fair deals: the derivation as the docstring states it, its fairness, and what a record proves."""

import hashlib
import json
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
from tichu.core.fairness import (
    SEED_BYTES,
    DealCheck,
    _below,
    check_record,
    commit_of,
    committed_deal,
    fair_deal,
    nonce_commit_of,
)

SEED = bytes(range(SEED_BYTES))
NONCES = ("00ff", "", "c0ffee", "")
CARDS = ["Ma", "Do", "Ph", "Dr", *(rank + suit for rank in "23456789TJQKA" for suit in "sbgr")]

#: Seats 0 and 2 committed and opened, seat 1 committed only, seat 3 has nothing to do with it.
COMMITMENTS = (
    nonce_commit_of(commit_of(SEED), 0, "00ff"),
    nonce_commit_of(commit_of(SEED), 1, "abcd"),
    nonce_commit_of(commit_of(SEED), 2, "c0ffee"),
    "",
)

nonces = st.tuples(*[st.text("0123456789abcdef", max_size=64)] * 4)
seeds = st.binary(min_size=SEED_BYTES, max_size=SEED_BYTES)


def deal_by_the_book(text: str) -> Deal:
    """Hands of eight and of six as the docstring has it, with texts for cards."""
    texts = (f"tichu deal {text} {block}" for block in range(99))
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
    hands = [sum(1 << parse_card(card) for card in cards[bounds[part] : bounds[part + 1]]) for part in range(8)]
    first, second, third, fourth = zip(hands[:4], hands[4:], strict=True)
    return first, second, third, fourth


def commitments_of(seed: bytes, nonces: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(nonce_commit_of(commit_of(seed), seat, nonce) if nonce else "" for seat, nonce in enumerate(nonces))


@given(seeds, nonces)
def test_the_deal_is_the_one_of_the_docstring(seed: bytes, nonces: tuple[str, ...]) -> None:
    assert fair_deal(seed, nonces) == deal_by_the_book(f"{seed.hex()} {'/'.join(nonces)}")


@given(seeds, nonces, st.sets(st.integers(0, 3)))
def test_the_deal_with_commitments_is_the_one_of_the_docstring(
    seed: bytes, nonces: tuple[str, ...], silent: set[int]
) -> None:
    commit = hashlib.sha256(seed).hexdigest()
    hashed = [hashlib.sha256(f"tichu nonce {commit} {seat} {nonces[seat]}".encode()).hexdigest() for seat in range(4)]
    commitments = [commitment if nonce else "" for commitment, nonce in zip(hashed, nonces, strict=True)]
    opened = ["" if seat in silent else nonce for seat, nonce in enumerate(nonces)]
    expected = deal_by_the_book(f"2 {seed.hex()} {'/'.join(commitments)} {'/'.join(opened)}")
    assert committed_deal(seed, commitments, opened) == expected


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
    before, after = (committed_deal(seed, commitments_of(seed, given), given) for given in (nonces, changed))
    assert (before == after) == (other == nonces[seat])


@given(seeds, nonces, st.integers(0, 3), st.text("0123456789abcdef", min_size=1, max_size=64))
def test_a_commitment_counts_even_if_it_is_not_opened(
    seed: bytes, nonces: tuple[str, ...], seat: int, other: str
) -> None:
    opened = (*nonces[:seat], "", *nonces[seat + 1 :])
    without = commitments_of(seed, opened)
    other_hash = nonce_commit_of(commit_of(seed), seat, other)
    unopened = (*without[:seat], other_hash, *without[seat + 1 :])
    assert committed_deal(seed, unopened, opened) != committed_deal(seed, without, opened)


@given(seeds, seeds, st.integers(0, 3), st.integers(0, 3), st.text("0123456789abcdef", min_size=1, max_size=64))
def test_a_commitment_is_good_for_one_deal_and_one_seat(
    seed: bytes, later: bytes, seat: int, other: int, nonce: str
) -> None:
    old = nonce_commit_of(commit_of(seed), seat, nonce)
    commitments, nonces = [""] * 4, [""] * 4
    commitments[other], nonces[other] = old, nonce
    if (later, other) == (seed, seat):
        committed_deal(later, commitments, nonces)
        return
    with pytest.raises(GameError, match=f"the nonce of seat {other} is not the one that was committed to"):
        committed_deal(later, commitments, nonces)


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


@pytest.mark.parametrize(
    ("commitments", "nonces", "error"),
    [
        (("", "", ""), ("",) * 4, "there are four commitments to nonces, not 3"),
        (("", "", "", ""), ("", "", "", "1"), "seat 3 has a nonce without a commitment"),
        (("ab", "", "", ""), ("",) * 4, "the commitment of seat 0 is 64 digits 0-9a-f, not 'ab'"),
        (("~", "", "", ""), ("",) * 4, "the commitment of seat 0 is 64 digits 0-9a-f, not '~'"),
        (("", "Z" * 64, "", ""), ("",) * 4, f"the commitment of seat 1 is 64 digits 0-9a-f, not '{'Z' * 64}'"),
        (COMMITMENTS, ("00ff", "", "c0ffe", ""), "the nonce of seat 2 is not the one that was committed to"),
        (COMMITMENTS, ("00ff", "", "c0ffee", "1"), "seat 3 has a nonce without a commitment"),
        # Two seats cannot exchange what they committed to, nor can one repeat what another says.
        ((COMMITMENTS[0],) * 2 + ("", ""), ("00ff",) * 2 + ("", ""), "the nonce of seat 1 is not the one"),
        # A nonce that was given openly cannot be missing.
        ((f"~{COMMITMENTS[0]}", "", "", ""), ("",) * 4, "the nonce of seat 0 is not the one that was committed to"),
    ],
)
def test_what_does_not_belong_together(commitments: tuple[str, ...], nonces: tuple[str, ...], error: str) -> None:
    with pytest.raises(GameError) as caught:
        committed_deal(SEED, commitments, nonces)
    assert str(caught.value).startswith(error)


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


def committed_record() -> Record:
    """A round with commitments, one of them not opened; one with a nonce given openly; one of derivation 1."""
    other, third = bytes(reversed(SEED)), bytes(32)
    openly = ("", "", "", f"~{nonce_commit_of(commit_of(other), 3, 'ab')}")
    nonces = ("00ff", "", "c0ffee", "")
    return record_of(
        committed_deal(SEED, COMMITMENTS, nonces),
        committed_deal(other, openly, ("", "", "", "ab")),
        fair_deal(third, NONCES),
        Derivation=("2", "2", "1"),
        Commit=(commit_of(SEED), commit_of(other), commit_of(third)),
        Seed=(SEED.hex(), other.hex(), third.hex()),
        NonceCommits=("/".join(COMMITMENTS), "/".join(openly), "-"),
        Nonces=("/".join(nonces), "///ab", "/".join(NONCES)),
    )


def changed(record: Record, **tags: str) -> Record:
    """The record with other values in the first round."""
    return record._replace(tags=tuple((name, (tags.get(name, values[0]), *values[1:])) for name, values in record.tags))


def errors_of(record: Record) -> list[str | None]:
    return [check.error for check in check_record(record)]


def test_a_fair_game_holds() -> None:
    record = fair_record()
    commits = dict(record.tags)["Commit"]
    expected = [DealCheck(0, commits[0], None, 1), DealCheck(1, None, None), DealCheck(2, commits[2], None, 1)]
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
    assert errors_of(changed(fair_record(), **{tag: value})) == [error, None, None]


def test_a_record_tells_for_which_seats_its_deals_are_proved() -> None:
    record = committed_record()
    first, second, third = check_record(read_record(format_record(record)))
    assert first == DealCheck(0, commit_of(SEED), None, 2, ("proved", "unopened", "proved", None))
    assert first.unproved == (1,)
    assert (second.shares, second.unproved) == ((None, None, None, "uncommitted"), (3,))
    assert (third.error, third.derivation, third.shares, third.unproved) == (None, 1, (), ())


_ANOTHER = "another deal follows from the seed, the commitments and the nonces"


@pytest.mark.parametrize(
    ("tags", "error"),
    [
        # An opening is dropped.
        ({"Nonces": "00ff///"}, _ANOTHER),
        # So is what was never opened, or with its commitment what was.
        ({"NonceCommits": f"{COMMITMENTS[0]}//{COMMITMENTS[2]}/"}, _ANOTHER),
        ({"NonceCommits": f"/{COMMITMENTS[1]}/{COMMITMENTS[2]}/", "Nonces": "//c0ffee/"}, _ANOTHER),
        # What was committed to is said to have been given openly.
        ({"NonceCommits": "/".join((f"~{COMMITMENTS[0]}", *COMMITMENTS[1:]))}, _ANOTHER),
        # A nonce is another one, or is chosen when all others are known.
        ({"Nonces": "00fe//c0ffee/"}, "the nonce of seat 0 is not the one that was committed to"),
        ({"Nonces": "00ff//c0ffee/1234"}, "seat 3 has a nonce without a commitment"),
        # The table deals again under another seed: nobody committed to a nonce for that.
        ({"Seed": "0" * 64, "Commit": commit_of(bytes(32))}, "the nonce of seat 0 is not the one"),
        # Commitments are denied altogether.
        ({"Derivation": "1"}, "derivation 1 has no commitments to nonces"),
        ({"Derivation": "1", "NonceCommits": "-"}, "another deal follows from the seed and the nonces"),
        ({"NonceCommits": "-"}, "there are four commitments to nonces, not 1"),
        ({"Derivation": "-"}, "no derivation '-'; there are 1 and 2"),
        ({"Derivation": "3"}, "no derivation '3'; there are 1 and 2"),
        ({"Commit": "-", "Seed": "-", "Nonces": "-", "NonceCommits": "-"}, "a seed or nonces without a commitment"),
    ],
)
def test_what_an_operator_may_try(tags: dict[str, str], error: str) -> None:
    first, *others = errors_of(changed(committed_record(), **tags))
    assert first is not None
    assert first.startswith(error)
    assert tags.get("Commit", "-") != "-" or others == [None, None]


def test_a_seed_is_used_once() -> None:
    record = fair_record()
    rounds = (record.rounds[0], record.rounds[0])
    tags = tuple((name, (values[0], values[0])) for name, values in record.tags)
    assert errors_of(record._replace(rounds=rounds, tags=tags)) == [None, "the commitment is that of round 0"]


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
    derivation = "ok by derivation 1, in which nobody commits to a nonce"
    assert first == f"{path} round 0: {derivation}; committed to {commit_of(SEED)}"
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


def test_verify_names_the_seats_for_which_a_round_is_not_proved(tmp_path: Path) -> None:
    path = tmp_path / "game.ttn"
    path.write_text(format_record(committed_record()))
    status, out = verify(path)
    assert status == 3
    first, second, _ = out.splitlines()
    assert first == (
        f"{path} round 0: not proved for seat 1: it committed to a nonce that is not in the deal;"
        f" ok for seats 0 and 2; committed to {commit_of(SEED)}"
    )
    assert second == (
        f"{path} round 1: not proved for seat 3: it gave its nonce without a commitment;"
        f" no seat has a proved share; committed to {commit_of(bytes(reversed(SEED)))}"
    )
    first = json.loads(verify("--json", path)[1].splitlines()[0])
    assert (first["ok"], first["error"], first["derivation"], first["unproved"]) == (False, None, 2, [1])
    assert first["shares"] == ["proved", "unopened", "proved", None]
    # What is wrong weighs more than what is not proved.
    foul = tmp_path / "foul.ttn"
    foul.write_text(format_record(changed(committed_record(), Nonces="///")))
    assert verify(path, foul)[0] == 1


def test_verify_is_content_with_who_opened(tmp_path: Path) -> None:
    path = tmp_path / "game.ttn"
    nonces = ("", "", "ab", "")
    commitments = commitments_of(SEED, nonces)
    record = record_of(
        committed_deal(SEED, commitments, nonces),
        Derivation=("2",),
        Commit=(commit_of(SEED),),
        Seed=(SEED.hex(),),
        NonceCommits=("/".join(commitments),),
        Nonces=("/".join(nonces),),
    )
    path.write_text(format_record(record))
    assert verify(path) == (0, f"{path} round 0: ok for seat 2; committed to {commit_of(SEED)}\n")


def test_a_dealt_record_reads_back() -> None:
    deal = fair_deal(SEED, NONCES)
    assert parse_deal(format_deal(deal)) == deal
