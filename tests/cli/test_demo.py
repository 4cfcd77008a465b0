"""The demo says which commands it runs, and draws where it can."""

from __future__ import annotations

import pytest

from advsp.show import pictures
from advsp.support.errors import InputError


@pytest.mark.parametrize("drawing", [True, False])
def test_commands_are_listed_as_one_would_type_them(tmp_path, monkeypatch, command, drawing):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(pictures, "can_draw", lambda: drawing)
    ended = command("demo", "--list")
    lines = ended.out.splitlines()
    assert ended.code == 0 and all(line.startswith("$ advsp ") for line in lines) and len(lines) == 9
    assert ("--output results/demo/pair.svg" in ended.out) == drawing
    assert not any(tmp_path.iterdir())


def test_without_matplotlib_pictures_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(pictures, "find_spec", lambda name: None)
    assert not pictures.can_draw()
    with pytest.raises(InputError, match="drawing needs matplotlib"):
        pictures.check_picture(tmp_path / "a.svg")
