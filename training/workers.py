"""Several processes that train one policy, on one machine or on many.

    torchrun --nproc-per-node 8 -m -- training.train --seconds 500 --out build/training/run

Each plays games of its own, on a GPU of its own where there are any.  Gradients are averaged before every step and the
rounds that the match values rest on are counted together, so all have the same weights.  The first one reads and writes
checkpoints, evaluates and speaks; its clock counts.  Without ``torchrun`` there is one, and nothing of this happens.
"""

import os
import sys
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import torch
from torch import distributed

from training.command_line import TrainingError

__all__ = ["ALONE", "Workers", "is_first", "join", "leave"]


class Workers(NamedTuple):
    """The processes of a run, as one of them sees them."""

    rank: int
    size: int

    @property
    def is_first(self) -> bool:
        """Whether this is the one that writes and speaks."""
        return self.rank == 0

    def average(self, tensors: Sequence[torch.Tensor]) -> None:
        """Replace tensors by their means over all processes."""
        if self.size == 1:
            return
        # One message instead of one for each layer.
        flat = torch.cat([each.flatten() for each in tensors])
        distributed.all_reduce(flat)
        flat /= self.size
        for each, mean in zip(tensors, flat.split([each.numel() for each in tensors]), strict=True):
            each.copy_(mean.view_as(each))

    def total(self, tensor: torch.Tensor) -> torch.Tensor:
        """The sum of what all processes have, in place."""
        if self.size > 1:
            distributed.all_reduce(tensor)
        return tensor

    def agree(self, value: float) -> float:
        """The first one's value."""
        if self.size == 1:
            return value
        shared = torch.tensor(value, dtype=torch.float64)
        distributed.broadcast(shared, 0)
        return float(shared)

    def from_first(self, value: Any) -> Any:
        """What the first one has, with its tensors on the CPU."""
        if self.size == 1:
            return value
        shared = [value]
        distributed.broadcast_object_list(shared, 0)
        return shared[0]


ALONE: Final = Workers(0, 1)


def is_first() -> bool:
    """Whether this process writes and speaks."""
    return os.environ.get("RANK", "0") == "0"


def join() -> Workers:
    """Find the other processes; to be called before anything touches a GPU.

    :raises TrainingError: there are more processes than GPUs
    """
    count = int(os.environ.get("WORLD_SIZE", "1"))
    if count == 1:
        return ALONE
    if not distributed.is_initialized():
        has_gpus = _take_gpu(int(os.environ["LOCAL_RANK"]))
        distributed.init_process_group("cpu:gloo,cuda:nccl" if has_gpus else "gloo")
    return Workers(distributed.get_rank(), count)


def leave() -> None:
    """End this process, where there are several, as one that has done its work.

    In the last moments of a process threads of torch may abort it, and with it all others of the run.
    """
    # Some builds of torch know nothing of other processes.
    if not distributed.is_available() or not distributed.is_initialized():
        return
    distributed.destroy_process_group()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def _take_gpu(number: int) -> bool:
    """Hide the other GPUs of the machine; whether there are any.

    The simulator's kernels run on whichever is first.
    """
    found = torch.cuda.device_count()
    if found and number >= found:
        raise TrainingError(f"process {number} of this machine has no GPU: there are {found} (--nproc-per-node)")
    if found:
        visible = os.environ.get("CUDA_VISIBLE_DEVICES")
        os.environ["CUDA_VISIBLE_DEVICES"] = visible.split(",")[number] if visible else str(number)
    return found > 0
