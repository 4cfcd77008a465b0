"""Preparing bitexts: what is made of the sources, what of the aligners that are run, and what is refused."""

from __future__ import annotations

import gzip

import numpy as np
import pytest
from fake_aligner import BROKEN, fake_aligner
from gulls import FILES, SPLITS, STEPS, TERNS

from advsp.aligners import preparation
from advsp.aligners.preparation import prepare
from advsp.corpora import folder as folders
from advsp.corpora.bitext_sources import AlignerRun, LabelledText
from advsp.corpora.links import Notation
from advsp.corpora.parallel_text import TextFiles
from advsp.corpora.prepared_bitext import (
    iterate_text,
    iterate_unlabelled,
    list_posteriors,
    list_text_posteriors,
    load_links,
    load_pairs,
    load_posteriors,
    load_text_posteriors,
    read_manifest,
)
from advsp.features.bitext.aligners import Aligner, list_aligners
from advsp.support.errors import InputError
from advsp.support.files import sha256
from advsp.support.progress import Silent

# ---- what is made


def test_repeated_pairs_may_be_kept(sources, folder):
    manifest = prepare(sources(distinct=False), folder)
    assert manifest["unlabelled"]["kept"] == len(list(iterate_unlabelled(folder))) == 4


def test_written_form(sources, folder):
    prepare(sources(), folder)
    assert sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()) == [
        "aligners/m.ef.test.pharaoh", "aligners/m.ef.train.pharaoh", "corpus.json",
        "test.naacl", "test.source", "test.target", "train.naacl", "train.source", "train.target",
        "unlabelled.source.gz", "unlabelled.target.gz", "valid.naacl", "valid.source", "valid.target",
    ]  # fmt: skip
    assert (folder / "train.target").read_text() == "la mouette dort\nmarée haute\n"
    assert (folder / "train.naacl").read_text() == "1 1 1 P\n1 2 2 S\n1 3 3 S\n2 1 2 S\n"
    assert (folder / "valid.naacl").read_text() == "1 1 1 S\n2 1 1 P\n2 2 3 S\n"
    assert (folder / "aligners/m.ef.test.pharaoh").read_text() == "0-1 2-2\n"
    assert gzip.decompress((folder / "unlabelled.source.gz").read_bytes()).decode() == (
        "the gull\nno wind - mill\nthe gull\n"
    )


def test_notations_are_as_declared_and_written_in_one_form(sources, raw, folder):
    (raw / "swapped.pharaoh").write_text("1?1 2-2 3-3\n2-1\n3-3\n")
    (raw / "m.head").write_text("1 1 1\n1 2 2\n")
    gulls = LabelledText(TextFiles(raw / "gulls.fr", raw / "gulls.en"), raw / "swapped.pharaoh")
    prepare(
        sources(
            labelled={"gulls": gulls},
            splits={},
            notation=Notation("pharaoh", 1, "source-target"),
            aligners={"m": {"gulls": raw / "m.head"}},
            aligner_notation=Notation("naacl", 1, "target-source"),
        ),
        folder,
    )
    assert [pair.sure for pair in load_pairs(folder, "gulls")] == [{(1, 1), (2, 2)}, {(1, 0)}, {(2, 2)}]
    assert load_links(folder, "m", "gulls") == [{(0, 0), (1, 1)}, set(), set()]


def test_manifest_says_what_was_read_and_how(sources, raw, folder):
    manifest = prepare(sources(), folder)
    assert manifest == read_manifest(folder)

    def digests(*names):
        return [{"file": name, "sha256": sha256(raw / name)} for name in names]

    files = manifest.pop("files")
    assert files == {
        str(path.relative_to(folder)): sha256(path)
        for path in folder.rglob("*")
        if path.is_file() and path.name != "corpus.json"
    }
    assert manifest == {
        "format": "bitext 1",
        "labelled": {
            "gulls": {
                "files": digests("gulls.en", "gulls.fr", "gulls.naacl"), "encoding": "utf-8", "numbers": None,
            },
            "terns": {
                "files": digests("terns.en", "terns.fr", "terns.naacl"),
                "encoding": "utf-8",
                "numbers": [41, 43],
            },
        },
        "links": {"format": "naacl", "base": 1, "order": "source-target"},
        "splits": {
            "train": {
                "text": "gulls", "first": 1, "last": 2,
                "pairs": 2, "sure": 3, "possible": 1, "edges": 13, "source_words": 5, "target_words": 5,
            },
            "valid": {
                "text": "terns", "first": 1, "last": None,
                "pairs": 2, "sure": 2, "possible": 1, "edges": 10, "source_words": 4, "target_words": 5,
            },
            "test": {
                "text": "gulls", "first": 3, "last": None,
                "pairs": 1, "sure": 1, "possible": 0, "edges": 9, "source_words": 3, "target_words": 3,
            },
        },
        "aligners": {
            "m.ef": {
                "train": {"files": digests("m.head"), "links": 2},
                "test": {"files": digests("m.tail"), "links": 2},
            }
        },
        "aligner_links": {"format": "pharaoh", "base": 0, "order": "source-target"},
        "run": {},
        "recorded": {},
        "posteriors": {},
        "everywhere": [],
        "unlabelled": {
            "files": digests("unlabelled.en", "unlabelled.fr"),
            "encoding": "utf-8",
            "distinct": True,
            "pairs": 5, "empty": 1, "repeated": 1, "kept": 3, "source_words": 8, "target_words": 6,
            "unseen": {
                "source": {"alike_tokens": 0, "tokens": 12, "unseen_tokens": 8, "types": 12, "unseen_types":
                8}, "target": {"alike_tokens": 0, "tokens": 13, "unseen_tokens": 11, "types": 13,
                "unseen_types": 11},
            },
        },
        "normalise": STEPS,
    }  # fmt: skip


def test_a_bitext_may_do_without_aligners_and_unlabelled_text(sources, folder):
    manifest = prepare(sources(aligners={}, unlabelled=None, normalise={}), folder)
    assert (manifest["aligners"], manifest["unlabelled"]) == ({}, None)
    assert len(load_pairs(folder, "train")) == 2
    with pytest.raises(InputError, match="prepared without unlabelled text"):
        iterate_unlabelled(folder)
    with pytest.raises(InputError, match="no aligner 'm.ef' there .it has no aligners"):
        load_links(folder, "m.ef", "train")


def test_same_sources_give_the_same_bytes(sources, folder, contents):
    prepare(sources(), folder)
    before = contents(folder)
    prepare(sources(), folder)
    assert contents(folder) == before


def test_progress_counts_the_unlabelled_pairs(sources, raw, folder):
    (raw / "unlabelled.en").write_text("no wind\n" * 2500)
    (raw / "unlabelled.fr").write_text("pas de vent\n" * 2500)
    bars, ticks = [], []

    class Listener(Silent):
        def start(self, label, total):
            bars.append((label, total))
            return ticks.append

    prepare(sources(), folder, reporter=Listener())
    assert (bars, sum(ticks), len(ticks)) == ([("normalising", 2500)], 2500, 3)


# ---- aligners that are run


@pytest.fixture
def fake():
    with fake_aligner() as fake:
        yield fake


@pytest.fixture
def running(sources, fake):
    """The sources, and a program to be run on them; options replace parts."""
    return lambda **options: sources(**{"run": {"mine": AlignerRun("fake")}} | options)


def test_an_aligner_that_is_run_is_there_like_one_that_is_read(running, fake, folder):
    manifest = prepare(running(), folder)
    assert load_links(folder, "mine.forward", "train") == [{(0, 0)}, {(0, 0)}]
    assert load_links(folder, "mine.reverse", "test") == [{(0, 0)}]
    assert list(manifest["aligners"]) == ["m.ef", "mine.forward", "mine.reverse"]
    assert manifest["aligners"]["mine.reverse"] == {
        "train": {"links": 2}, "valid": {"links": 2}, "test": {"links": 1}
    }  # fmt: skip
    assert Aligner("mine", ("mine.forward", "mine.reverse")) in list_aligners(manifest["aligners"])
    names = {f"aligners/mine.{way}.{split}.pharaoh" for way in ("forward", "reverse") for split in SPLITS}
    assert names <= manifest["files"].keys()


def test_links_are_cut_into_the_splits_that_they_belong_to(running, fake, folder):
    fake.writes = "0-0\n0-1\n1-0\n1-2\n2-2\n" + "\n" * 3
    prepare(running(run={"mine": AlignerRun("fake", {"reversed_too": False})}), folder)
    found = [load_links(folder, "mine.forward", split) for split in SPLITS]
    assert found == [[{(0, 0)}, {(0, 1)}], [{(1, 0)}, {(1, 2)}], [{(2, 2)}]]
    found = [load_links(folder, "mine.reverse", split) for split in SPLITS]
    assert found == [[set(), set()], [set(), set()], [set()]]


def test_nothing_is_said_across_a_progress_bar(running, fake, folder):
    events = []

    class Listener(Silent):
        def say(self, text):
            events.append("say")

        def start(self, label, total):
            events.append(label)
            return super().start(label, total)

        def stop(self):
            events.append("stop")

    prepare(running(), folder, reporter=Listener())
    assert events == ["normalising", "stop", "say", "aligner mine", "stop", "say"]


def test_a_program_is_given_all_splits_and_the_unlabelled_text(running, fake, folder):
    prepare(running(), folder)
    ((source, target),) = fake.given
    assert source == [
        "the gull sleeps", "high tide", "two terns", "no wind", "it is late",
        "the gull", "no wind - mill", "the gull",
    ]  # fmt: skip
    assert target == [
        "la mouette dort", "maree haute", "deux sternes", "pas de vent", "il est tard",
        "la mouette", "le elan", "la mouette",
    ]  # fmt: skip


def test_a_program_may_be_given_labelled_text_alone(running, fake, folder):
    prepare(running(unlabelled=None), folder)
    assert [len(side) for side in fake.given[0]] == [5, 5]


def test_what_is_run_is_in_the_manifest(running, fake, folder):
    run = prepare(running(run={"mine": AlignerRun("fake", {"reversed_too": False})}), folder)["run"]
    text = run["mine"].pop("text")
    assert run == {"mine": {"program": "fake", "version": "1.0", "options": {"reversed_too": False}}}
    assert (text["pairs"], text["labelled"], len(text["source"]), len(text["target"])) == (8, 5, 64, 64)


def test_preparing_again_takes_the_links_that_are_kept(running, fake, folder, contents):
    prepare(running(), folder)
    before = contents(folder)
    prepare(running(), folder)
    assert (contents(folder), len(fake.given)) == (before, 1)
    prepare(running(run={}), folder)
    prepare(running(run={"other": AlignerRun("fake")}), folder)
    assert load_links(folder, "other.forward", "test") == [{(0, 0)}]
    assert len(fake.given) == 1
    prepare(running(distinct=False), folder)
    assert load_links(folder, "mine.forward", "test") == [{(0, 0), (1, 1)}]
    assert len(fake.given) == 2


def test_what_was_run_before_is_gone_when_it_is_not_asked_for(running, fake, folder):
    prepare(running(), folder)
    manifest = prepare(running(run={}), folder)
    assert (manifest["run"], list(manifest["aligners"])) == ({}, ["m.ef"])
    assert [path.name for path in (folder / "aligners").glob("mine*")] == []


@pytest.fixture
def probable(running, fake, folder):
    """A bitext with an aligner that has posteriors."""
    fake.probable = True
    return prepare(running(), folder)


def test_posteriors_are_cut_into_the_splits_that_they_belong_to(probable, folder):
    assert list_posteriors(folder) == probable["posteriors"] == {"mine": list(SPLITS)}
    assert {f"aligners/mine.{split}.npz" for split in SPLITS} <= probable["files"].keys()
    first = 0
    for split in SPLITS:
        found = load_posteriors(folder, "mine", split)
        for pair, (forward, reverse) in zip(load_pairs(folder, split), found, strict=True):
            assert forward.shape == reverse.shape == pair.shape
            assert forward.dtype == reverse.dtype == np.float32
            assert (forward.ravel() * 31).tolist() == pytest.approx(range(first, first + forward.size))
            assert (reverse == 0.5).all()
            first += forward.size
    assert first == 32


def test_preparing_again_makes_the_same_posteriors(probable, running, folder, contents):
    before = contents(folder)
    prepare(running(), folder)
    assert contents(folder) == before
    prepare(running(run={}), folder)
    assert list_posteriors(folder) == {}
    assert list((folder / "aligners").glob("*.npz")) == []


@pytest.mark.parametrize("failure", [BROKEN, KeyboardInterrupt()])
def test_nothing_is_written_if_a_program_fails(running, sources, fake, folder, contents, failure):
    prepare(sources(), folder)
    before = contents(folder)
    fake.fails = failure
    for target in (folder, folder.parent / "new"):
        with pytest.raises(type(failure)):
            prepare(running(), target)
    assert contents(folder) == before
    assert not (folder.parent / "new").exists()


def test_what_one_program_has_done_is_kept_when_the_next_one_fails(running, fake, folder, monkeypatch):
    align = fake.align

    def one_way_fails(self, *arguments, **options):
        if not self.reversed_too:
            raise BROKEN
        return align(self, *arguments, **options)

    monkeypatch.setattr(fake, "align", one_way_fails)
    runs = {"mine": AlignerRun("fake"), "other": AlignerRun("fake", {"reversed_too": False})}
    with pytest.raises(InputError, match="aligner other: fake ended with exit code 3"):
        prepare(running(run=runs), folder)
    assert [path.name for path in folder.iterdir()] == ["cache"]
    prepare(running(), folder)
    assert len(fake.given) == 1


def test_a_program_that_is_not_installed_is_missed_before_anything_is_read(running, fake, raw, folder):
    fake.release = None
    (raw / "gulls.en").unlink()
    with pytest.raises(InputError, match="aligner mine cannot be run: .* 'fake' is not installed"):
        prepare(running(), folder)
    assert not folder.exists()


def test_links_of_an_aligner_that_is_run_do_not_overwrite_a_source(running, fake, folder):
    path = folder / "aligners/mine.forward.train.pharaoh"
    path.parent.mkdir(parents=True)
    path.write_text("0-0 1-1\n\n")
    with pytest.raises(InputError, match="would overwrite this source"):
        prepare(running(aligners={"read": {"train": path}}), folder)
    assert path.read_text() == "0-0 1-1\n\n"


# ---- what is replaced, and what is not


def test_preparing_again_replaces(sources, raw, folder):
    prepare(sources(), folder)
    (folder / "notes.txt").write_text("mine")
    prepare(sources(splits={}, aligners={}, unlabelled=None), folder)
    assert sorted(path.name for path in folder.iterdir() if path.is_file()) == [
        "corpus.json", "gulls.naacl", "gulls.source", "gulls.target", "notes.txt",
        "terns.naacl", "terns.source", "terns.target",
    ]  # fmt: skip
    with pytest.raises(InputError, match="no split 'train' there .it has gulls, terns"):
        load_pairs(folder, "train")


@pytest.mark.parametrize("name", [name for name in FILES if name != "unlabelled.en"])
def test_nothing_is_written_unless_everything_can_be_read(sources, raw, folder, contents, name):
    prepare(sources(), folder)
    before = contents(folder)
    (raw / name).write_bytes(b"\xff\n")
    for target in (folder, folder.parent / "new"):
        with pytest.raises(InputError, match=f"{name}:"):
            prepare(sources(), target)
    assert contents(folder) == before
    assert not (folder.parent / "new").exists()


def test_an_interruption_leaves_what_was_there(sources, folder, contents, monkeypatch):
    prepare(sources(), folder)
    before = contents(folder)

    def interrupted(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(preparation, "write_unlabelled", interrupted)
    for target in (folder, folder.parent / "new"):
        with pytest.raises(KeyboardInterrupt):
            prepare(sources(distinct=False), target)
    assert contents(folder) == before
    assert not (folder.parent / "new").exists()


def test_an_interrupted_replacement_leaves_no_corpus(sources, folder, monkeypatch):
    prepare(sources(), folder)

    def interrupted(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(folders, "write_json", interrupted)
    with pytest.raises(KeyboardInterrupt):
        prepare(sources(), folder)
    with pytest.raises(InputError, match="no prepared corpus there"):
        load_pairs(folder, "train")


@pytest.mark.parametrize(
    "name", ["gulls.source", "gulls.naacl", "unlabelled.source.gz", "aligners/m.gulls.pharaoh"]
)
def test_a_source_is_never_overwritten(sources, raw, name):
    path = raw / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("kept")
    gulls = LabelledText(TextFiles(raw / "gulls.en", raw / "gulls.fr"), raw / "gulls.naacl")
    options = {"labelled": {"gulls": gulls}, "splits": {}, "aligners": {"m": {"gulls": raw / "m.head"}}}
    if name == "gulls.source":
        options["labelled"] = {"gulls": LabelledText(TextFiles(path, raw / "gulls.fr"), raw / "m.head")}
    elif name == "unlabelled.source.gz":
        options["unlabelled"] = TextFiles(path, raw / "gulls.fr")
    elif name != "gulls.naacl":
        options["aligners"] = {"m": {"gulls": path}}
    with pytest.raises(InputError, match="would overwrite this source"):
        prepare(sources(**options), raw)
    assert path.read_text() == "kept"


def test_a_file_of_the_bitext_before_is_not_removed_when_it_is_a_source(sources, folder):
    prepare(sources(), folder)
    valid = LabelledText(TextFiles(folder / "valid.source", folder / "valid.target"), folder / "valid.naacl")
    with pytest.raises(InputError, match="valid.source: the prepared corpus would overwrite this source"):
        prepare(sources(labelled={"new": valid}, splits={}, aligners={}), folder)
    assert load_pairs(folder, "valid") == TERNS


# ---- what is refused


def test_expected_counts(sources, raw, folder):
    counts = {"pairs": 2, "sure": 3, "possible": 1, "edges": 13}
    prepare(sources(), folder, expect={"train": counts, "valid": {"pairs": 2}})
    with pytest.raises(InputError) as caught:
        prepare(sources(), folder, expect={"train": counts | {"sure": 4, "edges": 12}})
    assert str(caught.value).startswith(
        f"{raw / 'gulls.naacl'}: split train: found sure 3, expected 4; found edges 13, expected 12 ("
    )


@pytest.mark.parametrize(
    ("expect", "problem"),
    [
        ({"dev": {"pairs": 1}}, "counts are expected of split 'dev', which is not there"),
        ({"train": {"links": 1}}, "split train: unknown count 'links'"),
    ],
)
def test_expected_counts_of_what_is_not_there(sources, folder, expect, problem):
    with pytest.raises(InputError, match=problem):
        prepare(sources(), folder, expect=expect)


def test_unknown_normalisation_step(sources, folder):
    with pytest.raises(InputError, match="unknown normalisation step 'lowr'"):
        prepare(sources(normalise={"source": ["lowr"]}), folder)


def test_folder_that_cannot_be_written(sources, raw):
    with pytest.raises(InputError, match="is a file where a folder is expected"):
        prepare(sources(), raw / "m.head")
    with pytest.raises(InputError, match="cannot be written"):
        prepare(sources(), raw / "m.head" / "below")


# ---- links of all pairs


@pytest.fixture
def recorded(raw):
    """Links of all pairs in files: five labelled ones, and three that are kept of the unlabelled text."""
    (raw / "all.forward").write_text("0-0 1-1\n0-1\n0-0\n1-2\n0-0 1-2\n0-0 1-1\n0-0\n\n")
    (raw / "all.reverse").write_text("0-0\n\n\n\n\n0-0\n\n\n")
    return {"old": {"forward": raw / "all.forward", "reverse": raw / "all.reverse"}}


def test_recorded_links_are_those_of_an_aligner_of_the_whole_text(sources, recorded, folder):
    prepare(sources(recorded=recorded), folder)
    manifest = read_manifest(folder)
    assert manifest["everywhere"] == list_text_posteriors(folder) == ["old"]
    assert manifest["recorded"]["old"]["files"]["forward"]["file"] == "all.forward"
    assert load_links(folder, "old.forward", "train") == [{(0, 0), (1, 1)}, {(0, 1)}]
    assert load_links(folder, "old.forward", "valid") == [{(0, 0)}, {(1, 2)}]
    assert load_links(folder, "old.forward", "test") == [{(0, 0), (1, 2)}]
    text = list(iterate_text(folder))
    assert len(text) == 8
    cells = sum(len(source) * len(target) for source, target in text)
    found = load_text_posteriors(folder, "old")
    assert (len(found.forward), int(found.forward.sum()), int(found.reverse.sum())) == (cells, 10, 2)


def test_recorded_links_of_another_text_are_refused(sources, raw, recorded, folder):
    (raw / "all.reverse").write_text("0-0\n")
    with pytest.raises(InputError, match="found 1 line, the text has 8 pairs"):
        prepare(sources(recorded=recorded), folder)
    assert not folder.exists()


def test_posteriors_of_all_pairs_are_kept_of_an_aligner_that_is_run(sources, folder):
    runs = {"agreed": AlignerRun("agreement"), "smooth": AlignerRun("smoothed-agreement")}
    prepare(sources(run=runs), folder)
    assert list_text_posteriors(folder) == ["agreed", "smooth"]
    shapes = [(len(source), len(target)) for source, target in iterate_text(folder)]
    ends = np.cumsum([0, *(n * m for n, m in shapes)])
    for name in runs:
        whole = load_text_posteriors(folder, name)
        assert whole.forward.dtype == np.float16
        # The labelled pairs stand first, and there it is what their own files say.
        labelled = [both for split in SPLITS for both in load_posteriors(folder, name, split)]
        for (forward, reverse), first, last in zip(labelled, ends, ends[1:]):
            np.testing.assert_allclose(whole.forward[first:last], forward.ravel(), atol=1e-3)
            np.testing.assert_allclose(whole.reverse[first:last], reverse.ravel(), atol=1e-3)
        assert whole.forward[ends[len(labelled)] :].any()


def test_posteriors_of_all_pairs_that_changed_are_not_read(sources, recorded, folder):
    prepare(sources(recorded=recorded), folder)
    (folder / "aligners" / "old.forward.npy").write_bytes(b"")
    with pytest.raises(InputError, match="changed"):
        load_text_posteriors(folder, "old")
    with pytest.raises(InputError, match="no links of all pairs by aligner 'm'"):
        load_text_posteriors(folder, "m")


@pytest.mark.parametrize(
    ("name", "run", "problem"),
    [
        ("m.ef", {}, "aligner 'm.ef' is recorded, and 'm.ef' has that name already"),
        ("p", {"p": AlignerRun("agreement")}, "aligner 'p' is to be run and recorded"),
    ],
)
def test_recorded_aligners_have_names_of_their_own(sources, recorded, name, run, problem):
    with pytest.raises(InputError, match=problem):
        sources(recorded={name: recorded["old"]}, run=run)
