"""What a rollout costs: ``python -m bench.rollouts [ROLLOUTS]`` plays real decisions on, natively and by the bots.

Decisions are taken from the real games in ``tests/games``, one in every so many, each played on from the hands as they
were.  CPU seconds of this one process are counted, so other programs on the machine disturb little.
"""

import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path

import click

from tichu.analysis.rollouts import POLICIES, Start, _play_in_python, is_native, play_on, policy, public_part
from tichu.core.record import RoundRecord, replay
from tichu.core.rules import Rules
from tichu.formats.reading import read_game

_GAMES = Path(__file__).parent.parent / "tests" / "games"
#: Of how many decisions one is taken.
_EVERY = 7
#: Decisions after which the critic judges: see tichu.analysis.precision.
_CUT = 24


def _starts() -> Iterator[Start]:
    number = 0
    while True:
        for path in sorted(_GAMES.glob("*.ttn")):
            reading = read_game(path)
            for one in reading.rounds:
                if isinstance(one, RoundRecord):
                    for start in _starts_of(one, reading.rules):
                        number += 1
                        if number % _EVERY == 0:
                            yield start


def _starts_of(one: RoundRecord, rules: Rules) -> Iterator[Start]:
    for at, (before, (seat, action)) in enumerate(zip(replay(one, rules), one.actions, strict=False)):
        state = before._replace(rules=rules.sequential())
        if seat in before.pending and action in state.legal(seat):
            yield Start(state, public_part(one.actions[:at]), seat, action)


def _measure(name: str, starts: list[Start], play: Callable[[list[Start]], object]) -> float:
    begin = time.process_time()
    play(starts)
    milliseconds = 1000 * (time.process_time() - begin) / len(starts)
    print(f"{name:32} {milliseconds:7.2f} ms a rollout ({len(starts)} rollouts)")  # noqa: T201
    return milliseconds


@click.command()
@click.argument("rollouts", metavar="ROLLOUTS", type=click.IntRange(1), default=3000)
def main(rollouts: int) -> None:
    """Measure each network, to the end and cut short, and the bot itself."""
    starts = list(islice(_starts(), rollouts))
    few = starts[:: max(1, len(starts) // 200)]
    for name in POLICIES:
        network = policy(name)
        play_on(starts[:64], network, 0)
        how = name if is_native() else f"{name}, no native core"
        batched = _measure(how, starts, partial(play_on, network=network))
        _measure(f"{how}, cut at {_CUT}", starts, partial(play_on, network=network, decisions=_CUT))
        alone = _measure(f"{name}, the bot itself", few, partial(_play_in_python, network=network, decisions=None))
        print(f"{alone / batched:.1f} times faster")  # noqa: T201


if __name__ == "__main__":
    main()
