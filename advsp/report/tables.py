"""Tables from saved scores: ours with intervals, the paper's number beside them.

Nothing is computed here but the layout: values come from ``scores/*.json``, the paper's from
``paper.yaml``.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from advsp.experiments.run_folder import read_json
from advsp.support.errors import InputError
from advsp.support.files import atomic, write_json
from advsp.support.yaml_source import read_yaml

COLUMNS = (
    "corpus", "split", "class", "system", "metric", "value", "low", "high", "paper", "seeds", "run",
)  # fmt: skip


@dataclass(frozen=True)
class Row:
    """One score, its 95 % interval over examples and the paper's number; all in percent.

    ``sd`` is the standard deviation over seeds, None where there is one.  Precision and recall are those
    of the same counts, None where the scores do not have them.  ``truncated`` values are cut to two decimals
    where others are rounded.  ``compared`` rows have the metric of the paper's number, so that the table says
    how far they are from it.
    """

    corpus: str
    split: str
    label: str
    system: str
    metric: str
    value: float
    low: float
    high: float
    paper: float | None
    seeds: int
    run: str
    sd: float | None
    precision: float | None = None
    recall: float | None = None
    truncated: bool = False
    compared: bool = False

    @property
    def shown(self) -> str:
        """The value with two decimals."""
        return f"{cut(self.value) if self.truncated else self.value:.2f}"

    @property
    def difference(self) -> float | None:
        """The value as it is shown less the paper's number; None where they are not compared."""
        if self.paper is None or not self.compared:
            return None
        return round(float(self.shown) - self.paper, 2)

    @property
    def cells(self) -> tuple[str, ...]:
        """The row as the CSV has it."""
        paper = "" if self.paper is None else f"{self.paper:.2f}"
        numbers = (self.shown, f"{self.low:.2f}", f"{self.high:.2f}", paper, str(self.seeds))
        return (self.corpus, self.split, self.label, self.system, self.metric, *numbers, self.run)

    @property
    def shares(self) -> str:
        """Precision and recall for a reader: ``97.0 / 86.8``."""
        if self.precision is None or self.recall is None:
            return ""
        return f"{self.precision:.1f} / {self.recall:.1f}"

    def text(self, spread: bool = True, interval: bool = True) -> str:
        """Value, spread and interval for a reader: ``44.12 ± 2.3 [38.0, 49.5]``."""
        deviation = f" ± {self.sd:.1f}" if spread and self.sd is not None else ""
        return f"{self.shown}{deviation}" + (f" [{self.low:.1f}, {self.high:.1f}]" if interval else "")


def cut(value: float) -> float:
    """``value``, in percent and not negative, without what follows its second decimal.

    >>> cut(19.049), cut(29.0)
    (19.04, 29.0)
    """
    # What rounding took from a value that has two decimals must not take a hundredth.
    return math.floor(100.0 * value + 1e-7) / 100.0


@dataclass(frozen=True)
class Table:
    """All rows of one of the paper's tables, the runs they come from, and how they are to be read."""

    name: str
    rows: tuple[Row, ...]
    runs: tuple[dict[str, Any], ...]
    note: str = ""

    def blocks(self) -> dict[tuple[str, str], list[Row]]:
        """Rows by (corpus, split), in the order they came."""
        blocks: dict[tuple[str, str], list[Row]] = {}
        for row in self.rows:
            blocks.setdefault((row.corpus, row.split), []).append(row)
        return blocks

    def metrics(self) -> list[str]:
        """Names of the metrics, in the order they came."""
        return list(dict.fromkeys(row.metric for row in self.rows))

    @property
    def compared(self) -> bool:
        """Whether the table says how far its rows are from the paper's numbers."""
        return any(row.compared for row in self.rows)

    def corpora(self) -> dict[str, list[Row]]:
        """Rows by corpus, in the order they came."""
        found: dict[str, list[Row]] = {}
        for row in self.rows:
            found.setdefault(row.corpus, []).append(row)
        return found


def collect(files: Iterable[Path], paper: Path | None) -> list[Table]:
    """The tables that a set of score files makes, in the order of their names.

    Parameters
    ----------
    files: score files.
    paper: the paper's numbers; None leaves their column empty.

    Raises
    ------
    InputError: no scores, a file that does not hold scores, or two runs that score the same system
        on the same corpus.
    """
    printed = read_paper(paper) if paper is not None else {}
    tables: dict[str, list[dict[str, Any]]] = {}
    for path in sorted(files):
        scores = read_json(path)
        _check_scores(scores, path)
        known = tables.setdefault(scores["table"], [])
        if all(_run(scores) != _run(other) for other in known):
            known.append(scores)
    if not tables:
        raise InputError("there are no scores yet", hint="make some with `advsp train` and `advsp evaluate`")
    return [_table(name, runs, printed.get(name) or {}) for name, runs in sorted(tables.items())]


#: What a file of scores must hold, and every row of it.
_HEAD = {
    "table": str,
    "name": str,
    "fingerprint": str,
    "data": dict,
    "versions": dict,
    "config": dict,
    "rows": list,
}
_CELLS = {
    "corpus": str,
    "split": str,
    "class": str,
    "system": str,
    "metric": str,
    "value": float,
    "low": float,
}
_CELLS |= {"high": float, "seeds": int, "sd": float | None}


def _check_scores(scores: Any, path: Path) -> None:
    """Refuse what is not a file of scores, or not whole."""
    hint = "make it with `advsp evaluate`"
    if not isinstance(scores, dict) or "rows" not in scores:
        raise InputError("holds no scores", file=path, hint=hint)
    for part, kinds in [(scores, _HEAD), *((row, _CELLS) for row in scores["rows"])]:
        for key, kind in kinds.items():
            if not isinstance(part, dict) or not isinstance(part.get(key, InputError), kind):
                raise InputError(
                    f"the scores are not whole: {key} is missing or not what it should be",
                    file=path,
                    hint=hint,
                )


def _run(scores: Mapping[str, Any]) -> str:
    """Name of the run that made the scores, as the tables have it."""
    return f"{scores['name']}@{scores['fingerprint']}"


def read_paper(path: Path) -> dict[str, Any]:
    """The paper's numbers by table, corpus, split, system and class, in percent.

    Raises
    ------
    InputError: no such file, or one that is not ordered so.
    """
    numbers = read_yaml(path).value
    sections = [numbers]
    for _ in range(5):
        if not all(isinstance(section, dict) for section in sections):
            raise InputError("expected sections table, corpus, split, system, class", file=path)
        sections = [inner for section in sections for inner in section.values()]
    return numbers


def _table(name: str, runs: list[dict[str, Any]], printed: Mapping[str, Any]) -> Table:
    rows, owner = [], {}
    for scores in runs:
        run = _run(scores)
        truncated = scores["config"].get("evaluation", {}).get("display") == "truncated"
        for row in scores["rows"]:
            place = (row["corpus"], row["split"], row["class"], row["system"], row["metric"])
            if owner.setdefault(place, run) != run:
                raise InputError(
                    f"{row['system']} on {row['corpus']} is scored by two runs, {owner[place]} and {run}",
                    hint="give one of the systems another name or name the score files to compare",
                )
            cell = printed_number(printed, *place[:4])
            shares = (row.get(share) for share in ("precision", "recall"))
            rows.append(
                Row(
                    *place,
                    row["value"],
                    row["low"],
                    row["high"],
                    cell,
                    row["seeds"],
                    run,
                    row["sd"],
                    *shares,
                    truncated,
                )
            )
    about = ("name", "fingerprint", "data", "versions", "config")
    described = tuple({key: scores[key] for key in about} for scores in runs)
    return Table(name, tuple(rows), described, _NOTES[name])


def printed_number(
    printed: Mapping[str, Any], corpus: str, split: str, label: str, system: str
) -> float | None:
    """The number of one of the paper's tables that stands beside a row.

    That of a system stands beside all its variants in brackets, and beside the one that is named after it
    and set up to give that number, ``+published``.
    """
    systems = printed.get(corpus, {}).get(split, {})
    if system not in systems and system.endswith("]"):
        system = system.partition(" [")[0]
    if system not in systems:
        system = system.removesuffix("+published")
    return systems.get(system, {}).get(label)


def write(table: Table, folder: Path) -> list[Path]:
    """Write a table as CSV, Markdown and LaTeX, and what its runs were made of as JSON."""
    texts = {"csv": to_csv(table), "md": to_markdown(table), "tex": to_latex(table)}
    written = []
    for suffix, text in texts.items():
        written.append(folder / f"{table.name}.{suffix}")
        with atomic(written[-1]) as stream:
            stream.write(text)
    written.append(folder / f"{table.name}.runs.json")
    write_json(written[-1], list(table.runs))
    return written


def to_csv(table: Table) -> str:
    """The table with the columns of :data:`COLUMNS`."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(row.cells for row in table.rows)
    return stream.getvalue()


def sections(table: Table) -> list[tuple[str, list[str], list[list[str]]]]:
    """The table as a reader sees it: title, header and lines of every section.

    A corpus of one class is one section with its splits side by side; of several classes, one a split.
    """
    found = []
    for corpus, rows in table.corpora().items():
        if len({row.label for row in rows}) == 1:
            found.append((corpus, *side_by_side(table, rows)))
            continue
        for split in dict.fromkeys(row.split for row in rows):
            block = [row for row in rows if row.split == split]
            found.append((f"{corpus}, {split}", *layout(table, block)))
    return found


def side_by_side(table: Table, rows: list[Row]) -> tuple[list[str], list[list[str]]]:
    """Header and lines of a corpus of one class: a line a system, all splits with metrics and paper."""
    splits = list(dict.fromkeys(row.split for row in rows))
    cells = {(row.system, row.split, row.metric): row for row in rows}
    header = ["system"]
    for split in splits:
        for metric in table.metrics():
            header += [f"{split} {TITLES.get(metric, metric)}", "precision / recall"]
        header.append("paper")
    body = []
    for system in dict.fromkeys(row.system for row in rows):
        line = [system]
        for split in splits:
            found = [cells.get((system, split, metric)) for metric in table.metrics()]
            for row in found:
                line += [row.text(), row.shares] if row else ["", ""]
            line.append(next((f"{row.paper:.2f}" for row in found if row and row.paper is not None), ""))
        body.append(line)
    return [*header, "seeds"], [[*line, str(_seeds(rows, line[0]))] for line in body]


def _seeds(rows: list[Row], system: str) -> int:
    return next(row.seeds for row in rows if row.system == system)


def layout(table: Table, block: list[Row]) -> tuple[list[str], list[list[str]]]:
    """Header and lines of one block: a line per class and system, a column per metric, then the paper."""
    metrics = table.metrics()
    lines: dict[tuple[str, str], dict[str, Row]] = {}
    for row in block:
        lines.setdefault((row.label, row.system), {})[row.metric] = row
    labels = list(dict.fromkeys(label for label, _ in lines))
    header = ["class", "system", *(TITLES.get(metric, metric) for metric in metrics), "paper"]
    header += ["difference", "seeds"] if table.compared else ["seeds"]
    body = []
    for label, system in sorted(lines, key=lambda key: labels.index(key[0])):
        cells = lines[label, system]
        some = next(iter(cells.values()))
        paper = "" if some.paper is None else f"{some.paper:.2f}"
        values = [cells[metric].text() if metric in cells else "" for metric in metrics]
        differences = [_signed(row.difference) for row in cells.values() if row.difference is not None]
        body.append([label, system, *values, paper, *(["".join(differences)] if table.compared else [])])
        body[-1].append(str(some.seeds))
    return header, body


def _signed(difference: float) -> str:
    """A difference from the paper for a reader."""
    return f"{difference:+.2f}" if difference else "equal"


def agreement(table: Table) -> tuple[list[str], list[list[str]]]:
    """Header and lines that sum up how far a table is from the paper: a line a corpus and system."""
    header = ["corpus", "system", "compared with the paper", "cells", "equal", "largest difference"]
    body = []
    for corpus, rows in table.corpora().items():
        for system in dict.fromkeys(row.system for row in rows):
            own = [row for row in rows if row.system == system and row.difference is not None]
            if own:
                metrics = ", ".join(dict.fromkeys(TITLES.get(row.metric, row.metric) for row in own))
                farthest = max((row.difference for row in own), key=abs)
                equal = sum(row.difference == 0.0 for row in own)
                body.append([corpus, system, metrics, str(len(own)), str(equal), _signed(farthest)])
    return header, body


#: Headings of the metrics.
TITLES = {"token_f1": "token F1", "entity_f1": "entity F1", "aer": "AER"}

_NOTES = {
    "table2": "Percent; a lower AER is better. Value: mean over seeds ± standard deviation over seeds [95 % "
    "bootstrap interval over sentence pairs]. In brackets: the features; what becomes of links that are "
    "possible only (label: the adversary plays S, P and N; ignore: they are left out of training; positive: "
    "they are taken for gold links); folds: chosen by cross-validation on the training and validation splits "
    "instead of on the validation split alone. The paper's number stands beside every variant of its system. "
    "`+threshold`: links whose marginal is above a threshold chosen there, instead of the system's own rule. "
    "Rows of aligners are what they predict, unsupervised.",
    "table3": "Percent. Value: mean over seeds ± standard deviation over seeds [95 % bootstrap interval over "
    "sentences]. The paper prints one F1 a cell without naming its kind: measured on its data its CRF "
    "column is entity-level, its ADV columns token-level. `+threshold`: decided by the marginal above a "
    "threshold chosen on the validation split; `+average`: the mean of the seeds' weights; `all`: "
    "micro-average over the classes; `+published`: set up to give the paper's cells (configs/published), and "
    "cut to two decimals as those are.",
}


def to_markdown(table: Table) -> str:
    """The table for a reader."""
    parts = [f"# {table.name}\n", f"{table.note}\n"]
    if table.compared:
        parts += [*_lines(*agreement(table)), ""]
    for title, header, body in sections(table):
        parts += [f"## {title}\n", *_lines(header, body), ""]
    runs = ", ".join(f"{run['name']}@{run['fingerprint']}" for run in table.runs)
    parts.append(f"Runs: {runs}; configurations, versions and checksums in `{table.name}.runs.json`.")
    return "\n".join(parts) + "\n"


def _lines(header: list[str], body: list[list[str]]) -> list[str]:
    """A table in Markdown."""
    rows = [" | ".join(cell.replace("|", "\\|") for cell in line) for line in body]
    return [f"| {' | '.join(header)} |", "|" + "---|" * len(header), *(f"| {row} |" for row in rows)]


def to_latex(table: Table) -> str:
    """The table as LaTeX ``tabular`` environments, one a section."""
    parts = ["% " + table.note.replace("%", "\\%")]
    for title, header, body in sections(table):
        left = 2 if header[0] == "class" else 1
        parts.append(f"% {title}")
        parts.append("\\begin{tabular}{" + "l" * left + "r" * (len(header) - left) + "}\n\\hline")
        parts += [" & ".join(_escape(cell) for cell in line) + " \\\\" for line in [header, *body]]
        parts.append("\\hline\n\\end{tabular}\n")
    return "\n".join(parts)


def _escape(text: str) -> str:
    return text.replace("_", "\\_").replace("±", "$\\pm$").replace("%", "\\%")
