"""How often the learned bot calls Grand Tichu on the same hands, by the score of the match.

python -m training.grand_calls --deals 2000
"""

import argparse
from random import Random
from typing import Final

from tichu.agents.base import Question
from tichu.agents.learned.agent import LearnedAgent
from tichu.core.actions import CallGrand
from tichu.core.deals import shuffled_deal
from tichu.core.round import Round
from training.command_line import entry_point, positive_int, print_line

__all__ = ["grand_rate", "main"]

#: Our team, the opponents.
_SCORES: Final = ((0, 0), (500, 500), (900, 900), (0, 600), (600, 0), (0, 900), (900, 0), (500, 950), (950, 500))


def grand_rate(bot: LearnedAgent, score: tuple[int, int], deals: int, seed: int) -> float:
    """The share of hands of eight cards on which it calls."""
    rng = Random(seed)
    rounds = [Round.start(shuffled_deal(rng)) for _ in range(deals)]
    views = [one.view(seat)._replace(score=score) for one in rounds for seat in range(4)]
    answers = bot.act_batch([Question(bot, view, view.legal()) for view in views])
    return sum(isinstance(answer, CallGrand) for answer in answers) / len(answers)


@entry_point
def main(arguments: list[str] | None = None) -> None:
    """Print the rate for several scores."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=positive_int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    for score in _SCORES:
        rate = grand_rate(LearnedAgent(), score, options.deals, options.seed)
        print_line("{:>4} : {:>4}   {:5.1f} % of hands".format(*score, 100 * rate))


if __name__ == "__main__":
    main()
