"""One class a position: classes are decided one by one, and several may claim the same position.

A position that no class claims has none, and one that a single class claims has that one.  A contested one
goes to the class whose claim is the strongest; what that means is the rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from advsp.support.arrays import Bools, Floats

#: What a claim is as strong as: the marginal, the marginal divided by the threshold of its class, or the
#: marginal less that threshold.  Where all thresholds are equal the three agree.
JointRule = Literal["marginal", "ratio", "difference"]
JOINT_RULES: tuple[JointRule, ...] = get_args(JointRule)

#: The threshold of classes that have none of their own.
EVEN = 0.5


@dataclass(frozen=True, eq=False)
class Joint:
    """Decisions that exclude each other.

    Attributes
    ----------
    masks: class to bool [T], whether a position is its; no position is of two.
    contested: number of positions that several classes claimed.
    """

    masks: Mapping[str, Bools]
    contested: int


def one_class_each(
    claimed: Mapping[str, Bools],
    marginals: Mapping[str, Floats],
    thresholds: Mapping[str, float],
    rule: JointRule | None,
) -> Joint:
    """Leave every position to one of the classes that claim it; of equal claims the first class wins.

    Parameters
    ----------
    claimed: class to bool [T], its own decision.
    marginals: class to float [T].
    thresholds: class to its threshold, positive; :data:`EVEN` for others.
    rule: what a claim is as strong as; the marginal where none was chosen.

    Examples
    --------
    >>> claimed = {"PER": np.array([True, True]), "LOC": np.array([True, False])}
    >>> marginals = {"PER": np.array([0.6, 0.6]), "LOC": np.array([0.5, 0.1])}
    >>> joint = one_class_each(claimed, marginals, {"PER": 0.5, "LOC": 0.3}, "ratio")
    >>> joint.masks["PER"].tolist(), joint.masks["LOC"].tolist(), joint.contested
    ([False, True], [True, False], 1)
    """
    names = list(claimed)
    mine = np.stack([claimed[name] for name in names])
    strength = np.stack([marginals[name] for name in names])
    levels = np.array([thresholds.get(name, EVEN) for name in names])[:, None]
    if rule == "ratio":
        strength = strength / levels
    elif rule == "difference":
        strength = strength - levels
    winner = np.where(mine, strength, -np.inf).argmax(axis=0)
    masks = {name: mine[number] & (winner == number) for number, name in enumerate(names)}
    return Joint(masks, int((mine.sum(axis=0) > 1).sum()))
