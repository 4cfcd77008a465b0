"""How much is measured."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """Sizes, repetitions and budgets of a run.

    Attributes
    ----------
    quick: whether this is the small version, which shows that everything works.
    seed: of every random number.
    rounds: most repetitions of a measurement.
    budget: seconds that a candidate may be expected to take for one repetition; also the seconds after which
        it is not repeated.
    training_budget: seconds that a whole training may be expected to take.
    games: games of every kind and size.
    lengths: tokens of the chain games.
    edges: (source words, target words) of the alignment games.
    iterations: rounds after which a game is left as it is.
    sentences: sizes of the training sets.
    passes: passes of online AdaGrad of a full training.
    certified_passes: most passes of the conditional gradient.
    pairs: sentence pairs that the aligner is trained on, None for all.
    aligner_passes: passes of its training.
    """

    quick: bool = False
    seed: int = 1
    rounds: int = 3
    budget: float = 2.0
    training_budget: float = 40.0
    games: int = 3
    lengths: tuple[int, ...] = (5, 10, 20, 40, 80, 113)
    edges: tuple[tuple[int, int], ...] = ((4, 4), (8, 10), (16, 20), (30, 30), (55, 55), (80, 80))
    iterations: int = 2000
    sentences: tuple[int, ...] = (300, 1000, 3000)
    passes: int = 15
    certified_passes: int = 400
    pairs: int | None = None
    aligner_passes: int = 10


#: What ``--quick`` measures.
QUICK = Settings(
    quick=True,
    rounds=2,
    budget=1.0,
    training_budget=8.0,
    games=2,
    lengths=(5, 10, 20),
    edges=((4, 4), (8, 10), (16, 20)),
    iterations=300,
    sentences=(40, 80),
    passes=3,
    certified_passes=4,
    pairs=10,
    aligner_passes=2,
)
