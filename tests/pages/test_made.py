"""Pages made from the code: every command, key and registered part stands there, with a word on it."""

from __future__ import annotations

import re
from importlib import metadata
from importlib.util import find_spec

import make_docs
import pytest
from pages import commands, configuration, library

import advsp
from advsp.cli.main import app

#: The pages of commands are made with a typer at least as new as the one of constraints.txt.
PINNED = re.search(r"^typer==(\S+)$", (make_docs.ROOT / "constraints.txt").read_text(), re.MULTILINE)[1]
#: Older ones tell other things of their commands.
with_its_typer = pytest.mark.skipif(
    [int(part) for part in metadata.version("typer").split(".")] < [int(part) for part in PINNED.split(".")],
    reason=f"pages are made with typer {PINNED} or later",
)


def rows(page: str) -> list[tuple[str, str]]:
    """First and last cell of every line of a table."""
    lines = [re.split(r"(?<!\\)\|", line) for line in page.splitlines() if line.startswith("| `")]
    return [(line[1].strip(), line[-2].strip()) for line in lines]


@with_its_typer
@pytest.mark.parametrize("name", make_docs.MADE)
def test_pages_that_are_kept_are_those_that_are_made(name, tmp_path):
    make_docs.make(tmp_path)
    kept = make_docs.ROOT / f"docs/reference/{name}.md"
    assert kept.read_bytes() == (tmp_path / kept.name).read_bytes(), "python scripts/make_docs.py makes it"


def test_every_registered_part_has_its_section():
    page = configuration.page()
    for _, registry in configuration.PARTS.values():
        for name in registry:
            assert f"\n### {name}\n" in page


def test_every_key_and_option_says_what_it_is():
    assert [name for name, about in rows(configuration.page()) if not about] == []


@with_its_typer
def test_every_command_and_option_says_what_it_is():
    page = commands.page()
    for command in app.registered_commands:
        name = command.name or command.callback.__name__
        assert f"## `advsp {name}`" in page
    assert "## `advsp init ner`" in page
    assert [name for name, about in rows(page) if not about] == []


def test_every_public_name_of_the_library_has_its_section():
    page = library.page()
    assert all(f"## {name}\n" in page for name in advsp.__all__ if name != "__version__")


@pytest.mark.long
@pytest.mark.skipif(find_spec("mkdocs") is None, reason="mkdocs is not installed (pip install '.[docs]')")
def test_the_site_is_built_and_asks_for_nothing_from_elsewhere(tmp_path):
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    make_docs.gather(tmp_path / "docs")
    folders = {"docs_dir": str(tmp_path / "docs"), "site_dir": str(tmp_path / "site")}
    build(load_config(str(make_docs.ROOT / "mkdocs.yml"), **folders))
    pages = list((tmp_path / "site").rglob("*.html"))
    assert len(pages) >= 20
    asked = re.compile(r'<(?:script|link|img)[^>]+(?:src|href)="https?://')
    assert [page for page in pages if asked.search(page.read_text("utf-8"))] == []
