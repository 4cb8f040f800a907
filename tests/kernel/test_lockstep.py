"""The native core plays the game of the Python core, action by action."""

from random import Random

import pytest
import tichu_native as core
from click.testing import CliRunner

from tests.games.make import GAMES
from tests.kernel.lockstep import MIXED, NAMES, compare, main, play_part
from tests.perft.test_perft import BLOCKS, Block
from tichu import Round, read_game
from tichu.core.record import RoundRecord
from tichu.core.rules import Rules
from tichu.kernel.packing import pack, pack_action, unpack


@pytest.mark.parametrize("name", NAMES)
def test_random_rounds_are_equal(name: str) -> None:
    # `make lockstep` plays many more.
    assert play_part(name, 0, 300) == 300


def test_the_command_tells_how_many_rounds_were_equal() -> None:
    told = CliRunner().invoke(main, ["--rounds", "2", "--only", MIXED, "--processes", "1"]).output
    assert told.startswith("2 rounds equal in every step (mixed; ")


def replay_in_lockstep(one: RoundRecord, rules: Rules, rng: Random) -> int:
    state = Round.start(one.deal, rules)
    native = core.State(pack(state))
    for seat, action in one.actions:
        compare(state, native, rng, thorough=False)
        state, native = state.after(seat, action), native.after(seat, pack_action(action))
    compare(state, native, rng, thorough=False)
    return len(one.actions) + 1


@pytest.mark.parametrize("part", range(4))
def test_real_games_are_equal(part: int) -> None:
    files = GAMES[part::4]
    assert len(files) == 15
    rng = Random(part)
    positions = 0
    for file in files:
        reading = read_game(file)
        for one in reading.rounds:
            if isinstance(one, RoundRecord):
                positions += replay_in_lockstep(one, reading.rules, rng)
    assert positions > 10_000


@pytest.mark.parametrize("block", BLOCKS)
def test_perft_is_equal(block: Block) -> None:
    packed = pack(Round.from_position(block.position, block.rules))
    assert {depth: core.perft(packed, depth) for depth in block.counts} == block.counts
    assert core.fault(packed) is None
    assert str(unpack(packed)) == block.position
