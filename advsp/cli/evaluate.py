"""``advsp evaluate``: trained models to scores."""

from __future__ import annotations

from typing import Annotated

import typer

from advsp.cli import options


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command()(evaluate)


def evaluate(
    config: options.Config,
    set_: options.Set = None,
    bootstrap: Annotated[int | None, typer.Option(min=100, help="Number of bootstrap resamples.")] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace scores of more seeds, or of another corpus.")
    ] = False,
    dask: options.Dask = None,
    quiet: options.Quiet = False,
) -> None:
    """Score a trained experiment: F1 or AER, precision, recall, intervals, paired tests.

    The run is found by the configuration's name and output; it is scored as it was trained, whatever
    else the YAML says now.
    Scores go to results/scores/NAME.json, where those of more seeds, or of another corpus, are not replaced
    without --overwrite; predictions into the run's folder: CoNLL columns, or links in
    NAACL and Pharaoh form.

        advsp evaluate configs/conll300.yaml

        advsp evaluate configs/hansards.yaml
    """
    from advsp.experiments.config import load_config
    from advsp.experiments.evaluate import evaluate as evaluate_run
    from advsp.report.console import ConsoleReporter, show
    from advsp.report.tables import collect

    reporter = ConsoleReporter(quiet)
    experiment = load_config(config, set_ or ())
    try:
        with options.cluster(dask) as runner:
            scores = evaluate_run(experiment.folder, reporter, bootstrap, runner, overwrite)
    finally:
        reporter.stop()
    for table in collect([scores], options.paper(experiment.output)):
        show(table, reporter.console)
    reporter.say(
        f"scores in {scores}, predictions in {experiment.folder / 'predictions'}; next: advsp compare"
    )
