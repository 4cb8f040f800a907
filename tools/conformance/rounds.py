"""Whole rounds: some by chance under each preset, some that people played."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

from tichu.core.actions import CallTichu, Take, format_action
from tichu.core.combos import Combo, Kind
from tichu.core.deals import format_deal
from tichu.core.errors import GameError
from tichu.core.record import replay
from tichu.core.round import Round
from tichu.core.rules import PRESETS
from tichu.formats.reading import read_game
from tools.conformance.drawn import Actions, Drawn, play_round

__all__ = ["draw_rounds", "played_rounds"]

_GAMES: Final = Path(__file__).parents[2] / "tests" / "games"


def draw_rounds(preset: str, count: int) -> Iterator[Drawn]:
    """Rounds by chance."""
    rng = Random(f"rounds {preset}")
    for _ in range(count):
        dealt, states, actions = play_round(rng, PRESETS[preset])
        yield Drawn(_paragraphs(states, actions), _question(format_deal(dealt), actions))


def played_rounds(count: int) -> Iterator[Drawn]:
    """One round of each of so many games, another number in each."""
    for number, path in enumerate(sorted(_GAMES.glob("*.ttn"))[:count]):
        record = read_game(path).record()
        one = record.rounds[number % len(record.rounds)]
        try:
            states = list(replay(one, record.rules))
        except GameError:
            continue  # People were let do what the rules forbid, once.
        if states[-1].is_over:
            yield Drawn(_paragraphs(states, list(one.actions)), _question(format_deal(one.deal), list(one.actions)))


def _question(deal: str, actions: Actions) -> dict[str, Any]:
    texts = [format_action(seat, action) for seat, action in actions]
    return {"ask": "round", "deal": deal.split(" / "), "actions": texts}


def _paragraphs(states: list[Round], actions: Actions) -> tuple[str, ...]:
    """What the score of this round depends on."""
    end = states[-1]
    rules = end.rules
    found = {"8.2"} if end.outcome.is_double_victory else {"1.4", "8.3", "8.4"}
    if any(end.outcome.bonus) or any(call.stake for call in end.calls):
        found.add("8.5")
    for _, action in actions:
        if isinstance(action, Take) and action.recipient is not None:
            found.add("10.2" if rules.dragon == "auto" else "4.6")
        if isinstance(action, Combo) and action.kind is Kind.DOG:
            found.add("4.2")
        if isinstance(action, CallTichu) and rules.calls == "auto":
            found |= {"10.1", "10.3"}
    return tuple(sorted(found, key=lambda name: tuple(map(int, name.split(".")))))
