"""Points of grids, numbers of passes, seeds and folds: what there is to train and to choose from."""

from __future__ import annotations

import pytest

from advsp.experiments.config import ExperimentConfig
from advsp.experiments.folds import Fold
from advsp.experiments.grid import chosen_points, folds, grid, seeds, seeds_left, seeds_to_choose_by
from advsp.metrics.choice import Choice
from advsp.support.errors import InputError


def experiment(total: int = 3, **selection) -> ExperimentConfig:
    """One system with so many seeds, and what is asked of its selection."""
    return ExperimentConfig.model_validate(
        {
            "name": "trial",
            "corpus": {"name": "tiny", "path": "nowhere"},
            "classes": ["PER", "LOC"],
            "seed": 5,
            "runs": total,
            "optimiser": {"passes": 4},
            "selection": selection,
            "systems": {"ADV": {"learner": {"name": "adversarial"}}},
        }
    )


def points(**selection):
    return grid("ADV", experiment(**selection).systems["ADV"])


def test_points_are_all_combinations_in_the_order_of_the_configuration():
    options = {"optimiser.step": [0.3, 0.1], "learner.share": [False, True]}
    found = points(grid=options)
    assert [(point.system, point.number) for point in found] == [("ADV", n) for n in range(4)]
    assert [tuple(point.options.values()) for point in found] == [
        (0.3, False),
        (0.3, True),
        (0.1, False),
        (0.1, True),
    ]
    assert list(found[0].options) == list(options)
    assert [point.config.optimiser.build().step for point in found] == [0.3, 0.3, 0.1, 0.1]
    assert [len(point.learner.groups(["PER", "LOC"])) for point in found] == [2, 1, 2, 1]


def test_without_a_grid_there_is_one_point():
    (point,) = points()
    assert (point.number, point.options, point.view) == (0, {}, "stanford")


def test_point_that_does_not_fit_is_named():
    with pytest.raises(InputError, match=r"systems.ADV.selection.grid: the grid point optimiser.steep=1 "):
        points(grid={"optimiser.steep": [1]})


@pytest.mark.parametrize(
    ("asked", "found"),
    [([], (4,)), ([1, 2], (1, 2, 4)), ([2, 1, 2], (1, 2, 4)), ([4], (4,)), ([5, 9], (4,)), ([3, 9], (3, 4))],
)
def test_candidates_are_those_within_the_passes_and_the_last(asked, found):
    assert points(passes=asked)[0].candidates == found


def test_chosen_point_is_the_one_that_was_chosen():
    config = experiment(grid={"optimiser.step": [0.1, 0.2]})
    choice = Choice("token_f1 on testa", 1, 4, "mode", 0.5, {"optimiser.step": 0.2})
    assert chosen_points(config, {"ADV": choice})["ADV"].options == {"optimiser.step": 0.2}


def test_seeds_follow_that_of_the_experiment():
    assert seeds(experiment(), "ADV") == [5, 6, 7]


def test_what_is_chosen_is_trained_with_the_seeds_it_was_not_chosen_by():
    config = experiment(runs=2)
    assert (seeds_to_choose_by(config, "ADV"), seeds_left(config, "ADV")) == ([5, 6], [7])
    folded = experiment(runs=2, folds=3)
    assert (seeds_to_choose_by(folded, "ADV"), seeds_left(folded, "ADV")) == ([5, 6], [5, 6, 7])


def test_folds_are_those_of_the_experiments_seed():
    assert folds(experiment(folds=2), "ADV") == [Fold(0, 2, 5), Fold(1, 2, 5)]
    assert folds(experiment(), "ADV") == [None]
