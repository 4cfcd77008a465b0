"""What there is to see of a trained system, as figures: how it learnt, and its games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from advsp.engine.mixture import Mixture
from advsp.experiments.inspection.curves import Curve
from advsp.experiments.inspection.equilibria import SolvedGame
from advsp.show.inspection_text import Example

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Blue and vermilion are told apart by colour-blind readers (Okabe and Ito, "Color Universal Design", 2008).
_PREDICTOR, _ADVERSARY, _GRID = "#0072b2", "#d55e00", "#e2e2e2"
#: Strategies of a player that are drawn, and positions of a figure.
_STRATEGIES, _POSITIONS = 8, 60
#: Inches of a cell.
_CELL = 0.28


def draw_curves(curves: Sequence[Curve], title: str) -> Figure:
    """The objective, and the scores on what was held out, by the number of the pass."""
    from matplotlib.figure import Figure

    scored = any(curve.validation for curve in curves)
    figure = Figure(figsize=(9.6 if scored else 5.2, 3.6))
    panels = figure.subplots(1, 2 if scored else 1, squeeze=False)[0]
    for curve in curves:
        passes = range(1, len(curve.objective) + 1)
        panels[0].plot(passes, curve.objective, marker=".", label=curve.title)
        if scored:
            for label, values in curve.validation.items():
                scores = [100 * score for score in values.values()]
                panels[1].plot(list(values), scores, marker="o", label=f"{label}, {curve.title}")
    panels[0].set_ylabel("objective")
    if scored:
        panels[1].set_ylabel("score on what is held out")
    for panel in panels:
        panel.set_xlabel("passes")
        panel.grid(color=_GRID)
        if len(curves) <= 8:
            panel.legend(fontsize=7)
    figure.suptitle(title)
    figure.tight_layout()
    return figure


def draw_games(games: Sequence[SolvedGame], example: Example, title: str) -> Figure:
    """Both players' strategies of every game, a line a strategy and a column a position that any plays."""
    from matplotlib.figure import Figure

    places = [_played(game)[:_POSITIONS] for game in games]
    heights = [1 + _rows(game) for game in games]
    width = max(6.0, 2.2 + _CELL * max((len(found) for found in places), default=1))
    longest = max((len(example.positions[place]) for found in places for place in found), default=4)
    figure = Figure(figsize=(width, 0.6 + sum(_CELL * height + 0.08 * longest + 0.5 for height in heights)))
    panels = figure.subplots(len(games), 1, squeeze=False, gridspec_kw={"height_ratios": heights})[:, 0]
    for panel, game, found in zip(panels, games, places, strict=True):
        _draw_game(panel, game, found, example)
    figure.suptitle(title)
    figure.tight_layout()
    return figure


def _draw_game(panel: Axes, game: SolvedGame, places: Sequence[int], example: Example) -> None:
    names: list[str] = []
    line = 0
    outside = [number for number, label in enumerate(game.labels) if label in ("O", "N")]
    for mixture, colour, adversary in (
        (game.equilibrium.predictor, _PREDICTOR, False),
        (game.equilibrium.adversary, _ADVERSARY, True),
    ):
        for probability, labelling in _strongest(mixture):
            names.append(f"{'adversary' if adversary else 'predictor'} {probability:.3f}")
            for column, place in enumerate(places):
                label = int(labelling[place])
                if (label in outside) if adversary else not label:
                    continue
                target = not adversary or label in game.targets
                shade = colour if target else "#bbbbbb"
                panel.barh(line, 0.9, left=column - 0.45, height=0.8, color=shade)
                if adversary:
                    text = game.labels[label][:4]
                    panel.text(column, line, text, ha="center", va="center", fontsize=6, color="white")
            line += 1
    found = game.equilibrium
    about = f"{game.label}: value {found.value:.3f}, expected score {game.expected:.3f}"
    panel.set_title(about, fontsize=9, loc="left")
    panel.set_yticks(range(len(names)), names, fontsize=7)
    panel.set_xticks(
        range(len(places)), [example.positions[place] for place in places], rotation=90, fontsize=7
    )
    panel.set_xlim(-0.6, max(len(places), 1) - 0.4)
    panel.set_ylim(line - 0.4, -0.6)
    for side in panel.spines.values():
        side.set_color(_GRID)


def _strongest(mixture: Mixture) -> list[tuple[float, np.ndarray]]:
    pairs = zip(mixture.probabilities.tolist(), mixture.labellings, strict=True)
    return list(pairs)[:_STRATEGIES]


def _rows(game: SolvedGame) -> int:
    return len(_strongest(game.equilibrium.predictor)) + len(_strongest(game.equilibrium.adversary))


def _played(game: SolvedGame) -> list[int]:
    """Positions of a sentence, all of them; of a pair those that any strategy or the gold links choose."""
    labels = np.vstack(
        [game.equilibrium.predictor.labellings, game.equilibrium.adversary.labellings, game.gold[None, :]]
    )
    if "N" not in game.labels:
        return list(range(labels.shape[1]))
    return np.flatnonzero(labels.any(axis=0)).tolist()
