"""Files appear whole or not at all."""

from __future__ import annotations

import hashlib
import json

import pytest

from advsp.files import atomic, sha256, write_json


def listing(folder) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_file_appears_when_the_block_ends(tmp_path):
    path = tmp_path / "new.txt"
    with atomic(path) as stream:
        stream.write("all of it\n")
        stream.flush()
        assert not path.exists()
    assert path.read_text() == "all of it\n"
    assert listing(tmp_path) == ["new.txt"]


def test_failure_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "kept.txt"
    path.write_text("old")
    with pytest.raises(RuntimeError, match="half-way"), atomic(path) as stream:
        stream.write("new, but only ha")
        stream.flush()
        raise RuntimeError("half-way")
    assert path.read_text() == "old"
    assert listing(tmp_path) == ["kept.txt"]


def test_failure_before_there_was_a_file_leaves_nothing(tmp_path):
    with pytest.raises(KeyboardInterrupt), atomic(tmp_path / "never.txt"):
        raise KeyboardInterrupt
    assert listing(tmp_path) == []


def test_file_that_cannot_take_its_place_leaves_nothing_behind(tmp_path):
    (tmp_path / "taken").mkdir()
    with pytest.raises(OSError), atomic(tmp_path / "taken") as stream:
        stream.write("a folder is in the way")
    assert listing(tmp_path) == ["taken"]


def test_reader_sees_the_old_file_until_the_new_one_is_complete(tmp_path):
    path = tmp_path / "replaced.txt"
    path.write_text("old")
    with atomic(path) as stream:
        stream.write("new")
        stream.flush()
        assert path.read_text() == "old"
    assert path.read_text() == "new"


def test_folders_on_the_way_are_made(tmp_path):
    with atomic(tmp_path / "a" / "b" / "c.txt") as stream:
        stream.write("deep")
    assert (tmp_path / "a" / "b" / "c.txt").read_text() == "deep"


def test_text_is_utf_8_with_line_feeds(tmp_path):
    with atomic(tmp_path / "text") as stream:
        stream.write("Zürich\nParis\n")
    assert (tmp_path / "text").read_bytes() == "Zürich\nParis\n".encode()


def test_binary_files_are_written_as_they_are(tmp_path):
    with atomic(tmp_path / "bytes", "wb") as stream:
        stream.write(b"\r\n\x00")
    assert (tmp_path / "bytes").read_bytes() == b"\r\n\x00"


def test_everyone_may_read_the_file(tmp_path):
    with atomic(tmp_path / "open.txt"):
        pass
    assert (tmp_path / "open.txt").stat().st_mode & 0o777 == 0o644


def test_json_keeps_the_order_of_keys_and_letters_as_they_are(tmp_path):
    value = {"z": 1, "a": ["Zürich", None, 0.1]}
    write_json(tmp_path / "value.json", value)
    text = (tmp_path / "value.json").read_text(encoding="utf-8")
    assert text.index('"z"') < text.index('"a"')
    assert "Zürich" in text
    assert json.loads(text) == value


def test_value_that_is_not_json_leaves_the_old_file(tmp_path):
    path = tmp_path / "value.json"
    write_json(path, {"old": True})
    with pytest.raises(TypeError):
        write_json(path, {"new": object()})
    assert json.loads(path.read_text()) == {"old": True}
    assert listing(tmp_path) == ["value.json"]


def test_digest_is_that_of_the_bytes(tmp_path):
    content = bytes(range(256)) * 5000
    (tmp_path / "file").write_bytes(content)
    assert sha256(tmp_path / "file") == hashlib.sha256(content).hexdigest()
