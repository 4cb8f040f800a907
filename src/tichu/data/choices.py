"""Two choices in the same deals: what a choice is worth, not what those are worth who make it.

Who gives the Dragon away has another hand than who keeps it, so what their rounds were worth does not tell whether
giving it is good.  Here both are done in every deal, and all else is equal.
"""

import warnings
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from tichu.core.actions import CALL_GRAND, DECLINE_GRAND, Action, CallGrand, CallTichu, DeclineGrand, Exchange
from tichu.core.cards import DRAGON, cards_of
from tichu.core.combos import Combo
from tichu.core.errors import GameError, NotationError
from tichu.core.record import Reading, replay
from tichu.core.round import Round
from tichu.data.jobs import batches
from tichu.data.rows import SkippedRound
from tichu.formats.sources import Paths, find_files

if TYPE_CHECKING:
    from tichu.analysis.rollouts import Start

__all__ = ["Choices", "calling_grand", "calling_tichu", "compare_choices", "giving_the_dragon"]

#: What a seat could do, one action after the other: a call and a play, or only the play.
Choice = Sequence[Action]
#: The state before a decision, the seat, and what it did from then on: two choices to compare, or None.
Choices = Callable[[Round, int, Sequence[Action]], tuple[Choice, Choice] | None]


def _warn(skipped: SkippedRound) -> None:
    warnings.warn(f"left out: {skipped}", stacklevel=2)


def compare_choices(
    paths: Paths, choices: Choices, *, most: int | None = None, report: Callable[[SkippedRound], None] = _warn
) -> list[tuple[int, float]]:
    """What the first of two choices is worth more than the second: each time the number of the game, and the points.

    ``choices`` is shown every decision in these games.  Where it names two choices, both are played on from there by
    the learned bot at all four seats, the cards lying as they lay; what counts is the difference of the scores from the
    seat's side.  Bombs out of turn are asked for in order (§7.2).  ``most`` stops after so many decisions.  The result
    is what :func:`~tichu.data.mean_by_game` takes.  ``report`` is told each file, game and round that is wrong and
    therefore left out; if it is not said they are warnings.

    :raises GameError: a choice is not legal
    """
    # The network is large, and only this asks it.
    from tichu.analysis.rollouts import play_on

    games: list[int] = []
    starts: list[Start] = []
    pairs = (
        (number, pair)
        for number, place, reading in _readings(paths, report)
        for pair in _pairs(place, reading, choices, report)
    )
    for number, pair in islice(pairs, most):
        games.append(number)
        starts += pair
    points = play_on(starts).points
    return [
        (number, float((1 if first.seat % 2 == 0 else -1) * (one - other)))
        for number, first, one, other in zip(games, starts[::2], points[::2], points[1::2], strict=True)
    ]


def giving_the_dragon(state: Round, seat: int, actions: Sequence[Action]) -> tuple[Choice, Choice] | None:
    """To give the partner the Dragon, or another card: the one that was given, or the highest left over."""
    match actions[0]:
        case Exchange(left, partner, right) if state.hands[seat] >> DRAGON & 1 and DRAGON not in (left, right):
            others = set(cards_of(state.hands[seat])) - {left, right, DRAGON}
            other = max(others) if partner == DRAGON else partner
            return [Exchange(left, DRAGON, right)], [Exchange(left, other, right)]
    return None


def calling_grand(state: Round, seat: int, actions: Sequence[Action]) -> tuple[Choice, Choice] | None:
    """To call Grand Tichu, or not."""
    return ([CALL_GRAND], [DECLINE_GRAND]) if isinstance(actions[0], CallGrand | DeclineGrand) else None


def calling_tichu(state: Round, seat: int, actions: Sequence[Action]) -> tuple[Choice, Choice] | None:
    """To call Tichu with one's first play or without a call to make the same play, for those who have called."""
    match actions:
        case [CallTichu() as call, Combo() as play, *_] if play in state.legal(seat):
            return [call, play], [play]
    return None


def _readings(paths: Paths, report: Callable[[SkippedRound], None]) -> Iterator[tuple[int, str, Reading]]:
    for batch in batches(find_files(paths)):
        for failure in batch.failures:
            report(failure)
        for number, game in enumerate(batch.games, start=batch.first):
            try:
                reading = game.read()
            except NotationError as error:
                report(SkippedRound(game.place, None, str(error)))
            else:
                yield number, game.place, reading


def _pairs(
    place: str, reading: Reading, choices: Choices, report: Callable[[SkippedRound], None]
) -> "Iterator[tuple[Start, Start]]":
    score = (0, 0)
    for number, one in enumerate(reading.rounds):
        if isinstance(one, NotationError):
            report(SkippedRound(place, number, str(one)))
            continue
        if one.score is None:
            continue
        try:
            states = list(replay(one, reading.rules))
        except GameError as error:
            report(SkippedRound(place, number, str(error)))
            states = []
        for at, (before, (seat, _)) in enumerate(zip(states, one.actions, strict=False)):
            state = before._replace(rules=reading.rules.sequential())
            following = [action for who, action in one.actions[at:] if who == seat]
            pair = choices(state, seat, following) if seat in state.pending else None
            if pair is not None:
                first, second = (_start(state, one.actions[:at], seat, choice, score) for choice in pair)
                yield first, second
        score = (score[0] + one.score[0], score[1] + one.score[1])


def _start(
    state: Round, account: tuple[tuple[int, Action], ...], seat: int, choice: Choice, score: tuple[int, int]
) -> "Start":
    from tichu.analysis.rollouts import Start, public_part

    *before, last = choice
    for action in before:
        state = state.after(seat, action)
        account = (*account, (seat, action))
    state.check(seat, last)
    return Start(state, public_part(account), seat, last, score)
