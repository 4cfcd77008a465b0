"""From a prepared bitext to the instances of its splits."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from fake_aligner import fake_aligner

from advsp.aligners.preparation import prepare
from advsp.corpora import prepared_bitext
from advsp.corpora.bitext_sources import AlignerRun, BitextSources, LabelledText, Part
from advsp.corpora.parallel_text import TextFiles
from advsp.corpora.prepared_bitext import load_pairs
from advsp.features.bitext import corpus
from advsp.features.bitext.aligners import find_aligner
from advsp.features.bitext.corpus import (
    count_corpus,
    load_predictions,
    load_probabilities,
    make_instances,
)
from advsp.features.bitext.sets import FeatureSet
from advsp.features.bitext.text_links import load_text_links
from advsp.support.errors import InputError
from advsp.support.progress import Silent

FILES = {
    "gulls.en": "The gull sleeps\nhigh tide\nthe tern sings\n",
    "gulls.fr": "la mouette dort\nmarée haute\nla sterne chante\n",
    "gulls.naacl": "1 2 2 S\n1 3 3 P\n2 1 2 S\n3 2 2 S\n",
    "m.train": "0-0 1-1\n0-1\n",
    "m.test": "1-1\n",
    "unlabelled.en": "the gull\nthe sea\n",
    "unlabelled.fr": "la mouette\nla mer\n",
}
SPLITS = ["train", "test"]


@pytest.fixture
def sources(tmp_path) -> BitextSources:
    """An aligner of two directions for both splits, and one for ``train`` alone."""
    raw = tmp_path / "raw"
    raw.mkdir()
    for name, content in FILES.items():
        (raw / name).write_text(content)
    both = {"train": raw / "m.train", "test": raw / "m.test"}
    return BitextSources(
        labelled={"gulls": LabelledText(TextFiles(raw / "gulls.en", raw / "gulls.fr"), raw / "gulls.naacl")},
        splits={"train": Part("gulls", last=2), "test": Part("gulls", first=3)},
        aligners={"m.ef": both, "m.fe": both, "k": {"train": raw / "m.train"}},
        unlabelled=TextFiles(raw / "unlabelled.en", raw / "unlabelled.fr"),
        normalise={"source": ["lower"], "target": ["lower", "accents"]},
    )


@pytest.fixture
def folder(sources, tmp_path) -> Path:
    """A prepared bitext."""
    prepare(sources, tmp_path / "bitext")
    return tmp_path / "bitext"


@pytest.fixture
def probable(sources, tmp_path) -> Path:
    """A prepared bitext with an aligner ``p`` besides that has posteriors for both splits."""
    with fake_aligner() as fake:
        fake.probable = True
        prepare(replace(sources, run={"p": AlignerRun("fake")}), tmp_path / "probable")
    return tmp_path / "probable"


def test_features_of_the_whole_text_do_not_look_at_labels(sources, tmp_path):
    """With other gold links every column is the same, and what was counted is counted once."""
    files = tmp_path / "raw"
    columns = []
    for gold in (FILES["gulls.naacl"], "1 1 1 S\n1 3 2 P\n2 2 2 S\n3 1 1 S\n"):
        (files / "gulls.naacl").write_text(gold)
        folder = tmp_path / str(len(columns))
        with fake_aligner() as fake:
            fake.probable = True
            prepare(
                replace(sources, run={"p": AlignerRun("fake"), "agreed": AlignerRun("agreement")}), folder
            )
        statistics = count_corpus(folder, SPLITS)
        instances, features = make_instances(
            folder, "statistics+identities+p+agreed", "train", ["test"], statistics
        )
        assert features.feature_set.everywhere == ("p", "agreed")
        columns.append(instances)
        (kept,) = (folder / "cache").glob("links-*.npz")
        before = kept.stat().st_mtime_ns
        again, _ = make_instances(folder, "statistics+identities+p+agreed", "train", ["test"], statistics)
        assert kept.stat().st_mtime_ns == before
        for split in SPLITS:
            np.testing.assert_array_equal(again[split].features, instances[split].features)
        kept.write_bytes(b"cut off")
        make_instances(folder, "statistics+identities+p+agreed", "train", ["test"], statistics)
        assert kept.stat().st_size > 100
    for split in SPLITS:
        assert (columns[0][split].labels != columns[1][split].labels).any()
        np.testing.assert_array_equal(columns[0][split].features, columns[1][split].features)


class Bars(Silent):
    """Keeps every bar that was shown: its label, its total and how far it came."""

    def __init__(self) -> None:
        self.bars: list[list] = []

    def start(self, label, total):
        bar = [label, total, 0]
        self.bars.append(bar)

        def progress(done, doing=None):
            bar[2] += done

        return progress


def test_counting_links_is_shown_once_and_what_was_counted_of_other_posteriors_goes(probable):
    cache = probable / "cache"
    reporter = Bars()
    for _ in range(2):
        load_text_links(probable, ["p"], reporter)
    assert reporter.bars == [["counting links", 5, 5]]
    kept = list(cache.glob("links-*"))
    assert len(kept) == 2
    for file in kept:
        file.rename(file.with_stem("links-of-before"))
    (cache / "else.npz").touch()
    load_text_links(probable, ["p"], reporter)
    assert {file for file in cache.iterdir() if file.is_file()} == {*kept, cache / "else.npz"}
    assert len(reporter.bars) == 2


def test_words_of_the_splits_are_counted_as_the_corpus_normalises_them(folder):
    told: list[int] = []
    statistics = count_corpus(folder, SPLITS, progress=told.append)
    assert told == [2]
    assert statistics.source.words == ("gull", "high", "sings", "sleeps", "tern", "the", "tide")
    assert statistics.target.steps == ("lower", "accents")
    assert statistics.source.sentences[statistics.source.numbers(("The", "tern"))].tolist() == [2, 0]


def test_the_text_of_the_splits_may_be_counted_too(folder):
    statistics = count_corpus(folder, SPLITS, labelled_text=True)
    assert statistics.pairs == 5
    assert statistics.source.sentences[statistics.source.numbers(("The", "tern"))].tolist() == [4, 1]
    assert statistics.target.sentences[statistics.target.numbers(("marée",))].tolist() == [1]


def test_splits_become_instances(folder):
    instances, features = make_instances(
        folder, "everything", "train", ["test"], count_corpus(folder, SPLITS)
    )
    assert [aligner.name for aligner in features.feature_set.aligners] == ["m"]
    assert list(instances) == SPLITS
    assert [len(instances[split]) for split in SPLITS] == [2, 1]
    assert instances["train"].labels.tolist() == [0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 2, 0, 0]
    assert instances["test"].feature_names == instances["train"].feature_names == features.names
    again = features.transform(load_pairs(folder, "test"), load_predictions(folder, ["m.ef", "m.fe"], "test"))
    np.testing.assert_array_equal(again.features, instances["test"].features)


def test_a_feature_set_may_be_given_as_it_is(folder):
    statistics = count_corpus(folder, SPLITS)
    _, features = make_instances(folder, FeatureSet(("bias", "dice")), "train", [], statistics)
    assert features.names == ("bias", "dice")


def test_an_alternative_stands_in_for_links_that_are_missing(folder):
    links = load_predictions(folder, ["k|m.ef"], "test")
    assert links == {"k|m.ef": [frozenset({(1, 1)})]}
    instances, _ = make_instances(folder, "taskar+k|m.ef", "train", ["test"], count_corpus(folder, SPLITS))
    assert "k|m.ef predicts" in instances["test"].feature_names


PROBABLE = ["p log product", "p log forward"]  # all of its reverse posteriors are the same


def test_posteriors_become_features(probable):
    statistics = count_corpus(probable, SPLITS)
    for name, aligner in (("taskar+p", "p"), ("everything", "p"), ("taskar+p|m", "p|m")):
        instances, features = make_instances(probable, name, "train", ["test"], statistics)
        assert features.probable == (aligner,)
        found = [name for name in features.names if "log product" in name or "log forward" in name]
        assert found == [name.replace("p ", f"{aligner} ", 1) for name in PROBABLE]
        aligners = features.feature_set.aligners
        posteriors = load_probabilities(probable, aligners, "test", load_pairs(probable, "test"))
        links = load_predictions(probable, features.feature_set.directions, "test")
        again = features.transform(load_pairs(probable, "test"), links, posteriors)
        np.testing.assert_array_equal(again.features, instances["test"].features)


@pytest.mark.parametrize("name", ["m", "m|p", "p.forward", "k|p.forward", "k"])
def test_aligners_without_posteriors_of_both_directions_have_none(probable, name):
    aligner = find_aligner(name, prepared_bitext.read_manifest(probable)["aligners"], ["train"])
    assert load_probabilities(probable, [aligner], "train") == {}
    assert list(make_instances(probable, f"taskar+{name}", "train", [], count_corpus(probable, SPLITS)))


def test_posteriors_of_some_of_the_splits_are_left_out(probable):
    path = probable / "corpus.json"
    manifest = json.loads(path.read_text())
    manifest["posteriors"]["p"] = ["train"]
    path.write_text(json.dumps(manifest))
    statistics = count_corpus(probable, SPLITS)
    assert make_instances(probable, "taskar+p", "train", [], statistics)[1].probable == ("p",)
    assert make_instances(probable, "taskar+p", "train", ["test"], statistics)[1].probable == ()
    assert make_instances(probable, "taskar+p", "test", ["train"], statistics)[1].probable == ()


def test_the_text_of_a_split_is_read_once_however_many_aligners_there_are(folder, monkeypatch):
    statistics = count_corpus(folder, SPLITS)
    read: list[str] = []
    for module in (corpus, prepared_bitext):
        monkeypatch.setattr(
            module, "load_pairs", lambda at, split: read.append(split) or load_pairs(at, split)
        )
    make_instances(folder, "everything+m", "train", ["test"], statistics)
    assert read == SPLITS
    read.clear()
    load_predictions(folder, ["m.ef", "m.fe"], "test")
    assert read == ["test"]
    load_predictions(folder, ["m.ef", "m.fe"], "test", load_pairs(folder, "test"))
    assert read == ["test"]


def test_an_aligner_without_links_for_a_split_is_named_with_the_split(folder):
    with pytest.raises(InputError, match=r"aligner 'k' has no links for split 'test' \(k has train\)"):
        make_instances(folder, "taskar+k", "train", ["test"], count_corpus(folder, SPLITS))


def test_there_must_be_a_corpus(tmp_path):
    with pytest.raises(InputError, match="no prepared corpus there"):
        count_corpus(tmp_path, SPLITS)


def test_the_package_costs_nothing_to_import():
    check = "import sys, advsp.features.bitext; print('numpy' in sys.modules, 'scipy' in sys.modules)"
    before = "import sys, advsp.features; print('numpy' in sys.modules, 'scipy' in sys.modules)"
    outputs = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        for code in (before, check)
    ]
    assert outputs[0] == outputs[1]
