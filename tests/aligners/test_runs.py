"""Aligner programs on a bitext: the text they are given, and what becomes of what they write."""

from __future__ import annotations

import pytest
from fake_aligner import BROKEN, fake_aligner

from advsp.aligners.runs import find_programs, predict, write_text
from advsp.corpora.bitext import SentencePair
from advsp.corpora.bitext_sources import AlignerRun
from advsp.corpora.parallel_text import TextFiles
from advsp.corpora.tokens import Normaliser
from advsp.support.errors import InputError
from advsp.support.progress import Silent

LABELLED = [
    SentencePair(("The", "wind-mill"), ("Le", "moulin"), frozenset({(0, 1)})),
    SentencePair(("no", "Gull"), ("pas", "d'", "étoile"), frozenset()),
]
NORMALISERS = {
    "source": Normaliser(["lower", "hyphens"]),
    "target": Normaliser(["lower", "french-contractions", "accents"]),
}


class Listener(Silent):
    """Remembers what it was told, and whether a bar is shown."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.notes: list[str] = []
        self.bar: str | None = None

    def say(self, text: str) -> None:
        assert self.bar is None
        self.lines.append(text)

    def start(self, label: str, total: int):
        self.bar = label
        return lambda count, note="": self.notes.append(note)

    def stop(self) -> None:
        self.bar = None


@pytest.fixture
def fake():
    with fake_aligner() as fake:
        yield fake


@pytest.fixture
def text(tmp_path):
    """The labelled text and two more pairs."""
    (tmp_path / "u.en").write_text("the gull\nhigh tide\n")
    (tmp_path / "u.fr").write_text("la mouette\nmaree haute\n")
    (tmp_path / "work").mkdir()
    unlabelled = TextFiles(tmp_path / "u.en", tmp_path / "u.fr")
    return write_text(tmp_path / "work", LABELLED, unlabelled, NORMALISERS)


@pytest.fixture
def align(fake, text, tmp_path):
    """Run the program, or take what it has predicted before; return the links and what was said."""

    def call(text=text, labelled=LABELLED, **options):
        listener = Listener()
        (named,) = find_programs({"mine": AlignerRun("fake", options)})
        run = predict(named, text, labelled, tmp_path / "cache", listener)
        call.record, call.posteriors = run.record, run.posteriors
        call.lines, call.notes = listener.lines, listener.notes
        assert listener.bar is None
        return run.links

    return call


# ---- the text


def test_labelled_words_are_spelled_one_for_one_and_stand_first(text):
    assert (text.pairs, text.labelled) == (4, 2)
    assert text.source.read_text() == "the wind-mill\nno gull\nthe gull\nhigh tide\n"
    assert text.target.read_text() == "le moulin\npas d' etoile\nla mouette\nmaree haute\n"


def test_labelled_text_may_be_all_there_is(tmp_path):
    text = write_text(tmp_path, LABELLED, None, NORMALISERS)
    assert (text.pairs, text.source.read_text()) == (2, "the wind-mill\nno gull\n")


@pytest.mark.parametrize("space", ["\u00a0", "\u2028", "\u3000", "\x0b", "\x0c", "\x1c", "\x85"])
def test_white_space_in_a_word_does_not_make_two_of_it(tmp_path, space):
    pair = SentencePair((f"25{space}000", "gulls"), (space, "mouettes"), frozenset())
    plain = {"source": Normaliser(), "target": Normaliser()}
    text = write_text(tmp_path, [pair], None, plain)
    assert text.source.read_text().split() == ["25_000", "gulls"]
    assert text.target.read_text().split() == ["_", "mouettes"]


# ---- running and keeping


def test_links_of_the_labelled_pairs(align, fake, text):
    assert align() == {"forward": [{(0, 0)}, {(0, 0)}], "reverse": [{(0, 0)}, {(0, 0)}]}
    assert fake.given == [
        (["the wind-mill", "no gull", "the gull", "high tide"],
         ["le moulin", "pas d' etoile", "la mouette", "maree haute"])
    ]  # fmt: skip
    assert align.notes == ["half way"]
    assert align.lines == ["aligner mine: running fake 1.0 on 4 pairs", "aligner mine: done in 0:00:00"]


def test_what_a_run_is_recorded_as(align, text):
    from advsp.support.files import sha256

    align(reversed_too=False)
    assert align.record == {
        "program": "fake",
        "version": "1.0",
        "options": {"reversed_too": False},
        "text": {"pairs": 4, "labelled": 2, "source": sha256(text.source), "target": sha256(text.target)},
    }


def test_the_same_run_is_not_run_again(align, fake, tmp_path):
    first, record = align(), align.record
    assert (align(), align.record) == (first, record)
    assert len(fake.given) == 1
    (entry,) = (tmp_path / "cache").iterdir()
    assert align.lines == [f"aligner mine: fake 1.0 was run on this text before; its links are from {entry}"]


def test_posteriors_of_a_run_are_kept(align, fake, monkeypatch):
    monkeypatch.setattr(fake, "probable", True)
    align()
    first = align.posteriors
    assert first.forward.tolist() == pytest.approx([n / 9 for n in range(10)])
    align()
    assert len(fake.given) == 1
    assert align.posteriors.forward.tolist() == first.forward.tolist()
    assert align.posteriors.reverse.tolist() == [0.5] * 10


def test_a_program_need_not_have_posteriors(align):
    align()
    assert align.posteriors is None
    align()
    assert align.posteriors is None


def test_that_there_is_labelled_text_alone_is_said(align, tmp_path):
    text = write_text(tmp_path, LABELLED, None, NORMALISERS)
    align(text)
    assert align.lines[0] == "aligner mine: running fake 1.0 on 2 pairs, the labelled ones alone"


def test_another_version_is_run(align, fake, monkeypatch):
    first = align()
    monkeypatch.setattr(fake, "release", "1.1")
    assert align() != first
    assert align.lines[0] == "aligner mine: running fake 1.1 on 4 pairs"
    monkeypatch.setattr(fake, "release", "1.0")
    assert (align(), len(fake.given)) == (first, 2)


def test_other_options_are_run(align, fake):
    first = align()
    assert align(reversed_too=False) == {"forward": [{(0, 0), (1, 1)}] * 2, "reverse": [set(), set()]}
    assert (align(reversed_too=True), len(fake.given)) == (first, 2)


@pytest.mark.parametrize("name", ["source", "target"])
def test_another_text_is_aligned(align, fake, text, name):
    align()
    path = getattr(text, name)
    path.write_text(path.read_text().replace("i", "y"))
    align()
    assert len(fake.given) == 2


def test_the_same_text_with_fewer_labelled_pairs_is_aligned(align, fake):
    """What is kept are the links of the labelled pairs, and no others."""
    align()
    assert align(labelled=LABELLED[:1]) == {"forward": [{(0, 0), (1, 1)}], "reverse": [{(0, 0), (1, 1)}]}
    assert len(fake.given) == 2


def test_kept_links_that_have_changed_are_not_used(align, fake, tmp_path):
    align()
    (entry,) = (tmp_path / "cache").iterdir()
    (entry / "forward.pharaoh").write_text("1-1\n\n")
    links = align()
    assert links["forward"] == [{(0, 0), (1, 1)}] * 2
    assert align.lines[0] == f"aligner mine: {entry}: changed since it was kept; it is not used"
    assert align.lines[1] == "aligner mine: running fake 1.0 on 4 pairs"
    assert (align(), len(fake.given)) == (links, 2)


# ---- what goes wrong


@pytest.fixture
def refused(align, tmp_path, contents):
    """Run the program, which must fail without a trace; return what is said."""

    def call() -> str:
        before = contents(tmp_path)
        with pytest.raises(InputError) as caught:
            align()
        assert contents(tmp_path) == before
        return str(caught.value)

    return call


def test_a_program_that_fails(refused, fake, monkeypatch):
    monkeypatch.setattr(fake, "fails", BROKEN)
    assert refused() == (
        "aligner mine: fake ended with exit code 3; it said: no disk (--set run={} does without)"
    )


def test_a_program_that_is_interrupted(align, fake, tmp_path, contents, monkeypatch):
    before = contents(tmp_path)
    monkeypatch.setattr(fake, "fails", KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        align()
    assert contents(tmp_path) == before


@pytest.mark.parametrize(
    ("written", "problem"),
    [
        ("0-0\n\n\n", "found 3 lines, the text has 4 pairs"),
        ("0-0\n\n\n\n\n", "found 5 lines, the text has 4 pairs"),
        ("", "found 0 lines, the text has 4 pairs"),
        ("0-0\n1-3\n\n\n", "pair 2: link 1-3 lies outside its sentences of 2 source and 3 target words"),
        ("0-0\n0=0\n\n\n", "found '0=0', expected a link"),
        ("0?0\n\n\n\n", "pair 1 has links that are marked possible"),
    ],
)
def test_a_program_that_writes_something_else(refused, fake, monkeypatch, written, problem):
    monkeypatch.setattr(fake, "writes", written)
    said = f"aligner mine: fake 1.0 wrote forward links that cannot be used: {problem} (--set run={{}}"
    assert refused().startswith(said)


def test_a_program_that_is_not_installed(refused, fake, monkeypatch):
    monkeypatch.setattr(fake, "release", None)
    assert refused() == ("aligner mine cannot be run: the package 'fake' is not installed (pip install fake)")


def test_a_program_that_does_not_exist():
    with pytest.raises(InputError, match="unknown aligner program 'fakee'"):
        find_programs({"mine": AlignerRun("fakee")})
