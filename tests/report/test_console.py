"""What the command line shows, on terminals of several widths and on none."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest
from made_scores import score_row
from rich.console import Console

from advsp.report.console import ConsoleReporter, show
from advsp.report.tables import Row, Table

CLASSES = ("PER", "LOC", "ORG", "MISC", "all")
SYSTEMS = ("CRF", "ADV_f1", "ADV_f1+threshold", "ADV_f1_approx+average+threshold")


PAPER = {"PER": 17.88, "LOC": 30.94, "ORG": 7.19, "MISC": 16.22}


def make_table() -> Table:
    """A table as wide as the paper's, every score another."""
    rows = []
    for system in SYSTEMS:
        for metric in ("token_f1", "entity_f1"):
            for label in CLASSES:
                value, paper = 40.0 + 1.37 * len(rows), PAPER.get(label) if system == "CRF" else None
                score = score_row(label=label, system=system, metric=metric, value=value, seeds=5, sd=1.5)
                rows.append(Row(score, "run", paper))
    return Table("table3", tuple(rows), ())


def shown(width: int) -> list[str]:
    """The lines of the table on a terminal of that width."""
    stream = io.StringIO()
    show(make_table(), Console(file=stream, width=width, force_terminal=False))
    return stream.getvalue().splitlines()


@pytest.mark.parametrize("width", [80, 100, 120, 160])
def test_no_line_is_longer_than_the_terminal_is_wide(width):
    assert max(map(len, shown(width))) <= width


@pytest.mark.parametrize("width", [80, 100, 120, 160])
def test_every_number_is_shown_in_full(width):
    text = "\n".join(shown(width))
    assert "…" not in text
    for row in make_table().rows:
        assert re.search(rf"(?<![\d.]){row.score.value:.2f}(?!\d)", text), row
    for number in PAPER.values():
        assert f"{number:.2f}" in text


def test_many_classes_are_shown_in_full_on_a_narrow_terminal():
    rows = [Row(score_row(label=f"CLASS{n}", system="ADV_f1", value=40.0 + n), "run") for n in range(14)]
    stream = io.StringIO()
    show(Table("table3", tuple(rows), ()), Console(file=stream, width=80))
    text = stream.getvalue()
    assert "ADV_f1" in text
    assert all(f"{row.score.value:.2f}" in text for row in rows)


@pytest.mark.parametrize("width", [100, 120, 160])
def test_every_system_and_class_is_named(width):
    text = "\n".join(shown(width))
    for name in (*SYSTEMS, *CLASSES):
        assert name in text


def test_narrow_terminal_still_shows_every_letter_of_a_name():
    letters = "".join(line[:40].replace(" ", "") for line in shown(80))
    assert "ADV_f1+threshold" in letters


def test_title_says_which_table_corpus_and_split():
    assert any("table3" in line and "conll_300" in line and "testa" in line for line in shown(80))


def test_blocks_of_corpus_and_split_are_tables_of_their_own():
    table = make_table()
    other = tuple(replace(row, score=replace(row.score, split="testb")) for row in table.rows)
    stream = io.StringIO()
    show(Table("table3", table.rows + other, ()), Console(file=stream, width=120))
    assert len(re.findall(r"^table3: conll_300, test[ab]\s*$", stream.getvalue(), re.MULTILINE)) == 2


# --- the reporter -----------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [40, 80])
def test_what_is_said_is_one_line_however_long_it_is(monkeypatch, capsys, width):
    monkeypatch.setenv("COLUMNS", str(width))
    text = 5 * "a path/that [is] not markup: 3.14 " + "end"
    ConsoleReporter().say(text)
    assert capsys.readouterr() == (f"{text}\n", "")


def test_what_is_said_is_said_word_for_word(capsys):
    ConsoleReporter().say("data/:cat:/train.txt:3: found :x:")
    assert capsys.readouterr().out == "data/:cat:/train.txt:3: found :x:\n"


def test_name_of_a_corpus_is_shown_as_it_is():
    row = Row(score_row(corpus="my [best] corpus"), "run")
    stream = io.StringIO()
    show(Table("table3", (row,), ()), Console(file=stream, width=80))
    assert "my [best] corpus" in stream.getvalue()


def test_quiet_reporter_says_nothing(capsys):
    reporter = ConsoleReporter(quiet=True)
    reporter.say("words")
    reporter.start("work", 10)(3)
    reporter.stop()
    assert capsys.readouterr().out == ""


def test_bar_does_not_go_to_standard_output(capsys):
    reporter = ConsoleReporter()
    progress = reporter.start("work", 10)
    progress(3)
    progress(7, "objective 1.5")
    reporter.stop()
    assert capsys.readouterr().out == ""


def test_bar_can_be_replaced_and_removed_at_any_time():
    reporter = ConsoleReporter()
    reporter.stop()
    first = reporter.start("one thing", 10)
    first(1)
    second = reporter.start("another", 0)
    first(1)
    second(5)
    reporter.stop()
    reporter.stop()


def test_bar_shows_label_count_and_note(monkeypatch):
    reporter = ConsoleReporter()
    stream = io.StringIO()
    monkeypatch.setattr(reporter, "_errors", Console(file=stream, width=160, force_terminal=True))
    progress = reporter.start("training", 10)
    progress(4, "objective 1.5")
    reporter._bar.refresh()
    reporter.stop()
    for word in ("training", "4/10", "objective 1.5"):
        assert word in stream.getvalue()
