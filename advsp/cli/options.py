"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from advsp.runners.local import Runner

Config = Annotated[Path, typer.Argument(help="The experiment's YAML file, e.g. configs/conll300.yaml.")]
Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Override a key of the YAML, e.g. --set optimiser.passes=5; may be given several times.",
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", help="Show no progress.")]

Dask = Annotated[
    str | None,
    typer.Option(
        "--dask",
        metavar="ADDRESS",
        help=(
            "Run on the workers of a Dask cluster instead of this machine's cores. ADDRESS is what "
            "`dask scheduler` prints, e.g. tcp://10.0.0.1:8786; every worker has one thread (dask worker "
            "ADDRESS --nthreads 1 --nworkers -1) and sees the output folder. The numbers are those of a "
            "local run on the same kind of machine. See docs/cluster.md."
        ),
    ),
]


@contextmanager
def cluster(dask: str | None) -> Iterator[Runner | None]:
    """The cluster that ``--dask`` names, as long as the block lasts; None without an address."""
    if dask is None:
        yield None
        return
    from advsp.runners.dask.runner import cluster as reach

    with reach(dask) as there:
        yield there


def paper(results: str | Path) -> Path | None:
    """The paper's numbers: beside the results, or those that came along with the program."""
    from advsp.support.shipped import shipped

    for folder in (Path(results), Path("results")):
        if (folder / "paper.yaml").exists():
            return folder / "paper.yaml"
    return shipped("results/paper.yaml")
