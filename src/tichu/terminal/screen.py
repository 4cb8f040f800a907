"""What the person sees: a view in, lines of text out, at most 80 columns wide."""

from collections.abc import Sequence
from typing import Final

from tichu.agents.suggestions import Group
from tichu.core.actions import CallTichu, Exchange, Pass, Take, Wish
from tichu.core.cards import DOG, DRAGON, MAH_JONG, PHOENIX, Card, Cards, format_card, points_of, rank_of
from tichu.core.combos import Combo
from tichu.core.deals import Deal
from tichu.core.match import Match
from tichu.core.phases import Call, Phase, partner_of
from tichu.core.plays import fulfils
from tichu.core.round import Round
from tichu.core.view import View
from tichu.terminal.words import (
    PERSON,
    Events,
    Look,
    card_text,
    cards_text,
    combo_text,
    event_text,
    in_hand_order,
    kind_text,
    ordinal,
    points_text,
    rank_text,
    seat_text,
    short_combo_text,
    trick_points,
    tricks,
    visible_width,
)

__all__ = [
    "WIDTH",
    "bomb_lines",
    "bombable_lines",
    "deal_lines",
    "hand_lines",
    "held_text",
    "history_lines",
    "result_lines",
    "score_lines",
    "suggestion_lines",
    "table_lines",
    "teams_text",
    "wish_owed",
]

WIDTH: Final = 80
_MARGIN: Final = "  "
_TITLE_WIDTH: Final = 11
# Everybody looks for a single; of the rest a line of each sort will do.
_SPARE_LINES: Final = {"Single": 1, "BOMB": 1}
_FACES: Final = {MAH_JONG: "Mah1", DOG: "Dog ", PHOENIX: "Phnx", DRAGON: "Drgn"}

Names = tuple[str, ...]


def table_lines(view: View, names: Names, round_number: int, look: Look) -> list[str]:
    """The whole table as the person sees it, their hand last."""
    left, partner, right = ((PERSON + distance) & 3 for distance in (1, 2, 3))
    done = _last_actions(view, look)
    middle = _middle(view, names, look)
    lines = [
        _header(view, names, round_number, look),
        _three("", _name(partner, view, names, look), ""),
        _three("", held_text(partner, view, look), ""),
        _three("", done[partner], ""),
        _three(_name(left, view, names, look), "", _name(right, view, names, look)),
        _three(held_text(left, view, look), middle[0], held_text(right, view, look)),
        _three(done[left], middle[1], done[right]),
        _three("", middle[2], ""),
        _three("", _own(view, names, done[PERSON], look), ""),
    ]
    if view.phase in (Phase.GRAND, Phase.EXCHANGE):
        lines = [line for line in lines if line]
    if view.wish:
        wished = look.paint(f" wish: {rank_text(view.wish)} ", fg="black", bg="yellow")
        lines.append(_three("", f"{wished} whoever can must play one", ""))
    return [*lines, *hand_lines(view.hand, look)]


def _header(view: View, names: Names, round_number: int, look: Look) -> str:
    goal = view.rules.goal
    aim = f"first to {goal.number}" if goal.kind == "target" else "one round decides"
    ours, theirs = teams_text(names)
    score = f" {ours} {view.score[0]} : {view.score[1]} {theirs} "
    left, right = f" Round {round_number} ", f" {aim} "
    start = (WIDTH - len(score)) // 2 - len(left) - 2
    end = WIDTH - len(score) - len(left) - len(right) - 4 - start
    line = look.draw("─")
    return f"{line * 2}{left}{line * start}{look.strong(score)}{line * end}{right}{line * 2}"


def teams_text(names: Names) -> tuple[str, str]:
    """The person's team, then the other."""
    return f"{names[PERSON]} & {names[partner_of(PERSON)]}", f"{names[PERSON + 1]} & {names[PERSON + 3]}"


def _three(left: str, middle: str, right: str) -> str:
    """A line with something at the left, in the middle and at the right."""
    width = WIDTH - 2 * len(_MARGIN)
    start = max((width - visible_width(middle)) // 2, visible_width(left) + 1) if middle else visible_width(left)
    line = left + " " * (start - visible_width(left)) + middle
    if right:
        line += " " * max(1, width - visible_width(line) - visible_width(right)) + right
    return (_MARGIN + line).rstrip()


def _name(seat: int, view: View, names: Names, look: Look) -> str:
    call = view.calls[seat]
    text = look.strong("You" if seat == PERSON else seat_text(seat, names))
    if call is None or call is Call.NONE:
        return text
    title = "TICHU" if call is Call.TICHU else "GRAND TICHU"
    return f"{text} {look.paint(f'[{title}]', fg='yellow', bold=True)}"


def _own(view: View, names: Names, done: str, look: Look) -> str:
    text = f"{_name(PERSON, view, names, look)}  {held_text(PERSON, view, look)}"
    return f"{text}{look.draw(' · ')}{done}" if done else text


def held_text(seat: int, view: View, look: Look) -> str:
    """``12 cards · 15 points``."""
    held = f"{view.counts[seat]} card{'' if view.counts[seat] == 1 else 's'}"
    if seat in view.out:
        held = f"out, {ordinal(view.out.index(seat) + 1)}"
    return look.draw(f"{held} · {points_text(view.points[seat])}")


def _last_actions(view: View, look: Look) -> list[str]:
    """What each seat did last in the trick in progress."""
    done = [""] * 4
    for seat, action in tricks(view.history)[-1]:
        match action:
            case Combo():
                done[seat] = _fit_combo(action, 34, look)
            case Pass():
                done[seat] = look.faint("pass")
            case _:
                pass
    return done


def _fit_combo(combo: Combo, width: int, look: Look) -> str:
    """The cards, written together if there is no room for blanks."""
    text = combo_text(combo, look)
    return text if visible_width(text) <= width else short_combo_text(combo, look)


def _middle(view: View, names: Names, look: Look) -> tuple[str, str, str]:
    """What lies on the table: by whom, the cards, the points."""
    if view.phase in (Phase.GRAND, Phase.EXCHANGE):
        return "", "", ""
    if view.top is None:
        leads = view.pending[0] if view.pending else -1
        lead = "you lead" if leads == PERSON else f"{names[leads]} leads" if leads >= 0 else ""
        return "", look.faint(lead), ""
    owner = "you" if view.owner == PERSON else names[view.owner]
    worth = points_of(view.played) - sum(view.points)
    cards = _fit_combo(view.top, 40, look)
    if view.top.cards == 1 << PHOENIX and view.top.rank > 1:
        cards += look.faint(f" (beats {rank_text(view.top.rank)})")
    kind = "" if view.top.size == 1 else f"{kind_text(view.top)} · "
    return (
        look.faint(f"to beat, by {owner}:"),
        f"[ {cards} ]",
        look.faint(look.draw(f"{kind}{points_text(worth)} in the trick")),
    )


def hand_lines(hand: Cards, look: Look) -> list[str]:
    """The cards in boxes, each with the letters to type below."""
    cards = in_hand_order(hand)
    if not cards:
        return []
    if not look.signs:
        faces = ["10" + format_card(card)[1] if rank_of(card) == 10 else format_card(card) for card in cards]
        return [f"{_MARGIN}Your hand:  " + "  ".join(faces)]
    top = "╭" + "┬".join(["────"] * len(cards)) + "╮"
    faces = [_face(card, look) for card in cards]
    bottom = "╰" + "┴".join(f"─{format_card(card)}─" for card in cards) + "╯"
    start = " " * ((WIDTH - len(top)) // 2)
    return [start + top, start + "│" + "│".join(faces) + "│", start + bottom]


def _face(card: Card, look: Look) -> str:
    """Four columns."""
    if card in _FACES:
        return look.paint(_FACES[card], fg="magenta", bold=True)
    text = card_text(card, look)
    return (" " if rank_of(card) != 10 else "") + text + " "


def suggestion_lines(found: Sequence[Group], look: Look) -> tuple[list[str], list[Combo]]:
    """For each sort of play as many as fit, and the plays in the order of their numbers."""
    lines: list[str] = []
    numbered: list[Combo] = []
    for group in found:
        title = group.title.ljust(_TITLE_WIDTH)
        line = _MARGIN + (look.paint(title, fg="red", bold=True) if group.title == "BOMB" else look.faint(title))
        spare = _SPARE_LINES.get(group.title, 0)
        for at, combo in enumerate(group.combos):
            left_out = len(group.combos) - at
            text = f"{look.strong(str(len(numbered) + 1))}) {_suggestion_text(combo, look)}  "
            # On the last line there must be room to say that there are more.
            room = WIDTH - (10 if left_out > 1 and not spare else 0)
            if at and visible_width(line + text) > room:
                if not spare:
                    line += look.faint(look.draw(f"… {left_out} more"))
                    break
                spare -= 1
                lines.append(line.rstrip())
                line = " " * (len(_MARGIN) + _TITLE_WIDTH)
            line += text
            numbered.append(combo)
        lines.append(line.rstrip())
    return lines, numbered


def _suggestion_text(combo: Combo, look: Look) -> str:
    return combo_text(combo, look) if combo.size == 1 else short_combo_text(combo, look)


def bomb_lines(bombs: Sequence[Combo], view: View, look: Look) -> list[str]:
    """The bombs in the hand."""
    if not bombs:
        return [f"{_MARGIN}You hold no bomb."]
    lines = []
    for bomb in bombs:
        beats = view.top is not None and bomb.beats(view.top, view.rules.equal_flush)
        note = look.faint("  beats the table") if beats else ""
        lines.append(f"{_MARGIN}{combo_text(bomb, look)}  ({kind_text(bomb).removeprefix('BOMB: ')}){note}")
    return lines


def bombable_lines(view: View, names: Names, look: Look) -> list[str]:
    """What the person is asked to bomb."""
    assert view.top is not None
    owner = "you" if view.owner == PERSON else seat_text(view.owner, names)
    worth = points_text(points_of(view.played) - sum(view.points))
    held = ", ".join(f"{names[seat]} {held_text(seat, view, look)}" for seat in (1, 2, 3))
    title = look.paint("You can bomb", fg="red", bold=True)
    return [
        "",
        f"{_MARGIN}{title} [ {combo_text(view.top, look)} ] by {owner}, {worth} in the trick.",
        f"{_MARGIN}{look.faint(held)}",
    ]


def wish_owed(view: View) -> bool:
    """Whether everything that this seat may do on its turn fulfils the wish (§6.2)."""
    if not view.wish or view.phase is not Phase.PLAY:
        return False
    legal = [action for action in view.legal() if not isinstance(action, CallTichu)]
    return all(isinstance(action, Combo) and fulfils(action, view.wish, view.rules) for action in legal)


def history_lines(view: View, names: Names, look: Look) -> list[str]:
    """What the person has seen of the round: the exchange, then one trick a paragraph."""
    lines = []
    for seat, action in view.history:
        if isinstance(action, Exchange) and (text := event_text(((seat, action),), names, look)):
            lines.append(_MARGIN + text)
    for number, trick in enumerate(filter(None, tricks(view.history)), start=1):
        lines += _wrap_steps(f"{number:3}. ", _steps(trick, names, look), look)
    return lines or [f"{_MARGIN}Nothing has happened yet."]


def _steps(trick: Events, names: Names, look: Look) -> list[str]:
    """The events of a trick, short."""
    steps = []
    for seat, action in trick:
        who = "You" if seat == PERSON else names[seat]
        match action:
            case Combo():
                steps.append(f"{who} {short_combo_text(action, look)}")
            case Pass():
                steps.append(look.faint(f"{who} -"))
            case CallTichu():
                steps.append(f"{who} {look.paint('TICHU', fg='yellow', bold=True)}")
            case Wish(rank):
                steps.append(f"wish {rank_text(rank) if rank else 'none'}")
            case Take(recipient):
                taker = who if recipient is None else f"{who}, given to {seat_text(recipient, names)}"
                steps.append(f"{look.draw('→')} {taker}: {points_text(trick_points(trick))}")
            case _:
                pass
    return steps


def _wrap_steps(head: str, steps: Sequence[str], look: Look) -> list[str]:
    """The steps behind a head, broken between steps."""
    lines = [head]
    for at, step in enumerate(steps):
        text = step if at == 0 else look.faint(look.draw(" · ")) + step
        if visible_width(lines[-1] + text) > WIDTH:
            lines.append(" " * len(head) + step)
        else:
            lines[-1] += text
    return lines


def result_lines(state: Round, match: Match, names: Names, look: Look) -> list[str]:
    """A round that is over: who was out when, what was left, the points.  Only now other hands may be seen."""
    outcome = state.outcome
    line = look.draw("─")
    title = f" Round {len(match.outcomes)} is over "
    lines = [line * 2 + look.strong(title) + line * (WIDTH - 2 - len(title))]
    order = ", ".join(f"{ordinal(at)} {_who(seat, names)}" for at, seat in enumerate(outcome.out, start=1))
    lines.append(f"{_MARGIN}Out: {order}")
    for seat, hand in enumerate(state.hands):
        if hand:
            lines.append(f"{_MARGIN}{'You' if seat == PERSON else names[seat]} kept {cards_text(hand, look)}")
    if not outcome.is_double_victory:
        last = 6 - sum(outcome.out)
        other = teams_text(names)[1 - (last - PERSON) % 2]
        lines.append(look.faint(f"{_MARGIN}This hand goes to {other}, these tricks to {_who(outcome.out[0], names)}."))
    ours, theirs = teams_text(names)
    lines += ["", _row("", ours, theirs)]
    if outcome.is_double_victory:
        lines.append(_row("Double victory", *map(str, outcome.points)))
    else:
        lines.append(_row("Card points", *map(str, outcome.points)))
    for seat, call in enumerate(state.calls):
        if call is not Call.NONE:
            title = f"{'Tichu' if call is Call.TICHU else 'Grand Tichu'}, {_who(seat, names)}"
            bonus = f"{call.stake if seat == outcome.out[0] else -call.stake:+}"
            lines.append(_row(title, *((bonus, "") if seat % 2 == PERSON % 2 else ("", bonus))))
    lines.append(_row("This round", *map(str, outcome.score)))
    lines.append(look.strong(_row("Match", *map(str, match.score))))
    return lines


def _who(seat: int, names: Names) -> str:
    return "you" if seat == PERSON else names[seat]


def _row(title: str, ours: str, theirs: str) -> str:
    return f"{_MARGIN}{title:26}{ours:>20}{theirs:>20}".rstrip()


def score_lines(match: Match, names: Names) -> list[str]:
    """The score sheet: every round and the sum."""
    lines = [_row("", *teams_text(names))]
    for number, outcome in enumerate(match.outcomes, start=1):
        title = f"Round {number}{' (double victory)' if outcome.is_double_victory else ''}"
        lines.append(_row(title, *map(_with_bonus, outcome.points, outcome.bonus)))
    return [*lines, _row("Match", *map(str, match.score))]


def _with_bonus(points: int, bonus: int) -> str:
    """``155 (55 +100)``."""
    return f"{points + bonus} ({points} {bonus:+})" if bonus else str(points)


def deal_lines(deal: Deal, names: Names, look: Look) -> list[str]:
    """All four hands as they were dealt; for a round that is over."""
    width = max(map(len, names)) + 2
    return [
        f"{_MARGIN}{_who(seat, names).ljust(width)}{cards_text(eight | six, look)}"
        for seat, (eight, six) in enumerate(deal)
    ]
