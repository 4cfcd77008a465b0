"""``advsp init``: a configuration made by looking at files, ready for the commands that come after it."""

from __future__ import annotations

from pathlib import Path

import pytest

from advsp.corpora.prepared import read_manifest
from advsp.experiments.config import load_config
from advsp.support.yaml_source import read_yaml

NAMES = ("Mira", "Tolen", "Ossip", "Brandt", "Dorrit")
PLACES = ("Ilmen", "Vesterby", "Anka")


def sentences(number: int, first: str, inside: str = "I", gap: str = " ") -> str:
    """Sentences of a person and a place, whose entities begin with this prefix."""
    blocks = []
    for n in range(number):
        blocks.append(
            f"{NAMES[n % 5]}{gap}{first}-PER\n{NAMES[n % 4]}{gap}{inside}-PER\n"
            f"left{gap}O\n{PLACES[n % 3]}{gap}{first}-LOC\n"
        )
    return "\n".join(blocks)


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def draft(folder, command):
    """The configuration that ``advsp init ner`` writes for some files, and where it is."""

    def make(*files: str) -> dict:
        ended = command("init", "ner", *files)
        assert ended.code == 0, ended
        Path("my.yaml").write_text(ended.out)
        load_config("my.yaml")
        return read_yaml("my.yaml").value

    return make


def test_four_commands_from_a_column_file_to_tagged_text(folder, draft, command):
    Path("harbour.conll").write_text(sentences(40, "B"))
    draft("harbour.conll")
    assert command("prepare-conll", ".", "--config", "my.yaml").code == 0
    assert (
        command("train", "my.yaml", "--set", "workers=1", "--set", "optimiser.passes=3", "--quiet").code == 0
    )
    Path("new.txt").write_text("Mira Tolen left Anka\n")
    ended = command("predict", "results/runs/harbour", "new.txt", "--input", "lines", "--quiet")
    assert ended.out == "Mira B-PER\nTolen I-PER\nleft O\nAnka B-LOC\n\n"
    ended = command("evaluate", "my.yaml", "--quiet")
    assert (ended.code, ended.err) == (0, "")
    assert "F1" in ended.out and "ADV" in ended.out, "results are printed, if no progress is"
    assert command("compare", "--results", "results", "--quiet").out


def test_one_file_is_split_and_parts_are_held_out_from_its_end(folder, draft, command):
    Path("harbour.conll").write_text(sentences(40, "B"))
    assert draft("harbour.conll")["prepare"]["hold_out"] == {"dev": 0.1, "test": 0.1}
    command("prepare-conll", ".", "--config", "my.yaml")
    counts = {split: about["sentences"] for split, about in read_manifest("data/harbour")["splits"].items()}
    assert counts == {"train": 32, "dev": 4, "test": 4}
    joined = "".join(Path(f"data/harbour/{split}.conll").read_text() for split in counts)
    assert joined.split() == sentences(40, "B").split()


@pytest.mark.parametrize(
    "names, splits",
    [
        (("a.train", "a.testa", "a.testb"), {"train": "a.train", "dev": "a.testa", "test": "a.testb"}),
        (("valid.txt", "train.txt"), {"train": "train.txt", "dev": "valid.txt"}),
        (("small", "large", "middle"), {"train": "large", "dev": "middle", "test": "small"}),
    ],
)
def test_splits_are_known_by_name_or_by_size(folder, draft, names, splits):
    sizes = {"large": 40, "middle": 25, "small": 20}
    for name in names:
        Path(name).write_text(sentences(sizes.get(name, 30), "B"))
    assert draft(*names)["prepare"]["files"] == splits


@pytest.mark.parametrize(
    "text, scheme",
    [
        (sentences(9, "B"), "iob2"),
        (sentences(9, "I") + "\nMira I-PER\nBrandt B-PER\n", "iob1"),
        (sentences(9, "I"), "io"),
        (sentences(9, "B", "E").replace("B-LOC", "S-LOC"), "bioes"),
        (sentences(9, "B").replace("B-", "").replace("I-", ""), "io"),
    ],
)
def test_scheme_is_that_of_the_tags(folder, draft, text, scheme):
    Path("harbour").write_text(text)
    assert draft("harbour")["prepare"]["scheme"] == scheme


def test_columns_are_known_by_what_they_hold(folder, draft):
    rows = [line.split() for line in sentences(12, "B").splitlines()]
    text = "".join(f"{n % 4 + 1}\t{r[0]}\tNN\t{r[1]}\t_\n" if r else "\n" for n, r in enumerate(rows))
    Path("wide").write_text(text)
    found = draft("wide")["prepare"]
    assert (found["word"], found["tag"]) == (1, -2)
    assert found["columns"] == {"column0": 0, "column2": 2, "column4": 4}


def test_entities_side_by_side_are_parted(folder, draft):
    Path("harbour").write_text(sentences(12, "B"))
    assert "tags" not in draft("harbour")
    Path("harbour").write_text(sentences(12, "B", inside="B"))
    assert draft("harbour")["tags"] == "bio"


def test_document_marks_and_another_encoding(folder, draft):
    Path("harbour").write_bytes(
        ("-DOCSTART- O\n\n" + sentences(12, "B")).replace("Mira", "Élie").encode("latin-1")
    )
    found = draft("harbour")["prepare"]
    assert (found["docstart"], found["encoding"]) == ("uncounted", "latin-1")


def test_a_guess_stands_in_the_file_and_is_said(folder, command):
    Path("harbour").write_text(sentences(12, "B"))
    ended = command("init", "ner", "harbour")
    for note in ended.err.splitlines():
        assert f"# {note}\n" in ended.out
    assert "scheme iob2: 0 tags out of sequence, by iob1 24" in ended.err
    assert "classes: LOC 12, PER 12" in ended.err


def test_odd_names_of_files_and_classes_make_a_configuration_all_the_same(folder, draft, command):
    name = 'the "harbour", {new}: no #1.conll'
    Path(name).write_text(sentences(40, "B").replace("LOC", "a/b") + "\nOslo B-no\n")
    found = draft(name)
    assert (found["prepare"]["files"], found["classes"]) == ({"train": name}, ["PER", "a/b", "no"])
    assert command("prepare-conll", ".", "--config", "my.yaml").code == 0


@pytest.mark.long
@pytest.mark.parametrize("label", ["a/b", "..", "~x", "größe", "con:1", "50%", "*"])
def test_classes_may_have_any_name_of_one_word(folder, draft, command, label):
    Path("harbour").write_text(sentences(20, "B").replace("LOC", label))
    assert label in draft("harbour")["classes"]
    quick = ("--set", "workers=1", "--set", "optimiser.passes=1", "--set", "selection.passes=[]", "--quiet")
    assert command("prepare-conll", ".", "--config", "my.yaml").code == 0
    assert command("train", "my.yaml", *quick, "--set", "selection.grid={}").code == 0
    assert command("evaluate", "my.yaml", "--quiet").code == 0
    Path("new").write_text("Mira left Ilmen\n")
    assert command("predict", "results/runs/harbour", "new", "--input", "lines").code == 0
    models = {path.name for path in Path("results/runs/harbour/models/ADV_f1/seed-1").iterdir()}
    assert len(models) == 2 and "PER" in models


@pytest.mark.parametrize(
    "files, problem",
    [
        ({"none": None}, "none: no such file"),
        ({"words": "one\ntwo\n"}, "words: found one column, expected at least two"),
        ({"ragged": "a O\nb\n"}, "ragged:2: found 1 column, expected 2 as in line 1"),
        ({"empty": "\n\n"}, "empty: no sentences found"),
        ({"plain": "a NN\nb VB\nc DT\n"}, "plain:1: no column looks like tags"),
        ({"letters": "a B-X\nb Q-X\nc O\n"}, "letters: found tags with Q-"),
        ({"nothing": "a O\nb O\n"}, "nothing:1: no column looks like tags"),
        ({"test.x": "a B-X\nb O\n"}, "test.x: looks like the test split, and there is no file to train on"),
        ({"odd": "a B-all\nb O\n"}, "odd: no class has a name that is free: all"),
        ({"a": "a B-X\nb O\n", "b": "a NN B-X\nb NN O\n"}, "b: found 3 columns, expected 2 as in a"),
    ],
)
def test_what_is_refused(folder, refused, files, problem):
    for name, text in files.items():
        if text is not None:
            Path(name).write_text(text)
    assert refused("init", "ner", *files).startswith(problem)


@pytest.mark.parametrize(
    "hold_out, problem",
    [
        ("{train: 0.1}", "my.yaml:17: prepare.hold_out.train: has a file of its own"),
        ("{dev: 0.5, test: 0.5}", "my.yaml:17: prepare.hold_out: leaves nothing of the first file"),
        ("{dev: 0.01}", "harbour: found 40 sentences, too few to hold out dev"),
    ],
)
def test_shares_that_cannot_be_held_out(folder, draft, refused, hold_out, problem):
    Path("harbour").write_text(sentences(40, "B"))
    draft("harbour")
    text = Path("my.yaml").read_text().replace("{dev: 0.1, test: 0.1}", hold_out)
    Path("my.yaml").write_text(text)
    assert refused("prepare-conll", ".", "--config", "my.yaml").startswith(problem)
