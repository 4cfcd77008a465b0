"""Two small experiments as a person writes them, one of tagging and one of word alignment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from toy_parts import ToyMeasure, toy_measures

from advsp.learners.crf import CRF
from advsp.support.markers import FromRegistry

TRIAL = """\
name: trial
corpus:
  name: tiny
  path: data/tiny
classes: [PER, LOC]
optimiser:
  name: adagrad
  step: 0.1
  passes: 4
selection:
  grid: {optimiser.step: [0.1, 0.3]}
systems:
  CRF:
    learner:
      name: crf
    optimiser: {name: lbfgs}
    selection: {grid: {}}
  ADV:
    learner: {name: adversarial}
"""

BITEXT = """\
name: links
corpus:
  kind: bitext
  name: tiny
  path: data/tiny
features: {preset: taskar+m}
optimiser: {name: adagrad, l2: 1.0, initial: logistic}
systems:
  SSVM [taskar]:
    features:
      preset: taskar
    learner: {name: ssvm}
    optimiser:
      name: bcfw
      l2: 0.5
  ADV_aer [taskar+m, label]:
    learner:
      name: adversarial-links
      cost: {AN: 0.5}
"""


def edited(old: str, new: str) -> str:
    """The trial with one passage replaced."""
    assert TRIAL.count(old) == 1, old
    return TRIAL.replace(old, new)


def bitext(old: str, new: str) -> str:
    """The alignment experiment with one passage replaced."""
    assert BITEXT.count(old) == 1, old
    return BITEXT.replace(old, new)


@dataclass(frozen=True)
class LaterCRF(CRF):
    """The CRF as it might be one day: with options that are None until they are given."""

    measure: Annotated[ToyMeasure, FromRegistry(toy_measures)] | None = None
    most: int | None = None
