"""Games of one seat each, with bots at the others: what the environments of one agent stand on.

:func:`seats` makes them: in C++ where ``tichu_native`` is installed and all bots are ``greedy``, ``random`` or networks
that leave nothing to chance (``learned``, ``small``), else in Python (:mod:`tichu.envs.python_seats`).  Both deal the
same cards for the same seed, let these bots decide alike and write the same bytes.
"""

from collections.abc import Mapping
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tichu.agents.base import Agent
from tichu.core.errors import GameError
from tichu.core.phases import partner_of
from tichu.core.round import Round
from tichu.envs import tables
from tichu.envs.arguments import check_counts, check_seat
from tichu.envs.python_seats import PythonSeats
from tichu.envs.tables import ILLEGAL, Settings
from tichu.kernel.packing import pack, pack_goal, pack_rules

__all__ = ["Seats", "bots_around", "check_options", "read_position", "seats"]


class Seats(Protocol):
    """Games that are stepped together; arrays have a row a game and are overwritten by every step."""

    def __len__(self) -> int: ...
    @property
    def observations(self) -> NDArray[np.uint8]:
        """What the seat sees."""

    @property
    def final_observations(self) -> NDArray[np.uint8]:
        """What it saw at the end, where the last step ended an episode."""

    @property
    def masks(self) -> NDArray[np.int8]:
        """What it may do, a byte an action; empty where masks are packed."""

    @property
    def packed_masks(self) -> NDArray[np.uint8]:
        """The same, a bit an action; empty where they are not."""

    @property
    def rewards(self) -> NDArray[np.float32]:
        """Of the last step."""

    @property
    def terminated(self) -> NDArray[np.uint8]:
        """Whether the last step ended an episode."""

    @property
    def truncated(self) -> NDArray[np.uint8]:
        """Whether it ended a match that nobody has won."""

    @property
    def illegal(self) -> NDArray[np.uint8]:
        """Whether it was an action outside the mask, which ends an episode as well."""

    @property
    def scores(self) -> NDArray[np.int16]:
        """Of the round that ended last: the seat's team, the other."""

    @property
    def rounds(self) -> NDArray[np.uint32]:
        """How many the episode had that ended last."""

    def state(self, game: int) -> bytes:
        """The round of one game, packed (``docs/native.md``)."""

    def totals(self, game: int) -> tuple[int, int]:
        """Of the match so far, by team; zero where episodes are rounds."""

    def secrets(self) -> bytes:
        """All of every game, for :func:`tichu.envs.critic.write_states`."""

    def seed(self, game: int, seed: int) -> None:
        """The next episode of the game has the first deal of the seed."""

    def begin(self, game: int) -> None:
        """A new episode with the next deal."""

    def begin_all(self) -> None:
        """The same in every game."""

    def begin_at(self, game: int, state: bytes) -> None:
        """A new episode that begins in a state; it counts as a deal."""

    def first_illegal(self, actions: NDArray[np.int64]) -> int:
        """The first game whose action is not in its mask; their number if there is none."""

    def step(self, actions: NDArray[np.int64]) -> None:
        """An action in every game; one outside the mask ends its episode, lost."""

    def step_one(self, game: int, action: int) -> bool:
        """An action in one game; answers whether the episode is over."""

    def sample(self, into: NDArray[np.int64]) -> None:
        """Draw an action for every game, all of its mask equally likely."""


def check_options(seat: int, opponents: str | Agent, partner: str | Agent) -> int:
    """Refuse what cannot sit at a table; answers the seat.

    :raises GameError: with what it would have to be
    """
    for bot in (opponents, partner):
        if not isinstance(bot, str | Agent):
            raise GameError(f"a bot is a name as 'greedy', or an Agent, not {bot!r}")
    return check_seat(seat)


def bots_around(seat: int, opponents: str | Agent, partner: str | Agent) -> dict[int, str | Agent]:
    """Who sits where."""
    return {(seat + 1) & 3: opponents, partner_of(seat): partner, (seat + 3) & 3: opponents}


def read_position(options: Mapping[str, object] | None, of: Settings) -> bytes | None:
    """The state that ``reset(options={"position": ...})`` asks for, packed.

    :raises GameError: there is another option, or it is not a position in which a round goes on
    """
    if not options:
        return None
    if not isinstance(options, Mapping):
        raise GameError(f"options are a mapping as {{'position': '...'}}, not {options!r}")
    if unknown := [name for name in options if name != "position"]:
        raise GameError(f"no option {unknown[0]!r} for reset; there is position")
    state = Round.from_position(str(options["position"]), of.rules)
    if state.is_over:
        raise GameError("the round is over")
    return pack(state)


def seats(
    games: int,
    of: Settings,
    seat: int,
    bots: Mapping[int, str | Agent],
    *,
    deals_anew: bool,
    threads: int = 1,
    packs: bool = False,
) -> Seats:
    """Make games; with ``packs`` their masks have a bit an action.

    :raises GameError: their number or that of threads is not a number from 1 on
    """
    check_counts(num_envs=games, threads=threads)
    if not tables.native_tables_are_there():
        return PythonSeats(games, of, seat, bots, deals_anew=deals_anew, packs=packs)
    from tichu.envs import native_seats

    if not native_seats.are_all_native(bots):
        return PythonSeats(games, of, seat, bots, deals_anew=deals_anew, packs=packs)
    return native_seats.NativeSeats(
        bots,
        games=games,
        rules=pack_rules(of.rules),
        goal=pack_goal(of.rules.goal),
        reward=tables.REWARDS.index(of.reward),
        takes_forced=of.takes_forced,
        max_rounds=of.max_rounds,
        deals_anew=deals_anew,
        seat=seat,
        illegal=ILLEGAL[of.reward],
        threads=threads,
        packs=packs,
    )
