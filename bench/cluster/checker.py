"""Whether a history can have been that of one truth.

For every table: its entries are numbered from 1 without a gap and each number was written once; an epoch has one owner,
a new owner a higher epoch, and nobody else wrote in it; what was acknowledged is there, once, as it was said and in
that order; what was refused is not there; and no command was answered in two ways.  An entry may be rewritten, to name
somebody otherwise: by the owner too, and it stays what it was.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple, TypeAlias, TypeVar

from bench.cluster.history import Answer, Claim, History, Written

__all__ = ["Fault", "Verdict", "check"]


class Fault(NamedTuple):
    """What must not be."""

    kind: str
    table: str
    words: str

    def __str__(self) -> str:
        return f"{self.kind} at table {self.table}: {self.words}"


class Verdict(NamedTuple):
    """What was looked at and what was found."""

    tables: int
    entries: int
    epochs: int
    acknowledged: int
    refused: int
    faults: list[Fault]

    def lines(self) -> list[str]:
        """For people."""
        kinds = Counter(fault.kind for fault in self.faults)
        found = ", ".join(f"{number} x {kind}" for kind, number in sorted(kinds.items())) or "nothing is wrong"
        return [
            f"  checked    {self.entries} entries of {self.tables} tables in {self.epochs} epochs, "
            f"{self.acknowledged} acknowledgements and {self.refused} refusals: {found}",
            *(f"  ! {fault}" for fault in self.faults[:10]),
        ]


def check(history: History) -> Verdict:
    """Look at every table."""
    written = _by_table(history.written)
    claims = _by_table(history.claims)
    answers = _by_table(history.answers)
    faults: list[Fault] = []
    for table in sorted(written.keys() | claims.keys() | answers.keys()):
        everything = sorted(written.get(table, []), key=attrgetter("order"))
        entries = [entry for entry in everything if not entry.is_rewritten]
        owned = sorted(claims.get(table, []), key=attrgetter("order"))
        found = (
            *_numbers(entries),
            *_epochs(owned),
            *_writers(everything, owned, history.sessions),
            *_rewritten(everything),
            *_answers(answers.get(table, []), entries),
        )
        faults += [Fault(kind, table, words) for kind, words in found]
    kinds = Counter(answer.kind for answer in history.answers)
    epochs = len({(claim.table, claim.epoch) for claim in history.claims})
    entries_in_all = sum(not entry.is_rewritten for entry in history.written)
    return Verdict(len(written), entries_in_all, epochs, kinds["ack"], kinds["refused"], faults)


_Found: TypeAlias = Iterator[tuple[str, str]]
_One = TypeVar("_One", Written, Claim, Answer)


def _by_table(some: Iterable[_One]) -> dict[str, list[_One]]:
    ordered = sorted(some, key=attrgetter("table"))  # Stable: the order within a table stays.
    return {table: list(group) for table, group in groupby(ordered, key=attrgetter("table"))}


def _numbers(entries: Sequence[Written]) -> _Found:
    expected = 1
    seen: dict[int, Written] = {}
    for entry in entries:
        if (first := seen.get(entry.number)) is not None:
            was = "the same" if (first.command, first.action) == (entry.command, entry.action) else "something else"
            yield "double", f"entry {entry.number} was written by {first.writer} and again, {was}, by {entry.writer}"
        elif entry.number != expected:
            yield "gap", f"entry {entry.number} came where {expected} was due"
        seen.setdefault(entry.number, entry)
        expected = max(expected, entry.number + 1)


def _rewritten(entries: Sequence[Written]) -> _Found:
    there: dict[int, Written] = {}
    for entry in entries:
        if not entry.is_rewritten:
            there.setdefault(entry.number, entry)
            continue
        was = there.get(entry.number)
        if was is None:
            yield "gap", f"entry {entry.number} was rewritten by {entry.writer} before it was written"
        elif (was.command, was.action) != (entry.command, entry.action):
            words = f"entry {entry.number} was {was.action or 'no action'} and was rewritten by {entry.writer} as"
            yield "overwritten", f"{words} {entry.action or 'no action'}"


def _epochs(claims: Sequence[Claim]) -> _Found:
    owners: dict[int, str] = {}
    last = -1
    for claim in claims:
        if not claim.owner:
            continue
        owner = owners.setdefault(claim.epoch, claim.owner)
        if owner != claim.owner:
            yield "two owners", f"epoch {claim.epoch} belongs to {owner} and to {claim.owner}"
        elif claim.epoch < last:
            yield "epoch", f"epoch {claim.epoch} of {claim.owner} came after {last}"
        last = max(last, claim.epoch)


def _writers(entries: Sequence[Written], claims: Sequence[Claim], sessions: dict[str, str]) -> _Found:
    """Who wrote, and whether the table was theirs: by its row at that moment, and by the claims before."""
    latest = iter(claims)
    coming = next(latest, None)
    current: Claim | None = None
    for entry in entries:
        while coming is not None and coming.order < entry.order:
            current, coming = coming, next(latest, None)
        owner, epoch = (entry.owner, entry.epoch) if current is None else (current.owner, current.epoch)
        session = sessions.get(owner, "")
        if session != entry.writer:
            whose = f"{owner} ({session or 'of no known session'})" if owner else "nobody"
            words = f"entry {entry.number} was written by {entry.writer} in epoch {epoch}, which is that of {whose}"
            yield "stale writer", words


def _answers(answers: Sequence[Answer], entries: Sequence[Written]) -> _Found:
    stored: dict[str, list[Written]] = {}
    for entry in entries:
        if entry.command:
            stored.setdefault(entry.command, []).append(entry)
    for command, found in stored.items():
        if len(found) > 1:
            yield "doubled", f"command {command} is behind the entries {[entry.number for entry in found]}"
    told: dict[str, Answer] = {}
    last = 0
    for answer in answers:
        if (first := told.get(answer.command)) is not None:
            if (first.kind, first.result) != (answer.kind, answer.result):
                was, now = f"{first.kind} {first.result}", f"{answer.kind} {answer.result}"
                yield "contradiction", f"command {answer.command} was answered {was!r} and then {now!r}"
            continue
        told[answer.command] = answer
        there = stored.get(answer.command)
        if answer.kind == "refused":
            if there:
                words = f"command {answer.command} was refused ({answer.result}) and is entry {there[0].number}"
                yield "refused and stored", words
        elif not there:
            yield "lost", f"command {answer.command} ({answer.action or 'no action'}) was acknowledged and is not there"
        else:
            if answer.action and there[0].action != answer.action:
                words = f"command {answer.command} was acknowledged as {answer.action}, and entry {there[0].number} is"
                yield "overwritten", f"{words} {there[0].action or 'no action'}"
            if there[0].number < last:
                yield "order", f"command {answer.command} is entry {there[0].number}, after {last} was acknowledged"
            last = max(last, there[0].number)
