"""The systems whose regret is measured: how each is trained, and how it decides."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from advsp.experiments.config import OptimiserConfig
from advsp.experiments.recipe import train
from advsp.learners.adversarial import Adversarial
from advsp.learners.adversarial_corpus import AdversarialCorpus
from advsp.learners.base import Decoded, Learner
from advsp.learners.crf import CRF
from advsp.learners.ssvm_tags import TagSVM
from advsp.support.arrays import Bools, Floats
from advsp.training.instances import ChainInstances
from regret.population import CLASS, Population

#: Weight of the penalty, the same for every system and number of sentences: it vanishes beside many.
L2 = 0.5
#: Updates that online training makes at least, and the fewest and most passes.
_UPDATES, _FEWEST, _MOST = 100_000, 3, 200

#: From the outputs in all contexts and in training to decisions in all contexts.
Decide = Callable[[Decoded, Decoded], Bools]


@dataclass(frozen=True)
class System:
    """One way to learn and to decide.

    Attributes
    ----------
    learner: with its options.
    decide: decisions from what it says.
    optimiser: registered name.
    """

    learner: Learner
    decide: Decide
    optimiser: str = "adagrad"

    def decisions(self, population: Population, data: ChainInstances, seed: int) -> Bools:
        """What it says of every context, bool [X, n], once it has learnt from ``data``."""
        options: dict[str, object] = {"name": self.optimiser, "l2": L2}
        if self.optimiser == "adagrad":
            options |= {"step": 0.3, "passes": min(_MOST, max(_FEWEST, _UPDATES // len(data)))}
        else:
            options |= {"passes": 100, "average": "weighted"}
        optimiser = OptimiserConfig.model_validate(options)
        model = train(self.learner, data, (CLASS,), optimiser=optimiser, seed=seed)
        said = [model.decode(part, 1e-6)[CLASS] for part in (population.every_context(), data)]
        return self.decide(*said).reshape(population.contexts, population.length)


def plug_in(marginals: Floats) -> float:
    """The threshold on marginals [T] that is best if they are true: half the F1 that it reaches.

    >>> plug_in(np.array([0.9, 0.3, 0.3, 0.1]))
    0.34615384615384615
    """
    threshold = 0.5
    for _ in range(1000):
        chosen = marginals > threshold
        score = 2.0 * float(marginals[chosen].sum()) / (chosen.sum() + float(marginals.sum()))
        if abs(score / 2.0 - threshold) < 1e-12:
            break
        threshold = score / 2.0
    return threshold


def _mode(said: Decoded, training: Decoded) -> Bools:
    return said.mode


def _above_half(said: Decoded, training: Decoded) -> Bools:
    decided: Bools = said.marginal > 0.5
    return decided


def _plugged_in(said: Decoded, training: Decoded) -> Bools:
    decided: Bools = said.marginal > plug_in(training.marginal)
    return decided


#: By the names that the figure has.
SYSTEMS = {
    "ADV_f1": System(Adversarial(), _mode),
    "ADV_corpus": System(AdversarialCorpus(weight=3.0, f="updated"), _above_half),
    "CRF, plug-in threshold": System(CRF(start="own"), _plugged_in),
    "CRF, best sequence": System(CRF(start="own"), _mode),
    "SSVM": System(TagSVM(), _mode, "bcfw"),
}
