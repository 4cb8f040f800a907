"""Do bots that think hold others up?  ``python -m bench.thinking [QUESTIONS] [--tables 40]``.

A pool of bots as a server has it.  Questions to ``best``, one after another, are timed: alone, and while so many tables
have a question to ``searching`` waiting all the time.  Told are the medians and 99 % of both, how many questions the
thinkers answered meanwhile, and how many of theirs had to be decided by ``best`` because too many wanted to think.
Before that, what a decision of ``searching`` takes of a processor where it is in doubt.
"""

import asyncio
import time
from itertools import cycle
from random import Random

import click
import numpy as np

from tichu import DeclineGrand, Game, View, shuffled_deal
from tichu.agents.learned.agent import LearnedAgent
from tichu.agents.registry import make_agent
from tichu.analysis.searching import LEFT_ALONE, Settings, doubt_of
from tichu.server.bots.pool import BotPool
from tichu.server.table.ports import BotAsk

#: Decisions to think about.
_VIEWS = 500


def doubtful_views(number: int) -> list[View]:
    """Decisions about which ``searching`` thinks."""
    bot = LearnedAgent()
    found: list[View] = []
    for seed in range(10 * number):
        game = Game.start(shuffled_deal(Random(seed)))
        for seat in range(4):
            game = game.after(seat, DeclineGrand())
        while not game.round.is_over and len(found) < number:
            seat = game.round.pending[0]
            view = game.view(seat)
            if view.phase not in LEFT_ALONE and len(doubt_of(bot, view, Settings().percent).actions) > 1:
                found.append(view)
            game = game.after(seat, bot.act(view, view.legal()))
    return found


async def timed(pool: BotPool, views: list[View], questions: int) -> list[float]:
    """Milliseconds of questions to a quick bot, from another table each."""
    found = []
    for number, view in zip(range(questions), cycle(views), strict=False):
        begin = time.perf_counter()
        await pool.decide(BotAsk(1, view.seat, "best", view, 1, ("192.0.2.9", f"quick {number}")))
        found.append(1000 * (time.perf_counter() - begin))
        await asyncio.sleep(0.005)
    return found


def cost_of_thinking(views: list[View]) -> list[float]:
    """Milliseconds of a processor that decisions in doubt take."""
    bot, found = make_agent("searching"), []
    for view in views:
        begin = time.process_time()
        bot.act(view, view.legal())
        found.append(1000 * (time.process_time() - begin))
    return found


async def think(pool: BotPool, views: list[View], table: str) -> None:
    """A table whose bots think without end, and whose address nobody else has."""
    for number in cycle(range(len(views))):
        view = views[number]
        await pool.decide(BotAsk(number, view.seat, "searching", view, 1, (table, table)))
        _answered.append(time.perf_counter())


_answered: list[float] = []


async def measure(questions: int, tables: int) -> None:
    """Alone, and then with thinkers."""
    views = doubtful_views(_VIEWS)
    # The first one reads the weights.
    _, *costs = cost_of_thinking([views[0], *views])
    print(f"{_line('a decision in doubt', costs)}, at most {max(costs):.0f} ms", flush=True)  # noqa: T201
    pool = BotPool()
    try:
        await timed(pool, views, 20)
        await pool.decide(BotAsk(1, views[0].seat, "searching", views[0], 1, ("", "")))
        print(_line("alone", await timed(pool, views, questions)), flush=True)  # noqa: T201
        thinkers = [asyncio.create_task(think(pool, views, f"198.51.100.{number}")) for number in range(tables)]
        await asyncio.sleep(2)
        pool.faults.clear()
        before, begin = len(_answered), time.perf_counter()
        print(_line(f"beside {tables} tables that think", await timed(pool, views, questions)), flush=True)  # noqa: T201
        rate = (len(_answered) - before) / (time.perf_counter() - begin)
        print(f"{rate:.1f} answers of searching a second, faults: {dict(pool.faults)}")  # noqa: T201
        for thinker in thinkers:
            thinker.cancel()
        await asyncio.gather(*thinkers, return_exceptions=True)
    finally:
        await pool.close()


def _line(name: str, found: list[float]) -> str:
    return f"{name}: median {np.median(found):.2f} ms, 99 % {np.quantile(found, 0.99):.2f} ms"


@click.command()
@click.argument("questions", metavar="QUESTIONS", type=click.IntRange(10), default=2000)
@click.option("--tables", type=click.IntRange(1), default=40, show_default=True, help="That think at the same time.")
def main(questions: int, tables: int) -> None:
    """Measure."""
    asyncio.run(measure(questions, tables))


if __name__ == "__main__":
    main()
