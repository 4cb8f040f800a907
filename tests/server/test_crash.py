"""``kill -9`` at every event boundary of a round: what was acknowledged is there, and the game goes on."""

import asyncio
from pathlib import Path

from tests.server.crash import Crashing, Outcome, check
from tests.server.lives import Lives


def test_a_server_that_is_killed_after_every_event_of_a_round_loses_nothing(tmp_path: Path) -> None:
    async def play(lives: Lives) -> Outcome:
        return await Crashing(lives, "single-round", seed=1).play()

    with Lives(tmp_path) as lives:
        outcome = asyncio.run(play(lives))
        log = lives.log()
    check(outcome)
    assert outcome.lives > len(outcome.acknowledged) > 40
    assert outcome.in_flight > 5
    assert "Traceback" not in log
    assert "set aside" not in log
