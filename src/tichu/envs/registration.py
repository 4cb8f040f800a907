"""Names for ``gymnasium.make``: ``import tichu.envs``, or ``gymnasium.make("tichu.envs:tichu/Tichu-v0")``."""

__all__ = ["register"]


def register() -> None:
    """Make the environments known to Gymnasium, once.

    :raises ImportError: it is not installed
    """
    import gymnasium

    if "tichu/Tichu-v0" not in gymnasium.registry:
        gymnasium.register(
            "tichu/Tichu-v0",
            entry_point="tichu.envs.single:TichuEnv",
            vector_entry_point="tichu.envs.seat_vector:SeatVectorEnv",
        )
        gymnasium.register("tichu/TichuSelfPlay-v0", vector_entry_point="tichu.envs.vector:TichuVectorEnv")
