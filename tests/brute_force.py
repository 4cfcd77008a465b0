"""The enumeration oracle: every small game written out in full, with nothing taken from the package.

Scores follow their definitions in the paper (F-measure: Eq. 1; alignment error rate: Eq. 2; additive
costs: section 3.4), labellings come from ``itertools.product``, a potential is a sum in a plain loop,
and the value of a game is the value of its whole payoff matrix.  A labelling is a tuple of ints; the
labels of an edge are 0 = N, 1 = P, 2 = S.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations, pairwise, product

import numpy as np
from scipy.optimize import OptimizeResult, linprog

Labelling = tuple[int, ...]

# --- labellings ------------------------------------------------------------------------------------


def labellings(length: int, labels: int) -> list[Labelling]:
    """Every labelling of ``length`` positions with ``labels`` labels."""
    return list(product(range(labels), repeat=length))


@cache
def matchings(shape: tuple[int, int], labels: int) -> Sequence[Labelling]:
    """Every labelling of a grid of edges, row-major, that links no word twice."""
    rows, columns = shape
    found = []
    for labelling in labellings(rows * columns, labels):
        links = [divmod(edge, columns) for edge, label in enumerate(labelling) if label != 0]
        if len({e for e, _ in links}) == len(links) == len({f for _, f in links}):
            found.append(labelling)
    return tuple(found)


@cache
def column_chains(shape: tuple[int, int], labels: int) -> Sequence[Labelling]:
    """Every labelling of a grid of edges in which a column has no label, one, or two on neighbouring rows."""

    def allowed(labelling: Labelling) -> bool:
        for f in range(shape[1]):
            rows = [e for e in range(shape[0]) if labelling[e * shape[1] + f]]
            if len(rows) > 2 or (len(rows) == 2 and rows[1] - rows[0] > 1):
                return False
        return True

    return [y for y in labellings(shape[0] * shape[1], labels) if allowed(y)]


def steps_potential(labelling: Labelling, steps, shape: tuple[int, int]) -> float:
    """Sum of ``steps`` [n_f - 1, 3] that neighbouring columns make: monotone, swap, stay."""
    total = 0.0
    spans = []
    for f in range(shape[1]):
        rows = [e for e in range(shape[0]) if labelling[e * shape[1] + f]]
        spans.append((min(rows), max(rows)) if rows else None)
    for f, (left, right) in enumerate(pairwise(spans)):
        if left is None or right is None:
            continue
        if right[0] - left[1] == 1:
            total += steps[f][0]
        elif left[0] - right[1] == 1:
            total += steps[f][1]
        elif set(range(left[0], left[1] + 1)) & set(range(right[0], right[1] + 1)):
            total += steps[f][2]
    return total


# --- scores ----------------------------------------------------------------------------------------


@cache
def f_beta(predicted: Labelling, actual: Labelling, target: int, beta: float) -> float:
    """F_beta of ``target``: the weighted harmonic mean of precision and recall, 1 if both lack it."""
    both = said = meant = 0
    for a, y in zip(predicted, actual, strict=True):
        said += a == 1
        meant += y == target
        both += a == 1 and y == target
    if said == meant == 0:
        return 1.0
    if both == 0:
        return 0.0
    precision, recall = both / said, both / meant
    return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)


@cache
def one_minus_aer(predicted: Labelling, actual: Labelling) -> float:
    """(|A & S| + |A & P|) / (|A| + |S|), where what is sure is possible too; 1 without A and S."""
    proposed = {edge for edge, a in enumerate(predicted) if a == 1}
    sure = {edge for edge, y in enumerate(actual) if y == 2}
    possible = sure | {edge for edge, y in enumerate(actual) if y == 1}
    if not proposed and not sure:
        return 1.0
    return (len(proposed & sure) + len(proposed & possible)) / (len(proposed) + len(sure))


def additive(predicted: Labelling, actual: Labelling, cost: dict[str, float]) -> float:
    """Sum over edges of one minus the cost of that pair of labels, e.g. ``cost["AN"]``."""
    return sum(1.0 - cost["NA"[a] + "NPS"[y]] for a, y in zip(predicted, actual, strict=True))


# --- potentials ------------------------------------------------------------------------------------


def chain_potential(labelling: Labelling, unary, pairwise, start=None) -> float:
    """Potential of one tag sequence; ``pairwise`` is one table, or one table per step."""
    total = 0.0 if start is None else start[labelling[0]]
    for t, tag in enumerate(labelling):
        total += unary[t][tag]
    for t in range(len(labelling) - 1):
        table = pairwise if np.ndim(pairwise) == 2 else pairwise[t]
        total += table[labelling[t]][labelling[t + 1]]
    return float(total)


def edge_potential(labelling: Labelling, sure, possible) -> float:
    """Potential of one alignment: what its sure and its possible links carry."""
    total = 0.0
    for edge, label in enumerate(labelling):
        if label == 1:
            total += possible[edge]
        elif label == 2:
            total += sure[edge]
    return float(total)


# --- games -----------------------------------------------------------------------------------------


def _solved(**program) -> OptimizeResult:
    """The solution of a linear program by one of several ways: older releases give up on some programs."""
    tolerances = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
    for method, presolve in (("highs-ds", False), ("highs-ds", True), ("highs-ipm", True)):
        result = linprog(**program, method=method, options={**tolerances, "presolve": presolve})
        if result.x is not None:
            return result
    raise AssertionError(f"no solution: {result.message}")


@dataclass(frozen=True)
class FullGame:
    """A game written out: every labelling of either player and every payoff to the predictor.

    Attributes
    ----------
    predictions, actuals: labellings of the predictor (rows) and of the adversary (columns).
    payoffs: float [rows, columns], score less the potential of the adversary's labelling.
    """

    predictions: list[Labelling]
    actuals: list[Labelling]
    payoffs: np.ndarray

    @cached_property
    def value(self) -> float:
        """Value of the game."""
        return value(self.payoffs)

    def against_predictor(self, mixture) -> np.ndarray:
        """Expected payoff of every actual labelling against a mixture of predictions."""
        places = {labelling: place for place, labelling in enumerate(self.predictions)}
        return _mixed(mixture, lambda labelling: self.payoffs[places[labelling]])

    def against_adversary(self, mixture) -> np.ndarray:
        """Expected payoff of every prediction against a mixture of actual labellings."""
        places = {labelling: place for place, labelling in enumerate(self.actuals)}
        return _mixed(mixture, lambda labelling: self.payoffs[:, places[labelling]])


def _mixed(mixture, payoffs_of: Callable[[Labelling], np.ndarray]) -> np.ndarray:
    total = 0.0
    for labelling, probability in zip(mixture.labellings, mixture.probabilities, strict=True):
        total = total + probability * payoffs_of(tuple(int(label) for label in labelling))
    return np.asarray(total)


def full_game(
    predictions: Sequence[Labelling],
    actuals: Sequence[Labelling],
    score: Callable[[Labelling, Labelling], float],
    potential: Callable[[Labelling], float],
) -> FullGame:
    """Write a game out, cell by cell."""
    scores = [[score(a, y) for y in actuals] for a in predictions]
    potentials = [potential(y) for y in actuals]
    return FullGame(list(predictions), list(actuals), np.array(scores) - np.array(potentials))


def chain_game(unary, pairwise, target: int, start=None, beta: float = 1.0) -> FullGame:
    """The F-beta game of one tag over all tag sequences."""
    length, tags = np.shape(unary)
    return full_game(
        labellings(length, 2),
        labellings(length, tags),
        lambda a, y: f_beta(a, y, target, beta),
        lambda y: chain_potential(y, unary, pairwise, start),
    )


def aer_game(sure, possible) -> FullGame:
    """The game of one minus the alignment error rate over all alignments."""
    return full_game(
        labellings(len(sure), 2),
        labellings(len(sure), 3),
        one_minus_aer,
        lambda y: edge_potential(y, sure, possible),
    )


def columns_game(potentials, shape: tuple[int, int], steps) -> FullGame:
    """The game of one minus the alignment error rate, the adversary's columns having two links at most."""
    return full_game(
        labellings(shape[0] * shape[1], 2),
        column_chains(shape, 3),
        one_minus_aer,
        lambda y: sum(potentials[t][label] for t, label in enumerate(y)) + steps_potential(y, steps, shape),
    )


def matching_game(sure, possible, shape: tuple[int, int], cost: dict[str, float]) -> FullGame:
    """The game of additive costs over all matchings, for both players."""
    return full_game(
        matchings(shape, 2),
        matchings(shape, 3),
        lambda a, y: additive(a, y, cost),
        lambda y: edge_potential(y, sure, possible),
    )


def value(payoffs: np.ndarray) -> float:
    """Value of a matrix game whose row player maximises, to 1e-8 times the spread that matters.

    Columns that cost the adversary more at best than another one at worst never enter a mixture;
    without them, and with the payoffs moved and stretched to lie between 1 and 2, every linear program
    is well scaled.  The dual prices are the other player's mixture, and what the two guarantee must agree.
    """
    payoffs = np.asarray(payoffs, dtype=float)
    payoffs = payoffs[:, payoffs.min(axis=0) <= payoffs.max(axis=0).min()]
    least, spread = payoffs.min(), float(np.ptp(payoffs)) or 1.0
    payoffs = 1.0 + (payoffs - least) / spread
    rows, columns = payoffs.shape
    result = _solved(
        c=np.append(np.zeros(columns), 1.0),
        A_ub=np.hstack([payoffs, -np.ones((rows, 1))]),
        b_ub=np.zeros(rows),
        A_eq=np.append(np.ones(columns), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0.0, None)] * (columns + 1),
    )
    column, row = result.x[:columns], -result.ineqlin.marginals
    upper, lower = (payoffs @ column / column.sum()).max(), (row @ payoffs / row.sum()).min()
    assert abs(upper - lower) < 1e-8, "the enumeration oracle is wrong itself"
    return float(least + spread * (0.5 * (upper + lower) - 1.0))


def linear_program(gains, matrix, limits) -> float:
    """The most that gains @ x is worth where matrix @ x <= limits and x >= 0, at a vertex, if there is one.

    A vertex is a feasible point at which as many independent constraints hold with equality as there are
    variables; all choices of them are tried.
    """
    matrix, limits = np.asarray(matrix, dtype=float), np.asarray(limits, dtype=float)
    planes = np.vstack([matrix, -np.eye(len(gains))])
    bounds = np.append(limits, np.zeros(len(gains)))
    best = -np.inf
    for tight in map(list, combinations(range(len(planes)), len(gains))):
        if abs(np.linalg.det(planes[tight])) > 1e-9:
            vertex = np.linalg.solve(planes[tight], bounds[tight])
            if np.all(planes @ vertex <= bounds + 1e-9):
                best = max(best, float(np.dot(gains, vertex)))
    return best


# --- mixtures --------------------------------------------------------------------------------------


def expectation(probabilities: Iterable[float], numbers: Iterable[float]) -> float:
    """Sum of probability times number, in a plain loop."""
    return float(sum(p * x for p, x in zip(probabilities, numbers, strict=True)))
