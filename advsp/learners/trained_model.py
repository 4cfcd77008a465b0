"""A trained model, and its files: ``model.npz`` with the weights, ``model.json`` with everything else."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from advsp.engine.settings import Engine
from advsp.learners import learners
from advsp.learners.base import Decoded, Learner
from advsp.learners.by_chain import by_chain
from advsp.support.arrays import Floats
from advsp.support.equality import equal_by_value
from advsp.support.errors import InputError
from advsp.support.files import sha256, write_json
from advsp.support.progress import Progress, no_progress
from advsp.support.sections import build, describe
from advsp.support.sparse_arrays import read_packed, write_packed
from advsp.support.versions import VERSION
from advsp.training.instances import Instances

#: Version of the layout of the two files.
FORMAT = 3
#: Those that are read; in 2 the weights were always kept densely.
READABLE = (2, FORMAT)
WEIGHTS, DESCRIPTION = "model.npz", "model.json"


@equal_by_value
@dataclass(frozen=True)
class TrainedModel:
    """A learner, what it learnt, and what it learnt it for.

    Attributes
    ----------
    kind: registered name of the learner.
    learner: the learner with its options.
    classes: the classes this model decides.
    signature: what the instances must agree with, see :meth:`~advsp.training.instances.Instances.signature`.
    weights: float [size].
    engine: how its games are solved.
    """

    kind: str
    learner: Learner
    classes: tuple[str, ...]
    signature: dict[str, Any]
    weights: Floats
    engine: Engine

    def decode(
        self, instances: Instances, tolerance: float, progress: Progress = no_progress
    ) -> dict[str, Decoded]:
        """Decode all positions of ``instances`` for every class of this model.

        Raises
        ------
        InputError: the instances have other labels or features than the model was trained with.
        """
        model = self.learner.model(instances)
        if instances.signature() != self.signature or model.size != len(self.weights):
            raise InputError(
                f"the model has {len(self.weights)} weights over {_summary(self.signature)}; "
                f"the data need {model.size} over {_summary(instances.signature())}",
                hint="featurise with the features the model was trained with",
            )
        return self.learner.decode(model, self.weights, self.classes, self.engine, tolerance, progress)

    def save(self, folder: Path) -> None:
        """Write the model into ``folder``; the description comes last and seals it."""
        (folder / DESCRIPTION).unlink(missing_ok=True)
        write_packed(folder / WEIGHTS, {"weights": self.weights})
        write_json(
            folder / DESCRIPTION,
            {
                "format": FORMAT,
                "advsp": VERSION,
                "learner": describe(learners, self.learner),
                "classes": list(self.classes),
                "data": self.signature,
                "size": len(self.weights),
                "engine": asdict(self.engine),
                "sha256": sha256(folder / WEIGHTS),
            },
        )


def load_model(folder: Path) -> TrainedModel:
    """Read a model written by :meth:`TrainedModel.save`.

    Raises
    ------
    InputError: no model there, one of another format, or files that do not belong together.
    """
    path = folder / DESCRIPTION
    try:
        about = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError("no trained model there", file=folder, hint="train it with `advsp train`") from None
    except ValueError as error:
        raise InputError(f"not JSON: {error}", file=path, hint="train the model anew") from None
    found = about.get("format") if isinstance(about, dict) else None
    if found not in READABLE:
        known = " and ".join(map(str, READABLE))
        raise InputError(f"model format {found!r}, this version reads {known}", file=path)
    weights = folder / WEIGHTS
    if "sha256" not in about:
        raise InputError("the description does not hold together: it names no weights", file=path)
    if not weights.exists() or sha256(weights) != about["sha256"]:
        raise InputError("the weights are not those the description names", file=weights, hint="train anew")
    arrays = read_packed(weights, "a file of weights", "train anew")
    if "weights" not in arrays:
        raise InputError("not a file of weights: it holds none", file=weights, hint="train anew")
    try:
        model = TrainedModel(
            kind=about["learner"]["name"],
            learner=build(learners, about["learner"]),
            classes=tuple(about["classes"]),
            signature=dict(about["data"]),
            weights=arrays["weights"],
            engine=Engine(**about["engine"]),
        )
        whole = about["size"] == len(model.weights)
    except (InputError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"the description does not hold together: {error}", file=path) from None
    if not whole:
        raise InputError(
            f"the description names {about['size']} weights, not {len(model.weights)}", file=path
        )
    return model


def mean_model(models: Sequence[TrainedModel]) -> TrainedModel:
    """The model whose weights are the mean of several runs' weights, in the order given."""
    first = models[0]
    weights = np.mean([model.weights for model in models], axis=0)
    return TrainedModel(first.kind, first.learner, first.classes, first.signature, weights, first.engine)


def summed_model(models: Sequence[TrainedModel]) -> TrainedModel:
    """Class models of tags as one, which decides by the distribution of the sum of their potentials."""
    first = models[0]
    classes = tuple(label for model in models for label in model.classes)
    weights = np.sum([model.weights for model in models], axis=0)
    return TrainedModel(first.kind, by_chain(first.learner), classes, first.signature, weights, first.engine)


def _summary(signature: dict[str, Any]) -> str:
    """What a model is made for, in a few words: ``tag names PER, LOC, O``."""
    (name, values), *_ = signature.items()
    shown = ", ".join(values[:8]) + (f" and {len(values) - 8} more" if len(values) > 8 else "")
    return f"the {name.replace('_', ' ')} {shown}"
