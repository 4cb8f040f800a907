"""Deals that can be checked: nobody at the table, and not the table itself, chose the cards.

Before a round the table draws a seed and shows its hash, the commitment.  Then each seat may give a nonce.  The deal
follows from the seed and the nonces; after the round the seed is shown, and whoever kept the commitment and their
own nonce can do the sum again.  The table cannot change its mind after it has heard the nonces, and a player cannot aim
without the seed.  Only a table in league with the player who gives the last nonce could still try several: whoever
fears that gives a nonce last.

**The commitment** is the SHA-256 of the seed's 32 bytes, hexadecimal.

**The deal** needs bytes.  Block *i* (0, 1, 2, ...) is the SHA-256 of the ASCII text ``tichu deal SEED A/B/C/D i`` with
the seed as 64 lower hexadecimal digits, the nonces of seats 0 to 3 as they were given (an absent one is empty), and *i*
in decimal.  The bytes of block 0, then those of block 1 and so on are used one at a time:

1. Write the cards as Ma Do Ph Dr, then 2s 2b 2g 2r 3s 3b ... Ag Ar; the places are 0 to 55.
2. For *place* = 55, 54, ... 1: take the next byte, and as long as it is not below the greatest multiple of *place* + 1
   that is at most 256, the one after it.  Its remainder by *place* + 1 is the place to exchange cards with.
3. Deal from place 0 on: eight cards to seat 0, to 1, to 2, to 3, then six to each of them.

A byte that would favour some places is passed over, so each order of the cards has the same chance.
"""

import hashlib
from collections.abc import Iterator, Sequence
from itertools import chain, count
from typing import Final, NamedTuple

from tichu.core.deals import Deal, deal_in_order
from tichu.core.errors import GameError, NotationError
from tichu.core.record import Reading, Record

__all__ = ["SEED_BYTES", "DealCheck", "check_record", "commit_of", "fair_deal"]

SEED_BYTES: Final = 32

_LONGEST_NONCE: Final = 64
_HEX: Final = frozenset("0123456789abcdef")
_TAGS: Final = ("Commit", "Seed", "Nonces")
#: What stands in a tag for a round that has no such thing, as a given deal.
_NONE: Final = "-"


def commit_of(seed: bytes) -> str:
    """What the table shows before it hears the nonces.

    >>> commit_of(bytes(32))[:16]
    '66687aadf862bd77'
    """
    return hashlib.sha256(seed).hexdigest()


def fair_deal(seed: bytes, nonces: Sequence[str]) -> Deal:
    """The deal that follows from a seed and the nonces by seat, empty for none.

    >>> from tichu.core.deals import format_deal
    >>> format_deal(fair_deal(bytes(32), ("", "c0ffee", "", ""))).split(" / ")[0]
    '4b4r7g7r9rJrAsDr+2r5g8gTbTrAb'

    :raises GameError: the seed or a nonce has not its form
    """
    if len(seed) != SEED_BYTES:
        raise GameError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
    if len(nonces) != 4:
        raise GameError(f"there are four nonces, not {len(nonces)}")
    for seat, nonce in enumerate(nonces):
        if len(nonce) > _LONGEST_NONCE or not set(nonce) <= _HEX:
            raise GameError(f"the nonce of seat {seat} is at most {_LONGEST_NONCE} digits 0-9a-f, not {nonce[:80]!r}")
    cards = list(range(56))
    stream = _stream(f"tichu deal {seed.hex()} {'/'.join(nonces)}")
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
    """Whether a round of a record was dealt as the table had promised."""

    #: Counted from 0.
    round: int
    #: None where the table promised nothing.
    commit: str | None
    #: What is wrong; None if the deal holds, or nothing was promised.
    error: str | None


def check_record(record: Record | Reading) -> Iterator[DealCheck]:
    """Deal every round again from the tags ``Commit``, ``Seed`` and ``Nonces``, which have a value for each round.

    :raises NotationError: a tag has not one value a round
    """
    tags = dict(record.tags)
    rounds = len(record.rounds)
    for name in _TAGS:
        if name in tags and len(tags[name]) != rounds:
            raise NotationError(f"the tag {name} has {len(tags[name])} values for {rounds} rounds")
    nothing = (_NONE,) * rounds
    values = zip(*(tags.get(name, nothing) for name in _TAGS), strict=True)
    for number, (one, (commit, seed, nonces)) in enumerate(zip(record.rounds, values, strict=True)):
        promised = None if commit == _NONE else commit
        try:
            if isinstance(one, NotationError):
                raise one
            _check_round(one.deal, promised, seed, nonces)
        except GameError as error:
            yield DealCheck(number, promised, str(error))
        else:
            yield DealCheck(number, promised, None)


def _check_round(deal: Deal, commit: str | None, seed_text: str, nonces: str) -> None:
    if commit is None:
        if (seed_text, nonces) != (_NONE, _NONE):
            raise GameError("a seed or nonces without a commitment")
        return
    if seed_text == _NONE:
        raise GameError("the seed was not shown")
    if len(seed_text) != 2 * SEED_BYTES or not set(seed_text) <= _HEX:
        raise GameError(f"a seed is {2 * SEED_BYTES} digits 0-9a-f, not {seed_text[:80]!r}")
    seed = bytes.fromhex(seed_text)
    if commit_of(seed) != commit:
        raise GameError(f"the seed has the hash {commit_of(seed)}, not the promised {commit[:80]}")
    if fair_deal(seed, nonces.split("/")) != deal:
        raise GameError("another deal follows from the seed and the nonces")
