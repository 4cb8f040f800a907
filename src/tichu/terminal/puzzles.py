"""A puzzle at a prompt: the table as the seat sees it, the answer, and then everything that there is to know.

Whoever solves sits at seat 0, as at a table of the terminal, wherever the seat of the puzzle was.
"""

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from tichu.analysis.puzzles import (
    Judgement,
    OpenLine,
    Puzzle,
    PuzzleCandidate,
    PuzzleProof,
    Theme,
    judge,
    position_of,
    question_of,
)
from tichu.core.actions import (
    CALL_GRAND,
    CALL_TICHU,
    DECLINE_BOMB,
    DECLINE_GRAND,
    PASS,
    Action,
    CallGrand,
    CallTichu,
    DeclineBomb,
    DeclineGrand,
    Exchange,
    Pass,
    Take,
    Wish,
    parse_action,
)
from tichu.core.cards import parse_cards
from tichu.core.combos import Combo
from tichu.core.errors import GameError, IllegalAction
from tichu.core.phases import Phase
from tichu.core.view import View
from tichu.terminal import screen
from tichu.terminal.prompts import (
    Command,
    Misread,
    Number,
    Typed,
    chosen_play,
    parse_gift,
    parse_play,
    parse_typed,
    parse_wish,
)
from tichu.terminal.words import (
    Look,
    card_text,
    cards_text,
    combo_text,
    kind_text,
    rank_text,
    refusal_text,
    seat_text,
    visible_width,
)

__all__ = ["ask", "judgement_lines", "puzzle_lines", "rotate_action", "rotate_view"]

_NAMES: Final = ("You", "Ben", "Cho", "Dov")
_TITLES: Final[dict[Theme, str]] = {
    "call": "Call or not?",
    "exchange": "What do you give?",
    "bomb": "Bomb now, or later?",
    "wish": "What do you wish for?",
    "gift": "Who gets the Dragon's trick?",
    "endgame": "The endgame: what do you play?",
    "lead": "What do you lead?",
    "follow": "What do you play, if anything?",
}
_CALLS: Final = (CallGrand, CallTichu)
_LINE_WIDTH: Final = screen.WIDTH - 6
_PROMPT: Final = "Your answer (a number, or what you do; q gives up): "
_T = TypeVar("_T")


def rotate_action(action: Action, by: int) -> Action:
    """An action of a table whose seats are numbered from another one."""
    if isinstance(action, Take) and action.recipient is not None:
        return Take((action.recipient + by) & 3)
    return action


def rotate_view(view: View) -> View:
    """The same view with the seat as seat 0."""
    by = -view.seat

    def turn(by_seat: Sequence[_T]) -> tuple[_T, ...]:
        return tuple(by_seat[(place - by) & 3] for place in range(4))

    def seat(number: int) -> int:
        return (number + by) & 3 if number >= 0 else number

    return view._replace(
        seat=0,
        pending=tuple(sorted(map(seat, view.pending))),
        counts=turn(view.counts),
        owner=seat(view.owner),
        points=turn(view.points),
        calls=turn(view.calls),
        out=tuple(map(seat, view.out)),
        given=turn(view.given),
        actor=seat(view.actor),
        history=tuple((seat(actor), rotate_action(action, by)) for actor, action in view.history),
    )


# Before the answer.


def puzzle_lines(puzzle: Puzzle, look: Look) -> list[str]:
    """What happened, the table, and the choices by number."""
    view = rotate_view(position_of(puzzle).view)
    title = f" Puzzle {puzzle.id} "
    line = look.draw("─")
    ours, theirs = screen.teams_text(_NAMES)
    score = f"{ours} {view.score[0]} : {view.score[1]} {theirs}"
    table = screen.table_lines(view, _NAMES, 1, look)[1:]
    lines = [line * 2 + look.strong(title) + line * (screen.WIDTH - 2 - len(title)), f"  {look.faint(score)}"]
    if any(not isinstance(action, (CallGrand, DeclineGrand)) for _, action in view.history):
        lines += screen.history_lines(view, _NAMES, look)
    lines += ["", *table, "", f"  {look.strong(_TITLES[puzzle.theme])}"]
    if screen.wish_owed(view):
        lines.append(f"  You hold what was wished for and must play it: {rank_text(view.wish)}.")
    choices = [parse_action(text)[1] for text in question_of(puzzle).choices]
    for number, action in enumerate(choices, start=1):
        # Where a rank is the answer, a number is one.
        sign = "-" if isinstance(action, Wish) else f"{number})"
        lines.append(f"  {sign} {_text(puzzle, action, look)}")
    return lines


def _text(puzzle: Puzzle, action: Action, look: Look) -> str:
    """An action in words."""
    if puzzle.theme == "call" and not isinstance(action, _CALLS):
        return "do not call"
    match rotate_action(action, -puzzle.seat):
        case CallGrand():
            return "call Grand Tichu"
        case CallTichu():
            return "call Tichu"
        case DeclineGrand():
            return "do not call"
        case DeclineBomb():
            return "do not bomb"
        case Pass():
            return "pass"
        case Wish(0):
            return "wish for nothing"
        case Wish(rank):
            return f"wish for {rank_text(rank)}"
        case Take(recipient):
            return "take the trick" if recipient is None else f"give it to {seat_text(recipient, _NAMES)}"
        case Exchange() as exchange:
            gifts = zip(exchange.cards, _NAMES[1:], strict=True)
            return ", ".join(f"{card_text(card, look)} to {name}" for card, name in gifts)
        case Combo() as combo:
            kind = "" if combo.size == 1 else f"  ({kind_text(combo)})"
            return f"{combo_text(combo, look)}{kind}"


def ask(puzzle: Puzzle, read: Callable[[str], str], write: Callable[[str], None]) -> Action | None:
    """Ask until there is a legal answer; None if somebody gives up."""
    view = position_of(puzzle).view
    choices = [parse_action(text)[1] for text in question_of(puzzle).choices]
    is_wish = view.phase is Phase.WISH
    prompt = "Your wish (2 to 10, J, Q, K, A or none; quit gives up): " if is_wish else _PROMPT
    # The Queen is a rank.
    leave = ("quit", "exit") if is_wish else ("q", "quit", "exit")
    while True:
        text = read(prompt).strip()
        if text.lower() in leave:
            return None
        if not text:
            # At a table Enter passes, or wishes for nothing; an answer that is judged is given on purpose.
            write(f"  Nothing was typed; {'none' if is_wish else 'pass'} is an answer too.")
            continue
        try:
            action = _parse_answer(text, puzzle, view, choices)
        except (Misread, GameError) as error:
            write(f"  {error}")
            continue
        refusal = view.legal().refusal(action)
        if refusal is None:
            return action
        write(f"  {refusal_text(refusal)}")


def _parse_answer(text: str, puzzle: Puzzle, view: View, choices: Sequence[Action]) -> Action:
    """A number among the choices, an action as it is written, or what one types at a table."""
    plain = text.lower()
    if view.phase is not Phase.WISH and plain.isascii() and plain.isdigit() and 1 <= int(plain[:4]) <= len(choices):
        return choices[int(plain) - 1]
    if text[:1] in ("0", "1", "2", "3") and text[1:2] in tuple(":>?!+-"):
        seat, action = parse_action(text)
        if seat != puzzle.seat:
            raise Misread(f"You have seat {puzzle.seat} in this puzzle, not {seat}.")
        return action
    if plain in ("y", "yes", "n", "no"):
        return _yes_or_no(plain[0] == "y", view, choices)
    match view.phase:
        case Phase.WISH:
            return Wish(parse_wish(text))
        case Phase.TAKE:
            return Take((parse_gift(text, _NAMES) + puzzle.seat) & 3)
        case Phase.EXCHANGE if plain not in ("t", "tichu"):
            typed = parse_typed(text)
            if len(typed.order) != 3:
                raise Misread("Three cards: for Ben (left), Cho (partner), Dov (right).")
            return Exchange(*typed.order)
    return _play(parse_play(text), view)


def _yes_or_no(is_yes: bool, view: View, choices: Sequence[Action]) -> Action:
    """Of two choices, one of which is to do something."""
    if view.phase is Phase.GRAND:
        return CALL_GRAND if is_yes else DECLINE_GRAND
    active = [action for action in choices if not isinstance(action, (Pass, DeclineBomb))]
    calls = [action for action in choices if isinstance(action, CallTichu)]
    if calls and len(choices) == 2:
        return CALL_TICHU if is_yes else next(action for action in choices if action != CALL_TICHU)
    if len(choices) == 2 and len(active) == 1:
        return active[0] if is_yes else next(action for action in choices if action != active[0])
    raise Misread("Please type a number, or what you play.")


def _play(entry: Command | Number | Typed, view: View) -> Action:
    match entry:
        case Number(value):
            raise Misread(f"There is no number {value} in the list; cards are written with their suit, as 7s.")
        case Typed():
            try:
                return chosen_play(view.legal(), entry)
            except IllegalAction as error:
                raise Misread(refusal_text(error.reason)) from None
        case Command.PASS:
            return DECLINE_BOMB if view.phase is Phase.BOMB else PASS
        case Command.TICHU:
            return CALL_GRAND if view.phase is Phase.GRAND else CALL_TICHU
        case _:
            raise Misread("Please type a number from the list, cards as 7s, or p to pass.")


# After it.


def judgement_lines(puzzle: Puzzle, judgement: Judgement | None, look: Look) -> list[str]:
    """Right or wrong, what the candidates are worth, why, and what the others held."""
    best = _text(puzzle, parse_action(puzzle.best)[1], look)
    lines = [f"  {look.strong(_verdict(judgement, best, look))}", ""]
    shown = judge(puzzle, puzzle.best) if judgement is None else judgement
    texts = [_text(puzzle, parse_action(each.action)[1], look) for each in shown.candidates]
    width = min(44, max(visible_width(text) for text in texts))
    for text, candidate in zip(texts, shown.candidates, strict=True):
        note = "  (the heuristic bot)" if candidate.action == puzzle.heuristic else ""
        gap = " " * (width - visible_width(text))
        lines.append(f"  {text}{gap}  {_worth(candidate)}{look.faint(note)}")
    lines += ["", *(f"  {line}" for line in _why(puzzle, look))]
    view = position_of(puzzle).view
    lines += ["", "  What the others held:"]
    for distance in (1, 2, 3):
        seat = (puzzle.seat + distance) & 3
        held = parse_cards(shown.hands[seat])
        if held and seat not in view.out:
            lines.append(f"    {seat_text(distance, _NAMES):16}{cards_text(held, look)}")
    played = _text(puzzle, parse_action(puzzle.played)[1], look)
    who = "people" if puzzle.origin == "people" else "bots"
    return [
        *lines,
        "",
        look.faint(f"  From a game of {who}: {puzzle.source}."),
        look.faint("  There the choice was: ") + played,
    ]


def _verdict(judgement: Judgement | None, best: str, look: Look) -> str:
    if judgement is None:
        return f"The answer: {best}"
    if judgement.is_right:
        return look.paint("Right!", fg="green", bold=True)
    unknown = "" if judgement.candidate is not None else " (your answer was not among those that were compared)"
    return f"{look.paint('No', fg='red', bold=True)}: {best} is better{unknown}."


def _error(error: float) -> str:
    """What was sampled has an error, if only a small one; what is proved has none."""
    return f" ± {error:.0f}" if error >= 0.5 else " ± < 1" if error else ""


def _worth(candidate: PuzzleCandidate) -> str:
    error = _error(candidate.points_error)
    points = f"{candidate.points:+.0f}{error} points"
    if not candidate.lost:
        return f"{points:18}best"
    return f"{points:18}{candidate.lost:.0f}{_error(candidate.lost_error)} less"


def _why(puzzle: Puzzle, look: Look) -> list[str]:
    """What was compared, and what differs."""
    lines = [f"After it {reason}." for reason in puzzle.reasons]
    if puzzle.proved:
        worlds = "the only possible world" if puzzle.worlds == 1 else f"each of the {puzzle.worlds} possible worlds"
        lines.append(f"Proved: with open hands nothing is better in {worlds}.")
        if puzzle.proof is not None:
            lines += _proof_lines(puzzle, puzzle.proof, look)
    else:
        lines.append(f"Checked in {puzzle.worlds:,} worlds that look the same to you.")
    return lines


def _proof_lines(puzzle: Puzzle, proof: PuzzleProof, look: Look) -> list[str]:
    """How much better, in how many worlds; and how the round goes on with the cards as they lay."""
    best, missed = (_short(puzzle, parse_action(text)[1], look) for text in (puzzle.best, puzzle.heuristic))
    if puzzle.worlds > 1:
        lines = [f"In all of them it is better than {missed}, by {proof.least} to {proof.most} points."]
        if proof.better < puzzle.worlds:
            lines = [f"In {proof.better} of them it is better than {missed}, by up to {proof.most} points;"]
            lines.append(f"in the other {puzzle.worlds - proof.better} it is as good.")
    else:
        lines = [f"There it is {proof.most} points better than {missed}."]
    lines.append("As the cards lay, with open hands:")
    for name, line in ((best, proof.best_line), (missed, proof.missed_line)):
        lines.append(f"  {name}: {line.points:+d} points{_goes_out(puzzle, line)}.")
        lines += [f"    {look.faint(part)}" for part in _line_parts(puzzle, line, look)]
    return lines


def _goes_out(puzzle: Puzzle, line: OpenLine) -> str:
    if line.next_out is None:
        return ""
    who = seat_text((line.next_out - puzzle.seat) & 3, _NAMES)
    return f", {who} {'go' if line.next_out == puzzle.seat else 'goes'} out next"


def _line_parts(puzzle: Puzzle, line: OpenLine, look: Look) -> list[str]:
    """The plays of a line without the passes, as they fit below each other."""
    found = [""]
    for seat, action in map(parse_action, line.actions.split()):
        if isinstance(action, (Pass, DeclineBomb)) or (isinstance(action, Take) and action.recipient is None):
            continue
        text = f"{_NAMES[(seat - puzzle.seat) & 3]} {_short(puzzle, action, look)}"
        longer = f"{found[-1]}, {text}" if found[-1] else text
        if visible_width(longer) > _LINE_WIDTH and found[-1]:
            found.append(text)
        else:
            found[-1] = longer
    return found


def _short(puzzle: Puzzle, action: Action, look: Look) -> str:
    """An action without the name of the combination."""
    return combo_text(action, look) if isinstance(action, Combo) else _text(puzzle, action, look)
