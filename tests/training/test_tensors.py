"""Observations of the environments as tensors."""

import torch

from tichu.envs import SelfPlay


def test_tensors_share_memory_with_the_games() -> None:
    games = SelfPlay(4, "simple")
    tensors = games.tensors()
    games.step(games.sample())
    assert isinstance(tensors["observations"], torch.Tensor)
    assert (tensors["observations"].numpy() == games.observations).all()
    assert tensors["observations"].data_ptr() == games.observations.ctypes.data
