"""Run the examples of ``examples/envs`` and let what they have learned play: ``python -m tools.examples [--quick]``.

Needs torch, sb3-contrib, torchrl and open-spiel.  Whole they take about half an hour, and fail if nothing was learned;
``--quick`` is there to see that they run: each may take 20 s and all together four minutes, else it fails.  That is the
time of the processor on a core, so that a busy machine fails nobody; what the clock said is printed beside it.
"""

import argparse
import os
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

_ROOT: Final = Path(__file__).parents[1]
_EXAMPLES: Final = _ROOT / "examples" / "envs"

#: Seconds of the processor, with ``--quick``.
MOST_OF_ONE: Final = 20.0
MOST_OF_ALL: Final = 240.0

#: Arguments for a quick run, and for the whole.
_LEARNING: Final = {
    "ppo.py": (
        "--steps 50000 --games 128 --minibatch 1024 --threads 1 --curve-deals 5 --deals 10",
        "--minutes 8 --must-improve",
    ),
    "maskable_ppo.py": ("--steps 4096 --rounds 256", "--steps 500000 --must-improve"),
    "torchrl_ppo.py": ("--steps 4096 --rounds 256", "--steps 500000 --must-improve"),
}


def main() -> None:
    """One after another."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help=f"at most {MOST_OF_ONE:.0f} s each")
    parser.add_argument("--out", type=Path, default=_ROOT / "build" / "examples", help="where policies are kept")
    options = parser.parse_args()
    out: Path = options.out.resolve()
    spent = [
        Spent("random_rollout.py", _run(sys.executable, str(_EXAMPLES / "random_rollout.py"))),
        Spent("openspiel_game.py", _run(sys.executable, str(_EXAMPLES / "openspiel_game.py"))),
    ]
    for name, (quick, whole) in _LEARNING.items():
        folder = out / name.removesuffix(".py")
        arguments = (quick if options.quick else whole).split()
        spent.append(Spent(name, _run(sys.executable, str(_EXAMPLES / name), *arguments, "--out", str(folder))))
        deals = "10" if options.quick else "200"
        play = ("arena", f"{folder}/bot.py:policy", "greedy", "--rules", "simple", "--deals", deals)
        spent.append(Spent(f"{name} plays", _tichu(*play)))
    spent.append(Spent("ray", _tichu("arena", "greedy", "random", "--deals", "20", "--ray", "local")))
    if options.quick:
        check(spent)


class Spent(NamedTuple):
    """Seconds of the processor."""

    name: str
    seconds: float


def check(spent: Sequence[Spent]) -> None:
    """Leave if one has taken too long, or all together."""
    for one in spent:
        if one.seconds > MOST_OF_ONE:
            sys.exit(f"{one.name} took {one.seconds:.0f} s of the processor; {MOST_OF_ONE:.0f} s are allowed")
    total = sum(one.seconds for one in spent)
    if total > MOST_OF_ALL:
        sys.exit(f"all together took {total:.0f} s of the processor; {MOST_OF_ALL:.0f} s are allowed")
    sys.stdout.write(f"all together {total:.0f} s of the processor\n")


def _tichu(*words: str) -> float:
    return _run(sys.executable, "-m", "tichu", *words)


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _run(*words: str) -> float:
    """Seconds of the processor; on several cores these are more than those of the clock."""
    shown = " ".join(words[1:]).replace(f"{_ROOT}{os.sep}", "")
    sys.stdout.write(f"$ {shown}\n")
    sys.stdout.flush()
    began, before = time.perf_counter(), _processor()
    status = subprocess.run(words, check=False).returncode
    if status:
        sys.exit(f"{shown}: exit status {status}")
    seconds = _processor() - before
    sys.stdout.write(f"{time.perf_counter() - began:.0f} s, {seconds:.0f} s of the processor\n\n")
    return seconds


if __name__ == "__main__":
    main()
