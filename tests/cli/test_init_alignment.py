"""``advsp init alignment``: a configuration made by looking at files of parallel text and links."""

from __future__ import annotations

from pathlib import Path

import pytest
import tiny_bitext

from advsp.corpora.links import NAACL, Links, Notation, write_links
from advsp.corpora.prepared_bitext import read_manifest
from advsp.experiments.config import load_config
from advsp.support.yaml_source import read_yaml

TEXT = ("raw/text.en", "raw/text.fr")


def files_of(*splits: str) -> tuple[str, ...]:
    return tuple(f"raw/{split}.{end}" for split in splits for end in ("en", "fr", "naacl"))


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    tiny_bitext.write_raw(tmp_path / "raw")
    return tmp_path


@pytest.fixture
def draft(folder, command):
    """The configuration for some files."""

    def make(*files: str) -> dict:
        ended = command("init", "alignment", *files)
        assert ended.code == 0, ended
        Path("my.yaml").write_text(ended.out)
        load_config("my.yaml")
        return read_yaml("my.yaml").value

    return make


def test_four_commands_from_parallel_text_to_links(folder, draft, command):
    draft(*files_of("train", "valid", "test"), *TEXT)
    assert command("prepare-hansards", ".", "--config", "my.yaml").code == 0
    assert command("train", "my.yaml", "--set", "workers=1", "--quiet").code == 0
    Path("new").write_text("the gull sleeps ||| la mouette dort\n")
    ended = command("align", "results/runs/train", "new", "--quiet")
    assert (ended.code, ended.out.split()[0]) == (0, "0-0")
    assert command("evaluate", "my.yaml", "--quiet").code == 0


def test_texts_are_splits_by_their_names(draft):
    found = draft(*files_of("test", "train", "valid"), *TEXT)
    parts = {split: part["text"] for split, part in found["prepare"]["splits"].items()}
    assert parts == {"train": "train", "valid": "valid", "test": "test"}
    assert found["prepare"]["unlabelled"] == {"source": TEXT[0], "target": TEXT[1]}


def test_one_text_is_cut_into_three(draft, command):
    for end in ("en", "fr"):
        Path(f"harbour.{end}").write_text(
            "".join(Path(f"raw/{split}.{end}").read_text() for split in tiny_bitext.SPLITS)
        )
    gold = [links for split in tiny_bitext.SPLITS for links in tiny_bitext.gold(split)]
    write_links("harbour.naacl", [Links(*links) for links in gold], NAACL)
    found = draft("harbour.en", "harbour.fr", "harbour.naacl")["prepare"]
    assert found["splits"] == {
        "train": {"text": "harbour", "first": 1, "last": 8},
        "valid": {"text": "harbour", "first": 9, "last": 11},
        "test": {"text": "harbour", "first": 12},
    }
    assert found["unlabelled"] == {"source": "harbour.en", "target": "harbour.fr"}
    assert command("prepare-hansards", ".", "--config", "my.yaml").code == 0
    counts = {split: about["pairs"] for split, about in read_manifest("data/harbour")["splits"].items()}
    assert counts == {"train": 8, "valid": 3, "test": 3}


@pytest.mark.parametrize("base, order", [(0, "source-target"), (1, "source-target"), (1, "target-source")])
def test_how_links_are_written_is_what_fits(draft, base, order):
    notation = Notation("pharaoh", base, order)
    for split in tiny_bitext.SPLITS:
        write_links(f"raw/{split}.links", [Links(*links) for links in tiny_bitext.gold(split)], notation)
    files = [name.replace("naacl", "links") for name in files_of(*tiny_bitext.SPLITS)]
    assert draft(*files, *TEXT)["prepare"]["links"] == {"format": "pharaoh", "base": base, "order": order}


def test_both_sides_in_one_file_and_pairs_with_other_numbers(draft, command):
    source, target = (Path(f"raw/train.{end}").read_text().splitlines() for end in ("en", "fr"))
    Path("both").write_text("".join(f"{left} ||| {right}\n" for left, right in zip(source, target)))
    lines = [line.split(" ", 1) for line in Path("raw/train.naacl").read_text().splitlines()]
    renamed = (f"{int(pair) + 1000 + (int(pair) > 3)} {rest}\n" for pair, rest in lines)
    Path("gold").write_text("".join(renamed))
    labelled = draft("both", "gold")["prepare"]["labelled"]
    assert labelled == {"both": {"source": "both", "links": "gold", "numbers": ["1001-1003", "1005-1008"]}}
    assert command("prepare-hansards", ".", "--config", "my.yaml").code == 0


@pytest.mark.parametrize(
    "wrapper, form", [("sgml", "<s snum={}> {} </s>"), ("numbered", "{:04d}\t{}")], ids=["tags", "numbers"]
)
def test_what_stands_around_sentences_is_seen(draft, command, wrapper, form):
    for name in (*files_of(*tiny_bitext.SPLITS), *TEXT):
        if not name.endswith("naacl"):
            lines = Path(name).read_text().splitlines()
            Path(name).write_text("".join(form.format(i, line) + "\n" for i, line in enumerate(lines, 1)))
    found = draft(*files_of(*tiny_bitext.SPLITS), *TEXT)["prepare"]
    assert {text["wrapper"] for text in (*found["labelled"].values(), found["unlabelled"])} == {wrapper}
    assert command("prepare-hansards", ".", "--config", "my.yaml").code == 0


def test_something_around_one_side_alone_is_refused(folder, command):
    lines = Path("raw/train.fr").read_text().splitlines()
    Path("raw/train.fr").write_text("".join(f"<s> {line} </s>\n" for line in lines))
    ended = command("init", "alignment", *files_of("train"))
    assert (ended.code, ended.out) == (2, "")
    assert "raw/train.fr: looks like wrapper: sgml, raw/train.en like none" in ended.err


def test_another_encoding_is_seen(draft):
    for name in TEXT:
        Path(name).write_bytes(Path(name).read_text().replace("gull", "gûll").encode("latin-1"))
    assert draft(*files_of(*tiny_bitext.SPLITS), *TEXT)["prepare"]["encoding"] == "latin-1"


@pytest.mark.parametrize(
    "files, problem",
    [
        (TEXT, "no file of links among them"),
        ((*files_of("train"), *files_of("test")[:1]), "one text has source and target, or one file of both"),
        (
            ("raw/train.en", "raw/test.fr", "raw/train.naacl"),
            "raw/test.fr: found 3 lines, raw/train.en has 7",
        ),
        (("raw/train.en", "raw/train.fr", "wide"), "lies outside its sentences"),
        (files_of("test"), "found 3 pairs, too few to be split"),
        ((*files_of("train"), "raw/none.en"), "raw/none.en: no such file"),
        ((*files_of("train"), *TEXT, "raw/valid.en", "raw/valid.fr"), "is a second text without links"),
    ],
)
def test_files_that_do_not_belong_together_are_refused(folder, command, files, problem):
    Path("wide").write_text("1 9 9\n")
    ended = command("init", "alignment", *files)
    assert ended.code == 2
    assert problem in ended.err
    assert ended.out == ""
