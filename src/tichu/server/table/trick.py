"""The trick on the table and the one before it, turn by turn, as clients see them."""

from typing import NamedTuple

from tichu.core.actions import Action, Pass, Take
from tichu.core.combos import Combo, Kind
from tichu.server.table.translate import as_on_table, combination
from tichu.server.wire import Play

__all__ = ["NO_TRICK", "Trick"]


class Trick(NamedTuple):
    """What was played in the trick, and in the last one."""

    plays: tuple[Play, ...] = ()
    last: tuple[Play, ...] = ()
    #: Who got the last one.
    taker: int | None = None

    def after(self, seat: int, action: Action, top: Combo | None) -> "Trick":
        """The tricks after an action that left ``top`` on the table."""
        match action:
            case Combo(kind=Kind.DOG):
                return Trick((), (Play(seat=seat, combination=combination(action)),))
            case Combo():
                shown = combination(as_on_table(action, top))
                return self._replace(plays=(*self.plays, Play(seat=seat, combination=shown)))
            case Pass():
                return self._replace(plays=(*self.plays, Play(seat=seat)))
            case Take(recipient):
                return Trick((), self.plays, seat if recipient is None else recipient)
            case _:
                return self


NO_TRICK = Trick()
