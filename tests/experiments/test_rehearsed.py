"""What was rehearsed is kept beside the compiled code, and a file that says nothing costs a rehearsal."""

from __future__ import annotations

import pytest

from advsp.experiments import rehearsed


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(rehearsed.door, "folder", lambda: tmp_path / "kernels")
    monkeypatch.setattr(rehearsed.door, "processor", lambda: "zebra")
    (tmp_path / "kernels").mkdir()
    return tmp_path / "kernels"


def test_what_is_remembered_is_known():
    assert rehearsed.known() == {}
    rehearsed.remember({"a": None})
    rehearsed.remember({"b": "for a reason"})
    assert rehearsed.known() == {"a": None, "b": "for a reason"}


def test_another_processor_has_rehearsed_nothing(monkeypatch):
    rehearsed.remember({"a": None})
    monkeypatch.setattr(rehearsed.door, "processor", lambda: "gnu")
    assert rehearsed.known() == {}


@pytest.mark.parametrize("damaged", [b"", b"{", b"[]", b"\xff"])
def test_a_damaged_file_is_none(folder, damaged):
    (folder / "rehearsed-zebra.json").write_bytes(damaged)
    assert rehearsed.known() == {}
    rehearsed.remember({"a": None})
    assert rehearsed.known() == {"a": None}


def test_a_folder_that_cannot_be_written_keeps_nothing(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(rehearsed.door, "folder", lambda: tmp_path / "file")
    rehearsed.remember({"a": None})
    assert rehearsed.known() == {}
