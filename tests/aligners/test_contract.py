"""Every aligner program: what its options are, and what is said where it is not installed."""

from __future__ import annotations

import dataclasses
import json

import pytest

from advsp.aligners import programs
from advsp.support.errors import InputError


@pytest.mark.parametrize("name", list(programs))
def test_defaults_of_its_options_can_be_written_down(name):
    options = dataclasses.asdict(programs.get(name)())
    assert json.loads(json.dumps(options)) == options


@pytest.mark.parametrize("name", [name for name in programs if hasattr(programs.get(name), "package")])
def test_a_missing_package_is_named_with_the_way_to_install_it(name, monkeypatch):
    program = programs.get(name)
    monkeypatch.setattr(program, "package", "no-such-package-anywhere")
    with pytest.raises(InputError) as caught:
        program().version()
    assert caught.value.problem == "the package 'no-such-package-anywhere' is not installed"
    assert caught.value.hint.startswith("pip install ")


def test_an_unknown_program_is_answered_with_the_nearest():
    with pytest.raises(InputError, match="unknown aligner program 'eflomall' .did you mean 'eflomal'"):
        programs.get("eflomall")
