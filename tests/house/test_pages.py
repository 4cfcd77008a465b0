"""What pages say of the code is what the code says."""

from __future__ import annotations

import re

from places import ROOT

from advsp.cli.main import app
from advsp.metrics.scores import _FIELDS
from advsp.report.tables import COLUMNS

COMMANDS = (ROOT / "docs/commands.md").read_text(encoding="utf-8")


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
