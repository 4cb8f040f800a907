"""Whether a wheel of the native core works where it was installed; it needs nothing but numpy."""

import tichu_native as core

_GOAL = 1000


def main() -> None:
    """Play a hundred rounds of every preset and one round step by step."""
    for rules in core.PRESETS.values():
        _, scores = core.random_rounds(rules, 100, seed=1)
        if scores.shape != (100, 2) or (scores.sum(axis=1) % 100).any():
            raise SystemExit(f"wrong scores: {scores}")
        state = core.State(core.deal(rules, _GOAL, seed=1))
        while state.seat >= 0:
            state.apply(state.seat, state.legal(state.seat)[0])
        if sum(state.score) % 100:
            raise SystemExit(f"a wrong score: {state.score}")


if __name__ == "__main__":
    main()
