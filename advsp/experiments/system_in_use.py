"""A trained system as it is used on new data: which models, and how they decide."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np

from advsp.experiments.decisions import Output, best_threshold, decide, thresholds_in_steps
from advsp.experiments.grid import GridPoint, chosen_points, seeds
from advsp.experiments.run_folder import AVERAGE, TrainedRun, read_run, seed_name
from advsp.learners.base import Decoded
from advsp.learners.trained_model import TrainedModel, load_model, summed_model
from advsp.metrics import metrics
from advsp.metrics.choice import Choice, Rule, is_by_chain, is_by_threshold, with_threshold
from advsp.metrics.joint import Joint, one_class_each
from advsp.support.arrays import Bools
from advsp.support.errors import InputError
from advsp.training.instances import Instances

#: What decisions may be moved towards, and the F-score that thresholds are chosen by then.
Favour = Literal["precision", "recall"]
_FAVOURS: dict[Favour, str] = {"precision": "token_f0.5", "recall": "token_f2"}


@dataclass(frozen=True, eq=False)
class SystemInUse:
    """The models of one system and seed, and how they decide.

    Attributes
    ----------
    run: that it is of.
    name: of the system.
    seed: name of the models' seed, or of the average over them.
    models: one a group of classes, or their sum where the chain's own distribution decides.
    rule: how classes are decided that have no threshold.
    thresholds: class to the marginal above which it is decided.
    """

    run: TrainedRun
    point: GridPoint
    seed: str
    models: tuple[TrainedModel, ...]
    rule: Rule
    thresholds: Mapping[str, float]

    @property
    def name(self) -> str:
        """Name of the system."""
        return self.point.system

    @property
    def choice(self) -> Choice:
        """What was chosen for it."""
        return self.run.choices[self.name]

    @property
    def features(self) -> Path:
        """Where what its features learnt is kept; without ending."""
        return self.run.folder.features(self.point.view)

    def describe(self) -> str:
        """One line for the user: what decides, and how."""
        seed = "average of the seeds' weights" if self.seed == AVERAGE else self.seed.replace("-", " ")
        levels = ", ".join(f"{label} above {level:g}" for label, level in self.thresholds.items())
        return f"{self.name}, {seed}, rule {self.rule}{f', {levels}' if levels else ''}"

    def decode(self, instances: Instances) -> dict[str, Decoded]:
        """What the models say of every class."""
        said: dict[str, Decoded] = {}
        for model in self.models:
            said |= model.decode(instances, self.run.config.evaluation.tolerance)
        return {label: said[label] for label in self.run.config.classes}

    def decide(self, said: Mapping[str, Decoded]) -> Joint:
        """One class a position, from what the models say."""
        marginals = {label: what.marginal for label, what in said.items()}
        return one_class_each(self.claims(said), marginals, self.thresholds, self.choice.joint)

    def claims(self, said: Mapping[str, Decoded]) -> dict[str, Bools]:
        """Every class decided by itself, bool [T] each, from what the models say."""
        return {
            label: decide(what, "threshold", self.thresholds[label])
            if label in self.thresholds
            else decide(what, self.rule)
            for label, what in said.items()
        }

    def with_thresholds(self, thresholds: Mapping[str, float]) -> SystemInUse:
        """The same with some other thresholds.

        Raises
        ------
        InputError: one is of a class that there is not.
        """
        for label in thresholds:
            if label not in self.run.config.classes:
                known = ", ".join(self.run.config.classes)
                raise InputError(f"there is no class {label!r} to set a threshold of", hint=f"known: {known}")
        return replace(self, thresholds={**self.thresholds, **thresholds})

    def favouring(self, favour: Favour) -> SystemInUse:
        """The same with thresholds that give the best F-0.5, or F-2, on the validation split.

        Raises
        ------
        InputError: the run has no validation split, or what the models say are no probabilities.
        """
        corpus = self.run.config.corpus
        if corpus.validation is None or not self.point.learner.probabilistic:
            what = "no validation split" if corpus.validation is None else "no probabilities"
            raise InputError(
                f"{self.name} has {what} to choose thresholds by", hint="give thresholds of your own"
            )
        instances = self.run.folder.instances(self.point.view, corpus.validation)
        said = self.decode(instances)
        metric = metrics.get(_FAVOURS[favour])()
        parts = [Output(instances, said)]
        levels = thresholds_in_steps(self.point.config.selection.threshold_step)
        return self.with_thresholds({label: best_threshold(parts, label, metric, levels) for label in said})


def open_system(folder: Path, system: str | None = None, seed: str | None = None) -> SystemInUse:
    """A system of a trained run.

    Parameters
    ----------
    folder: the run's folder.
    system: its name as the tables have it, ``+average`` and ``+threshold`` included; by default the one with
        the best score on what systems are chosen by.
    seed: number of a seed, or ``average``; by default the average where there are several seeds.

    Raises
    ------
    InputError: no trained run there, no such system or seed, or no thresholds.
    """
    run = read_run(folder)
    name = system or _best(run)
    by_thresholds, name = name.endswith("+threshold"), name.removesuffix("+threshold")
    averaged, name = name.endswith("+average"), name.removesuffix("+average")
    if name not in run.choices:
        known = ", ".join(run.choices)
        raise InputError(f"the run has no system {name!r}", file=folder, hint=f"it has {known}")
    if averaged and seed not in (None, AVERAGE):
        raise InputError(f"{system} is the average over the seeds", hint="leave --seed away")
    models = _seed(run, name, AVERAGE if averaged else seed)
    choice = run.choices[name]
    rule = with_threshold(choice.rule) if by_thresholds else choice.rule
    thresholds = choice.thresholds_of(models) if is_by_threshold(rule) else {}
    if is_by_threshold(rule) and not thresholds:
        raise InputError(f"{name} has no thresholds", file=folder, hint=f"leave +threshold away: {name}")
    point = chosen_points(run.config, run.choices)[name]
    groups = point.learner.groups(run.config.classes)
    loaded = tuple(load_model(run.folder.model(name, models, group)) for group in groups)
    if is_by_chain(rule):
        loaded = (summed_model(loaded),)
    return SystemInUse(run, point, models, loaded, rule, thresholds)


def _best(run: TrainedRun) -> str:
    """The system with the best score, the first of equals; the first of all where nothing was scored."""

    def merit(name: str) -> float:
        score = run.choices[name].score
        if score is None:
            return -np.inf
        metric = metrics.get(run.config.systems[name].selection.metric)
        return -score if metric.lower_is_better else score

    return max(run.choices, key=merit)


def _seed(run: TrainedRun, system: str, seed: str | None) -> str:
    """Name of the models' seed."""
    known = {str(number): seed_name(number) for number in seeds(run.config, system)}
    if len(known) > 1:
        known[AVERAGE] = AVERAGE
    wanted = list(known)[-1] if seed is None else seed
    if wanted not in known:
        there = ", ".join(known)
        raise InputError(
            f"{system} has no models of seed {seed}", file=run.folder.path, hint=f"it has {there}"
        )
    return known[wanted]
