"""Lines that are read one by one are those that are read all at once, and the same files are refused."""

from __future__ import annotations

import gzip
import io
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advsp.corpora import text_stream
from advsp.corpora.text import read_lines
from advsp.corpora.text_stream import STANDARD_INPUT, stream_lines
from advsp.support.errors import InputError

TEXTS = st.lists(st.sampled_from(["a", "é", "\r", "\n", "\r\n", "\ufeff", "\u2028", " "])).map("".join)


@given(text=TEXTS, packed=st.booleans())
def test_lines_are_those_of_the_whole_text(tmp_path_factory, text, packed):
    path = tmp_path_factory.mktemp("stream") / "text"
    path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    assert list(stream_lines(path)) == read_lines(path)


@pytest.mark.parametrize(
    "content, encoding, line",
    [(b"a\n\xe9t\xe9\n", "utf-8", 2), (b"a\nb\nc\x81", "ascii", 3), (b"\xff\xfea", "utf-16", 1)],
)
def test_bytes_that_are_no_text_are_named_with_their_line(tmp_path, content, encoding, line):
    path = tmp_path / "text"
    path.write_bytes(content)
    with pytest.raises(InputError, match=f"not {encoding}") as caught:
        list(stream_lines(path, encoding))
    assert (caught.value.file, caught.value.line) == (path, line)


def test_text_in_another_encoding(tmp_path):
    (tmp_path / "text").write_bytes("été\n".encode("latin-1"))
    assert list(stream_lines(tmp_path / "text", "latin-1")) == ["été"]


@pytest.mark.parametrize("encoding", ["utf-9", "klingon"])
def test_unknown_encoding(tmp_path, encoding):
    (tmp_path / "text").write_text("a\n")
    with pytest.raises(InputError, match=f"unknown text encoding '{encoding}'"):
        list(stream_lines(tmp_path / "text", encoding))


def test_what_is_no_file_is_refused(tmp_path):
    for path, problem in ((tmp_path / "none", "no such file"), (tmp_path, "is a folder")):
        with pytest.raises(InputError, match=problem):
            list(stream_lines(path))


@pytest.mark.parametrize("left", [12, 25])
def test_damaged_gzip_is_refused(tmp_path, left):
    whole = gzip.compress(b"a word a line\n" * 200)
    (tmp_path / "text.gz").write_bytes(whole[:left])
    with pytest.raises(InputError, match="damaged gzip data"):
        list(stream_lines(tmp_path / "text.gz"))


def test_standard_input(monkeypatch):
    monkeypatch.setattr(text_stream.sys, "stdin", SimpleNamespace(buffer=io.BytesIO("a\r\nö".encode())))
    assert list(stream_lines(STANDARD_INPUT)) == ["a", "ö"]


def test_says_how_far_it_has_come(tmp_path):
    path = tmp_path / "text"
    path.write_text("a line of text\n" * 50_000)
    told = []
    assert sum(1 for _ in stream_lines(path, read=told.append)) == 50_000
    assert len(told) > 5 and all(count >= 0 for count in told)
    assert 0.9 * path.stat().st_size < sum(told) <= path.stat().st_size
