"""Corpora that the project may not ship, compiled kernels, and a workspace with a tiny corpus of its own."""

from __future__ import annotations

import contextlib
import os
import pkgutil
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from subprocess import Popen

from advsp.support import arithmetic

# Before anything loads numpy: commands that are started by tests round as tests do.
arithmetic.fix()

import compiled
import order
import pytest
import tiny_bitext
from hypothesis import settings
from places import CORPORA

from advsp import kernels
from advsp.engine.backends import door
from advsp.support.files import sha256

# How long an example takes hangs on what else the machine does, and on what is loaded for the first one.
# Every run tries other examples: half as many as usual are enough for one.
settings.register_profile("untimed", deadline=None, max_examples=35)
settings.load_profile("untimed")

#: The process that compiles kernels while tests run that do without.
COMPILER = pytest.StashKey[Popen[bytes] | None]()


@pytest.fixture(scope="session")
def corpus_file() -> Callable[[str], Path]:
    """Path of a file of those corpora; the test is skipped if it is not there."""

    def find(name: str) -> Path:
        path = CORPORA / name
        if not path.exists():
            pytest.skip(f"{path} is not there; ADVSP_FIXTURES names the folder that holds {name}")
        return path

    return find


# ------------------------------------------------------------------------------------------------
# Kernels: compiled for whoever calls them, and for nobody else
# ------------------------------------------------------------------------------------------------


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--without-compiling",
        action="store_true",
        help="skip tests that call kernels where these would have to be compiled first",
    )


@pytest.fixture(scope="session")
def compiled_kernels(request) -> None:
    """Everything is compiled: asked for by tests of kernels, and by those whose own processes call them."""
    if kernels.available():
        compiled.make_ready(request.config.getoption("--without-compiling"))


@pytest.fixture(scope="session", autouse=True)
def door_to_kernels(request) -> Iterator[None]:
    """Whoever goes through the door for the first time has everything compiled before."""
    through, door.module = (
        door.module,
        compiled.watched(door.module, request.config.getoption("--without-compiling")),
    )
    yield
    door.module = through


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    order.arrange(items)


def pytest_collection_finish(session: pytest.Session) -> None:
    """One process compiles while tests run that do without, if there are others."""
    config, worker = session.config, os.environ.get("PYTEST_XDIST_WORKER", "gw0")
    needed = any("compiled_kernels" in getattr(item, "fixturenames", ()) for item in session.items)
    left_out = config.getoption("--without-compiling") or config.getoption("collectonly")
    if needed and not left_out and worker == "gw0":
        config.stash[COMPILER] = compiled.start_compiling()


def pytest_sessionfinish(session: pytest.Session) -> None:
    process = session.config.stash.get(COMPILER, None)
    if process is not None and process.poll() is None:
        process.terminate()


# ------------------------------------------------------------------------------------------------
# A workspace: a folder to run the program in, with a corpus, an experiment and nothing else
# ------------------------------------------------------------------------------------------------

#: One sentence a line; a slash parts a word from its class.
TINY_CORPUS = {
    "train": """
        Mira/PER Tolen/PER sails to Port/LOC Anka/LOC
        the ferry left Vesterby/LOC late
        Tolen/PER met Ossip/PER Brandt/PER in Vesterby/LOC
        rain is expected
        Port/LOC Anka/LOC thanked Mira/PER
        Brandt/PER returned from Ilmen/LOC
    """,
    "testa": """
        Mira/PER Brandt/PER left Port/LOC Anka/LOC
        snow fell in Ilmen/LOC
        Ossip/PER thanked Dorrit/PER
        Tolen/LOC is far from Vesterby/LOC
    """,
    "testb": """
        Dorrit/PER Tolen/LOC sails to Ilmen/LOC
        the rain left Brandt/LOC
        Brandt/PER met Vesterby/PER
        Port/PER thanked Ossip/PER late
    """,
}

#: A baseline, and a system with a grid, several candidates and two seeds; a second or so.
TINY_EXPERIMENT = """\
name: tiny
corpus: {name: tiny, path: corpus}
classes: [PER, LOC]
seed: 1
runs: 2
workers: 1
checkpoint_seconds: 0
optimiser: {name: adagrad, step: 0.1, passes: 2}
selection: {passes: [1], grid: {optimiser.step: [0.1, 0.5]}}
evaluation: {bootstrap: 100}
systems:
  CRF:
    learner: {name: crf}
    optimiser: {name: lbfgs, passes: 1, iterations: 20, l2: 1.0}
    selection: {passes: [], rules: [mode], grid: {}}
    runs: 1
  ADV_f1:
    learner: {name: adversarial}
"""

TINY_SOURCE = "files: {train: train.txt, testa: testa.txt, testb: testb.txt}\n"


def as_columns(sentences: str) -> str:
    """Sentences in the notation above as a column file of words and IO tags."""
    blocks = []
    for line in sentences.strip().splitlines():
        pairs = [token.partition("/") for token in line.split()]
        blocks.append("".join(f"{word} {'I-' + label if label else 'O'}\n" for word, _, label in pairs))
    return "\n".join(blocks)


def make_workspace(folder: Path) -> None:
    """Column files in ``raw``, the corpus prepared from them in ``corpus``, and ``tiny.yaml``."""
    from advsp.experiments.prepare import prepare_conll_corpus
    from advsp.support.progress import Silent

    (folder / "raw").mkdir(parents=True)
    for split, sentences in TINY_CORPUS.items():
        (folder / "raw" / f"{split}.txt").write_text(as_columns(sentences))
    (folder / "prepare.yaml").write_text(TINY_SOURCE)
    (folder / "tiny.yaml").write_text(TINY_EXPERIMENT)
    prepare_conll_corpus(folder / "raw", folder / "corpus", folder / "prepare.yaml", (), Silent())


@dataclass(frozen=True)
class Outcome:
    """How a run of the program ended."""

    code: int
    out: str
    err: str

    @property
    def complaint(self) -> str:
        """The one line that refuses what the user gave, without the program's name."""
        assert self.code == 2, self
        assert self.err.startswith("advsp: ") and self.err.endswith("\n"), self.err
        assert len(self.err.splitlines()) == 1, self.err
        return self.err.removeprefix("advsp: ").rstrip("\n")


@pytest.fixture
def command(monkeypatch, capsys) -> Callable[..., Outcome]:
    """Run the program in this process, from its entry point to its exit."""
    from advsp.cli.main import run

    def call(*arguments: str | Path) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["advsp", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            run()
        return Outcome(int(left.value.code or 0), *capsys.readouterr())

    return call


@pytest.fixture
def interrupt(monkeypatch):
    """Have the n-th call of a function interrupted, where ``when`` holds of its arguments."""

    def at(target: str, number: int = 1, when=lambda *arguments: True) -> None:
        original, calls = pkgutil.resolve_name(target), []

        def call(*arguments, **options):
            calls.extend([1] if when(*arguments) else [])
            if len(calls) == number:
                raise KeyboardInterrupt
            return original(*arguments, **options)

        monkeypatch.setattr(target.replace(":", "."), call)

    return at


@pytest.fixture
def workspace(tmp_path, monkeypatch) -> Path:
    """The current folder, with a prepared corpus and an experiment on it."""
    folder = tmp_path / "workspace"
    make_workspace(folder)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture(scope="session")
def finished(tmp_path_factory) -> Path:
    """A workspace whose experiment was trained and evaluated; look, but do not touch."""
    from advsp.experiments.config import load_config
    from advsp.experiments.evaluate import evaluate
    from advsp.experiments.train import train
    from advsp.support.progress import Silent

    folder = tmp_path_factory.mktemp("finished") / "workspace"
    make_workspace(folder)
    with contextlib.chdir(folder):
        evaluate(train(load_config("tiny.yaml"), Silent()), Silent())
    return folder


@pytest.fixture
def trained(finished, tmp_path, monkeypatch) -> Path:
    """The current folder: a copy of the finished workspace, to do anything with."""
    folder = tmp_path / "trained"
    shutil.copytree(finished, folder)
    monkeypatch.chdir(folder)
    return folder


# The same for word alignment: see tiny_bitext.


@pytest.fixture
def bitext_workspace(tmp_path, monkeypatch) -> Path:
    """The current folder, with a prepared bitext and an experiment on it."""
    folder = tmp_path / "workspace"
    tiny_bitext.make_workspace(folder)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture(scope="session")
def finished_bitext(tmp_path_factory) -> Path:
    """A workspace whose experiment was trained and evaluated; look, but do not touch."""
    from advsp.experiments.config import load_config
    from advsp.experiments.evaluate import evaluate
    from advsp.experiments.train import train
    from advsp.support.progress import Silent

    folder = tmp_path_factory.mktemp("finished_bitext") / "workspace"
    tiny_bitext.make_workspace(folder)
    with contextlib.chdir(folder):
        evaluate(train(load_config("harbour.yaml"), Silent()), Silent())
    return folder


@pytest.fixture
def trained_bitext(finished_bitext, tmp_path, monkeypatch) -> Path:
    """The current folder: a copy of the finished workspace, to do anything with."""
    folder = tmp_path / "trained"
    shutil.copytree(finished_bitext, folder)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def contents() -> Callable[[Path], dict[str, str]]:
    """What lies below a folder: every path, hidden ones too, with the digest of a file's bytes."""

    def look(folder: Path) -> dict[str, str]:
        return {
            str(path.relative_to(folder)): sha256(path) if path.is_file() else "folder"
            for path in sorted(folder.rglob("*"))
        }

    return look


@pytest.fixture
def refused(command, contents):
    """Run a command that must be refused without a trace; return what it says."""

    def check(*arguments) -> str:
        before = contents(Path())
        complaint = command(*arguments).complaint
        assert contents(Path()) == before
        return complaint

    return check
