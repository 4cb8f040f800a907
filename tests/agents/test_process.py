"""Programs as bots: what they are told, and what they can do wrong."""

import gc
import os
import shlex
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from tests.table import at
from tichu import Game, Match, Rules, View, format_action, parse_action, shuffled_deal
from tichu.agents import Agent, BotFault, GreedyAgent, Guarded, ProcessAgent
from tichu.arena.rounds import play_round
from tichu.core.actions import PASS

#: A bot that speaks the protocol; BODY is what it does when asked.
BOT = """
import os, signal, subprocess, sys, time

def say(text):
    sys.stdout.write(text + "\\n")
    sys.stdout.flush()

asked = 0
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    good = "act " + rest.split(" ")[-1]
    if word == "tichu":
        say("name Fake")
        say("ready")
    elif word == "choose":
        asked += 1
        BODY
    elif word == "quit":
        break
"""
GOOD = "say(good)"

TURN = at("6r/9sTs/5r/4r p1 0:8s").view(1)
LOWEST = parse_action("1:9s")[1]

MakeBot = Callable[..., ProcessAgent]


@pytest.fixture
def program(tmp_path: Path) -> Iterator[MakeBot]:
    """Writes a bot and closes it at the end."""
    bots: list[ProcessAgent] = []

    def make(body: str = GOOD, *, script: str = BOT, deadline_ms: float = 5000) -> ProcessAgent:
        path = tmp_path / f"bot{len(bots)}.py"
        path.write_text(script.replace("BODY", body.replace("\n", "\n        ")), encoding="utf-8")
        bots.append(ProcessAgent(shlex.join([sys.executable, "-I", "-S", str(path)]), deadline_ms=deadline_ms))
        return bots[-1]

    threads = threading.active_count()
    yield make
    for bot in bots:
        bot.close()
    assert threading.active_count() == threads


def ask(bot: Agent, view: View = TURN) -> str:
    """The answer, or the fault as text."""
    try:
        return format_action(view.seat, bot.act(view, view.legal()))
    except BotFault as fault:
        return str(fault)


def later(view: View, number: int) -> View:
    """The same question later in the round."""
    return view._replace(history=((1, PASS),) * number)


@pytest.mark.parametrize(
    "body",
    [
        GOOD,
        "sys.stdout.write(good + '\\r\\n'); sys.stdout.flush()",
        "sys.stdout.write(good[:5]); sys.stdout.flush(); time.sleep(0.05); say(good[5:])",
        "sys.stderr.write('x' * 1_000_000); sys.stderr.flush(); say(good)",
        "sys.stdout.write(good); sys.stdout.flush(); os._exit(0)",
    ],
    ids=["plain", "crlf", "in two parts", "noisy on stderr", "without a line end before it ends"],
)
def test_a_good_answer_counts(program: MakeBot, body: str) -> None:
    bot = program(body)
    assert ask(bot) == "1:-"
    assert bot.title == "Fake"


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("raise ValueError('lost')", "crashed: the program ended with exit status 1: ValueError: lost"),
        ("os._exit(7)", "crashed: the program ended with exit status 7"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "crashed: the program was killed by signal 9"),
        ("os.close(1); time.sleep(60)", "crashed: the program closed its output"),
        ("say('hello')", "illegal: the answer is written 'act <action>', not 'hello'"),
        ("say('')", "illegal: the answer is written 'act <action>', not ''"),
        ("os.write(1, b'\\xff\\xfe\\n')", r"illegal: the answer is written 'act <action>', not '\\xff\\xfe'"),
        ("os.write(1, b'x' * 10_000_000)", "illegal: a line longer than 4096 bytes: 'xxxx"),
        ("while True: say('spam')", "illegal: the answer is written 'act <action>', not 'spam'"),
        ("say('act')", "illegal: no seat '' in ''"),
        ("say('act nonsense')", "illegal: no seat 'n' in 'nonsense'"),
        ("say('act 1:9s9s')", "illegal: 9s twice in '9s9s', in '1:9s9s'"),
        ("say('act 1:2s')", "illegal: 1:2s is not legal: the cards are not in the hand"),
        ("say('act 2:-')", "illegal: seat 1 was asked, not '2:-'"),
    ],
)
def test_what_a_program_does_wrong_is_told(program: MakeBot, body: str, fault: str) -> None:
    told = ask(program(body))
    assert told.startswith(fault), told


@pytest.mark.parametrize(
    "body",
    [
        "time.sleep(3600)",
        "time.sleep(0.6); say(good)",
        "sys.stdout.write('act 1:')",
        "while True: sys.stderr.write('x' * 99)",
    ],
    ids=["hangs", "slow", "half a line", "floods stderr"],
)
def test_a_late_answer_is_none(program: MakeBot, body: str) -> None:
    bot = program(body, deadline_ms=200)
    assert ask(bot) == "late: no answer within 200 ms"
    assert not bot.is_running


def test_a_program_that_reads_nothing_holds_nobody_up(program: MakeBot) -> None:
    bot = program(script="import time\nprint('name Deaf\\nready', flush=True)\ntime.sleep(60)", deadline_ms=200)
    assert ask(bot, later(TURN, 100_000)) == "late: no answer within 200 ms"


@pytest.mark.parametrize(
    ("script", "fault"),
    [
        ("", "crashed: the program ended with exit status 0"),
        ("import nothing_of_this_name", "crashed: the program ended with exit status 1: ModuleNotFoundError"),
        ("print('ready')", "illegal: 'tichu 1' is answered by 'name <name>' and 'ready', not 'ready'"),
        ("print('name ')", "illegal: 'tichu 1' is answered by 'name <name>' and 'ready', not 'name'"),
        ("print('name A\\nname B')", "illegal: 'tichu 1' is answered by 'name <name>' and 'ready', not 'name B'"),
    ],
)
def test_a_program_that_does_not_get_ready_is_told(program: MakeBot, script: str, fault: str) -> None:
    bot = program(script=script)
    assert ask(bot).startswith(fault)


def test_a_program_that_cannot_be_executed_is_told(tmp_path: Path) -> None:
    path = tmp_path / "bot"
    path.write_text("#!/no/such/interpreter\n", encoding="utf-8")
    path.chmod(0o755)
    assert ask(ProcessAgent(str(path))) == f"crashed: {path} cannot be started: No such file or directory"


def test_a_line_that_nobody_asked_for_is_a_fault(program: MakeBot) -> None:
    bot = program("say(good + '\\nthanks')")
    assert ask(bot) == "1:-"
    time.sleep(0.1)
    assert ask(bot, later(TURN, 1)) == "illegal: a line that nobody asked for: 'thanks'"
    assert ask(bot, later(TURN, 2)) == "1:-"


def test_a_flood_between_two_questions_is_a_fault(program: MakeBot) -> None:
    bot = program("say(good)\nwhile True: say('spam')")
    assert ask(bot) == "1:-"
    time.sleep(0.1)
    assert "spam" in ask(bot, later(TURN, 1))


def test_an_illegal_answer_is_refused_and_the_program_goes_on(program: MakeBot) -> None:
    bot = program("say('act 1:2s' if asked == 1 else good)")
    lines: list[str] = []
    bot.log = lines.append
    assert ask(bot).startswith("illegal")
    assert lines[-2:] == ["< act 1:2s", "> error 1:2s is not legal: the cards are not in the hand"]
    assert ask(bot, later(TURN, 1)) == "1:-"
    assert lines.count("> tichu 1") == 1


def test_a_program_that_ended_is_started_again_and_told_all_that_happened(program: MakeBot, tmp_path: Path) -> None:
    flag = tmp_path / "crashed-once"
    bot = program(f"if asked == 2 and not os.path.exists({str(flag)!r}): open({str(flag)!r}, 'w'); os._exit(1)\n{GOOD}")
    lines: list[str] = []
    bot.log = lines.append
    assert ask(bot, later(TURN, 0)) == "1:-"
    assert ask(bot, later(TURN, 1)).startswith("crashed")
    del lines[:]
    assert ask(bot, later(TURN, 2)) == "1:-"
    assert [line.split(" ")[1] for line in lines] == [
        *("tichu", "name", "ready", "new", "seat", "event", "event", "view", "choose", "act")
    ]
    del lines[:]
    assert ask(bot, later(TURN, 3)) == "1:-"
    assert [line.split(" ")[1] for line in lines] == ["seat", "event", "view", "choose", "act"]


def test_a_hopeless_program_rests_until_the_next_round(program: MakeBot) -> None:
    bot = program("os._exit(1)")
    starts: list[str] = []
    bot.log = lambda line: starts.append(line) if line == "> tichu 1" else None
    for number in range(6):
        assert ask(bot, later(TURN, number)).startswith("crashed")
    assert len(starts) == 3
    assert ask(bot, later(TURN, 9)).startswith(
        "crashed: not started again in this round, after 3 failures: the program"
    )
    for number in range(3):
        ask(bot, later(TURN, number)._replace(score=(100, 0)))
    assert len(starts) == 4


def test_a_fault_carries_what_was_said(program: MakeBot) -> None:
    guarded = Guarded(program("say('hm')"))
    assert guarded.act(TURN, TURN.legal()) == LOWEST
    fault = guarded.examples[0]
    assert fault.dialogue[3:] == (
        "> new standard",
        "> seat 1 score 0 0 time 5000",
        f"> view {fault.view}",
        "> choose 1:9s 1:Ts 1:-",
        "< hm",
    )


def test_the_guard_sets_the_deadline_of_a_program(program: MakeBot) -> None:
    bot = program("time.sleep(60)")
    guarded = Guarded(bot, deadline_ms=150)
    guarded.act(TURN, TURN.legal())
    assert guarded.faults == {"late": 1}
    assert "> seat 1 score 0 0 time 150" in guarded.examples[0].dialogue


def pid_of(bot: ProcessAgent) -> int:
    assert bot._program is not None
    return bot._program._process.pid


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # What waits to be buried by somebody else is dead.
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"


@pytest.mark.parametrize("body", [GOOD, "say(good); time.sleep(60)"], ids=["quits", "does not quit"])
def test_a_closed_bot_leaves_no_program_behind(program: MakeBot, body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tichu.agents.process.QUIT_S", 0.3)
    bot = program(body)
    ask(bot)
    pid = pid_of(bot)
    assert is_alive(pid)
    bot.close()
    bot.close()
    assert not is_alive(pid)


def test_a_forgotten_bot_leaves_no_program_behind(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text(BOT.replace("BODY", "say(good); time.sleep(60)"), encoding="utf-8")
    bot = ProcessAgent(shlex.join([sys.executable, "-I", "-S", str(path)]))
    ask(bot)
    pid = pid_of(bot)
    del bot
    gc.collect()
    assert not is_alive(pid)


def test_what_a_program_started_ends_with_it(program: MakeBot, tmp_path: Path) -> None:
    note = tmp_path / "pid"
    bot = program(
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        f"open({str(note)!r}, 'w').write(str(child.pid))\n"
        "time.sleep(60)",
        deadline_ms=1000,
    )
    assert ask(bot).startswith("late")
    child = int(note.read_text(encoding="utf-8"))
    until = time.monotonic() + 5
    while is_alive(child) and time.monotonic() < until:
        time.sleep(0.01)
    assert not is_alive(child)


def command(*words: str) -> str:
    return shlex.join([sys.executable, "-c", "from tichu.cli import main; main()", *words])


@pytest.mark.parametrize("rules", ["standard bombs=ordered", "courtesy", "single-round", "simple"])
def test_our_bot_as_a_program_decides_as_in_the_library(rules: str) -> None:
    class Twice(GreedyAgent):
        """Asks the program and the library."""

        def act(self, view: View, legal: object) -> object:  # type: ignore[override]
            answer = super().act(view, view.legal())
            assert bot.act(view, view.legal()) == answer
            return answer

    bot = ProcessAgent(command("bot", "greedy"))
    for seed in range(3):
        agents: list[Agent] = [GreedyAgent(), GreedyAgent(), GreedyAgent(), GreedyAgent()]
        agents[seed] = Twice()
        game = play_round(agents, shuffled_deal(Random(seed)), Rules.parse(rules))
        bot.round_over(game.view(seed), (0, 0))
    assert bot.title == "greedy"
    bot.close()


def test_a_program_that_plays_by_chance_has_a_seed() -> None:
    games: list[Game] = []
    for _ in range(2):
        bot = ProcessAgent(command("bot", "random", "--seed", "5"))
        games.append(play_round([bot, *(GreedyAgent() for _ in range(3))], shuffled_deal(Random(1))))
        bot.close()
    assert games[0] == games[1]


TRANSCRIPT = Path(__file__).parent / "transcript.txt"


def transcript() -> list[str]:
    """All that is said to the greedy bot in two rounds of a match.

    Written by ``python -m tests.agents.test_process``.
    """
    bot = ProcessAgent(command("bot", "greedy"), deadline_ms=1000)
    lines: list[str] = []
    bot.log = lines.append
    rng = Random(8)
    match: Match | None = None
    for _ in range(2):
        deal = shuffled_deal(rng)
        game = play_round([GreedyAgent(), GreedyAgent(), bot, GreedyAgent()], deal, Rules.parse("courtesy"), match)
        match = game.match
        bot.round_over(game.view(2), game.round.outcome.score)
    bot.close()
    return lines


def test_what_is_said_in_two_rounds() -> None:
    assert transcript() == TRANSCRIPT.read_text(encoding="utf-8").splitlines()


if __name__ == "__main__":
    TRANSCRIPT.write_text("".join(f"{line}\n" for line in transcript()), encoding="utf-8")
