"""How many cards can be solved: ``python -m bench.solving [POSITIONS [NODES]]``, after rounds played at random.

For each number of cards in all four hands: how many positions are solved within the budget of states and how many in a
second of the processor, the median time, and how many states a second are looked at.
"""

import time
from collections.abc import Iterator
from random import Random
from statistics import median

import click

from tichu import Round, Rules, shuffled_deal
from tichu.analysis.solver import BUDGET, solve
from tichu.kernel.python import apply_automatic

_CARDS = (8, 12, 16, 18, 20, 22, 24)


def _positions(cards: int) -> Iterator[Round]:
    """One a round: the first state with so many cards left or fewer, if it is not many fewer."""
    rng = Random(cards)
    while True:
        state = Round.start(shuffled_deal(rng), Rules(bombs="ordered"))
        while not state.is_over and sum(hand.bit_count() for hand in state.hands) > cards:
            seat = state.pending[0]
            state = apply_automatic(state.after_unchecked(seat, state.legal(seat).draw(rng)))
        if not state.is_over and sum(hand.bit_count() for hand in state.hands) >= cards - 1:
            yield state


@click.command()
@click.argument("number", metavar="POSITIONS", type=click.IntRange(1), default=20)
@click.argument("budget", metavar="NODES", type=click.IntRange(1), default=BUDGET)
def main(number: int, budget: int) -> None:
    """Measure."""
    for cards in _CARDS:
        seconds, nodes, exact, quick = [], 0, 0, 0
        for state, _ in zip(_positions(cards), range(number), strict=False):
            begin = time.process_time()
            solution = solve(state, budget)
            seconds.append(time.process_time() - begin)
            nodes += solution.nodes
            exact += solution.is_exact
            quick += solution.is_exact and seconds[-1] <= 1
        rate = nodes / sum(seconds) / 1e6
        solved = f"{exact} of {number} solved, {quick} in a second, median {median(seconds):.3f} s"
        print(f"{cards} cards: {solved}, {rate:.2f} M states a second", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
