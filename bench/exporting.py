"""How fast ``tichu export`` is: ``python -m bench.exporting [GAMES] [--workers N]`` exports with both cores.

The sixty real games of ``tests/games`` are written into one file as often as it takes and exported from there.  The
clock runs over the whole export, starting the workers and writing the Parquet files included, so a few thousand games
tell more than a few.
"""

import argparse
import os
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from tichu.data import export_games
from tichu.data.native import is_native
from tichu.parallel import open_pool

_GAMES = Path(__file__).parent.parent / "tests" / "games"


def _measure(source: Path, workers: int) -> None:
    name = "native" if is_native() else "python"
    with TemporaryDirectory() as folder, closing(open_pool(workers)) as pool:
        begin = time.perf_counter()
        exported = export_games([source], folder, is_forced=True, pool=pool)
        seconds = time.perf_counter() - begin
        size = sum(file.stat().st_size for file in Path(folder).iterdir())
    print(  # noqa: T201
        f"{name:7} {60 * exported.games / seconds:9,.0f} games a minute: {exported.games:,} games, "
        f"{exported.rounds:,} rounds, {exported.decisions:,} decisions in {seconds:.1f} s, {workers} workers; "
        f"{size / 1e6:.1f} MB"
    )


def main() -> None:
    """Measure with the Python core and, where it is installed, the native one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", type=int, nargs="?", default=1200)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--source", type=Path, help="measure only this file, with the kernel that TICHU_KERNEL names")
    arguments = parser.parse_args()
    if arguments.source is not None:
        _measure(arguments.source, arguments.workers)
        return
    texts = [path.read_bytes() for path in sorted(_GAMES.glob("*.ttn"))]
    with TemporaryDirectory() as folder:
        source = Path(folder) / "games.ttn"
        source.write_bytes(b"".join(texts[number % len(texts)] for number in range(arguments.games)))
        for kernel in ("python", "native"):
            # A process keeps the kernel that it has chosen.
            command = [
                sys.executable,
                "-m",
                "bench.exporting",
                "--workers",
                str(arguments.workers),
                "--source",
                str(source),
            ]
            subprocess.run(command, check=True, env={**os.environ, "TICHU_KERNEL": kernel})


if __name__ == "__main__":
    main()
