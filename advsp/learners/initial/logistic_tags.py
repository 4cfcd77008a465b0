"""Weights of tagged sequences by one logistic regression a tag, edges zero or random.

Source: Wang, Rezaei and Ziebart's released program begins so, with liblinear (Fan et al., 2008) for the
regressions and java.util.Random for the edges.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np
from annotated_types import Ge, Gt

from advsp.learners.base import Learner
from advsp.learners.initial import initials
from advsp.learners.initial.base import Initial
from advsp.support.arrays import Floats
from advsp.support.errors import InputError
from advsp.support.random import generators
from advsp.support.stated import Stated
from advsp.training.chain_model import ChainModel
from advsp.training.objective import FullBatch, example_by_example

_PACKAGE = "sklearn"


@initials.register("logistic-tags")
@dataclass(frozen=True)
class LogisticTags(Initial):
    """scale * (node weights of a regression of every tag against all others, edge weights).

    The regression of a tag sees the node features of every token, and the bias where the learner has one, and
    minimises  l2 / 2 |w|^2 + sum over tokens of log(1 + exp(-y w x)),  y = 1 for the tag and -1 for others.

    Random edge weights are ``added`` plus a number from [0, 1).  They are drawn edge by edge, as the model
    numbers pairs of tags, and within an edge feature by feature.  One stream serves all classes: the model of
    the class that is the t-th of the tags, from 0, leaves out ``skip`` numbers and t times as many as it
    draws.

    Attributes
    ----------
    l2: weight of the L2 term of a regression.
    tolerance: at which liblinear's primal Newton method stops, relative to the first gradient.
    iterations: most iterations of it.
    edges: ``"zero"`` or ``"uniform"``.
    generator: registered name of the generator of random numbers.
    seed: of the generator; None for that of the run.
    skip: numbers left out at the beginning of the stream.
    added: constant added to random edge weights.
    scale: factor of all weights.
    """

    l2: Annotated[float, Gt(0)] = 1.0
    tolerance: Annotated[float, Gt(0)] = 1e-4
    iterations: Annotated[int, Gt(0)] = 1000
    edges: Literal["zero", "uniform"] = "zero"
    generator: str = "numpy"
    seed: Annotated[Annotated[int, Ge(0)] | None, Stated()] = None
    skip: Annotated[int, Ge(0)] = 0
    added: float = 0.0
    scale: Annotated[float, Gt(0)] = 1.0

    whole: ClassVar[bool] = True

    def check(self, learner: Learner) -> None:
        if learner.task != "tagging":
            raise InputError(
                f"logistic-tags are weights of tags, the learner is one of {learner.task}",
                key="optimiser.initial",
                hint="choose logistic, zeros or uniform",
            )
        try:
            generators.get(self.generator)
        except InputError as error:
            raise InputError(error.problem, key="optimiser.initial.generator", hint=error.hint) from None
        if importlib.util.find_spec(_PACKAGE) is None:
            raise InputError(
                "logistic-tags cannot be used: the package 'scikit-learn' is not installed",
                key="optimiser.initial",
                hint='pip install "advsp[published]", or choose zeros or uniform',
            )

    def weights(
        self, learner: Learner, objective: FullBatch, seed: int, classes: Sequence[str] = ()
    ) -> Floats:
        model = example_by_example(objective).model
        assert isinstance(model, ChainModel)  # what learners of tags have
        weights = np.zeros(model.size)
        node, edge = model.tables(weights)
        for tag in range(model.tags):
            node[:, tag] = self._regression(model, tag)
        if self.edges == "uniform":
            generator = generators.get(self.generator)(seed if self.seed is None else self.seed)
            place = model.instances.tags_of(classes[0])[0] if classes else 0
            generator.skip(self.skip + place * edge.size)
            edge[:] = (generator.uniform(edge.size) + self.added).reshape(edge.shape[::-1]).T
        weights *= self.scale
        return weights

    def _regression(self, model: ChainModel, tag: int) -> Floats:
        """Node weights [F_node] of one tag; zero where all tokens or none are of it."""
        from sklearn.linear_model import LogisticRegression

        found = model.instances.tags == tag
        if found.all() or not found.any():
            return np.zeros(model.node_features)
        regression = LogisticRegression(
            C=1.0 / self.l2,
            tol=self.tolerance,
            max_iter=self.iterations,
            solver="liblinear",
            fit_intercept=False,
        )
        weights: Floats = regression.fit(model.node, found).coef_[0]
        return weights
