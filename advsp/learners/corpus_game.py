"""The game of corpus F: the F-score of the whole corpus, made linear, against an adversary with entropy.

The predictor plays a marginal p_tc in [0, 1] for every token t and class c, the adversary a distribution over
the tag sequences of every sentence, whose entropy is part of what it gets.  With b = beta squared,

    loss_i = min over p of  log Z(psi - charges(p)) + sum_tc s_c F_c p_tc - psi(gold),
    charges(p)_tc = s_c ((1 + b) p_tc - F_c b),

s_c the stake of a class: what it is played for.  F_beta = (1 + b) sum p q / sum (p + b q) is at least F just
where (1 + b) sum p q - F sum (p + b q) is not negative (Dinkelbach, 1967), which is what is played for; q_tc
is the adversary's marginal.  The loss is convex in the potentials and p together, and its gradient by the
potentials is the moments of the charged chain less the gold ones.  With nothing at stake it is the log-loss.

For given potentials p is found by Newton steps within the box: the gap sum_tc [d p - min(0, d)] of Frank and
Wolfe, d = s_c (F_c - (1 + b) q_tc) the derivative by p_tc, bounds how far the value is above the least one.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from advsp.engine.backends.base import Backend
from advsp.engine.backends.description import Description
from advsp.learners.log_loss import forward_backward, with_costs
from advsp.support.arrays import Floats, Ints, plain
from advsp.training.chain_model import ChainModel
from advsp.training.objective import LossOf, LossValue, State

#: Most marginals whose covariances are looked at; where more are free, each is moved by itself.
COVERED = 64
#: Most Newton steps, sweeps over the coordinates of one, and halvings of its length.
ROUNDS, SWEEPS, HALVINGS = 100, 500, 30
#: Part of its longest step, and of the value, that is too little to go on for.
SLIGHT, UNSEEN = 1e-6, 1e-15
#: Part of a stake that is added to second derivatives, which may be zero.
RIDGE = 1e-9


class CorpusGameLoss(LossOf[ChainModel]):
    """The loss of the corpus-F game; the predictor's marginals are kept from one evaluation to the next.

    Parameters
    ----------
    model: the linear map.
    classes: int64 [m], number of the class of every tag, -1 for tags that are of none.
    stakes: float [K], not negative.
    scores: float [K], the F-score of every class at which its score is made linear, between 0 and 1.
    beta: weight of recall against precision.
    renewed: whether ``scores`` are those that the marginals of the pass before give, from the second pass on.
    backend: where it is computed.
    """

    unfinished = ("sentence", "ended with a wider gap than asked for: too large potentials")

    def __init__(
        self,
        model: ChainModel,
        classes: Ints,
        stakes: Floats,
        scores: Floats,
        beta: float = 1.0,
        renewed: bool = False,
        backend: Backend | None = None,
    ) -> None:
        super().__init__(model, backend)
        self.classes, self.stakes, self.scores = classes, stakes, scores.copy()
        self.beta, self.recall, self.renewed = beta, beta * beta, renewed
        self.latent = model.start == "latent"
        self.played = np.zeros((int(self.offsets[-1]), len(stakes)))
        self.met = np.zeros_like(self.played)

    def __copy__(self) -> CorpusGameLoss:
        """A copy that remembers by itself."""
        copied = CorpusGameLoss(
            self.model, self.classes, self.stakes, self.scores, self.beta, self.renewed, self.backend
        )
        copied.restore(self.state())
        return copied

    def describe(self) -> Description:
        return Description(
            "corpus-game",
            {
                "offsets": plain(self.offsets, int),
                "gold": plain(self.model.labels, np.int8),
                "rows": self.model.layout.describe(),
                "latent": self.latent,
                "classes": plain(self.classes, int),
                "stakes": plain(self.stakes),
                "scores": self.scores,
                "recall": float(self.recall),
                "played": self.played,
                "met": self.met,
                "most": np.array([COVERED, ROUNDS, SWEEPS, HALVINGS]),
                "slight": np.array([RIDGE, SLIGHT, UNSEEN]),
            },
        )

    # --- what is remembered --------------------------------------------------------------------------------

    def state(self) -> State:
        return {"played": self.played.copy(), "met": self.met.copy(), "scores": self.scores.copy()}

    def restore(self, state: State) -> None:
        # In place: kernels have these very arrays.
        self.played[:], self.met[:], self.scores[:] = state["played"], state["met"], state["scores"]

    def tally(self) -> Floats:
        if not self.renewed:
            return np.empty(0)
        both = (self.played * self.met).sum(axis=0)
        return np.stack([both, self.played.sum(axis=0), self.met.sum(axis=0)])

    def renew(self, tally: Floats) -> None:
        both, played, met = tally
        # As long as nothing is played there is no score to speak of.
        there = both > 0.0
        found = (1.0 + self.recall) * both[there] / (played[there] + self.recall * met[there])
        self.scores[there] = np.clip(found, 0.05, 0.99)

    # --- the loss -------------------------------------------------------------------------------------------

    def start(self) -> tuple[Floats, Floats]:
        """The gold labelling: the predictor answers it, and it has no entropy."""
        moments, gains = super().start()
        won = (1.0 + self.recall) * self.stakes * (1.0 - self.scores)
        number = self.classes[self.model.labels]
        of_token = np.where(number >= 0, won[number], 0.0)
        for example in range(self.model.examples):
            gains[example] = of_token[self.model.rows(example)].sum()
        return moments, gains

    def evaluate(self, example: int, potentials: Floats, tolerance: float) -> LossValue:
        rows = self.model.rows(example)
        found = _Sentence(self, potentials, self.played[rows], self.met[rows])
        gap = found.settle(tolerance)
        gold = self.model.gold_moments(example)
        value = found.value - float(np.vdot(gold, potentials))
        return LossValue(value - gap, value, found.moments - gold)

    @cached_property
    def of_class(self) -> Floats:
        """Which tags are of which class, 0 or 1, float [m, K]."""
        found: Floats = (self.classes[:, None] == np.arange(len(self.stakes))).astype(float)
        return found


class _Sentence:
    """One sentence's charged chain, and the predictor's marginals on their way to the best ones.

    Attributes
    ----------
    played, met: float [n, K], marginals of the predictor and of the adversary; changed in place.
    value: of the charged chain; moments: float [n, w].
    """

    def __init__(self, loss: CorpusGameLoss, potentials: Floats, played: Floats, met: Floats) -> None:
        self.loss, self.potentials, self.played, self.met = loss, potentials, played, met
        self._charge()

    def settle(self, tolerance: float) -> float:
        """Move the predictor's marginals until their gap is within the tolerance, if it can be; the gap."""
        for _ in range(ROUNDS):
            gap = self._gap()
            if gap <= tolerance:
                return gap
            slopes = self._slopes()
            free = np.argwhere(
                ((slopes > 0.0) & (self.played > 0.0)) | ((slopes < 0.0) & (self.played < 1.0))
            )
            if not self._search(free, self._direction(free, slopes), slopes):
                break
        return self._gap()

    def _charge(self) -> None:
        """The chain that the predictor's marginals charge."""
        loss = self.loss
        worth = (1.0 + loss.recall) * self.played - loss.scores * loss.recall
        charged = with_costs(self.potentials, -(loss.stakes * worth) @ loss.of_class.T)
        alone = np.array([0, len(charged)])
        normaliser, self.moments = forward_backward(loss.model, charged, alone, latent=loss.latent)
        self.met[:] = self.moments[:, : loss.model.tags] @ loss.of_class
        self.value = float(normaliser[0] + (loss.stakes * loss.scores * self.played).sum())

    def _slopes(self) -> Floats:
        """Derivatives of the value by the predictor's marginals, [n, K]."""
        loss = self.loss
        slopes: Floats = loss.stakes * (loss.scores - (1.0 + loss.recall) * self.met)
        return slopes

    def _gap(self) -> float:
        slopes = self._slopes()
        return float((slopes * self.played - np.minimum(0.0, slopes)).sum())

    def _direction(self, free: Ints, slopes: Floats) -> Floats:
        """Where the value's second-order model is least within [0, 1], [k], by coordinate descent."""
        places = tuple(free.T)
        slope, now = slopes[places].copy(), self.played[places]
        stakes = self.loss.stakes[free[:, 1]]
        direction = np.zeros(len(free))
        if len(free) > COVERED:
            met = self.met[places]
            curved = ((1.0 + self.loss.recall) * stakes) ** 2 * met * (1.0 - met)
            # Where covariances are left out, half a step: neighbours move, too.
            goal = -0.5 * slope / (curved + RIDGE * stakes)
            clipped: Floats = np.clip(goal, -now, 1.0 - now)
            return clipped
        curved = self._curvature(free) + np.diag(RIDGE * stakes)
        for _ in range(SWEEPS):
            moved = 0.0
            for u in range(len(free)):
                goal = direction[u] - slope[u] / curved[u, u]
                change = min(max(goal, -now[u]), 1.0 - now[u]) - direction[u]
                direction[u] += change
                slope += curved[u] * change
                moved = max(moved, abs(change))
            if moved <= SLIGHT * np.abs(direction).max():
                break
        return direction

    def _curvature(self, free: Ints) -> Floats:
        """Second derivatives [k, k]: covariances of classes at two positions, times their stakes."""
        loss, m = self.loss, self.loss.model.tags
        pairs = self.moments[:, -m * m :].reshape(-1, m, m)
        before = self.moments[:-1, :m, None]
        # Probability of a tag after another one.
        onward = np.divide(pairs[1:], before, out=np.zeros_like(pairs[1:]), where=before > 0.0)
        curved = np.empty((len(free), len(free)))
        for u, (at, k) in enumerate(free):
            here, t = self.moments[at, :m] * loss.of_class[:, k], at
            for v in range(u, len(free)):
                while t < free[v, 0]:
                    here, t = here @ onward[t], t + 1
                both = here @ loss.of_class[:, free[v, 1]] - self.met[at, k] * self.met[tuple(free[v])]
                curved[u, v] = curved[v, u] = both
        stakes = (1.0 + loss.recall) * loss.stakes[free[:, 1]]
        return curved * np.outer(stakes, stakes)

    def _search(self, free: Ints, direction: Floats, slopes: Floats) -> bool:
        """Go along a direction as far as the value falls enough, or the gap where rounding hides that.

        Returns
        -------
        Whether either does.
        """
        places = tuple(free.T)
        before, value = self.played[places], self.value
        falls, step = float(slopes[places] @ direction), 1.0
        # Where rounding hides how far the value falls the gap still shows which end is nearer.
        hidden, gap = -falls <= UNSEEN * abs(value), self._gap()
        for _ in range(1 if hidden else HALVINGS):
            self.played[places] = np.clip(before + step * direction, 0.0, 1.0)
            self._charge()
            if self._gap() < gap if hidden else self.value <= value + 1e-4 * step * falls:
                return True
            step *= 0.5
        # Nothing is gained.
        self.played[places] = before
        self._charge()
        return False
