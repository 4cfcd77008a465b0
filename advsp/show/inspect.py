"""All that there is to see of a trained system, one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from advsp.experiments.inspection.curves import learning_curves
from advsp.experiments.inspection.equilibria import solve_example
from advsp.experiments.inspection.hardest import hardest
from advsp.experiments.inspection.weights import labels_of, model_weights
from advsp.experiments.system_in_use import SystemInUse
from advsp.show.inspection_figures import draw_curves, draw_games
from advsp.show.inspection_text import example_of, print_curves, print_games, print_hardest, print_weights
from advsp.show.pictures import check_picture, save_picture
from advsp.support.errors import InputError
from advsp.support.progress import Reporter
from advsp.support.words import counted


@dataclass(frozen=True)
class Wanted:
    """What is to be shown.

    Attributes
    ----------
    split: whose examples; None for the validation split, or the test split where there is none.
    example: number of the example whose games are shown, from 1; None for the hardest.
    weights, hardest: numbers of strongest weights of a label, and of hardest examples.
    figures: folder for figures; None for none.
    """

    split: str | None = None
    example: int | None = None
    weights: int = 10
    hardest: int = 10
    figures: Path | None = None


def show_system(system: SystemInUse, wanted: Wanted, reporter: Reporter, console: Console) -> None:
    """Print and draw what is wanted of a system.

    Raises
    ------
    InputError: no such split or example; figures cannot be drawn.
    """
    corpus = system.run.config.corpus
    split = wanted.split or corpus.validation or corpus.splits[-1]
    if split not in corpus.splits:
        raise InputError(f"the run has no split {split!r}", hint=f"it has {', '.join(corpus.splits)}")
    pictures = {}
    if wanted.figures is not None:
        pictures = {name: wanted.figures / f"{name}.svg" for name in ("learning-curves", "equilibrium")}
        for path in pictures.values():
            check_picture(path)
    instances = system.run.folder.instances(system.point.view, split)
    games = [] if wanted.example is None else solve_example(system, instances, wanted.example)
    reporter.say(f"{system.describe()}; {split}: {counted(len(instances), instances.example)}")
    curves = learning_curves(system)
    print_curves(curves, console)
    if wanted.weights:
        models = model_weights(system, instances, wanted.weights)
        labels = [labels_of(instances, model.classes) for model in system.models]
        print_weights(models, labels, console)
    number = wanted.example
    if wanted.hardest or number is None:
        progress = reporter.start("hardest examples", len(instances) * len(system.models))
        found = hardest(system, instances, max(1, wanted.hardest), progress)
        reporter.stop()
        if wanted.hardest:
            print_hardest(found, instances, system.point.config.selection.metric, console)
        if number is None:
            number = found[0].number
            games = solve_example(system, instances, number)
    example = example_of(instances, number)
    title = f"{system.name}, {split}, {instances.example} {number}"
    if games:
        reporter.say(title)
        print_games(games, example, console)
    else:
        reporter.say(f"{system.name} decides without games: there is no equilibrium to show")
    if pictures:
        save_picture(pictures["learning-curves"], lambda: draw_curves(curves, system.name))
        reporter.say(f"wrote {pictures['learning-curves']}")
        if games:
            save_picture(pictures["equilibrium"], lambda: draw_games(games, example, title))
            reporter.say(f"wrote {pictures['equilibrium']}")
