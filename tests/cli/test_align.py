"""``advsp align``: what a trained run says of new sentence pairs, and how it may be asked."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
import tiny_bitext

from advsp.corpora.links import NAACL, PHARAOH, read_links, write_links
from advsp.experiments.align import BATCH, Aligner
from advsp.experiments.system_in_use import open_system
from advsp.support.records import read_json

RUN = Path("results/runs/harbour")
#: Every system of the run, and the folder and options of its models.
SYSTEMS = [
    ("SSVM [taskar]", "SSVM_taskar/seed-1", ()),
    ("ADV_bip [m, ignore]", "ADV_bip_m_ignore/seed-1", ()),
    ("ADV_aer [m, label]", "ADV_aer_m_label/seed-2", ("--seed", "2")),
    ("ADV_aer [m, label]+average", "ADV_aer_m_label_+average/average", ()),
    ("ADV_aer [m, ignore]", "ADV_aer_m_ignore/seed-1", ()),
    ("logistic [m]", "logistic_m/seed-1", ()),
]

PAIRS_OF_TEST = tiny_bitext.lines(tiny_bitext.PAIRS["test"])


def text(split: str) -> tuple[str, str]:
    """The two files of a split, as they were given."""
    return f"raw/{split}.en", f"raw/{split}.fr"


def given(split: str) -> tuple[str, ...]:
    """The links that the features of m look at."""
    return "--links", f"m.ef=raw/m.ef.{split}", "--links", f"m.fe=raw/m.fe.{split}"


@pytest.fixture
def align(trained_bitext, command):
    def run(*arguments, split="test", system="ADV_aer [m, ignore]", links=True):
        options = given(split) if links and "taskar" not in system else ()
        return command("align", RUN, *text(split), "--system", system, *options, *arguments)

    return run


@pytest.mark.parametrize("system, folder, options", SYSTEMS, ids=[name for name, _, _ in SYSTEMS])
def test_links_are_those_of_the_prediction_files(align, system, folder, options):
    for split in ("valid", "test"):
        for form in ("pharaoh", "naacl"):
            ended = align("--format", form, *options, split=split, system=system)
            assert ended.code == 0
            assert ended.out == (RUN / "predictions" / folder / f"{split}.{form}").read_text()
    assert f"{system.removesuffix('+average')}, " in ended.err and "pairs, " in ended.err


def test_one_file_of_both_sides_is_the_same_text(align, command):
    lines = [Path(file).read_text().splitlines() for file in text("test")]
    with gzip.open("both.gz", "wt") as file:
        file.writelines(f"{source} ||| {target}\n" for source, target in zip(*lines, strict=True))
    both = command("align", RUN, "both.gz", "--system", "ADV_aer [m, ignore]", *given("test"))
    assert both.out == align().out


def test_probabilities_stand_behind_the_links(align):
    shapes = [
        (len(source.split()), len(target.split()))
        for source, target, _ in tiny_bitext.lines(tiny_bitext.PAIRS["test"])
    ]
    plain = align().out
    for notation in (PHARAOH, NAACL):
        form = notation.format
        Path("written").write_text(align("--probabilities", "--format", form).out)
        found = read_links("written", shapes, notation)
        Path("plain").write_text(plain)
        assert found == read_links("plain", shapes, PHARAOH)
        words = Path("written").read_text().replace(":", " ").split()
        assert any(0.0 < float(word) < 1.0 for word in words if "." in word)


def test_a_pair_a_line_as_json(align):
    records = [json.loads(line) for line in align("--format", "jsonl").out.splitlines()]
    assert [" ".join(record["source"]) for record in records] == Path("raw/test.en").read_text().splitlines()
    assert [
        " ".join(f"{i}-{j}" for i, j in record["links"]) for record in records
    ] == align().out.splitlines()
    probable = [json.loads(line) for line in align("--format", "jsonl", "--probabilities").out.splitlines()]
    assert [[link[:2] for link in record["links"]] for record in probable] == [
        one["links"] for one in records
    ]


def test_pairs_without_words_have_no_links_and_new_words_no_harm(trained_bitext, command):
    Path("new.en").write_text("the gull sleeps\n\nunheard zeppelins\n")
    Path("new.fr").write_text("la mouette dort\nseul\ndirigeables inouis\n")
    Path("m").write_text("0-0 1-1 2-2\n\n0-1 1-0\n")
    ended = command("align", RUN, "new.en", "new.fr", "--system", "ADV_aer [m, ignore]", "--links", "m=m")
    first, second, third = ended.out.splitlines()
    assert (ended.code, second) == (0, "")
    assert "0-0" in first and set(third.split()) <= {"0-0", "0-1", "1-0", "1-1"}


def test_a_threshold_moves_the_decision(align):
    counts = [len(align("--threshold", level).out.split()) for level in ("0.001", "0.999")]
    assert counts[0] > counts[1]


def test_the_best_system_is_the_default(trained_bitext, command):
    ended = command("align", RUN, *text("test"), *given("test"))
    systems = read_json(RUN / "selection.json")
    best = min(systems, key=lambda name: systems[name]["score"])
    assert ended.err.startswith(f"{best}, ")


def test_pairs_are_asked_for_a_batch_at_a_time(trained_bitext):
    taken = []

    def pairs():
        for number in range(3 * BATCH):
            taken.append(number)
            yield ("gull",), ("mouette",)

    aligned = Aligner(open_system(RUN, "SSVM [taskar]")).align(pairs())
    for number in range(2 * BATCH):
        next(aligned)
        assert len(taken) == BATCH * (1 + number // BATCH)


#: Options that come before the problem with them is told.
_LINKS = {
    "none at all": ((), "there are no links of m.ef, m.fe for new pairs (name files: --links m.ef=FILE --"),
    "one direction": (("m.ef=m",), "there are no links of m.fe for new pairs"),
    "of another aligner": (("k=m",), "the system looks at no links of k (it looks at those of m.ef, m.fe)"),
    "no file": (("m.ef",), "--links m.ef: expected NAME=FILE (for example"),
    "a file that is not there": (("m=none",), "none: no such file"),
    "too few pairs": (("m=few",), "few: ends after 2 pairs, the text goes on"),
    "too many pairs": (("m=many",), "many: goes on behind the 3 pairs of the text"),
    "outside their sentences": (("m=wide",), "wide:2: pair 2: link 7-0 lies outside its sentences"),
    "possible links": (("m=gold",), "gold:1: pair 1 has links that are marked possible"),
}  # fmt: skip


@pytest.mark.parametrize("links, problem", _LINKS.values(), ids=_LINKS)
def test_links_that_cannot_be_used_are_refused(align, links, problem):
    for name, content in {
        "m": "0-0\n\n\n",
        "few": "\n\n",
        "many": "\n" * 4,
        "wide": "\n7-0\n\n",
        "gold": "0?0\n\n\n",
    }.items():
        Path(name).write_text(content)
    options = [part for of in links for part in ("--links", of)]
    ended = align(*options, "--output", "out", links=False)
    assert ended.code == 2
    assert problem in ended.err
    assert not Path("out").exists()


@pytest.mark.parametrize(
    "arguments, problem",
    [
        (("raw/none.en", "raw/test.fr"), "raw/none.en: no such file"),
        ((*text("test"), "--threshold", "2"), "--threshold 2: expected a number between 0 and 1"),
        (("raw/test.en", "raw/valid.fr"), "raw/test.en:3: ends after 3 lines, raw/valid.fr has 4"),
        (("raw/test.en",), "raw/test.en:1: found 0 separators |||, expected 1"),
    ],
)
def test_text_that_cannot_be_aligned_is_refused(trained_bitext, command, arguments, problem):
    ended = command("align", RUN, *arguments, "--system", "SSVM [taskar]", "--output", "out")
    assert (ended.code, problem in ended.err, Path("out").exists()) == (2, True, False)


def test_links_of_a_naacl_file_are_read_along(align):
    shapes = [(len(source.split()), len(target.split())) for source, target, _ in PAIRS_OF_TEST]
    options = []
    for direction in ("m.ef", "m.fe"):
        links = read_links(f"raw/{direction}.test", shapes, PHARAOH)
        write_links(f"{direction}.naacl", links, NAACL)
        options += ["--links", f"{direction}={direction}.naacl"]
    assert align(*options, "--links-format", "naacl", links=False).out == align().out


def test_a_run_of_tagging_is_refused(trained, command):
    ended = command("align", "results/runs/tiny", "raw/testa.txt")
    assert (ended.code, "is a run of tagging, not of alignment" in ended.err) == (2, True)


def test_another_text_than_the_runs_is_refused(trained_bitext, command):
    lines = [Path(f"raw/text.{side}").read_text().splitlines()[:-1] for side in ("en", "fr")]
    for side, kept in zip(("en", "fr"), lines, strict=True):
        Path(f"raw/text.{side}").write_text("\n".join(kept) + "\n")
    tiny_bitext.prepare(trained_bitext)
    ended = command("align", RUN, *text("test"), "--system", "SSVM [taskar]")
    assert (ended.code, "is another text than the run was trained on" in ended.err) == (2, True)


def test_the_bitext_may_stand_elsewhere(align, trained_bitext):
    expected = align().out
    Path("corpus").rename("moved")
    assert "no prepared corpus there" in align().err
    assert align("--bitext", "moved").out == expected


def replaced(old: str, new: str, file: str) -> None:
    path = Path(file)
    path.write_text(path.read_text().replace(old, new))


def test_a_kept_model_gives_the_links_that_no_file_gives(trained_bitext, command):
    replaced("unlabelled:", "run: {agreement: {name: agreement}}\nunlabelled:", "prepare.yaml")
    tiny_bitext.prepare(trained_bitext)
    head = Path("harbour.yaml").read_text().split("systems:")[0].replace("taskar+m", "taskar+agreement+m")
    optimiser = "{name: lbfgs, passes: 1, iterations: 9}"
    system = f"systems:\n  logistic: {{learner: {{name: logistic}}, optimiser: {optimiser}}}\n"
    Path("kept.yaml").write_text(head.replace("name: harbour\n", "name: kept\n", 1) + system)
    for verb in ("train", "evaluate"):
        assert command(verb, "kept.yaml").code == 0
    kept = Path("results/runs/kept")
    for split in ("valid", "test"):
        ended = command("align", kept, *text(split), *given(split))
        assert ended.out == (kept / f"predictions/logistic/seed-1/{split}.pharaoh").read_text()
        assert "links of agreement.forward: the kept model of agreement" in ended.err
    for file in Path("corpus/cache").rglob("model.*"):
        file.unlink()
    ended = command("align", kept, *text("test"), *given("test"))
    assert (ended.code, "changed since it was kept" in ended.err) == (2, True)


def test_systems_that_look_at_the_whole_text_align_with_what_is_kept(trained_bitext, command):
    """Labelled pairs are seen as in training: their own links are left out of the statistics."""
    runs = "{agreed: {name: agreement}, smooth: {name: smoothed-agreement}}"
    replaced("unlabelled:", f"run: {runs}\nunlabelled:", "prepare.yaml")
    assert command("prepare-hansards", "raw", "--config", "prepare.yaml", "--output", "corpus").code == 0
    head = Path("harbour.yaml").read_text().split("systems:")[0]
    head = head.replace("taskar+m", "statistics+identities+agreed+smooth")
    options = "{name: lbfgs, passes: 1, l2: 1.0, initial: zeros}, selection: {grid: {}, passes: []}"
    systems = "".join(
        f"  {name}: {{learner: {learner}, optimiser: {options}}}\n"
        for name, learner in (
            ("plain", "{name: logistic, bias: 10.0}"),
            ("stacked", "{name: stacked, second: {name: logistic}, first: {folds: 3}}"),
        )
    )
    Path("whole.yaml").write_text(head.replace("name: harbour", "name: whole", 1) + "systems:\n" + systems)
    assert command("train", "whole.yaml").code == 0
    assert command("evaluate", "whole.yaml").code == 0
    whole = RUN.parent / "whole"
    for name in ("plain", "stacked"):
        ended = command("align", whole, *text("test"), "--system", name)
        assert ended.code == 0, ended.err
        assert ended.out == (whole / f"predictions/{name}/seed-1/test.pharaoh").read_text()
        assert "links of smooth.forward: the kept model of smooth" in ended.err
    Path("new.en").write_text("the old zeppelin\n")
    Path("new.fr").write_text("le vieux dirigeable\n")
    assert "0-0" in command("align", whole, "new.en", "new.fr", "--system", "stacked").out.split()
