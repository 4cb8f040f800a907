"""``tichu ask``: what a bot would do in a position, and why."""

import json
import re
from collections.abc import Sequence
from typing import Any

import click

from tichu.agents.base import Choice
from tichu.agents.reasons import REASONS, in_words
from tichu.agents.registry import make_agent
from tichu.cli.history import check_history
from tichu.cli.options import BOTS, PositionCommand, json_option, position_argument, rules_option
from tichu.cli.typed import BOT, typed
from tichu.core.actions import format_action, parse_action
from tichu.core.errors import GameError, NotationError
from tichu.core.position import format_view, parse_view
from tichu.core.round import Round
from tichu.core.rules import Rules
from tichu.core.view import View

__all__ = ["ask"]

_NAMES = ("seat 0", "seat 1", "seat 2", "seat 3")
_SCORE = re.compile(r"(-?\d{1,5}):(-?\d{1,5})")
#: How many legal actions are listed for people.
_MOST_LISTED = 12


@click.command(
    cls=PositionCommand,
    help=f"""\
Ask a bot what it would do in a position, or in what one seat sees of it (a view), and why.

A bot is {BOTS} or process:CMD.  Some bots look at what happened before: --history takes the actions of the round as the
seat saw them, and --json prints all that is needed to ask the same again.
""",
)
@click.argument("bot", type=BOT)
@position_argument
@click.option("--seat", type=click.IntRange(0, 3), help="Who is asked; of a position the lowest pending seat.")
@rules_option
@click.option("--history", default="", metavar="ACTIONS", help='What the seat has seen, as "0-G 1-G 2-G 3-G".')
@click.option("--score", default="0:0", show_default=True, metavar="OWN:OTHER", help="The match before the round.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the bot's chance.")
@json_option
def ask(
    bot: str, position: str, seat: int | None, rules: Rules, history: str, score: str, seed: int, as_json: bool
) -> None:
    """Ask a bot."""
    with typed("--history"):
        seen = tuple(map(parse_action, history.split()))
    with typed("--score"):
        match = _parse_score(score)
    with typed("POSITION"):
        view = _view(position, seat, rules)._replace(history=seen, score=match)
    with typed("--history"):
        check_history(view)
    choice = _choice(bot, seed, view)
    legal = [format_action(view.seat, action) for action in _listed(view)]
    if as_json:
        click.echo(json.dumps(_as_json(bot, seed, view, choice, legal), ensure_ascii=False))
        return
    click.echo(format_action(view.seat, choice.action))
    click.echo(f"  because {_reason(choice)}")
    if len(legal) > 1:
        more = f" ... {len(view.legal()):,} in all" if len(view.legal()) > len(legal) else ""
        click.echo(f"  legal: {' '.join(legal)}{more}")


def _view(text: str, seat: int | None, rules: Rules) -> View:
    """A position has eight fields, a view nine."""
    if len(text.split(" ")) == 9:
        if seat is None:
            raise NotationError("a view does not say whose it is: --seat does")
        view = parse_view(text, seat, rules)
    else:
        state = Round.from_position(text, rules)
        if not state.pending:
            raise NotationError("the round is over: nobody has anything to decide")
        view = state.view(state.pending[0] if seat is None else seat)
    if view.seat not in view.pending:
        raise NotationError(f"seat {view.seat} has nothing to decide here")
    return view


def _parse_score(text: str) -> tuple[int, int]:
    found = _SCORE.fullmatch(text)
    if found is None:
        raise NotationError(f"a score is written 350:-25, not {text!r}")
    return int(found[1]), int(found[2])


def _choice(bot: str, seed: int, view: View) -> Choice:
    agent = make_agent(bot, seed)
    try:
        choice = agent.explain(view, view.legal())
    except GameError:
        raise
    except Exception as error:
        raise GameError(f"{bot} failed: {type(error).__name__}: {error}") from None
    finally:
        agent.close()
    if choice.action not in view.legal():
        raise GameError(f"{bot} would do what is not legal here: {choice.action}")
    return choice


def _listed(view: View) -> Sequence[Any]:
    """Not each of the thousands of exchanges."""
    actions = []
    for action in view.legal():
        actions.append(action)
        if len(actions) == _MOST_LISTED:
            break
    return actions


def _reason(choice: Choice) -> str:
    return in_words(choice, _NAMES) if choice.code in REASONS else choice.code


def _as_json(bot: str, seed: int, view: View, choice: Choice, legal: Sequence[str]) -> dict[str, Any]:
    return {
        "bot": bot,
        "seed": seed,
        "action": format_action(view.seat, choice.action),
        "reason": _reason(choice),
        "code": choice.code,
        "arguments": dict(choice.arguments),
        "legal": legal,
        "legal_count": len(view.legal()),
        "seat": view.seat,
        "rules": str(view.rules),
        "view": format_view(view),
        "history": " ".join(format_action(*event) for event in view.history),
        "score": f"{view.score[0]}:{view.score[1]}",
    }
