"""From descriptions and games to the named tuples that kernels take.

Whatever kernels are told of a game is derived here from its one statement: the score and the structure.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from advsp.engine.backends import door
from advsp.engine.backends.description import Described, Description, description_of
from advsp.engine.game import Game, GameSpec
from advsp.engine.measures.base import Score
from advsp.engine.measures.counts import CountMeasure, CountScore
from advsp.engine.measures.ratio import RatioMeasure
from advsp.engine.measures.roles import Roles
from advsp.engine.structures.independent import IndependentLabels
from advsp.support.arrays import Ints, Labels, plain

#: Entries of the tables of a score beyond which it is left to numpy: 128 MB in all.
_MOST_ENTRIES = 2**24
#: The labels of patterns: 0 for what plays no part, 1 for what counts and is hit once.
_PATTERNS = Roles.of_target(2, 1)


class NoTwin(Exception):
    """There are no kernels for something; the message is one clause that says for what."""


class PlayedGame(NamedTuple):
    """A game as kernels take it: a table of potentials, and a score."""

    table: Any
    score: Any


def twin(thing: Described, what: str, **more: object) -> Any:
    """The named tuple of a thing that describes itself.

    Parameters
    ----------
    what: what it is called in messages.
    more: fields that others have to say.

    Raises
    ------
    NoTwin: the thing has none.
    """
    description = description_of(thing)
    if description is None or (kind := door.module("twins").kind_of(description.kind)) is None:
        raise NoTwin(f"there are no kernels for {what} {type(thing).__name__}")
    return kind(**_made(description), **more)


def make(description: Description) -> Any:
    """The named tuple of a description of something that has a twin."""
    return door.module("twins").kind_of(description.kind)(**_made(description))


def _made(description: Description) -> dict[str, Any]:
    """The fields of a description, with named tuples where they are descriptions themselves."""
    return {
        name: make(value) if isinstance(value, Description) else value
        for name, value in description.fields.items()
    }


def played(game: Game, exact: bool) -> PlayedGame:
    """A game as kernels take it.

    Parameters
    ----------
    exact: False for approximate responses.

    Raises
    ------
    NoTwin: the kernels do not play it.
    """
    predictor = game.predictor
    if type(predictor) is not IndependentLabels or np.count_nonzero(predictor.potentials):
        raise NoTwin(f"there are no kernels for a predictor over {type(predictor).__name__}")
    score = _count_score(game.score)
    table = twin(game.adversary, "structure", counted=plain(score.roles.counted, bool))
    table, roles = _played_over(table, [score.roles], exact)
    return PlayedGame(table, _score(score, roles[0], game.adversary.length))


def score_over_labels(game: Game) -> Any:
    """The score of a game over the adversary's own labels, whatever its structure plays with.

    Raises
    ------
    NoTwin: there are no kernels for it.
    """
    score = _count_score(game.score)
    return _score(score, score.roles, game.adversary.length)


def _score(score: CountScore, roles: Roles, length: int) -> Any:
    measure = score.measure
    made = _score_of(measure, 0 if closed_form(measure) else length)
    return (
        made
        if roles is _PATTERNS
        else made._replace(hits=plain(roles.hits), counted=plain(roles.counted, bool))
    )


@lru_cache(maxsize=128)
def _score_of(measure: CountMeasure, length: int) -> Any:
    """The score of patterns in so many positions, 0 for any number in closed form."""
    found = coefficients(measure, [length])
    return door.module("scores").Score(
        hits=plain(_PATTERNS.hits),
        counted=plain(_PATTERNS.counted, bool),
        tables=found.tables,
        width=0 if found.closed else length + 1,
        closed=found.closed,
        scale=found.scale,
        share=found.share,
        empty=found.empty,
        lowest=found.lowest,
        span=found.span,
    )


def games(
    specs: Iterable[GameSpec],
    offsets: Ints,
    gold: Labels,
    exact: bool,
    max_iterations: int,
) -> Any:
    """The games of examples as kernels take them; see :class:`advsp.kernels.games.Games`.

    Parameters
    ----------
    specs: the games of an example, of one measure over one layout.
    offsets: int [N + 1], rows of the examples.
    gold: int8 [T], gold labels.
    exact: False for approximate responses.
    max_iterations: rounds after which a game is left with the gap it has.

    Raises
    ------
    NoTwin: the kernels do not play them.
    """
    specs = list(specs)
    layout, scores = specs[0].layout, [_count_score(spec.score) for spec in specs]
    measure = scores[0].measure
    if any(spec.layout is not layout for spec in specs) or any(s.measure != measure for s in scores):
        raise NoTwin("there are no kernels for games of several measures or layouts at a time")
    rows, roles = _played_over(twin(layout, "layout"), [score.roles for score in scores], exact)
    kernels = door.module("games")
    made = kernels.Games(
        offsets=plain(offsets, int),
        gold=plain(gold, np.int8),
        rows=rows,
        counted=np.array([score.roles.counted for score in scores]),
        score_hits=np.array([role.hits for role in roles]),
        score_counted=np.array([role.counted for role in roles]),
        coefficients=coefficients(measure, np.unique(np.diff(offsets)).tolist()),
        certain=exact,
        max_iterations=max_iterations,
        solve=0,
    )
    return kernels.with_solver(made)


def _count_score(score: Score) -> CountScore:
    if not isinstance(score, CountScore):
        raise NoTwin(f"there are no kernels for the score {type(score).__name__}")
    return score


def _played_over(table: Any, roles: list[Roles], exact: bool) -> tuple[Any, list[Roles]]:
    """The table, or layout, that responses of a kind are found over, and the parts of the labels there."""
    approximate = door.module("structures.approximate").APPROXIMATE
    if not exact:
        if type(table) not in approximate:
            raise NoTwin("there are no kernels for approximate responses over that structure")
        return approximate[type(table)](table), roles
    if type(table) in door.module("structures.chain").OVER_PATTERNS:
        if not all(role.single for role in roles):
            raise NoTwin("there are no kernels for labels of several parts over that structure")
        return table, [_PATTERNS] * len(roles)
    return table, roles


def coefficients(measure: CountMeasure, lengths: Iterable[int]) -> Any:
    """How hits and counts make a score, for games of so many positions.

    Raises
    ------
    NoTwin: its tables would be too large, or it rewards misses.
    """
    scores = door.module("scores")
    low, span = float(measure.lowest), float(measure.highest - measure.lowest)
    if closed_form(measure):
        empty = float(measure.undefined(np.zeros(1, int), np.zeros(1, int), np.ones(1, int)))
        assert isinstance(measure, RatioMeasure)  # that is what closed_form says
        return scores.Coefficients(
            True,
            float(measure.scale),
            float(measure.share),
            empty,
            np.empty(0, int),
            np.empty(0),
            low,
            span,
        )
    lengths = sorted(set(lengths))
    entries = sum(2 * (length + 1) ** 2 for length in lengths)
    if entries > _MOST_ENTRIES:
        raise NoTwin(f"the tables of {type(measure).__name__} would have {entries:,} entries")
    starts, tables, end = np.full(lengths[-1] + 1, -1), np.empty(entries), 0
    for length in lengths:
        counts = np.arange(length + 1)
        starts[length], begin = end, end
        end += 2 * (length + 1) ** 2
        alpha, beta = tables[begin:end].reshape(2, length + 1, length + 1)
        alpha[:], beta[:] = measure.linear(counts[:, None], counts[None, :], length)
        if (alpha < 0.0).any():
            raise NoTwin(f"a hit costs something by {type(measure).__name__}")
    return scores.Coefficients(False, 0.0, 0.0, 0.0, starts, tables, low, span)


@lru_cache(maxsize=128)
def closed_form(measure: CountMeasure) -> bool:
    """Whether a measure is scale * hits / (|a| + share * |y|), 1 where both counts are 0, and nothing else.

    A subclass that says anything else about its score is none of them.
    """
    if not isinstance(measure, RatioMeasure):
        return False
    own, kind = type(measure), RatioMeasure
    return all(
        getattr(own, name) is getattr(kind, name) for name in ("coefficients", "undefined", "permitted")
    )
