"""Teach the champion to decide as people do, from games that people have played.

    python -m training.imitate tests/games/*.ttn --out build/human.npz

How close it is held to the champion is chosen by cross-validation: each part of the games is decided by bots that have
learned from the others alone, and games with a player in common are in the same part.  The closest is taken whose
agreement is not clearly below the best one's.  Then it learns from all games.  Several minutes on a GPU; on a CPU leave
out the choice (``--parts 1 --closeness 0.2``).
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
from training.checkpoint import read_policy
from training.command_line import TrainingError, entry_point, fraction, positive_float, positive_int, print_line
from training.imitation import Samples, Settings, fit, mean_of, samples_of, write_additions
from training.levels import FIRST_LEVELS
from training.network import Policy
from training.people import Agreement, Comparison, agreement, ask, gain
from training.people_games import decisions, group, read

__all__ = ["main", "split"]

Decisions = list[tuple[View, Action]]
Tables = list[list[Comparison]]

_CHAMPION: Final = "champion.npz"


def split(groups: Sequence[Decisions], parts: int) -> list[list[int]]:
    """The numbers of the groups in so many parts of about as many decisions; neighbours stay together."""
    whole = sum(map(len, groups))
    places: list[list[int]] = [[] for _ in range(parts)]
    before = 0
    for number, each in enumerate(groups):
        places[min(parts - 1, int((before + len(each) / 2) * parts / whole))].append(number)
        before += len(each)
    return places


class _Course:
    """The games, and how to learn from them."""

    def __init__(self, groups: list[Decisions], options: argparse.Namespace) -> None:
        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        self._champion: Policy = read_policy(Path(str(files("tichu.agents.learned") / _CHAMPION)), self._device)
        self._options = options
        self.groups = groups
        self.samples = [samples_of(each) for each in groups]

    @cached_property
    def before(self) -> Tables:
        """What the champion would do."""
        return [list(ask(each, LearnedAgent())) for each in self.groups]

    def learn(self, numbers: Sequence[int], settings: Settings, path: Path) -> None:
        """Learn from these groups, several times, and write the mean."""
        chosen = (self.samples[number] for number in numbers)
        together = Samples(*(torch.cat(each).to(self._device) for each in zip(*chosen, strict=True)))
        fits = [fit(self._champion, together, settings, seed) for seed in range(self._options.fits)]
        write_additions(mean_of(fits), settings, self._options.rank, path)

    def cross_validate(self, settings: Settings, strengths: Sequence[Strength] = (PLAIN,)) -> list[Tables]:
        """What bots of these strengths would do in each group, having learned from the other parts."""
        found: list[dict[int, list[Comparison]]] = [{} for _ in strengths]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "part.npz"
            for part in split(self.groups, self._options.parts):
                self.learn([number for number in range(len(self.groups)) if number not in part], settings, path)
                for strength, of_strength in zip(strengths, found, strict=True):
                    bot = HumanAgent(1, network=read_people(str(path), strength.share))
                    bot.temperature = strength.temperature
                    of_strength.update({number: list(ask(self.groups[number], bot)) for number in part})
        return [[each[number] for number in range(len(self.groups))] for each in found]

    def compare_levels(self, settings: Settings) -> None:
        """Tell how often the levels agree with people, beside the first levels."""
        strengths = [strength_at(level_distance(name)) for name in FIRST_LEVELS]
        for (name, temperature), found in zip(
            FIRST_LEVELS.items(), self.cross_validate(settings, strengths), strict=True
        ):
            first = LearnedAgent(1)
            first.temperature = temperature
            before = [list(ask(each, first)) for each in self.groups]
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
    return max(each for each in tried if gain(tried[best], tried[each]).low <= 0)


def _agreement(found: Tables, before: Tables, gifts: bool) -> str:
    kept, known = (
        [[one for one in table if isinstance(one.people, Exchange) or not gifts] for table in each]
        for each in (found, before)
    )
    share: Agreement = agreement([[float(one.agree) for one in table] for table in kept])
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
    parser.add_argument("games", type=Path, nargs="+", metavar="GAME", help="a .ttn, .jsonl or .tch file")
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
    games = group(read(options.games))
    if len(games) < options.parts:
        raise TrainingError(f"{len(games)} games without a player in common are too few for {options.parts} parts")
    course = _Course([[each for game in members for each in decisions(game)] for members in games], options)
    print_line(f"{len(options.games)} games in {len(games)} groups without a player in common, {options.parts} parts")
    settings = _settings(options, options.closeness[0]) if options.parts == 1 else _choose(course, options)
    if options.levels:
        course.compare_levels(settings)
    course.learn(range(len(games)), settings, options.out)
    print_line(f"{options.out}: closeness {settings.closeness:g}, {options.out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
