"""Folds: which examples are held out, and that all of them are in turn."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from training.toy import toy_instances, toy_pairs

from advsp.experiments.folds import Fold, folded

sizes = st.integers(2, 60)
numbers = st.integers(2, 12)
seeds = st.integers(0, 10)

# --- which examples are held out ----------------------------------------------------------------------


@given(sizes, numbers, seeds)
def test_every_example_is_held_out_once(examples, folds, seed):
    held_out = np.array([Fold(number, folds, seed).held_out(examples) for number in range(folds)])
    assert held_out.dtype == bool
    assert held_out.sum(axis=0).tolist() == [1] * examples


@given(sizes, numbers, seeds)
def test_folds_differ_in_size_by_one_at_most(examples, folds, seed):
    counts = [int(Fold(number, folds, seed).held_out(examples).sum()) for number in range(folds)]
    assert max(counts) - min(counts) <= 1


@given(sizes, numbers, seeds)
def test_same_fold_holds_out_the_same_examples(examples, folds, seed):
    mine, its = (Fold(folds - 1, folds, seed).held_out(examples) for _ in range(2))
    assert np.array_equal(mine, its)


def test_seed_and_number_of_folds_decide_what_is_held_out():
    held_out = {
        (seed, folds): Fold(0, folds, seed).held_out(40).tobytes() for seed in range(5) for folds in (2, 4, 5)
    }
    assert len(set(held_out.values())) == len(held_out)


def test_examples_are_mixed():
    """Or a fold would be a document, or a whole split."""
    for number in range(2):
        held_out = Fold(number, 2, 1).held_out(40)
        assert 5 <= held_out[:20].sum() <= 15
        assert 5 <= np.count_nonzero(held_out[1:] != held_out[:-1]) <= 35


def test_another_process_holds_out_the_same_examples():
    code = "from advsp.experiments.folds import Fold; print(Fold(1, 3, 7).held_out(20).tolist())"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == str(Fold(1, 3, 7).held_out(20).tolist())


# --- what is left and what is held out ------------------------------------------------------------------

DATA = {
    "tagging": (toy_instances(lengths=(1, 2, 3, 1, 2)), toy_instances(seed=1, lengths=(2, 1, 1))),
    "alignment": (
        toy_pairs(shapes=((1, 1), (2, 1), (2, 2), (1, 3), (1, 2))),
        toy_pairs(seed=1, shapes=((2, 1), (1, 1), (3, 1))),
    ),
}
tasks = pytest.mark.parametrize("task", DATA)


def lengths(data) -> list[int]:
    return np.diff(data.offsets).tolist()


@tasks
@pytest.mark.parametrize("folds", [2, 3, 8])
def test_examples_of_both_splits_are_trained_on_or_held_out(task, folds):
    train, validation = DATA[task]
    both = np.array(lengths(train) + lengths(validation))
    for number in range(folds):
        fold = Fold(number, folds, 1)
        rest, held_out = folded(train, validation, fold)
        out = fold.held_out(len(both))
        assert lengths(rest) == both[~out].tolist()
        assert lengths(held_out) == both[out].tolist()
        assert rest.signature() == held_out.signature() == train.signature()


@tasks
def test_without_a_validation_split_the_training_split_is_folded(task):
    train, _ = DATA[task]
    rest, held_out = folded(train, None, Fold(0, 2, 1))
    assert len(rest) + len(held_out) == len(train)
