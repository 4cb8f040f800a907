"""Whether one visitor can freeze all tables.

    python -m bench.attacks.freeze

Starts a server whose event loop is watched (:mod:`.watchdog`), gives it a player with many games and many open tables,
and does everything that may be dear, one kind after the other and without the limits by address that would slow it
down.  For each kind the table shows the longest step of the event loop: the time for which nobody else is answered.
Fails if one takes more than ``--most`` milliseconds of processor time, three times in turn.
"""

import asyncio
import os
import secrets
import socket
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Final

import click

from bench.attacks.dear import Attack, Target, attacks, prepare_store
from bench.attacks.watchdog import LoopStep, WatchedServer

__all__ = ["freeze"]

#: No limit by address is in the way.
_LIMITS: Final = (
    *("address_rate=1e6", "address_burst=1000000", "making_rate=1e6", "making_burst=1000000", "costly_rate=1e6"),
    *("costly_burst=1000000", "address_tables=100000", "address_connections=10000", "connections=10000"),
    *("code_rate=1e6", "code_burst=1000000", "socket_rate=1e6", "socket_burst=1000000", "address_offers=1000"),
)
_AT_ONCE: Final = 8
_TRIES: Final = 3


async def _flood(attack: Attack, number: int) -> Counter[str]:
    """Do it again and again; how often each answer came."""
    answers: Counter[str] = Counter()

    async def in_turn(times: int) -> None:
        for _ in range(times):
            try:
                answer = await asyncio.wait_for(attack(), 30)
            except (OSError, TimeoutError, asyncio.IncompleteReadError) as error:
                answer = type(error).__name__
            answers[answer] += 1

    await asyncio.gather(*(in_turn(max(1, number // _AT_ONCE)) for _ in range(_AT_ONCE)))
    return answers


async def freeze(
    server: WatchedServer, target: Target, number: int, most: float, tell: Callable[[str, LoopStep, Counter[str]], None]
) -> float:
    """All attacks, one after the other; the longest step of all."""
    longest = 0.0
    for name, attack in (await attacks(target)).items():
        worst, answers = await _longest_step(server, attack, number)
        for _ in range(_TRIES - 1):
            if worst.processor > most:
                # A machine that has other things to do makes any step long now and then; a server, the same every time.
                again, more = await _longest_step(server, attack, number)
                worst, answers = min(worst, again), answers + more
        longest = max(longest, worst.processor)
        tell(name, worst, answers)
    return longest


async def _longest_step(server: WatchedServer, attack: Attack, number: int) -> tuple[LoopStep, Counter[str]]:
    await server.longest_steps()
    answers = await _flood(attack, number)
    await asyncio.sleep(0.1)
    return (await server.longest_steps())[0], answers


def _tell(name: str, worst: LoopStep, answers: Counter[str]) -> None:
    told = " ".join(f"{answer}:{times}" for answer, times in sorted(answers.items()))
    click.echo(f"{name:28} {worst.processor:7.1f} ms {worst.clock:8.1f} ms  {worst.what:44} {told}")


async def _wait_started(server: WatchedServer) -> None:
    for _ in range(600):
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", server.port)
        except OSError:
            await asyncio.sleep(0.05)
        else:
            writer.close()
            return
    sys.exit(f"the server does not start: {server.log()[-500:]}")


async def _run(folder: Path, number: int, games: int, tables: int, most: float, only: str) -> float:
    token = secrets.token_urlsafe(24)
    await prepare_store(folder, token, games)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    # Nobody takes mail at that address: what is asked for is answered before anything is sent.
    mail = ("--smtp", "smtp://127.0.0.1:9", "--mail-from", "tichu@example.org", "--public-url", "https://example.org")
    server = WatchedServer(folder, port, *mail, *(word for limit in _LIMITS for word in ("--limit", limit)))
    try:
        await _wait_started(server)
        target = await Target.prepare(port, token, tables)
        target.only = only
        click.echo(f"{'':28} {'processor':>10} {'clock':>11}  {'longest step':44} answers")
        return await freeze(server, target, number, most, _tell)
    finally:
        server.stop()


@click.command()
@click.option("--number", default=200, show_default=True, help="Requests of each kind.")
@click.option("--games", default=2000, show_default=True, help="Finished games of the player who asks.")
@click.option("--tables", default=1000, show_default=True, help="Public tables that are open.")
@click.option("--most", default=5.0, show_default=True, help="The longest step that is no failure, in milliseconds.")
@click.option("--only", default="", help="Only attacks with this in their name.")
def main(number: int, games: int, tables: int, most: float, only: str) -> None:
    """Ask for everything dear and see how long others wait."""
    os.environ.pop("TICHU_LIMIT", None)
    with tempfile.TemporaryDirectory(prefix="tichu-attack-") as folder:
        longest = asyncio.run(_run(Path(folder), number, games, tables, most, only))
    if longest > most:
        sys.exit(f"a step took {longest:.1f} ms")


if __name__ == "__main__":
    main()
