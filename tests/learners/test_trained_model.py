"""Saved models: what is read back is what was saved, or it is refused."""

from __future__ import annotations

import dataclasses
import json
import pickle
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from toy_parts import Mixed, Tilted
from training.toy import toy_pairs
from trial_configs import LaterCRF

from advsp import __version__
from advsp.engine.settings import Engine
from advsp.learners import learners
from advsp.learners.adversarial import Adversarial
from advsp.learners.adversarial_links import AdversarialLinks
from advsp.learners.trained_model import TrainedModel, load_model, mean_model
from advsp.support.errors import InputError
from advsp.support.files import sha256, write_arrays
from advsp.training.instances import ChainInstances, EdgeInstances, Instances

NAMES = ("PER", "LOC", "O")


def instances(features: int = 4, names: tuple[str, ...] = NAMES) -> ChainInstances:
    """Two short sentences."""
    rng = np.random.default_rng(0)
    return ChainInstances(
        node=csr_matrix(rng.integers(0, 2, (5, features)).astype(float)),
        edge=csr_matrix(np.ones((5, 1))),
        tags=np.array([0, 2, 1, 2, 0], dtype=np.int8),
        offsets=np.array([0, 3, 5]),
        tag_names=names,
        words=(("Signe", "sees", "Halden"), ("says", "Signe")),
        gold=(("B-PER", "O", "B-LOC"), ("O", "B-PER")),
    )


#: What there is to decide in every task, and the classes of it.
TASKS: dict[str, tuple[Instances, tuple[str, ...]]] = {
    "tagging": (instances(), ("PER", "LOC")),
    "alignment": (toy_pairs(), ("all",)),
}


def made(kind: str = "adversarial", seed: int = 1, **options) -> TrainedModel:
    """A model of all classes with weights drawn at random."""
    learner = learners.get(kind)(**options)
    data, classes = TASKS[learner.task]
    weights = np.random.default_rng(seed).normal(size=learner.model(data).size)
    engine = Engine(lp="linprog", max_iterations=77)
    return TrainedModel(kind, learner, classes, data.signature(), weights, engine)


def complaint(folder: Path) -> str:
    with pytest.raises(InputError) as raised:
        load_model(folder)
    return str(raised.value)


def redescribe(folder: Path, **keys) -> None:
    """Change keys of a model's description."""
    about = json.loads((folder / "model.json").read_text())
    (folder / "model.json").write_text(json.dumps({**about, **keys}))


# --- there and back ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", learners.names())
def test_model_of_every_learner_comes_back_as_it_was(kind, tmp_path):
    model = made(kind)
    model.save(tmp_path)
    again = load_model(tmp_path)
    assert again.weights.tobytes() == model.weights.tobytes()
    assert again.weights.dtype == model.weights.dtype
    assert dataclasses.replace(again, weights=model.weights) == model


@pytest.mark.parametrize("kind", learners.names())
def test_model_of_every_learner_says_the_same_after_it_was_read(kind, tmp_path):
    model = made(kind)
    data, classes = TASKS[model.learner.task]
    model.save(tmp_path)
    mine, its = (m.decode(data, 1e-6) for m in (model, load_model(tmp_path)))
    assert set(mine) == set(its) == set(classes)
    for label in mine:
        assert mine[label].mode.dtype == bool
        assert mine[label].mode.shape == mine[label].marginal.shape == (int(data.offsets[-1]),)
        assert np.array_equal(mine[label].mode, its[label].mode)
        assert np.array_equal(mine[label].marginal, its[label].marginal)


def test_options_come_back(tmp_path):
    made(beta=2.0, warm=False, start="latent").save(tmp_path)
    model = load_model(tmp_path)
    assert model.learner == Adversarial(beta=2.0, warm=False, start="latent")
    assert model.engine == Engine(lp="linprog", max_iterations=77)


def test_options_that_are_tables_come_back(tmp_path):
    made("adversarial-links", structure="matching", cost={"NS": 2.0, "AP": 0.5}).save(tmp_path)
    learner = load_model(tmp_path).learner
    assert learner == AdversarialLinks(structure="matching", cost={"NS": 2.0, "AP": 0.5})


def test_description_says_everything_but_the_weights(tmp_path):
    model = made("crf")
    model.save(tmp_path)
    assert json.loads((tmp_path / "model.json").read_text()) == {
        "format": 3,
        "advsp": __version__,
        "learner": {"name": "crf", "start": "latent"},
        "classes": ["PER", "LOC"],
        "data": {"tag_names": ["PER", "LOC", "O"]},
        "size": len(model.weights),
        "engine": {"lp": "linprog", "oracle": "auto", "max_iterations": 77, "stop": "certified"},
        "sha256": sha256(tmp_path / "model.npz"),
    }
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model.json", "model.npz"]


def test_weights_of_the_format_before_are_read(tmp_path):
    model = made("crf")
    model.save(tmp_path)
    write_arrays(tmp_path / "model.npz", {"weights": model.weights})
    redescribe(tmp_path, format=2, sha256=sha256(tmp_path / "model.npz"))
    assert load_model(tmp_path) == model


def test_saving_the_same_model_twice_makes_the_same_bytes(tmp_path):
    for name in ("one", "two"):
        made().save(tmp_path / name)
    for name in ("model.npz", "model.json"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_saving_that_stops_half_way_leaves_no_model(tmp_path, monkeypatch):
    made(seed=1).save(tmp_path)

    def stop(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr("advsp.learners.trained_model.write_json", stop)
    with pytest.raises(KeyboardInterrupt):
        made(seed=2).save(tmp_path)
    assert complaint(tmp_path).startswith(f"{tmp_path}: no trained model there")


def test_mean_model_has_the_mean_of_the_weights(tmp_path):
    models = [made(seed=seed) for seed in (1, 2, 3)]
    mean = mean_model(models)
    assert np.allclose(mean.weights, sum(model.weights for model in models) / 3)
    assert dataclasses.replace(mean, weights=models[0].weights) == models[0]
    assert np.array_equal(mean_model(models[:1]).weights, models[0].weights)


def test_option_that_is_a_part_comes_back_and_one_that_is_none_is_not_stated(tmp_path, monkeypatch):
    monkeypatch.setitem(learners._members, "crf", LaterCRF)
    for measure in (None, Mixed({"x": Tilted(2.0)})):
        made("crf", measure=measure).save(tmp_path)
        assert load_model(tmp_path).learner == LaterCRF(measure=measure)
        options = json.loads((tmp_path / "model.json").read_text())["learner"]
        parts = {"x": {"name": "tilted", "beta": 2.0, "side": "left"}}
        stated = {} if measure is None else {"measure": {"name": "mixed", "parts": parts}}
        assert options == {"name": "crf", "start": "latent"} | stated


# --- what is refused ----------------------------------------------------------------------------------


def test_folder_without_a_model_is_refused(tmp_path):
    assert complaint(tmp_path) == f"{tmp_path}: no trained model there (train it with `advsp train`)"


@pytest.mark.parametrize("text", ["", "{", '{"format": 3', "\N{SNOWMAN}"])
def test_description_that_is_not_json_is_refused(tmp_path, text):
    made().save(tmp_path)
    (tmp_path / "model.json").write_text(text)
    assert complaint(tmp_path).startswith(f"{tmp_path / 'model.json'}: not JSON: ")


@pytest.mark.parametrize("version", [0, 1, 4, "2", None])
def test_model_of_another_format_is_refused(tmp_path, version):
    made().save(tmp_path)
    redescribe(tmp_path, format=version)
    assert (
        complaint(tmp_path)
        == f"{tmp_path / 'model.json'}: model format {version!r}, this version reads 2 and 3"
    )


def test_model_of_an_unknown_learner_is_refused(tmp_path):
    made().save(tmp_path)
    redescribe(tmp_path, learner={"name": "adversary"})
    assert "did you mean 'adversarial'?" in complaint(tmp_path)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(lambda folder: (folder / "model.npz").read_bytes()[:-1], id="one byte short"),
        pytest.param(lambda folder: b"", id="empty"),
        pytest.param(lambda folder: (folder.parent / "other/model.npz").read_bytes(), id="of another model"),
        pytest.param(lambda folder: None, id="missing"),
    ],
)
def test_weights_that_do_not_belong_to_the_description_are_refused(tmp_path, content):
    folder = tmp_path / "model"
    made(seed=1).save(folder)
    made(seed=2).save(tmp_path / "other")
    found = content(folder)
    (folder / "model.npz").unlink()
    if found is not None:
        (folder / "model.npz").write_bytes(found)
    assert complaint(folder) == (
        f"{folder / 'model.npz'}: the weights are not those the description names (train anew)"
    )


@pytest.mark.parametrize(
    "write",
    [
        pytest.param(lambda stream: np.savez(stream, other=np.zeros(3)), id="no weights in it"),
        pytest.param(lambda stream: stream.write(b"PK\x03\x04 and so on"), id="no archive"),
        pytest.param(lambda stream: stream.write(b"text"), id="text"),
    ],
)
def test_file_that_holds_no_weights_is_refused_even_if_the_description_names_it(tmp_path, write):
    made().save(tmp_path)
    with open(tmp_path / "model.npz", "wb") as stream:
        write(stream)
    redescribe(tmp_path, sha256=sha256(tmp_path / "model.npz"))
    assert complaint(tmp_path).startswith(f"{tmp_path / 'model.npz'}: not a file of weights: ")


class Trap:
    """Writes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self):
        return Path.touch, (self.path,)


@pytest.mark.parametrize(
    "write",
    [
        pytest.param(
            lambda stream, trap: np.savez(stream, weights=np.array([trap], dtype=object)), id="in npz"
        ),
        pytest.param(lambda stream, trap: np.save(stream, np.array([trap], dtype=object)), id="in npy"),
        pytest.param(lambda stream, trap: pickle.dump({"weights": trap}, stream), id="bare"),
    ],
)
def test_pickle_is_refused_and_not_run(tmp_path, write):
    made().save(tmp_path)
    sprung = tmp_path / "sprung"
    with open(tmp_path / "model.npz", "wb") as stream:
        write(stream, Trap(sprung))
    redescribe(tmp_path, sha256=sha256(tmp_path / "model.npz"))
    assert complaint(tmp_path).startswith(f"{tmp_path / 'model.npz'}: not a file of weights: ")
    assert not sprung.exists()


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda folder: (folder / "model.json").write_text("[]"), id="a list"),
        pytest.param(lambda folder: (folder / "model.json").write_text('{"format": 3}'), id="keys missing"),
        pytest.param(lambda folder: redescribe(folder, data=["PER", "O"]), id="data that say nothing"),
        pytest.param(
            lambda folder: redescribe(folder, learner={"name": "crf", "beta": 1.0}), id="unknown option"
        ),
        pytest.param(lambda folder: redescribe(folder, learner={"name": "cfr"}), id="unknown learner"),
        pytest.param(lambda folder: redescribe(folder, engine={"solver": "highs"}), id="unknown engine"),
        pytest.param(lambda folder: redescribe(folder, size=3), id="wrong size"),
    ],
)
def test_description_that_does_not_hold_together_is_refused(tmp_path, damage):
    made().save(tmp_path)
    damage(tmp_path)
    assert str(tmp_path / "model.json") in complaint(tmp_path)


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(instances(features=5), id="more features"),
        pytest.param(instances(features=3), id="fewer features"),
        pytest.param(instances(names=("LOC", "PER", "O")), id="tags in another order"),
        pytest.param(instances(names=("PER", "LOC", "ORG", "O")), id="another tag"),
    ],
)
def test_instances_of_other_features_or_tags_are_refused(other):
    with pytest.raises(
        InputError, match=r"^the model has \d+ weights over the tag names PER, LOC, O; the data need "
    ):
        made().decode(other, 1e-6)


def renamed(*names: str) -> EdgeInstances:
    """The sentence pairs with features of other names, as many as there are names."""
    data = toy_pairs()
    features = np.resize(data.features, (len(data.features), len(names)))
    return dataclasses.replace(data, features=features, feature_names=names)


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(renamed("bias", "distance", "dice"), id="in another order"),
        pytest.param(renamed("bias", "dice", "rank"), id="another one"),
        pytest.param(renamed("bias", "dice"), id="one less"),
        pytest.param(renamed("bias", "dice", "distance", "rank"), id="one more"),
    ],
)
def test_pairs_with_other_features_are_refused(other):
    for kind in ("adversarial-links", "ssvm"):
        with pytest.raises(InputError) as raised:
            made(kind).decode(other, 1e-6)
        size = made(kind).weights.size
        assert str(raised.value).startswith(
            f"the model has {size} weights over the feature names bias, dice, distance; the data need "
        )
        assert f"over the feature names {', '.join(other.feature_names)} (" in str(raised.value)


def test_many_features_are_not_all_named():
    names = ("bias", *(f"f{number}" for number in range(20)))
    with pytest.raises(InputError, match="the feature names bias, f0, f1, f2, f3, f4, f5, f6 and 13 more "):
        made("ssvm").decode(renamed(*names), 1e-6)
