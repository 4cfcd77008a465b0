"""Whatever bytes a file holds, it is read or refused in one line: nothing else is raised, nothing is written.

The bytes are some at random, and valid files with parts of them changed, doubled and taken out.  ADVSP_FUZZ
says how many are tried of every kind (``make fuzz``).
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from advsp.corpora.columns import ColumnForm
from advsp.corpora.conll import read_columns
from advsp.corpora.links import LinkStream, Notation, read_links
from advsp.corpora.mpg import read_feature_file
from advsp.corpora.parallel_text import TextFiles, read_pairs
from advsp.corpora.untagged import read_untagged
from advsp.corpora.word_vectors import read_vectors
from advsp.estimators.description import read_description
from advsp.experiments.config import load_config
from advsp.experiments.sources import BitextSource, ConllSource
from advsp.learners.adversarial import Adversarial
from advsp.learners.trained_model import load_model
from advsp.show.game_file import load_game
from advsp.support.errors import InputError
from advsp.support.section_files import load_section
from advsp.support.state import State

COLUMNS = b"-DOCSTART- -X- O\n\nMira NNP B-PER\nTolen NNP I-PER\nsails VBZ O\n\nto TO O\nAnka NNP B-LOC\n"
LINKS = {"naacl": b"1 1 1 S\n1 2 2 P 0.5\n2 1 1\n", "pharaoh": b"0-0 1?1\n0-0:0.25\n\n"}
SHAPES = [(2, 3), (1, 1), (1, 2)]
CONFIG = b"""\
name: trial
corpus: {name: tiny, path: nowhere, skip: 2, parts: {}, test: [{split: b, sentences: 3}, {split: b}]}
classes: [PER, LOC]
features: {preset: stanford, columns: [pos], templates: ['%x[0,1]']}
optimiser: &optimiser {name: adagrad, step: 1e-1, passes: 4, tolerance: {start: .1}}
selection: {grid: {optimiser.step: [0.1, 0.3]}, rules: [mode]}
systems:
  CRF: {learner: {name: crf}, optimiser: {<<: *optimiser, name: lbfgs, l1: 2}}
  ADV: {learner: {name: adversarial, measure: {name: fbeta, beta: 2}}}
"""
SOURCE = (
    b"files: {train: a, dev: b}\nword: 0\ntag: -1\nscheme: bio\ncolumns: {pos: 1}\nhold_out: {test: .1}\n"
)
BITEXT = b"""\
labelled: {a: {source: a.en, target: a.fr, links: a.links, numbers: [1-3, 5], wrapper: sgml}}
links: {format: naacl, base: 1, order: source-target}
splits: {train: {text: a, first: 1, last: 2}}
run: [agreement]
normalise: {source: [lower]}
"""


# What readers of text and of YAML stumble over.
ODD = (
    b"\x00",
    b"\r",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\xe2\x80\xa8",
    b".inf",
    b"9" * 30,
    b"~",
    b"{",
    b"- ",
    b"&a",
    b"*a",
)


@st.composite
def damaged(draw, valid: bytes) -> bytes:
    """A valid file with a few parts of it changed, or other bytes altogether."""
    if draw(st.integers(0, 9)) == 0:
        return draw(st.binary(max_size=60))
    content = bytearray(valid)
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(content)))
        end = min(len(content), start + draw(st.integers(0, 8)))
        kind = draw(st.sampled_from(("out", "twice", "other", "odd")))
        if kind == "out":
            del content[start:end]
        elif kind == "twice":
            content[start:start] = content[start:end]
        elif kind == "other":
            content[start:end] = draw(st.binary(max_size=4))
        else:
            content[start:end] = draw(st.sampled_from(ODD))
    return bytes(content)


def tried(function: Callable) -> Callable:
    """As many bytes as are wanted, each in little time."""
    number = int(os.environ.get("ADVSP_FUZZ", "40"))
    slow = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
    return settings(max_examples=number, deadline=5000, suppress_health_check=slow)(function)


def read(path: Path, content: bytes, *readers: Callable[[Path], object]) -> None:
    """Every reader must read the file or refuse it in one line, and leave the folder as it is."""
    path.write_bytes(content)
    before = sorted(path.parent.rglob("*"))
    for reader in readers:
        try:
            reader(path)
        except InputError as error:
            assert len(str(error).splitlines()) == 1, str(error)
    assert sorted(path.parent.rglob("*")) == before


@tried
@given(content=damaged(COLUMNS))
def test_column_files(tmp_path, content):
    forms = (ColumnForm(), ColumnForm(comment="#", delimiter="tab"), ColumnForm(delimiter="blank"))
    readers = [
        lambda path, form=form, scheme=scheme: read_columns(path, scheme=scheme, docstart="glue", form=form)
        for form in forms
        for scheme in ("iob2", "io", "bilou")
    ]
    whole = lambda layout: lambda path: list(read_untagged(path, layout, 0, "sentence"))  # noqa: E731
    read(tmp_path / "file", content, *readers, whole("columns"), whole("lines"))


@tried
@given(form=st.sampled_from(sorted(LINKS)), data=st.data())
def test_link_files(tmp_path, form, data):
    content = data.draw(damaged(LINKS[form]))
    for notation in (Notation(form, 0), Notation(form, 1), Notation(form, 1, null=True)):

        def stream(path: Path, notation: Notation = notation) -> None:
            links = LinkStream(path, notation)
            links.take(SHAPES)
            links.finish()

        read(tmp_path / "file", content, lambda path, n=notation: read_links(path, SHAPES, n), stream)


@tried
@given(content=damaged(b"<s> the house </s>\n<s> no wind </s>\n"))
def test_parallel_text(tmp_path, content):
    (tmp_path / "other").write_text("la maison\npas de vent\n")
    for wrapper in (None, "sgml", "numbered", "none"):
        read(
            tmp_path / "file",
            content,
            lambda path, w=wrapper: read_pairs(TextFiles(path, tmp_path / "other", wrapper=w)),
            lambda path, w=wrapper: read_pairs(TextFiles(path, wrapper=w)),
        )


@tried
@given(content=damaged(CONFIG))
def test_configurations(tmp_path, content):
    read(tmp_path / "file", content, load_config)


@tried
@given(content=damaged(SOURCE))
def test_sources_of_column_files(tmp_path, content):
    read(tmp_path / "file", content, lambda path: load_section(ConllSource, path))


@tried
@given(content=damaged(BITEXT))
def test_sources_of_parallel_text(tmp_path, content):
    read(tmp_path / "file", content, lambda path: load_section(BitextSource, path))


@tried
@given(
    value=st.text(max_size=12),
    key=st.sampled_from(("name", "optimiser.step", "classes", "systems.CRF", "seed", "")),
)
def test_overrides(tmp_path, key, value):
    read(tmp_path / "file", CONFIG, lambda path: load_config(path, [f"{key}={value}"]))


GAME = (
    b"game: chain\ntags: [A, B]\ntarget: B\nunary: [[0.0, 1.0], [-.inf, 2e0]]\npairwise: [[0, 1], [1, 0]]\n"
)


@tried
@given(content=damaged(GAME))
def test_game_files(tmp_path, content):
    read(tmp_path / "file.yaml", content, lambda path: load_game(str(path)))


@tried
@given(content=damaged(b"1 qid:1 1:U:1:1 9:B:1:1\n2 qid:1 2:U:2:0.5 9:B:1:1\n"))
def test_feature_files(tmp_path, content):
    read(tmp_path / "file", content, lambda path: read_feature_file(path, tag_names=("PER", "O")))


@tried
@given(content=damaged(b"2 3\nthe 0.5 -1e3 2\ngull 1 2 3\n"))
def test_word_vectors(tmp_path, content):
    read(tmp_path / "file", content, read_vectors)


@pytest.fixture(scope="module")
def kept(tmp_path_factory) -> Path:
    """A model and a state, as they are kept."""
    import numpy as np
    from training.toy import toy_instances

    from advsp.engine.settings import Engine
    from advsp.experiments.recipe import train

    folder = tmp_path_factory.mktemp("kept")
    train(Adversarial(), toy_instances(), ("PER",), engine=Engine(oracle="numpy", lp="linprog")).save(
        folder / "model"
    )
    State({"a": 1}, {"b": np.arange(3)}).save(folder / "state")
    (folder / "estimator.json").write_text('{"format": 1, "estimator": "CrfTagger", "parameters": {}}')
    return folder


@tried
@given(
    name=st.sampled_from(
        ("model/model.json", "model/model.npz", "state.json", "state.npz", "estimator.json")
    ),
    data=st.data(),
)
def test_model_folders(tmp_path, kept, name, data):
    folder = tmp_path / "kept"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(kept, folder)
    content = data.draw(damaged((kept / name).read_bytes()))
    read(
        folder / name,
        content,
        lambda path: load_model(folder / "model"),
        lambda path: State.load(folder / "state", "a state", ""),
        lambda path: read_description(folder),
    )
