"""Deals that can be checked: nobody at the table, and not the table itself, chose the cards.

Before a round the table draws a seed and shows its hash, the commitment.  Then each player draws a nonce and gives its
hash, too; all see these commitments.  When the set of them is fixed the nonces are opened, and the deal follows from
the seed, the set and the nonces.  After the round the seed is shown, and whoever kept what was shown can do the sum
again.  The table cannot change its mind after it has heard the nonces, and nobody can choose a nonce that fits: when
one becomes known, the others are settled.

**The commitment to a seed** is the SHA-256 of its 32 bytes, hexadecimal.

**The commitment to a nonce** is the SHA-256 of the ASCII text ``tichu nonce COMMIT SEAT NONCE``, hexadecimal, with the
commitment to the seed, the seat as a digit, and the nonce: up to 64 lower hexadecimal digits.  Draw 32 or more, or they
can be guessed.  Such a commitment is good for one deal and one seat, and cannot be used again.  For a program that
gives its nonce without one the table makes it, and writes ``~`` before it: this nonce was known before the others were
settled.

**The deal** needs bytes.  Block *i* (0, 1, 2, ...) is the SHA-256 of the ASCII text ``tichu deal 2 SEED K/L/M/N A/B/C/D
i`` with the seed as 64 lower hexadecimal digits, the commitments of seats 0 to 3, their nonces as they were given (what
is absent is empty), and *i* in decimal.  The bytes of block 0, then those of block 1 and so on are used one at a time:

1. Write the cards as Ma Do Ph Dr, then 2s 2b 2g 2r 3s 3b ... Ag Ar; the places are 0 to 55.
2. For *place* = 55, 54, ... 1: take the next byte, and as long as it is not below the greatest multiple of *place* + 1
   that is at most 256, the one after it.  Its remainder by *place* + 1 is the place to exchange cards with.
3. Deal from place 0 on: eight cards to seat 0, to 1, to 2, to 3, then six to each of them.

A byte that would favour some places is passed over, so each order of the cards has the same chance.

**The derivation has a number.**  This is the second.  The first had no commitments to nonces: its text is ``tichu deal
SEED A/B/C/D i``, and a table could leave out a nonce or give the last one itself.

**What cannot be proved:** that the table heard no other commitment than those it shows, and anything at all to those
who had no nonce in the deal.  Whoever leaves a commitment unopened has chosen between two deals, and a table may say
of any nonce that it came too late; the seat is then named, and nothing is dealt anew.
"""

import hashlib
from collections.abc import Iterator, Sequence
from itertools import chain, count
from typing import Final, Literal, NamedTuple, TypeAlias

from tichu.core.deals import Deal, deal_in_order
from tichu.core.errors import GameError, NotationError
from tichu.core.record import Reading, Record

__all__ = [
    "DERIVATION",
    "GIVEN_OPENLY",
    "SEED_BYTES",
    "DealCheck",
    "Share",
    "check_record",
    "commit_of",
    "committed_deal",
    "fair_deal",
    "nonce_commit_of",
]

#: The number of the derivation that tables use.
DERIVATION: Final = 2
SEED_BYTES: Final = 32
#: What stands before the commitment to a nonce that was given without one.
GIVEN_OPENLY: Final = "~"

_LONGEST_NONCE: Final = 64
_HASH_DIGITS: Final = 64
_HEX: Final = frozenset("0123456789abcdef")
_TAGS: Final = ("Commit", "Seed", "Nonces", "NonceCommits")
#: What stands in a tag for a round that has no such thing, as a given deal.
_NONE: Final = "-"

#: What a seat has to do with a deal: its nonce is in it and was committed to; it committed and did not open; its nonce
#: is in it without a commitment of its own.
Share: TypeAlias = Literal["proved", "unopened", "uncommitted"]


def commit_of(seed: bytes) -> str:
    """What the table shows before it hears anything about nonces.

    >>> commit_of(bytes(32))[:16]
    '66687aadf862bd77'
    """
    return hashlib.sha256(seed).hexdigest()


def nonce_commit_of(commit: str, seat: int, nonce: str) -> str:
    """What a player gives before the nonce itself: good for the deal of this commitment, and for this seat.

    >>> nonce_commit_of(commit_of(bytes(32)), 1, "c0ffee")[:16]
    '2450e07df9911456'
    """
    return hashlib.sha256(f"tichu nonce {commit} {seat} {nonce}".encode()).hexdigest()


def committed_deal(seed: bytes, commitments: Sequence[str], nonces: Sequence[str]) -> Deal:
    """The deal that follows from a seed, the commitments to nonces, and the nonces; by seat, empty for none.

    >>> from tichu.core.deals import format_deal
    >>> commitment = nonce_commit_of(commit_of(bytes(32)), 1, "c0ffee")
    >>> format_deal(committed_deal(bytes(32), ("", commitment, "", ""), ("", "c0ffee", "", ""))).split(" / ")[0]
    '4r5s8r9gKsKbAbAg+4b6s6b8bQbAr'
    >>> format_deal(committed_deal(bytes(32), ("", commitment, "", ""), ("", "", "", ""))).split(" / ")[0]
    '2s3g6bJsQgKgAgPh+3b6r7b8sKsAb'

    :raises GameError: the seed, a commitment or a nonce has not its form, or they do not belong together
    """
    commit = commit_of(seed)
    if len(commitments) != 4:
        raise GameError(f"there are four commitments to nonces, not {len(commitments)}")
    _check_form(seed, nonces)
    for seat, (commitment, nonce) in enumerate(zip(commitments, nonces, strict=True)):
        digits = commitment.removeprefix(GIVEN_OPENLY)
        if commitment and not _is_hash(digits):
            raise GameError(f"the commitment of seat {seat} is {_HASH_DIGITS} digits 0-9a-f, not {commitment[:80]!r}")
        if nonce and not commitment:
            raise GameError(f"seat {seat} has a nonce without a commitment")
        # A nonce that was given openly was there before its commitment.
        if (nonce or digits != commitment) and nonce_commit_of(commit, seat, nonce) != digits:
            raise GameError(f"the nonce of seat {seat} is not the one that was committed to")
    return _shuffle(f"tichu deal {DERIVATION} {seed.hex()} {'/'.join(commitments)} {'/'.join(nonces)}")


def fair_deal(seed: bytes, nonces: Sequence[str]) -> Deal:
    """The deal of derivation 1, from a seed and the nonces by seat, empty for none.

    >>> from tichu.core.deals import format_deal
    >>> format_deal(fair_deal(bytes(32), ("", "c0ffee", "", ""))).split(" / ")[0]
    '4b4r7g7r9rJrAsDr+2r5g8gTbTrAb'

    :raises GameError: the seed or a nonce has not its form
    """
    _check_form(seed, nonces)
    return _shuffle(f"tichu deal {seed.hex()} {'/'.join(nonces)}")


def _check_form(seed: bytes, nonces: Sequence[str]) -> None:
    if len(seed) != SEED_BYTES:
        raise GameError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
    if len(nonces) != 4:
        raise GameError(f"there are four nonces, not {len(nonces)}")
    for seat, nonce in enumerate(nonces):
        if len(nonce) > _LONGEST_NONCE or not set(nonce) <= _HEX:
            raise GameError(f"the nonce of seat {seat} is at most {_LONGEST_NONCE} digits 0-9a-f, not {nonce[:80]!r}")


def _is_hash(text: str) -> bool:
    return len(text) == _HASH_DIGITS and set(text) <= _HEX


def _shuffle(text: str) -> Deal:
    cards = list(range(56))
    stream = _stream(text)
    for place in range(55, 0, -1):
        other = _below(place + 1, stream)
        cards[place], cards[other] = cards[other], cards[place]
    return deal_in_order(cards)


def _stream(text: str) -> Iterator[int]:
    return chain.from_iterable(hashlib.sha256(f"{text} {block}".encode("ascii")).digest() for block in count())


def _below(bound: int, stream: Iterator[int]) -> int:
    """A number below the bound, each with the same chance."""
    fair = 256 - 256 % bound
    return next(byte for byte in stream if byte < fair) % bound


class DealCheck(NamedTuple):
    """Whether a round of a record was dealt as the table had promised, and for whom that is proved."""

    #: Counted from 0.
    round: int
    #: None where the table promised nothing.
    commit: str | None
    #: What is wrong; None if the deal holds, or nothing was promised.
    error: str | None
    #: None where nothing was promised, or it could not be read.
    derivation: int | None = None
    #: By seat, None for a seat without a share; empty where the derivation knows no commitments to nonces.
    shares: tuple[Share | None, ...] = ()

    @property
    def unproved(self) -> tuple[int, ...]:
        """Seats that committed to a nonce which is not in the deal, or whose nonce is in it without a commitment."""
        return tuple(seat for seat, share in enumerate(self.shares) if share not in (None, "proved"))


def check_record(record: Record | Reading) -> Iterator[DealCheck]:
    """Deal every round again from the tags ``Commit``, ``Seed``, ``Nonces`` and ``NonceCommits``.

    They have a value for each round, and so has ``Derivation``; without it the derivation is the first.

    :raises NotationError: a tag has not one value a round
    """
    tags = dict(record.tags)
    rounds = len(record.rounds)
    for name in ("Derivation", *_TAGS):
        if name in tags and len(tags[name]) != rounds:
            raise NotationError(f"the tag {name} has {len(tags[name])} values for {rounds} rounds")
    nothing = (_NONE,) * rounds
    values = tuple(_Promise(*one) for one in zip(*(tags.get(name, nothing) for name in _TAGS), strict=True))
    derivations = tags.get("Derivation", tuple(_NONE if one.commit == _NONE else "1" for one in values))
    seen: dict[str, int] = {}
    for number, (one, promise, derivation) in enumerate(zip(record.rounds, values, derivations, strict=True)):
        commit = None if promise.commit == _NONE else promise.commit
        try:
            if isinstance(one, NotationError):
                raise one
            if commit is not None and seen.setdefault(commit, number) != number:
                # A seed that is known, and with it every nonce that was ever committed to under it.
                raise GameError(f"the commitment is that of round {seen[commit]}")
            shares = _check_round(one.deal, promise, derivation)
        except GameError as error:
            yield DealCheck(number, commit, str(error))
        else:
            yield DealCheck(number, commit, None, None if commit is None else int(derivation), shares)


class _Promise(NamedTuple):
    """The tags of one round."""

    commit: str
    seed: str
    nonces: str
    nonce_commits: str


def _check_round(deal: Deal, promise: _Promise, derivation: str) -> tuple[Share | None, ...]:
    if promise.commit == _NONE:
        if {*promise, derivation} != {_NONE}:
            raise GameError("a seed or nonces without a commitment")
        return ()
    if derivation not in ("1", "2"):
        raise GameError(f"no derivation {derivation[:80]!r}; there are 1 and 2")
    if promise.seed == _NONE:
        raise GameError("the seed was not shown")
    if not _is_hash(promise.seed):
        raise GameError(f"a seed is {2 * SEED_BYTES} digits 0-9a-f, not {promise.seed[:80]!r}")
    seed = bytes.fromhex(promise.seed)
    if commit_of(seed) != promise.commit:
        raise GameError(f"the seed has the hash {commit_of(seed)}, not the promised {promise.commit[:80]}")
    nonces = promise.nonces.split("/")
    if derivation == "1":
        if promise.nonce_commits != _NONE:
            raise GameError("derivation 1 has no commitments to nonces")
        if fair_deal(seed, nonces) != deal:
            raise GameError("another deal follows from the seed and the nonces")
        return ()
    commitments = promise.nonce_commits.split("/")
    if committed_deal(seed, commitments, nonces) != deal:
        raise GameError("another deal follows from the seed, the commitments and the nonces")
    return tuple(map(_share, commitments, nonces))


def _share(commitment: str, nonce: str) -> Share | None:
    if not commitment:
        return None
    if commitment.startswith(GIVEN_OPENLY):
        return "uncommitted"
    return "proved" if nonce else "unopened"
