"""``tichu selfplay``: data sets of games between bots."""

import hashlib
import json
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import click

from tichu import __version__
from tichu.arena.duel import PlayedGame
from tichu.arena.selfplay import play_games
from tichu.arena.setup import Setup
from tichu.arena.teams import parse_team
from tichu.arena.tournament import plan
from tichu.cli.options import BOTS, pool_options, progress_bar, rules_option
from tichu.cli.status import INTERRUPTED
from tichu.cli.typed import TEAMS, FilePath, typed
from tichu.cli.writing import check_target, format_suffix, open_draft, without_interrupts
from tichu.core.errors import GameError
from tichu.core.record import Record, format_jsonl, format_record
from tichu.core.rules import Rules
from tichu.parallel import open_pool

__all__ = ["selfplay"]

_WRITERS: Final[dict[str, Callable[[Record], str]]] = {".ttn": format_record, ".jsonl": format_jsonl}


@click.command(
    help=f"""\
Let bots play games and write them all into OUT: .ttn or .jsonl, packed if .gz or .zst follows.

The same seed gives the same games, whatever the number of workers.  OUT.card.json says what is in the file and how it
was made.  Interrupted, both hold what was played.  A bot is {BOTS} or process:CMD.
"""
)
@click.argument("target", metavar="OUT", type=FilePath())
@click.option("--rounds", type=click.IntRange(1), required=True, help="How many rounds, at least.")
@click.option(
    "--bots", metavar="TEAM[,TEAM]", type=TEAMS, default="learned", show_default=True, help="Who plays; for mixed a+b."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Determines the cards and the bots' chance.")
@rules_option
@click.option("--matches", is_flag=True, help="Whole matches instead of single rounds.")
@click.option("--force", is_flag=True, help="Replace OUT if it is there.")
@click.option("--json", "as_json", is_flag=True, help="What is in OUT as one JSON object, as in OUT.card.json.")
@pool_options
def selfplay(
    target: Path,
    rounds: int,
    bots: str,
    seed: int,
    rules: Rules,
    matches: bool,
    force: bool,
    as_json: bool,
    workers: int | None,
    ray: str | None,
    quiet: bool,
) -> None:
    """Let bots play games and write them."""
    teams = [parse_team(team.strip()) for team in bots.split(",")]
    writer = _WRITERS.get(format_suffix(target))
    if writer is None:
        with typed("OUT"):
            raise GameError(f"{target}: cannot write {target.suffix!r}, only {', '.join(_WRITERS)}, packed or not")
    check_target(target, is_forced=force)
    setup = plan([teams[0], teams[-1]], 1, rules=rules, seed=seed, matches=matches).setups[0]
    card = _Card(setup, bots)
    end: BaseException | None = None
    described = target.with_name(f"{target.name}.card.json")
    with (
        closing(open_pool(workers, ray)) as pool,
        open_draft(target, lambda: _write_whole(described, json.dumps(card.told(), indent=2) + "\n")) as file,
        progress_bar(rounds, "playing", is_quiet=quiet) as advance,
    ):
        try:
            for game in play_games(setup, rounds, pool):
                text = writer(game.record)
                with without_interrupts():
                    file.write(text.encode())
                    card.add(game, text)
                advance(len(game.record.rounds))
        except (GameError, KeyboardInterrupt) as early:
            # What was played is kept; nothing takes nobody's place.
            if not card.games:
                click.echo("interrupted before the first game: nothing was written", err=True)
                raise
            end = early
    if end is not None or not quiet:
        interrupted = "" if end is None else "interrupted: "
        click.echo(f"{interrupted}{card.games:,} games, {card.rounds:,} rounds in {target}", err=True)
    if card.faults:
        # Such games look like any others.
        told = ", ".join(f"{number:,} {fault}" for fault, number in card.faults.items())
        click.echo(f"bots did not decide everything themselves ({told}): tichu bot-check shows why", err=True)
    if as_json:
        click.echo(json.dumps(card.told()))
    if isinstance(end, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    if end is not None:
        raise end
    if card.faults:
        sys.exit(1)


def _write_whole(path: Path, text: str) -> None:
    with open_draft(path) as file:
        file.write(text.encode())


class _Card:
    """What is in a data set."""

    def __init__(self, setup: Setup, bots: str) -> None:
        self._setup = setup
        self._bots = bots
        self._digest = hashlib.sha256()
        self.faults: Counter[str] = Counter()
        self.games = self.rounds = 0

    def add(self, game: PlayedGame, text: str) -> None:
        self._digest.update(text.encode())
        self.faults.update(game.faults)
        self.games += 1
        self.rounds += len(game.record.rounds)

    def told(self) -> dict[str, Any]:
        setup = self._setup
        return {
            "made_by": f"tichu {__version__} selfplay",
            "bots": self._bots,
            "seats": [setup.teams[seat & 1].players[seat // 2] for seat in range(4)],
            "rules": str(setup.rules.sequential()),
            "unit": "match" if setup.matches else "round",
            "seed": setup.seed,
            "games": self.games,
            "rounds": self.rounds,
            # Decisions that a bot did not make, made too late or made wrong, and that were made for it.
            "faults": dict(self.faults),
            # Of the text, not packed.
            "sha256": self._digest.hexdigest(),
        }
