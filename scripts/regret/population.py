"""A population of short sentences with known P(y | x), and the best decisions there are.

A context x is one of a few sentences, all equally likely; y says at each of its positions whether a token is
a name.  P(y | x) is a linear chain with potentials of its own for every x.  Everything that is expected under
it is summed exactly, over all labellings.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from scipy.sparse import csr_matrix

from advsp.support.arrays import Bools, Floats, Ints
from advsp.training.instances import ChainInstances

#: The one class there is to find.
CLASS = "NAME"
_TAGS = (CLASS, "O")


@dataclass(frozen=True)
class Population:
    """Sentences of one length.

    Attributes
    ----------
    probabilities: float [X, 2 ** n], P(y | x) of every context and labelling.
    labellings: bool [2 ** n, n], True where a token is a name.
    """

    probabilities: Floats
    labellings: Bools

    @classmethod
    def draw(cls, contexts: int, length: int, seed: int) -> Population:
        """One with random potentials, normal around those of rare names that like to stand side by side."""
        rng = np.random.default_rng(seed)
        labellings = np.array(list(product([False, True], repeat=length)))
        unary = rng.normal(-1.2, 1.5, size=(contexts, length))
        pairs = rng.normal(0.8, 1.0, size=(contexts, length - 1))
        together = labellings[:, 1:] & labellings[:, :-1]
        potentials = unary @ labellings.T + pairs @ together.T
        shares = np.exp(potentials - potentials.max(axis=1, keepdims=True))
        return cls(shares / shares.sum(axis=1, keepdims=True), labellings)

    @property
    def contexts(self) -> int:
        """Number of contexts X."""
        return len(self.probabilities)

    @property
    def length(self) -> int:
        """Tokens of a sentence."""
        return int(self.labellings.shape[1])

    # --- samples ---------------------------------------------------------------------------------------

    def sample(self, sentences: int, rng: np.random.Generator) -> ChainInstances:
        """So many sentences with their labels, drawn independently."""
        drawn = rng.integers(self.contexts, size=sentences)
        cumulated = self.probabilities.cumsum(axis=1)
        labels = (rng.random(sentences)[:, None] > cumulated[drawn]).sum(axis=1)
        return self.instances(drawn, self.labellings[np.minimum(labels, len(self.labellings) - 1)])

    def every_context(self) -> ChainInstances:
        """Each context once; the labels say nothing."""
        return self.instances(np.arange(self.contexts), np.zeros((self.contexts, self.length), dtype=bool))

    def instances(self, contexts: Ints, labels: Bools) -> ChainInstances:
        """Sentences of ``contexts`` int [S] with ``labels`` bool [S, n].

        Features are as rich as can be: of nodes and of edges one for every context and position.
        """
        number, n = len(contexts), self.length
        columns = (contexts[:, None] * n + np.arange(n)).ravel()
        shape = number * n, self.contexts * n
        features = csr_matrix((np.ones(number * n), columns, np.arange(number * n + 1)), shape=shape)
        return ChainInstances(
            node=features,
            edge=features,
            tags=np.where(labels.ravel(), 0, 1).astype(np.int8),
            offsets=np.arange(0, number * n + 1, n, dtype=np.int64),
            tag_names=_TAGS,
            words=((),) * number,
            gold=((),) * number,
        )

    # --- what is expected ------------------------------------------------------------------------------

    @cached_property
    def marginals(self) -> Floats:
        """Probability that a token is a name, [X, n]."""
        found: Floats = self.probabilities @ self.labellings
        return found

    def sentence_f1(self, decided: Bools) -> float:
        """Expected F1 of a sentence, 1 where neither side has a name, of decisions bool [X, n]."""
        return float(np.take_along_axis(self._sentence_f1, _numbers(decided)[:, None], axis=1).mean())

    def corpus_f1(self, decided: Bools) -> float:
        """F1 of a corpus without end, of decisions bool [X, n]."""
        hits = float(self.marginals[decided].sum())
        return 2.0 * hits / float(decided.sum() + self.marginals.sum())

    @cached_property
    def best_sentence_f1(self) -> float:
        """The best expected F1 of a sentence: the best labelling for every context."""
        return float(self._sentence_f1.max(axis=1).mean())

    @cached_property
    def best_corpus_f1(self) -> float:
        """The best F1 of a corpus: a threshold on marginals has it (Lewis, 1995), and every one is tried."""
        levels = np.unique(self.marginals)
        return max(self.corpus_f1(self.marginals >= level) for level in levels)

    @cached_property
    def _sentence_f1(self) -> Floats:
        """Expected F1 of every labelling in every context, [X, 2 ** n]."""
        said = self.labellings.astype(float)
        hits = said @ said.T
        sizes = said.sum(axis=1)
        total = sizes[:, None] + sizes[None, :]
        f1 = np.divide(2.0 * hits, total, out=np.ones_like(hits), where=total > 0)
        found: Floats = self.probabilities @ f1.T
        return found


def _numbers(decided: Bools) -> Ints:
    """Numbers int [X] of labellings bool [X, n] in the order of ``Population.labellings``."""
    powers = 2 ** np.arange(decided.shape[1])[::-1]
    found: Ints = decided @ powers
    return found
