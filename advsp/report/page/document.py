"""The whole page: a contents list, all sections, one style sheet and one short script."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from pathlib import Path

from advsp.report.chosen import choose
from advsp.report.page import sections
from advsp.report.page.markup import Markup, element, joined
from advsp.report.page.sections import PageSection
from advsp.report.tables import Table, collect
from advsp.support.files import atomic
from advsp.support.records import Fields
from advsp.support.versions import VERSION
from advsp.support.yaml_source import read_yaml


def write_report(results: Path, paper: Path | None, configs: Path, output: Path) -> int:
    """Write the report of a folder of results.

    Parameters
    ----------
    results: its folder scores is read, its pictures in figures, and tables that tables/*.yaml names.
    paper: the paper's numbers; None leaves them out.
    configs: folder of configurations, by which runs are named with the command that makes them again.
    output: the page.

    Returns
    -------
    Number of its bytes.

    Raises
    ------
    InputError: no scores there.
    """
    tables = collect(sorted((results / "scores").glob("*.json")), paper)
    tables += choose(tables, (results / "tables").glob("*.yaml"), paper)
    seconds = _seconds(sorted((results / "times").glob("*.json")))
    page = document(_sections(tables, _commands(tables, configs), seconds, results / "figures"))
    with atomic(output) as stream:
        stream.write(page)
    return len(page.encode())


def document(parts: Sequence[PageSection]) -> str:
    """A page of sections, whole in itself: it asks for nothing from anywhere."""
    contents = element(
        "nav",
        element("ol", *(element("li", element("a", part.title, href=f"#{part.anchor}")) for part in parts)),
    )
    body = [element("section", element("h2", part.title), part.body, id=part.anchor) for part in parts]
    head = element(
        "head",
        Markup('<meta charset="utf-8">'),
        Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        Markup('<link rel="icon" href="data:,">'),
        element("title", "advsp: report"),
        element("style", Markup(_shipped("page.css"))),
    )
    about = element("p", f"Made by advsp {VERSION} from saved scores alone.", class_="note")
    main = element(
        "main", element("h1", "Adversarial structured prediction: what was run"), about, contents, *body
    )
    script = element("script", Markup(_shipped("page.js")))
    whole = element("html", head, element("body", joined(main, script)), lang="en")
    return f"<!doctype html>\n{whole}\n"


def _sections(
    tables: Sequence[Table], commands: dict[str, str], seconds: Mapping[str, float], figures: Path
) -> list[PageSection]:
    found = [sections.provenance(tables, seconds)]
    printed = sections.against_the_paper(tables)
    found += [printed] if printed is not None else []
    found += sections.scores_by_system(tables)
    found += sections.precision_and_recall(tables)
    found += sections.paired_differences(tables)
    found += sections.learning_curves(tables)
    found += sections.figures(figures)
    for table in tables:
        found += sections.of_tables(table, commands)
    return found


def _commands(tables: Sequence[Table], configs: Path) -> dict[str, str]:
    """Name of a run, with its fingerprint, to the commands that make its scores again."""
    paths: dict[str, Path] = {}
    for path in sorted(configs.rglob("*.yaml")):
        value = read_yaml(path).value
        if isinstance(value, dict) and isinstance(value.get("name"), str):
            paths.setdefault(value["name"], path)
    found = {}
    for table in tables:
        for run in table.runs:
            if run.name in paths:
                seeds = run.config.get("runs", 1)
                more = f" --set runs={seeds}" if seeds != 1 else ""
                path = paths[run.name]
                found[run.run] = f"advsp train {path}{more} && advsp evaluate {path}   # {run.run}"
            else:
                found[run.run] = f"the configuration of {run.run}, see its run folder"
    return found


def _seconds(paths: Iterable[Path]) -> dict[str, float]:
    """Name of a run, with its fingerprint, to the seconds that all its passes took."""
    found = {}
    for path in paths:
        fields = Fields.of_file(path, "make it with `advsp evaluate`")
        found[fields.text("run")] = sum(fields.fields("seconds").all_numbers().values())
    return found


def _shipped(name: str) -> str:
    """A file that stands beside this module."""
    return files("advsp.report.page").joinpath(name).read_text(encoding="utf-8")
