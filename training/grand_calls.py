"""How often the learned bot calls Grand Tichu on the same hands, by how the match stands.

python -m training.standing --deals 2000
"""

import argparse
from random import Random
from typing import Final

from tichu.actions import CallGrand
from tichu.agents.base import Question
from tichu.agents.learned.agent import LearnedAgent
from tichu.deals import shuffled_deal
from tichu.round import Round
from training.command import command, positive, say

__all__ = ["grand_rate", "main"]

#: Own team, other team.
_SCORES: Final = ((0, 0), (500, 500), (900, 900), (0, 600), (600, 0), (0, 900), (900, 0), (500, 950), (950, 500))


def grand_rate(bot: LearnedAgent, score: tuple[int, int], deals: int, seed: int) -> float:
    """The share of hands of eight cards on which it calls."""
    rng = Random(seed)
    rounds = [Round.start(shuffled_deal(rng)) for _ in range(deals)]
    views = [one.view(seat)._replace(score=score) for one in rounds for seat in range(4)]
    answers = bot.act_together([Question(bot, view, view.legal()) for view in views])
    return sum(isinstance(answer, CallGrand) for answer in answers) / len(answers)


@command
def main(words: list[str] | None = None) -> None:
    """Say it for some scores."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=positive, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(words)
    for score in _SCORES:
        rate = grand_rate(LearnedAgent(), score, options.deals, options.seed)
        say("{:>4} : {:>4}   {:5.1f} % of hands".format(*score, 100 * rate))


if __name__ == "__main__":
    main()
