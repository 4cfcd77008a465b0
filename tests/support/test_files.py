"""Files appear whole or not at all."""

from __future__ import annotations

import hashlib
import json
import math
import zipfile

import numpy as np
import pytest

from advsp.support.errors import InputError
from advsp.support.files import atomic, read_arrays, sha256, sweep, write_arrays, write_json


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
    refused = pytest.raises(InputError, match="taken: cannot be written: Is a directory")
    with refused, atomic(tmp_path / "taken") as stream:
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


@pytest.mark.parametrize("number", [math.nan, math.inf])
def test_numbers_that_json_does_not_have_are_refused_and_nothing_is_left(tmp_path, number):
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_json(tmp_path / "value.json", {"score": number})
    assert not any(tmp_path.iterdir())


# --- what a killed process leaves ------------------------------------------------------------------


def test_file_that_a_killed_process_was_writing_is_swept_away_and_nothing_else(tmp_path):
    (tmp_path / "deep").mkdir()
    killed = atomic(tmp_path / "deep" / "model.npz", "wb")
    killed.__enter__().write(b"half of i")
    for kept in (".hidden", "notes.advsp-tmp", "deep/model.npz"):
        (tmp_path / kept).write_text("ours")
    assert len(listing(tmp_path / "deep")) == 2
    sweep(tmp_path)
    assert listing(tmp_path / "deep") == ["model.npz"]
    assert listing(tmp_path) == [".hidden", "deep", "notes.advsp-tmp"]


# --- arrays ----------------------------------------------------------------------------------------


ARRAYS = {"weights": np.arange(3.0), "name": np.array("PER"), "empty": np.zeros((0, 2), np.int8)}


@pytest.mark.parametrize(("compressed", "save"), [(True, np.savez_compressed), (False, np.savez)])
def test_archive_is_that_of_numpy_but_for_how_hard_it_is_compressed(tmp_path, compressed, save):
    write_arrays(tmp_path / "ours.npz", ARRAYS, compressed=compressed)
    save(tmp_path / "numpys.npz", **ARRAYS)
    ours, numpys = ((tmp_path / f"{name}.npz").read_bytes() for name in ("ours", "numpys"))
    assert (ours == numpys) or compressed
    with zipfile.ZipFile(tmp_path / "ours.npz") as one, zipfile.ZipFile(tmp_path / "numpys.npz") as other:
        assert one.namelist() == other.namelist()
        assert all(one.read(name) == other.read(name) for name in one.namelist())


def test_an_array_may_have_any_name(tmp_path):
    write_arrays(tmp_path / "file.npz", {"file": np.arange(2), "allow_pickle": np.arange(3)})
    assert {name: len(array) for name, array in read_arrays(tmp_path / "file.npz", "ours", "-").items()} == {
        "file": 2,
        "allow_pickle": 3,
    }


def test_objects_are_never_pickled(tmp_path):
    with pytest.raises(ValueError, match="[Oo]bject arrays cannot be saved"):
        write_arrays(tmp_path / "file.npz", {"objects": np.array([{"a": 1}], dtype=object)})
    assert listing(tmp_path) == []


def test_arrays_come_back_as_they_were_written(tmp_path):
    arrays = ARRAYS
    write_arrays(tmp_path / "file.npz", arrays)
    found = read_arrays(tmp_path / "file.npz", "a model", "train anew")
    assert found.keys() == arrays.keys()
    assert all(np.array_equal(found[name], arrays[name]) for name in arrays)
    assert all(found[name].dtype == arrays[name].dtype for name in arrays)


def damaged(folder, how: str):
    """An archive of arrays that something happened to."""
    path = folder / "file.npz"
    np.savez(path, weights=np.arange(1000.0), gone=np.arange(5))
    content = path.read_bytes()
    if how == "cut short":
        path.write_bytes(content[: len(content) // 2])
    elif how == "empty":
        path.write_bytes(b"")
    elif how == "text":
        path.write_text("weights: 1")
    elif how == "one byte changed":
        path.write_bytes(content[:2000] + bytes([content[2000] ^ 255]) + content[2001:])
    elif how == "a single array":
        with path.open("wb") as stream:
            np.save(stream, np.arange(3))
    elif how == "an object to unpickle":
        np.savez(path, weights=np.array([{"a": 1}], dtype=object))
    return path


@pytest.mark.parametrize(
    "how",
    [
        "cut short",
        "empty",
        "text",
        "one byte changed",
        "an object to unpickle",
        "a single array",
    ],
)
def test_damaged_archive_is_refused_by_name_with_the_remedy(tmp_path, how):
    path = damaged(tmp_path, how)
    with pytest.raises(InputError) as raised:
        read_arrays(path, "a model", "train anew")
    assert str(raised.value).startswith(f"{path}: not a model: ")
    assert str(raised.value).endswith("(train anew)")


def test_missing_archive_is_refused_by_name(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read_arrays(tmp_path / "nothing.npz", "a model", "train anew")


def test_digest_is_that_of_the_bytes(tmp_path):
    content = bytes(range(256)) * 5000
    (tmp_path / "file").write_bytes(content)
    assert sha256(tmp_path / "file") == hashlib.sha256(content).hexdigest()
