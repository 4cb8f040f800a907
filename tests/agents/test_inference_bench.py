"""The measurement of inference asks both ways the same and counts where they agree."""

import numpy as np
import pytest

from bench.inference import _agreement, _decisions
from tichu.agents.learned.network import small

pytestmark = pytest.mark.skipif(small().native is None, reason="no native core")


def test_both_ways_decide_alike() -> None:
    rows, numbers = _decisions(small(), 300)
    assert len(rows) == len(numbers) == 300
    assert min(map(len, numbers)) >= 1
    assert _agreement(small(), rows, numbers) >= 299


def test_another_decision_is_counted() -> None:
    """With the rows of other decisions, and so mostly with other actions, there are many."""
    rows, numbers = _decisions(small(), 300)
    reference = small().by_numpy()

    class Shifted:
        native = small().native

        def by_numpy(self) -> "Shifted":
            return self

        def scores_together(self, asked: object, legal: object) -> object:
            return reference.scores_together(np.roll(rows, 1, axis=0), numbers)

    assert _agreement(Shifted(), rows, numbers) < 250  # type: ignore[arg-type]
