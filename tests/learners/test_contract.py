"""What every registered learner must do, of either task: a model, a convex loss, sound decisions."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from training.toy import toy_instances, toy_pairs

from advsp.engine.measures.fbeta import FBeta
from advsp.engine.measures.kappa import Kappa
from advsp.engine.settings import Engine
from advsp.learners import learners
from advsp.learners.base import Decoded, Learner
from advsp.learners.cross_fitting import FirstStage
from advsp.learners.logistic import LogisticLinks
from advsp.support.sections import build, describe
from advsp.tasks import tasks
from advsp.training.instances import Instances
from advsp.training.objective import Objective

#: What is learnt from, and what else is decoded: other examples with the same features.
DATA: dict[str, tuple[Instances, Instances, tuple[str, ...]]] = {
    "tagging": (toy_instances(lengths=(3, 1, 2)), toy_instances(seed=5, lengths=(2, 3)), ("PER", "LOC")),
    "alignment": (
        toy_pairs(shapes=((2, 2), (1, 1), (1, 2)), labels=(2, 1, 0, 2, 2, 2, 1)),
        toy_pairs(seed=5, shapes=((1, 3), (2, 1))),
        ("all",),
    ),
}


@dataclass(frozen=True)
class Variant:
    """A registered learner with options."""

    name: str
    options: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return " ".join([self.name, *(f"{key}={value}" for key, value in self.options.items())])

    @property
    def learner(self) -> Learner:
        return learners.get(self.name)(**self.options)


VARIANTS = [
    *(Variant(name) for name in learners),
    Variant("adversarial", {"beta": 2.0, "share": True}),
    Variant("adversarial", {"warm": False, "start": "latent"}),
    Variant("adversarial-links", {"possible": "ignore"}),
    Variant("adversarial-links", {"possible_features": "bias", "warm": True}),
    Variant("adversarial-links", {"structure": "matching", "cost": {"NS": 2.0, "AN": 0.5}}),
    Variant("adversarial-links", {"structure": "matching", "possible": "ignore", "scale": "length"}),
    Variant("adversarial-links", {"structure": "column-chain", "possible": "ignore", "scale": "length"}),
    Variant("adversarial-links", {"structure": "column-chain", "bias": 3.0}),
    Variant("crf", {"start": "own"}),
    Variant("crf", {"margin": 1.0, "false_negative": 2.0, "false_positive": 0.5}),
    Variant("adversarial-corpus", {"weight": 2.0, "balance": "inverse", "beta": 0.7, "start": "latent"}),
    Variant("adversarial-corpus", {"f": 0.6}),
    Variant("logistic", {"possible": "label", "possible_features": "bias"}),
    Variant("ssvm", {"possible": "positive", "false_negative": 0.5, "scale": "length"}),
    Variant("ssvm", {"structure": "column-chain"}),
]
every = pytest.mark.parametrize("variant", VARIANTS, ids=str)
ENGINE = Engine(lp="linprog")
L2 = 0.4


def groups(learner: Learner) -> list[tuple[str, ...]]:
    return learner.groups(DATA[learner.task][2])


def objective(learner: Learner, group: tuple[str, ...] | None = None, l2: float = L2) -> Objective:
    """The training objective of the first group of classes."""
    model = learner.model(DATA[learner.task][0])
    return Objective(model, learner.loss(model, group or groups(learner)[0], ENGINE), l2, tolerance=1e-9)


def some_weights(size: int, seed: int = 0, scale: float = 0.7) -> np.ndarray:
    return np.random.default_rng(seed).normal(scale=scale, size=size)


def decode(learner: Learner, instances: Instances, weights: np.ndarray, **options) -> dict[str, Decoded]:
    """What is said of the first group of classes."""
    model = learner.model(instances)
    return learner.decode(model, weights, groups(learner)[0], ENGINE, 1e-6, **options)


# --- the learner ----------------------------------------------------------------------------------


def test_there_are_learners_of_every_task():
    assert (
        {learners.get(name).task for name in learners}
        == {tasks.get(kind).task for kind in tasks}
        == set(DATA)
    )


@every
def test_every_class_is_learnt_in_one_group(variant):
    learner = variant.learner
    found = groups(learner)
    assert sorted(label for group in found for label in group) == sorted(DATA[learner.task][2])
    assert all(isinstance(group, tuple) and group for group in found)


@every
def test_options_are_plain_and_make_the_same_learner(variant):
    learner = variant.learner
    options = json.loads(json.dumps(describe(learners, learner)))
    assert build(learners, options) == learner


#: Learners, and what becomes of one option.
CHANGES = [
    ("adversarial", {}, {"beta": 2.0}),
    ("adversarial", {}, {"share": True}),
    ("adversarial", {}, {"warm": False}),
    ("adversarial", {}, {"start": "latent"}),
    ("adversarial", {}, {"bias": True}),
    ("adversarial", {}, {"measure": Kappa()}),
    ("adversarial-links", {}, {"structure": "matching"}),
    ("adversarial-links", {}, {"possible": "ignore"}),
    ("adversarial-links", {}, {"possible_features": "bias"}),
    ("adversarial-links", {}, {"measure": FBeta()}),
    ("adversarial-links", {"structure": "matching"}, {"cost": {"NS": 2.0}}),
    ("adversarial-links", {}, {"scale": "length"}),
    ("adversarial-links", {}, {"warm": True}),
    ("adversarial-corpus", {}, {"weight": 2.0}),
    ("adversarial-corpus", {}, {"balance": "inverse"}),
    ("adversarial-corpus", {}, {"f": 0.5}),
    ("adversarial-corpus", {}, {"beta": 2.0}),
    ("adversarial-corpus", {}, {"start": "latent"}),
    ("crf", {}, {"start": "own"}),
    ("crf", {}, {"margin": 1.0}),
    ("crf", {"margin": 1.0}, {"false_negative": 2.0}),
    ("crf", {"margin": 1.0}, {"false_positive": 2.0}),
    ("logistic", {}, {"possible": "label"}),
    ("logistic", {"possible": "label"}, {"possible_features": "bias"}),
    ("logistic", {}, {"scale": "length"}),
    ("ssvm", {}, {"false_negative": 1.0}),
    ("ssvm", {}, {"false_positive": 2.0}),
    ("ssvm", {}, {"possible": "positive"}),
    ("ssvm", {}, {"scale": "length"}),
    ("ssvm", {}, {"structure": "column-chain"}),
    ("crf-links", {}, {"scale": "length"}),
    *((name, {}, {"bias": 3.0}) for name in ("adversarial-links", "crf-links", "logistic", "ssvm")),
    ("stacked", {}, {"second": LogisticLinks()}),
    ("stacked", {}, {"first": FirstStage(l2=1.0)}),
]


def seen(learner: Learner) -> tuple:
    """What a learner does with the first examples: sizes, values, and what it remembers."""
    made = objective(learner.seen(DATA[learner.task][0], groups(learner)[0]))
    value, _, gradient = made.full(some_weights(made.model.size))
    return len(groups(learner)), made.model.size, round(value, 6), len(gradient), str(made.loss.state())


@pytest.mark.parametrize(("name", "options", "change"), CHANGES, ids=str)
def test_every_option_makes_a_difference(name, options, change):
    assert seen(learners.get(name)(**options)) != seen(learners.get(name)(**options | change))


def test_no_option_is_left_out():
    for name in learners:
        tried = {key for other, _, change in CHANGES if other == name for key in change}
        assert tried == {option.name for option in dataclasses.fields(learners.get(name))}


# --- the model ------------------------------------------------------------------------------------


@every
def test_model_of_other_examples_has_as_many_weights(variant):
    train, other, _ = DATA[variant.learner.task]
    models = [variant.learner.model(data) for data in (train, other)]
    assert models[0].size == models[1].size > 0
    assert [model.examples for model in models] == [len(train), len(other)]
    for model, data in zip(models, (train, other), strict=True):
        assert np.array_equal(model.offsets, data.offsets)
        assert model.all_potentials(np.zeros(model.size)).shape == (data.offsets[-1], model.width)


@every
def test_blocks_are_all_weights_one_after_the_other(variant):
    model = variant.learner.model(DATA[variant.learner.task][0])
    ends = [0, *(block.stop for block in model.blocks)]
    assert [block.start for block in model.blocks] == ends[:-1]
    assert ends[-1] == model.size
    assert all(block.stop > block.start for block in model.blocks)


@every
def test_examples_of_a_model_are_parts_of_the_whole_and_adjoint_is_its_transpose(variant):
    model = variant.learner.model(DATA[variant.learner.task][0])
    weights = some_weights(model.size)
    table = model.all_potentials(weights)
    # Moments of what a labelling can be: other cells of the table belong to none.
    moments = np.concatenate([model.gold_moments(example) for example in range(model.examples)])
    gradient = np.zeros(model.size)
    for example in range(model.examples):
        support, rows = model.support(example), model.rows(example)
        assert model.potentials(example, weights[support]) == pytest.approx(table[rows])
        gradient[support] += model.adjoint(example, moments[rows])
    assert gradient == pytest.approx(model.adjoint_all(moments))
    assert np.vdot(table, moments) == pytest.approx(weights @ gradient)


# --- the loss -------------------------------------------------------------------------------------


@every
def test_loss_is_finite_and_bounded_by_what_it_says(variant):
    made = objective(variant.learner)
    for seed in range(4):
        weights = some_weights(made.model.size, seed)
        for example in range(made.model.examples):
            value = made.example(example, weights[made.model.support(example)])
            rows = made.model.rows(example)
            assert value.moments.shape == (rows.stop - rows.start, made.model.width)
            assert np.isfinite(value.moments).all()
            assert -1e-9 <= value.bound - value.attained <= 1e-6


@every
def test_examples_add_up_to_the_whole(variant):
    made = objective(variant.learner)
    weights = some_weights(made.model.size)
    attained, bound, gradient = made.full(weights)
    values = [made.example(e, weights[made.model.support(e)]) for e in range(made.model.examples)]
    penalty = 0.5 * L2 * weights @ weights
    assert attained == pytest.approx(sum(value.attained for value in values) + penalty, abs=1e-8)
    assert bound == pytest.approx(sum(value.bound for value in values) + penalty, abs=1e-8)
    expected = L2 * weights
    for example, value in enumerate(values):
        expected[made.model.support(example)] += made.model.adjoint(example, value.moments)
    assert gradient == pytest.approx(expected, abs=1e-6)


@every
@pytest.mark.parametrize("seed", range(2))
def test_gradient_equals_finite_differences_away_from_kinks(variant, seed):
    made, step = objective(variant.learner), 1e-5
    weights = some_weights(made.model.size, seed)
    gradient = made.full(weights)[2]
    for direction in np.random.default_rng(seed).normal(size=(8, made.model.size)):
        up, down = (made.full(weights + sign * step * direction)[0] for sign in (1.0, -1.0))
        assert gradient @ direction == pytest.approx((up - down) / (2 * step), abs=1e-3)


@every
def test_objective_lies_above_its_tangents(variant):
    made = objective(variant.learner)
    for scale in (0.0, 0.3):
        here = some_weights(made.model.size, scale=scale) if scale else np.zeros(made.model.size)
        attained, _, gradient = made.full(here)
        for seed in range(5):
            there = here + some_weights(made.model.size, 10 + seed, scale=10.0 ** (seed - 3))
            assert made.full(there)[1] >= attained + gradient @ (there - here) - 1e-7


@every
def test_dual_begins_below_the_objective_wherever_that_is_looked_at(variant):
    made = objective(variant.learner)
    moments, gains = made.loss.start()
    assert moments.shape == (made.model.offsets[-1], made.model.width)
    assert gains.shape == (made.model.examples,)
    pulled = made.model.adjoint_all(moments)
    dual = -float(pulled @ pulled) / (2 * L2) - float(gains.sum())
    for scale in (0.0, 0.1, 1.0):
        for seed in range(2):
            assert dual <= made.full(some_weights(made.model.size, seed, scale or 1e-12))[1] + 1e-9


@every
def test_distribution_the_dual_begins_at_attains_at_most_the_loss(variant):
    """<moments, potentials> - G is at most the loss of every example, or it is none of its distributions."""
    made = objective(variant.learner, l2=0.0)
    moments, gains = made.loss.start()
    for seed in range(6):
        weights = some_weights(made.model.size, seed, scale=3.0 ** (seed - 3))
        table = made.model.all_potentials(weights)
        for example in range(made.model.examples):
            rows = made.model.rows(example)
            begun = float(np.vdot(moments[rows], table[rows])) - gains[example]
            assert begun <= made.loss.evaluate(example, table[rows], 1e-9).bound + 1e-7


@every
def test_distribution_the_dual_begins_at_is_the_worst_one_where_potentials_insist_on_it(variant):
    """And there the loss says what its G is."""
    made = objective(variant.learner, l2=0.0)
    moments, gains = made.loss.start()
    for example in range(made.model.examples):
        rows = made.model.rows(example)
        begun = moments[rows] + made.model.gold_moments(example)
        if variant.options.get("possible") == "positive":
            begun = moments[rows] + (made.model.instances.labels[rows] > 0)[:, None]
        table = 80.0 * begun - 40.0
        value = made.loss.evaluate(example, table, 1e-9)
        assert value.moments == pytest.approx(moments[rows], abs=1e-6)
        assert value.attained == pytest.approx(
            float(np.vdot(moments[rows], table)) - gains[example], abs=1e-6
        )


@every
def test_loss_that_is_restored_goes_on_as_the_one_that_was_kept(variant):
    kept, restored = objective(variant.learner), objective(variant.learner)
    for seed in (1, 2):
        kept.full(some_weights(kept.model.size, seed))
    restored.loss.restore(kept.loss.state())
    weights = some_weights(kept.model.size, 3)
    mine, its = kept.full(weights), restored.full(weights)
    assert mine[:2] == its[:2]
    assert np.array_equal(mine[2], its[2])
    assert all(isinstance(array, np.ndarray) for array in kept.loss.state().values())


@every
def test_same_loss_twice_gives_the_same_bits(variant):
    weights = some_weights(objective(variant.learner).model.size)
    mine, its = (objective(variant.learner).full(weights) for _ in range(2))
    assert mine[:2] == its[:2]
    assert mine[2].tobytes() == its[2].tobytes()


# --- the log-loss of single positions ---------------------------------------------------------------


@every
def test_log_loss_is_there_exactly_where_it_is_said_to_be(variant):
    learner = variant.learner
    model = learner.model(DATA[learner.task][0])
    if not learner.has_log_loss:
        with pytest.raises(NotImplementedError):
            learner.log_loss(model)
        return
    made = Objective(model, learner.log_loss(model), L2)
    weights = some_weights(model.size)
    attained, bound, gradient = made.full(weights)
    assert attained == bound > 0.5 * L2 * weights @ weights
    for direction in np.eye(model.size):
        up, down = (made.full(weights + sign * 1e-5 * direction)[0] for sign in (1.0, -1.0))
        assert gradient @ direction == pytest.approx((up - down) / 2e-5, abs=1e-6)


# --- decoding -------------------------------------------------------------------------------------


@every
def test_every_position_is_decided_for_every_class_of_the_group(variant):
    learner = variant.learner
    for data in DATA[learner.task][:2]:
        said = decode(learner, data, some_weights(learner.model(data).size))
        assert tuple(said) == groups(learner)[0]
        for decided in said.values():
            assert (decided.mode.dtype, decided.marginal.dtype) == (bool, float)
            assert decided.mode.shape == decided.marginal.shape == (data.offsets[-1],)
            assert ((decided.marginal >= 0.0) & (decided.marginal <= 1.0 + 1e-12)).all()


@every
def test_decisions_about_an_example_do_not_depend_on_the_others(variant):
    learner = variant.learner
    data = DATA[learner.task][1]
    weights = some_weights(learner.model(data).size)
    together = decode(learner, data, weights)
    for example in range(len(data)):
        alone = decode(learner, data.take(np.array([example])), weights)
        for label, decided in alone.items():
            rows = data.rows(example)
            assert np.array_equal(decided.mode, together[label].mode[rows])
            assert decided.marginal == pytest.approx(together[label].marginal[rows], abs=1e-9)


@every
def test_decisions_do_not_depend_on_the_labels(variant):
    learner = variant.learner
    data = DATA[learner.task][1]
    key = "tags" if learner.task == "tagging" else "labels"
    relabelled = dataclasses.replace(data, **{key: (2 - getattr(data, key)).astype(np.int8)})
    weights = some_weights(learner.model(data).size)
    mine, its = (decode(learner, instances, weights) for instances in (data, relabelled))
    for label in mine:
        assert np.array_equal(mine[label].mode, its[label].mode)
        assert np.array_equal(mine[label].marginal, its[label].marginal)


@every
def test_decoding_twice_gives_the_same_bits_and_ticks_every_decision_off(variant):
    learner = variant.learner
    data = DATA[learner.task][1]
    weights, ticks = some_weights(learner.model(data).size), []
    mine, its = (decode(learner, data, weights, progress=ticks.append) for _ in range(2))
    for label in mine:
        assert mine[label].mode.tobytes() == its[label].mode.tobytes()
        assert mine[label].marginal.tobytes() == its[label].marginal.tobytes()
    assert sum(ticks) == 2 * len(data) * len(groups(learner)[0])


@every
def test_approximate_responses_are_for_training_alone(variant):
    learner = variant.learner
    data = DATA[learner.task][1]
    model = learner.model(data)
    weights = some_weights(model.size)
    exact, trained = (
        learner.decode(model, weights, groups(learner)[0], Engine(lp="linprog", oracle=oracle), 1e-6)
        for oracle in ("auto", "approximate")
    )
    for label in exact:
        assert np.array_equal(exact[label].mode, trained[label].mode)
        assert np.array_equal(exact[label].marginal, trained[label].marginal)


MATCHINGS = [
    v for v in VARIANTS if v.options.get("structure", "matching" if v.name == "ssvm" else "") == "matching"
]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("variant", MATCHINGS, ids=str)
def test_links_of_matchings_are_a_matching(variant, seed):
    data = toy_pairs(seed=3, shapes=((2, 3), (3, 2)))
    weights = some_weights(variant.learner.model(data).size, seed, scale=2.0)
    (said,) = decode(variant.learner, data, weights).values()
    for decided in (said.mode, *(said.marginal > threshold for threshold in (0.0, 0.2, 0.5))):
        for pair in range(2):
            grid = decided[data.rows(pair)].reshape(data.shapes[pair])
            assert (grid.sum(axis=0) <= 1).all() and (grid.sum(axis=1) <= 1).all()
