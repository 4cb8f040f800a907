"""What people see of an environment: text, and pictures where Pillow is there."""

import importlib.util
import os
import sys

import click
import gymnasium
import numpy as np
import pytest

from tichu.core.errors import GameError
from tichu.core.position import parse_view
from tichu.core.round import Round
from tichu.envs import tichu_v0
from tichu.envs.seat_vector import SeatVectorEnv
from tichu.envs.single import TichuEnv
from tichu.envs.vector import TichuVectorEnv

needs_pillow = pytest.mark.skipif(
    importlib.util.find_spec("PIL") is None and os.environ.get("CI") != "true", reason="no Pillow"
)


def test_text_has_suits_colours_and_the_position() -> None:
    table = tichu_v0.raw_env(rules="simple", render_mode="ansi")
    table.reset(seed=1)
    text = str(table.render())
    assert click.unstyle(text) != text
    lines = click.unstyle(text).splitlines()
    assert len(lines) == 6
    state = Round.from_position(lines[-1], table.settings.rules)
    shown = [sum(line.count(sign) for sign in "♠♦♣♥") for line in lines[:4]]
    assert sum(shown) == 52
    assert [line.startswith(">") for line in lines[:4]] == [seat in state.pending for seat in range(4)]


def test_text_of_one_seat_hides_the_other_hands() -> None:
    one = TichuEnv(rules="simple", render_mode="ansi", seat=2)
    one.reset(seed=1)
    lines = click.unstyle(str(one.render())).splitlines()
    assert [" card" in line for line in lines[:4]] == [True, True, False, True]
    assert [any(sign in line for sign in "♠♦♣♥") for line in lines[:4]] == [False, False, True, False]
    assert parse_view(lines[-1], 2, one.settings.rules) == one._view()._replace(history=())


def test_human_rendering_prints_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    table = tichu_v0.raw_env(rules="simple", render_mode="human")
    table.reset(seed=1)
    shown = capsys.readouterr().out
    assert shown.count("seat ") >= 4
    assert shown.count("> seat") == 1
    assert "\x1b" not in shown  # Nobody would see the colours.
    table.step(int(table.observe(table.agent_selection)["action_mask"].argmax()))
    assert capsys.readouterr().out not in ("", shown)
    assert table.render() is None
    one = gymnasium.make("tichu/Tichu-v0", rules="simple", render_mode="human")
    observation, _ = one.reset(seed=1)
    shown = capsys.readouterr().out
    assert shown.count("14 cards") == 3  # The other hands are hidden.
    one.step(int(observation["action_mask"].argmax()))
    assert capsys.readouterr().out not in ("", shown)
    one.close()


@needs_pillow
def test_pictures_change_with_the_game() -> None:
    one = gymnasium.make("tichu/Tichu-v0", rules="simple", render_mode="rgb_array")
    observation, _ = one.reset(seed=1)
    before: object = one.render()
    assert isinstance(before, np.ndarray)
    assert (before.shape, before.dtype) == ((560, 800, 3), np.uint8)
    one.step(int(observation["action_mask"].argmax()))
    after: object = one.render()
    assert isinstance(after, np.ndarray)
    assert (before != after).any()
    one.close()


@needs_pillow
def test_pictures_show_every_state_of_a_round() -> None:
    table = tichu_v0.raw_env(render_mode="rgb_array")
    table.reset(seed=4)
    rng = np.random.default_rng(4)
    steps = 0
    while not table.terminations[table.agent_selection]:
        if steps % 12 == 0:
            assert len(np.unique(np.asarray(table.render(), int) @ (65_536, 256, 1))) > 20
        mask = table.observe(table.agent_selection)["action_mask"]
        table.step(int(rng.choice(np.flatnonzero(mask))))
        steps += 1
    assert np.asarray(table.render()).shape == (560, 800, 3)


@needs_pillow
def test_pictures_of_one_seat_do_not_depend_on_hidden_cards() -> None:
    from tichu.envs.picture import draw_table

    one = Round.from_position("9s/2s3b/Kb/4s p2 0:As 90/0/0/0 - ---- - -/-/-/-")
    other = Round.from_position("4s/2s9s/Kb/3b p2 0:As 90/0/0/0 - ---- - -/-/-/-")
    assert (draw_table(one.view(2), 2) == draw_table(other.view(2), 2)).all()
    assert (draw_table(one, 2) != draw_table(other, 2)).any()


def test_pictures_without_pillow_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(GameError, match=r"needs Pillow: pip install 'tichu\[render\]'"):
        TichuEnv(render_mode="rgb_array")


def test_unknown_render_modes_are_refused() -> None:
    for make in (tichu_v0.raw_env, TichuEnv):
        with pytest.raises(GameError, match="render mode 'rgb' does not exist: use ansi, human, rgb_array"):
            make(render_mode="rgb")
    for vector in (TichuVectorEnv, SeatVectorEnv):
        with pytest.raises(GameError, match="many games at once are not rendered"):
            vector(2, render_mode="human")
