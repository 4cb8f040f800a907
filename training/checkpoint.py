"""Checkpoints: a run on disk, in files of at most 16 MiB.

The weights of a network, or a moment of the optimiser, are serialised and cut into parts.  ``progress.json`` names the
parts that belong together and is replaced last: until then it names those of the previous checkpoint, which are still
there.
"""

import io
import json
import os
import pickle
from pathlib import Path
from typing import Any, Final, NamedTuple

import torch

from tichu.agents.learned.features import FEATURE_COUNT, FEATURE_COUNTS
from tichu.encoding import VERSION
from tichu.encoding.numbering import CALLING_GRAND, CALLING_TICHU
from training.command_line import TrainingError, print_line
from training.network import Critic, Policy, network_size
from training.ppo import Learner
from training.provenance import Provenance
from training.weights import read_file
from training.workers import ALONE, Workers

__all__ = ["Progress", "grow_weights", "is_checkpoint", "load", "load_weights", "read_policy", "read_weights", "save"]

_PART: Final = 16 * 2**20
_PROGRESS: Final = "progress.json"
_MOMENTS: Final = ("exp_avg", "exp_avg_sq")


class Progress(NamedTuple):
    """How far a run is, and how long it will be."""

    seconds: float = 0.0
    decisions: int = 0
    total: float = 0.0
    #: None of checkpoints that were written before runs kept it.
    provenance: Provenance | None = None


def is_checkpoint(folder: Path) -> bool:
    """Whether a run has left a checkpoint there."""
    return (folder / _PROGRESS).exists()


def _write(path: Path, content: bytes) -> None:
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _write_parts(out: Path, stem: str, tensors: dict[str, torch.Tensor]) -> list[str]:
    buffer = io.BytesIO()
    torch.save(tensors, buffer)
    content = buffer.getvalue()
    names: list[str] = []
    for start in range(0, len(content), _PART):
        names.append(f"{stem}.{len(names)}.part")
        _write(out / names[-1], content[start : start + _PART])
    return names


def _read_progress(source: Path) -> dict[str, Any]:
    """The content of ``progress.json``, nothing if there is no checkpoint."""
    path = source / _PROGRESS
    if not path.exists():
        return {}
    try:
        written: dict[str, Any] = json.loads(path.read_text())
    except ValueError as error:
        raise TrainingError(f"{path}: {error}") from None
    if written.get("encoding") != VERSION:
        raise TrainingError(f"{path}: another version of the encoding")
    return written


def _read_tensors(file: Path | io.BytesIO, device: str, place: str) -> dict[str, torch.Tensor]:
    try:
        tensors: dict[str, torch.Tensor] = torch.load(file, map_location=device, weights_only=True)
    except (EOFError, RuntimeError, pickle.UnpicklingError) as error:
        raise TrainingError(f"{place} cannot be read: {error}") from None
    return tensors


def read_weights(source: Path, name: str, device: str) -> dict[str, torch.Tensor]:
    """Tensors of a checkpoint: ``policy``, ``critic``, ``matches`` or a moment of the optimiser.

    The source may also be a file of :mod:`training.weights`.
    """
    if source.is_file():
        return read_file(source, name, device)
    parts = _read_progress(source).get("parts")
    if parts is not None:
        content = b"".join((source / part).read_bytes() for part in parts[name])
        return _read_tensors(io.BytesIO(content), device, f"{source}: {name}")
    # Until the second champion's runs nothing named the parts, and each could be read by itself.
    weights: dict[str, torch.Tensor] = {}
    for path in sorted(source.glob(f"{name}.*.pt")):
        weights |= _read_tensors(path, device, str(path))
    if not weights:
        raise TrainingError(f"{source}: no checkpoint with a {name} there")
    return weights


def load_weights(network: Policy | Critic, weights: dict[str, torch.Tensor], source: Path) -> None:
    """Give a network the weights read from a source; the features it did not have yet get weights of zero."""
    entry = weights["body.entry.weight"]
    extra = network.body.extra
    features = entry.shape[1] - extra
    if features in FEATURE_COUNTS:
        missing = entry.new_zeros(len(entry), FEATURE_COUNT - features)
        entry = torch.cat([entry[:, :features], missing, entry[:, features:]], 1)
        weights = {**weights, "body.entry.weight": entry}
    shapes = [{name: value.shape for name, value in each.items()} for each in (weights, network.state_dict())]
    if shapes[0] != shapes[1]:
        size = "{} wide with {} blocks".format(*network_size(weights))
        raise TrainingError(f"{source}: a network of another shape, {size}")
    network.load_state_dict(weights)


def grow_weights(network: Policy | Critic, weights: dict[str, torch.Tensor], source: Path) -> dict[str, torch.Tensor]:
    """Weights for a network with more blocks than those have: what is added adds nothing until it has learned."""
    (width, blocks), own = network_size(weights), network.state_dict()
    wanted = network_size(own)
    if wanted[0] != width or wanted[1] <= blocks:
        return weights
    print_line(f"{source}: from {blocks} to {wanted[1]} blocks of the {type(network).__name__.lower()}")
    added = tuple(f"body.blocks.{place}." for place in range(blocks, wanted[1]))
    return weights | {
        name: torch.zeros_like(value) if ".two." in name else value
        for name, value in own.items()
        if name.startswith(added)
    }


def read_policy(source: Path, device: str, tichu: float = 0.0, grand: float = 0.0, workers: Workers = ALONE) -> Policy:
    """The policy of a checkpoint or a file, with something added to the logits of its calls.

    Of several processes the first one reads it for all.
    """
    weights = workers.from_first(read_weights(source, "policy", "cpu") if workers.is_first else None)
    policy = Policy(*network_size(weights)).to(device)
    load_weights(policy, weights, source)
    with torch.no_grad():
        policy.head.bias[CALLING_TICHU] += tichu
        policy.head.bias[CALLING_GRAND] += grand
    return policy.eval()


def save(out: Path, learner: Learner, progress: Progress) -> None:
    """Write the networks, the optimiser's moments (in bfloat16), the match values and the progress."""
    out.mkdir(parents=True, exist_ok=True)
    states = [learner.optimizer.state[each] for each in learner.parameters]
    contents: dict[str, dict[str, torch.Tensor]] = {
        name: network.state_dict() for name, network in learner.networks.items()
    }
    for name in _MOMENTS:
        contents[name] = {str(place): state[name].to(torch.bfloat16) for place, state in enumerate(states)}
    contents["matches"] = learner.matches.state_dict()
    number = 1 + max((int(path.name.split(".")[1]) for path in out.glob("*.part")), default=0)
    parts = {name: _write_parts(out, f"{name}.{number}", tensors) for name, tensors in contents.items()}
    steps = float(states[0]["step"])
    known = {"provenance": progress.provenance._asdict()} if progress.provenance else {}
    written = {"encoding": VERSION, "steps": steps, **progress._asdict(), **known, "parts": parts}
    unfinished = out / f"{_PROGRESS}.new"
    _write(unfinished, (json.dumps(written) + "\n").encode())
    unfinished.replace(out / _PROGRESS)
    current = {name for names in parts.values() for name in names}
    for path in out.glob("*.part"):
        if path.name not in current:
            path.unlink()


def load(source: Path, learner: Learner) -> Progress | None:
    """Continue from what :func:`save` has written; the progress of the run, None if there is no checkpoint."""
    written = _read_progress(source)
    if not written:
        return None
    device = learner.config.device
    policy = read_weights(source, "policy", device)
    if "parts" not in written or policy["body.entry.weight"].shape[1] in FEATURE_COUNTS[:-1]:
        raise TrainingError(f"{source}: an older kind of checkpoint; --start begins a new run with its weights")
    load_weights(learner.policy, policy, source)
    load_weights(learner.critic, read_weights(source, "critic", device), source)
    if ("belief" in written["parts"]) != (learner.belief is not None):
        known = "with" if "belief" in written["parts"] else "without"
        raise TrainingError(f"{source}: the run there learns {known} a belief head (--belief-coefficient)")
    if learner.belief is not None:
        learner.belief.load_state_dict(read_weights(source, "belief", device))
    moments = {name: read_weights(source, name, device) for name in _MOMENTS}
    for place, parameter in enumerate(learner.parameters):
        state = learner.optimizer.state[parameter]
        state["step"] = torch.tensor(written["steps"], device=device)
        for name, values in moments.items():
            state[name] = values[str(place)].float()
    learner.matches.load_state_dict(read_weights(source, "matches", device))
    begun = written.get("provenance")
    provenance = Provenance.parse(begun) if begun else None
    return Progress(written["seconds"], written["decisions"], written["total"], provenance)
