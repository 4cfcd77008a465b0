"""The environments that tests are run in: what is installed in each, and where its Python is found."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import matrix
import pytest
import yaml

ROOT = Path(__file__).parents[2]

PROJECT = {
    "dependencies": ["numpy>=1.26", "pulp>=3.3.2,<4"],
    "optional-dependencies": {
        "fast": ["numba >= 0.60"],
        "plot": ["matplotlib>=3.7"],
        "dev": ["ruff==0.1.2"],
        "test": ["pytest>=8"],
    },
}


def test_extras_of_every_kind_of_environment():
    assert matrix.extras(PROJECT, "all") == ["test", "fast", "plot"]
    assert matrix.extras(PROJECT, "oldest") == ["test", "fast", "plot"]
    assert matrix.extras(PROJECT, "none") == ["test"]


def test_oldest_versions_are_those_of_the_project_and_its_extras():
    assert matrix.lower_bounds(PROJECT) == [
        "numpy==1.26",
        "pulp==3.3.2",
        "numba==0.60",
        "matplotlib==3.7",
        "pytest==8",
    ]


@pytest.mark.parametrize("asked", ["numpy", "numpy<3", "numpy~=1.26"])
def test_package_without_an_oldest_version_is_an_error(asked):
    with pytest.raises(ValueError, match="names no oldest version"):
        matrix.lower_bounds(PROJECT | {"dependencies": [asked]})


def test_every_package_of_advsp_has_an_oldest_version():
    project = matrix.read_project(ROOT)
    assert len(matrix.lower_bounds(project)) > len(project["dependencies"])


def test_pythons_are_those_that_advsp_claims():
    project = matrix.read_project(ROOT)
    claimed = [
        line.rpartition(" ")[2]
        for line in project["classifiers"]
        if line.startswith("Programming Language :: Python :: 3.")
    ]
    assert list(matrix.PYTHONS) == claimed
    assert project["requires-python"] == f">={matrix.PYTHONS[0]}"


def test_tools_that_check_are_of_exact_versions():
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]["dev"]
    assert {tool.partition("==")[0] for tool in tools} >= {"ruff", "mypy"}
    assert all("==" in tool for tool in tools)


def test_own_python_is_found(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    assert matrix.find_python("{}.{}".format(*sys.version_info))


def test_python_that_is_not_there_and_environment_that_is_unknown(capsys):
    with pytest.raises(matrix.Failure, match="no Python 3.0 on the path"):
        matrix.find_python("3.0")
    with pytest.raises(SystemExit) as left:
        matrix.main(["3.0-all"])
    assert left.value.code == 2
    assert "unknown environment '3.0-all'; known: 3.11-all, 3.11-none" in capsys.readouterr().err


def test_every_environment_is_run_though_one_fails(monkeypatch, capsys):
    def run(name: str, workers: str) -> str:
        if name == "3.12-none":
            raise matrix.Failure("`-m pytest -q` ended with 1")
        return f"3 passed by {workers}"

    monkeypatch.setattr(matrix, "test", run)
    assert matrix.main([]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(matrix.NAMES)
    assert lines[0].endswith("s  3 passed by 2")
    assert lines[3].endswith("s  `-m pytest -q` ended with 1 (see .matrix/3.12-none.log)")
    assert matrix.main(["3.12-all"]) == 0


def test_workflow_runs_every_environment():
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8"))
    given = workflow["jobs"]["matrix"]["strategy"]["matrix"]
    names = [f"{python}-{kind}" for python in given["python"] for kind in given["kind"]]
    assert [*names, *(f"{one['python']}-{one['kind']}" for one in given["include"])] == list(matrix.NAMES)
