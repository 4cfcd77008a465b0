"""HTML and SVG as text; whatever is not markup is escaped here."""

from __future__ import annotations

import html
import re


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


def element(name: str, *children: str, **attributes: str | float | None) -> Markup:
    """An element; children that are no :class:`Markup` are text, attributes that are None are left out.

    ``class_`` and ``text_anchor`` stand for ``class`` and ``text-anchor``.

    >>> element("p", "a < b", element("b", "c"), class_="note")
    '<p class="note">a &lt; b<b>c</b></p>'
    >>> element("line", x1=0.5, x2=1.23456)
    '<line x1="0.5" x2="1.23"/>'
    """
    stated = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    inner = "".join(map(_escaped, children))
    return Markup(f"<{name}{stated}>{inner}</{name}>" if children else f"<{name}{stated}/>")


def joined(*parts: str) -> Markup:
    """Several pieces of markup or text, one behind the other."""
    return Markup("".join(map(_escaped, parts)))


def anchor(*words: str) -> str:
    """A name for a place on the page.

    >>> anchor("table2", "hansards, test")
    'table2-hansards-test'
    """
    return re.sub(r"[^a-z0-9]+", "-", " ".join(words).lower()).strip("-")


def _escaped(child: str) -> str:
    return child if isinstance(child, Markup) else html.escape(child, quote=False)


def _value(value: str | float) -> str:
    if isinstance(value, str):
        return html.escape(value)
    return f"{value:.2f}".rstrip("0").rstrip(".")
