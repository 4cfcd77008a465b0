import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advsp.corpora.text import read_lines
from advsp.support.errors import InputError

LINE = st.text(st.characters(exclude_characters="\r\n\ufeff", exclude_categories=["Cs"]))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r\r\n", "\r"])
@pytest.mark.parametrize("last", [True, False])
def test_line_ends_of_any_kind_read_alike(tmp_path, end, last):
    path = tmp_path / "a.txt"
    path.write_bytes(end.join(["one", "", "two"]).encode() + last * end.encode())
    assert read_lines(path) == ["one", "", "two"]


def test_line_ends_may_be_mixed(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"one\r\ntwo\rthree\n\r\nfour")
    assert read_lines(path) == ["one", "two", "three", "", "four"]


@given(lines=st.lists(LINE, min_size=1))
def test_other_separators_of_unicode_do_not_end_a_line(tmp_path_factory, lines):
    path = tmp_path_factory.mktemp("text") / "a.txt"
    path.write_bytes("".join(f"{line}\n" for line in lines).encode())
    assert read_lines(path) == lines


def test_byte_order_marks_are_removed_also_between_joined_files(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes("\ufeffone\n\ufefftwo\n".encode())
    assert read_lines(path) == ["one", "two"]


def test_gzip_is_recognised_by_content(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(gzip.compress(b"one\n"))
    assert read_lines(path) == ["one"]


def test_empty_file_has_no_lines(tmp_path):
    path = tmp_path / "a.txt"
    path.touch()
    assert read_lines(path) == []


def test_other_encoding(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes("Zürich\n".encode("latin-1"))
    assert read_lines(path, "latin-1") == ["Zürich"]
    path.write_bytes("Zürich\n".encode("utf-16"))
    assert read_lines(path, "utf-16") == ["Zürich"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_wrong_encoding_names_byte_and_line(tmp_path, encoding):
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xef\xbb\xbfBern\r\nZ\xfcrich\n")
    with pytest.raises(InputError) as caught:
        read_lines(path, encoding)
    assert str(caught.value).startswith(f"{path}:2: byte 0xfc at offset 10 is not {encoding} text")
    assert "encoding" in caught.value.hint


def test_unknown_encoding(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"one\n")
    with pytest.raises(InputError, match="unknown text encoding 'utf-88'"):
        read_lines(path, "utf-88")


def test_missing_file(tmp_path):
    with pytest.raises(InputError, match="no such file") as caught:
        read_lines(tmp_path / "nowhere.txt")
    assert caught.value.file == tmp_path / "nowhere.txt"


def test_folder_in_place_of_a_file(tmp_path):
    with pytest.raises(InputError, match="is a folder where a file is expected"):
        read_lines(tmp_path)


def test_path_through_a_file(tmp_path):
    (tmp_path / "a.txt").touch()
    with pytest.raises(InputError, match="cannot be read"):
        read_lines(tmp_path / "a.txt" / "b.txt")


@pytest.mark.parametrize("damage", [lambda data: data[:-9], lambda data: data[:12] + b"\0\1\2" + data[15:]])
def test_damaged_gzip(tmp_path, damage):
    path = tmp_path / "a.gz"
    path.write_bytes(damage(gzip.compress(b"one two three four\n" * 9)))
    with pytest.raises(InputError, match="damaged gzip data"):
        read_lines(path)
