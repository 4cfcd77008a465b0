"""What comes along with the program is found, in a checkout and in an installation."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import pytest

from advsp.support.shipped import configuration, shipped

ROOT = Path(__file__).parents[2]


def test_in_a_checkout_files_are_those_of_the_checkout():
    assert shipped("configs/conll300.yaml") == ROOT / "configs/conll300.yaml"
    assert shipped("data/sample/conll") == ROOT / "data/sample/conll"
    assert shipped("configs/nothing.yaml") is None


@pytest.mark.parametrize("name", ["conll300", "conll300.yaml", "configs/conll300.yaml"])
def test_a_configuration_is_found_by_its_name(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert configuration(name) == ROOT / "configs/conll300.yaml"
    assert configuration("equal/equal300") == ROOT / "configs/equal/equal300.yaml"


def test_a_file_that_is_there_comes_first_and_one_that_is_nowhere_stays_what_it_is(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("conll300.yaml").write_text("name: mine\n")
    assert configuration("conll300.yaml") == Path("conll300.yaml")
    assert configuration("nothing.yaml") == Path("nothing.yaml")


def test_whatever_the_sample_corpora_and_configurations_have_is_packed():
    packed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"][
        "data-files"
    ]
    found = {path for patterns in packed.values() for pattern in patterns for path in ROOT.glob(pattern)}
    for folder in ("configs", "data/sample/conll", "data/sample/bitext", "data/sample/models"):
        assert {path for path in (ROOT / folder).rglob("*") if path.is_file()} <= found


@pytest.fixture(scope="module")
def source(tmp_path_factory) -> Path:
    """A copy of what packages are built from."""
    source = tmp_path_factory.mktemp("packages") / "source"
    ignored = shutil.ignore_patterns(
        ".*", "runs", "tests", "results", "build", "*.egg-info", "conll2003", "hansards", "authors"
    )
    shutil.copytree(ROOT, source, ignore=ignored)
    (source / "results").mkdir()
    shutil.copy(ROOT / "results/paper.yaml", source / "results")
    return source


@pytest.fixture(scope="module")
def installed(source, tmp_path_factory) -> Path:
    """An environment into which the wheel is installed, beside a link to what it depends on."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip"]
    build = [*pip, "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index", "-w", str(folder)]
    subprocess.run([*build, str(source)], check=True)
    (wheel,) = folder.glob("*.whl")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder / "environment")], check=True)
    python = folder / "environment/bin/python"
    subprocess.run(
        [*pip, "--python", str(python), "install", "--quiet", "--no-deps", "--no-index", str(wheel)],
        check=True,
    )
    (site,) = (folder / "environment").rglob("site-packages")
    # Dependencies alone: the checkout is on no path, since an editable one is found by a finder of its own.
    dependencies = Path(next(path for path in sys.path if path.endswith("site-packages")))
    for path in dependencies.iterdir():
        if "advsp" not in path.name and not (site / path.name).exists() and path.suffix != ".pth":
            (site / path.name).symlink_to(path)
    return folder / "environment/bin"


@pytest.mark.long
def test_an_archive_of_the_sources_has_all_that_the_wheel_is_made_of(source, tmp_path):
    build = "import sys; from setuptools import build_meta as b; print(b.build_sdist(sys.argv[1]))"
    subprocess.run([sys.executable, "-W", "error", "-c", build, tmp_path], cwd=source, check=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as files:
        files.extractall(tmp_path, filter="data")
    unpacked = next(path for path in tmp_path.iterdir() if path.is_dir())
    found = {path.relative_to(unpacked) for path in unpacked.rglob("*") if path.is_file()}
    for folder in ("advsp", "configs", "data/sample/conll", "data/sample/models"):
        here = {path for path in (ROOT / folder).rglob("*") if path.is_file() and path.suffix != ".pyc"}
        assert {path.relative_to(ROOT) for path in here} <= found


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="folders of an environment have other names there")
def test_an_installed_wheel_shows_the_demo_and_trains_a_shipped_configuration(installed, tmp_path):
    def advsp(*arguments: str) -> str:
        ended = subprocess.run(
            [installed / "advsp", *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    assert "wrote results/demo/report.html" in advsp("demo")
    assert (tmp_path / "results/demo/pair.svg").is_file()
    assert "models in results/demo/runs/sample-conll" in advsp("train", "sample-conll", "--overwrite")
    where = subprocess.run(
        [installed / "python", "-c", "import advsp; print(advsp.__file__)"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert str(installed.parent) in where.stdout
