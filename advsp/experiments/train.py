"""One configuration to corpus, features, trained models and choices: an experiment from top to bottom.

Everything a later step needs is in the run folder (:mod:`advsp.experiments.run_folder`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import ValidationError

from advsp.experiments.announcements import announce_choice, announce_memory, announce_sizes
from advsp.experiments.checks import check_folds, check_systems, checksums
from advsp.experiments.config import ExperimentConfig
from advsp.experiments.grid import GridPoint, folds, grid, seeds, seeds_left, seeds_to_choose_by
from advsp.experiments.jobs import TrainingJob, TrainingRun, run_training
from advsp.experiments.kept_scores import what_would_be_lost
from advsp.experiments.recipe import Recipe
from advsp.experiments.run_folder import AVERAGE, RunFolder, open_run, scores_file, seed_name
from advsp.experiments.selection import choose
from advsp.experiments.thresholds import with_thresholds
from advsp.experiments.warm_up import rehearse
from advsp.learners.trained_model import mean_model
from advsp.metrics.choice import Choice
from advsp.runners.local import Local, Runner
from advsp.support.errors import InputError
from advsp.support.lock import locked
from advsp.support.problems import first_problem
from advsp.support.progress import Reporter
from advsp.tasks import tasks
from advsp.tasks.base import View

#: System to all points of its grid.
Grids = Mapping[str, Sequence[GridPoint]]


def train(
    config: ExperimentConfig,
    reporter: Reporter,
    *,
    resume: bool = False,
    overwrite: bool = False,
    runner: Runner | None = None,
) -> Path:
    """Train every system of a configuration, choose its hyper-parameters, save the models.

    Parameters
    ----------
    resume: go on with a run that was stopped; it ends as if it had never been.
    overwrite: replace a run of the same name.
    runner: where jobs run; by default the configuration's workers on this machine.

    Returns
    -------
    The run's folder.

    Raises
    ------
    InputError: anything the user can mend, before anything is written where possible.
    """
    runner = runner or Local(config.workers)
    config = _with_classes(config)
    grids = {name: grid(name, system) for name, system in config.systems.items()}
    check_systems(config, grids)

    data, views = _see_corpus(config, grids, reporter)
    runner.check(config.folder)
    with locked(config.folder, "wait for it, or give the run another name"):
        folder = open_run(config, data, resume=resume, overwrite=overwrite)
        kept = what_would_be_lost(scores_file(config), config, data)
        if kept is not None:
            reporter.say(f"{scores_file(config)} holds {kept}: advsp evaluate will ask for --overwrite")
        if resume and folder.trained:
            folder.remove_candidates()
            reporter.say(f"{folder.path}: already trained")
            return folder.path
        for name in views:
            folder.save_view(name, views[name])
        run = TrainingRun.of(config, folder, data, resume)
        first = _to_choose_from(config, run, grids)
        announce_sizes(config, grids, views, reporter)
        announce_memory(first, views, runner.workers, reporter)
        del views  # jobs read what they need

        if not runner.remote:
            rehearse(first, runner.workers, reporter)
        run_training(first, runner, reporter, "training")
        choices = {name: choose(config, folder, points, reporter, runner) for name, points in grids.items()}
        chosen = {name: grids[name][choice.point] for name, choice in choices.items()}
        run_training(_left(config, run, chosen, choices), runner, reporter, "training: what was chosen")

        for name, choice in choices.items():
            _save_models(config, folder, chosen[name], choice.passes)
        choices = with_thresholds(config, folder, choices, reporter, runner)
        folder.end(choices)
        folder.remove_candidates()
        for name, choice in choices.items():
            announce_choice(name, choice, reporter)
        return folder.path


def _with_classes(config: ExperimentConfig) -> ExperimentConfig:
    """The configuration with the classes that the corpus has, where it names none."""
    if config.classes:
        return config
    found = tasks.get(config.corpus.kind)(config.corpus, ()).find_classes()
    try:
        return ExperimentConfig.model_validate({**config.model_dump(), "classes": list(found)})
    except ValidationError as error:
        problem = first_problem(error)
        hint = "name the classes to learn, or rename them in the corpus"
        raise InputError(problem.text, key="classes", hint=hint) from None


def _see_corpus(
    config: ExperimentConfig, grids: Grids, reporter: Reporter
) -> tuple[dict[str, str], dict[str, View]]:
    """SHA-256 of every file of the corpus, and the corpus seen through the features of every system."""
    task = tasks.get(config.corpus.kind)(config.corpus, config.classes, config.tags, config.edges)
    files = task.files()
    specs = list(dict.fromkeys(points[0].config.features.spec for points in grids.values()))
    for spec in specs:
        task.check_features(spec)
        if spec.vectors is not None:
            files = {**files, f"vectors/{Path(spec.vectors).name}": Path(spec.vectors)}
    data = checksums(files)
    found = task.featurise(specs, reporter)
    check_folds(config, next(iter(found.values())))
    return data, found


def _to_choose_from(config: ExperimentConfig, run: TrainingRun, grids: Grids) -> list[TrainingJob]:
    """Every grid point of every system with the first seeds, on every fold."""
    return [
        TrainingJob(
            run=run,
            point=point,
            seed=seed,
            fold=fold,
            group=group,
            passes=point.config.optimiser.passes,
            candidates=point.candidates,
        )
        for name, points in grids.items()
        for seed in seeds_to_choose_by(config, name)
        for point in points
        for fold in folds(config, name)
        for group in point.learner.groups(config.classes)
    ]


def _left(
    config: ExperimentConfig, run: TrainingRun, chosen: Mapping[str, GridPoint], choices: Mapping[str, Choice]
) -> list[TrainingJob]:
    """What was chosen, with the seeds that it has not been trained with."""
    return [
        TrainingJob(
            run=run,
            point=point,
            seed=seed,
            fold=None,
            group=group,
            passes=choices[name].passes,
            candidates=(choices[name].passes,),
            everything=point.config.selection.fits_everything,
        )
        for name, point in chosen.items()
        for seed in seeds_left(config, name)
        for group in point.learner.groups(config.classes)
    ]


def _save_models(config: ExperimentConfig, run: RunFolder, point: GridPoint, passes: int) -> None:
    """Copy the chosen weights of every seed into models, and their mean over the seeds."""
    signature = run.instances(point.view, config.corpus.train).signature()
    run.remove_models(point.system)
    for group in point.learner.groups(config.classes):
        recipe = Recipe.of(point.config, group)
        models = []
        for seed in seeds(config, point.system):
            candidate = run.job(point.system, seed, point.number, None, group).candidate(passes)
            model = recipe.model(signature, candidate.weights)
            model.save(run.model(point.system, seed_name(seed), group))
            models.append(model)
        if len(models) > 1:
            mean_model(models).save(run.model(point.system, AVERAGE, group))
