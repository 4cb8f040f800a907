"""Run the examples of ``examples/envs`` and let what they have learned play: ``python -m tools.examples [--quick]``.

Needs torch, sb3-contrib, torchrl and open-spiel.  Whole they take about half an hour, and fail if nothing was learned;
``--quick`` gives about 20 s to each, and is there to see that they run.
"""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

_ROOT: Final = Path(__file__).parents[1]
_EXAMPLES: Final = _ROOT / "examples" / "envs"

#: Arguments for a quick run, and for the whole.
_LEARNING: Final = {
    "ppo.py": ("--minutes 0.2 --curve-deals 20 --deals 50", "--minutes 8 --must-improve"),
    "maskable_ppo.py": ("--steps 4096 --rounds 256", "--steps 500000 --must-improve"),
    "torchrl_ppo.py": ("--steps 4096 --rounds 256", "--steps 500000 --must-improve"),
}


def main() -> None:
    """One after another."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="about 20 s each")
    parser.add_argument("--out", type=Path, default=_ROOT / "build" / "examples", help="where policies are kept")
    options = parser.parse_args()
    out: Path = options.out.resolve()
    _run(sys.executable, str(_EXAMPLES / "random_rollout.py"))
    _run(sys.executable, str(_EXAMPLES / "openspiel_game.py"))
    for name, (quick, whole) in _LEARNING.items():
        folder = out / name.removesuffix(".py")
        arguments = (quick if options.quick else whole).split()
        _run(sys.executable, str(_EXAMPLES / name), *arguments, "--out", str(folder))
        deals = "10" if options.quick else "200"
        _tichu("arena", f"{folder}/bot.py:policy", "greedy", "--rules", "simple", "--deals", deals)
    _tichu("arena", "greedy", "random", "--deals", "20", "--ray", "local")


def _tichu(*words: str) -> None:
    _run(sys.executable, "-m", "tichu", *words)


def _run(*words: str) -> None:
    shown = " ".join(words[1:]).replace(f"{_ROOT}{os.sep}", "")
    sys.stdout.write(f"$ {shown}\n")
    sys.stdout.flush()
    began = time.perf_counter()
    status = subprocess.run(words, check=False).returncode
    if status:
        sys.exit(f"{shown}: exit status {status}")
    sys.stdout.write(f"{time.perf_counter() - began:.0f} s\n\n")


if __name__ == "__main__":
    main()
