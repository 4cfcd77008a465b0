"""A tiny game written out: the matrix of all payoffs, and its equilibrium found in two ways.

Rows are the adversary's labellings and columns the predictor's, as in Table 1 of the paper.  The toolkit's
double oracle sees few of them; beside it stands the linear program over the whole matrix.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from advsp.engine.double_oracle import Equilibrium
from advsp.engine.game import Game
from advsp.engine.lp import open_session
from advsp.engine.lp.base import MatrixSolution
from advsp.engine.measures.roles import P, S
from advsp.engine.mixture import Mixture
from advsp.engine.solving import solve_game
from advsp.engine.structures.base import Structure
from advsp.show.game_file import AerFile, GameFile
from advsp.support.equality import equal_by_value
from advsp.support.errors import InputError
from advsp.support.files import atomic

#: Most payoffs that are written out.
CELLS = 5000
#: A labelling of a lower probability counts as not played.
PLAYED = 5e-5
#: How the names of files may end that a matrix is written to.
FORMATS = (".csv", ".md")
#: Tables whose payoffs all are fractions of so small a denominator show fractions.
_DENOMINATOR = 24


@equal_by_value
@dataclass(frozen=True)
class FullMatrix:
    """All payoffs of a game.

    Attributes
    ----------
    predictions: int8 [r, n], every labelling of the predictor.
    actuals: int8 [c, n], every labelling of the adversary.
    potentials: float [c], psi of every labelling of the adversary.
    payoffs: float [r, c], score less potential.
    solution: the equilibrium of the whole matrix.
    """

    predictions: np.ndarray
    actuals: np.ndarray
    potentials: np.ndarray
    payoffs: np.ndarray
    solution: MatrixSolution


@equal_by_value
@dataclass(frozen=True)
class ShownGame:
    """What there is to see of one game.

    Attributes
    ----------
    description: what the file or example says.
    equilibrium: found by the double oracle.
    matrix: None where it is too large to be written out.
    """

    description: GameFile
    equilibrium: Equilibrium
    matrix: FullMatrix | None


def write_out(description: GameFile, file: Path | None = None) -> ShownGame:
    """Solve a game and write it out.

    A game that is too large comes without its matrix if it has one pair of labellings to look at.

    Parameters
    ----------
    file: named where the game cannot be shown.

    Raises
    ------
    InputError: more than :data:`CELLS` payoffs, or no labelling that is not forbidden.
    """
    rows, columns = description.sizes()
    small = rows * columns <= CELLS
    if not small and getattr(description, "pair", None) is None:
        raise InputError(
            f"the whole matrix has {_size(rows * columns)} payoffs ({_size(rows)} predictions x "
            f"{_size(columns)} {description.actuals}), at most {CELLS} are shown",
            file=file,
            hint=description.largest(CELLS),
        )
    game = description.build()
    matrix = None
    if small:
        matrix = full_matrix(game)
        if matrix is None:
            problem = f"no {description.actuals} are left, all are forbidden by potentials of -.inf"
            raise InputError(problem, file=file)
    # Responses by numpy: the double oracle is not compiled for a game of this size.
    equilibrium = solve_game(game, oracle="numpy", tolerance=1e-9)
    return ShownGame(description, equilibrium, matrix)


def full_matrix(game: Game) -> FullMatrix | None:
    """All payoffs of ``game``, whose size is the caller's care; None if every labelling is forbidden."""
    predictions, actuals = _labellings(game.predictor), _labellings(game.adversary)
    if not len(actuals):
        return None
    payoffs = game.payoffs(predictions, actuals)
    solution = open_session().solve(payoffs)
    return FullMatrix(predictions, actuals, game.adversary.potential(actuals), payoffs, solution)


def _labellings(structure: Structure) -> np.ndarray:
    """Every labelling that a structure allows, int8 [s, n], the last position changing fastest."""
    every = np.array(list(product(range(structure.labels), repeat=structure.length)), dtype=np.int8)
    return every[structure.allows(every)]


# ---- the table


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


def _probabilities(mixture: Mixture, labellings: np.ndarray) -> np.ndarray:
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


def _writer(values: np.ndarray):
    """How all of some numbers are written: as fractions if they all are, else with four decimals."""
    if all(_fraction(value) is not None for value in values.tolist()):
        return lambda value: str(_fraction(float(value)))
    return lambda value: f"{value + 0.0:.4f}"


def _share(probability: float) -> str:
    """A probability; nothing for a labelling that is not played."""
    return f"{probability:.4f}" if probability > PLAYED else ""


def _size(number: int) -> str:
    """A number that may be astronomical."""
    return f"{number:,}" if number < 10**9 else f"{float(number):.1e}" if number < 10**300 else "over 1e+300"


# ---- what is said beside it


def summary(shown: ShownGame) -> list[str]:
    """The value in two ways with its gaps, and the pair of labellings that the game is to show, as lines."""
    found, matrix, description = shown.equilibrium, shown.matrix, shown.description
    lines = _pair(description) if isinstance(description, AerFile) and description.pair is not None else []
    rows, columns = description.sizes()
    if matrix is not None:
        rows, columns = matrix.payoffs.shape
    played = [int((mixture.probabilities > PLAYED).sum()) for mixture in (found.predictor, found.adversary)]
    lines.append(
        f"by the double oracle: value {_value(found.value)}, gap {found.gap:.1e}, rounds {found.iterations}; "
        f"in its mixtures {played[0]} of {_size(rows)} predictions, "
        f"{played[1]} of {_size(columns)} {description.actuals}"
    )
    if matrix is None:
        lines.append(
            f"by the whole matrix: not written out, it has {_size(rows)} x {_size(columns)} = "
            f"{_size(rows * columns)} payoffs"
        )
        return lines
    solution = matrix.solution
    lines.append(
        f"by the whole matrix: value {_value(solution.value)}, gap {max(0.0, solution.gap):.1e}, "
        f"{_size(matrix.payoffs.size)} payoffs"
    )
    lines.append(f"difference of the values: {abs(found.value - solution.value):.1e}")
    return lines


def _value(value: float) -> str:
    """A value, and the fraction that it is."""
    fraction = _fraction(value, 200)
    return f"{value + 0.0:.6f}" + ("" if fraction is None or fraction.denominator == 1 else f" = {fraction}")


def _pair(description: AerFile) -> list[str]:
    """One cell, worked out: how a proposal scores against one alignment."""
    pair = description.pair
    gold = np.array(["NPS".index(letter) for letter in "".join(pair.gold)])
    links = np.array([letter == "A" for letter in "".join(pair.proposed)])
    proposed, sure = int(links.sum()), int((gold == S).sum())
    sure_hits, possible_hits = int((links & (gold == S)).sum()), int((links & (gold == P)).sum())
    score = description.build().measure.scores(links[None].astype(np.int8), gold[None].astype(np.int8))[0, 0]
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


# ---- where it goes


def print_game(shown: ShownGame, console: Console) -> None:
    """Print a game: a table on a terminal, aligned plain text where there is none."""
    title = " ".join(shown.description.title.split())
    if title:
        _say(console, title)
    if shown.matrix is not None:
        _say(console, "rows: adversary, columns: predictor, cells: score - psi(row)")
        lines = table(shown)
        if console.is_terminal:
            for part in _parts(lines, console.width):
                console.print(_rich(part))
        else:
            _say(console, "\n" + "\n".join(_plain(lines)) + "\n")
    else:
        _say(console, "")
    for line in summary(shown):
        _say(console, line)


def _say(console: Console, text: str) -> None:
    console.print(text, soft_wrap=True, highlight=False, markup=False, emoji=False)


def _plain(lines: Sequence[Sequence[str]]) -> list[str]:
    """Aligned columns; the first to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [
        "  ".join([f"{line[0]:{widths[0]}}", *map(str.rjust, line[1:], widths[1:])]).rstrip()
        for line in lines
    ]


def _parts(lines: list[list[str]], width: int) -> list[list[list[str]]]:
    """The table in as many parts as ``width`` asks for: the first column and the last two stand in each."""
    widths = [max(map(len, column)) + 2 for column in zip(*lines, strict=True)]
    room = max(1, (width - 2 - widths[0] - sum(widths[-2:])) // max(widths[1:-2]))
    inner = len(widths) - 3
    return [
        [[line[0], *line[1 + first : 1 + min(first + room, inner)], *line[-2:]] for line in lines]
        for first in range(0, inner, room)
    ]


def _rich(lines: list[list[str]]) -> Table:
    """Lines as a table; labellings that are played stand out."""
    drawn = Table(box=SIMPLE_HEAD, header_style="bold", pad_edge=False)
    for place, head in enumerate(lines[0]):
        style = "cyan" if lines[-1][place] and place else None
        drawn.add_column(Text(head), justify="right" if place else "left", no_wrap=True, style=style)
    for line in lines[1:-1]:
        drawn.add_row(*map(Text, line), style="bold" if line[-1] else None)
    drawn.add_section()
    drawn.add_row(*map(Text, lines[-1]))
    return drawn


def check_output(path: Path) -> None:
    """Refuse a file of another kind.

    Raises
    ------
    InputError: its name ends with none of :data:`FORMATS`.
    """
    if path.suffix.lower() not in FORMATS:
        raise InputError(f"unknown kind of table {path.suffix!r}", file=path, hint="known: .csv, .md")


def write_table(shown: ShownGame, path: Path) -> None:
    """Write the matrix to a file, CSV or Markdown by the suffix of ``path``; atomically.

    Raises
    ------
    InputError: another suffix; a game without its matrix; the file cannot be written.
    """
    check_output(path)
    if shown.matrix is None:
        rows, columns = shown.description.sizes()
        problem = f"the matrix of {_size(rows * columns)} payoffs cannot be written out"
        raise InputError(problem, hint=f"leave out --output, or make the game smaller: at most {CELLS}")
    lines = table(shown)
    try:
        with atomic(path) as stream:
            if path.suffix.lower() == ".csv":
                csv.writer(stream, lineterminator="\n").writerows(lines)
            else:
                align = [":--", *["--:"] * (len(lines[0]) - 1)]
                stream.writelines(f"| {' | '.join(line)} |\n" for line in (lines[0], align, *lines[1:]))
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", file=path) from None
