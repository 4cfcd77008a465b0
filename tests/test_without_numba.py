"""Without numba everything works in numpy, and asking for compiled code is refused in one line."""

from __future__ import annotations

import subprocess
import sys

import pytest

#: Numba as if it were not installed: neither found nor imported.
WITHOUT = """
import importlib.abc, sys

class Missing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("numba", "llvmlite"):
            raise ModuleNotFoundError(name, name=name)

import importlib.util
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name == "numba" else find(name, package)
sys.meta_path.insert(0, Missing())

import numpy as np
from advsp.engine.solving import solve_game
from advsp.engine.game import AerGame, ChainF1Game
rng = np.random.default_rng(0)
chain = ChainF1Game(rng.normal(size=(5, 3)), rng.normal(size=(3, 3)), 1)
edges = AerGame(*rng.normal(size=(2, 5)))
"""


def run(program: str) -> str:
    """What a program prints where there is no numba."""
    ran = subprocess.run([sys.executable, "-c", WITHOUT + program], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.strip()


def test_games_are_solved_in_numpy():
    printed = run(
        "from advsp.engine.oracles import oracles\n"
        "print(oracles.resolve('auto'))\n"
        "for game in (chain, edges):\n"
        "    solved = solve_game(game)\n"
        "    assert solved.certified and solved.gap <= 1e-6\n"
        "assert not any(name.startswith('advsp.kernels.') for name in sys.modules)"
    )
    assert printed == "numpy"


@pytest.mark.parametrize("asked", ["oracle='compiled'", "oracle='approximate-compiled'", "lp='compiled'"])
def test_compiled_code_is_refused_with_what_to_install(asked):
    printed = run(
        "from advsp.support.errors import InputError\n"
        f"try:\n    solve_game(chain, {asked})\nexcept InputError as error:\n    print(error)"
    )
    assert len(printed.splitlines()) == 1
    assert "numba" in printed
    assert 'pip install "advsp[fast]"' in printed
