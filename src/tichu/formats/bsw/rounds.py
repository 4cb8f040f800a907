"""One round of a BrettspielWelt log: the lines played through with the rules, so that what they leave out is known."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from tichu.core.actions import (
    CALL_GRAND,
    CALL_TICHU,
    DECLINE_GRAND,
    NO_WISH,
    PASS,
    TAKE,
    Action,
    Exchange,
    Take,
    Wish,
    format_action,
)
from tichu.core.cards import ALL_CARDS, DRAGON, PHOENIX, Cards, format_cards, rank_of
from tichu.core.combos import Combo, format_combo, readings
from tichu.core.deals import Deal
from tichu.core.errors import IllegalAction, NotationError, Reason
from tichu.core.phases import Phase
from tichu.core.record import RoundRecord
from tichu.core.round import Round
from tichu.formats.bsw.lines import SECTIONS, SILENT, Line, LineKind
from tichu.formats.bsw.writing import BSW_RULES, bomb_holders

__all__ = ["read_round"]

#: The number of a line and what the log could not tell there.
Remark = tuple[int, str]

_SECTIONS: Final = (None, *SECTIONS.values())
#: Lines that are not steps of the play.
_ASIDE: Final = (*SILENT, LineKind.TICHU, LineKind.GRAND, LineKind.BOMBS)


def read_round(lines: Sequence[Line]) -> tuple[RoundRecord, tuple[int, int] | None, list[Remark]]:
    """Read a round from the lines that belong to it, with the score that follows from its actions.

    :raises NotationError: with the line
    """
    opening, rest = _read_opening(lines)
    tries = [_Table(opening)]
    tries[0].play(rest)
    # There is but one Phoenix, so no more than one play can have several readings.
    for choice in range(1, len(tries[0].choices)):
        tries.append(_Table(opening, choice))
        tries[-1].play(rest)
    good = [table for table in tries if table.error is None]
    if not good:
        farthest = max(tries, key=lambda table: len(table.actions))
        assert farthest.error is not None
        raise farthest.error
    best = good[0]
    remarks = [*best.remarks]
    remarks += [
        (line.number, f"told before, read once: {line.text!r}") for line in lines if line.kind is LineKind.DOUBLED
    ]
    if len(good) > 1:
        ways = " or ".join(format_combo(table.choices[table.choice]) for table in good)
        remarks.append((best.chosen_at, f"the Phoenix can be either, {ways}: read as the first"))
    if best.score is None:
        state = "over, but has no result" if best.state.is_over else "not finished"
        remarks.append((lines[-1].number, f"the log of the round ends here; it is {state}"))
    score = best.state.outcome.score if best.state.is_over else None
    return RoundRecord(opening.deal, tuple(best.actions), best.score), score, remarks


def _error(line: Line, reason: str) -> NotationError:
    text = line.text if len(line.text) <= 80 else f"{line.text[:80]}..."
    return NotationError(f"line {line.number}: {reason}: {text!r}")


# Before the first lead.


@dataclass
class _Opening:
    """What a log tells before the first lead."""

    section: LineKind | None = None
    #: The lines by section and seat.
    lines: dict[LineKind, dict[int, Line]] = field(
        default_factory=lambda: {LineKind.EIGHTS: {}, LineKind.HANDS: {}, LineKind.GIFTS: {}}
    )
    grand: set[int] = field(default_factory=set)
    #: Tichu calls before the exchange, and after it.
    early: list[Line] = field(default_factory=list)
    late: list[Line] = field(default_factory=list)
    bombs: list[Line] = field(default_factory=list)
    deal: Deal = ()

    @property
    def gifts(self) -> dict[int, Line]:
        return self.lines[LineKind.GIFTS]

    def read(self, line: Line) -> None:
        """Take in one line.

        :raises NotationError: it does not belong here
        """
        if line.kind in (LineKind.UNKNOWN, LineKind.CUT):
            raise _error(line, line.fault)
        if line.kind in _SECTIONS:
            self._open(line)
        elif self.section is None and line.kind not in SILENT:
            raise _error(line, "a round starts with its cards, not with this")
        elif line.kind in (LineKind.HAND, LineKind.GIFT):
            self._add(line)
        elif line.kind is LineKind.GRAND:
            self.grand.add(line.seat)
        elif line.kind is LineKind.TICHU:
            (self.late if len(self.gifts) == 4 else self.early).append(line)
        elif line.kind is LineKind.BOMBS and len(self.gifts) == 4:
            self.bombs.append(line)
        elif line.kind not in SILENT:
            raise _error(line, "this comes too early in the round")

    def _open(self, line: Line) -> None:
        following = _SECTIONS[_SECTIONS.index(self.section) + 1]
        if line.kind is not following:
            raise _error(line, "this section is out of place")
        if self.section is not None and len(self.lines[self.section]) < 4:
            raise _error(line, f"only {len(self.lines[self.section])} of four seats before this")
        if self.section is LineKind.HANDS:
            self.deal = self._deal()
        self.section = line.kind

    def _add(self, line: Line) -> None:
        assert self.section is not None
        seats = self.lines[self.section]
        if line.seat in seats:
            raise _error(line, f"seat {line.seat} again")
        seats[line.seat] = line

    def finish(self, last: Line) -> None:
        """No more lines before the first lead."""
        if len(self.lines[LineKind.HANDS]) < 4:
            raise _error(last, "the round breaks off before all cards are dealt")
        self.deal = self.deal or self._deal()

    def _deal(self) -> Deal:
        deal = []
        dealt = 0
        for seat in range(4):
            eight = _set_of(self.lines[LineKind.EIGHTS][seat])
            line = self.lines[LineKind.HANDS][seat]
            hand = _set_of(line)
            if dealt & hand:
                raise _error(line, f"{format_cards(dealt & hand)} dealt before")
            if eight & ~hand:
                raise _error(line, f"{format_cards(eight & ~hand)} missing, dealt among the first eight cards")
            dealt |= hand
            deal.append((eight, hand & ~eight))
        assert dealt == ALL_CARDS
        return tuple(deal)


def _set_of(line: Line) -> Cards:
    cards = 0
    for card in line.cards:
        if cards >> card & 1:
            raise _error(line, f"{format_cards(1 << card)} twice")
        cards |= 1 << card
    return cards


def _read_opening(lines: Sequence[Line]) -> tuple[_Opening, Sequence[Line]]:
    """What comes before the first lead, and the lines after it."""
    if all(line.kind is LineKind.BLANK for line in lines):
        raise NotationError("line 1: the file is empty")
    opening = _Opening()
    for at, line in enumerate(lines, start=1):
        opening.read(line)
        if opening.section is LineKind.PLAYS:
            return opening, lines[at:]
    opening.finish(lines[-1])
    return opening, ()


# From the first lead on.


@dataclass
class _Table:
    """A round being played from its log."""

    opening: _Opening
    #: Which reading to take of a Phoenix that can be read in several ways.
    choice: int = 0
    choices: tuple[Combo, ...] = ()
    chosen_at: int = 0
    actions: list[tuple[int, Action]] = field(default_factory=list)
    score: tuple[int, int] | None = None
    remarks: list[Remark] = field(default_factory=list)
    #: Why the round cannot be read to its end.
    error: NotationError | None = None
    #: The owner of a Dragon's trick has passed to take it, and who gets it comes next.
    taken_at: Line | None = None

    def __post_init__(self) -> None:
        opening = self.opening
        self.state = Round.start(opening.deal, BSW_RULES)
        # Who has not called has declined, once the log goes on; before that nobody knows.
        is_decided = opening.section is not LineKind.HANDS or bool(opening.early)
        for seat in range(4):
            if seat in opening.grand:
                self._do(seat, CALL_GRAND)
            elif is_decided:
                self._do(seat, DECLINE_GRAND)
        for line in opening.early:
            self._try(line, line.seat, CALL_TICHU)
        for _, line in sorted(opening.gifts.items()):
            self._try(line, line.seat, Exchange(*line.cards))
        self.bomb_holders = bomb_holders(self.state.hands)
        for line in (*opening.bombs, *opening.late):
            self._step(line)

    def play(self, lines: Sequence[Line]) -> None:
        """Play the lines; where that ends too early, there is an error."""
        next_steps: list[Line | None] = [None]
        for line in reversed(lines):
            next_steps.append(next_steps[-1] if line.kind in _ASIDE else line)
        try:
            for line, next_step in zip(lines, reversed(next_steps), strict=False):
                if line.kind in (LineKind.UNKNOWN, LineKind.CUT):
                    raise _error(line, line.fault)
                if line.kind not in SILENT:
                    self._settle(line, next_step)
                    self._step(line)
            if lines:
                self._settle(lines[-1], None)
        except NotationError as error:
            self.error = error
        if self.taken_at is not None:
            self._untake()

    def _do(self, seat: int, action: Action) -> None:
        self.state = self.state.after(seat, action)
        self.actions.append((seat, action))

    def _try(self, line: Line, seat: int, action: Action) -> None:
        try:
            self._do(seat, action)
        except IllegalAction as error:
            raise _error(line, f"{format_action(seat, action)}: {error.reason.value}") from None

    def _settle(self, line: Line, next_step: Line | None) -> None:
        """Do what has no line of its own; ``next_step`` is the next step of the play that has one."""
        phase = self.state.phase
        if phase is Phase.WISH and next_step is not None and next_step.kind is not LineKind.WISH:
            self._try(line, self.state.owner, NO_WISH)
        elif phase is Phase.TAKE and self._takes_without_line() and not self._comes_before_take(next_step):
            self._try(line, self.state.owner, TAKE)

    def _takes_without_line(self) -> bool:
        return self.taken_at is not None or not self.state.hands[self.state.owner]

    def _is_dragon_trick(self) -> bool:
        return self.state.top is not None and self.state.top.cards == 1 << DRAGON

    def _comes_before_take(self, next_step: Line | None) -> bool:
        if next_step is None:
            return self._is_dragon_trick()
        if next_step.kind is LineKind.PLAY:
            # A bomb can be thrown on the trick; but who is to lead next leads with it.
            return _is_bomb(next_step) and (self._is_dragon_trick() or next_step.seat != self._next_leader())
        return next_step.kind is LineKind.DRAGON or (
            next_step.kind is LineKind.PASS and next_step.seat == self.state.owner
        )

    def _next_leader(self) -> int:
        seat = self.state.owner
        while not self.state.hands[seat]:
            seat = BSW_RULES.next_seat(seat)
        return seat

    def _untake(self) -> None:
        assert self.taken_at is not None
        self.remarks.append((self.taken_at.number, "the Dragon's trick is taken and not given: the take is left out"))
        self.taken_at = None

    def _step(self, line: Line) -> None:
        state = self.state
        match line.kind:
            case LineKind.PLAY:
                self._try(line, line.seat, self._reading(line))
                if self.taken_at is not None:
                    self._untake()
            case LineKind.PASS if state.phase is Phase.TAKE and line.seat == state.owner:
                if self._is_dragon_trick():
                    self.taken_at = line
                else:
                    self._try(line, line.seat, TAKE)
            case LineKind.PASS:
                self._try(line, line.seat, PASS)
            case LineKind.DRAGON | LineKind.WISH if state.is_over:
                self.remarks.append((line.number, f"left out, the round is over: {line.text!r}"))
            case LineKind.DRAGON:
                giver = state.owner if state.phase is Phase.TAKE else (line.seat + 1) & 3
                self._try(line, giver, Take(line.seat))
                self.taken_at = None
            case LineKind.WISH:
                self._try(line, state.pending[0], Wish(*line.numbers))
            case LineKind.TICHU:
                self._try(line, line.seat, CALL_TICHU)
            case LineKind.GRAND:
                self._try(line, line.seat, CALL_GRAND)
            case LineKind.BOMBS:
                if line.numbers != self.bomb_holders:
                    held = " ".join(map(str, self.bomb_holders)) or "nobody"
                    self.remarks.append((line.number, f"after the exchange {held} holds a bomb, not: {line.text!r}"))
            case LineKind.RESULT:
                self._end(line)
            case _:
                raise _error(line, "this section is out of place")

    def _end(self, line: Line) -> None:
        if not self.state.is_over:
            raise _error(line, "a result, but the round is not over")
        score = line.numbers[0], line.numbers[1]
        if line.fault and score != self.state.outcome.score:
            raise _error(line, line.fault)
        self.score = score

    def _reading(self, line: Line) -> Combo:
        """The combination that is played; where the Phoenix leaves it open, the one that is to be tried."""
        cards = _set_of(line)
        if cards & ~self.state.hands[line.seat]:
            raise _error(line, Reason.NOT_IN_HAND.value)
        combos = readings(cards)
        combos = tuple(combo for combo in combos if _is_falling(line, combo)) or combos
        if not combos:
            raise _error(line, Reason.NO_COMBINATION.value)
        if len(combos) == 1:
            return combos[0]
        legal = self.state.legal(line.seat)
        self.choices = tuple(combo for combo in reversed(combos) if combo in legal) or combos[:1]
        self.chosen_at = line.number
        return self.choices[self.choice]


def _is_falling(line: Line, combo: Combo) -> bool:
    """Whether the cards are written from the highest to the lowest if they are read so."""
    ranks = [combo.phoenix if card == PHOENIX else rank_of(card) for card in line.cards]
    return ranks == sorted(ranks, reverse=True)


def _is_bomb(line: Line) -> bool:
    return any(combo.is_bomb for combo in readings(sum(1 << card for card in set(line.cards))))
