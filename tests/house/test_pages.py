"""What pages say of the code is what the code says."""

from __future__ import annotations

import re

from places import ROOT

from advsp.cli.main import app
from advsp.engine.measures import measures
from advsp.learners import learners
from advsp.metrics.scores import _FIELDS
from advsp.report.tables import COLUMNS

COMMANDS = (ROOT / "docs/commands.md").read_text(encoding="utf-8")


def rows(heading: str) -> dict[str, set[str]]:
    """Names to options of the table on the page of commands that follows a line."""
    table = COMMANDS.partition(heading)[2].partition("|---|---|---|\n")[2].partition("\n\n")[0]
    cells = [re.split(r"(?<!\\)\|", line)[1:3] for line in table.splitlines()]
    return {
        name.strip(" `"): {option.partition(":")[0] for option in re.findall(r"`([^`]+)`", options)}
        for name, options in cells
    }


def options(part: type) -> set[str]:
    return set(part.__dataclass_fields__)


def test_every_measure_stands_among_the_commands_with_its_options():
    assert rows("Measures, named alone") == {name: options(measures.get(name)) for name in measures}


def test_every_learner_stands_among_the_commands_with_its_options():
    assert rows("Learners and their options") == {name: options(learners.get(name)) for name in learners}


def test_fields_of_scores_and_columns_of_tables_are_those_that_are_written():
    page = (ROOT / "docs/formats.md").read_text(encoding="utf-8")
    row = page.partition("<!-- row:begin -->")[2].partition("<!-- row:end -->")[0]
    first = [line.split("|")[1] for line in row.strip().splitlines()[2:]]
    assert sorted(re.findall("`([^`]+)`", "".join(first))) == sorted(_FIELDS)
    columns = page.partition("<!-- columns:begin -->")[2].partition("<!-- columns:end -->")[0]
    assert columns.strip() == f"`{','.join(COLUMNS)}`"


def test_every_command_has_a_section_of_its_own():
    names = {name.partition(" ")[0] for name in re.findall(r"^## `advsp ([^`]+)`$", COMMANDS, re.MULTILINE)}
    registered = {command.name or command.callback.__name__ for command in app.registered_commands}
    assert names == registered | {group.name for group in app.registered_groups}


def test_the_readme_is_read_in_ten_minutes():
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 200
