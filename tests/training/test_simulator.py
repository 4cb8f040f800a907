"""The simulator plays what the environments play, bit for bit."""

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tichu import Exchange, Game, Match, Rules
from tichu.agents.learned.features import encode_row
from tichu.core.rules import PRESETS, STANDARD
from tichu.encoding import (
    OBSERVATION_SIZE,
    PICKING,
    PLAYING,
    decode,
    decode_pick,
    field,
    legal_numbers,
)
from tichu.envs import SelfPlay, unpack_masks
from tichu.kernel.chance import Chance
from training import simulator as simulators
from training.command_line import TrainingError
from training.evaluation import random_player, random_player_without_calls
from training.rule_sets import parse_rule_sets, sample_rule_sets
from training.simulator import NO_RESULT, Frame, Simulator, build_library, count_results, play_at_random
from training.speed import compare_devices

GAMES = 64
# Tests run side by side; threads that wait for each other would only get in the way.
torch.set_num_threads(1)


@pytest.mark.parametrize("rules", ["standard", "courtesy", "single-round", "brettspielwelt"])
def test_it_writes_what_the_environments_write(rules: str) -> None:
    games = SelfPlay(GAMES, rules, reward="difference", forced=False, seed=5)
    matches = SelfPlay(GAMES, rules, reward="match", forced=False, seed=5)
    simulator, frame = Simulator(GAMES, "cpu", rules), Frame.empty((GAMES,), "cpu")
    results = simulator.empty_results()
    simulator.deal(5, frame)
    games.reset(5)
    matches.reset(5)
    seen, ended = slice(OBSERVATION_SIZE), Counter[str]()
    for _ in range(150):
        # A single round has no match, and is followed by another one only if it was a draw.
        shown = games if rules == "single-round" else matches
        assert (frame.observations.numpy()[:, seen] == shown.observations).all()
        assert (frame.masks.numpy() == games.masks).all()
        assert (frame.seats.numpy() == games.seats).all()
        actions = games.sample()
        games.step(actions)
        matches.step(actions)
        simulator.step(torch.from_numpy(actions.astype(np.int16)), frame, results)
        over = results.numpy()[:, 0] != NO_RESULT
        assert (over == games.done.astype(bool)).all()
        points = results.numpy()[over, 0] - results.numpy()[over, 1]
        assert (points == games.rewards[over, 0]).all()
        assert count_results(results)["rounds"] == over.sum()
        ended.update(count_results(results))
    assert ended["rounds"] > GAMES
    assert ended["tichus"] > ended["tichus_made"] > 0


class Follower:
    """One game of the simulator, played again by the core, match and all."""

    def __init__(self, rules: str, seed: int) -> None:
        self._match, self._seed, self._deals = Match(Rules.parse(rules).sequential()), seed, 0
        self._picks: tuple[int, ...] = ()
        self._deal()

    def _deal(self) -> None:
        self._game = Game.start(Chance(self._seed, 0, self._deals).deal(), match=self._match)
        self._deals += 1
        self._settle()

    def row(self) -> Any:
        """What the bot would be fed."""
        return encode_row(self._game.view(self._seat()), self._picks)

    def step(self, number: int) -> None:
        """Take a decision, and those after it that leave no choice; deal when the round is over."""
        self._decide(number)
        self._settle()

    def _seat(self) -> int:
        return self._game.round.pending[0]

    def _decide(self, number: int) -> None:
        view = self._game.view(self._seat())
        if PICKING <= number < PLAYING:
            self._picks = (*self._picks, decode_pick(number, view, self._picks))
            if len(self._picks) < 3:
                return
            left, partner, right = self._picks
            self._picks = ()
            self._game = self._game.after(view.seat, Exchange(left, partner, right))
        else:
            self._game = self._game.after(view.seat, decode(number, view))

    def _settle(self) -> None:
        while not self._game.round.is_over:
            numbers = list(legal_numbers(self._game.view(self._seat()), self._picks))
            if len(numbers) > 1:
                return
            self._decide(numbers[0])
        self._match = self._game.match if self._game.match.winner is None else Match(self._game.match.rules)
        self._deal()


@pytest.mark.parametrize(
    "rules", ["standard", "courtesy", "simple", "single-round", "classic", "standard goal=target:200"]
)
def test_it_shows_what_the_bot_is_fed(rules: str) -> None:
    """Who played and passed what, and how the match stands, over many rounds."""
    simulator, frame = Simulator(GAMES, "cpu", rules), Frame.empty((GAMES,), "cpu")
    simulator.deal(11, frame)
    game, results, scores = Follower(rules, 11), simulator.empty_results(), set()
    torch.manual_seed(11)
    for _ in range(700):
        row = frame.observations[0].numpy()
        assert (row == game.row()).all()
        scores.add(tuple(row[-2:]))
        actions = random_player_without_calls(frame)
        game.step(int(actions[0]))
        simulator.step(actions, frame, results)
    assert len(scores) > (4 if rules != "single-round" else 0)
    assert frame.observations[:, OBSERVATION_SIZE:-2].any()


def test_every_game_is_played_by_its_own_rules() -> None:
    rule_sets = sample_rule_sets(2 * GAMES, seed=3)
    assert 40 < sum(rules == STANDARD for rules in rule_sets) < 90
    assert {*PRESETS.values()} - {*rule_sets} == {PRESETS["brettspielwelt"]}
    chosen = [*{rules: game for game, rules in enumerate(rule_sets)}.items()]
    assert len(chosen) > 10
    simulators = [Simulator(2 * GAMES, "cpu", rule_sets), *(Simulator(2 * GAMES, "cpu", rules) for rules, _ in chosen)]
    frames = [Frame.empty((2 * GAMES,), "cpu") for _ in simulators]
    results = [simulator.empty_results() for simulator in simulators]
    for simulator, frame in zip(simulators, frames, strict=True):
        simulator.deal(12, frame)
    torch.manual_seed(12)
    for _ in range(60):
        actions = random_player(frames[0])
        for frame, (_, game) in zip(frames[1:], chosen, strict=True):
            assert all(torch.equal(one[game], two[game]) for one, two in zip(frames[0], frame, strict=True))
        simulators[0].step(actions, frames[0], results[0])
        for place, (_, game) in enumerate(chosen, 1):
            # Only one game is compared; in the others this action may not be legal.
            moves = random_player(frames[place])
            moves[game] = actions[game]
            simulators[place].step(moves, frames[place], results[place])
            assert torch.equal(results[0][game], results[place][game])


def test_rule_sets_are_counterclockwise() -> None:
    assert {rules.direction for rules in parse_rule_sets("mixed", 500)} == {"ccw"}
    assert parse_rule_sets("simple", 2) == [PRESETS["simple"]] * 2
    with pytest.raises(TrainingError, match="counterclockwise"):
        parse_rule_sets("brettspielwelt", 64)
    with pytest.raises(ValueError, match="1 rule sets for 64 games"):
        Simulator(GAMES, "cpu", [STANDARD])


def test_critics_see_hands_that_fit_the_observation() -> None:
    games = SelfPlay(GAMES, "standard", forced=False, seed=6)
    simulator, frame = Simulator(GAMES, "cpu"), Frame.empty((GAMES,), "cpu")
    results = simulator.empty_results()
    simulator.deal(6, frame)
    games.reset(6)
    hand, played, phase = field("hand").place, field("played").place, field("phase").first
    for _ in range(80):
        hands = np.unpackbits(frame.hands.numpy(), axis=1, bitorder="little").reshape(GAMES, 4, 56)
        seen = frame.observations.numpy()
        assert (hands.sum(1) + seen[:, played] == 1).all()
        is_play = seen[:, phase : phase + 2].sum(1) == 0
        assert (hands[is_play, 0] == seen[is_play, hand]).all()
        # During the Grand calls six cards are still to come; in the exchange some are on their way.
        before = ~is_play
        assert (hands[before, 0].sum(1) >= 11).all()
        actions = games.sample()
        games.step(actions)
        simulator.step(torch.from_numpy(actions.astype(np.int16)), frame, results)


def test_calls_and_double_victories_are_counted() -> None:
    over, on = [200, -100, 0, 0, 2, 0, 0b10_01_00_01], [NO_RESULT] * 7  # Seats 0 and 2 called Tichu, seat 3 Grand.
    assert count_results(torch.tensor([[over, on], [on, over]], dtype=torch.int16)) == {
        "rounds": 2,
        "tichus": 4,
        "tichus_made": 2,
        "grands": 2,
        "grands_made": 0,
        "doubles": 2,
    }


def test_every_game_of_the_mask_can_be_stepped() -> None:
    simulator, frame = Simulator(GAMES, "cpu", first=1000), Frame.empty((GAMES,), "cpu")
    simulator.deal(7, frame)
    assert (unpack_masks(frame.masks.numpy()).sum(1) > 1).all()


def test_the_same_games_twice() -> None:
    assert compare_devices("cpu", "cpu", GAMES, 60, seed=8) == 60 * GAMES


def test_random_games_depend_on_the_seed_alone() -> None:
    one = play_at_random("cpu", 1024, 150, seed=9)
    assert one == play_at_random("cpu", 1024, 150, seed=9)
    assert one != play_at_random("cpu", 1024, 150, seed=10)
    assert one[0] + one[1] == 1024 * 150


def test_a_number_of_games_that_no_block_holds_is_refused() -> None:
    with pytest.raises(RuntimeError, match="64 games or a multiple"):
        Simulator(63, "cpu").deal(1, Frame.empty((63,), "cpu"))


@pytest.mark.parametrize(
    "actions", [torch.zeros(GAMES, dtype=torch.int64), torch.zeros(GAMES - 1, dtype=torch.int16)], ids=["int64", "63"]
)
def test_actions_that_are_not_a_row_of_int16_are_refused(actions: Any) -> None:
    simulator, frame = Simulator(GAMES, "cpu"), Frame.empty((GAMES,), "cpu")
    simulator.deal(1, frame)
    with pytest.raises(ValueError, match="64 actions of int16"):
        simulator.step(actions, frame, simulator.empty_results())


def test_a_library_is_named_by_its_sources_and_by_how_it_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulators, "_BUILD", tmp_path)
    for path in (tmp_path / "one", tmp_path / "two"):
        # It writes what it was asked for, the last word of its command line.
        path.write_text('#!/bin/sh\nfor last; do :; done\necho "$0" > "$last"\n')
        path.chmod(0o755)
    paths = []
    for compiler in ("one", "two", "one -g"):
        monkeypatch.setenv("CXX", f"{tmp_path}/{compiler}")
        paths.append(build_library("cpu"))
        assert paths[-1].read_text() == f"{tmp_path}/{compiler.split()[0]}\n"
    assert len({*paths}) == 3
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda: (8, 6))
    assert "-arch=sm_86" in simulators._command("cuda")


@pytest.mark.parametrize(
    ("compiler", "fault"), [("no-such-compiler", "no-such-compiler was not found"), ("false", "not compile")]
)
def test_without_a_compiler_there_is_a_sentence(
    compiler: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulators, "_BUILD", tmp_path)
    monkeypatch.setenv("CXX", compiler)
    with pytest.raises(TrainingError, match=fault):
        build_library("cpu")
