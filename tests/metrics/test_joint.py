"""One class a position: who claims it has it, and of several the one with the strongest claim."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advsp.metrics.joint import JOINT_RULES, one_class_each

NAMES = ("PER", "LOC", "ORG")
CLAIMS = st.lists(
    st.lists(st.tuples(st.booleans(), st.sampled_from([0.2, 0.4, 0.6, 0.9])), min_size=3, max_size=3),
    min_size=1,
    max_size=6,
)


def strength(marginal: float, threshold: float, rule: str) -> float:
    return {"marginal": marginal, "ratio": marginal / threshold, "difference": marginal - threshold}[rule]


@given(claims=CLAIMS, levels=st.lists(st.sampled_from([0.1, 0.3, 0.5, 0.8]), min_size=3, max_size=3))
@pytest.mark.parametrize("rule", JOINT_RULES)
def test_the_strongest_claim_wins_and_of_equals_the_first(rule, claims, levels):
    claimed = {name: np.array([row[k][0] for row in claims]) for k, name in enumerate(NAMES)}
    marginals = {name: np.array([row[k][1] for row in claims]) for k, name in enumerate(NAMES)}
    joint = one_class_each(claimed, marginals, dict(zip(NAMES, levels, strict=True)), rule)
    contested = 0
    for t, row in enumerate(claims):
        mine = [k for k in range(3) if row[k][0]]
        contested += len(mine) > 1
        winner = max(mine, key=lambda k: strength(row[k][1], levels[k], rule), default=None)
        assert [name for name in NAMES if joint.masks[name][t]] == ([] if winner is None else [NAMES[winner]])
    assert joint.contested == contested


@given(claims=CLAIMS)
def test_all_rules_agree_where_thresholds_are_equal(claims):
    claimed = {name: np.array([row[k][0] for row in claims]) for k, name in enumerate(NAMES)}
    marginals = {name: np.array([row[k][1] for row in claims]) for k, name in enumerate(NAMES)}
    first, *others = (one_class_each(claimed, marginals, {}, rule) for rule in (*JOINT_RULES, None))
    for other in others:
        assert all(np.array_equal(first.masks[name], other.masks[name]) for name in NAMES)
