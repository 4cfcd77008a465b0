"""The folder of a prepared corpus: what is of value stays, and files come to it whole or not at all."""

from __future__ import annotations

import json

import pytest

from advsp.corpora.folder import check_folder, install, staged
from advsp.support.errors import InputError
from advsp.support.files import sha256


def listing(folder) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_a_source_that_would_be_overwritten_is_refused_under_any_of_its_names(tmp_path):
    (tmp_path / "train.conll").write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path / "train.conll")
    check_folder(tmp_path, [tmp_path / "train.conll"], ["test.conll"])
    for name in ("train.conll", "link"):
        with pytest.raises(InputError, match=f"{name}: the prepared corpus would overwrite this source"):
            check_folder(tmp_path, [tmp_path / name], ["train.conll"])


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "taken").write_text("mine")
    with pytest.raises(InputError, match="is a file where a folder is expected"):
        check_folder(tmp_path / "taken", [], [])


def test_files_are_moved_and_those_of_the_corpus_before_are_removed(tmp_path):
    for name in ("notes.txt", "old.conll", "corpus.json"):
        (tmp_path / name).write_text(name)
    manifest = {"format": 7}
    with staged(tmp_path) as stage:
        (stage / "below").mkdir()
        (stage / "below/new.conll").write_text("new")
        assert listing(tmp_path) != listing(stage)
        install(stage, tmp_path, manifest, {"old.conll"})
    assert listing(tmp_path) == ["below/new.conll", "corpus.json", "notes.txt"]
    assert manifest == {"format": 7, "files": {"below/new.conll": sha256(tmp_path / "below/new.conll")}}
    assert json.loads((tmp_path / "corpus.json").read_text()) == manifest


def test_a_failure_leaves_nothing_and_what_was_there(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "there/notes.txt").write_text("mine")
    for name in ("there", "new"):
        with pytest.raises(RuntimeError), staged(tmp_path / name) as stage:
            (stage / "half").write_text("hal")
            raise RuntimeError
    assert listing(tmp_path) == ["there/notes.txt"]
    assert not (tmp_path / "new").exists()


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError, match="below: cannot be written"), staged(tmp_path / "file/below"):
        pass
