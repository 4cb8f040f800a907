"""The core's answers to the questions of the suite; an answer is whatever JSON can hold.

A question is a JSON object: what is asked and, with the names of the case files, what it is asked about.  Only those
facts are asked for that any engine has: what is legal and what follows, not how a table shows it to its players.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from tichu.core.actions import CallTichu, format_action, parse_action
from tichu.core.cards import parse_cards, points_of
from tichu.core.combos import STACKED, format_combo, parse_combo, parse_table, readings
from tichu.core.deals import parse_deal
from tichu.core.errors import GameError, IllegalAction, NotationError
from tichu.core.match import Match
from tichu.core.phases import Phase
from tichu.core.round import Round
from tichu.core.rules import Rules
from tichu.core.scoring import Outcome

__all__ = ["ASKS", "Question", "answer", "legal_actions"]

Question = Mapping[str, Any]


def answer(question: Question) -> Any:
    """What the core says.

    >>> answer({"ask": "readings", "rules": "standard", "cards": "5s5b9g9rPh"})
    ['5s5bP59g9r', '5s5b9g9rP9']
    >>> answer({"ask": "points", "cards": "KsPh"})
    -15

    :raises GameError: the question makes no sense, as a position that cannot be
    """
    ask = question.get("ask")
    if ask not in ASKS:
        raise NotationError(f"no question {ask!r}; there are {', '.join(ASKS)}")
    return ASKS[ask](question)


def _rules(question: Question) -> Rules:
    return Rules.parse(question["rules"])


def _state(question: Question) -> Round:
    return Round.from_position(question["position"], _rules(question))


def _readings(question: Question) -> list[str]:
    has_stacked = _rules(question).stairs == "stacked"
    combos = readings(parse_cards(question["cards"]))
    return [format_combo(combo) for combo in combos if has_stacked or combo.kind not in STACKED]


def _beats(question: Question) -> bool:
    rules = _rules(question)
    play, top = parse_combo(question["play"]), parse_table(question["top"])
    for combo in (play, top):
        if combo.kind in STACKED and rules.stairs == "pairs":
            raise NotationError(f"{combo} is not a combination under {rules}")
    return play.beats(top, rules.equal_flush)


def legal_actions(state: Round) -> list[str]:
    """All that any seat may do now; ``2>`` stands for every exchange of three different cards of that hand.

    Unlike :meth:`Round.legal` this is the truth about the table, not what a seat may know: while one seat is asked to
    bomb (§7.2), the others can only call.
    """
    texts = []
    for seat in range(4):
        legal = state.legal(seat)
        is_waiting = state.phase is Phase.BOMB and seat not in state.pending
        if state.phase is Phase.EXCHANGE:
            texts.append(f"{seat}>")
            if legal.may_call:
                texts.append(f"{seat}+T")
            continue
        texts += [format_action(seat, action) for action in legal if not is_waiting or isinstance(action, CallTichu)]
    return texts


def _legal(question: Question) -> list[str]:
    return legal_actions(_state(question))


def _refusal(question: Question) -> str | None:
    state = _state(question)
    # Cards that are not a combination under any rules cannot be written as an action of ours.
    seat, action = _parse(question["action"])
    if action is None:
        return "NO_COMBINATION"
    try:
        state.after(seat, action)
    except IllegalAction as error:
        return error.reason.name
    return None


def _parse(text: str) -> tuple[int, Any]:
    try:
        return parse_action(text)
    except NotationError:
        if text[1:2] == ":" and text[:1] in "0123" and parse_cards(text[2:]):
            return int(text[0]), None
        raise


def _after(question: Question) -> str:
    """§10: with whatever the table then does by itself."""
    state = _state(question)
    state = state.after(*parse_action(question["action"]))
    while (decision := state.automatic()) is not None:
        state = state.after_unchecked(*decision)
    return str(state)


def _points(question: Question) -> int:
    return points_of(parse_cards(question["cards"]))


def _score(question: Question) -> list[int]:
    return list(_state(question).outcome.score)


def _round(question: Question) -> list[int]:
    state = Round.start(parse_deal(" / ".join(question["deal"])), _rules(question))
    for number, text in enumerate(question["actions"]):
        try:
            state = state.after_recorded(*parse_action(text))
        except IllegalAction as error:
            raise GameError(f"action {number}, {text}: {error.reason.value}") from None
    return list(state.outcome.score)


def _winner(question: Question) -> int | None:
    match = Match(_rules(question))
    for one in question["rounds"]:
        first, second = one["score"]
        match = match.after(Outcome((first, second), (0, 0), tuple(map(int, one["out"]))))
    return match.winner


ASKS: Final[dict[str, Callable[[Question], Any]]] = {
    "readings": _readings,
    "beats": _beats,
    "legal": _legal,
    "refusal": _refusal,
    "after": _after,
    "points": _points,
    "score": _score,
    "winner": _winner,
    "round": _round,
}
