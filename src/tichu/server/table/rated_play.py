"""What differs at a rated table: how a match begins, pauses and is left."""

from typing import Literal

from tichu.server import log, wire
from tichu.server.table.audience import Audience
from tichu.server.table.gameplay import GamePlay
from tichu.server.table.ports import Player
from tichu.server.table.rated import (
    Attendance,
    check_command,
    check_ready,
    match_row,
    may_stand_still,
    rated_start,
)
from tichu.server.table.rated_pause import RatedPause
from tichu.server.table.refusals import Refusal, TableReason
from tichu.server.table.rounds import Entropy
from tichu.server.table.state import LoggedState
from tichu.server.table.steps import StepBuilder

__all__ = ["RatedPlay"]


class RatedPlay:
    """The rules of rated matches at one table; at another table it does nothing."""

    def __init__(self, logged: LoggedState, audience: Audience, play: GamePlay, entropy: Entropy) -> None:
        self.attendance = Attendance(logged)
        self._pause = RatedPause(logged, audience)
        self._logged = logged
        self._audience = audience
        self._play = play
        self._entropy = entropy

    def count(self, step: StepBuilder) -> None:
        """Before a step goes on: who is away, and whose missed decisions do not count."""
        if self._pause.update(step.now):
            step.needs_snapshots = True
        if self._pause.is_over(step.now):
            self._resume(step, None)
        self.attendance.update(step, self._audience.connected)
        self._play.excused = self.attendance.excused

    def due(self) -> list[float]:
        """When something changes by itself."""
        return [*self._pause.due(), *self.attendance.due()]

    def end(self, step: StepBuilder) -> None:
        """After it: whoever has left has lost."""
        leaver = self.attendance.leaver(step.now)
        if leaver is not None:
            self._leave(*leaver, step, None)
        if self.attendance.deadlines() != self._audience.deadlines:
            self._audience.deadlines = self.attendance.deadlines()
            step.needs_snapshots = True

    def stand_still(self, seconds: float) -> None:
        """So many seconds were nobody's."""
        self.attendance.stand_still(seconds)
        self._audience.deadlines = self.attendance.deadlines()

    def carry_out(self, player: Player, command: wire.Command, step: StepBuilder, key: str) -> bool:
        """Do what is done otherwise than at other tables; False if there is no difference.

        :raises Refusal: it is not possible at a rated table
        """
        if not self._logged.settings.rated:
            return False
        check_command(self._logged, player, command)
        is_match = self._logged.stage in ("playing", "paused")
        match command:
            case wire.Stand() if is_match:
                self._leave(self._seat_of(player.id), "stood", step, key)
            case wire.Start() | wire.Ready() if not is_match:
                self._agree(player, step, key)
            case wire.Pause():
                self._ask_for_pause(player, step, key)
            case wire.Resume():
                self._ask_to_go_on(player, step, key)
            case _:
                return False
        return True

    def _seat_of(self, player: str) -> int:
        seat = self._logged.seat_of(player)
        if seat is None:
            raise Refusal(TableReason.NOT_SEATED)
        return seat

    def _agree(self, player: Player, step: StepBuilder, key: str) -> None:
        """A match begins when all four have agreed to it."""
        logged, present = self._logged, self._audience.connected
        seat = self._seat_of(player.id)
        check_ready(present, player)
        if player.id not in logged.ready:
            ready = tuple(sorted(logged.ready | {player.id}))
            seats, host = logged.seats, logged.host
            step.apply(
                log.SeatEntry(at=step.now, command=key, what="ready", seat=seat, seats=seats, host=host, ready=ready)
            )
        start = rated_start(logged, step.now, self._entropy(9).hex(), present)
        if start is not None:
            step.apply(start)
            self._play.restart(step.now)

    def _ask_for_pause(self, player: Player, step: StepBuilder, key: str) -> None:
        """A match pauses when all its players want it, of both teams."""
        self._seat_of(player.id)
        if self._logged.stage != "playing" or not may_stand_still(self._logged):
            raise Refusal(TableReason.NOT_NOW)
        if self._pause.wish(player.id, step.now):
            step.apply(log.PauseEntry(at=step.now, command=key, why="agreed"))
            self._play.pause(step)
            self._pause.clear()

    def _ask_to_go_on(self, player: Player, step: StepBuilder, key: str) -> None:
        """It goes on when all its players want it, or the pause has lasted long enough."""
        self._seat_of(player.id)
        if self._logged.stage != "paused":
            raise Refusal(TableReason.NOT_NOW)
        if self._pause.wish(player.id, step.now):
            self._resume(step, key)

    def _resume(self, step: StepBuilder, key: str | None) -> None:
        step.apply(log.ResumeEntry(at=step.now, command=key))
        self._play.resume(step.now)
        self._pause.clear()
        self._pause.update(step.now)

    def _leave(self, seat: int, why: Literal["away", "missed", "stood"], step: StepBuilder, key: str | None) -> None:
        self._play.pause(step, TableReason.NOT_NOW)
        step.apply(log.LeaveEntry(at=step.now, command=key, seat=seat, why=why))
        self._play.restart(step.now)
        step.row = match_row(self._logged, step.now)
        step.needs_snapshots = True
