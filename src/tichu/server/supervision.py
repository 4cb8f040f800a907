"""Keeps processes running: one that ends by itself is started again, and the others go on meanwhile.

Processes that end soon after their start, before any of them has ever served, are not worth another try: something is
wrong with how they were started.  One that has served before is started again however long it takes; the database may
be away, and that is no reason to end those that wait for it.
"""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

__all__ = ["REPLACED", "Child", "Supervisor"]

log = logging.getLogger("tichu.server")

#: The exit status of a process whose name another one has taken.
REPLACED: Final = 3
#: A process that lives for so long has served.
_SERVED_S: Final = 10.0
_MOST_TRIES: Final = 3
#: The pause before a process is started again, which doubles up to the last.
_PAUSE_S, _LONGEST_PAUSE_S = 1.0, 16.0


class Child(Protocol):
    """A process."""

    name: str

    @property
    def is_alive(self) -> bool:
        """Whether it runs."""

    @property
    def exit_code(self) -> int | None:
        """How it has ended."""

    def start(self) -> None:
        """Begin, or begin again."""

    def terminate(self) -> None:
        """Ask it to end."""


@dataclass(slots=True)
class _State:
    child: Child
    started: float = 0.0
    #: When it is to be started again; None while it runs.
    due: float | None = 0.0
    tries: int = 0


class Supervisor:
    """Over all processes of a server."""

    def __init__(self, children: Sequence[Child], monotonic: Callable[[], float] = time.monotonic) -> None:
        self._states = [_State(child) for child in children]
        self._monotonic = monotonic
        self._is_ending = False
        self._is_told = False
        self._has_served = False
        #: Whether the processes could be kept running.
        self.is_well = True

    def end(self) -> None:
        """A signal has come; what follows from it is done by the next step, as a signal may come at any time."""
        self._is_ending = True

    def step(self) -> bool:
        """See to all processes; False if none runs and none is to run."""
        for state in () if self._is_ending else self._states:
            self._attend(state)
        if self._is_ending and not self._is_told:
            self._is_told = True
            for state in self._states:
                if state.child.is_alive:
                    state.child.terminate()
        return not self._is_ending or any(state.child.is_alive for state in self._states)

    def _attend(self, state: _State) -> None:
        now, child = self._monotonic(), state.child
        if state.due is None:
            self._has_served = self._has_served or now - state.started >= _SERVED_S
            if child.is_alive:
                return
            self._note_end(state, now)
        if state.due is not None and now >= state.due and not self._is_ending:
            state.started, state.due = now, None
            child.start()

    def _note_end(self, state: _State, now: float) -> None:
        name = state.child.name
        if state.child.exit_code == REPLACED:
            log.critical("another machine, or another server on this one, has a node called %s too: --node", name)
            self._give_up()
            return
        state.tries = state.tries + 1 if now - state.started < _SERVED_S else 0
        if state.tries > _MOST_TRIES and not self._has_served:
            self._give_up()
            return
        state.due = now + min(_PAUSE_S * 2 ** max(0, state.tries - 1), _LONGEST_PAUSE_S)
        log.error("node %s has ended and is started again", name)

    def _give_up(self) -> None:
        self._is_ending, self.is_well = True, False
