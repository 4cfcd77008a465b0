"""What there is to see of a trained system, as text: for a terminal, or aligned for a pipe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from advsp.experiments.inspection.curves import Curve
from advsp.experiments.inspection.equilibria import SolvedGame
from advsp.experiments.inspection.hardest import Hard
from advsp.experiments.inspection.weights import ModelWeights
from advsp.support.words import has
from advsp.training.instances import ChainInstances, EdgeInstances, Instances

#: Heights of a line of text, and what stands for them where they cannot be shown.
_BARS, _DIGITS = "▁▂▃▄▅▆▇█", "12345678"
#: Strategies of a player that are shown.
_STRATEGIES = 8
#: Columns of numbers.
_NUMBERS = ("passes", "features", "share", "weight", "number", "loss", "guaranteed", "probability")
#: Templates that are shown, and words of an example.
_TEMPLATES, _WORDS = 12, 24
#: Widest a table becomes for the sake of its title.
_TITLE = 40


@dataclass(frozen=True)
class Example:
    """An example by its words: those of a sentence, or of a pair.

    Attributes
    ----------
    positions: what stands at every position, a word or two words that may be linked.
    text: the whole.
    """

    positions: tuple[str, ...]
    text: str


def example_of(instances: Instances, number: int) -> Example:
    """The example ``number``, from 1."""
    place = number - 1
    if isinstance(instances, ChainInstances):
        words = instances.words[place]
        return Example(words, " ".join(words))
    assert isinstance(instances, EdgeInstances)
    source, target = instances.source[place], instances.target[place]
    return Example(
        tuple(f"{left}-{right}" for left in source for right in target),
        f"{' '.join(source)} ||| {' '.join(target)}",
    )


def sparkline(values: Sequence[float], bars: str = _BARS) -> str:
    """Numbers as bars of eight heights, the least the lowest.

    >>> sparkline([0.0, 1.0, 3.0, 7.0]), sparkline([2.0, 2.0]), sparkline([])
    ('▁▂▄█', '▁▁', '')
    """
    if not values:
        return ""
    low, high = min(values), max(values)
    span = (high - low) or 1.0
    return "".join(bars[round((value - low) / span * (len(bars) - 1))] for value in values)


def print_curves(curves: Sequence[Curve], console: Console) -> None:
    """Learning curves as sparklines, a line a model."""
    table = _table("learning curves", "model", "passes", "objective, first to last", "", "held out, last")
    bars = _BARS if has(console.encoding, _BARS) else _DIGITS
    for curve in curves:
        first, last = curve.objective[0], curve.objective[-1]
        scores = ", ".join(
            f"{label} {100 * list(values.values())[-1]:.2f}" for label, values in curve.validation.items()
        )
        table.add_row(
            Text(curve.title),
            str(len(curve.objective)),
            f"{first:,.4g} to {last:,.4g}",
            sparkline(_thinned(curve.objective), bars),
            scores,
        )
    console.print(table)


def print_weights(models: Sequence[ModelWeights], wanted: Sequence[Sequence[str]], console: Console) -> None:
    """What templates weigh, and the strongest weights of the labels ``wanted`` of every model."""
    for model, labels in zip(models, wanted, strict=True):
        about = f"model of {', '.join(model.classes)}: {model.used:,} of {model.size:,} weights are not 0"
        table = _table(about, "template", "features", "share", "strongest", "")
        for share in model.templates[:_TEMPLATES]:
            strongest = share.strongest
            table.add_row(
                Text(share.template),
                f"{share.features:,}",
                f"{share.share:.1%}",
                Text(f"{strongest.label}  {strongest.feature}"),
                f"{strongest.value:+.3f}",
            )
        console.print(table)
        for label in labels:
            if label in model.strongest:
                table = _table(f"strongest weights of {label}", "weight", "feature")
                for weight in model.strongest[label]:
                    table.add_row(f"{weight.value:+.3f}", Text(weight.feature))
                console.print(table)


def print_hardest(found: Sequence[Hard], instances: Instances, metric: str, console: Console) -> None:
    """The examples of greatest loss, with their scores and words."""
    games = any(hard.guaranteed is not None for hard in found)
    title = f"hardest {instances.example}s"
    if games:
        title += ": the score that the games guarantee on what is right, and the score of the decision"
    table = _table(title, "number", "guaranteed" if games else "loss", metric.replace("_", " "), "")
    for hard in found:
        score = "" if np.isnan(hard.score) else f"{100 * hard.score:.1f}"
        words = example_of(instances, hard.number).text.split()
        text = " ".join(words[:_WORDS]) + (" …" if len(words) > _WORDS else "")
        value = f"{hard.loss:.4f}" if hard.guaranteed is None else f"{100 * hard.guaranteed:.1f}"
        table.add_row(str(hard.number), value, score, Text(text))
    console.print(table)


def print_games(games: Sequence[SolvedGame], example: Example, console: Console) -> None:
    """The equilibria of one example: its words, and both players' strategies with their probabilities."""
    _say(console, example.text)
    for game in games:
        found = game.equilibrium
        gold = _described(game.gold, game, example, adversary=True)
        _say(
            console,
            f"\n{game.label}: value {found.value:.4f}, gap {found.gap:.1e}, "
            f"expected score {game.expected:.4f}, {found.iterations} rounds",
        )
        _say(console, f"  gold: {gold}")
        for name, mixture in (("predictor", found.predictor), ("adversary", found.adversary)):
            table = _table(name, "probability", "plays")
            strategies = zip(mixture.probabilities, mixture.labellings, strict=True)
            for probability, labelling in islice(strategies, _STRATEGIES):
                text = _described(labelling, game, example, adversary=name == "adversary")
                table.add_row(f"{probability:.4f}", Text(text))
            if (left := len(mixture.probabilities) - _STRATEGIES) > 0:
                rest = float(mixture.probabilities[_STRATEGIES:].sum())
                table.add_row(f"{rest:.4f}", Text(f"{left} others"))
            console.print(table)


def _described(labelling: np.ndarray, game: SolvedGame, example: Example, *, adversary: bool) -> str:
    """Runs of positions that a labelling chooses; with an adversary's labels where they are not the class."""
    parts: list[str] = []
    before = None
    outside = ("O", "N")
    for position, label in enumerate(labelling.tolist()):
        name = game.labels[label] if adversary else (game.label if label else "O")
        if name in outside:
            before = None
            continue
        word = example.positions[position]
        if name == before and "-" not in name:
            parts[-1] = f"{parts[-1]} {word}"
        else:
            parts.append(f"{name}:{word}" if adversary else word)
        before = name
    return " | ".join(parts) or "nothing"


def _thinned(values: Sequence[float], most: int = 40) -> list[float]:
    """At most so many of them, evenly taken, the first and the last among them."""
    if len(values) <= most:
        return list(values)
    return [values[place] for place in np.linspace(0, len(values) - 1, most).round().astype(int).tolist()]


def _table(title: str, *columns: str) -> Table:
    # A table of short cells is as wide as its title, which would be broken otherwise.
    table = Table(
        title=Text(title),
        title_justify="left",
        title_style="bold",
        box=SIMPLE_HEAD,
        pad_edge=False,
        min_width=min(len(title), _TITLE),
    )
    for column in columns:
        justify: Literal["right", "left"] = "right" if column in _NUMBERS else "left"
        table.add_column(Text(column), justify=justify, overflow="fold")
    return table


def _say(console: Console, text: str) -> None:
    console.print(text, soft_wrap=True, highlight=False, markup=False, emoji=False)
