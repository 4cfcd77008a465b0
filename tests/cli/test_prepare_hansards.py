"""``advsp prepare-hansards``: what it makes, what it tells, and how it refuses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fake_aligner import BROKEN, fake_aligner

from advsp.corpora.bitext_sources import SIDES
from advsp.corpora.prepared_bitext import iterate_unlabelled, load_links, load_pairs, read_manifest

FILES = {
    "a.en": "The gull sleeps\nhigh tide\n",
    "a.fr": "la mouette dort\nmarée haute\n",
    "a.links": "1 1 1 P\n1 2 2 S\n2 1 2 S\n",
    "b.text": "no wind ||| pas de vent\n",
    "b.links": "7 1 1 P\n7 2 3 S\n",
    "m.train": "0-0 1-1\n\n",
    "u.en": "the gull\nthe gull\nhigh wind\n\n",
    "u.fr": "l'aile\nl'aile\nvent haut\n\n",
}

CONFIG = """\
labelled:
  a: {source: a.en, target: a.fr, links: a.links}
  b: {source: b.text, links: b.links, numbers: [7]}
links: {format: naacl, base: 1, order: source-target}
splits: {train: {text: a}, test: {text: b, first: 1, last: 1}}
aligners: {m.ef: {train: m.train}}
aligner_links: {format: pharaoh, base: 0, order: source-target}
unlabelled: {source: u.en, target: u.fr}
normalise: {source: [lower], target: [lower, french-contractions, accents]}
expect:
  train: {pairs: 2, sure: 2, possible: 1, edges: 13}
"""


@pytest.fixture
def workspace(tmp_path, monkeypatch) -> Path:
    """The current folder, with the files above in ``raw`` and their description in ``mine.yaml``."""
    (tmp_path / "raw").mkdir()
    for name, content in FILES.items():
        (tmp_path / "raw" / name).write_text(content)
    (tmp_path / "mine.yaml").write_text(CONFIG)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def prepare(workspace, command):
    """Run the command with overrides."""

    def run(*overrides: str):
        options = [part for override in overrides for part in ("--set", override)]
        return command("prepare-hansards", "raw", "--config", "mine.yaml", "--output", "new", *options)

    return run


@pytest.fixture
def refused(prepare, contents):
    """Run the command, which must refuse without a trace; return what it says."""

    def run(*overrides: str) -> str:
        before = contents(Path())
        complaint = prepare(*overrides).complaint
        assert contents(Path()) == before
        return complaint

    return run


# ---- what it makes and tells


def test_what_was_found_is_told(prepare):
    outcome = prepare()
    assert outcome.code == 0
    assert outcome.out.splitlines() == [
        "train: 2 pairs, 5 source and 5 target words, 2 sure and 1 possible links, 13 edges",
        "test: 1 pair, 2 source and 3 target words, 1 sure and 1 possible links, 6 edges",
        "aligner m.ef: links train 2; none for test",
        "unlabelled: 4 pairs; 1 repeated and 1 empty ones left out; 2 kept, 4 source and 4 target words",
        "  labelled source words that it does not have: 3 of 7 tokens (42.86%), 3 of 7 types (42.86%)",
        "  labelled target words that it does not have: 7 of 8 tokens (87.50%), 7 of 8 types (87.50%)",
        "wrote new",
    ]


def test_bitext_is_what_the_description_says(prepare):
    prepare()
    (pair,) = load_pairs("new", "test")
    assert (pair.source, pair.target) == (("no", "wind"), ("pas", "de", "vent"))
    assert (pair.sure, pair.possible) == ({(1, 2)}, {(0, 0)})
    assert load_links("new", "m.ef", "train") == [{(0, 0), (1, 1)}, set()]
    assert list(iterate_unlabelled("new")) == [
        (("the", "gull"), ("le", "aile")),
        (("high", "wind"), ("vent", "haut")),
    ]


def test_overrides(prepare):
    outcome = prepare("unlabelled=null", "aligners={}", "splits={}", "expect={}", "links.base=1")
    assert outcome.out.splitlines()[0].startswith("a: 2 pairs, ")
    manifest = read_manifest("new")
    assert (list(manifest["splits"]), manifest["unlabelled"], manifest["aligners"]) == (["a", "b"], None, {})


@pytest.mark.parametrize(
    ("numbers", "found"),
    [("[7]", [7]), ("['7']", [7]), ("[7-7]", [7])],
)
def test_numbers_of_pairs_may_be_ranges(prepare, numbers, found):
    assert prepare(f"labelled.b.numbers={numbers}").code == 0
    assert read_manifest("new")["labelled"]["b"]["numbers"] == found


# ---- aligners that are run


@pytest.fixture
def fake():
    with fake_aligner() as fake:
        yield fake


def test_whether_an_aligner_is_run_or_was_is_told(prepare, fake):
    outcome = prepare("run=[fake]")
    assert (outcome.code, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    assert lines[:2] == ["aligner fake: running fake 1.0 on 5 pairs", "aligner fake: done in 0:00:00"]
    assert lines[4:7] == [
        "aligner m.ef: links train 2; none for test",
        "aligner fake.forward: links train 2, test 1",
        "aligner fake.reverse: links train 2, test 1",
    ]
    lines = prepare("run=[fake]").out.splitlines()
    (entry,) = Path("new/cache").iterdir()
    assert lines[0] == f"aligner fake: fake 1.0 was run on this text before; its links are from {entry}"
    assert lines[1].startswith("train: 2 pairs")


@pytest.mark.parametrize(
    ("run", "names", "reversed_too"),
    [
        ("[fake]", ["fake"], True),
        ("{mine: fake}", ["mine"], True),
        ("{fake: {}}", ["fake"], True),
        ("{fake: {reversed_too: false}}", ["fake"], False),
        ("{mine: {name: fake, reversed_too: false}}", ["mine"], False),
        ("{mine: fake, yours: fake}", ["mine", "yours"], True),
    ],
)
def test_how_a_description_names_programs(prepare, fake, run, names, reversed_too):
    assert prepare(f"run={run}").code == 0
    records = read_manifest("new")["run"]
    assert list(records) == names
    assert [record["program"] for record in records.values()] == ["fake"] * len(names)
    assert records[names[0]]["options"] == {"reversed_too": reversed_too}


@pytest.mark.parametrize(
    ("run", "said"),
    [
        ("[fakee]", "--set run.fakee.name: unknown aligner program 'fakee' (did you mean 'fake'?)"),
        (
            "{mine: {}}",
            "--set run.mine.name: unknown aligner program 'mine' (known: agreement, eflomal, fake, smoothed",
        ),
        ("{mine: {name: fake, seed: 1}}", "--set run.mine.seed: unknown key (known: name, reversed_too)"),
        ("{fake: {reversed_too: 1}}", "--set run.fake.reversed_too: found 1, expected true or false"),
        ("{mine: eflomal, fake: 1}", "--set run.fake: found 1, expected a section of keys and values"),
        ("{mine: {name: eflomal, model: 4}}", "--set run.mine.model: found 4, expected 1, 2 or 3"),
        ("{mine: {name: eflomal, samplers: 0}}", "--set run.mine.samplers: found 0, expected greater than"),
        (
            "{mine: {name: eflomal, null_prior: 1}}",
            "--set run.mine.null_prior: found 1, expected less than 1",
        ),
        (
            "{mine: {name: eflomal, iterations: 0}}",
            "--set run.mine.iterations: found 0, expected greater than",
        ),
        ("fake", "--set run: found 'fake', expected a section of keys and values"),
        ("[fake, fake]", "--set run: found ['fake', 'fake'], expected distinct names"),
        ("[{fake: 1}]", "--set run: found [{'fake': 1}], expected distinct names"),
        (
            "{m: fake}",
            "aligner 'm' is to be run, and 'm.ef' has that name already "
            "(give it another one: --set 'run={mine: fake}')",
        ),
        ("{m/n: fake}", "aligner name 'm/n' cannot name a file"),
    ],
)
def test_programs_that_cannot_be_run_as_described(refused, fake, run, said):
    assert refused(f"run={run}").startswith(said)
    assert fake.given == []


def test_programs_that_break_down(refused, fake):
    fake.fails = BROKEN
    assert refused("run=[fake]") == (
        "aligner fake: fake ended with exit code 3; it said: no disk (--set run={} does without)"
    )


def test_programs_that_are_not_installed(refused, fake, workspace):
    fake.release = None
    said = "aligner fake cannot be run: the package 'fake' is not installed (pip install fake)"
    assert refused("run=[fake]") == said


# ---- how it refuses


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.links", "1 1 1 S\n1 1 1 Q\n", "raw/a.links:2: found '1 1 1 Q', expected a link ("),
        (
            "a.links",
            "1 1 1 S\n3 1 1 S\n",
            "raw/a.links:2: unknown pair 3, the pairs of the text are 1 to 2 (",
        ),
        (
            "a.links",
            "1 1 1\n2 3 1\n",
            "raw/a.links:2: pair 2: link 3 1 lies outside its sentences of 2 source",
        ),
        ("a.fr", "la mouette dort\n", "raw/a.fr:1: ends after 1 line, raw/a.en has 2 ("),
        ("a.fr", "la mouette dort\n\n", "raw/a.fr:2: the target sentence of pair 2 has no words"),
        ("b.text", "no wind\n", "raw/b.text:1: found 0 separators |||, expected 1 ("),
        ("m.train", "0-0\n", "raw/m.train:1: found 1 line, the text has 2 pairs ("),
        ("u.fr", "un\n", "raw/u.fr:1: ends after 1 line, raw/u.en has 4 ("),
        ("a.en", None, "raw/a.en: no such file"),
        ("m.train", None, "raw/m.train: no such file (--set aligners={} does without)"),
        ("u.fr", None, "raw/u.fr: no such file (--set unlabelled=null does without)"),
    ],
)
def test_files_that_cannot_be_read(workspace, refused, name, content, said):
    if content is None:
        (workspace / "raw" / name).unlink()
    else:
        (workspace / "raw" / name).write_text(content)
    assert refused().startswith(said)


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("link.base=0", "--set link: unknown key (did you mean links?)"),
        ("links.base=2", "--set links.base: found 2, expected 0 or 1"),
        ("links.base=0", "raw/a.links:3: pair 2: link 1 2 lies outside its sentences of 2 source"),
        ("links={format: naacl, base: 1}", "--set links.order: is missing"),
        ("links.format=giza", "--set links.format: found 'giza', expected 'naacl' or 'pharaoh'"),
        (
            "aligner_links=null",
            "mine.yaml:6: aligners: needs aligner_links, which says how links are written (",
        ),
        (
            "normalise.source=[lowr]",
            "--set normalise.source: unknown normalisation step 'lowr' (did you mean",
        ),
        ("labelled.b.numbers=[8-7]", "--set labelled.b.numbers: found '8-7', expected numbers or ranges"),
        (
            "labelled.b.numbers=[1-99999999999999999999999]",
            "--set labelled.b.numbers: found '1-99999999999999999999999', which no text has",
        ),
        (
            "labelled.b.numbers=[1-9999999,1-9999999]",
            "--set labelled.b.numbers: found '1-9999999', which no text has",
        ),
        ("labelled.b.numbers=[1.5]", "--set labelled.b.numbers: found '1.5', expected numbers or ranges"),
        ("labelled.b.numbers=7", "--set labelled.b.numbers: found 7, expected a list"),
        ("labelled.b.numbers=[7, 8]", "raw/b.links: 2 numbers are given for 1 pair"),
        ("splits.test.text=c", "split test: labelled text 'c' is not there (known: a, b)"),
        ("splits.test.last=2", "split test: pairs 1 to 2 asked for, the text 'b' has pairs 1 to 1"),
        ("splits.test.first=0", "--set splits.test.first: found 0, expected"),
        ("aligners={m: {dev: m.train}}", "aligner m: split 'dev' is not there (known: train, test)"),
        ("expect.train.sure=3", "raw/a.links: split train: found sure 2, expected 3 ("),
        ("expect={dev: {pairs: 3}}", "counts are expected of split 'dev', which is not there"),
        ("encoding=utf-88", "unknown text encoding 'utf-88'"),
    ],
)
def test_description_that_does_not_fit(refused, override, said):
    assert refused(override).startswith(said)


def test_key_that_is_wrong_in_the_file_is_named_with_its_line(workspace, refused):
    (workspace / "mine.yaml").write_text(CONFIG.replace("first: 1, last: 1", "frist: 1"))
    assert refused() == "mine.yaml:5: splits.test.frist: unknown key (did you mean first?)"


def test_folders_and_files_of_the_hansards_are_expected_unless_it_is_said(workspace, command):
    complaint = command("prepare-hansards", "nowhere").complaint
    assert complaint == "nowhere: no such folder (name the folder that holds the parallel text)"
    complaint = command("prepare-hansards", "raw", "--set", "aligners={}").complaint
    assert complaint.startswith("raw/unlabelled.en.gz: no such file (--set unlabelled=null does without)")
    complaint = command(
        "prepare-hansards", "raw", "--set", "aligners={}", "--set", "unlabelled=null"
    ).complaint
    assert complaint.endswith(
        "eflomal-full-1.forward.pharaoh.gz: no such file (--set recorded={} does without)"
    )
    without = [word for key in ("aligners={}", "unlabelled=null", "recorded={}") for word in ("--set", key)]
    assert command("prepare-hansards", "raw", *without).complaint == "raw/test.en: no such file"


def test_help_shows_the_way(command):
    outcome = command("prepare-hansards", "--help")
    assert outcome.code == 0
    assert "advsp prepare-hansards ~/hansards" in outcome.out
    assert "prepare-hansards" in command("--help").out


# ---- the real files


@pytest.fixture(scope="session")
def hansards(corpus_file, tmp_path_factory) -> Path:
    """The labelled Hansards and the links of aligners, prepared."""
    from advsp.experiments.prepare import prepare_bitext_corpus
    from advsp.support.progress import Silent

    folder = tmp_path_factory.mktemp("hansards")
    source = corpus_file("hansards/test.naacl").parent
    prepare_bitext_corpus(source, folder, None, ["unlabelled=null", "recorded={}"], Silent())
    return folder


@pytest.mark.corpora
def test_counts_of_the_hansards(hansards):
    counts = {
        split: [about[name] for name in ("pairs", "sure", "possible", "edges")]
        for split, about in read_manifest(hansards)["splits"].items()
    }
    assert counts == {
        "train": [100, 949, 2400, 31229],
        "valid": [37, 338, 1446, 14286],
        "test": [347, 3089, 11000, 111771],
    }
    pairs = [pair for split in counts for pair in load_pairs(hansards, split)]
    assert max(len(words) for pair in pairs for words in (pair.source, pair.target)) == 30
    assert max(source * target for source, target in (pair.shape for pair in pairs)) == 870


def alignment_error_rate(pairs, predicted) -> float:
    """In percent, over all pairs together."""
    hits = total = 0
    for pair, links in zip(pairs, predicted, strict=True):
        hits += len(links & pair.sure) + len(links & (pair.sure | pair.possible))
        total += len(links) + len(pair.sure)
    return 100 * (1 - hits / total)


@pytest.mark.corpora
@pytest.mark.parametrize(
    ("aligner", "train", "valid", "test"),
    [
        ("m4.ef", 12.86, 16.52, 14.98),
        ("m4.fe", 11.68, 16.53, 14.64),
        ("eflomal.ef", 7.87, 10.34, 8.49),
        ("eflomal.fe", 7.69, 10.78, 8.04),
        ("lilt1M.giza.forward", 8.18, None, 7.94),
        ("lilt1M.giza.reverse", 8.61, None, 10.08),
    ],
)
def test_aligners_err_as_they_are_known_to(hansards, aligner, train, valid, test):
    for split, expected in (("train", train), ("valid", valid), ("test", test)):
        if expected is None:
            assert split not in read_manifest(hansards)["aligners"][aligner]
        else:
            found = alignment_error_rate(load_pairs(hansards, split), load_links(hansards, aligner, split))
            assert round(found, 2) == expected


@pytest.mark.corpora
def test_unlabelled_hansards_are_normalised_as_the_labelled_are(corpus_file, tmp_path):
    """The whole text takes too long here: its first pairs show the conventions."""
    import gzip

    from advsp.experiments.prepare import prepare_bitext_corpus
    from advsp.support.progress import Silent

    source = corpus_file("hansards/unlabelled.en.gz").parent
    raw = tmp_path / "raw"
    raw.mkdir()
    for path in source.iterdir():
        if path.suffix == ".gz":
            with gzip.open(path, "rt", encoding="utf-8") as stream:
                lines = [line for line, _ in zip(stream, range(3000))]
            (raw / path.name).write_bytes(gzip.compress("".join(lines).encode()))
        else:
            (raw / path.name).symlink_to(path)
    prepare_bitext_corpus(raw, tmp_path / "new", None, ["recorded={}"], Silent())
    about = read_manifest(tmp_path / "new")["unlabelled"]
    assert about["pairs"] == 3000
    assert about["kept"] + about["repeated"] == 3000
    for side in SIDES:
        assert about["unseen"][side]["unseen_tokens"] < 0.25 * about["unseen"][side]["tokens"]
    words = {word for pair in iterate_unlabelled(tmp_path / "new") for side in pair for word in side}
    assert not [word for word in words if re.search(r"\w-\w|[A-Z]|[^\x00-\x7f]", word)]


def test_a_file_that_never_has_a_word_0_though_words_are_counted_from_it_is_told(workspace, prepare):
    assert "warning" not in prepare().out
    Path("raw/m.train").write_text("1-1\n\n")
    said = prepare().out
    assert (
        "warning: raw/m.train: no link has the number 0 on either side; base 0 is declared, is it 1?" in said
    )


def test_a_bitext_without_unlabelled_text_is_trained_on_and_aligned(bitext_workspace, command):
    """Words and their places, and another aligner: nothing is counted."""
    options = ["--config", "prepare.yaml", "--output", "corpus", "--set", "unlabelled=null"]
    assert command("prepare-hansards", "raw", *options).code == 0
    text = Path("harbour.yaml").read_text()
    head = text.split("systems:")[0].replace("taskar+m", "basic+m")
    systems = "systems:\n  ADV_aer: {learner: {name: adversarial-links, possible: ignore}}\n"
    Path("harbour.yaml").write_text(head + systems)
    for verb in ("train", "evaluate"):
        assert command(verb, "harbour.yaml").code == 0
    files = "raw/test.en", "raw/test.fr", "--links", "m.ef=raw/m.ef.test", "--links", "m.fe=raw/m.fe.test"
    ended = command("align", "results/runs/harbour", *files)
    kept = Path("results/runs/harbour/predictions/ADV_aer/seed-1/test.pharaoh")
    assert (ended.code, ended.out) == (0, kept.read_text())
