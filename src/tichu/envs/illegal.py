"""Actions outside the mask, in the forms in which they end an episode: nobody may overlook them."""

from typing import Literal, get_args

import gymnasium

from tichu.core.errors import GameError

__all__ = ["Illegal", "IllegalActions", "check_illegal"]

#: What an action outside the mask does: it ends its episode, or it is an error.
Illegal = Literal["end", "raise"]


def check_illegal(choice: Illegal) -> Illegal:
    """The choice, if there is one of that name.

    :raises GameError: there is not
    """
    if choice not in get_args(Illegal):
        raise GameError(f"illegal actions {' or '.join(get_args(Illegal))}, not {choice!r}")
    return choice


class IllegalActions:
    """Counts them, and warns of the first."""

    def __init__(self) -> None:
        self.count = 0

    def add(self, number: int, action: int) -> None:
        """``number`` of them in one step, ``action`` among them."""
        if number and not self.count:
            gymnasium.logger.warn(
                f"action {action} is not in the mask: its episode ends, lost, and so will those that follow without "
                'another warning; info["illegal"] tells them, and illegal="raise" makes them errors'
            )
        self.count += number
