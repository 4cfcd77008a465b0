"""``advsp show-pair``: what it shows of a prepared bitext, and how it refuses."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import places
import pytest

from advsp.corpora.links import NAACL, Links, write_links
from advsp.corpora.prepared_bitext import load_links, load_pairs

SAMPLE = places.SAMPLE / "bitext"
SPLITS = ("train", "valid", "test")
DESCRIPTION = f"""\
labelled: {{{", ".join(f"{s}: {{source: {s}.en, target: {s}.fr, links: {s}.naacl}}" for s in SPLITS)}}}
links: {{format: naacl, base: 1, order: source-target}}
aligners: {{ibm1.ef: {{test: aligners/ibm1.ef.test.pharaoh}}}}
aligner_links: {{format: pharaoh, base: 0, order: source-target}}
"""


@pytest.fixture(scope="module")
def bitext(tmp_path_factory) -> Path:
    """The sample bitext, prepared, with links of an aligner for one split; look, but do not touch."""
    from advsp.experiments.prepare import prepare_bitext_corpus
    from advsp.support.progress import Silent

    folder = tmp_path_factory.mktemp("show-pair")
    (folder / "sample.yaml").write_text(DESCRIPTION)
    prepare_bitext_corpus(SAMPLE, folder / "bitext", folder / "sample.yaml", (), Silent())
    return folder / "bitext"


@pytest.fixture
def show(bitext, command, tmp_path, monkeypatch):
    """Run the command in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")

    def run(*arguments):
        return command("show-pair", bitext, *arguments)

    return run


@pytest.fixture
def refused(show, contents):
    """Run the command, which must refuse without a trace and show nothing; return what it says."""

    def run(*arguments) -> str:
        before = contents(Path())
        outcome = show(*arguments)
        assert (outcome.out, contents(Path())) == ("", before)
        return outcome.complaint

    return run


def counts(outcome) -> dict[str, int]:
    """The legend: captions and counts."""
    assert (outcome.code, outcome.err) == (0, "")
    return {caption: int(n) for caption, n in re.findall(r"^[■□◆◇×]  (.+): (\d+)$", outcome.out, re.M)}


# ---- what it shows


@pytest.mark.parametrize("number", [1, 60])
def test_gold_alignment(bitext, show, number):
    pair = load_pairs(bitext, "test")[number - 1]
    outcome = show(number)
    assert counts(outcome) == {"sure": len(pair.sure), "possible": len(pair.possible)}
    assert " ".join(outcome.out.split()).startswith(f"source {' '.join(pair.source)} target ")
    assert "AER" not in outcome.out


def test_another_split(bitext, show):
    pair = load_pairs(bitext, "valid")[1]
    assert counts(show(2, "--split", "valid")) == {"sure": len(pair.sure), "possible": len(pair.possible)}


def test_links_of_an_aligner(bitext, show):
    pair, links = load_pairs(bitext, "test")[4], load_links(bitext, "ibm1.ef", "test")[4]
    outcome = show(5, "--aligner", "ibm1.ef")
    found = {
        "sure, predicted": len(links & pair.sure),
        "sure, missed": len(pair.sure - links),
        "possible, predicted": len(links & pair.possible),
        "possible, not predicted": len(pair.possible - links),
        "wrong": len(links - pair.sure - pair.possible),
    }
    assert counts(outcome) == found
    assert min(found.values()) > 0
    hits = 2 * found["sure, predicted"] + found["possible, predicted"]
    assert f"AER {100 * (1 - hits / (len(links) + len(pair.sure))):.2f} %, " in outcome.out


def test_files_of_links_show_what_the_aligner_that_wrote_them_does(bitext, show):
    expected = show(5, "--aligner", "ibm1.ef").out
    pharaoh = bitext / "aligners" / "ibm1.ef.test.pharaoh"
    write_links("mine.naacl", map(Links, load_links(bitext, "ibm1.ef", "test")), NAACL)
    assert show(5, "--predicted", pharaoh).out == expected
    assert show(5, "--predicted", "mine.naacl", "--format", "naacl").out == expected


@pytest.mark.parametrize(("name", "start"), [("a.png", b"\x89PNG"), ("new/a.svg", b"<?xml")])
def test_picture(show, name, start):
    pytest.importorskip("matplotlib")
    grid = show(5, "--aligner", "ibm1.ef").out
    outcome = show(5, "--aligner", "ibm1.ef", "--output", name)
    assert (outcome.code, outcome.out, outcome.err) == (0, f"{grid}wrote {name}\n", "")
    assert Path(name).read_bytes().startswith(start)


def test_picture_is_that_of_the_predicted_links(show):
    pytest.importorskip("matplotlib")
    show(5, "--output", "gold.svg")
    show(5, "--aligner", "ibm1.ef", "--output", "aligner.svg")
    assert Path("gold.svg").read_bytes() != Path("aligner.svg").read_bytes()


def test_help_shows_the_way(command):
    outcome = command("show-pair", "--help")
    assert outcome.code == 0
    assert "advsp show-pair data/hansards 3 --aligner m4.ef --output pair3.png" in outcome.out
    assert 'pip install "advsp[plot]"' in outcome.out
    assert "show-pair" in command("--help").out


# ---- how it refuses


@pytest.mark.parametrize("number", [0, 61])
def test_number_out_of_range(bitext, refused, number):
    assert refused(number) == f"{bitext}: no pair {number} in split 'test' (it has the pairs 1 to 60)"


def test_unknown_split(bitext, refused):
    assert refused(1, "--split", "dev") == f"{bitext}: no split 'dev' there (it has train, valid, test)"


def test_unknown_aligner(bitext, refused):
    assert refused(1, "--aligner", "m4") == f"{bitext}: no aligner 'm4' there (it has ibm1.ef)"


def test_aligner_without_links_for_the_split(bitext, refused):
    said = refused(1, "--aligner", "ibm1.ef", "--split", "valid")
    assert said == f"{bitext}: aligner 'ibm1.ef' has no links for split 'valid' (it has test)"


def test_folder_that_is_no_prepared_bitext(command):
    assert command("show-pair", SAMPLE, "1").complaint.startswith(f"{SAMPLE}")


def test_file_and_aligner_exclude_each_other(refused):
    said = refused(1, "--predicted", "mine", "--aligner", "ibm1.ef")
    assert said == "--predicted and --aligner exclude each other (give one of them)"


@pytest.mark.parametrize(
    ("content", "format", "said"),
    [
        pytest.param(None, "pharaoh", "mine: no such file", id="no file"),
        pytest.param(
            "0-0\n" * 59, "pharaoh", "mine:59: found 59 lines, the text has 60 pairs (", id="too few lines"
        ),
        pytest.param(
            "0-0\n" * 61, "pharaoh", "mine:61: found 61 lines, the text has 60 pairs (", id="too many lines"
        ),
        pytest.param(
            "0-0\n" * 59 + "99-0\n",
            "pharaoh",
            "mine:60: pair 60: link 99-0 lies outside its sentences of ",
            id="link outside another pair",
        ),
        pytest.param("1 1 0 S\n", "naacl", "mine:1: pair 1: link 1 0 lies outside its ", id="from 0"),
        pytest.param("61 1 1 S\n", "naacl", "mine:1: unknown pair 61, the pairs of ", id="unknown pair"),
        pytest.param("1 1 1 P\n", "naacl", "mine: pair 1 has links that are marked possible (", id="gold"),
        pytest.param("0-0\n", "giza", "unknown format 'giza' of a link file (known: naacl, ", id="format"),
    ],
)
def test_links_that_cannot_be_read(refused, content, format, said):
    if content is not None:
        Path("mine").write_text(content)
    assert refused(1, "--predicted", "mine", "--format", format).startswith(said)


def test_unknown_kind_of_picture(refused):
    assert refused(1, "--output", "a.pdf") == "a.pdf: unknown kind of picture '.pdf' (known: .png, .svg)"


def test_picture_without_matplotlib(refused, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    said = 'a.png: drawing needs matplotlib (pip install "advsp[plot]")'
    assert refused(1, "--output", "a.png") == said
