"""Which runs there are, and what is compared in them."""

from __future__ import annotations

from pathlib import Path

from advsp.experiments.config import ExperimentConfig, load_config
from advsp.experiments.evaluate import evaluate
from advsp.experiments.grid import seeds
from advsp.experiments.run_folder import scores_file
from advsp.experiments.train import train
from advsp.metrics.choice import Choice
from advsp.metrics.scores import Scores
from advsp.support.progress import Reporter

#: Blocks of training sentences by the end of their configuration's name.
BLOCKS = ("300", "1000", "3000", "full")
#: Systems without a game in them: what a game has to be as good as.
RIVALS = ("CRF", "CRF+adagrad", "CRF+margin", "SSVM")


def config_of(block: str, root: Path = Path(".")) -> ExperimentConfig:
    """The configuration of a block."""
    return load_config(root / f"configs/equal/equal{block}.yaml")


def make(block: str, reporter: Reporter) -> None:
    """Train and score a block; what is there and whole is taken as it is."""
    config = config_of(block)
    train(config, reporter, resume=True)
    scores = scores_file(config)
    if not scores.exists() or Scores.read(scores).fingerprint != config.fingerprint():
        evaluate(config.folder, reporter)


def scores_of(block: str, root: Path = Path(".")) -> Scores:
    """The scores of a block.

    Raises
    ------
    InputError: there are none yet.
    """
    return Scores.read(root / f"results/scores/equal{block}.json")


def row_of(config: ExperimentConfig, system: str) -> str:
    """The name that tables give to the mean of a system's seeds, or to its one model."""
    return f"{system}+average" if len(seeds(config, system)) > 1 else system


def best_rival(selection: dict[str, Choice]) -> str:
    """The rival that was best on what systems were chosen on."""
    return max(RIVALS, key=lambda name: selection[name].score or 0.0)
