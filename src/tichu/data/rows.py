"""The rows of a game: every finished round is replayed, and a round that is wrong is left out and told."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from tichu.core.actions import Action, CallGrand, CallTichu, DeclineBomb, DeclineGrand, Exchange, Pass, Take, Wish
from tichu.core.cards import HIDDEN, Cards, format_card, format_cards, format_rank
from tichu.core.combos import Combo
from tichu.core.errors import GameError, NotationError
from tichu.core.match import Match
from tichu.core.phases import Call, Phase
from tichu.core.record import Reading, RoundRecord, replay
from tichu.core.round import Round
from tichu.data.columns import DecisionRow, GameRow, RoundRow, SeatRow

__all__ = ["GameTables", "SkippedRound", "game_row", "game_tables"]

_CALLS: Final = {Call.NONE: None, Call.TICHU: "tichu", Call.GRAND: "grand"}


class SkippedRound(NamedTuple):
    """A round that is not in the tables."""

    place: str
    #: None if not even the head of the game could be read.
    round: int | None
    reason: str
    #: A round that was not played to its end is not.
    is_wrong: bool = True

    def __str__(self) -> str:
        return (
            f"{self.place}: {self.reason}" if self.round is None else f"{self.place} round {self.round}: {self.reason}"
        )


class GameTables(NamedTuple):
    """A game's rows of each table, and what is missing."""

    games: list[GameRow]
    rounds: list[RoundRow]
    seats: list[SeatRow]
    decisions: list[DecisionRow]
    skipped: list[SkippedRound]


def game_tables(place: str, reading: Reading | NotationError, number: int = 0) -> GameTables:
    """The rows of one game; ``number`` is its place in the tables.

    A round whose record is wrong is left out.  The match goes on with what the record says of it, if it says anything.
    """
    tables = GameTables([], [], [], [], [])
    if isinstance(reading, NotationError):
        tables.skipped.append(SkippedRound(place, None, str(reading)))
        return tables
    match = Match(reading.rules)
    names = [_readable(name) for name in reading.seats]
    score = (0, 0)
    for at, one in enumerate(reading.rounds):
        try:
            if isinstance(one, NotationError):
                raise one
            if one.score is None:
                tables.skipped.append(SkippedRound(place, at, "unfinished", is_wrong=False))
                continue
            states = list(replay(one, reading.rules))
        except GameError as error:
            tables.skipped.append(SkippedRound(place, at, str(error)))
            if isinstance(one, RoundRecord) and one.score is not None:
                score = (score[0] + one.score[0], score[1] + one.score[1])
            continue
        told = _Round(number, at, one, states, score, names)
        tables.rounds.append(told.round_row())
        tables.seats.extend(told.seat_rows())
        tables.decisions.extend(told.decision_rows())
        match = match._replace(outcomes=(*match.outcomes, states[-1].outcome))
        score = (score[0] + one.score[0], score[1] + one.score[1])
    tables.games.append(game_row(number, place, names, match))
    return tables


def game_row(number: int, place: str, names: Sequence[str], match: Match) -> GameRow:
    """The row of the match."""
    first, second, third, fourth = names
    rounds = len(match.outcomes)
    return GameRow(
        number, _readable(place), str(match.rules), first, second, third, fourth, rounds, *match.score, match.winner
    )


def _readable(text: str) -> str:
    """Names in old logs and of files may have bytes that are no text."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


class _Round:
    """One round, played."""

    def __init__(
        self,
        game: int,
        number: int,
        one: RoundRecord,
        states: Sequence[Round],
        before: tuple[int, int],
        names: Sequence[str],
    ) -> None:
        self._key = (game, number)
        self._one = one
        self._states = states
        self._before = before
        self._names = names
        self._end = states[-1]
        self._outcome = states[-1].outcome
        self._played = list(zip(states, one.actions, strict=False))
        # What a decision tells of the end, by seat.
        self._ends = [(self._place(seat), self._made(seat), self._difference(seat)) for seat in range(4)]
        rules = self._end.rules
        self._may_be_automatic = rules.calls == "auto" or rules.dragon == "auto" or rules.bombs == "in-turn"

    def round_row(self) -> RoundRow:
        """What happened."""
        actions = [action for _, action in self._one.actions]
        combos = [action for action in actions if isinstance(action, Combo)]
        outcome = self._outcome
        return RoundRow(
            *self._key,
            *self._before,
            *outcome.score,
            *outcome.points,
            outcome.out[0],
            outcome.is_double_victory,
            len(combos),
            sum(isinstance(action, Pass) for action in actions),
            sum(combo.is_bomb for combo in combos),
            sum(state.top is None and isinstance(action, Combo) for state, (_, action) in self._played),
        )

    def seat_rows(self) -> list[SeatRow]:
        """What each player was dealt, gave, called and won."""
        hands = next(
            (state.hands for state in self._states if state.phase not in (Phase.GRAND, Phase.EXCHANGE)),
            self._end.hands,
        )
        return [self._seat_row(seat, hands[seat]) for seat in range(4)]

    def _seat_row(self, seat: int, hand: Cards) -> SeatRow:
        eight, six = self._one.deal[seat]
        own = [action for who, action in self._one.actions if who == seat]
        given = self._end.given
        gave = [_card(card) for card in given[seat]] or [None] * 3
        # LEFT, PARTNER and RIGHT sit 1, 2 and 3 seats on; LEFT gave to its RIGHT, and so on.
        got = [_card(given[(seat + on) & 3][3 - on]) if given[(seat + on) & 3] else None for on in (1, 2, 3)]
        return SeatRow(
            *self._key,
            seat=seat,
            name=self._names[seat],
            eight=format_cards(eight),
            dealt=format_cards(eight | six),
            hand=format_cards(hand),
            gave_left=gave[0],
            gave_partner=gave[1],
            gave_right=gave[2],
            got_left=got[0],
            got_partner=got[1],
            got_right=got[2],
            call=_CALLS[self._end.calls[seat]],
            made=self._made(seat),
            place=self._place(seat),
            points=self._end.points[seat],
            difference=self._difference(seat),
            bombs=sum(isinstance(action, Combo) and action.is_bomb for action in own),
            wish=next((_rank(action) for action in own if isinstance(action, Wish)), None),
        )

    def decision_rows(self) -> list[DecisionRow]:
        """What each player decided, in order."""
        rows = []
        for number, (state, (seat, action)) in enumerate(self._played):
            if isinstance(action, Take) and action.recipient is None:
                continue  # Nobody can do anything else.
            if self._may_be_automatic and (state.table_may(seat, action) or state.automatic() == (seat, action)):
                continue  # §10
            rows.append(self._decision_row(number, state, seat, action))
        return rows

    def _decision_row(self, number: int, state: Round, seat: int, action: Action) -> DecisionRow:
        """By place, not by name: there are very many of them."""
        one, two, three, four = seat, (seat + 1) & 3, seat ^ 2, (seat + 3) & 3
        hands, top, before = state.hands, state.top, self._before
        place, made, difference = self._ends[seat]
        calls = _seen_calls(state.calls, seat, state.phase is Phase.GRAND)
        return DecisionRow(
            *self._key,
            number,
            seat,
            _kind(state, seat, action),
            _cards(hands[seat]),
            str(action).removeprefix(":"),
            len(state.legal(seat)),
            None if top is None else str(top),
            None if top is None else state.owner,
            format_rank(state.wish) if state.wish else None,
            hands[one].bit_count(),
            hands[two].bit_count(),
            hands[three].bit_count(),
            hands[four].bit_count(),
            calls[one],
            calls[two],
            calls[three],
            calls[four],
            before[seat & 1],
            before[1 - (seat & 1)],
            place,
            made,
            difference,
        )

    def _place(self, seat: int) -> int:
        out = self._outcome.out
        if seat in out:
            return out.index(seat) + 1
        return 3 if self._outcome.is_double_victory else 4

    def _made(self, seat: int) -> bool | None:
        return None if self._end.calls[seat] is Call.NONE else seat == self._outcome.out[0]

    def _difference(self, seat: int) -> int:
        first, second = self._outcome.score
        return first - second if seat % 2 == 0 else second - first


@lru_cache(maxsize=1024)
def _seen_calls(calls: tuple[Call, ...], seat: int, are_hidden: bool) -> list[str | None]:
    """By seat. A Grand decision of somebody else that this seat cannot know yet is told as none."""
    return [None if are_hidden and who != seat else _CALLS[call] for who, call in enumerate(calls)]


@lru_cache(maxsize=1024)
def _cards(hand: Cards) -> str:
    """A hand stays the same for many decisions."""
    return format_cards(hand)


def _kind(state: Round, seat: int, action: Action) -> str:
    match action:
        case CallGrand() | DeclineGrand():
            return "grand"
        case Exchange():
            return "exchange"
        case CallTichu():
            return "tichu"
        case Wish():
            return "wish"
        case Take():
            return "gift"
        case DeclineBomb():
            return "bomb"
    if seat not in state.pending or state.actor >= 0:
        return "bomb"
    return "lead" if state.top is None else "follow"


def _card(card: int) -> str | None:
    return None if card == HIDDEN else format_card(card)


def _rank(wish: Wish) -> str:
    return format_rank(wish.rank) if wish.rank else "-"
