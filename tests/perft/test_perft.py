"""The numbers in the text files beside this: how many sequences of N actions there are from a position.

A file has blocks of ``rules``, ``position`` and any number of ``depth N = count``, with blank lines between them;
``;`` starts a comment.  Every state on the way is also counted by the brute force, from its text.
"""

from pathlib import Path
from typing import NamedTuple

import pytest

from tests.differential.brute import LETTERS, House, every_combination, on_table, on_turn, thrown
from tichu import Phase, Round, Rules
from tichu.core.perft import divide, perft

FOLDER = Path(__file__).parent


class Block(NamedTuple):
    rules: Rules
    position: str
    counts: dict[int, int]


def blocks(file: Path) -> list[Block]:
    found = []
    for text in file.read_text().split("\n\n"):
        lines = [line for line in text.splitlines() if line and not line.startswith(";")]
        if not lines:
            continue
        rules, position, *counts = lines
        numbers = [line.removeprefix("depth ").split(" = ") for line in counts]
        found.append(
            Block(
                Rules.parse(rules.removeprefix("rules ")),
                position.removeprefix("position "),
                {int(depth): int(count) for depth, count in numbers},
            )
        )
    return found


BLOCKS = [
    pytest.param(block, id=f"{file.stem}-{number}")
    for file in sorted(FOLDER.glob("*.txt"))
    for number, block in enumerate(blocks(file))
]


def test_every_phase_has_a_position() -> None:
    letters = {block.position.split(" ")[1][0] for file in FOLDER.glob("*.txt") for block in blocks(file)}
    assert letters == {phase.value for phase in Phase}


@pytest.mark.parametrize("block", BLOCKS)
def test_perft(block: Block) -> None:
    state = Round.from_position(block.position, block.rules)
    assert {depth: perft(state, depth) for depth in block.counts} == block.counts


@pytest.mark.parametrize("block", BLOCKS)
def test_divide_adds_up_to_perft(block: Block) -> None:
    state = Round.from_position(block.position, block.rules)
    depth = min(block.counts)
    assert sum(count for _, count in divide(state, depth)) == block.counts[depth]


@pytest.mark.parametrize("block", BLOCKS)
def test_the_brute_force_counts_the_same_at_every_step(block: Block) -> None:
    states = {Round.from_position(block.position, block.rules)}
    for _ in range(max(block.counts)):
        # Enough is enough: what is not compared here has its likes in the differential test.
        sample = sorted(states, key=str)[:300]
        states = {after for state in sample for after in compared(state)}


def compared(state: Round) -> list[Round]:
    """The states after each action, their number compared with the brute force."""
    if state.phase in (Phase.GRAND, Phase.EXCHANGE, Phase.END):
        return []
    seat = state.pending[0]
    legal = state.legal(seat)
    assert len(legal) == how_many(str(state), state.rules), str(state)
    return [state.after_unchecked(seat, action) for action in legal]


def how_many(position: str, rules: Rules) -> int:
    """The number of actions of the seat to act, from the text of the position."""
    hands, phase, table, _, wish, calls, *_ = position.split(" ")
    seat = int(phase[1])
    held = hands.split("/")[seat].replace("-", "")
    house = House(rules.bombs, rules.equal_flush, rules.stairs, rules.phoenix_grants_wish)
    found = every_combination(held[at : at + 2] for at in range(0, len(held), 2))
    top = None if table == "-" else on_table(table[2:])
    may_call = len(held) == 28 and calls[seat] == "-" and rules.calls == "choice"
    if phase[0] == "w":
        return len(LETTERS) + (rules.wish != "must") + may_call
    if phase[0] == "p":
        return len(on_turn(found, top, wish.replace("-", ""), house)) + may_call
    assert top is not None
    bombs = len(thrown(found, top, house))
    if phase[0] == "b":
        return bombs + 1 + may_call
    gifts = 2 if top.text == "Dr" and rules.dragon == "choice" else 1
    return gifts + (bombs if rules.bombs == "anytime" else 0) + may_call
