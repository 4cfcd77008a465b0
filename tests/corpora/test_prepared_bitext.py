"""Prepared bitexts: what is made of the sources, what is refused, and what is noticed on loading."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from fake_aligner import BROKEN, fake_aligner

from advsp.corpora import prepared, prepared_bitext
from advsp.corpora.bitext import SentencePair
from advsp.corpora.bitext_sources import AlignerRun, BitextSources, LabelledText, Part
from advsp.corpora.links import Notation
from advsp.corpora.parallel_text import TextFiles
from advsp.corpora.prepared_bitext import (
    iterate_unlabelled,
    list_posteriors,
    load_links,
    load_normalisers,
    load_pairs,
    load_posteriors,
    prepare,
    read_manifest,
)
from advsp.features.bitext.aligners import Aligner, list_aligners
from advsp.support.errors import InputError
from advsp.support.files import sha256
from advsp.support.progress import Silent

FILES = {
    "gulls.en": "The gull sleeps\nhigh tide\nit is late\n",
    "gulls.fr": "la mouette dort\nmarée haute\nil est tard\n",
    "gulls.naacl": "1 1 1 P\n1 2 2 S\n1 3 3 S\n2 1 2 S\n2 1 2 P\n3 3 3 S\n",
    "terns.en": "two terns\nno wind\n",
    "terns.fr": "deux sternes\npas de vent\n",
    "terns.naacl": "41 1 1 S\n43 1 1 P\n43 2 3 S\n",
    "m.head": "0-0 1-1\n\n",
    "m.tail": "2-2 0-1\n",
    "unlabelled.en": "The gull\n\nThe  gull\nno wind-mill\nthe gull\n",
    "unlabelled.fr": "la mouette\nrien\nla mouette\nl'élan\nla mouette\n",
}

GULLS = [
    SentencePair(
        ("The", "gull", "sleeps"),
        ("la", "mouette", "dort"),
        frozenset({(1, 1), (2, 2)}),
        frozenset({(0, 0)}),
    ),
    SentencePair(("high", "tide"), ("marée", "haute"), frozenset({(0, 1)})),
    SentencePair(("it", "is", "late"), ("il", "est", "tard"), frozenset({(2, 2)})),
]
TERNS = [
    SentencePair(("two", "terns"), ("deux", "sternes"), frozenset({(0, 0)})),
    SentencePair(("no", "wind"), ("pas", "de", "vent"), frozenset({(1, 2)}), frozenset({(0, 0)})),
]
SPLITS = ("train", "valid", "test")
STEPS = {"source": ["lower", "hyphens"], "target": ["french-contractions", "accents"]}


@pytest.fixture
def raw(tmp_path) -> Path:
    """A folder with the files above."""
    folder = tmp_path / "raw"
    folder.mkdir()
    for name, content in FILES.items():
        (folder / name).write_text(content)
    return folder


@pytest.fixture
def folder(tmp_path) -> Path:
    return tmp_path / "bitext"


@pytest.fixture
def sources(raw):
    """Their description; options replace parts of it."""

    def describe(**options) -> BitextSources:
        parts = {
            "labelled": {
                "gulls": LabelledText(TextFiles(raw / "gulls.en", raw / "gulls.fr"), raw / "gulls.naacl"),
                "terns": LabelledText(
                    TextFiles(raw / "terns.en", raw / "terns.fr"), raw / "terns.naacl", [41, 43]
                ),
            },
            "splits": {
                "train": Part("gulls", last=2),
                "valid": Part("terns"),
                "test": Part("gulls", first=3),
            },
            "aligners": {"m.ef": {"train": raw / "m.head", "test": raw / "m.tail"}},
            "unlabelled": TextFiles(raw / "unlabelled.en", raw / "unlabelled.fr"),
            "normalise": STEPS,
        }
        return BitextSources(**parts | options)

    return describe


# ---- what is made


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
    with pytest.raises(InputError, match="found 2 lines, the text has 1 pairs"):
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


def test_repeated_pairs_may_be_kept(sources, folder):
    manifest = prepare(sources(distinct=False), folder)
    assert manifest["unlabelled"]["kept"] == len(list(iterate_unlabelled(folder))) == 4


def test_normalisation_is_remembered(sources, folder):
    prepare(sources(), folder)
    source, target = load_normalisers(folder)
    assert (list(source.steps), list(target.steps)) == (STEPS["source"], STEPS["target"])
    assert source.spell(("The", "wind-mill")) == ("the", "wind-mill")
    assert target.spell(("marée", "du")) == ("maree", "du")


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
        "posteriors": {},
        "unlabelled": {
            "files": digests("unlabelled.en", "unlabelled.fr"),
            "encoding": "utf-8",
            "distinct": True,
            "pairs": 5, "empty": 1, "repeated": 1, "kept": 3, "source_words": 8, "target_words": 6,
            "unseen": {
                "source": {"tokens": 12, "unseen_tokens": 8, "types": 12, "unseen_types": 8},
                "target": {"tokens": 13, "unseen_tokens": 11, "types": 13, "unseen_types": 11},
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
        align(self, *arguments, **options)

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


@pytest.mark.parametrize(
    ("run", "problem"),
    [
        (["m"], "aligner 'm' is to be run, and 'm.ef' has that name already"),
        (["m.ef"], "aligner 'm.ef' is to be run, and 'm.ef' has that name already"),
        (["a", "a.forward"], "aligner 'a.forward' is to be run, and 'a.forward' has that name"),
        (["a.reverse", "a"], "aligner 'a.reverse' is to be run, and 'a.reverse' has that name"),
        (["m/ef"], "aligner name 'm/ef' cannot name a file"),
    ],
)
def test_names_of_aligners_that_are_run_are_theirs_alone(sources, run, problem):
    with pytest.raises(InputError, match=problem):
        sources(run={name: AlignerRun("fake") for name in run})


def test_names_that_are_not_the_same_are_no_obstacle(sources):
    sources(run={name: AlignerRun("fake") for name in ("m.fe", "m2", "mm")})


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

    def interrupted(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(prepared_bitext, "_write_unlabelled", interrupted)
    for target in (folder, folder.parent / "new"):
        with pytest.raises(KeyboardInterrupt):
            prepare(sources(distinct=False), target)
    assert contents(folder) == before
    assert not (folder.parent / "new").exists()


def test_an_interrupted_replacement_leaves_no_corpus(sources, folder, monkeypatch):
    prepare(sources(), folder)

    def interrupted(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(prepared_bitext, "write_json", interrupted)
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


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"labelled": {}}, "no labelled text given"),
        ({"splits": {"../up": Part("gulls")}}, "split name '../up' cannot name a file"),
        ({"splits": {"train": Part("gull")}}, "split train: labelled text 'gull' is not there"),
        ({"aligners": {".m": {}}}, "aligner name '.m' cannot name a file"),
        ({"aligners": {"m/ef": {}}}, "aligner name 'm/ef' cannot name a file"),
        ({"aligners": {"m": {"dev": Path("x")}}}, "aligner m: split 'dev' is not there"),
        ({"normalise": {"english": []}}, "normalisation: side 'english' is not there"),
    ],
)
def test_descriptions_that_cannot_be_met(sources, options, problem):
    with pytest.raises(InputError, match=problem):
        sources(**options)


@pytest.mark.parametrize(
    ("splits", "problem"),
    [
        ({"a": Part("gulls", 1, 4)}, "split a: pairs 1 to 4 asked for, the text 'gulls' has pairs 1 to 3"),
        ({"a": Part("gulls", 4)}, "split a: pairs 4 to 3 asked for"),
        ({"a": Part("gulls", 0)}, "split a: pairs 0 to 3 asked for"),
        ({"a": Part("gulls", 3, 2)}, "split a: pairs 3 to 2 asked for"),
        ({"a": Part("gulls", 1, 2), "b": Part("gulls", 2)}, "pair 2 of 'gulls' is in a and in b"),
    ],
)
def test_splits_that_do_not_fit_their_text(sources, folder, splits, problem):
    with pytest.raises(InputError, match=problem):
        prepare(sources(splits=splits, aligners={}), folder)


def test_unknown_normalisation_step(sources, folder):
    with pytest.raises(InputError, match="unknown normalisation step 'lowr'"):
        prepare(sources(normalise={"source": ["lowr"]}), folder)


def test_links_of_an_aligner_are_checked_against_the_sentences(sources, raw, folder):
    (raw / "m.tail").write_text("0-0 3-1\n")
    with pytest.raises(InputError, match="m.tail:1: pair 1: link 3-1 lies outside its sentences of 3 source"):
        prepare(sources(), folder)
    (raw / "m.tail").write_text("0-0\n1-1\n")
    with pytest.raises(InputError, match="m.tail:2: found 2 lines, the text has 1 pairs"):
        prepare(sources(), folder)
    (raw / "m.tail").write_text("0-0 1?1\n")
    with pytest.raises(InputError, match="m.tail: pair 1 has links that are marked possible"):
        prepare(sources(), folder)


def test_numbers_of_pairs_are_to_be_declared(sources, raw, folder):
    terns = LabelledText(TextFiles(raw / "terns.en", raw / "terns.fr"), raw / "terns.naacl")
    with pytest.raises(InputError, match="terns.naacl:1: unknown pair 41, the pairs of the text are 1 to 2"):
        prepare(sources(labelled={"terns": terns}, splits={}, aligners={}), folder)


def test_folder_that_cannot_be_written(sources, raw):
    with pytest.raises(InputError, match="is a file where a folder is expected"):
        prepare(sources(), raw / "m.head")
    with pytest.raises(InputError, match="cannot be written"):
        prepare(sources(), raw / "m.head" / "below")


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
