"""A package of its own adds a measure: installed into a fresh environment, it is trained from YAML."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import make_workspace
from environment import Environment

pytestmark = pytest.mark.long

PLUGIN = Path(__file__).parent / "plugin"


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Environment:
    """An environment with the plug-in."""
    folder = tmp_path_factory.mktemp("plugin")
    shutil.copytree(PLUGIN, folder / "source")
    environment = Environment(folder / "environment")
    environment.install(folder / "source")
    return environment


def advsp(environment: Environment, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return environment.run("-c", "from advsp.cli.main import run; run()", *arguments, folder=folder)


def test_a_measure_of_another_package_is_trained_and_chosen_by_from_yaml(installed, tmp_path):
    make_workspace(tmp_path / "work")
    settings = (
        "systems={ADV: {learner: {name: adversarial, measure: {name: kulczynski, precision: 0.7}}}}",
        "selection.metric=token_kulczynski",
        "engine.oracle=numpy",
        "runs=1",
    )
    overrides = [part for setting in settings for part in ("--set", setting)]
    ended = advsp(installed, tmp_path / "work", "train", "tiny.yaml", *overrides)
    assert ended.returncode == 0, ended.stderr
    assert "mean token_kulczynski over the classes" in ended.stdout
    assert (tmp_path / "work/results/runs/tiny/models/ADV/seed-1/PER/model.json").exists()


def test_without_the_package_the_name_is_unknown(tmp_path):
    make_workspace(tmp_path / "work")
    environment = Environment(tmp_path / "environment")
    setting = "systems={ADV: {learner: {name: adversarial, measure: kulczynski}}}"
    ended = advsp(environment, tmp_path / "work", "train", "tiny.yaml", "--set", setting)
    assert ended.returncode == 2 and "unknown measure 'kulczynski'" in ended.stderr


def test_a_package_that_does_not_load_is_named(tmp_path):
    broken = tmp_path / "broken"
    shutil.copytree(PLUGIN, broken)
    (broken / "advsp_kulczynski/__init__.py").write_text("import no_such_module_anywhere\n")
    environment = Environment(tmp_path / "environment")
    environment.install(broken)
    ended = environment.run("-c", "from advsp.engine.measures import measures; measures.names()")
    assert "the measure 'kulczynski' of advsp-kulczynski cannot be loaded: No module named" in ended.stderr
    # What is known without it is not kept from anyone.
    assert (
        environment.run("-c", "from advsp.engine.measures import measures; measures.get('fbeta')").returncode
        == 0
    )
