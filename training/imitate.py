"""Teach the champion to decide as people do, from games that people have played.

    python -m training.imitate tests/games/*.ttn --out build/human.npz

How close it is held to the champion is chosen by cross-validation: each part of the games is decided by bots that have
learned from the others alone, and games with a player in common are in the same part.  Intervals count a game as one
observation.  The closest is taken whose agreement is not clearly below the best one's.  Then it learns from all games.
Several minutes on a GPU; on a CPU leave out the choice (``--parts 1 --closeness 0.2``).
"""

from training import require_torch  # noqa: F401  # isort: skip

import argparse
import tempfile
import time
from collections.abc import Sequence
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Final

import torch

from tichu.agents.learned.agent import LearnedAgent
from tichu.agents.learned.human import PLAIN, HumanAgent, Strength, level_distance, read_people, strength_at
from tichu.core.actions import Action, Exchange
from tichu.core.view import View
from training.agreement import agreement
from training.checkpoint import read_policy
from training.command_line import TrainingError, entry_point, fraction, positive_float, positive_int, print_line
from training.imitation import Samples, Settings, fit, mean_of, samples_of, write_additions
from training.levels import FIRST_LEVELS
from training.network import Policy
from training.people import Comparison, ask, gain
from training.people_games import Game, decisions, group, read

__all__ = ["main", "split"]

Decisions = list[tuple[View, Action]]
Tables = list[list[Comparison]]

_CHAMPION: Final = "champion.npz"


def split(groups: Sequence[Sequence[int]], sizes: Sequence[int], parts: int) -> list[list[int]]:
    """The games in so many parts of about as many decisions; those of a group, and neighbours, stay together."""
    whole = sum(sizes)
    places: list[list[int]] = [[] for _ in range(parts)]
    before = 0
    for members in groups:
        count = sum(sizes[game] for game in members)
        places[min(parts - 1, int((before + count / 2) * parts / whole))] += members
        before += count
    return places


class _Course:
    """The games, and how to learn from them."""

    def __init__(self, games: Sequence[Game], options: argparse.Namespace) -> None:
        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        self._champion: Policy = read_policy(Path(str(files("tichu.agents.learned") / _CHAMPION)), self._device)
        self._options = options
        numbers = {id(game): number for number, game in enumerate(games)}
        #: Games with a player in common, by their numbers.
        self.groups = [[numbers[id(game)] for game in members] for members in group(games)]
        self.decisions: list[Decisions] = [list(decisions(game)) for game in games]
        self._deals = [game.deals() for game in games]
        self._samples = [samples_of(each) for each in self.decisions]

    @cached_property
    def before(self) -> Tables:
        """What the champion would do."""
        return [list(ask(each, LearnedAgent())) for each in self.decisions]

    def learn(self, games: Sequence[int], settings: Settings, path: Path) -> None:
        """Learn from these games, several times, and write the mean."""
        chosen = (self._samples[game] for game in games)
        together = Samples(*(torch.cat(each).to(self._device) for each in zip(*chosen, strict=True)))
        fits = [fit(self._champion, together, settings, seed) for seed in range(self._options.fits)]
        deals = frozenset().union(*(self._deals[game] for game in games))
        write_additions(mean_of(fits), settings, self._options.rank, deals, path)

    def cross_validate(self, settings: Settings, strengths: Sequence[Strength] = (PLAIN,)) -> list[Tables]:
        """What bots of these strengths would do in each game, having learned from the other parts."""
        found: list[dict[int, list[Comparison]]] = [{} for _ in strengths]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "part.npz"
            for part in split(self.groups, [*map(len, self.decisions)], self._options.parts):
                self.learn([game for game in range(len(self.decisions)) if game not in part], settings, path)
                for strength, of_strength in zip(strengths, found, strict=True):
                    bot = HumanAgent(1, network=read_people(str(path), strength.share))
                    bot.temperature = strength.temperature
                    of_strength.update({game: list(ask(self.decisions[game], bot)) for game in part})
        return [[each[game] for game in range(len(self.decisions))] for each in found]

    def compare_levels(self, settings: Settings) -> None:
        """Tell how often the levels agree with people, beside the first levels."""
        strengths = [strength_at(level_distance(name)) for name in FIRST_LEVELS]
        for (name, temperature), found in zip(
            FIRST_LEVELS.items(), self.cross_validate(settings, strengths), strict=True
        ):
            first = LearnedAgent(1)
            first.temperature = temperature
            before = [list(ask(each, first)) for each in self.decisions]
            print_line(f"{name}: {_agreement(found, before, gifts=False)} as it was")


def _choose(course: _Course, options: argparse.Namespace) -> Settings:
    """The closest to the champion that does not agree clearly less than the best."""
    tried: dict[Settings, Tables] = {}
    for closeness in sorted(options.closeness):
        settings = _settings(options, closeness)
        began = time.perf_counter()
        [found] = course.cross_validate(settings)
        tried[settings] = found
        told = [
            f"{name} {_agreement(found, course.before, gifts)}" for name, gifts in (("all", False), ("gifts", True))
        ]
        print_line(f"closeness {closeness:g}: {'; '.join(told)} ({time.perf_counter() - began:.0f} s)")
    best = max(tried, key=lambda each: sum(one.agree for table in tried[each] for one in table))
    # Where no interval can be told nothing is clear.
    return max(each for each in tried if not gain(tried[best], tried[each]).low > 0)


def _agreement(found: Tables, before: Tables, gifts: bool) -> str:
    kept, known = (
        [[one for one in table if isinstance(one.people, Exchange) or not gifts] for table in each]
        for each in (found, before)
    )
    share = agreement([[float(one.agree) for one in table] for table in kept])
    return f"{share} %, {gain(kept, known)} above"


def _settings(options: argparse.Namespace, closeness: float) -> Settings:
    return Settings(
        closeness=closeness,
        epochs=options.epochs,
        learning_rate=options.learning_rate,
        rank=options.fit_rank,
        dropout=options.dropout,
    )


@entry_point
def main(arguments: list[str] | None = None) -> None:
    """Choose, learn from all games and write what is added."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    known = Settings()
    parser.add_argument("games", type=Path, nargs="+", metavar="GAME", help="a .ttn, .jsonl or .tch file, or a folder")
    parser.add_argument("--out", type=Path, required=True, metavar="HUMAN.npz")
    parser.add_argument(
        "--closeness", type=float, nargs="+", default=[0.0, 0.2, 0.5, 1.0], help="weights to choose from"
    )
    parser.add_argument("--parts", type=positive_int, default=5, help="of the cross-validation; 1 is none")
    parser.add_argument("--fits", type=positive_int, default=4, help="how many fits are averaged")
    parser.add_argument("--epochs", type=positive_int, default=known.epochs)
    parser.add_argument("--learning-rate", type=positive_float, default=known.learning_rate)
    parser.add_argument("--fit-rank", type=positive_int, default=known.rank, help="of each matrix while it is learned")
    parser.add_argument("--rank", type=positive_int, default=2 * known.rank, help="of each matrix in the file")
    parser.add_argument("--dropout", type=fraction, default=known.dropout)
    parser.add_argument("--levels", action="store_true", help="compare the levels with the first ones, too")
    parser.add_argument("--force", action="store_true", help="replace HUMAN.npz if it is there")
    options = parser.parse_args(arguments)
    if options.out.exists() and not options.force:
        raise TrainingError(f"{options.out}: this file is there already; --force replaces it")
    if options.parts == 1 and len(options.closeness) > 1:
        raise TrainingError("--parts 1 is no cross-validation: say one --closeness")
    games = read(options.games)
    groups = len(group(games))
    if groups < options.parts:
        raise TrainingError(
            f"{len(games)} games are {groups} without a player in common, too few for {options.parts} parts; "
            "--parts 1 and one --closeness learn without cross-validation"
        )
    print_line(f"{len(games)} games in {groups} groups without a player in common, {options.parts} parts")
    course = _Course(games, options)
    settings = _settings(options, options.closeness[0]) if options.parts == 1 else _choose(course, options)
    if options.levels:
        course.compare_levels(settings)
    course.learn(range(len(games)), settings, options.out)
    print_line(f"{options.out}: closeness {settings.closeness:g}, {options.out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
