"""Tiny games as a person writes them down: a YAML file of a few lines, or an example by name.

What can be told of a game is strict, like the configuration of an experiment: unknown keys, wrong types and
tables of the wrong shape are errors that name file, line and key.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import AfterValidator, ConfigDict, Field, model_validator

from advsp.engine.game import AerGame, ChainF1Game, Game, MatchingGame
from advsp.engine.measures.additive import DEFAULT_COST
from advsp.support.arrays import Labels
from advsp.support.errors import InputError
from advsp.support.problems import misfit, unknown_key
from advsp.support.section_files import load_section
from advsp.support.sections import Strict
from advsp.support.words import counted
from advsp.support.yaml_source import read_yaml

#: Largest size of a potential or cost: beyond it a payoff would drown the score.
LARGEST = 1000.0


def _potential(value: float) -> float:
    if value == -math.inf or abs(value) <= LARGEST:
        return value
    raise misfit(f"found {value}, expected a number from -{LARGEST:g} to {LARGEST:g}, or -.inf (forbidden)")


Potential = Annotated[float, AfterValidator(_potential)]
Cost = Annotated[float, Field(ge=-LARGEST, le=LARGEST)]
Table = Annotated[list[Annotated[list[Potential], Field(min_length=1)]], Field(min_length=1)]


def _labels(row: str) -> str:
    for letter in row:
        if letter not in "NPS":
            raise misfit(
                f"found {letter!r} in {row!r}, expected N, P or S: no link, a possible or a sure one"
            )
    if not row:
        raise misfit("is empty, expected a letter a target word: N, P or S")
    return row


def _check_shape(table: Sequence[Sequence[Any]], rows: int, columns: int, *key: str) -> None:
    """Refuse a table, the one at ``key``, that does not have ``rows`` rows of ``columns`` entries."""
    if len(table) != rows:
        raise misfit(f"has {counted(len(table), 'row')}, expected {rows}", *key)
    for number, row in enumerate(table):
        if len(row) != columns:
            raise misfit(f"has {counted(len(row), 'entry', 'entries')}, expected {columns}", *key, number)


class GameFile(Strict):
    """What all games have: how they are called, how many labellings there are, and how one is written."""

    # What is forbidden has a potential of minus infinity.
    model_config = ConfigDict(allow_inf_nan=True)

    #: What the adversary's labellings are.
    actuals: ClassVar[str]
    title: str = ""

    def build(self) -> Game:
        """The game."""
        raise NotImplementedError

    def sizes(self) -> tuple[int, int]:
        """Number of labellings of the predictor and of the adversary."""
        raise NotImplementedError

    def largest(self, cells: int) -> str:
        """What has at most ``cells`` payoffs, in words."""
        raise NotImplementedError

    def predicted_name(self, labelling: Labels) -> str:
        """A labelling of the predictor as it is written."""
        raise NotImplementedError

    def actual_name(self, labelling: Labels) -> str:
        """A labelling of the adversary as it is written."""
        raise NotImplementedError


class ChainFile(GameFile):
    """The F-score of one tag over a sequence of words."""

    actuals: ClassVar[str] = "tag sequences"
    game: Literal["chain"]
    tags: list[Annotated[str, Field(pattern=r"^[A-Za-z0-9_.+*-]+$")]] = Field(min_length=1)
    target: str
    unary: Table
    pairwise: Table | None = None
    start: list[Potential] | None = None
    beta: float = Field(default=1.0, gt=0, le=LARGEST)

    @model_validator(mode="after")
    def _consistent(self) -> ChainFile:
        tags = len(self.tags)
        if len(set(self.tags)) < tags:
            raise misfit("a tag stands twice", "tags")
        if self.target not in self.tags:
            raise misfit(f"found {self.target!r}, expected one of {', '.join(self.tags)}", "target")
        _check_shape(self.unary, len(self.unary), tags, "unary")
        if self.pairwise is not None:
            _check_shape(self.pairwise, tags, tags, "pairwise")
        if self.start is not None and len(self.start) != tags:
            raise misfit(f"has {counted(len(self.start), 'entry', 'entries')}, expected {tags}", "start")
        return self

    def build(self) -> Game:
        pairwise = np.zeros((len(self.tags),) * 2) if self.pairwise is None else np.array(self.pairwise)
        start = None if self.start is None else np.array(self.start)
        return ChainF1Game(np.array(self.unary), pairwise, self.tags.index(self.target), start, self.beta)

    def sizes(self) -> tuple[int, int]:
        return 2 ** len(self.unary), len(self.tags) ** len(self.unary)

    def largest(self, cells: int) -> str:
        words = _largest_power(2 * len(self.tags), cells)
        return f"chains of up to {counted(words, 'word')} fit with {counted(len(self.tags), 'tag')}"

    def predicted_name(self, labelling: Labels) -> str:
        return " ".join(self.target if label else "-" for label in labelling)

    def actual_name(self, labelling: Labels) -> str:
        return " ".join(self.tags[label] for label in labelling)


class Pair(Strict):
    """One alignment and one proposal to look at: a text for every source word, a letter for every edge."""

    gold: list[Annotated[str, AfterValidator(_labels)]] = Field(min_length=1)
    proposed: list[Annotated[str, Field(pattern="^[NA]+$")]] = Field(min_length=1)


class _EdgesFile(GameFile):
    """Links between source words (rows) and target words (columns)."""

    actuals: ClassVar[str] = "alignments"
    sure: Table
    possible: Table

    @model_validator(mode="after")
    def _grids(self) -> _EdgesFile:
        _check_shape(self.sure, len(self.sure), len(self.sure[0]), "sure")
        _check_shape(self.possible, *self.shape, "possible")
        return self

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of source and of target words."""
        return len(self.sure), len(self.sure[0])

    def predicted_name(self, labelling: Labels) -> str:
        return self._name(labelling, "NA")

    def actual_name(self, labelling: Labels) -> str:
        return self._name(labelling, "NPS")

    def _name(self, labelling: Labels, letters: str) -> str:
        return "/".join("".join(letters[label] for label in row) for row in labelling.reshape(self.shape))


class AerFile(_EdgesFile):
    """One minus the alignment error rate; every edge is free."""

    game: Literal["aer"]
    pair: Pair | None = None

    @model_validator(mode="after")
    def _pair_of_the_grid(self) -> AerFile:
        if self.pair is not None:
            _check_shape(self.pair.gold, *self.shape, "pair", "gold")
            _check_shape(self.pair.proposed, *self.shape, "pair", "proposed")
        return self

    def build(self) -> Game:
        return AerGame(np.ravel(self.sure), np.ravel(self.possible))

    def sizes(self) -> tuple[int, int]:
        edges = math.prod(self.shape)
        return 2**edges, 3**edges

    def largest(self, cells: int) -> str:
        return f"alignments of up to {_largest_power(6, cells)} edges fit"


class MatchingFile(_EdgesFile):
    """Additive costs over alignments that link no word twice."""

    actuals: ClassVar[str] = "matchings"
    game: Literal["matching"]
    cost: dict[str, Cost] = {}

    @model_validator(mode="after")
    def _known_costs(self) -> MatchingFile:
        for key in self.cost:
            if key not in DEFAULT_COST:
                raise unknown_key(key, DEFAULT_COST, "cost")
        return self

    def build(self) -> Game:
        cost = {outcome: self.cost[outcome] for outcome in DEFAULT_COST if outcome in self.cost}
        return MatchingGame(np.ravel(self.sure), np.ravel(self.possible), self.shape, cost)

    def sizes(self) -> tuple[int, int]:
        return _matchings(self.shape, 1), _matchings(self.shape, 2)

    def largest(self, cells: int) -> str:
        words = 1
        while _matchings((words + 1,) * 2, 1) * _matchings((words + 1,) * 2, 2) <= cells:
            words += 1
        return f"matchings of {words} and {counted(words, 'word')} fit"


def _largest_power(base: int, limit: int) -> int:
    """The largest exponent whose power of ``base`` is at most ``limit``."""
    exponent = 0
    while base ** (exponent + 1) <= limit:
        exponent += 1
    return exponent


def _matchings(shape: tuple[int, int], labels: int) -> int:
    """How many matchings of a grid there are whose links have one of ``labels`` labels."""
    return sum(
        math.comb(shape[0], links) * math.perm(shape[1], links) * labels**links
        for links in range(min(shape) + 1)
    )


KINDS: dict[str, type[GameFile]] = {"chain": ChainFile, "aer": AerFile, "matching": MatchingFile}

_NOTHING = [[0.0] * 8 for _ in range(5)]
#: Games by name.  ``figure`` is the paper's example of an alignment: its caption gives the grid, either end
#: and the AER; the middle is made up here so that it agrees.
EXAMPLES: dict[str, GameFile] = {
    "table1": AerFile(
        title="Table 1 of the paper: 1 - AER of one source word and two target words, psi = 0",
        game="aer",
        sure=[[0.0, 0.0]],
        possible=[[0.0, 0.0]],
    ),
    "figure": AerFile(
        title="The paper's example of an alignment, 5 x 8 words: ends and AER are those of its caption, "
        "the middle is made up to agree, psi = 0",
        game="aer",
        sure=_NOTHING,
        possible=_NOTHING,
        pair=Pair(
            gold=["SNNNNNNN", "NSNSNNNN", "NNSNSNNN", "NNNPNNNN", "NNNNNPSP"],
            proposed=["ANNNNNNN", "NANNANNN", "NNANNANN", "NNNANNNN", "NNNNNNNA"],
        ),
    ),
    "chain": ChainFile(
        title="F1 of PER over three words, the first two of which look like a name",
        game="chain",
        tags=["O", "PER"],
        target="PER",
        unary=[[0.0, 0.5], [0.0, 0.25], [0.25, 0.0]],
        pairwise=[[0.25, 0.0], [0.0, 0.25]],
    ),
    "matching": MatchingFile(
        title="Costs over matchings of two and two words, the diagonal being likely",
        game="matching",
        sure=[[0.5, -0.5], [-0.5, 0.25]],
        possible=[[0.0, -0.25], [-0.25, 0.0]],
    ),
}


def load_game(source: str) -> tuple[GameFile, Path | None]:
    """The example called ``source``, or else what the YAML file of that name says, and that file.

    Raises
    ------
    InputError: neither an example nor a file; naming file, line and key of what is wrong.
    """
    if source in EXAMPLES:
        return EXAMPLES[source], None
    file = Path(source)
    if not file.exists():
        examples = f"examples: {', '.join(EXAMPLES)}"
        raise InputError("no such file, and no example of that name", file=file, hint=examples)
    read = read_yaml(file)
    if not isinstance(read.value, dict):
        raise InputError("expected a mapping of keys to values", file=file, line=1)
    kind = read.value.get("game")
    if not isinstance(kind, str) or kind not in KINDS:
        problem = f"found {kind!r}, expected {', '.join(KINDS)}" if "game" in read.value else "is missing"
        hint = None if "game" in read.value else f"one of {', '.join(KINDS)}"
        raise InputError(problem, file=file, line=read.line(("game",)), key="game", hint=hint)
    return load_section(KINDS[kind], file), file
