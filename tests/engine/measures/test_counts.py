"""A measure that is not what it says of itself is refused before it is played."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from advsp.engine.measures.counts import CountMeasure
from advsp.engine.measures.fbeta import FBeta
from advsp.engine.measures.informedness import Informedness
from advsp.engine.measures.kappa import Kappa
from advsp.engine.measures.roles import Roles


@dataclass(frozen=True)
class KappaFromZero(Kappa):
    """Its lowest score is -1."""

    lowest = 0.0


@dataclass(frozen=True)
class TwiceF(FBeta):
    """Its highest score is 2."""

    def coefficients(self, predicted, actual, length):
        weights, offsets = super().coefficients(predicted, actual, length)
        return 2 * weights, offsets


@dataclass(frozen=True)
class Misses(CountMeasure):
    """The share of ones that are no hits."""

    def coefficients(self, predicted, actual, length):
        return -1.0 / predicted, np.ones(())


@dataclass(frozen=True)
class FrugalInformedness(Informedness):
    """beta is not zero."""

    frugal = True


@dataclass(frozen=True)
class FrugalSquare(CountMeasure):
    """alpha grows with the number of ones."""

    frugal = True

    def coefficients(self, predicted, actual, length):
        return predicted / (1.0 * length**2), np.zeros(())


@dataclass(frozen=True)
class Nowhere(CountMeasure):
    """Not a number where nothing is predicted."""

    def coefficients(self, predicted, actual, length):
        return 1.0 / predicted, np.zeros(())

    def undefined(self, predicted, actual, length):
        return np.nan


@pytest.mark.parametrize(
    "measure, said",
    [
        (KappaFromZero(), "score is -1 for 1 ones .* of 0 hits; expected one from 0 to 1"),
        (TwiceF(), "score is 2 for 1 ones against 1 positives in 1 positions, of 1 hits"),
        (Misses(), "alpha is negative"),
        (FrugalInformedness(), "state.* frugal = False"),
        (FrugalSquare(), "state.* frugal = False"),
        (Nowhere(), "score is nan for 0 ones"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, CountMeasure) else "",
)
def test_a_measure_that_is_not_what_it_says_is_refused(measure, said):
    with pytest.raises(ValueError, match=f"{type(measure).__name__}: .*{said}"):
        measure.on_target(3, 1)


def test_hits_of_labels_that_do_not_count_are_tried_out_too():
    # One possible link and one that is predicted: 2 * worth / (1 + 0).
    FBeta().on(Roles.of_links(possible=0.5))
    with pytest.raises(ValueError, match=r"FBeta: the score is .* against 0 positives"):
        FBeta().on(Roles.of_links(possible=1.5))


def test_where_every_label_counts_there_are_no_other_counts_to_try():
    # With fewer positives than positions, which cannot be, the score would be below 0.
    @dataclass(frozen=True)
    class Whole(CountMeasure):
        def coefficients(self, predicted, actual, length):
            return 1.0 / length, (actual - length) / length

    Whole().on_target(2, (0, 1))
    with pytest.raises(ValueError, match="Whole: the score is"):
        Whole().on_target(2, 1)
