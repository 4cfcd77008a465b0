import json

import pytest

from advsp.corpora import prepared
from advsp.corpora.conll import read_columns
from advsp.corpora.prepared import load, prepare, read_manifest
from advsp.support.errors import InputError
from advsp.support.files import sha256

TRAIN = """\
-DOCSTART- -X- O

Ada NNP I-PER
rows VBZ O

Malta NNP I-LOC
Malta NNP B-LOC

-DOCSTART- -X- O

Tides NNS O
turn VBP O

-DOCSTART- -X- O
"""
TEST = "Volga NNP I-LOC\r\nfloods NNS O\r\n"
RULES = ["drop", "sentence", "uncounted", "glue"]


@pytest.fixture
def sources(tmp_path):
    (tmp_path / "raw").mkdir()
    (tmp_path / "raw/my.train").write_text(TRAIN)
    (tmp_path / "raw/my.test").write_bytes(TEST.encode())
    return {"train": tmp_path / "raw/my.train", "test": tmp_path / "raw/my.test"}


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "corpus"


def first_words(sentences):
    return [sentence.words[0] for sentence in sentences]


def test_manifest_says_what_was_read_and_how(sources, folder):
    manifest = prepare(sources, folder, docstart="uncounted")
    assert manifest == read_manifest(folder)
    assert manifest == {
        "format": 1,
        "word": 0,
        "tag": -1,
        "scheme": "iob1",
        "encoding": "utf-8",
        "docstart": "uncounted",
        "splits": {
            "train": {
                "source": "my.train",
                "source_sha256": sha256(sources["train"]),
                "sentences": 3,
                "tokens": 6,
                "entities": {"LOC": 2, "PER": 1},
                "docstart_lines": 3,
                "violations": 0,
                "first_violations": [],
                "merged": 1,
                "sha256": sha256(folder / "train.conll"),
            },
            "test": {
                "source": "my.test",
                "source_sha256": sha256(sources["test"]),
                "sentences": 1,
                "tokens": 2,
                "entities": {"LOC": 1},
                "docstart_lines": 0,
                "violations": 0,
                "first_violations": [],
                "merged": 0,
                "sha256": sha256(folder / "test.conll"),
            },
        },
    }


def test_prepared_files_are_two_plain_columns(sources, folder):
    prepare(sources, folder)
    assert (folder / "train.conll").read_text() == (
        "Ada B-PER\nrows O\n\nMalta B-LOC\nMalta B-LOC\n\nTides O\nturn O\n\n"
    )
    assert (folder / "test.conll").read_text() == "Volga B-LOC\nfloods O\n\n"


def test_violations_are_reported(sources, folder):
    sources["test"].write_text("Volga O\nVolga I-LOC\n")
    split = prepare({"test": sources["test"]}, folder, scheme="bio")["splits"]["test"]
    assert split["violations"] == 1
    assert split["first_violations"] == ["line 2: 'I-LOC' continues an entity that was not begun"]


@pytest.mark.parametrize("rule", RULES)
def test_loading_gives_what_the_source_gives(sources, folder, rule):
    prepare(sources, folder, docstart=rule)
    for split, source in sources.items():
        assert tuple(load(folder, split)) == read_columns(source, docstart=rule).sentences


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("prepared_with", ["sentence", "uncounted"])
def test_a_form_that_keeps_the_marks_is_read_under_any_rule(sources, folder, prepared_with, rule):
    prepare(sources, folder, docstart=prepared_with)
    expected = read_columns(sources["train"], docstart=rule).sentences
    assert tuple(load(folder, "train", docstart=rule)) == expected


@pytest.mark.parametrize("prepared_with", ["drop", "glue"])
@pytest.mark.parametrize("rule", RULES)
def test_a_form_that_lost_the_marks_is_read_under_its_own_rule_only(sources, folder, prepared_with, rule):
    prepare(sources, folder, docstart=prepared_with)
    if rule == prepared_with:
        assert load(folder, "train", docstart=rule) == load(folder, "train")
    else:
        with pytest.raises(InputError, match=f"rule '{prepared_with}', it cannot be read under '{rule}'"):
            load(folder, "train", docstart=rule)


@pytest.mark.parametrize(
    "rule, wanted, expected",
    [
        ("drop", 2, ["Ada", "Malta"]),
        ("sentence", 3, ["-DOCSTART-", "Ada", "Malta"]),
        ("sentence", 4, ["-DOCSTART-", "Ada", "Malta", "-DOCSTART-"]),
        ("uncounted", 2, ["-DOCSTART-", "Ada", "Malta"]),
        ("uncounted", 3, ["-DOCSTART-", "Ada", "Malta", "-DOCSTART-", "Tides"]),
        ("uncounted", None, ["-DOCSTART-", "Ada", "Malta", "-DOCSTART-", "Tides", "-DOCSTART-"]),
        ("glue", 3, ["-DOCSTART-", "Malta", "-DOCSTART-"]),
    ],
)
def test_first_sentences_count_the_counted_ones(sources, folder, rule, wanted, expected):
    prepare(sources, folder, docstart="uncounted")
    assert first_words(load(folder, "train", sentences=wanted, docstart=rule)) == expected


def test_no_sentences_cannot_be_asked_for(sources, folder):
    prepare(sources, folder, docstart="uncounted")
    with pytest.raises(InputError, match="expected at least 1"):
        load(folder, "train", sentences=0)


def test_more_sentences_than_there_are_is_all_of_them(sources, folder):
    prepare(sources, folder, docstart="uncounted")
    assert load(folder, "train", sentences=400) == load(folder, "train")


def test_expected_counts_that_agree(sources, folder):
    counts = {"sentences": 3, "tokens": 6, "entities": {"PER": 1, "LOC": 2}}
    prepare(sources, folder, expect={"train": counts, "test": {"sentences": 1}})
    assert (folder / "corpus.json").is_file()


@pytest.mark.parametrize(
    "counts, problem",
    [
        ({"sentences": 4}, "split train: found sentences 3, expected 4"),
        ({"tokens": 7, "sentences": 3}, "split train: found tokens 6, expected 7"),
        ({"entities": {"PER": 1}}, "split train: found entities LOC 2 PER 1, expected PER 1"),
        ({"sentences": 2, "tokens": 5}, "found sentences 3, expected 2; found tokens 6, expected 5"),
    ],
)
def test_expected_counts_that_differ(sources, folder, counts, problem):
    with pytest.raises(InputError, match=problem) as caught:
        prepare(sources, folder, expect={"train": counts})
    assert caught.value.file == sources["train"]
    assert not folder.exists()


def test_nothing_is_written_unless_every_split_passes(sources, folder):
    prepare(sources, folder)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    sources["train"].write_text(TRAIN + "\nOslo NNP I-LOC\n")
    sources["test"].write_text("Volga NNP\n")
    with pytest.raises(InputError, match="my.test:1: tag 'NNP' has no prefix"):
        prepare(sources, folder)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_an_interrupted_writing_leaves_no_corpus(sources, folder, monkeypatch):
    prepare(sources, folder)

    def interrupted(path, sentences):
        raise KeyboardInterrupt

    monkeypatch.setattr(prepared, "write_columns", interrupted)
    with pytest.raises(KeyboardInterrupt):
        prepare(sources, folder, docstart="sentence")
    with pytest.raises(InputError, match="no prepared corpus there"):
        load(folder, "train")


def test_preparing_again_replaces(sources, folder):
    prepare(sources, folder, docstart="sentence")
    prepare({"test": sources["test"]}, folder)
    assert first_words(load(folder, "test")) == ["Volga"]
    with pytest.raises(InputError, match="no split 'train' there.*it has test"):
        load(folder, "train")


def test_progress_names_the_splits(sources, folder):
    seen = []
    prepare(sources, folder, progress=seen.append)
    assert seen == ["train", "test"]


def test_a_source_is_never_overwritten(tmp_path):
    source = tmp_path / "train.conll"
    source.write_text(TRAIN)
    with pytest.raises(InputError, match="would overwrite this source"):
        prepare({"train": source}, tmp_path)
    assert source.read_text() == TRAIN


@pytest.mark.parametrize(
    "change, problem",
    [
        (lambda request: request.update(sources={}), "no splits given"),
        (lambda request: request.update(sources={"../up": "x"}), "split name '../up' cannot name a file"),
        (lambda request: request.update(expect={"valid": {}}), "counts are expected of split 'valid'"),
        (lambda request: request.update(expect={"test": {"words": 1}}), "unknown count 'words'"),
        (lambda request: request.update(folder=request["sources"]["train"]), "is a file where a folder"),
        (lambda request: request.update(folder=request["sources"]["train"] / "a"), "cannot be written"),
    ],
)
def test_requests_that_cannot_be_met(sources, folder, change, problem):
    request = {"sources": sources, "folder": folder}
    change(request)
    with pytest.raises(InputError, match=problem):
        prepare(**request)


def test_missing_corpus_names_the_command(tmp_path):
    with pytest.raises(InputError, match="no prepared corpus there") as caught:
        load(tmp_path / "nowhere", "train")
    assert "advsp prepare-conll" in caught.value.hint


def test_changed_and_missing_files_are_noticed(sources, folder):
    prepare(sources, folder)
    (folder / "train.conll").write_text("Ada B-PER\n")
    with pytest.raises(InputError, match="train.conll: changed since it was prepared"):
        load(folder, "train")
    (folder / "train.conll").unlink()
    with pytest.raises(InputError, match="train.conll: missing from the prepared corpus"):
        load(folder, "train")


@pytest.mark.parametrize(
    "text, problem",
    [
        ("{", "corpus.json: is not JSON"),
        ("[]", "corpus.json: found format None, expected 1"),
        (json.dumps({"format": 2}), "corpus.json: found format 2, expected 1"),
    ],
)
def test_unreadable_manifest(sources, folder, text, problem):
    prepare(sources, folder)
    (folder / "corpus.json").write_text(text)
    with pytest.raises(InputError, match=problem):
        load(folder, "train")
