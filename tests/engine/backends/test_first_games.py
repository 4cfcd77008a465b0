"""While nothing is compiled, small games are played in numpy: few of them, and to the same value."""

from __future__ import annotations

import logging

import numpy as np
import pytest

from advsp import AerGame, ChainF1Game, solve_game
from advsp.engine.backends import door, first_games
from advsp.engine.backends.first_games import FIRST, SMALL, open_for
from advsp.engine.settings import Engine

pytest.importorskip("numba")


def game(length: int = 5) -> ChainF1Game:
    rng = np.random.default_rng(length)
    return ChainF1Game(rng.normal(size=(length, 3)), rng.normal(size=(3, 3)), target=1)


@pytest.fixture(autouse=True)
def new(monkeypatch) -> None:
    """An installation where nothing is compiled, and a process that has played nothing yet."""
    monkeypatch.setattr(first_games, "_played", 0)
    monkeypatch.setattr(door, "is_new", lambda: True)


def test_a_small_game_is_played_in_numpy():
    assert open_for(game(SMALL), Engine()).name == "numpy"


def test_other_games_are_played_by_kernels(monkeypatch):
    assert open_for(game(SMALL + 1), Engine()).name == "compiled"
    assert open_for(game(), Engine(oracle="compiled")).name == "compiled"
    assert open_for(game(), Engine(lp="compiled")).name == "compiled"
    monkeypatch.setattr(door, "is_new", lambda: False)
    assert open_for(game(), Engine()).name == "compiled"


def test_who_plays_many_has_them_compiled():
    names = [open_for(game(), Engine()).name for _ in range(FIRST + 2)]
    assert names == ["numpy"] * FIRST + ["compiled"] * 2


def test_once_something_is_compiled_nobody_looks_again(monkeypatch):
    looked = []
    monkeypatch.setattr(door, "is_new", lambda: bool(looked.append(None)))
    for _ in range(3):
        assert open_for(game(), Engine()).name == "compiled"
    assert len(looked) == 1


@pytest.mark.parametrize(
    "played", [game(7), AerGame(np.linspace(-1.0, 1.0, 6), np.zeros(6))], ids=["F1", "AER"]
)
def test_the_value_is_the_same(played, monkeypatch):
    first = solve_game(played, tolerance=1e-9)
    monkeypatch.setattr(door, "is_new", lambda: False)
    assert solve_game(played, tolerance=1e-9).value == pytest.approx(first.value, abs=1e-8)


def test_compiling_is_said_once_a_process(monkeypatch, caplog):
    from advsp.kernels import compilation

    notice = compilation._Notice()
    kernel = type("Dispatcher", (), {"py_func": compilation.digest})
    other = type("Dispatcher", (), {"py_func": game})
    happened = type("Event", (), {"data": {"dispatcher": other}})
    with caplog.at_level(logging.WARNING):
        notice.on_start(happened)
        assert caplog.messages == []
        happened.data = {"dispatcher": kernel}
        notice.counting = 1
        notice.on_start(happened)
        assert caplog.messages == []
        notice.counting = 0
        notice.on_start(happened)
        notice.on_start(happened)
    (said,) = caplog.messages
    assert said.startswith("compiling kernels, which takes up to a minute, this once")
    assert str(compilation.FOLDER) in said
