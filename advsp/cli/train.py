"""``advsp train``: a configuration to trained, chosen models."""

from __future__ import annotations

import shlex
from typing import Annotated

import typer

from advsp.cli import options
from advsp.support.errors import InputError


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command()(train)


def train(
    config: options.Config,
    set_: options.Set = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a run that was stopped.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a run of the same name.")] = False,
    dask: options.Dask = None,
    quiet: options.Quiet = False,
) -> None:
    """Train every system of an experiment and choose its hyper-parameters on validation data.

    Everything goes to results/runs/NAME: the resolved configuration, versions and checksums, one
    history file (a JSON line per pass) and one checkpoint a model, the grid as it was scored, and
    the chosen models. Ctrl-C leaves the checkpoints; --resume ends where an uninterrupted run does.

        advsp train configs/conll300.yaml

        advsp train configs/conll300.yaml --set runs=5 --set engine.lp=pulp-cbc --overwrite

        advsp train configs/conll300.yaml --dask tcp://10.0.0.1:8786
    """
    from advsp.experiments.config import load_config
    from advsp.experiments.train import train as train_experiment
    from advsp.report.console import ConsoleReporter

    if resume and overwrite:
        raise InputError("--resume and --overwrite exclude each other", hint="give one of them")
    reporter = ConsoleReporter(quiet)
    experiment = load_config(config, set_ or ())
    try:
        with options.cluster(dask) as runner:
            run = train_experiment(experiment, reporter, resume=resume, overwrite=overwrite, runner=runner)
    except KeyboardInterrupt:
        reporter.stop()
        changes = "".join(f" --set {shlex.quote(change)}" for change in set_ or ())
        changes += f" --dask {shlex.quote(dask)}" if dask else ""
        reporter.say(f"stopped; go on with: advsp train {shlex.quote(str(config))}{changes} --resume")
        raise
    finally:
        reporter.stop()
    reporter.say(f"models in {run}; next: advsp evaluate {config}")
