"""What the analysis loses against open hands: ``python -m bench.solver_loss [POSITIONS]``.

Decisions of the real games in ``tests/games`` with at most twelve cards in all four hands.  The analysis chooses among
the bot's favourites by their means over possible worlds, seeing what the seat saw; the solver says what each action was
worth with all cards open.  The loss is what the solver's best action is worth more.  A part of it is no mistake of the
analysis: with open hands one knows more.
"""

from collections.abc import Iterator
from pathlib import Path

import click
import numpy as np

from tichu.agents.learned.agent import LearnedAgent
from tichu.analysis.decisions import Decision, decisions_of, sequential_view
from tichu.analysis.rollouts import play_on
from tichu.analysis.solver import solve
from tichu.analysis.values import starts_in
from tichu.analysis.worlds import Worlds
from tichu.core.actions import Action, CallTichu
from tichu.core.phases import Phase
from tichu.core.record import RoundRecord, replay
from tichu.core.round import Round
from tichu.formats.reading import read_game

_GAMES = Path(__file__).parent.parent / "tests" / "games"
_CARDS = 12
_CANDIDATES = 4
_WORLDS = 64


def decisions() -> Iterator[tuple[Decision, Round]]:
    """Late decisions with the round as it really was, one a round."""
    for path in sorted(_GAMES.glob("*.ttn")):
        reading = read_game(path)
        for one in reading.rounds:
            if not isinstance(one, RoundRecord):
                continue
            states = list(replay(one, reading.rules))
            for decision in decisions_of(one, reading.rules):
                view = decision.view
                if (
                    sum(view.counts) <= _CARDS
                    and view.phase is Phase.PLAY
                    and not isinstance(decision.played, CallTichu)
                ):
                    yield decision, states[decision.number]
                    break


@click.command()
@click.argument("number", metavar="POSITIONS", type=click.IntRange(1), default=200)
def main(number: int) -> None:
    """Compare."""
    bot = LearnedAgent()
    losses: dict[str, list[float]] = {"the analysis": [], "the bot": [], "what was played": []}
    for (decision, state), _ in zip(decisions(), range(number), strict=False):
        view = sequential_view(decision.view)
        [ranked] = bot.rank_batch([view])
        candidates = [action for action, _ in ranked[:_CANDIDATES] if not isinstance(action, CallTichu)]
        sign = 1 if view.seat % 2 == 0 else -1
        worlds = Worlds(decision.view, decision.eight)
        starts = starts_in(decision, worlds, worlds.sample(_WORLDS, 1), candidates)
        means = sign * play_on(starts).points.reshape(-1, len(candidates)).mean(0)
        values = {each.action: sign * each.lowest for each in solve(state).actions if each.value is not None}
        choices: dict[str, Action] = {
            "the analysis": candidates[int(np.argmax(means))],
            "the bot": candidates[0],
            "what was played": decision.played,
        }
        if all(action in values for action in choices.values()):
            for name, action in choices.items():
                losses[name].append(max(values.values()) - values[action])
    for name, lost in losses.items():
        error = np.std(lost, ddof=1) / np.sqrt(len(lost))
        exact = 100 * np.mean(np.array(lost) == 0)
        print(f"{name}: {np.mean(lost):.1f} ± {error:.1f} points, best in {exact:.0f} % of {len(lost)}")  # noqa: T201


if __name__ == "__main__":
    main()
