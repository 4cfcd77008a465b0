"""Parallel text: pairs of sentences out of two files or one, strictly paired, one at a time."""

from __future__ import annotations

import gzip
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advsp.corpora.parallel_text import (
    TextFiles,
    read_pairs,
    sentence_writer,
    stream_lines,
    stream_pairs,
    write_sentences,
)
from advsp.corpora.text import read_lines
from advsp.support.errors import InputError

PAIRS = [(("the", "gull", "sleeps"), ("la", "mouette", "dort")), (("high", "tide"), ("marée", "haute"))]
SOURCE = "the gull sleeps\nhigh tide\n"
TARGET = "la mouette dort\nmarée haute\n"
JOINT = "the gull sleeps ||| la mouette dort\nhigh tide ||| marée haute\n"


@pytest.fixture
def files(tmp_path):
    """Text files of some contents."""

    def write(*contents: str | bytes, **options) -> TextFiles:
        paths = [tmp_path / name for name, _ in zip(("a.en", "a.fr"), contents)]
        for path, content in zip(paths, contents, strict=True):
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return TextFiles(*paths, **options)

    return write


# ---- what is read


def test_two_files(files):
    assert read_pairs(files(SOURCE, TARGET)) == PAIRS


def test_one_file(files):
    assert read_pairs(files(JOINT)) == PAIRS


def test_files_may_be_gzipped(files):
    assert read_pairs(files(gzip.compress(SOURCE.encode()), TARGET)) == PAIRS
    assert read_pairs(files(gzip.compress(JOINT.encode()))) == PAIRS


def test_line_ends_byte_order_marks_and_blanks_of_any_kind(files):
    source = b"\xef\xbb\xbfthe  gull\tsleeps \r\nhigh tide"
    assert read_pairs(files(source, TARGET.replace("\n", "\r"))) == PAIRS


def test_encoding_is_declared(files):
    assert read_pairs(files(SOURCE.encode("latin-1"), TARGET.encode("latin-1"), encoding="latin-1")) == PAIRS
    assert read_pairs(files(JOINT.encode("utf-16"), encoding="utf-16")) == PAIRS


def test_other_white_space_is_part_of_a_word(files):
    assert read_pairs(files("25\u00a0000 gulls\n", "a\u2028b\n")) == [
        (("25\u00a0000", "gulls"), ("a\u2028b",))
    ]


def test_streamed_text_may_have_empty_sides(files):
    assert list(stream_pairs(files("one\n\n \n", "\n\ndeux\n"))) == [
        (("one",), ()),
        ((), ()),
        ((), ("deux",)),
    ]
    assert list(stream_pairs(files("one |||\n||| deux\n"))) == [(("one",), ()), ((), ("deux",))]
    assert list(stream_pairs(files("", ""))) == []


def test_streaming_does_not_look_ahead(files):
    found = files("gull\n" * 50_000 + "\n", "mouette\n" * 50_000)
    assert list(islice(stream_pairs(found), 2)) == [(("gull",), ("mouette",))] * 2


@given(
    text=st.text(st.sampled_from("ab \t\n\r\u0085\u2028é")), encoding=st.sampled_from(["utf-8", "utf-16-le"])
)
def test_lines_are_those_that_are_read_at_once(tmp_path_factory, text, encoding):
    path = tmp_path_factory.getbasetemp() / "lines.txt"
    path.write_bytes(text.encode(encoding))
    assert list(stream_lines(path, encoding)) == read_lines(path, encoding)


def test_paths_are_those_of_the_files(tmp_path):
    assert TextFiles(tmp_path).paths == [tmp_path]
    assert TextFiles(tmp_path / "a", tmp_path / "b").paths == [tmp_path / "a", tmp_path / "b"]


# ---- what is refused, and where


@pytest.mark.parametrize(
    ("source", "target", "shorter", "longer", "lines", "more"),
    [
        ("one\ntwo\nthree\n", "un\n", "a.fr", "a.en", 1, 3),
        ("one\n", "un\ndeux\n", "a.en", "a.fr", 1, 2),
        ("one\n", "un\n\n", "a.en", "a.fr", 1, 2),
    ],
)
def test_unequal_numbers_of_lines(files, tmp_path, source, target, shorter, longer, lines, more):
    with pytest.raises(InputError) as caught:
        read_pairs(files(source, target))
    found = "1 line" if lines == 1 else f"{lines} lines"
    assert str(caught.value) == (
        f"{tmp_path / shorter}:{lines}: ends after {found}, {tmp_path / longer} has {more} "
        "(line i of one file is the translation of line i of the other)"
    )


def test_empty_file_beside_one_that_is_not(files, tmp_path):
    with pytest.raises(InputError) as caught:
        read_pairs(files("", TARGET))
    assert str(caught.value).startswith(f"{tmp_path / 'a.en'}: ends after 0 lines, {tmp_path / 'a.fr'} has 2")


@pytest.mark.parametrize(
    ("line", "found"), [("high tide", 0), ("", 0), ("high ||| tide ||| haute", 2), ("a|||b", 0)]
)
def test_joint_line_has_one_separator(files, tmp_path, line, found):
    with pytest.raises(InputError) as caught:
        read_pairs(files(f"gull ||| mouette\n{line}\n"))
    assert str(caught.value).startswith(f"{tmp_path / 'a.en'}:2: found {found} separators |||, expected 1 (")


def test_labelled_sentences_have_words(files, tmp_path):
    with pytest.raises(InputError) as caught:
        read_pairs(files("one\ntwo\n", "un\n \n"))
    assert str(caught.value) == f"{tmp_path / 'a.fr'}:2: the target sentence of pair 2 has no words"
    with pytest.raises(InputError) as caught:
        read_pairs(files("one |||\n"))
    assert str(caught.value) == f"{tmp_path / 'a.en'}:1: the target sentence of pair 1 has no words"
    with pytest.raises(InputError) as caught:
        read_pairs(files("", ""))
    assert str(caught.value) == f"{tmp_path / 'a.en'}: no sentences found"


def test_wrong_encoding_names_byte_and_line(files, tmp_path):
    with pytest.raises(InputError) as caught:
        read_pairs(files(SOURCE * 9000, TARGET.encode() * 8999 + TARGET.encode("latin-1")))
    assert str(caught.value).startswith(f"{tmp_path / 'a.fr'}:18000: byte 0xe9 is not utf-8 text")
    with pytest.raises(InputError, match="unknown text encoding 'utf-88'"):
        read_pairs(files(SOURCE, TARGET, encoding="utf-88"))


def test_files_that_cannot_be_read(files, tmp_path):
    with pytest.raises(InputError, match="nowhere: no such file"):
        read_pairs(TextFiles(tmp_path / "nowhere"))
    with pytest.raises(InputError, match="is a folder where a file is expected"):
        read_pairs(TextFiles(tmp_path, tmp_path))
    with pytest.raises(InputError, match="a.fr: damaged gzip data"):
        read_pairs(files(SOURCE, gzip.compress(TARGET.encode())[:-9]))


# ---- what is written

WORD = st.text(st.characters(exclude_characters=" \t\r\n\ufeff", exclude_categories=["Cs"]), min_size=1)
SENTENCES = st.lists(st.lists(WORD).map(tuple))


@pytest.mark.parametrize("name", ["text", "text.gz"])
# Every file is synced to the disk, which may take its time.
@settings(max_examples=40, deadline=None)
@given(sentences=SENTENCES)
def test_what_is_written_is_read_back(tmp_path_factory, name, sentences):
    path = tmp_path_factory.getbasetemp() / name
    write_sentences(path, sentences)
    assert [source for source, _ in stream_pairs(TextFiles(path, path))] == sentences


def test_gzipped_bytes_depend_on_the_sentences_alone(tmp_path):
    for name in ("one.gz", "two.gz"):
        write_sentences(tmp_path / name, [source for source, _ in PAIRS])
    assert (tmp_path / "one.gz").read_bytes() == (tmp_path / "two.gz").read_bytes()
    assert gzip.decompress((tmp_path / "one.gz").read_bytes()) == SOURCE.encode()


@pytest.mark.parametrize("word", ["", "two words", "line\n"])
def test_words_that_would_not_be_read_back(tmp_path, word):
    with pytest.raises(ValueError, match="neither empty nor hold white space"):
        write_sentences(tmp_path / "text", [("one",), (word,)])
    assert not list(tmp_path.iterdir())


def test_writing_that_fails_leaves_nothing(tmp_path):
    with pytest.raises(RuntimeError), sentence_writer(tmp_path / "text.gz") as write:
        write(("one",))
        raise RuntimeError
    assert not list(tmp_path.iterdir())


@pytest.mark.corpora
def test_unlabelled_hansards(corpus_file):
    files = TextFiles(corpus_file("hansards/unlabelled.en.gz"), corpus_file("hansards/unlabelled.fr.gz"))
    hashes = [hash(pair) for pair in stream_pairs(files)]
    assert (len(hashes), len(set(hashes))) == (359_595, 261_247)
