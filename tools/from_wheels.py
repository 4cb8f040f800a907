"""What a researcher does first, from the wheels alone: ``python -m tools.from_wheels [--dist dist] [--steps 4096]``.

In an empty environment away from the sources, with what ``make wheels`` has left in the folder: MaskablePPO learns on
tichu/Tichu-v0 and its policy plays in the arena, TorchRL learns and plays likewise, and the OpenSpiel game passes its
checks and plays.  The examples are those of the source archive, as somebody would copy them.
"""

import argparse
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Final

_ROOT: Final = Path(__file__).parents[1]
_EXTRAS: Final = "native,envs,openspiel"
#: As CI has them.
_PACKAGES: Final = ("torch==2.13.0", "sb3-contrib==2.9.2", "torchrl==0.14.1")


def main() -> None:
    """Install, then run every example."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--dist", type=Path, default=_ROOT / "dist")
    parser.add_argument("--steps", type=int, default=4_096, help="to learn from, in each library")
    options = parser.parse_args()
    dist: Path = options.dist.resolve()
    wheels, archives = sorted(dist.glob("tichu-*.whl")), sorted(dist.glob("tichu-*.tar.gz"))
    if not wheels or not archives:
        sys.exit(f"no wheel and no source archive of tichu in {dist}: run `make wheels` first")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _run(folder, sys.executable, "-m", "venv", "venv")
        programs = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
        python, tichu = str(programs / "python"), str(programs / "tichu")
        pip = (python, "-m", "pip", "--quiet", "--disable-pip-version-check")
        _run(folder, *pip, "install", "--find-links", str(dist), f"{wheels[-1]}[{_EXTRAS}]", *_PACKAGES)
        with tarfile.open(archives[-1]) as archive:
            archive.extractall(folder / "sources", filter="data")
        (examples,) = (folder / "sources").glob("*/examples/envs")
        # The sources that lie beside the examples are not what is tried.
        found = _run(folder, python, "-c", "import tichu, tichu_native; print(tichu.__file__)").strip()
        if not Path(found).is_relative_to(folder / "venv"):
            sys.exit(f"tichu is imported from {found}")
        for example in ("maskable_ppo", "torchrl_ppo"):
            _run(folder, python, str(examples / f"{example}.py"), "--steps", str(options.steps), "--out", example)
            _run(folder, tichu, "arena", f"{example}/bot.py:policy", "random", "--rules", "simple", "--deals", "20")
        _run(folder, python, str(examples / "openspiel_game.py"))
    sys.stdout.write("all of it works from the wheels\n")


def _run(folder: Path, *words: str) -> str:
    """What a program prints, which is shown as well; one that fails ends this one."""
    shown = " ".join(words).replace(f"{folder}{os.sep}", "")
    sys.stdout.write(f"$ {shown}\n")
    sys.stdout.flush()
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    run = subprocess.run(
        words, cwd=folder, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    sys.stdout.write(run.stdout)
    sys.stdout.flush()
    if run.returncode:
        sys.exit(f"{shown}: exit status {run.returncode}")
    return run.stdout


if __name__ == "__main__":
    main()
