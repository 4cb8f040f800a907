"""``tichu bot`` and ``tichu bot-check``: both ends of the bot protocol."""

import json
import re
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import ExitStack, redirect_stdout
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import click

from tichu.agents import Agent, Fault, GreedyAgent, Guarded, ProcessAgent, RandomAgent, make_agent
from tichu.agents.guard import call_bot
from tichu.arena.rounds import play_round
from tichu.arena.setup import LONGEST_DECISION_MS
from tichu.cli.options import BOTS, json_option
from tichu.cli.status import INTERRUPTED
from tichu.cli.typed import BOT, PLAYER, RULES, FilePath, FiniteRange
from tichu.core.actions import CALL_GRAND, CALL_TICHU, Action, format_action, parse_action
from tichu.core.deals import shuffled_deal
from tichu.core.errors import GameError, NotationError
from tichu.core.legal import Legal
from tichu.core.match import Match
from tichu.core.phases import Phase
from tichu.core.position import format_view, parse_view
from tichu.core.rules import PRESETS, STANDARD, Rules
from tichu.core.view import View

__all__ = ["bot", "bot_check", "speak"]

_CALL_CHANCE = 0.1
# More digits are not a score, and Python does not read very many as a number.
_POINTS = r"-?[0-9]{1,9}"


_HELP = f"""\
Let one of our bots speak the bot protocol on stdin and stdout.

NAME is {BOTS}.
"""


@click.command(help=_HELP)
@click.argument("name", type=BOT)
@click.option("--seed", type=int, default=0, show_default=True, help="For bots that play by chance.")
def bot(name: str, seed: int) -> None:
    """Let one of our bots speak the bot protocol."""
    # What the bot prints itself is not part of the protocol.
    out = sys.stdout
    with redirect_stdout(sys.stderr):
        try:
            # A pipe is not a terminal: every line must go out at once.
            speak(make_agent(name, seed), sys.stdin, lambda line: click.echo(line, file=out))
        except UnicodeDecodeError as error:
            raise NotationError(f"the bot protocol is text: {error}") from None


def speak(agent: Agent, lines: Iterable[str], say: Callable[[str], object]) -> None:
    """Answer the bot protocol with an agent until ``quit``.

    :raises GameError: a line is not of the protocol, or the agent fails

    >>> speak(GreedyAgent(), ["tichu 1", "quit"], print)
    name greedy
    ready
    """
    rules, seat, score = STANDARD, 0, (0, 0)
    history: list[tuple[int, Action]] = []
    view: View | None = None
    for line in lines:
        word, _, rest = line.rstrip("\r\n").partition(" ")
        match word:
            case "tichu":
                if rest != "1":
                    raise NotationError(f"this bot speaks 'tichu 1', not {line.rstrip()!r}")
                say(call_bot(lambda: f"name {agent.name}"))
                say("ready")
            case "new":
                rules, history = Rules.parse(rest), []
            case "seat":
                seat, score = _parse_seat(rest)
            case "event":
                history.append(parse_action(rest))
            case "view":
                view = parse_view(rest, seat, rules)._replace(history=tuple(history), score=score)
            case "choose":
                if view is None:
                    raise NotationError("'choose' before any 'view'")
                say(f"act {_answer(agent, view)}")
            case "quit":
                return
            case "error":
                click.echo(f"refused: {rest}", err=True)
            case "result":
                result = _parse_result(rest)
                if view is not None:
                    call_bot(partial(agent.round_over, view, result))
            case _:
                raise NotationError(f"no such line in the bot protocol: {line.rstrip()!r}")


def _answer(agent: Agent, view: View) -> str:
    legal = view.legal()
    # Who is not asked may still call, but no bot expects to have nothing else.
    if all(action in (CALL_GRAND, CALL_TICHU) for action in legal):
        raise NotationError(f"seat {view.seat} has nothing to choose in 'view {format_view(view)}'")
    return call_bot(lambda: format_action(view.seat, agent.act(view, legal)))


def _parse_result(text: str) -> tuple[int, int]:
    found = re.fullmatch(rf"({_POINTS}) ({_POINTS})", text)
    if found is None:
        raise NotationError(f"'result <own team> <other team>', not 'result {_shorten(text)}'")
    return int(found[1]), int(found[2])


def _parse_seat(text: str) -> tuple[int, tuple[int, int]]:
    found = re.fullmatch(rf"([0-3]) score ({_POINTS}) ({_POINTS}) time \d+", text)
    if found is None:
        raise NotationError(f"'seat <n> score <own team> <other team> time <ms>', not 'seat {_shorten(text)}'")
    seat, own, other = map(int, found.groups())
    return seat, (own, other)


@click.command("bot-check")
@click.argument("command", type=PLAYER)
@click.option("--rounds", type=click.IntRange(1), default=100, show_default=True, help="How many rounds to play.")
@click.option("--seed", type=int, default=0, show_default=True, help="For the deals and the bots at the table.")
@click.option(
    "--time",
    "limit_ms",
    type=FiniteRange(1, LONGEST_DECISION_MS),
    default=1000,
    show_default=True,
    help="Ms a decision.",
)
@click.option("--rules", type=RULES, default=None, help="A rule set; without it every preset in turn.")
@click.option("--faults", "most", type=click.IntRange(1), default=20, show_default=True, help="Stop after this many.")
@click.option("--log", "log_path", type=FilePath(), help="Write all that is said to a file.")
@json_option
def bot_check(
    command: str,
    rounds: int,
    seed: int,
    limit_ms: float,
    rules: Rules | None,
    most: int,
    log_path: Path | None,
    as_json: bool,
) -> None:
    """Play rounds with a bot and report each fault of the protocol: what was said, and why it is wrong.

    COMMAND starts a program that speaks the bot protocol, as in tichu bot-check "./mybot --fast"; path/file.py:Class
    and the names of our own bots are understood too.  The bot changes seats from round to round; with it play greedy
    and a random bot that calls.  Exit status 1 if there was a fault.
    """
    agent = make_agent(command, seed)
    with ExitStack() as stack:
        if log_path is not None:
            if not isinstance(agent, ProcessAgent):
                raise click.UsageError(f"--log is for programs, which {command} is not: nothing is said to it")
            log = stack.enter_context(log_path.open("w", encoding="utf-8"))
            agent.log = lambda line: log.write(f"{line}\n")
        checked = _Checked(agent, limit_ms, most, is_quiet=as_json)
        stack.callback(checked.close)
        is_interrupted = False
        try:
            _play(checked, rounds, seed, [one.sequential() for one in ([rules] if rules else PRESETS.values())])
        except KeyboardInterrupt:
            checked.is_stopped = is_interrupted = True
    click.echo(json.dumps(checked.as_json()) if as_json else checked.summary())
    if is_interrupted:
        sys.exit(INTERRUPTED)
    if checked.faults:
        sys.exit(1)


def _play(checked: "_Checked", rounds: int, seed: int, rule_sets: list[Rules]) -> None:
    rng = Random(seed)
    match = Match(rule_sets[0])
    hidden = not sys.stderr.isatty()
    with click.progressbar(range(rounds), label="rounds", file=sys.stderr, hidden=hidden) as numbers:
        for number in numbers:
            # One rule set after the other, so that scores add up to something.
            rules = rule_sets[number * len(rule_sets) // rounds]
            if match.winner is not None or match.rules != rules:
                match = Match(rules)
            seat = number % 4
            agents: list[Agent] = [GreedyAgent(), GreedyAgent(), GreedyAgent(), GreedyAgent()]
            agents[(seat + 1 + number // 4 % 3) % 4] = _Caller(rng.getrandbits(32))
            agents[seat] = checked
            try:
                game = play_round(agents, shuffled_deal(rng), rules, match)
            except _Enough:
                checked.is_stopped = True
                break
            match = game.match
            score = game.round.outcome.score
            own, other = score if seat % 2 == 0 else score[::-1]
            checked.round_over(game.view(seat), (own, other))
            checked.rounds += 1
            checked.points += own - other


class _Caller(RandomAgent):
    """Plays at random and calls now and then, so that the bot sees calls."""

    name = "caller"

    def act(self, view: View, legal: Legal) -> Action:
        call = CALL_GRAND if view.phase is Phase.GRAND else CALL_TICHU
        if self._rng.random() < _CALL_CHANCE and call in legal:
            return call
        return super().act(view, legal)


class _Enough(GameError):
    """So many faults that the rest tells nothing new."""


class _Checked(Guarded):
    """The bot under test: tells its faults as they come and keeps count."""

    name = "checked"

    def __init__(self, agent: Agent, limit_ms: float, most: int, *, is_quiet: bool) -> None:
        super().__init__(agent, limit_ms)
        self._is_quiet = is_quiet
        self._told: list[Fault] = []
        self.rounds = 0
        self.points = 0
        self.is_stopped = False
        self._most = most
        self._times: list[float] = []
        self._phases: Counter[Phase] = Counter()
        self.on_fault = self._tell

    def act(self, view: View, legal: Legal) -> Action:
        self._phases[view.phase] += 1
        # To start a program takes time of its own, which is not that of the decision.
        is_running = not isinstance(self.agent, ProcessAgent) or self.agent.is_running
        start = time.perf_counter()
        action = super().act(view, legal)
        if is_running:
            self._times.append(1000 * (time.perf_counter() - start))
        if self.faults.total() >= self._most or self._is_hopeless():
            raise _Enough
        return action

    def _is_hopeless(self) -> bool:
        """Whether the program never got ready, or failed again and again."""
        return isinstance(self.agent, ProcessAgent) and (self.agent.has_given_up or not self.agent.title)

    def _tell(self, fault: Fault) -> None:
        self._told.append(fault)
        if self._is_quiet:
            return
        if sys.stderr.isatty():
            click.echo(err=True)  # The progress bar has not ended its line.
        click.echo(f"{fault.kind}: round {self.rounds}, seat {fault.seat}, {fault.rules}: {fault.reason}")
        for line in fault.dialogue or (f"view {fault.view}",):
            click.echo(f"    {_shorten(line)}")

    @property
    def _title(self) -> str:
        return self.agent.title if isinstance(self.agent, ProcessAgent) else self.agent.name

    def as_json(self) -> dict[str, Any]:
        """The same, for programs."""
        return {
            "bot": self._title,
            "rounds": self.rounds,
            "stopped": self.is_stopped,
            "points_per_round": self.points / self.rounds if self.rounds else None,
            "decisions": {phase.name.lower(): self._phases[phase] for phase in Phase if self._phases[phase]},
            "median_ms": statistics.median(self._times) if self._times else None,
            "longest_ms": max(self._times, default=None),
            "faults": dict(self.faults),
            "told": [
                {
                    "kind": fault.kind,
                    "seat": fault.seat,
                    "rules": str(fault.rules),
                    "reason": fault.reason,
                    "view": str(fault.view),
                    "dialogue": list(fault.dialogue),
                }
                for fault in self._told
            ],
        }

    def summary(self) -> str:
        """What was played, how fast, and how often it went wrong."""
        faults = ", ".join(f"{number} {kind}" for kind, number in self.faults.items()) or "none"
        times = self._times or [0]
        asked = ", ".join(f"{self._phases[phase]} {phase.name.lower()}" for phase in Phase if self._phases[phase])
        lines = [
            f"bot        {self._title or 'never said its name'}",
            f"rounds     {self.rounds}" + (" (stopped early)" if self.is_stopped else ""),
            f"decisions  {self._phases.total()}: {asked}",
            f"time       median {statistics.median(times):.1f} ms, longest {max(times):.1f} ms",
            f"faults     {faults}",
        ]
        if self.rounds:
            lines.insert(2, f"points     {self.points / self.rounds:+.1f} a round")
        return "\n".join(lines)


def _shorten(line: str, width: int = 400) -> str:
    return line if len(line) <= width else f"{line[:width]}... ({len(line)} characters)"
