"""The parts of the report, each from what tables are made of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from advsp.metrics.scores import PairedRow, ScoreRow, Scores
from advsp.report.page.charts import COLOURS, Estimate, Series, intervals, legend, scatter
from advsp.report.page.markup import Markup, anchor, element, joined
from advsp.report.tables import TITLES, Row, Table, sections

#: The class whose scores sum up the others, or the only one.
_ALL = "all"
#: Rows of a chart; a page of more is no picture.
_MOST = 45
#: What is said where the interval holds the paper's number.
_HELD = "holds it"
#: Variants whose decision alone is another one.
_THRESHOLD = "+threshold"


@dataclass(frozen=True)
class PageSection:
    """A part of the page with a heading of its own."""

    title: str
    body: Markup

    @property
    def anchor(self) -> str:
        """Where it begins."""
        return anchor(self.title)


def sortable(header: Sequence[str], body: Iterable[Sequence[str]]) -> Markup:
    """A table whose lines are put in order by a click on a heading."""
    head = element("tr", *(element("th", element("button", name, type="button")) for name in header))
    lines = [element("tr", *(element("td", cell) for cell in line)) for line in body]
    whole = element("table", element("thead", head), element("tbody", *lines))
    return element("div", whole, class_="scroll")


def of_tables(table: Table, commands: dict[str, str]) -> Iterator[PageSection]:
    """Every block of a table, and what made it."""
    for title, header, body in sections(table):
        corpus = title.partition(",")[0]
        runs = dict.fromkeys(row.run for row in table.rows if row.score.corpus == corpus)
        made = [element("li", element("code", commands.get(run, run))) for run in runs]
        about = element("p", table.note, class_="note")
        yield PageSection(
            f"{table.name}: {title}",
            joined(about, sortable(header, body), element("ul", *made, class_="made")),
        )


def against_the_paper(tables: Sequence[Table]) -> PageSection | None:
    """Every cell that the paper prints, ours beside it; None where there is none."""
    header = ["corpus", "split", "class", "system", "metric", "paper", "ours", "difference", "interval"]
    body = []
    for table in tables:
        for row in table.rows:
            if row.paper is not None:
                score = row.score
                inside = _HELD if score.low <= row.paper <= score.high else "without it"
                difference = f"{float(row.shown) - row.paper:+.2f}"
                body.append(
                    [
                        *(score.corpus, score.split, score.label, score.system),
                        *(TITLES.get(score.metric, score.metric), row.printed, row.shown, difference, inside),
                    ]
                )
    if not body:
        return None
    said = (
        "Every number of the paper beside ours, of every variant of its system and every kind of F1: the "
        "paper does not say which kind it prints. The interval is ours, over examples, of 95 %: it holds the "
        f"paper's number in {sum(line[-1] == _HELD for line in body)} of {len(body)} cells."
    )
    return PageSection(
        "The paper's numbers", joined(element("p", said, class_="note"), sortable(header, body))
    )


def scores_by_system(tables: Sequence[Table]) -> Iterator[PageSection]:
    """A chart for every corpus: the score of every system on the last split, with intervals."""
    for table in tables:
        for corpus, rows in table.corpora().items():
            metric = table.metrics()[0]
            chosen = _last_split([row for row in rows if row.score.metric == metric])
            chosen = [row for row in chosen if row.score.label == _summing(chosen)]
            chosen.sort(key=lambda row: row.score.value, reverse=metric != "aer")
            if len(chosen) > 1:
                drawn = [_interval(row) for row in chosen[:_MOST]]
                title = f"{TITLES.get(metric, metric)} by system: {table.name}, {corpus}"
                said = f"{chosen[0].score.split}, {chosen[0].score.label}; a diamond is the paper's number"
                if len(chosen) > _MOST:
                    said += f"; the best {_MOST} of {len(chosen)}"
                yield PageSection(
                    title, joined(element("p", said, class_="note"), intervals(drawn, "percent"))
                )


def precision_and_recall(tables: Sequence[Table]) -> Iterator[PageSection]:
    """A chart for every corpus: precision against recall, a system joined with its threshold's."""
    for table in tables:
        for corpus, rows in table.corpora().items():
            metric = table.metrics()[0]
            chosen = _last_split([row for row in rows if row.score.metric == metric])
            chosen = [row for row in chosen if row.score.label == _summing(chosen)]
            series = _by_threshold([row.score for row in chosen if row.score.precision is not None])
            if series:
                title = f"Precision against recall: {table.name}, {corpus}"
                said = (
                    "A dot a system, by its own decision; a line leads to its decision by a threshold on "
                    "marginals. Touch a dot for its name."
                )
                picture = scatter(series, "recall, percent", "precision, percent")
                yield PageSection(title, joined(element("p", said, class_="note"), picture))


def paired_differences(tables: Sequence[Table]) -> Iterator[PageSection]:
    """A chart for every run: differences from its first system, with intervals."""
    for table in tables:
        for run in table.runs:
            found = _from_the_first(run)
            if found:
                first = found[0][0]
                said = (
                    f"Score less that of {first}; 95 % intervals of the paired bootstrap, p beside the name"
                )
                drawn = [interval for _, interval in found[:_MOST]]
                picture = intervals(drawn, "points", zero=True)
                title = f"Differences: {table.name}, {run.name}"
                yield PageSection(title, joined(element("p", said, class_="note"), picture))


def learning_curves(tables: Sequence[Table]) -> Iterator[PageSection]:
    """Two charts for every run: the objective by pass, and the score on what was held out."""
    for run in dict((run.run, run) for table in tables for run in table.runs).values():
        falling = [
            _series(name, learnt.passes, learnt.objective)
            for name, learnt in run.learning.items()
            if len(learnt.objective) > 1
        ]
        scored = [
            Series(name, tuple(zip(map(float, learnt.scored), learnt.validation, strict=True)))
            for name, learnt in run.learning.items()
            if len(learnt.scored) > 1
        ]
        metrics = {choice.metric for choice in run.selection.values()}
        metric = metrics.pop() if len(metrics) == 1 else "score"
        charts = [
            *_chart(
                falling,
                "Objective after every pass, or forty of them, of all models together: 100 percent after the "
                "first, 0 where it is lowest. Systems that are done in one pass, by L-BFGS, have no curve.",
                "of the objective, percent",
            ),
            *_chart(
                scored,
                "Score on the validation split after the passes to choose from; mean over the classes.",
                f"{TITLES.get(metric, metric)}, percent",
            ),
        ]
        if charts:
            yield PageSection(f"Learning curves: {run.name}", joined(*charts))


def _chart(series: Sequence[Series], said: str, up: str) -> Iterator[Markup]:
    """What is said of some series, and their picture; nothing where there are none."""
    if len(series) > COLOURS:
        said += f" The first {COLOURS} of {len(series)} systems."
    if series:
        yield element("p", said, class_="note")
        yield scatter(series[:COLOURS], "pass", up)
        yield legend(series[:COLOURS])


def _series(name: str, passes: Sequence[int], objective: Sequence[float]) -> Series:
    """The objective by pass, as a part of the way from its first value to its lowest."""
    first, lowest = objective[0], min(objective)
    way = first - lowest or 1.0
    points = (
        (float(number), 100 * (value - lowest) / way) for number, value in zip(passes, objective, strict=True)
    )
    return Series(name, tuple(points))


def provenance(tables: Sequence[Table], seconds: Mapping[str, float]) -> PageSection:
    """What every run was made of, and what it took: configuration, seeds, versions, data.

    seconds: name of a run, with its fingerprint, to those of its passes, where they are known.
    """
    header = ["run", "fingerprint", "first seed", "seeds", "training, seconds", "uncertified answers"]
    header += ["versions", "data (SHA-256)"]
    body = []
    for run in dict((run.run, run) for table in tables for run in table.runs).values():
        train = ", ".join(f"{name} {version}" for name, version in run.versions.get("train", {}).items())
        data = ", ".join(f"{name} {checksum[:12]}" for name, checksum in run.data.items())
        seeds = max((row.seeds for row in run.rows), default=0)
        seed = run.config.get("seed", "")
        took = f"{seconds[run.run]:.0f}" if run.run in seconds else "not kept"
        found = [learnt.uncertified for learnt in run.learning.values()]
        counted = [number for number in found if number is not None]
        uncertified = str(sum(counted)) if counted and len(counted) == len(found) else "not counted"
        body.append([run.name, run.fingerprint, str(seed), str(seeds), took, uncertified, train, data])
    said = (
        "Seconds are those of all passes, of the whole grid, added up over processes. An answer to a linear "
        "program is used with a certificate alone; games in training that ended without one are counted."
    )
    return PageSection("What was run", joined(element("p", said, class_="note"), sortable(header, body)))


def figures(folder: Path) -> Iterator[PageSection]:
    """Pictures that scripts drew beside the scores, as they are."""
    for path in sorted(folder.glob("*.svg")):
        name = path.stem
        picture = Markup(own_names(path.read_text(encoding="utf-8"), name))
        caption = _caption(path.with_suffix(".md"))
        title = f"Figure: {name.replace('_', ' ')}"
        yield PageSection(
            title, joined(element("p", caption, class_="note"), element("div", picture, class_="sheet"))
        )


def own_names(svg: str, prefix: str) -> str:
    """A picture whose names are its own, so that several can stand on a page; nothing before its element.

    >>> own_names('<?xml version="1.0"?><svg><path id="a"/><use href="#a"/></svg>', "p")
    '<svg><path id="p-a"/><use href="#p-a"/></svg>'
    """
    svg = svg[svg.index("<svg") :].strip()
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'\bid="', f'id="{prefix}-', svg)
    svg = re.sub(r'href="#', f'href="#{prefix}-', svg)
    return re.sub(r"url\(#", f"url(#{prefix}-", svg)


def _caption(path: Path) -> str:
    """The first paragraph of the page beside a figure that is no heading; empty where there is none."""
    if not path.is_file():
        return ""
    paragraphs = path.read_text(encoding="utf-8").split("\n\n")
    told = [
        text for text in paragraphs if text.strip() and not text.lstrip().startswith(("#", "|", "!", "<"))
    ]
    return " ".join(told[0].split()) if told else ""


def _interval(row: Row) -> Estimate:
    score = row.score
    return Estimate(score.system, score.value, score.low, score.high, row.paper)


def _last_split(rows: list[Row]) -> list[Row]:
    """Rows of the last split that is scored: the test split."""
    last = rows[-1].score.split if rows else ""
    return [row for row in rows if row.score.split == last]


def _summing(rows: Sequence[Row]) -> str:
    """The class that sums up the others, or the first."""
    labels = [row.score.label for row in rows]
    return _ALL if _ALL in labels or not labels else labels[0]


def _by_threshold(scores: Sequence[ScoreRow]) -> list[Series]:
    named = {score.system: score for score in scores}
    found = []
    for name, score in named.items():
        if name.endswith(_THRESHOLD) and name.removesuffix(_THRESHOLD) in named:
            continue
        both = [score, *([named[name + _THRESHOLD]] if name + _THRESHOLD in named else [])]
        points = tuple((one.recall or 0.0, one.precision or 0.0) for one in both)
        found.append(Series(name, points, tuple(one.system for one in both)))
    return found


def _from_the_first(run: Scores) -> list[tuple[str, Estimate]]:
    """Differences from the first system of a run on its last split, over all classes: its name and theirs."""
    if not run.tests:
        return []
    last = run.tests[-1]
    labels = {test.label for test in run.tests if test.split == last.split}
    label = _ALL if _ALL in labels else last.label
    metric = run.tests[0].metric
    chosen = [
        test for test in run.tests if (test.split, test.label, test.metric) == (last.split, label, metric)
    ]
    if not chosen:
        return []
    first = chosen[0].systems[0]
    return [(first, _from(test, first)) for test in chosen if first in test.systems]


def _from(test: PairedRow, first: str) -> Estimate:
    """A difference as that of the other system from the first."""
    other = test.systems[1] if test.systems[0] == first else test.systems[0]
    sign = -1.0 if test.systems[0] == first else 1.0
    ends = sorted((sign * test.low, sign * test.high))
    chance = "p < 0.001" if test.p < 0.001 else f"p {test.p:.3f}"
    return Estimate(f"{other}, {chance}", sign * test.difference, ends[0], ends[1])
