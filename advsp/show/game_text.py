"""A game as texts: the table of its matrix, and what is said beside it.

Lines of the table are the adversary's labellings and columns the predictor's, as in Table 1 of the paper.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from advsp.engine.measures.roles import P, S
from advsp.engine.mixture import Mixture
from advsp.show.full_game import ShownGame, size_text
from advsp.show.game_file import AerFile, Pair
from advsp.support.arrays import Floats, Labels

#: A labelling of a lower probability counts as not played.
PLAYED = 5e-5
#: Tables whose payoffs all are fractions of so small a denominator show fractions.
_DENOMINATOR = 24


def table(shown: ShownGame) -> list[list[str]]:
    """The matrix as texts: a head, a line a labelling of the adversary, the predictor's probabilities.

    Raises
    ------
    ValueError: the game has no matrix.
    """
    matrix, description = shown.matrix, shown.description
    if matrix is None:
        raise ValueError("the matrix was not written out")
    write = _writer(np.append(matrix.payoffs.ravel(), matrix.potentials))
    row = _probabilities(shown.equilibrium.predictor, matrix.predictions)
    column = _probabilities(shown.equilibrium.adversary, matrix.actuals)
    lines = [["", *map(description.predicted_name, matrix.predictions), "psi", "probability"]]
    for place, labelling in enumerate(matrix.actuals):
        payoffs = map(write, matrix.payoffs[:, place])
        psi, share = write(matrix.potentials[place]), _share(column[place])
        lines.append([description.actual_name(labelling), *payoffs, psi, share])
    return [*lines, ["probability", *map(_share, row), "", ""]]


def _probabilities(mixture: Mixture, labellings: Labels) -> Floats:
    """Probability of each of ``labellings`` [s, n] in a mixture, float [s]."""
    places = {labelling.tobytes(): place for place, labelling in enumerate(labellings)}
    found = np.zeros(len(labellings))
    for labelling, probability in zip(mixture.labellings, mixture.probabilities, strict=True):
        found[places[labelling.astype(np.int8).tobytes()]] += probability
    return found


def _fraction(value: float, denominator: int = _DENOMINATOR) -> Fraction | None:
    """The fraction of a small denominator that ``value`` is but for rounding, if there is one."""
    near = Fraction(value).limit_denominator(denominator)
    return near if abs(value - near) < 1e-9 else None


def _writer(values: Floats) -> Callable[[float], str]:
    """How all of some numbers are written: as fractions if they all are, else with four decimals."""
    if all(_fraction(value) is not None for value in values.tolist()):
        return lambda value: str(_fraction(float(value)))
    return lambda value: f"{value + 0.0:.4f}"


def _share(probability: float) -> str:
    """A probability; nothing for a labelling that is not played."""
    return f"{probability:.4f}" if probability > PLAYED else ""


def summary(shown: ShownGame) -> list[str]:
    """The value in two ways with its gaps, and the pair of labellings that the game is to show, as lines."""
    found, matrix, description = shown.equilibrium, shown.matrix, shown.description
    lines: list[str] = []
    if isinstance(description, AerFile) and description.pair is not None:
        lines += _pair(description, description.pair)
    rows, columns = description.sizes()
    if matrix is not None:
        rows, columns = matrix.payoffs.shape
    played = [int((mixture.probabilities > PLAYED).sum()) for mixture in (found.predictor, found.adversary)]
    lines.append(
        f"by the double oracle: value {_value(found.value)}, gap {found.gap:.1e}, rounds {found.iterations}; "
        f"in its mixtures {played[0]} of {size_text(rows)} predictions, "
        f"{played[1]} of {size_text(columns)} {description.actuals}"
    )
    if matrix is None:
        lines.append(
            f"by the whole matrix: not written out, it has {size_text(rows)} x {size_text(columns)} = "
            f"{size_text(rows * columns)} payoffs"
        )
        return lines
    solution = matrix.solution
    lines.append(
        f"by the whole matrix: value {_value(solution.value)}, gap {max(0.0, solution.gap):.1e}, "
        f"{size_text(matrix.payoffs.size)} payoffs"
    )
    lines.append(f"difference of the values: {abs(found.value - solution.value):.1e}")
    return lines


def _value(value: float) -> str:
    """A value, and the fraction that it is."""
    fraction = _fraction(value, 200)
    return f"{value + 0.0:.6f}" + ("" if fraction is None or fraction.denominator == 1 else f" = {fraction}")


def _pair(description: AerFile, pair: Pair) -> list[str]:
    """One cell, worked out: how a proposal scores against one alignment."""
    gold = np.array(["NPS".index(letter) for letter in "".join(pair.gold)])
    links = np.array([letter == "A" for letter in "".join(pair.proposed)])
    proposed, sure = int(links.sum()), int((gold == S).sum())
    sure_hits, possible_hits = int((links & (gold == S)).sum()), int((links & (gold == P)).sum())
    score = description.build().score.scores(links[None].astype(np.int8), gold[None].astype(np.int8))[0, 0]
    width = max(len("gold"), description.shape[1])
    lines = [f"{'gold':{width}}  proposed"]
    lines += [f"{g:{width}}  {a}" for g, a in zip(pair.gold, pair.proposed, strict=True)]
    lines += [
        f"proposed links {proposed}, sure links {sure}; hits: {sure_hits} sure (these are possible, too), "
        f"{possible_hits} possible",
        f"score ({sure_hits} + {sure_hits + possible_hits}) / ({proposed} + {sure}) = {_value(score)}, "
        f"AER {_value(1.0 - score)}"
        if proposed + sure
        else "no link is proposed and none is sure: score 1, AER 0",
        "",
    ]
    return lines
