"""Links in the project's pages lead somewhere, and the check of them finds those that do not."""

from __future__ import annotations

from pathlib import Path

import pytest
from house.links import anchors, check_links, links, pages

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("page", pages(ROOT), ids=lambda page: str(page.relative_to(ROOT)))
def test_links_of_a_page_lead_somewhere(page):
    said = check_links(page, ROOT)
    assert not said, "\n" + "\n".join(said)


def test_pages_are_found_where_they_are():
    found = {str(page.relative_to(ROOT)) for page in pages(ROOT)}
    assert {
        "README.md",
        "CONTRIBUTING.md",
        "docs/glossary.md",
        "data/README.md",
        "results/published.md",
    } <= found


@pytest.fixture
def said(tmp_path):
    """What the check says of a page ``docs/page.md`` beside ``docs/other.md`` and below ``README.md``."""

    def look(text: str) -> list[str]:
        (tmp_path / "docs").mkdir(exist_ok=True)
        (tmp_path / "README.md").write_text("# The birds\n\n## Gulls & terns\n\n## Gulls & terns\n")
        (tmp_path / "docs" / "other.md").write_text("# Other\n```\n# Not this\n```\n<a id='here'></a>\n")
        (tmp_path / "docs" / "a plan.svg").touch()
        page = tmp_path / "docs" / "page.md"
        page.write_text(text)
        return check_links(page, tmp_path)

    return look


@pytest.mark.parametrize(
    "text",
    [
        "[other](other.md)",
        "[other](<other.md>)",
        "[other](other.md 'a title')",
        "[another\nline](other.md)",
        "[up](../README.md#gulls--terns) and [the second](../README.md#gulls--terns-1)",
        "[place](other.md#here)",
        "[folder](../docs)",
        "![plan](a%20plan.svg)",
        "[name]\n\n[name]: other.md#other",
        '<img src="a plan.svg">',
        "[far](https://example.org/nothing#there), [mail](mailto:a@example.org)",
        "# Down\n[there](#down)",
        "See `docs/other.md`, `docs/`, `docs/*.md`, `docs/{one,two}.md` and `other/nothing.md`.",
        "In code `[x](nothing.md)` and\n```\n[x](nothing.md)\n```\nnothing is a link.",
    ],
)
def test_links_that_lead_somewhere(said, text):
    assert said(text) == []


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("# Page\n\n[x](nothing.md)", "docs/page.md:3: nothing.md: there is no such file"),
        ("[`code`](nothing.md)", "docs/page.md:1: nothing.md: there is no such file"),
        ("```\ncode\n```\n![x](nothing.svg)", "docs/page.md:4: nothing.svg: there is no such file"),
        ("[x](../README.md#gulls)", "docs/page.md:1: ../README.md#gulls: there is no such heading"),
        (
            "[x](../README.md#gulls--terns-2)",
            "docs/page.md:1: ../README.md#gulls--terns-2: there is no such heading",
        ),
        ("[x](other.md#not-this)", "docs/page.md:1: other.md#not-this: there is no such heading"),
        ("[x](#nowhere)", "docs/page.md:1: #nowhere: there is no such heading"),
        ("[x]\n\n[x]: nothing.md", "docs/page.md:3: nothing.md: there is no such file"),
        ("a\nfile: `docs/nothing.md`", "docs/page.md:2: docs/nothing.md: there is no such file"),
        ('<a href="nothing.html">', "docs/page.md:1: nothing.html: there is no such file"),
        ("[x](../..)", "docs/page.md:1: ../..: leads out of the project"),
    ],
)
def test_links_that_lead_nowhere(said, text, line):
    assert said(text) == [line]


def test_several_links_on_a_line():
    assert list(links("[a](b) [c](d)\n\n[![e](f)](g)")) == [(1, "b"), (1, "d"), (3, "f"), (3, "g")]


def test_names_of_headings():
    text = "# What `it` costs: 2 + 2\n## See [the page](page.md)\n### Ünder_score\n## Closed ##\n#no heading"
    assert anchors(text) == {"what-it-costs-2--2", "see-the-page", "ünder_score", "closed"}
