"""The report: whole in itself, every anchor resolves, and what it says is what the scores say."""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest
from made_scores import score_row, scores_of

from advsp.metrics.learning import Learning
from advsp.metrics.scores import PairedRow
from advsp.report.page.document import write_report
from advsp.support.errors import InputError
from advsp.support.files import write_json

ROOT = Path(__file__).parents[3]
#: Elements that have no end.
VOID = {"meta", "link"}


class Page(HTMLParser):
    """What a page holds: elements, ids, where links lead, the cells of its tables."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open, self.ids, self.targets, self.sources, self.cells, self.counts = (
            [],
            [],
            [],
            [],
            [],
            Counter(),
        )
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self._begun(tag, attributes)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self._begun(tag, attributes)

    def _begun(self, tag, attributes):
        self.counts[tag] += 1
        for name, value in attributes:
            if name == "id":
                self.ids.append(value)
            elif name in ("href", "xlink:href"):
                self.targets.append(value)
            elif name in ("src", "action", "poster"):
                self.sources.append(value)
        if tag == "td":
            self.cells.append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "td":
            self.cells[-1] += data


@pytest.fixture
def results(tmp_path) -> Path:
    folder = tmp_path / "results"
    rows = [
        score_row(split="testb", label="all", system=name, value=value, precision=60.0, recall=value)
        for name, value in [("CRF", 40.0), ("ADV_f1", 48.25), ("ADV_f1+threshold", 49.0), ("a <b> & c", 1.0)]
    ]
    test = PairedRow("testb", "all", "token_f1", ("CRF", "ADV_f1"), -8.25, -10.0, -6.5, 0.001)
    made = scores_of("mine", "abc", *rows)
    object.__setattr__(made, "tests", (test,))
    learning = {
        "CRF": Learning((1,), (7.0,), (1,), (39.0,), 0),
        "ADV_f1": Learning((1, 2, 3), (9.0, 3.0, 1.0), (1, 3), (30.0, 45.5), 2),
    }
    object.__setattr__(made, "learning", learning)
    made.write(folder / "scores/mine.json")
    write_json(folder / "times/mine.json", {"run": made.run, "seconds": {"CRF": 1.0, "ADV_f1": 2.6}})
    (tmp_path / "paper.yaml").write_text("table3: {conll_300: {testb: {ADV_f1: {all: 47.5}}}}")
    (folder / "figures").mkdir()
    (folder / "figures/some_times.svg").write_text(
        '<?xml version="1.0"?><svg><path id="a"/><use href="#a"/></svg>'
    )
    (folder / "figures/some_times.md").write_text("# Times\n\nHow long games take.\n\n| a |\n")
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs/first.yaml").write_text("name: mine\n")
    return folder


@pytest.fixture
def text(results, tmp_path) -> str:
    size = write_report(results, tmp_path / "paper.yaml", tmp_path / "configs", tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert len(text.encode()) == size
    return text


def check_whole(text: str) -> Page:
    """The page is well-formed, asks for nothing, and all its anchors resolve, once."""
    page = Page(text)
    assert not page.open
    assert not page.sources and "@import" not in text and not re.search(r"url\((?!#)", text)
    assert all(target.startswith(("#", "data:,")) for target in page.targets)
    assert {target[1:] for target in page.targets if target.startswith("#")} <= set(page.ids)
    assert len(set(page.ids)) == len(page.ids)
    return page


def test_page_is_whole_in_itself(text):
    page = check_whole(text)
    assert page.counts["script"] == page.counts["style"] == 1


def test_every_score_stands_in_a_table_and_markup_in_names_is_text(text):
    page = Page(text)
    assert "48.25 [45.2, 51.2]" in page.cells
    assert "a <b> & c" in page.cells
    assert page.counts["b"] == 0


def test_the_papers_number_stands_beside_ours_with_the_difference(text):
    cells = Page(text).cells
    at = cells.index("47.50")
    assert cells[at - 5 : at + 4] == [
        "conll_300", "testb", "all", "ADV_f1", "token F1", "47.50", "48.25", "+0.75", "holds it",
    ]  # fmt: skip


def test_charts_show_scores_precision_and_recall_and_differences(text):
    titles = re.findall(r"<title>([^<]*)</title>", text)
    assert "ADV_f1: 48.25 [45.25, 51.25], paper 47.50" in titles
    assert "ADV_f1+threshold: 49.00, 60.00" in titles
    assert "ADV_f1, p 0.001: 8.25 [6.50, 10.00]" in titles


def test_curves_are_of_systems_with_more_than_one_pass(text):
    section = text.partition("<h2>Learning curves: mine</h2>")[2].partition("</section>")[0]
    titles = re.findall(r"<title>([^<]*)</title>", section)
    # The objective as a part of its way down, then the score of what was held out.
    points = ["1.00, 100.00", "2.00, 25.00", "3.00, 0.00"], ["1.00, 30.00", "3.00, 45.50"]
    assert titles == [
        *("ADV_f1", *(f"ADV_f1: {point}" for point in points[0])),
        *("ADV_f1", *(f"ADV_f1: {point}" for point in points[1])),
    ]


def test_times_and_answers_without_a_certificate_are_told(text, results, tmp_path):
    def told(text: str) -> list[str]:
        section = text.partition("<h2>What was run</h2>")[2].partition("</section>")[0]
        return Page(section).cells[4:6]

    assert told(text) == ["4", "2"]
    (results / "times/mine.json").unlink()
    write_report(results, None, tmp_path / "configs", tmp_path / "again.html")
    assert told((tmp_path / "again.html").read_text()) == ["not kept", "2"]


def test_figures_come_with_their_captions_and_names_of_their_own(text):
    assert "How long games take." in text
    assert 'id="some_times-a"' in text and 'href="#some_times-a"' in text


def test_commands_that_make_a_run_again_are_named(text):
    assert "configs/first.yaml" in text and "advsp evaluate" in text


def test_without_scores_there_is_nothing_to_report(tmp_path):
    with pytest.raises(InputError, match="there are no scores yet"):
        write_report(tmp_path, None, tmp_path, tmp_path / "report.html")
    assert not (tmp_path / "report.html").exists()


def test_the_committed_page_is_that_of_the_committed_results(tmp_path, command, monkeypatch):
    monkeypatch.chdir(ROOT)
    ended = command("report", "--output", tmp_path / "report.html")
    assert ended.code == 0 and ended.out.startswith("wrote ")
    page = check_whole((tmp_path / "report.html").read_text(encoding="utf-8"))
    # The committed page is the one that `make report` would write.
    assert (tmp_path / "report.html").read_bytes() == (ROOT / "results/report.html").read_bytes()
    assert (ROOT / "results/report.html").stat().st_size < 1.5e6
    assert page.counts["table"] > 10 and page.counts["svg"] > 10
