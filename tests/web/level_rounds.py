"""``tichu`` with a server whose rounds all begin at the given position, so that a match can end as a test needs.

python -m tests.web.level_rounds serve --port 0
"""

from collections.abc import Container

from tichu.cli import main
from tichu.server import log
from tichu.server.table.rounds import RoundCycle
from tichu.server.table.steps import StepBuilder

_advance = RoundCycle.advance


def _deal_the_same(self: RoundCycle, step: StepBuilder, present: Container[str]) -> bool:
    """Do what a table does between rounds, but deal the cards it began with."""
    logged = self._logged
    shuffle = logged.shuffle
    is_waiting = shuffle is None or shuffle.takes_commitments or step.now < self.due(present)
    if not logged.results or logged.match.winner is not None or is_waiting:
        return _advance(self, step, present)
    step.apply(log.DealEntry(at=step.now, round=logged.round_number, position=logged.settings.position))
    return True


if __name__ == "__main__":
    RoundCycle.advance = _deal_the_same  # type: ignore[method-assign]
    main()
