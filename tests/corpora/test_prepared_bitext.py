"""Prepared bitexts: what is read from them, and what is noticed on loading."""

from __future__ import annotations

import json

import pytest
from fake_aligner import fake_aligner
from gulls import GULLS, STEPS, TERNS

from advsp.aligners.preparation import prepare
from advsp.corpora import prepared
from advsp.corpora.bitext_sources import AlignerRun
from advsp.corpora.prepared_bitext import (
    iterate_unlabelled,
    list_posteriors,
    load_links,
    load_normalisers,
    load_pairs,
    load_posteriors,
)
from advsp.support.errors import InputError


@pytest.fixture
def probable(sources, folder):
    """A bitext with an aligner that has posteriors."""
    with fake_aligner() as fake:
        fake.probable = True
        return prepare(sources(run={"mine": AlignerRun("fake")}), folder)


# ---- what is read


def test_pairs_of_every_split(sources, folder):
    prepare(sources(), folder)
    assert load_pairs(folder, "train") == GULLS[:2]
    assert load_pairs(folder, "valid") == TERNS
    assert load_pairs(folder, "test") == GULLS[2:]


def test_without_splits_every_labelled_text_is_one(sources, folder):
    prepare(sources(splits={}, aligners={}), folder)
    assert (load_pairs(folder, "gulls"), load_pairs(folder, "terns")) == (GULLS, TERNS)


def test_links_of_aligners(sources, folder):
    prepare(sources(), folder)
    assert load_links(folder, "m.ef", "train") == [frozenset({(0, 0), (1, 1)}), frozenset()]
    assert load_links(folder, "m.ef", "test") == [frozenset({(2, 2), (0, 1)})]


def test_links_of_many_aligners_need_the_pairs_to_be_read_once_only(sources, folder):
    prepare(sources(), folder)
    pairs = load_pairs(folder, "train")
    expected = load_links(folder, "m.ef", "train")
    for name in ("train.source", "train.target", "train.naacl"):
        (folder / name).unlink()
    assert load_links(folder, "m.ef", "train", pairs) == expected
    with pytest.raises(InputError, match="missing from the prepared corpus"):
        load_links(folder, "m.ef", "train")


def test_links_must_fit_the_pairs_that_are_handed_in(sources, folder):
    prepare(sources(), folder)
    with pytest.raises(InputError, match="found 2 lines, the text has 1 pair"):
        load_links(folder, "m.ef", "train", load_pairs(folder, "test"))
    (folder / "aligners/m.ef.train.pharaoh").write_text("0-0\n\n")
    with pytest.raises(InputError, match="m.ef.train.pharaoh: changed since it was prepared"):
        load_links(folder, "m.ef", "train", load_pairs(folder, "train"))


def test_unlabelled_text_is_normalised_and_has_no_pair_twice(sources, folder):
    prepare(sources(), folder)
    assert list(iterate_unlabelled(folder)) == [
        (("the", "gull"), ("la", "mouette")),
        (("no", "wind", "-", "mill"), ("le", "elan")),
        (("the", "gull"), ("la", "mouette")),  # not as the files have it
    ]


def test_normalisation_is_remembered(sources, folder):
    prepare(sources(), folder)
    source, target = load_normalisers(folder)
    assert (list(source.steps), list(target.steps)) == (STEPS["source"], STEPS["target"])
    assert source.spell(("The", "wind-mill")) == ("the", "wind-mill")
    assert target.spell(("marée", "du")) == ("maree", "du")


# ---- posteriors


def test_posteriors_that_are_not_there(probable, sources, folder):
    problem = "no posteriors of aligner 'm' for split 'train' .there are those of mine"
    with pytest.raises(InputError, match=problem):
        load_posteriors(folder, "m", "train")
    with pytest.raises(InputError, match="no split 'dev' there"):
        load_posteriors(folder, "mine", "dev")
    prepare(sources(), folder)
    with pytest.raises(InputError, match="no posteriors of aligner 'mine' .* .there are none at all"):
        load_posteriors(folder, "mine", "train")


def test_a_bitext_of_an_older_version_has_no_posteriors(sources, folder):
    manifest = prepare(sources(), folder)
    del manifest["posteriors"]
    (folder / "corpus.json").write_text(json.dumps(manifest))
    assert list_posteriors(folder) == {}


def test_posteriors_that_have_changed_are_refused(probable, folder):
    path = folder / "aligners/mine.train.npz"
    whole = path.read_bytes()
    path.write_bytes(whole[:-1] + b"!")
    with pytest.raises(InputError, match="mine.train.npz: changed since it was prepared"):
        load_posteriors(folder, "mine", "train")
    path.unlink()
    with pytest.raises(InputError, match="mine.train.npz: missing from the prepared corpus"):
        load_posteriors(folder, "mine", "train")


def test_posteriors_must_fit_the_pairs_that_are_handed_in(probable, folder):
    pairs = load_pairs(folder, "train")
    assert len(load_posteriors(folder, "mine", "train", pairs)) == 2
    with pytest.raises(InputError, match="does not fit the text: 13 probabilities for 9 possible links"):
        load_posteriors(folder, "mine", "train", pairs[:1])


# ---- what is noticed on loading


def test_missing_bitext_names_the_command(tmp_path):
    for load in (lambda f: load_pairs(f, "a"), lambda f: load_links(f, "m", "a"), iterate_unlabelled):
        with pytest.raises(InputError, match="no prepared corpus there") as caught:
            load(tmp_path / "nowhere")
        assert "advsp prepare-hansards" in caught.value.hint


def test_aligners_and_splits_that_are_not_there(sources, folder):
    prepare(sources(), folder)
    with pytest.raises(InputError, match="no aligner 'm.fe' there .it has m.ef"):
        load_links(folder, "m.fe", "train")
    with pytest.raises(InputError, match="aligner 'm.ef' has no links for split 'valid' .it has train, test"):
        load_links(folder, "m.ef", "valid")
    with pytest.raises(InputError, match="no split 'dev' there .it has train, valid, test"):
        load_links(folder, "m.ef", "dev")


@pytest.mark.parametrize(
    ("name", "load"),
    [
        ("train.source", lambda folder: load_pairs(folder, "train")),
        ("train.target", lambda folder: load_pairs(folder, "train")),
        ("train.naacl", lambda folder: load_pairs(folder, "train")),
        ("train.naacl", lambda folder: load_links(folder, "m.ef", "train")),
        ("aligners/m.ef.train.pharaoh", lambda folder: load_links(folder, "m.ef", "train")),
        ("unlabelled.source.gz", iterate_unlabelled),
        ("unlabelled.target.gz", iterate_unlabelled),
    ],
)
def test_changed_and_missing_files_are_noticed(sources, folder, name, load):
    prepare(sources(), folder)
    load(folder)
    with (folder / name).open("ab") as stream:
        stream.write(b"\n")
    with pytest.raises(InputError, match=f"{name}: changed since it was prepared"):
        load(folder)
    (folder / name).unlink()
    with pytest.raises(InputError, match=f"{name}: missing from the prepared corpus"):
        load(folder)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "corpus.json: is not JSON"),
        ("[]", "corpus.json: found format None, expected 'bitext 1'"),
        (json.dumps({"format": 1}), "corpus.json: found format 1, expected 'bitext 1'"),
    ],
)
def test_unreadable_manifest(sources, folder, text, problem):
    prepare(sources(), folder)
    (folder / "corpus.json").write_text(text)
    with pytest.raises(InputError, match=problem):
        load_pairs(folder, "train")
    prepare(sources(), folder)
    assert load_pairs(folder, "train") == GULLS[:2]


def test_neither_kind_of_corpus_is_mistaken_for_the_other(sources, folder, tmp_path):
    prepare(sources(), folder)
    with pytest.raises(InputError, match="found format 'bitext 1', expected 1"):
        prepared.load(folder, "train")
    (tmp_path / "tags").write_text("Ada I-PER\n")
    prepared.prepare({"train": tmp_path / "tags"}, tmp_path / "columns")
    with pytest.raises(InputError, match="found format 1, expected 'bitext 1'"):
        load_pairs(tmp_path / "columns", "train")
