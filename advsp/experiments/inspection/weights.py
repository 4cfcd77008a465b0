"""The strongest weights of a model, feature by feature, and which templates they are of."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from advsp.experiments.system_in_use import SystemInUse
from advsp.learners.trained_model import TrainedModel
from advsp.support.arrays import Floats
from advsp.support.records import Fields
from advsp.training.chain_model import ChainModel
from advsp.training.edge_model import EdgeModel
from advsp.training.instances import ChainInstances, Instances

#: What a name of a feature ends in: ``-WORD|C``; n-grams stand in ``#``.
_STANFORD = re.compile(r"(?:.*-)?([A-Za-z0-9_]+)\|(Cp?C?)")


@dataclass(frozen=True)
class Weight:
    """A weight of a feature.

    Attributes
    ----------
    label: the tag, or the pair of tags, or the kind of link, that it is of.
    feature: name of the feature.
    """

    label: str
    feature: str
    value: float


@dataclass(frozen=True)
class TemplateShare:
    """What the features of one template weigh.

    Attributes
    ----------
    features: how many of them have a weight other than 0.
    share: their part of the sum of all absolute weights.
    strongest: the weight of greatest absolute value.
    """

    template: str
    features: int
    share: float
    strongest: Weight


@dataclass(frozen=True)
class ModelWeights:
    """What there is to see of the weights of one model.

    Attributes
    ----------
    classes: that the model is of.
    strongest: by label the weights of greatest absolute value, descending.
    templates: what every template weighs, descending.
    size, used: number of weights, and of those that are not 0.
    """

    classes: tuple[str, ...]
    strongest: dict[str, list[Weight]]
    templates: list[TemplateShare]
    size: int
    used: int


def model_weights(system: SystemInUse, instances: Instances, number: int) -> list[ModelWeights]:
    """The ``number`` strongest weights of every label, of all models of a system."""
    return [_of(model, system.features, instances, number) for model in system.models]


def template_of(feature: str) -> str:
    """The template that made a feature, as far as its name tells.

    >>> [template_of(name) for name in ("gull-WORD|C", "#<gu#|C", "a-b-TYPES|CpC", "pos[-1]=NN", "dice")]
    ['WORD', 'n-gram', 'TYPES', 'pos[-1]', 'dice']
    """
    if feature.startswith("#") and feature.endswith("#|C"):
        return "n-gram"
    if found := _STANFORD.fullmatch(feature):
        return found[1]
    return feature.partition("=")[0].rpartition("|")[2] or feature


def _of(model: TrainedModel, features: Path, instances: Instances, number: int) -> ModelWeights:
    tables = list(_tables(model, features, instances))
    labelled: dict[str, list[Weight]] = {}
    sums: dict[str, float] = defaultdict(float)
    counts: dict[str, int] = defaultdict(int)
    strongest: dict[str, Weight] = {}
    for names, labels, table in tables:
        for column, label in enumerate(labels):
            values = table[:, column]
            order = np.argsort(-np.abs(values), kind="stable")
            order = order[values[order] != 0.0]
            if len(order):
                labelled[label] = [Weight(label, names[row], float(values[row])) for row in order[:number]]
        greatest = np.abs(table).argmax(axis=1)
        for row, (name, column) in enumerate(zip(names, greatest.tolist(), strict=True)):
            value = float(table[row, column])
            if value == 0.0:
                continue
            template = template_of(name)
            sums[template] += float(np.abs(table[row]).sum())
            counts[template] += 1
            if template not in strongest or abs(value) > abs(strongest[template].value):
                strongest[template] = Weight(labels[column], name, value)
    total = sum(sums.values()) or 1.0
    shares = [
        TemplateShare(name, counts[name], sums[name] / total, strongest[name])
        for name in sorted(sums, key=lambda name: -sums[name])
    ]
    used = int(np.count_nonzero(model.weights))
    return ModelWeights(model.classes, labelled, shares, len(model.weights), used)


def _tables(
    model: TrainedModel, features: Path, instances: Instances
) -> Iterator[tuple[Sequence[str], Sequence[str], Floats]]:
    """Names of features, labels, and their weights float [F, L]."""
    linear = model.learner.model(instances)
    if isinstance(linear, ChainModel):
        tags = linear.instances.tag_names
        node, edge = linear.tables(model.weights)
        pairs = [f"{before} {tag}" for before in tags for tag in tags]
        starts = [f"START {tag}" for tag in tags] if linear.start == "own" else []
        names = _chain_names(features, linear)
        yield names[0], tags, node
        yield names[1], np.array([*starts, *pairs])[linear.cells].tolist(), edge
        return
    assert isinstance(linear, EdgeModel)
    for block in linear.named_blocks:
        yield block.names, [block.label], model.weights[block.place, None]


def _chain_names(features: Path, model: ChainModel) -> tuple[list[str], list[str]]:
    """Names of the node and of the edge features."""
    file = features.with_name(f"{features.name}.json")
    sizes = model.node_features, model.edge_features
    found: list[list[str]] = [[], []]
    if file.exists():
        state = Fields.of_file(file, "train anew with --overwrite")
        parts = [state, *([state.fields("own")] if "own" in state else [])]
        for place, kind in enumerate(("node", "edge")):
            found[place] = [name for part in parts if kind in part for name in part.texts(kind)]
        if len(parts) > 1 and "vectors" in parts[1]:
            numbers = parts[1].fields("vectors").numbers("mean")
            found[0] += [f"vector={number}" for number in range(len(numbers))]
    node, edge = (
        [*names, *(f"feature={number}" for number in range(len(names), size))]
        for names, size in zip(found, sizes, strict=True)
    )
    return node, edge


def labels_of(instances: Instances, classes: Sequence[str]) -> list[str]:
    """What a model of some classes has weights for: their tags and O, or labels of links and steps."""
    if not isinstance(instances, ChainInstances):
        return ["sure", "possible", "step"]
    tags = [instances.tag_names[tag] for label in classes for tag in instances.tags_of(label)]
    return [*tags, *(["O"] if "O" in instances.tag_names else [])]
