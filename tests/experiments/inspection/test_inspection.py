"""What there is to see of a trained system is what its files and its games hold."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from advsp.experiments.inspection.curves import learning_curves
from advsp.experiments.inspection.equilibria import solve_example
from advsp.experiments.inspection.hardest import hardest
from advsp.experiments.inspection.weights import labels_of, model_weights
from advsp.experiments.system_in_use import open_system
from advsp.support.errors import InputError
from advsp.support.progress import no_progress

TAGGING, LINKS = Path("results/runs/tiny"), Path("results/runs/harbour")
GAMES = ("ADV_aer [m, label]", "ADV_aer [m, ignore]", "ADV_bip [m, ignore]")


@pytest.fixture
def opened(finished, finished_bitext, monkeypatch):
    """A system and a split of its run."""

    def take(name: str, split: str | None = None, **options):
        run = TAGGING if name in ("CRF", "ADV_f1") else LINKS
        monkeypatch.chdir(finished if run == TAGGING else finished_bitext)
        system = open_system(run, name, **options)
        return system, system.run.folder.instances(
            system.point.view, split or system.run.config.corpus.validation
        )

    return take


def test_a_curve_is_what_the_training_loop_wrote(opened):
    system, _ = opened("ADV_f1", seed="1")
    curves = learning_curves(system)
    assert [curve.title for curve in curves] == ["PER, seed 1", "LOC, seed 1"]
    for curve, label in zip(curves, ("PER", "LOC"), strict=True):
        assert len(curve.objective) == 2
        assert curve.validation.keys() == {label}
        assert list(curve.validation[label]) == [1, 2]
    average, _ = opened("ADV_f1", seed="average")
    assert len(learning_curves(average)) == 4


def test_curves_of_folds_are_told_apart(opened):
    system, _ = opened("ADV_aer [m, label]", seed="1")
    titles = [curve.title for curve in learning_curves(system)]
    assert "all, seed 1, fold 1 of 2" in titles and "all, seed 1, fold 2 of 2" in titles


def test_weights_are_those_of_the_model_by_their_names(opened):
    system, instances = opened("ADV_f1")
    for model, found in zip(system.models, model_weights(system, instances, 3), strict=True):
        assert (found.size, found.used) == (len(model.weights), np.count_nonzero(model.weights))
        shown = [weight for weights in found.strongest.values() for weight in weights]
        assert max(abs(weight.value) for weight in shown) == np.abs(model.weights).max()
        assert all(len(weights) <= 3 for weights in found.strongest.values())
        assert sum(share.share for share in found.templates) == pytest.approx(1.0)
        for weights in found.strongest.values():
            values = [abs(weight.value) for weight in weights]
            assert values == sorted(values, reverse=True)
        assert {"WORD", "n-gram", "PSEQW"} <= {share.template for share in found.templates}
        assert labels_of(instances, model.classes) == [*model.classes, "O"]


@pytest.mark.parametrize("name", ["logistic [m]", *GAMES])
def test_weights_of_links_have_the_names_of_their_features(opened, name):
    system, instances = opened(name)
    (found,) = model_weights(system, instances, 2)
    assert {share.template for share in found.templates} <= set(instances.feature_names)
    (model,) = system.models
    assert set(found.strongest) == ({"sure"} if "ignore" in name else {"sure", "possible"})
    assert max(abs(w.value) for ws in found.strongest.values() for w in ws) == np.abs(model.weights).max()


@pytest.mark.parametrize("name", ["CRF", "ADV_f1", "logistic [m]", "SSVM [taskar]", *GAMES])
def test_the_hardest_examples_have_the_greatest_losses(opened, name):
    system, instances = opened(name)
    told = []
    found = hardest(system, instances, len(instances), told.append)
    assert sum(told) == len(instances) * len(system.models)
    losses = [hard.loss for hard in found]
    assert losses == sorted(losses, reverse=True)
    assert sorted(hard.number for hard in found) == list(range(1, len(instances) + 1))
    assert hardest(system, instances, 2, no_progress) == found[:2]
    played = name in (*GAMES[:2], "ADV_f1")
    assert all((hard.guaranteed is not None) == played for hard in found)


@pytest.mark.parametrize("name", ["ADV_f1", *GAMES[:2]])
def test_games_guarantee_no_more_than_is_expected_on_what_is_right(opened, name):
    """The adversary may play what is right, so a game's value is at most what that would pay."""
    system, instances = opened(name)
    for hard in hardest(system, instances, len(instances), no_progress):
        games = solve_example(system, instances, hard.number)
        expected = []
        one = instances.take(np.array([hard.number - 1]))
        for model in system.models:
            linear = model.learner.model(one)
            loss = model.learner.games(linear, model.classes, model.engine.exact())
            for game in loss.games(0, linear.all_potentials(model.weights)):
                mixture = next(g for g in games if g.label == model.classes[0]).equilibrium.predictor
                if np.isfinite(game.adversary.potential(linear.gold(0)[None, :]))[0]:
                    scores = game.score.scores(mixture.labellings, linear.gold(0)[None, :])[:, 0]
                    expected.append(float(mixture.probabilities @ scores))
        if len(expected) == len(games):
            assert hard.guaranteed <= np.mean(expected) + 0.02


@pytest.mark.parametrize("name", ["ADV_f1", *GAMES])
def test_an_equilibrium_says_what_both_players_play(opened, name):
    system, instances = opened(name, "test" if name in GAMES else "testb")
    said = system.decode(instances)
    for number in range(1, len(instances) + 1):
        for game in solve_example(system, instances, number):
            for mixture in (game.equilibrium.predictor, game.equilibrium.adversary):
                assert mixture.probabilities.sum() == pytest.approx(1.0)
                assert (np.diff(mixture.probabilities) <= 0).all() and (mixture.probabilities > 0).all()
            assert 0.0 <= game.expected <= 1.0 or "ADV_bip" in name
            rows = instances.rows(number - 1)
            if "ADV_bip" not in name:
                np.testing.assert_allclose(
                    game.equilibrium.predictor.marginal(), said[game.label].marginal[rows], atol=1e-6
                )


def test_who_plays_no_games_has_no_equilibrium(opened):
    assert solve_example(*opened("CRF"), 1) == []


def test_an_example_that_there_is_not_is_refused(opened):
    system, instances = opened("ADV_f1")
    for number in (0, len(instances) + 1):
        with pytest.raises(InputError, match=rf"there is no sentence {number} \(the split has 1 to 4\)"):
            solve_example(system, instances, number)
