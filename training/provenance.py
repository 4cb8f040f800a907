"""What a run was begun with, so that no other run is taken for it.

A command goes on with the checkpoint in its folder.  If it asks for another start, other opponents, other rules or
another reward it means another run, which the weights there know nothing of: it is refused.
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import torch

from training.command_line import TrainingError

__all__ = ["Provenance", "digest_of"]


class Provenance(NamedTuple):
    """What makes a run what it is; weights are known by their digests."""

    #: Of the weights that it started from, empty if there were none; None in a command that does not say it again.
    start: str | None
    opponent: tuple[str, ...]
    best_response: bool
    rules: str
    reward: str

    @classmethod
    def parse(cls, written: Mapping[str, object]) -> "Provenance":
        """What :meth:`_asdict` gave, after it has been through JSON, which has no tuples."""
        return cls(**{name: tuple(value) if isinstance(value, list) else value for name, value in written.items()})  # type: ignore[arg-type]

    def require(self, before: "Provenance | None", source: Path) -> None:
        """Refuse to go on with a run that was begun otherwise.

        :raises TrainingError: it is another run, or an older checkpoint does not say which
        """
        if before is None:
            if self.start is None:
                return
            raise TrainingError(f"{source}: the run there does not say what it was begun with; choose another --out")
        differences = [
            f"--{name.replace('_', '-')}"
            for name, one, two in zip(self._fields, self, before, strict=True)
            if one not in (two, None)
        ]
        if differences:
            raise TrainingError(
                f"{source}: another run is there, begun with another {' and '.join(differences)}; choose another --out"
            )


def digest_of(weights: Mapping[str, torch.Tensor]) -> str:
    """A digest of the weights of a network, wherever they are kept."""
    digest = hashlib.sha256()
    for name, value in sorted(weights.items()):
        digest.update(f"{name} {tuple(value.shape)}\n".encode())
        digest.update(value.detach().float().cpu().contiguous().numpy().tobytes())
    return digest.hexdigest()[:16]
