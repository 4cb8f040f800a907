"""Many games at once, played by the headers of the native core: on a GPU if torch has one, else on the CPU.

The library is compiled when it is first needed, by ``nvcc`` or ``c++``, into ``build/training``.
"""

import ctypes
import hashlib
import os
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import torch

from tichu.agents.learned.features import ROW_SIZE
from tichu.core.rules import Rules
from tichu.encoding import MASK_SIZE, OBSERVATION_SIZE, VERSION
from tichu.kernel.packing import pack_goal, pack_rules
from training.command_line import TrainingError

__all__ = [
    "NO_RESULT",
    "MEMORY",
    "RESULT",
    "Frame",
    "Simulator",
    "build_library",
    "count_results",
    "play_at_random",
]

#: A row of results: the points of both teams, the match score before the round, who went out first, which team won a
#: double victory (2: neither), and the calls, two bits a seat.
RESULT: Final = ("points_0", "points_1", "before_0", "before_1", "first", "doubled", "calls")
#: The points of a step that did not end a round.
NO_RESULT: Final = -32768
# Bytes of four hands, a bit a card.
_HANDS_SIZE: Final = 28

#: The bytes of a row that say who played and passed what; behind them is the match.
MEMORY: Final = slice(OBSERVATION_SIZE, ROW_SIZE - 2)

_ROOT: Final = Path(__file__).parent.parent
_BUILD: Final = _ROOT / "build" / "training"


class Frame(NamedTuple):
    """What the networks are given when a seat is to decide, a row a game."""

    #: The bytes of :func:`tichu.agents.learned.features.encode_row`.
    observations: torch.Tensor
    #: Packed, action ``n`` being bit ``n % 8`` of byte ``n // 8``.
    masks: torch.Tensor
    #: All four hands for the critic: SELF, LEFT, PARTNER, RIGHT.
    hands: torch.Tensor
    seats: torch.Tensor

    @classmethod
    def empty(cls, shape: tuple[int, ...], device: str) -> "Frame":
        """Uninitialised frames; the last dimension of ``shape`` is the game."""
        observations, masks, hands = (torch.empty((*shape, n), dtype=torch.uint8, device=device) for n in _SIZES)
        return cls(observations, masks, hands, torch.empty(shape, dtype=torch.int8, device=device))

    def at(self, index: int | torch.Tensor) -> "Frame":
        """The frames at an index."""
        return Frame(*(each[index] for each in self))


_SIZES: Final = (ROW_SIZE, MASK_SIZE, _HANDS_SIZE)


def _command(device: str) -> list[str]:
    """The compiler and its options, independent of where the checkout is."""
    common = ["-std=c++20", "-O3", "-shared", "-I", "native/include"]
    if device == "cuda":
        major, minor = torch.cuda.get_device_capability()
        return ["nvcc", f"-arch=sm_{major}{minor}", "--split-compile=0", "-Xcompiler", "-fPIC", *common]
    return [*shlex.split(os.environ.get("CXX") or "c++"), "-fPIC", *common, "-x", "c++"]


def build_library(device: str) -> Path:
    """The simulator compiled for a device, again only if a source or the command has changed."""
    source = _ROOT / "training" / "simulator.cu"
    headers = [path for folder in ("native/include", "training") for path in sorted((_ROOT / folder).rglob("*.hpp"))]
    command = _command(device)
    content = b"".join(path.read_bytes() for path in (*headers, source))
    digest = hashlib.sha256(shlex.join(command).encode() + content).hexdigest()
    path = _BUILD / f"simulator-{device}-{digest[:12]}.so"
    if path.exists():
        return path
    if shutil.which(command[0]) is None:
        raise TrainingError(f"the simulator needs a compiler: {command[0]} was not found")
    _BUILD.mkdir(parents=True, exist_ok=True)
    # An interrupted or concurrent build must not leave half a file.
    unfinished = path.with_suffix(f".{os.getpid()}")
    if subprocess.run([*command, str(source), "-o", str(unfinished)], cwd=_ROOT).returncode:
        raise TrainingError(f"{command[0]} could not compile {source}")
    unfinished.rename(path)
    return path


@cache
def _library(device: str) -> ctypes.CDLL:
    loaded = ctypes.CDLL(str(build_library(device)))
    if loaded.tichu_encoding_version() != VERSION or loaded.tichu_row_size() != ROW_SIZE:
        raise RuntimeError("the simulator writes another version of the encoding")
    for function in (loaded.tichu_play, loaded.tichu_play_at_random):
        function.restype = ctypes.c_char_p
    return loaded


def _stream(device: str) -> ctypes.c_void_p:
    return ctypes.c_void_p(torch.cuda.current_stream().cuda_stream if device == "cuda" else None)


def _pointer(tensor: torch.Tensor | None) -> ctypes.c_void_p:
    if tensor is None:
        return ctypes.c_void_p(None)
    if not tensor.is_contiguous():
        raise ValueError("the simulator writes rows side by side")
    return ctypes.c_void_p(tensor.data_ptr())


def _require(fault: bytes | None) -> None:
    if fault:
        raise RuntimeError(fault.decode())


@cache
def _pack(rules: Rules) -> int:
    """The bytes of a ``RuleSet``; bombs out of turn are played in their sequential form (§7.2)."""
    return pack_rules(rules.sequential()) | pack_goal(rules.goal) << 32


class Simulator:
    """Matches, each by its own rule set; a round that ends is followed at once by the next deal of its seed."""

    def __init__(
        self, games: int, device: str, rules: Rules | str | Sequence[Rules] = "standard", first: int = 0
    ) -> None:
        self._library = _library(device)
        self._device, self._count, self._first = device, games, first
        if isinstance(rules, str):
            rules = Rules.parse(rules)
        rule_sets = [rules] * games if isinstance(rules, Rules) else rules
        if len(rule_sets) != games:
            raise ValueError(f"{len(rule_sets)} rule sets for {games} games")
        self._rule_sets = torch.tensor([_pack(each) for each in rule_sets], dtype=torch.int64, device=device)
        self._games = torch.zeros(games, self._library.tichu_game_size(), dtype=torch.uint8, device=device)
        self._seed = 0

    def __len__(self) -> int:
        return self._count

    def deal(self, seed: int, into: Frame) -> None:
        """Restart all games with the first deal of a seed."""
        self._seed = seed
        self._play(None, into, None)

    def empty_results(self) -> torch.Tensor:
        """A buffer for the results of a step."""
        return torch.full((self._count, len(RESULT)), NO_RESULT, dtype=torch.int16, device=self._device)

    def step(self, actions: torch.Tensor, into: Frame, results: torch.Tensor) -> None:
        """Take an action (int16) in every game; ``results`` receives a row of :data:`RESULT` for each."""
        if actions.dtype != torch.int16 or actions.shape != (self._count,):
            raise ValueError(f"{self._count} actions of int16, not {tuple(actions.shape)} of {actions.dtype}")
        self._play(actions, into, results)

    def _play(self, actions: torch.Tensor | None, into: Frame, results: torch.Tensor | None) -> None:
        pointers = [_pointer(each) for each in (*into, results)]
        _require(
            self._library.tichu_play(
                _pointer(self._games),
                self._count,
                ctypes.c_uint64(self._seed),
                ctypes.c_uint64(self._first),
                _pointer(self._rule_sets),
                _pointer(actions),
                *pointers,
                _stream(self._device),
            )
        )


def count_results(results: torch.Tensor) -> dict[str, int]:
    """Rounds, calls, calls made and double victories in rows of results."""
    ended = results[results[..., 0] != NO_RESULT].long()
    seats = torch.arange(4, device=results.device)
    calls = ended[:, 6:7] >> 2 * seats & 3
    made = ended[:, 4:5] == seats
    sums = {"rounds": len(ended)}
    for name, call in (("tichus", 1), ("grands", 2)):
        sums[name] = int((calls == call).sum())
        sums[f"{name}_made"] = int(((calls == call) & made).sum())
    return sums | {"doubles": int((ended[:, 5] < 2).sum())}


def play_at_random(device: str, games: int, turns: int, seed: int = 1, block: int = 1024) -> tuple[int, int, int]:
    """Play at random under ``standard``: the steps taken, the deals, and a checksum of the final states."""
    sums = torch.zeros(3, dtype=torch.int64, device=device)
    rules = pack_rules(Rules.parse("standard").sequential())
    function = _library(device).tichu_play_at_random
    _require(
        function(games, block, ctypes.c_uint64(seed), rules, ctypes.c_uint32(turns), _pointer(sums), _stream(device))
    )
    steps, deals, checksum = sums.tolist()
    return steps, deals, checksum
