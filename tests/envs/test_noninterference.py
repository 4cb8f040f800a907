"""Observations and masks never depend on what the seat cannot see: the twin games of the core's own test, as bytes."""

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings

from tests.properties import test_noninterference as twins
from tests.properties.rounds import Table, deal_at, each_rule_set, place_in_errors, steps, tables
from tichu import Game, Rules
from tichu.encoding import write_mask, write_observation
from tichu.envs import ACTION_COUNT, OBSERVATION_SIZE
from tichu.envs.tables import native_tables_are_there
from tichu.kernel.packing import pack

pytestmark = pytest.mark.no_cover


@each_rule_set
@settings(max_examples=30)
@given(table=tables)
def test_reshuffling_what_a_seat_cannot_see_changes_no_byte(rules: Rules, table: Table) -> None:
    rng = Random(table.seed)
    taken = list(steps(table, rules))
    until = rng.choice((rng.randrange(1, 13), rng.randrange(1, len(taken) + 1)))
    seat = rng.randrange(4)
    game, twin = twins.both_games(deal_at(table), taken[:until], seat, rng)
    for at, step in enumerate(taken[:until]):
        with place_in_errors(*step[:3]):
            game = twins._with(game, step.seat, step.action)
            twin = twin.after(step, twins._next_bomber(taken[at + 1 : until]), seat, rng)
            if not twin.is_ahead(game.round, seat):
                assert _seen(game, seat) == _seen(twin.game, seat)


def _seen(game: Game, seat: int) -> tuple[bytes, ...]:
    """What both implementations write for the seat."""
    observation, mask = np.empty(OBSERVATION_SIZE, np.uint8), np.empty(ACTION_COUNT, np.int8)
    view = game.view(seat)
    write_observation(view, observation)
    write_mask(view, mask)
    seen = [observation.tobytes(), mask.tobytes()]
    if native_tables_are_there():
        import tichu_native

        score = game.match.score
        tichu_native.encode_state(pack(game.round), seat, [], score, observation, mask)
        seen += [observation.tobytes(), mask.tobytes()]
    return tuple(seen)
