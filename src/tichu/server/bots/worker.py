"""The process in which bots think: one question at a time, each answered.

It knows nothing of tables or sockets, so that it starts quickly and stays small.
"""

import os
import signal
import threading
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.process import parent_process
from typing import Final, NamedTuple

from tichu.agents.base import Agent, Choice
from tichu.agents.greedy import GreedyAgent
from tichu.agents.guard import Guarded, call_bot
from tichu.agents.program import BotFault
from tichu.agents.reasons import in_words
from tichu.agents.registry import make_agent
from tichu.core.deals import deal_in_order
from tichu.core.game import Game
from tichu.core.view import View

__all__ = ["READY", "DecisionReply", "DecisionRequest", "fallback", "serve"]

READY: Final = b"ready"

# A bot keeps nothing that matters, so one that was forgotten is made again.
_MOST_AGENTS: Final = 256


class DecisionRequest(NamedTuple):
    """What a bot is to decide, and in how many milliseconds."""

    bot: str
    seed: int
    view: View
    limit_ms: float


class DecisionReply(NamedTuple):
    """A legal decision, and the kind of the bot's fault if it is not the bot's own."""

    choice: Choice
    fault: str | None = None


def fallback(view: View, fault: str) -> Choice:
    """What the greedy bot does in place of one that cannot answer."""
    return Choice(GreedyAgent().act(view, view.legal()), "fallback", {"fault": fault})


def serve(connection: Connection, nice: int, first: Sequence[str]) -> None:
    """Answer questions until the other side has gone; the nicer, the more others come before."""
    if nice and hasattr(os, "nice"):  # Windows has none.
        os.nice(nice)
    # An interrupt from the keyboard reaches every process of the terminal; the server decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    agents = _Agents()
    _warm_up(agents, first)
    with suppress(EOFError, OSError):
        connection.send_bytes(READY)
        while True:
            connection.send(_answer(agents, connection.recv()))


def _leave_with_parent() -> None:
    # The end of the pipe would not be noticed by a bot that hangs.
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _warm_up(agents: "_Agents", bots: Sequence[str]) -> None:
    """Load bots and let each decide once: whoever asks first need not wait."""
    game = Game.start(deal_in_order(range(56)))
    for bot in bots:
        for seat in game.round.pending:
            _answer(agents, DecisionRequest(bot, 0, game.view(seat), 60_000))


def _answer(agents: "_Agents", question: DecisionRequest) -> DecisionReply:
    view = question.view
    try:
        agent = agents.get(question.bot, question.seed)
    except BotFault as fault:
        return DecisionReply(fallback(view, fault.kind), fault.kind)
    guarded = Guarded(agent, question.limit_ms)
    choice = guarded.explain(view, view.legal())
    if guarded.faults:
        return DecisionReply(choice, next(iter(guarded.faults)))
    return DecisionReply(_plain(choice))


def _plain(choice: Choice) -> Choice:
    """A choice that every face can read: a stranger's reason is left out."""
    try:
        call_bot(lambda: in_words(choice, ("0", "1", "2", "3")))
    except BotFault:
        return Choice(choice.action, "chosen")
    return choice._replace(arguments=dict(choice.arguments))


class _Agents:
    """The bots that were asked last."""

    def __init__(self) -> None:
        self._agents: OrderedDict[tuple[str, int], Agent] = OrderedDict()

    def get(self, bot: str, seed: int) -> Agent:
        """The bot.

        :raises BotFault: it cannot be had
        """
        key = bot, seed
        if key not in self._agents:
            self._agents[key] = call_bot(lambda: make_agent(bot, seed))
            if len(self._agents) > _MOST_AGENTS:
                _, forgotten = self._agents.popitem(last=False)
                Guarded(forgotten).close()
        self._agents.move_to_end(key)
        return self._agents[key]
