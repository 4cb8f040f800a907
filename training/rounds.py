"""A table of rounds that a policy plays against itself: very many, fast, without their decisions.

python -m training.rounds learned_rounds.parquet --rounds 1000000
python -m training.rounds rows.npz; python -m training.rounds learned_rounds.parquet --rows rows.npz  # without pyarrow

The columns are those of the table ``rounds`` of ``tichu export`` as far as the simulator tells them, and the four calls
(docs/data.md).  A ``game`` is a table at which one match follows the other, and every table plays the same number of
rounds: what is left out is not what takes longer.  OUT.card.json says what is in the file and how it was made.
"""

from training import require_torch  # noqa: F401  # isort: skip

import argparse
import hashlib
import json
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from tichu import __version__
from tichu.core.rules import Rules
from training.checkpoint import read_policy
from training.command_line import TrainingError, entry_point, game_count, positive_int, print_line
from training.evaluation import Player, deterministic
from training.simulator import NO_RESULT, RESULT, Frame, Simulator

__all__ = ["main", "play_rounds"]

_CALLS: Final = (None, "tichu", "grand")
_STAKES: Final = np.array([0, 100, 200])
#: How often it is asked whether all tables are through: asking makes a GPU wait.
_STEPS: Final = 64


@torch.no_grad()
def play_rounds(player: Player, device: str, games: int, rounds: int, seed: int, rules: str) -> NDArray[np.int64]:
    """The results of the first ``rounds`` rounds of every game: game, round, and a row of ``RESULT``."""
    simulator, frame = Simulator(games, device, rules), Frame.empty((games,), device)
    simulator.deal(seed, frame)
    results = simulator.empty_results()
    played = torch.zeros(games, dtype=torch.int64, device=device)
    numbers = torch.arange(games, device=device)
    found: list[NDArray[np.int64]] = []
    while bool((played < rounds).any()):
        parts = []
        for _ in range(_STEPS):
            simulator.step(player(frame), frame, results)
            ended = (results[:, 0] != NO_RESULT) & (played < rounds)
            parts.append(torch.column_stack((numbers, played, results.long()))[ended])
            played += results[:, 0] != NO_RESULT
        found.append(torch.cat(parts).cpu().numpy())
    rows = np.concatenate(found)
    return rows[np.lexsort((rows[:, 1], rows[:, 0]))]


def _columns(rows: NDArray[np.int64]) -> dict[str, Any]:
    """What docs/data.md says of the rounds, by name."""
    told = dict(zip(("game", "round", *RESULT), rows.T, strict=True))
    seats = np.arange(4)
    calls = told["calls"][:, None] >> 2 * seats & 3
    bonus = np.where(told["first"][:, None] == seats, 1, -1) * _STAKES[calls]
    columns: dict[str, Any] = {name: told[name].astype(np.int32) for name in ("game", "round", "before_0", "before_1")}
    for team in (0, 1):
        columns[f"score_{team}"] = told[f"points_{team}"].astype(np.int32)
    for team in (0, 1):
        columns[f"cards_{team}"] = (told[f"points_{team}"] - bonus[:, team::2].sum(1)).astype(np.int32)
    columns["first"] = told["first"].astype(np.int32)
    columns["double_victory"] = told["doubled"] < 2
    for seat in range(4):
        columns[f"call_{seat}"] = [_CALLS[call] for call in calls[:, seat]]
    return columns


@entry_point
def main(arguments: list[str] | None = None) -> None:
    """Play rounds and write them."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", type=Path, metavar="OUT.parquet")
    parser.add_argument("--rounds", type=positive_int, default=1_000_000, help="how many, at least")
    parser.add_argument("--policy", type=Path, help="a folder of checkpoints or a file of weights; else the champion")
    parser.add_argument("--games", type=game_count, default=65536 if device == "cuda" else 256, help="side by side")
    parser.add_argument("--rules", default="standard")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rows", type=Path, metavar="FILE", help="make the table of an .npz that this has written")
    parser.add_argument("--force", action="store_true", help="replace OUT.parquet if it is there")
    options = parser.parse_args(arguments)
    if options.target.exists() and not options.force:
        raise TrainingError(f"{options.target}: this file is there already; --force replaces it")
    rows, card = _play(options, device) if options.rows is None else _read(options.rows)
    draft = options.target.with_name(f"{options.target.name}.part{options.target.suffix}")
    if options.target.suffix == ".npz":
        np.savez_compressed(draft, rows=rows.astype(np.int32), card=json.dumps(card))
    else:
        arrow, parquet = _arrow()
        parquet.write_table(arrow.table(_columns(rows)), draft, compression="zstd")
    draft.replace(options.target)
    card = {**card, "rounds": len(rows), "sha256": hashlib.sha256(options.target.read_bytes()).hexdigest()}
    described = options.target.with_name(f"{options.target.name}.card.json")
    described.write_text(json.dumps(card, indent=2) + "\n", encoding="utf-8")
    print_line(f"{len(rows):,} rounds at {card['games']:,} tables in {options.target}")


def _play(options: argparse.Namespace, device: str) -> tuple[NDArray[np.int64], dict[str, Any]]:
    """The rows, and what the card says of them."""
    if options.target.suffix != ".npz":
        _arrow()
    policy = options.policy or Path(str(files("tichu.agents.learned") / "champion.npz"))
    player = deterministic(read_policy(policy, device))
    rounds_a_game = -(-options.rounds // options.games)
    rows = play_rounds(player, device, options.games, rounds_a_game, options.seed, options.rules)
    return rows, {
        "made_by": f"tichu {__version__} training.rounds",
        "policy": "champion.npz" if options.policy is None else policy.name,
        "policy_sha256": hashlib.sha256(policy.read_bytes()).hexdigest() if policy.is_file() else None,
        "device": device,
        "rules": str(Rules.parse(options.rules).sequential()),
        "seed": options.seed,
        "games": options.games,
    }


def _read(path: Path) -> tuple[NDArray[np.int64], dict[str, Any]]:
    with np.load(path, allow_pickle=False) as file:
        return file["rows"].astype(np.int64), json.loads(str(file["card"]))


def _arrow() -> tuple[Any, Any]:
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise TrainingError("Parquet needs pyarrow: pip install 'tichu[data]', or write an .npz first") from None


if __name__ == "__main__":
    main()
