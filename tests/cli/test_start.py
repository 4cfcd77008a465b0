"""What the program loads before it knows what to do: itself, typer and the part of rich that draws help."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import advsp

#: What takes long to load, or is not always installed; commands load it when they run.
HEAVY = {
    "numpy",
    "scipy",
    "pydantic",
    "yaml",
    "pulp",
    "highspy",
    "numba",
    "matplotlib",
    "threadpoolctl",
    "dask",
}


#: What of ours is light.
LIGHT = ("arithmetic", "errors", "versions")


def loaded_by(program: str) -> set[str]:
    """Modules that a process of its own has loaded when ``program`` has ended."""
    ending = "\nimport json, sys\nprint('\\n' + json.dumps(sorted(sys.modules)))"
    ended = subprocess.run(
        [sys.executable, "-c", program + ending], capture_output=True, text=True, timeout=60, check=True
    )
    return set(json.loads(ended.stdout.splitlines()[-1]))


@pytest.mark.parametrize(
    ("program", "typers_own"),
    [
        ("import advsp", set()),
        ("import advsp.cli.main", set()),
        ("from advsp.cli.main import app\napp(['--help'], standalone_mode=False)", set()),
        # Typer looks at a command's parameters with pydantic where that is installed.
        ("from advsp.cli.main import app\napp(['train', '--help'], standalone_mode=False)", {"pydantic"}),
    ],
)
def test_help_loads_nothing_that_a_command_needs(program: str, typers_own: set[str]):
    loaded = loaded_by(program)
    assert not {name.partition(".")[0] for name in loaded} & (HEAVY - typers_own)
    ours = {name for name in loaded if name.startswith("advsp.") and not name.startswith("advsp.cli")}
    assert ours <= {f"advsp.{name}" for name in ("support", *(f"support.{part}" for part in LIGHT))}


def test_help_of_the_program_leaves_out_what_draws_markdown_and_tracebacks():
    loaded = loaded_by("from advsp.cli.main import app\napp(['--help'], standalone_mode=False)")
    assert "rich.console" in loaded
    assert not {"rich.markdown", "rich.traceback", "markdown_it", "typer.rich_utils"} & loaded


def test_public_names_are_there_without_being_loaded_first():
    assert set(advsp.__all__) <= set(dir(advsp))
    for name in advsp.__all__:
        assert getattr(advsp, name) is not None
    with pytest.raises(AttributeError, match="nothing_of_that_name"):
        _ = advsp.nothing_of_that_name


def test_every_public_name_has_a_home():
    assert {"__version__", *advsp._HOMES} == set(advsp.__all__)
