"""The page about the published cells, from saved scores and measurements alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean, stdev
from string import Template
from typing import Any

from benchmarks.markdown import significant, table
from benchmarks.statistics import share_interval

from advsp.metrics.scores import ScoreRow, Scores
from advsp.report.chosen import choose
from advsp.report.paper import printed_number, read_paper
from advsp.report.tables import agreement, collect, cut
from advsp.support.errors import InputError
from advsp.support.records import Fields
from advsp.tasks.base import ALL
from cells.recipes import BLOCKS, STARTS, TRIED, beside, published, recipes, starts, training

#: The system of the published cells, and the metric of the paper's numbers.
SYSTEM, METRIC = "ADV_f1+published", "token_f1"
#: Confidence of the intervals of proportions.
LEVEL = 0.99
SPLITS = ("testa", "testb")

_TEMPLATE = Path(__file__).with_name("template.md")


def measured_file(root: Path, block: int) -> Path:
    """Where the measurements of a block are saved."""
    return root / "results/published" / f"measured{block}.json"


def page(root: Path) -> str:
    """The page in Markdown.

    Parameters
    ----------
    root: the folder that holds ``configs`` and ``results``.

    Raises
    ------
    InputError: scores or measurements that are missing, or that are not of the same run.
    """
    measured = {block: _measured(root, block) for block in BLOCKS if measured_file(root, block).exists()}
    if not measured:
        hint = "measure: python scripts/published.py"
        raise InputError("nothing is measured yet", file=root / "results/published", hint=hint)
    found = [start for about in measured.values() for start in about["start"]]
    games, equilibria = (sum(start[key] for start in found) for key in ("games", "equilibria"))
    text = Template(_TEMPLATE.read_text(encoding="utf-8"))
    return text.substitute(
        cells=_lines(_cells(root)),
        starts=STARTS,
        equilibria="all" if equilibria == games else f"{equilibria:,}",
        games=f"{games:,}",
        tolerance=f"{max(about['tolerance'] for about in measured.values()):.0e}",
        l2=f"{found[0]['l2']:g}",
        start=_lines(_start(measured)),
        training=_lines(_training(root, measured)),
        spread=_lines(_spread(root, measured)),
        agreement=_lines(_agreement(measured)),
        commands=_lines(_commands(root, measured)),
    )


def _lines(lines: Iterable[str]) -> str:
    return "\n".join(lines)


def _measured(root: Path, block: int) -> dict[str, Any]:
    """The measurements of a block; those of another run than the scores are refused."""
    path, anew = measured_file(root, block), "measure anew: python scripts/published.py"
    found = Fields.of_file(path, anew)
    pairs = [(found, published(block))]
    if found.value("training") is not None:
        pairs.append((found.fields("training"), training(block)))
    for about, recipe in pairs:
        scores = Scores.read(recipe.scores(root))
        if (about.value("fingerprint"), about.value("data")) != (scores.fingerprint, scores.data):
            problem = f"was measured on another run than the one that {scores.name}.json scores"
            raise InputError(problem, file=path, hint=anew)
    return found.values()


def _cells(root: Path) -> list[str]:
    """How many cells are equal to the printed ones, and how far the others are."""
    paper = root / "results/paper.yaml"
    tables = collect((root / "results/scores").glob("*.json"), paper)
    (cells,) = choose(tables, [root / "results/tables/published.yaml"], paper)
    header, lines = agreement(cells)
    for line in lines:
        corpus, system = line[:2]
        kind, block = "cells" if system == SYSTEM else "table3", corpus.partition("_")[2]
        line.append(f"{kind}-{block}" if corpus.startswith("conll") else "cells-authors")
    return table([*header, "made by"], lines, left=3)


def _start(measured: Mapping[int, dict[str, Any]]) -> list[str]:
    """Gold equilibria and gradients."""
    rows = [
        {
            "block": f"conll_{block}",
            "class": found["class"],
            "training games": str(found["games"]),
            "gold equilibria": str(found["equilibria"]),
            "largest regret": f"{found['regret']:.1e}",
            "gradient at the start": f"{found['gradient']:.2g}",
            "gradient at the cells": f"{found['scaled_gradient']:.2g}",
            "norm of the start": f"{found['norm']:.1f}",
            "L2 term": f"{found['l2_term']:.3f}",
            "factor": f"{found['factor']:g}",
            "smallest factor": "none" if found["scale"] is None else f"{found['scale']:.3f}",
            "made by": f"measured-{block}",
        }
        for block, about in measured.items()
        for found in about["start"]
    ]
    return table(list(rows[0]), [list(row.values()) for row in rows], left=2)


def _training(root: Path, measured: Mapping[int, dict[str, Any]]) -> list[str]:
    """What training reaches, one table a block and split."""
    parts = []
    for block, about in measured.items():
        trained = about["training"]
        if trained is None:
            parts += [f"Not run for conll_{block}.", ""]
            continue
        scores = Scores.read(training(block).scores(root))
        for split in SPLITS:
            header, lines = _trained(trained, _rows(scores), _classes(scores), split)
            made = [[*line, f"training-{block}"] for line in lines]
            parts += [f"### conll_{block}, {split}", "", *table([*header, "made by"], made, left=2), ""]
    return parts


def _trained(
    trained: Mapping[str, Any],
    rows: Mapping[tuple[str, str, str], ScoreRow],
    classes: Sequence[str],
    split: str,
) -> tuple[list[str], list[list[str]]]:
    """Header and lines of one block and split."""
    lines = []
    for about in trained["systems"]:
        passes = max(entry.get("passes", about["passes"]) for entry in about["reached"])
        options = [f"{key.rpartition('.')[2]} {value:g}" for key, value in about["options"].items()]
        lines.append(
            [
                about["system"],
                ", ".join([*options, f"{passes} passes", about["rule"]]),
                str(len({entry["seed"] for entry in about["reached"]})),
                f"{_mean_sum(about['reached'], 'attained'):.2f}",
                significant(round(above_optimum(about, trained), 6)),
                *(_score(rows[about["system"], split, label]) for label in (*classes, "all")),
            ]
        )
    header = ["system", "chosen", "seeds", "objective", "at most above the optimum", *classes, "all"]
    return header, lines


def above_optimum(about: Mapping[str, Any], trained: Mapping[str, Any]) -> float:
    """Certified upper bound of how far a system's objective, summed over the classes, is from the smallest.

    A loss is at least -1, so that no objective is below minus the number of examples.  An objective's bound
    less its certified gap is a lower bound of the optimum, too; the largest of the class and the same L2
    counts.

    Parameters
    ----------
    about: one of the systems of ``trained``.
    """
    lowest = {entry["class"]: -float(trained["examples"]) for entry in about["reached"]}
    for system in trained["systems"]:
        for entry in system["reached"]:
            if system["l2"] == about["l2"] and "gap" in entry:
                lowest[entry["class"]] = max(lowest[entry["class"]], entry["bound"] - entry["gap"])
    return max(0.0, _mean_sum(about["reached"], "bound") - sum(lowest.values()))


def _mean_sum(reached: Sequence[Mapping[str, Any]], key: str) -> float:
    """A number summed over the classes, mean over the seeds."""
    total: float = sum(entry[key] for entry in reached)
    return total / len({entry["seed"] for entry in reached})


def _score(row: ScoreRow) -> str:
    spread = "" if row.sd is None else f" ± {row.sd:.2f}"
    return f"{row.value:.2f}{spread}"


def _rows(scores: Scores) -> dict[tuple[str, str, str], ScoreRow]:
    """Rows of token F1 by system, split and class."""
    return {(row.system, row.split, row.label): row for row in scores.rows if row.metric == METRIC}


def _classes(scores: Scores) -> list[str]:
    """The classes that were scored, without their average."""
    return [label for label in dict.fromkeys(row.label for row in scores.rows) if label != ALL]


def _spread(root: Path, measured: Mapping[int, dict[str, Any]]) -> list[str]:
    """Other random edges."""
    path = root / "results/paper.yaml"
    paper = read_paper(path)["table3"]
    header = [
        "block",
        "split",
        "class",
        "min",
        "mean",
        "max",
        "standard deviation",
        "published seed",
        "paper",
        "from the paper's number on",
        "made by",
    ]
    lines, missing = [], []
    for block in measured:
        if block not in TRIED:
            missing += [f"Not run for conll_{block}.", ""]
            continue
        scores = Scores.read(starts(block).scores(root))
        rows, own = _rows(scores), _rows(Scores.read(published(block).scores(root)))
        for split in SPLITS:
            for label in _classes(scores):
                values = rows[SYSTEM, split, label].runs
                printed = printed_number(paper, f"conll_{block}", split, label, SYSTEM)
                if printed is None:
                    raise InputError(f"has no number of {SYSTEM}, conll_{block}, {split}, {label}", file=path)
                reached = sum(cut(value) >= printed for value in values)
                spread = (min(values), fmean(values), max(values), stdev(values))
                numbers = (*spread, cut(own[SYSTEM, split, label].value), printed)
                cells = [*(f"{number:.2f}" for number in numbers), f"{reached} of {len(values)}"]
                lines.append([f"conll_{block}", split, label, *cells, f"starts-{block}"])
    return [*table(header, lines, left=3), "", *missing]


def _agreement(measured: Mapping[int, dict[str, Any]]) -> list[str]:
    """Exact against approximate responses."""
    header = [
        "block",
        "split",
        "games",
        "mixed",
        "exact and approximate",
        "the same, mixed games alone",
        "certified and until the value repeats",
        "made by",
    ]
    lines = []
    for block, about in measured.items():
        for split in SPLITS:
            games = [found for found in about["agreement"] if found["split"] == split]
            sums = {
                key: sum(found[key] for found in games) for key in games[0] if key not in ("split", "class")
            }
            shares = [
                _share(sums[same], sums[total])
                for same, total in (("same", "games"), ("mixed_same", "mixed"), ("same_stop", "games"))
            ]
            counts = [str(sums["games"]), str(sums["mixed"])]
            lines.append([f"conll_{block}", split, *counts, *shares, f"measured-{block}"])
    return table(header, lines, left=2)


def _share(same: int, games: int) -> str:
    """A proportion in percent, with its interval and its counts."""
    if not games:
        return ""
    low, high = share_interval(same, games, LEVEL)
    return f"{100 * same / games:.2f} [{100 * low:.2f}, {100 * high:.2f}] ({same} of {games})"


def _commands(root: Path, measured: Mapping[int, dict[str, Any]]) -> list[str]:
    """The commands by label."""
    lines = []
    for recipe in beside():
        lines += [f"# {recipe.label}", *recipe.commands]
    for block, about in measured.items():
        for recipe in recipes(block):
            if about["training"] is not None or recipe != training(block):
                lines += [f"# {recipe.label}", *recipe.commands]
        lines += [f"# measured-{block}", about["command"]]
    return [
        *lines,
        "# the table of all cells",
        "advsp compare",
        "# this page, from what is saved",
        "python scripts/published.py --render",
    ]
