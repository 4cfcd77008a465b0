"""Numbers and tables as Markdown."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from advsp.support.errors import InputError


def table(header: Sequence[str], lines: Iterable[Sequence[str]], left: int = 1) -> list[str]:
    """A Markdown table; the first ``left`` columns are text, the others numbers.  Empty without lines."""
    lines = list(lines)
    if not lines:
        return []
    rule = ["---" if column < left else "---:" for column in range(len(header))]
    return [f"| {' | '.join(cells)} |" for cells in (header, rule, *lines)]


def marks(name: str) -> tuple[str, str]:
    """Between what a page has a block that is made by a script.

    >>> marks("bench")
    ('<!-- bench:begin -->', '<!-- bench:end -->')
    """
    return f"<!-- {name}:begin -->", f"<!-- {name}:end -->"


def with_block(page: str, name: str, block: str) -> str:
    """A page with what stands between the marks of a name, these included, replaced.

    Raises
    ------
    InputError: the marks are missing or stand in the wrong order.
    """
    first, last = marks(name)
    begin, end = page.find(first), page.find(last)
    if begin < 0 or end < begin:
        raise InputError(
            f"has no place for the {name}", file="the page", hint=f"put {first} and {last} where it goes"
        )
    return page[:begin] + block + page[end + len(last) :]


def seconds(value: float | None) -> str:
    """A time with two or three significant digits and a unit; a dash for None."""
    if value is None:
        return "–"
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if value * factor >= 1.0 or unit == "µs":
            return f"{significant(value * factor)} {unit}"
    raise AssertionError("the last unit takes everything")


def significant(value: float) -> str:
    """Two significant digits below ten, three below a thousand, else a whole number."""
    if value == 0.0:
        return "0"
    digits = 1 if value < 10 else 2
    decimals = max(0, digits - math.floor(math.log10(abs(value))))
    return f"{value:,.{decimals}f}"


def ratio(value: float | None) -> str:
    """A factor; a dash for None."""
    return "–" if value is None else f"{significant(value)} ×"


def exponent(found: dict[str, Any] | None) -> str:
    """A growth exponent with its interval, where there is one, and the range it was fitted on."""
    if found is None:
        return "–"
    where = f"{found['first']:,g} to {found['last']:,g}"
    if found["low"] is None:
        return f"{found['exponent']:.2f} ({where})"
    return f"{found['exponent']:.2f} [{found['low']:.2f}, {found['high']:.2f}] ({where})"
