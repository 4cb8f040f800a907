"""What was answered to commands, kept for those who ask again.

A little of every player is remembered: nobody can push out what others may still repeat.
"""

from typing import Final

from msgspec.structs import replace

from tichu.core.errors import IllegalAction
from tichu.server.table.audience import Audience
from tichu.server.table.ports import Player
from tichu.server.table.recent import Recent
from tichu.server.table.refusals import Refusal
from tichu.server.table.state import LoggedState
from tichu.server.table.steps import StepBuilder
from tichu.server.wire import Ack, Command, Refused, SeatView

__all__ = ["Replies"]

#: Answers remembered of each player, and of all.
_OF_EACH: Final = 16
_OF_ALL: Final = 80


class Replies:
    """The answers of a table, given once and repeated when they are asked for again."""

    def __init__(self, logged: LoggedState, audience: Audience) -> None:
        self._logged = logged
        self._audience = audience
        self._answers: Recent[Ack | Refused] = Recent(each=_OF_EACH, most=_OF_ALL)

    def repeat(self, player: Player, command: Command) -> Ack | Refused | None:
        """What was answered to this command, if it is still known; after a restart the log knows what was done."""
        key = f"{player.id} {command.id}"
        if key in self._answers:
            return self._answers[key]
        version = self._logged.commands.get(key)
        return None if version is None else Ack(id=command.id, version=version)

    def acknowledge(self, step: StepBuilder, player: Player, command: Command) -> None:
        """The command is done."""
        self._give(step, player, Ack(id=command.id, version=self._version(player.id)))

    def refuse(
        self,
        step: StepBuilder,
        player: Player,
        command: Command,
        refusal: Refusal | IllegalAction,
        view: SeatView | None = None,
    ) -> None:
        """The command changed nothing."""
        refused = self.refusal(player.id, command.id, refusal)
        self._give(step, player, refused if view is None else replace(refused, view=view))

    def refusal(self, player_id: str, command_id: str, refusal: Refusal | IllegalAction) -> Refused:
        """The answer with the reason."""
        message = refusal.message if isinstance(refusal, Refusal) else refusal.reason.value
        return Refused(id=command_id, reason=refusal.reason.name, message=message, version=self._version(player_id))

    def _version(self, player_id: str) -> int:
        """What spectators may know: how much has happened in a trick tells who passed and who did not."""
        if self._logged.seat_of(player_id) is None:
            return self._audience.shown_version
        return self._logged.version

    def _give(self, step: StepBuilder, player: Player, answer: Ack | Refused) -> None:
        self._answers.put(f"{player.id} {answer.id}", answer)
        step.messages.append((player.id, answer))
