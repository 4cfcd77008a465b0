"""The runs that the page is about: which configuration, with which keys set, and the commands that say so."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path

from advsp.experiments.config import ExperimentConfig, load_config
from advsp.experiments.run_folder import scores_file

#: Where the runs beside the published ones go.
OUTPUT = "results/published"
#: Sentences of a split in a block of Table 3.
BLOCKS = (300, 1000, 3000)
#: Random starts, with seeds 1, 2, ... in place of the published one; and the blocks that they are tried in.
STARTS, TRIED = 20, (300, 1000)


@dataclass(frozen=True)
class Recipe:
    """One run: train a configuration with some keys set, and evaluate it.

    Attributes
    ----------
    label: how rows of the page name what they were made by.
    config: file of the configuration.
    settings: ``key=value``, as ``--set`` takes them.
    """

    label: str
    config: str
    settings: tuple[str, ...] = ()

    @property
    def commands(self) -> list[str]:
        """The commands, as typed."""
        given = [part for setting in self.settings for part in ("--set", setting)]
        return [shlex.join(["advsp", verb, self.config, *given]) for verb in ("train", "evaluate")]

    def load(self) -> ExperimentConfig:
        """The configuration."""
        return load_config(self.config, self.settings)

    def scores(self, root: Path) -> Path:
        """Where its scores are, below the folder that holds ``configs`` and ``results``."""
        return root / scores_file(load_config(root / self.config, self.settings))


def beside() -> list[Recipe]:
    """The runs of other rows in the table of all cells: the CRF's, and those from the authors' files."""
    crf = [Recipe(f"table3-{block}", f"configs/conll{block}.yaml", ("runs=5",)) for block in BLOCKS]
    return [*crf, Recipe("cells-authors", "configs/published/authors300.yaml")]


def recipes(block: int) -> list[Recipe]:
    """All runs of a block."""
    return [published(block), *([starts(block)] if block in TRIED else []), training(block)]


def published(block: int) -> Recipe:
    """The cells themselves."""
    return Recipe(f"cells-{block}", f"configs/published/conll{block}.yaml")


def starts(block: int) -> Recipe:
    """The same with other seeds of the random edges."""
    settings = (f"name=starts{block}", f"output={OUTPUT}", f"runs={STARTS}", "optimiser.initial.seed=null")
    return Recipe(f"starts-{block}", f"configs/published/conll{block}.yaml", settings)


def training(block: int) -> Recipe:
    """Certified training from the published start and from others; of the largest block in part."""
    label, folder = f"training-{block}", "configs/published"
    if block == 3000:
        return Recipe(label, f"{folder}/training3000.yaml")
    corpus = (f"name=training{block}", f"corpus.name=conll_{block}", f"corpus.sentences={block}")
    return Recipe(label, f"{folder}/training.yaml", () if block == 300 else corpus)
