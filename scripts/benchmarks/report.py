"""From a stored bench to Markdown, and to the block of docs/performance.md."""

from __future__ import annotations

from typing import Any

from benchmarks.markdown import marks, table
from benchmarks.sections import SECTIONS

#: What the block of that page is called there.
NAME = "bench"


def markdown(bench: dict[str, Any]) -> str:
    """The whole report."""
    lines = ["# Bench", "", *_about(bench), ""]
    for name, result in bench["sections"].items():
        lines += [f"## {SECTIONS[name].TITLE}", "", *SECTIONS[name].render(result)]
    if bench["remarks"]:
        lines += ["## Remarks", "", *(f"* {remark}" for remark in bench["remarks"]), ""]
    lines += ["## Data", "", *(f"* `{name}` {digest}" for name, digest in bench["data"].items())]
    return "\n".join(lines).rstrip() + "\n"


def _about(bench: dict[str, Any]) -> list[str]:
    machine = bench["machine"]
    versions = ", ".join(f"{name} {version}" for name, version in machine["versions"].items())
    small = " The small version (`--quick`): its numbers show that it works." if bench["quick"] else ""
    return [
        f"`{bench['command']}`, {machine['date']}, seed {bench['seed']}, on one machine {_runs(bench)}: "
        f"{machine['processor']}, {machine['cores']} cores, {machine['system']}. Compare ratios, not "
        f"times.{small}",
        "",
        f"Versions: {versions}.",
    ]


def _runs(bench: dict[str, Any]) -> str:
    """Whether everything is of one run, or which sections are of earlier ones."""
    if not bench.get("kept"):
        return "in one run"
    titles = ", ".join(SECTIONS[name].TITLE for name in bench["kept"])
    return f"in more than one run, each section in one (of earlier ones: {titles})"


def page_block(bench: dict[str, Any]) -> str:
    """The table of docs/performance.md, the marks included."""
    found = [line for name, result in bench["sections"].items() for line in SECTIONS[name].headlines(result)]
    machine, (begin, end) = bench["machine"], marks(NAME)
    lines = [
        begin,
        *(["*These are numbers of the small version (`--quick`).*", ""] if bench["quick"] else []),
        *table(["", "ours", "compared with", "ratio"], found),
        "",
        f"Measured by `make bench`, {_runs(bench)}, one core of {machine['processor']}, Python "
        f"{machine['versions']['python']}. Ours is with compiled kernels, compared with numpy and the "
        "fastest LP solver, or with the program that is named. All combinations, growth exponents, peak "
        "memory and what compiling costs are in `results/bench/bench.md`.",
        end,
    ]
    return "\n".join(lines)
