"""What stands below the figure."""

from __future__ import annotations

from typing import Any

from benchmarks.drawing import PAPER
from benchmarks.markdown import ratio, table


def caption(figure: dict[str, Any]) -> str:
    """Markdown from the stored numbers."""
    machine, states = figure["machine"], figure["states"]
    versions = ", ".join(f"{name} {version}" for name, version in machine["versions"].items())
    backends = list(next(iter(states.values()))["summary"]["speed"])
    unfinished = sum(about["summary"]["unfinished"] for about in states.values())
    small = " This is the small version (`--quick`)." if figure["quick"] else ""
    lines = [
        "# Double oracle with exact and with approximate responses",
        "",
        "![Times over sentence lengths, and agreement](double_oracle.svg)",
        "",
        f"Games of the F-score of one class and one sentence each: {figure['games_of']}. The weights are "
        "zeros (*zero*), those after one pass (*half-trained*) and those after "
        f"{figure['passes']} passes (*trained*) of online AdaGrad on the {figure['sentences']} training "
        "sentences. Times are of whole games on one core, each the fastest of up to three in turns; lines "
        f"are geometric means over sentences of like length, bands the middle half.{small}",
        "",
        *table(
            [
                "weights", "gap", "games", "same best predictor strategy [99 %]",
                "of open games", "mean error of the value",
                "mean absolute error", "rounds, exact / approximate",
                *(f"exact / approximate time, {name}" for name in backends),
            ],
            [_line(state, about["summary"], backends) for state, about in states.items()],
        ),
        "",
        f"The paper reports the same best predictor strategy in {100 * PAPER:.0f} % of games. Intervals are "
        "Wilson's. *Open* games are those that exact responses do not end in their first round. The error is "
        "the value at which approximate responses end less that of exact ones, either known to the gap only.",
        "",
        "At zero weights a game depends on the length of its sentence alone: every length is played once and "
        "counts once. These are the hardest games, with very many equilibria; they are solved to the gap "
        f"that the first pass of a training asks for. No game had more than {figure['iterations']:,} "
        f"rounds, and {unfinished or 'none'} was left before its gap was reached.",
        "",
        f"`{figure['command']}`, seed {figure['seed']}, {machine['date']}, {machine['processor']}; "
        f"{versions}.",
        "",
        *(f"* `{name}` {digest}" for name, digest in figure["data"].items()),
    ]  # fmt: skip
    return "\n".join(lines).rstrip() + "\n"


def _line(state: str, summary: dict[str, Any], backends: list[str]) -> list[str]:
    low, high = summary["interval"]
    exact, approximate = summary["mean_iterations"]
    return [
        state,
        f"{summary['tolerance']:g}",
        f"{summary['games']:,}",
        f"{100 * summary['agreement']:.1f} % [{100 * low:.1f}, {100 * high:.1f}]",
        f"{summary['open_same']:,} of {summary['open']:,}",
        f"{summary['mean_error']:+.4f}",
        f"{summary['mean_absolute_error']:.4f}",
        f"{exact:.1f} / {approximate:.1f}",
        *(ratio(summary["speed"][name]) for name in backends),
    ]
