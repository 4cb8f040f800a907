"""A run on disk, in files of 16 MiB at most."""

import json
from pathlib import Path

import torch

from tichu.encoding import VERSION
from training.ppo import Learner

__all__ = ["load", "save"]


def save(out: Path, learner: Learner, progress: dict[str, float]) -> None:
    """Write the networks, the optimizer's averages (sixteen bits will do) and how far the run is."""
    out.mkdir(parents=True, exist_ok=True)
    torch.save(learner.policy.state_dict(), out / "policy.pt")
    torch.save(learner.critic.state_dict(), out / "critic.pt")
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
    learner.policy.load_state_dict(torch.load(source / "policy.pt", map_location=learner.device))
    learner.critic.load_state_dict(torch.load(source / "critic.pt", map_location=learner.device))
    averages = {
        name: torch.load(source / f"{name}.pt", map_location=learner.device) for name in ("exp_avg", "exp_avg_sq")
    }
    for place, parameter in enumerate(learner.parameters):
        state = learner.optimizer.state[parameter]
        state["step"] = torch.tensor(progress["steps"], device=learner.device if learner.device == "cuda" else "cpu")
        for name, values in averages.items():
            state[name] = values[place].float()
    return progress
