"""PettingZoo's name for the environment: ``from tichu.envs import tichu_v0; tichu_v0.env(rules="standard")``."""

from tichu.envs.aec import env, raw_env

__all__ = ["env", "raw_env"]
