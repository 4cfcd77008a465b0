"""Tables chosen from the rows of others: which rows, in which order, and how far from the paper's numbers."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from made_scores import score_row, scores_of
from places import ROOT

from advsp.report.chosen import choose
from advsp.report.tables import Row, Table, agreement, collect, to_csv, to_latex, to_markdown
from advsp.support.errors import InputError
from advsp.support.yaml_source import read_yaml

PAPER = """\
table3:
  large:
    testa:
      CRF: {PER: 17.88, LOC: 30.94}
      ADV_f1: {PER: 19.04, LOC: 40.25}
"""
DEFINITION = """\
from: table3
note: How to read it.
corpora: [large, copy]
classes: [LOC, PER]
systems: {ADV_f1+published: token_f1, CRF: entity_f1}
same: {copy: large}
"""


def row(corpus: str, label: str, system: str, metric: str, value: float, run: str = "a@1") -> Row:
    ends = {"low": value - 2.0, "high": value + 2.0}
    score = score_row(corpus=corpus, label=label, system=system, metric=metric, value=value, **ends)
    return Row(score, run, truncated=system.startswith("ADV"))


ROWS = (
    row("large", "PER", "CRF", "token_f1", 17.88),
    row("large", "PER", "CRF", "entity_f1", 18.004),
    row("large", "LOC", "CRF", "entity_f1", 30.936),
    row("large", "all", "CRF", "entity_f1", 25.0),
    row("large", "PER", "ADV_f1+published", "token_f1", 19.049, "b@2"),
    row("large", "LOC", "ADV_f1+published", "token_f1", 40.299, "b@2"),
    row("copy", "PER", "ADV_f1+published", "token_f1", 19.049, "c@3"),
    row("other", "PER", "ADV_f1+published", "token_f1", 19.049, "d@4"),
    row("large", "PER", "ADV_f1", "token_f1", 50.0, "e@5"),
)
RUNS = tuple(scores_of(name, digit) for name, digit in zip("abcde", "12345"))


@pytest.fixture
def definition(tmp_path) -> Path:
    path = tmp_path / "mine.yaml"
    path.write_text(DEFINITION)
    return path


@pytest.fixture
def paper(tmp_path) -> Path:
    path = tmp_path / "paper.yaml"
    path.write_text(PAPER)
    return path


@pytest.fixture
def table(definition, paper) -> Table:
    (made,) = choose([Table("table3", ROWS, RUNS, "")], [definition], paper)
    return made


def test_rows_are_those_asked_for_in_the_order_of_the_definition(table):
    assert (table.name, table.note) == ("mine", "How to read it.")
    assert [(r.corpus, r.label, r.system, r.metric) for r in (row.score for row in table.rows)] == [
        ("large", "LOC", "ADV_f1+published", "token_f1"),
        ("large", "LOC", "CRF", "entity_f1"),
        ("large", "PER", "ADV_f1+published", "token_f1"),
        ("large", "PER", "CRF", "token_f1"),
        ("large", "PER", "CRF", "entity_f1"),
        ("copy", "PER", "ADV_f1+published", "token_f1"),
    ]


def test_runs_are_those_of_the_rows(table):
    assert [run.name for run in table.runs] == ["a", "b", "c"]


def test_difference_is_that_of_the_digits_shown_and_of_the_metric_compared(table):
    assert [r.difference for r in table.rows] == [0.04, 0.0, 0.0, None, 0.12, 0.0]


def test_corpus_of_the_same_sentences_has_the_same_numbers_of_the_paper(table):
    assert [r.paper for r in table.rows] == [40.25, 30.94, 19.04, 17.88, 17.88, 19.04]


def test_table_says_which_cells_are_equal_and_how_far_others_are(table):
    text = to_markdown(table)
    assert "| class | system | token F1 | entity F1 | paper | difference | seeds |" in text
    assert "| PER | ADV_f1+published | 19.04 [17.0, 21.0] |  | 19.04 | equal | 1 |" in text
    assert "| PER | CRF | 17.88 [15.9, 19.9] | 18.00 [16.0, 20.0] | 17.88 | +0.12 | 1 |" in text
    assert agreement(table)[1] == [
        ["large", "ADV_f1+published", "token F1", "2", "1", "+0.04"],
        ["large", "CRF", "entity F1", "2", "1", "+0.12"],
        ["copy", "ADV_f1+published", "token F1", "1", "1", "equal"],
    ]
    assert "| copy | ADV_f1+published | token F1 | 1 | 1 | equal |" in text


def test_columns_of_the_csv_and_of_latex_are_as_ever(table):
    assert to_csv(table).splitlines()[0] == "corpus,split,class,system,metric,value,low,high,paper,seeds,run"
    lines = [line for line in to_latex(table).splitlines() if line.endswith("\\\\")]
    assert {line.count(" & ") for line in lines if "F1" in line} <= {5, 6}


def test_without_the_papers_numbers_nothing_is_compared(definition):
    (table,) = choose([Table("table3", ROWS, RUNS, "")], [definition], None)
    assert [r.difference for r in table.rows] == [None] * 6
    assert agreement(table)[1] == []


def test_definition_without_rows_makes_no_table(definition, paper):
    assert choose([], [definition], paper) == []
    assert choose([Table("table3", ROWS[-1:], RUNS, "")], [definition], paper) == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("classes:", "klasses:", "klasses: unknown key (did you mean classes?)"),
        ("from: table3", "from: [table3]", "from: "),
        ("classes: [LOC, PER]", "classes: []", "classes: found [], expected at least one entry"),
    ],
)
def test_wrong_definition_is_named_with_its_line_and_key(definition, paper, old, new, said):
    definition.write_text(DEFINITION.replace(old, new))
    with pytest.raises(InputError) as raised:
        choose([Table("table3", ROWS, RUNS, "")], [definition], paper)
    assert str(raised.value).startswith(f"{definition}:")
    assert said in str(raised.value)


def test_definition_named_after_another_table_is_refused(definition, paper):
    path = definition.with_name("table3.yaml")
    path.write_text(DEFINITION)
    with pytest.raises(InputError, match="a table of that name is made already") as raised:
        choose([Table("table3", ROWS, RUNS)], [path], paper)
    assert raised.value.file == path


def test_compare_writes_chosen_tables_beside_the_others(trained, command):
    definition = DEFINITION.replace("[large, copy]", "[tiny]").replace("ADV_f1+published", "ADV_f1")
    Path("results/tables").mkdir(exist_ok=True)
    Path("results/tables/mine.yaml").write_text(definition)
    assert command("compare").code == 0
    cells = list(csv.DictReader(Path("results/tables/mine.csv").read_text().splitlines()))
    assert {cell["system"] for cell in cells} == {"ADV_f1", "CRF"}
    everything = list(csv.DictReader(Path("results/tables/table3.csv").read_text().splitlines()))
    assert all(cell in everything for cell in cells)


def test_wrong_definition_is_one_error_of_compare(trained, refused):
    Path("results/tables").mkdir(exist_ok=True)
    Path("results/tables/mine.yaml").write_text("from: table3\n")
    assert refused("compare").startswith("results/tables/mine.yaml")
    assert not Path("results/tables/table3.csv").exists()


# --- the committed table --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def committed() -> Table:
    paper = ROOT / "results/paper.yaml"
    tables = collect((ROOT / "results/scores").glob("*.json"), paper)
    (table,) = choose(tables, [ROOT / "results/tables/published.yaml"], paper)
    return table


def test_committed_table_is_what_the_scores_give(committed):
    folder = ROOT / "results/tables"
    assert (folder / "published.csv").read_text() == to_csv(committed)
    assert (folder / "published.md").read_text(encoding="utf-8") == to_markdown(committed)
    assert (folder / "published.tex").read_text(encoding="utf-8") == to_latex(committed)


def test_every_printed_cell_of_the_two_columns_stands_beside_ours(committed):
    printed = read_yaml(ROOT / "results/paper.yaml").value["table3"]
    beside = {
        (*r.score.place[:3], r.score.system.removesuffix("+published")): r.paper
        for r in committed.rows
        if r.difference is not None
    }
    for corpus, splits in printed.items():
        for split, systems in splits.items():
            for system in ("CRF", "ADV_f1"):
                for label, value in systems[system].items():
                    assert beside[corpus, split, label, system] == value


def test_cells_of_the_smaller_blocks_are_equal_and_those_of_the_largest_near(committed):
    own = [r for r in committed.rows if r.score.system == "ADV_f1+published"]
    ours = [r for r in own if r.difference is not None]
    by_corpus: dict[str, list[float]] = {}
    for r in ours:
        by_corpus.setdefault(r.score.corpus, []).append(r.difference)
    for corpus, cells in (("conll_300", 8), ("conll_1000", 8), ("authors_300", 4)):
        assert by_corpus[corpus] == [0.0] * cells
    assert len(by_corpus["conll_3000"]) == 8
    assert max(map(abs, by_corpus["conll_3000"])) <= 0.15


def test_values_are_those_of_the_counts(committed):
    """What stands beside the paper's numbers is made of tp, fp and fn, not of the paper's numbers."""
    counts = {}
    for path in (ROOT / "results/scores").glob("published*.json"):
        for scored in json.loads(path.read_text())["rows"]:
            place = (scored["corpus"], scored["split"], scored["class"], scored["metric"])
            counts[place] = scored["tp_fp_fn"][0]
    for r in committed.rows:
        score = r.score
        if score.system == "ADV_f1+published":
            tp, fp, fn = counts[score.corpus, score.split, score.label, score.metric]
            assert float(r.shown) == 20000 * tp // (2 * tp + fp + fn) / 100.0
