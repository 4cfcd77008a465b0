"""Tables from saved scores: ours with intervals, the paper's number beside them.

Nothing is computed here but the layout: values come from ``scores/*.json``, the paper's from
``paper.yaml``.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from advsp.metrics.scores import ScoreRow, Scores
from advsp.report.paper import Printed, printed_number, read_paper
from advsp.support.errors import InputError
from advsp.support.files import atomic, write_json

#: What stands behind systems of which something was chosen at the end of its grid.
MARK = " †"
COLUMNS = ("corpus", "split", "class", "system", "metric", "value", "low", "high", "paper", "seeds", "run")


@dataclass(frozen=True)
class Row:
    """One score and the paper's number beside it; both in percent.

    Attributes
    ----------
    score: as it is saved.
    run: name of the run that it is of.
    paper: the paper's number, None where it prints none.
    truncated: whether the value is cut to two decimals where others are rounded.
    compared: whether the paper's number is of the same metric, so that the table says how far it is.
    """

    score: ScoreRow
    run: str
    paper: float | None = None
    truncated: bool = False
    compared: bool = False

    @property
    def shown(self) -> str:
        """The value with two decimals."""
        return f"{cut(self.score.value) if self.truncated else self.score.value:.2f}"

    @property
    def difference(self) -> float | None:
        """The value as it is shown less the paper's number; None where they are not compared."""
        if self.paper is None or not self.compared:
            return None
        return round(float(self.shown) - self.paper, 2)

    @property
    def printed(self) -> str:
        """The paper's number with two decimals, nothing where it prints none."""
        return "" if self.paper is None else f"{self.paper:.2f}"

    @property
    def cells(self) -> tuple[str, ...]:
        """The row as the CSV has it."""
        score = self.score
        numbers = (self.shown, f"{score.low:.2f}", f"{score.high:.2f}", self.printed, str(score.seeds))
        return (*score.place, *numbers, self.run)

    @property
    def shares(self) -> str:
        """Precision and recall for a reader: ``97.0 / 86.8``."""
        if self.score.precision is None or self.score.recall is None:
            return ""
        return f"{self.score.precision:.1f} / {self.score.recall:.1f}"

    def text(self, spread: bool = True, interval: bool = True) -> str:
        """Value, spread and interval for a reader: ``44.12 ± 2.3 [38.0, 49.5]``."""
        score = self.score
        deviation = f" ± {score.sd:.1f}" if spread and score.sd is not None else ""
        return f"{self.shown}{deviation}" + (f" [{score.low:.1f}, {score.high:.1f}]" if interval else "")


def cut(value: float) -> float:
    """``value``, in percent and not negative, without what follows its second decimal.

    >>> cut(19.049), cut(29.0)
    (19.04, 29.0)
    """
    # What rounding took from a value that has two decimals must not take a hundredth.
    return math.floor(100.0 * value + 1e-7) / 100.0


@dataclass(frozen=True)
class Table:
    """All rows of a table, the scores they come from, and how they are to be read."""

    name: str
    rows: tuple[Row, ...]
    runs: tuple[Scores, ...]
    note: str = ""

    @cached_property
    def edges(self) -> dict[tuple[str, str], tuple[str, ...]]:
        """What was chosen at the end of its grid, by run and system; systems without are left out."""
        runs = {scores.run: scores for scores in self.runs}
        places = dict.fromkeys((row.run, row.score.system) for row in self.rows)
        found = {(run, system): runs[run].edges(system) for run, system in places if run in runs}
        return {place: edges for place, edges in found.items() if edges}

    def marked(self, row: Row) -> str:
        """A row's system for a reader, with a mark if something of it was chosen at the end of its grid."""
        return row.score.system + (MARK if (row.run, row.score.system) in self.edges else "")

    def blocks(self) -> dict[tuple[str, str], list[Row]]:
        """Rows by (corpus, split), in the order they came."""
        blocks: dict[tuple[str, str], list[Row]] = {}
        for row in self.rows:
            blocks.setdefault((row.score.corpus, row.score.split), []).append(row)
        return blocks

    def metrics(self) -> list[str]:
        """Names of the metrics, in the order they came."""
        return list(dict.fromkeys(row.score.metric for row in self.rows))

    @property
    def compared(self) -> bool:
        """Whether the table says how far its rows are from the paper's numbers."""
        return any(row.compared for row in self.rows)

    def corpora(self) -> dict[str, list[Row]]:
        """Rows by corpus, in the order they came."""
        found: dict[str, list[Row]] = {}
        for row in self.rows:
            found.setdefault(row.score.corpus, []).append(row)
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
    tables: dict[str, dict[str, Scores]] = {}
    for path in sorted(files):
        scores = Scores.read(path)
        tables.setdefault(scores.table, {}).setdefault(scores.run, scores)
    if not tables:
        raise InputError("there are no scores yet", hint="make some with `advsp train` and `advsp evaluate`")
    return [
        _table(name, tuple(runs.values()), printed.get(name, {})) for name, runs in sorted(tables.items())
    ]


def _table(name: str, runs: Sequence[Scores], printed: Printed) -> Table:
    """One table of all rows of some runs."""
    rows = []
    owner: dict[tuple[str, ...], str] = {}
    for scores in runs:
        for score in scores.rows:
            first = owner.setdefault(score.place, scores.run)
            if first != scores.run:
                raise InputError(
                    f"{score.system} on {score.corpus} is scored by two runs, {first} and {scores.run}",
                    hint="give one of the systems another name or name the score files to compare",
                )
            number = None
            if not score.joint:
                number = printed_number(printed, score.corpus, score.split, score.label, score.system)
            rows.append(Row(score, scores.run, number, truncated=scores.truncated))
    return Table(name, tuple(rows), tuple(runs), _NOTES.get(name, _NOTE))


def write(table: Table, folder: Path) -> list[Path]:
    """Write a table as CSV, Markdown and LaTeX, and what its runs were made of as JSON."""
    texts = {"csv": to_csv(table), "md": to_markdown(table), "tex": to_latex(table)}
    written = []
    for suffix, text in texts.items():
        written.append(folder / f"{table.name}.{suffix}")
        with atomic(written[-1]) as stream:
            stream.write(text)
    written.append(folder / f"{table.name}.runs.json")
    write_json(written[-1], [run.origin for run in table.runs])
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
        if len({row.score.label for row in rows}) == 1:
            found.append((corpus, *side_by_side(table, rows)))
            continue
        for split in dict.fromkeys(row.score.split for row in rows):
            block = [row for row in rows if row.score.split == split]
            found.append((f"{corpus}, {split}", *layout(table, block)))
    return found


def side_by_side(table: Table, rows: Sequence[Row]) -> tuple[list[str], list[list[str]]]:
    """Header and lines of a corpus of one class: a line a system, all splits with metrics and paper."""
    splits = list(dict.fromkeys(row.score.split for row in rows))
    cells = {(row.score.system, row.score.split, row.score.metric): row for row in rows}
    seeds: dict[str, int] = {}
    names = {row.score.system: table.marked(row) for row in rows}
    header = ["system"]
    for split in splits:
        for metric in table.metrics():
            header += [f"{split} {TITLES.get(metric, metric)}", "precision / recall"]
        header.append("paper")
    body = []
    for row in rows:
        seeds.setdefault(row.score.system, row.score.seeds)
    for system in seeds:
        line = [names[system]]
        for split in splits:
            found = [cells.get((system, split, metric)) for metric in table.metrics()]
            for cell in found:
                line += [cell.text(), cell.shares] if cell else ["", ""]
            line.append(next((cell.printed for cell in found if cell and cell.printed), ""))
        body.append([*line, str(seeds[system])])
    return [*header, "seeds"], body


def layout(table: Table, block: Sequence[Row]) -> tuple[list[str], list[list[str]]]:
    """Header and lines of one block: a line per class and system, a column per metric, then the paper."""
    metrics = table.metrics()
    lines: dict[tuple[str, str], dict[str, Row]] = {}
    for row in block:
        lines.setdefault((row.score.label, row.score.system), {})[row.score.metric] = row
    labels = list(dict.fromkeys(label for label, _ in lines))
    header = ["class", "system", *(TITLES.get(metric, metric) for metric in metrics), "paper"]
    header += ["difference", "seeds"] if table.compared else ["seeds"]
    body = []
    for label, system in sorted(lines, key=lambda key: labels.index(key[0])):
        cells = lines[label, system]
        some = next(iter(cells.values()))
        values = [cells[metric].text() if metric in cells else "" for metric in metrics]
        differences = [_signed(row.difference) for row in cells.values() if row.difference is not None]
        compared = ["".join(differences)] if table.compared else []
        body.append([label, table.marked(some), *values, some.printed, *compared, str(some.score.seeds)])
    return header, body


def _signed(difference: float) -> str:
    """A difference from the paper for a reader."""
    return f"{difference:+.2f}" if difference else "equal"


def agreement(table: Table) -> tuple[list[str], list[list[str]]]:
    """Header and lines that sum up how far a table is from the paper: a line a corpus and system."""
    header = ["corpus", "system", "compared with the paper", "cells", "equal", "largest difference"]
    body = []
    for corpus, rows in table.corpora().items():
        for system in dict.fromkeys(row.score.system for row in rows):
            own = [row for row in rows if row.score.system == system]
            differences = [row.difference for row in own if row.difference is not None]
            if differences:
                names = dict.fromkeys(row.score.metric for row in own if row.difference is not None)
                metrics = ", ".join(TITLES.get(name, name) for name in names)
                equal = sum(difference == 0.0 for difference in differences)
                farthest = max(differences, key=abs)
                line = [corpus, system, metrics, str(len(differences)), str(equal), _signed(farthest)]
                body.append(line)
    return header, body


#: Headings of the metrics.
TITLES = {
    "token_f1": "token F1",
    "entity_f1": "entity F1",
    "joint_token_f1": "joint token F1",
    "joint_entity_f1": "joint entity F1",
    "aer": "AER",
}

#: How a table is to be read, and the paper's two.
_NOTE = (
    "Percent. Value: mean over seeds ± standard deviation over seeds [95 % bootstrap interval over examples]."
)
_NOTES = {
    "table2": "Percent; a lower AER is better. Value: mean over seeds ± standard deviation over seeds [95 % "
    "bootstrap interval over sentence pairs]. In brackets: the features; what becomes of links that are "
    "possible only (label: the adversary plays S, P and N; ignore: they are left out of training; positive: "
    "they are taken for gold links); folds: chosen by cross-validation on the training and validation splits "
    "instead of on the validation split alone, and trained on the training split; statistics and identities: "
    "what aligners link in the whole text, own without files of GIZA++; chosen by folds, and trained on both "
    "splits, so that there is no score of the validation split; columns: a target word has no link, one, or "
    "two to words side by side; neural: with vectors of words by a small language model. The paper's number "
    "stands beside every variant of its system. "
    "`+threshold`: links whose marginal is above a threshold chosen there, instead of the system's own rule. "
    "Rows of aligners are what they predict, unsupervised.",
    "equal": "Percent. Value: mean over seeds ± standard deviation over seeds [95 % bootstrap interval over "
    "sentences]. Every system was chosen by the same rules on the first sentences of testa, from a grid of "
    "as many points; `+threshold`: thresholds on marginals, chosen there; `+average`: the mean of the seeds' "
    "weights; joint: one class a token; `all`: micro-average over the classes, `mean`: the mean over them. "
    "`testb-1000` and the like are the first sentences of testb, `testb-all` is all of it.",
    "table3": "Percent. Value: mean over seeds ± standard deviation over seeds [95 % bootstrap interval over "
    "sentences]. The paper prints one F1 a cell without naming its kind: measured on its data its CRF "
    "column is entity-level, its ADV columns token-level. `+threshold`: decided by the marginal above a "
    "threshold chosen on the validation split; joint: one class a token, as in the written files, where the "
    "others score every class by itself, as the paper does; `+average`: the mean of the seeds' weights; "
    "`all`: micro-average over the classes; `+published`: set up to give the paper's cells "
    "(configs/published), and cut to two decimals as those are.",
}


def to_markdown(table: Table) -> str:
    """The table for a reader."""
    parts = [f"# {table.name}\n", f"{table.note}\n"]
    if table.compared:
        parts += [*_lines(*agreement(table)), ""]
    for title, header, body in sections(table):
        parts += [f"## {title}\n", *_lines(header, body), ""]
    parts += _footnotes(table)
    runs = ", ".join(scores.run for scores in table.runs)
    parts.append(f"Runs: {runs}; configurations, versions and checksums in `{table.name}.runs.json`.")
    return "\n".join(parts) + "\n"


def _footnotes(table: Table) -> list[str]:
    """What the mark stands for, system by system, in Markdown."""
    edges: dict[str, tuple[str, ...]] = {}
    for (run, system), found in table.edges.items():
        # Variants of a system have its choice.
        edges.setdefault(f"{system.partition('+average')[0].removesuffix('+threshold')} of {run}", found)
    if not edges:
        return []
    lines = [f"* {system}: {'; '.join(found)}" for system, found in edges.items()]
    return [f"{MARK.strip()} chosen at the end of its grid, where more of it might be better:\n", *lines, ""]


def _lines(header: list[str], body: list[list[str]]) -> list[str]:
    """A table in Markdown."""
    rows = [" | ".join(cell.replace("|", "\\|") for cell in line) for line in body]
    return [f"| {' | '.join(header)} |", "|" + "---|" * len(header), *(f"| {row} |" for row in rows)]


def to_latex(table: Table) -> str:
    """The table as LaTeX ``tabular`` environments, one a section."""
    parts = ["% " + line.strip().replace("%", "\\%") for line in (table.note, *_footnotes(table)) if line]
    for title, header, body in sections(table):
        left = 2 if header[0] == "class" else 1
        parts.append(f"% {title}")
        parts.append("\\begin{tabular}{" + "l" * left + "r" * (len(header) - left) + "}\n\\hline")
        parts += [" & ".join(_escape(cell) for cell in line) + " \\\\" for line in [header, *body]]
        parts.append("\\hline\n\\end{tabular}\n")
    return "\n".join(parts)


def _escape(text: str) -> str:
    return text.replace("_", "\\_").replace("±", "$\\pm$").replace("%", "\\%").replace("†", "$\\dagger$")
