"""A run on disk, in files of 16 MiB at most."""

import json
from pathlib import Path
from typing import Final

import torch

from tichu.encoding import VERSION
from tichu.encoding.numbering import CALLING_GRAND, CALLING_TICHU
from training.network import Policy
from training.ppo import Learner

__all__ = ["load", "read_policy", "read_weights", "save"]


# A file may have 16 MiB; what is around the numbers is small.
_PART: Final = 15 * 2**20


def _save_parts(out: Path, name: str, weights: dict[str, torch.Tensor]) -> None:
    parts: list[dict[str, torch.Tensor]] = [{}]
    room = _PART
    for key, tensor in weights.items():
        if parts[-1] and tensor.nbytes > room:
            parts.append({})
            room = _PART
        parts[-1][key] = tensor
        room -= tensor.nbytes
    for number, part in enumerate(parts):
        torch.save(part, out / f"{name}.{number}.pt")


def read_weights(source: Path, name: str, device: str) -> dict[str, torch.Tensor]:
    """The weights of a network of a checkpoint."""
    paths = sorted(source.glob(f"{name}.*.pt"))
    if not paths:
        raise FileNotFoundError(f"{source}: no {name}.0.pt")
    weights: dict[str, torch.Tensor] = {}
    for path in paths:
        weights |= torch.load(path, map_location=device)
    return weights


def read_policy(source: Path, device: str, tichu: float = 0.0, grand: float = 0.0) -> Policy:
    """The policy of a checkpoint, something added to the scores of its calls."""
    weights = read_weights(source, "policy", device)
    weights["head.bias"][CALLING_TICHU] += tichu
    weights["head.bias"][CALLING_GRAND] += grand
    blocks = sum(name.endswith(".one.weight") for name in weights)
    policy = Policy(len(weights["body.norm.weight"]), blocks).to(device)
    policy.load_state_dict(weights)
    return policy.eval()


def save(out: Path, learner: Learner, progress: dict[str, float]) -> None:
    """Write the networks, the optimizer's averages (sixteen bits will do) and how far the run is."""
    out.mkdir(parents=True, exist_ok=True)
    _save_parts(out, "policy", learner.policy.state_dict())
    _save_parts(out, "critic", learner.critic.state_dict())
    states = [learner.optimizer.state[each] for each in learner.parameters]
    for name in ("exp_avg", "exp_avg_sq"):
        torch.save([state[name].to(torch.bfloat16) for state in states], out / f"{name}.pt")
    steps = float(states[0]["step"])
    (out / "progress.json").write_text(json.dumps({"encoding": VERSION, "steps": steps, **progress}) + "\n")


def load(source: Path, learner: Learner) -> dict[str, float]:
    """Go on from what :func:`save` has written; how far the run was, nothing if there is none."""
    path = source / "progress.json"
    if not path.exists():
        return {}
    progress: dict[str, float] = json.loads(path.read_text())
    if progress["encoding"] != VERSION:
        raise ValueError(f"{path}: another version of the encoding")
    device = learner.setting.device
    learner.policy.load_state_dict(read_weights(source, "policy", device))
    learner.critic.load_state_dict(read_weights(source, "critic", device))
    averages = {name: torch.load(source / f"{name}.pt", map_location=device) for name in ("exp_avg", "exp_avg_sq")}
    for place, parameter in enumerate(learner.parameters):
        state = learner.optimizer.state[parameter]
        state["step"] = torch.tensor(progress["steps"], device=device)
        for name, values in averages.items():
            state[name] = values[place].float()
    return progress
