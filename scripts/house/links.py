"""Links within the project's pages lead to files and to headings, and files that pages name are there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

#: The pages, below the project's folder.
PAGES = ("*.md", "docs/*.md", "data/*.md", "data/sample/*.md", "results/*.md", "results/*/*.md")

#: ``[text](target)``, ``![text](target "title")``, ``[name]: target``, and the two of HTML.
_LINK = re.compile(
    r"""\]\(\s*<?(?P<inline>[^\s()<>]+(?:\([^\s()]*\))?)>?(?:\s+["'][^)]*)?\s*\)"""
    r"""|^\s{0,3}\[[^\]^]+\]:\s*<?(?P<named>[^\s>]+)"""
    r"""|\b(?:href|src)=["'](?P<html>[^"']+)""",
    re.MULTILINE,
)
_FENCE = re.compile(r"^ *(?P<fence>```+|~~~+).*?^ *(?P=fence)", re.MULTILINE | re.DOTALL)
_TICKS = re.compile(r"(?<!`)(?P<ticks>`+)(?!`)[^\n]+?(?<!`)(?P=ticks)(?!`)")
_HEADING = re.compile(r"^#{1,6}\s+(?P<text>.+?)\s*#*$", re.MULTILINE)
_PLACE = re.compile(r"""<[^>]*\b(?:id|name)=["']([^"']+)""")
#: A file or folder that a page names in code, as `docs/glossary.md`; what has a place for something is none.
_NAMED = re.compile(r"`((?:advsp|configs|docs|scripts|tests)/[\w./-]*)`")
_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)


def pages(root: Path) -> list[Path]:
    """The project's pages."""
    return sorted(path for pattern in PAGES for path in root.glob(pattern))


def check_links(page: Path, root: Path) -> list[str]:
    """One line for every link of a page that leads nowhere, and for every file it names that is not there."""
    text = page.read_text(encoding="utf-8")
    lines = []
    for match in _NAMED.finditer(_blank(_FENCE, text)):
        if not (root / match[1]).exists():
            line = text.count("\n", 0, match.start()) + 1
            lines.append(f"{page.relative_to(root)}:{line}: {match[1]}: there is no such file")
    for line, target in links(text):
        if _ELSEWHERE.match(target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / unquote(path)).resolve() if path else page
        here = f"{page.relative_to(root)}:{line}: {target}: "
        if not file.exists():
            lines.append(here + "there is no such file")
        elif not file.is_relative_to(root):
            lines.append(here + "leads out of the project")
        elif anchor and (file.suffix != ".md" or anchor not in anchors(file.read_text(encoding="utf-8"))):
            lines.append(here + "there is no such heading")
    return lines


def links(text: str) -> Iterator[tuple[int, str]]:
    """(line, target) of every link of a page; what stands in code is no link."""
    shown = _without_code(text)
    for match in _LINK.finditer(shown):
        kind = match.lastgroup or ""
        yield shown.count("\n", 0, match.start(kind)) + 1, match[kind]


def anchors(text: str) -> set[str]:
    """The names of a page's headings, as GitHub makes them, and of the places that HTML names."""
    found: Counter[str] = Counter()
    names = set()
    for match in _HEADING.finditer(_FENCE.sub("", text)):
        name = slug(match["text"])
        names.add(f"{name}-{found[name]}" if found[name] else name)
        found[name] += 1
    return names | set(_PLACE.findall(_without_code(text)))


def slug(heading: str) -> str:
    """A heading's name: its letters and digits in lower case, with hyphens for spaces.

    >>> slug("What `it` costs: 2 + 2, [said](page.md)")
    'what-it-costs-2--2-said'
    """
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


def _without_code(text: str) -> str:
    """The text without code; everything else stays where it is."""
    return _blank(_TICKS, _blank(_FENCE, text))


def _blank(pattern: re.Pattern[str], text: str) -> str:
    """The text with spaces in the place of what a pattern finds."""
    return pattern.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
