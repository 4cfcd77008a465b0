"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

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


def paper(results: str | Path) -> Path | None:
    """The paper's numbers beside the results, where the checkout has them."""
    for folder in (Path(results), Path("results")):
        if (folder / "paper.yaml").exists():
            return folder / "paper.yaml"
    return None
