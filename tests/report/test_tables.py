"""Tables from scores made by hand: what is in them, where it comes from, and what is refused."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from places import ROOT

from advsp.report.tables import COLUMNS, collect, cut, to_csv, to_latex, to_markdown, write
from advsp.support.errors import InputError

PAPER = """\
table3:
  conll_300:
    testa:
      CRF: {PER: 17.88, LOC: 30.94}
      ADV_f1: {PER: 29.64}
"""


def row(
    system: str, label: str, value: float, split: str = "testa", metric: str = "token_f1", **keys
) -> dict:
    """A row of scores."""
    return {
        "corpus": "conll_300",
        "split": split,
        "class": label,
        "system": system,
        "metric": metric,
        "value": value,
        "low": value - 2.5,
        "high": value + 2.5,
        "seeds": 1,
        "sd": None,
        **keys,
    }


@pytest.fixture
def scores(tmp_path):
    """Write a file of scores; return its path."""

    def make(name: str, rows: list[dict], fingerprint: str = "0123456789ab", table: str = "table3") -> Path:
        path = tmp_path / f"{name}.json"
        about = {
            "name": name,
            "table": table,
            "fingerprint": fingerprint,
            "data": {},
            "versions": {},
            "config": {},
        }
        path.write_text(json.dumps({**about, "rows": rows}))
        return path

    return make


@pytest.fixture
def paper(tmp_path) -> Path:
    path = tmp_path / "paper.yaml"
    path.write_text(PAPER)
    return path


@pytest.fixture
def table(scores, paper):
    """One table of two runs, three systems, two classes, two splits and two metrics."""
    first = scores(
        "baseline",
        [
            row("CRF", "PER", 40.0),
            row("CRF", "PER", 30.0, metric="entity_f1"),
            row("CRF", "LOC", 50.126),
            row("CRF", "all", 45.0),
            row("CRF", "PER", 35.0, split="testb"),
        ],
    )
    second = scores(
        "games",
        [
            row("ADV_f1", "PER", 60.0, seeds=5, sd=1.25),
            row("ADV_f1", "all", 61.0, seeds=5, sd=0.5),
            row("ADV_f1+average", "PER", 62.0),
        ],
        fingerprint="ba9876543210",
    )
    (made,) = collect([second, first], paper)
    return made


def parsed(table) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(to_csv(table))))


# --- CSV ------------------------------------------------------------------------------------------


def test_csv_has_exactly_the_columns_agreed_on(table):
    header = "corpus,split,class,system,metric,value,low,high,paper,seeds,run"
    assert to_csv(table).splitlines()[0] == header == ",".join(COLUMNS)


def test_csv_has_every_row_in_percent_with_two_digits(table):
    assert to_csv(table).splitlines()[1:] == [
        "conll_300,testa,PER,CRF,token_f1,40.00,37.50,42.50,17.88,1,baseline@0123456789ab",
        "conll_300,testa,PER,CRF,entity_f1,30.00,27.50,32.50,17.88,1,baseline@0123456789ab",
        "conll_300,testa,LOC,CRF,token_f1,50.13,47.63,52.63,30.94,1,baseline@0123456789ab",
        "conll_300,testa,all,CRF,token_f1,45.00,42.50,47.50,,1,baseline@0123456789ab",
        "conll_300,testb,PER,CRF,token_f1,35.00,32.50,37.50,,1,baseline@0123456789ab",
        "conll_300,testa,PER,ADV_f1,token_f1,60.00,57.50,62.50,29.64,5,games@ba9876543210",
        "conll_300,testa,all,ADV_f1,token_f1,61.00,58.50,63.50,,5,games@ba9876543210",
        "conll_300,testa,PER,ADV_f1+average,token_f1,62.00,59.50,64.50,,1,games@ba9876543210",
    ]


def test_csv_ends_lines_as_unix_does(table):
    assert "\r" not in to_csv(table)
    assert to_csv(table).endswith("\n")


def test_number_of_the_paper_stands_beside_its_own_system_split_and_class_alone(table):
    for cells in parsed(table):
        printed = {("CRF", "PER"): "17.88", ("CRF", "LOC"): "30.94", ("ADV_f1", "PER"): "29.64"}
        expected = printed.get((cells["system"], cells["class"]), "") if cells["split"] == "testa" else ""
        assert cells["paper"] == expected


def test_corpus_that_the_paper_does_not_have_has_no_number_of_it(scores, paper):
    (table,) = collect([scores("tiny", [row("CRF", "PER", 40.0, corpus="tiny")])], paper)
    assert [cells["paper"] for cells in parsed(table)] == [""]


def test_without_the_papers_numbers_the_column_is_empty(scores):
    (table,) = collect([scores("tiny", [row("CRF", "PER", 40.0)])], None)
    assert [cells["paper"] for cells in parsed(table)] == [""]


def test_numbers_of_the_paper_are_those_of_table_3(scores):
    rows = [
        row(system, label, 50.0) for system in ("CRF", "ADV_f1", "ADV_f1_approx") for label in ("PER", "LOC")
    ]
    (table,) = collect([scores("conll300", rows)], ROOT / "results/paper.yaml")
    assert [cells["paper"] for cells in parsed(table)] == [
        "17.88",
        "30.94",
        "29.64",
        "47.40",
        "29.64",
        "47.40",
    ]


# --- Markdown and LaTeX -----------------------------------------------------------------------------


def test_markdown_has_one_line_a_class_and_system_with_spread_and_interval(table):
    lines = to_markdown(table).splitlines()
    assert lines[0] == "# table3"
    assert "## conll_300, testa" in lines
    assert "## conll_300, testb" in lines
    assert "| PER | CRF | 40.00 [37.5, 42.5] | 30.00 [27.5, 32.5] | 17.88 | 1 |" in lines
    assert "| PER | ADV_f1 | 60.00 ± 1.2 [57.5, 62.5] |  | 29.64 | 5 |" in lines
    assert "| PER | ADV_f1+average | 62.00 [59.5, 64.5] |  |  | 1 |" in lines


def test_markdown_rows_have_as_many_cells_as_their_header(table):
    rows = [line for line in to_markdown(table).splitlines() if line.startswith("|")]
    assert len({line.count("|") for line in rows}) == 1


def test_markdown_names_the_runs(table):
    assert "baseline@0123456789ab" in to_markdown(table)
    assert "games@ba9876543210" in to_markdown(table)


def test_systems_of_one_class_stand_together(table):
    lines = [line for line in to_markdown(table).splitlines() if line.startswith(("| PER", "| LOC", "| all"))]
    assert [line.split(" | ")[0] for line in lines] == ["| PER"] * 3 + ["| LOC"] + ["| all"] * 2 + ["| PER"]


def test_latex_has_every_system_and_balanced_tables(table):
    text = to_latex(table)
    for name in ("CRF", "ADV\\_f1", "ADV\\_f1+average"):
        assert f" & {name} & " in text
    assert text.count("\\begin{tabular}{llrrrr}") == text.count("\\end{tabular}") == 2
    assert "60.00 $\\pm$ 1.2 [57.5, 62.5]" in text
    for line in text.splitlines():
        if line.endswith("\\\\"):
            assert line.count(" & ") == 5


def test_latex_escapes_what_would_break_it(table):
    body = [line for line in to_latex(table).splitlines() if not line.startswith("%")]
    for line in body:
        assert "_" not in line.replace("\\_", "")
        assert "%" not in line.replace("\\%", "")
        assert "±" not in line


# --- which scores make a table ----------------------------------------------------------------------


def test_order_of_the_files_does_not_matter(scores):
    files = [scores(name, [row(name.upper(), "PER", 40.0)], fingerprint=name) for name in ("a", "b", "c")]
    assert [r.score.system for r in collect(reversed(files), None)[0].rows] == ["A", "B", "C"]


def test_every_table_is_made_of_its_own_scores(scores):
    files = [
        scores("names", [row("CRF", "PER", 40.0)], table="table3"),
        scores("links", [row("ADV_aer", "all", 7.0)], table="table2"),
    ]
    tables = collect(files, None)
    assert [(table.name, [r.score.system for r in table.rows]) for table in tables] == [
        ("table2", ["ADV_aer"]),
        ("table3", ["CRF"]),
    ]


def test_system_scored_by_two_runs_is_refused_with_both(scores):
    files = [scores(name, [row("CRF", "PER", 40.0)], fingerprint=f"{name}{name}") for name in ("a", "b")]
    with pytest.raises(InputError) as raised:
        collect(files, None)
    assert str(raised.value).startswith("CRF on conll_300 is scored by two runs, a@aa and b@bb (give one of ")


def test_two_runs_may_score_one_system_on_different_splits(scores):
    files = [
        scores("a", [row("CRF", "PER", 40.0, split="testa")], fingerprint="aa"),
        scores("b", [row("CRF", "PER", 41.0, split="testb")], fingerprint="bb"),
    ]
    assert len(collect(files, None)[0].rows) == 2


def test_same_run_given_twice_is_refused_or_counted_once(scores, tmp_path):
    path = scores("a", [row("CRF", "PER", 40.0)])
    (tmp_path / "copy.json").write_text(path.read_text())
    try:
        (table,) = collect([path, tmp_path / "copy.json"], None)
    except InputError:
        return
    assert len(table.rows) == 1


def test_no_scores_no_table():
    with pytest.raises(InputError, match=r"^there are no scores yet \(make some with "):
        collect([], None)


# --- files ------------------------------------------------------------------------------------------


def test_table_is_written_in_every_form(table, tmp_path):
    folder = tmp_path / "tables"
    written = write(table, folder)
    assert [path.name for path in written] == ["table3.csv", "table3.md", "table3.tex", "table3.runs.json"]
    assert sorted(folder.iterdir()) == sorted(written)
    assert (folder / "table3.csv").read_text() == to_csv(table)
    assert (folder / "table3.md").read_text(encoding="utf-8") == to_markdown(table)
    assert (folder / "table3.tex").read_text(encoding="utf-8") == to_latex(table)
    runs = json.loads((folder / "table3.runs.json").read_text())
    assert [(run["name"], run["fingerprint"]) for run in runs] == [
        ("baseline", "0123456789ab"),
        ("games", "ba9876543210"),
    ]
    assert all({"data", "versions", "config"} <= set(run) for run in runs)


def test_table_written_twice_is_the_same(table, tmp_path, contents):
    write(table, tmp_path / "tables")
    before = contents(tmp_path)
    write(table, tmp_path / "tables")
    assert contents(tmp_path) == before


def test_compare_takes_the_papers_numbers_from_beside_the_results(trained, command):
    for place in (Path("results/scores/tiny.json"), Path("results/runs/tiny/config.json")):
        place.write_text(place.read_text().replace('"corpus": "tiny"', '"corpus": "conll_300"'))
    (Path("results") / "paper.yaml").write_text(PAPER)
    assert command("compare").code == 0
    cells = list(csv.DictReader(Path("results/tables/table3.csv").read_text().splitlines()))
    assert {(c["system"], c["split"], c["class"], c["metric"]): c["paper"] for c in cells if c["paper"]} == {
        (system, "testa", label, metric): number
        for system, label, number in (
            ("CRF", "PER", "17.88"),
            ("CRF", "LOC", "30.94"),
            ("ADV_f1", "PER", "29.64"),
        )
        for metric in ("token_f1", "entity_f1")
    }
    for cell in cells:
        if cell["seeds"] == "1":
            assert float(cell["low"]) <= float(cell["value"]) <= float(cell["high"])
    for name in ("table3.md", "table3.tex"):
        text = Path("results/tables", name).read_text().replace("\\_", "_")
        assert all(cell["system"] in text for cell in cells)


def test_compare_writes_tables_from_the_files_named(trained, command):
    Path("results/scores/tiny.json").rename("mine.json")
    assert command("compare", "mine.json", "--results", "there").code == 0
    assert Path("there/tables/table3.csv").read_text().startswith("corpus,split,class,")
    assert not Path("results/tables").exists()


def test_committed_tables_are_what_compare_makes_of_the_committed_scores(tmp_path, command, monkeypatch):
    committed, made = ROOT / "results/tables", tmp_path / "results/tables"
    shutil.copytree(ROOT / "results/scores", tmp_path / "results/scores")
    shutil.copy(ROOT / "results/paper.yaml", tmp_path / "results")
    made.mkdir()
    definitions = list(committed.glob("*.yaml"))
    for path in definitions:
        shutil.copy(path, made)
    monkeypatch.chdir(tmp_path)
    assert command("compare").code == 0
    names = {path.name for path in committed.iterdir()}
    assert {path.name for path in made.iterdir()} == names
    assert {path.name for path in definitions} < names
    for name in names:
        assert (made / name).read_bytes() == (committed / name).read_bytes(), name


def test_table_that_is_not_the_papers_says_how_it_is_to_be_read(scores):
    (table,) = collect([scores("other", [row("CRF", "PER", 40.0)], table="mine")], None)
    text = to_markdown(table)
    assert text.startswith("# mine\n\nPercent. Value: mean over seeds ")


def test_committed_numbers_of_the_paper_are_complete():
    from advsp.support.yaml_source import read_yaml

    printed = read_yaml(ROOT / "results/paper.yaml").value["table3"]
    assert set(printed) == {"conll_300", "conll_1000", "conll_3000"}
    for splits in printed.values():
        assert set(splits) == {"testa", "testb"}
        for systems in splits.values():
            assert set(systems) == {"CRF", "ADV_f1", "ADV_f1_approx"}
            for cells in systems.values():
                assert set(cells) == {"PER", "LOC", "ORG", "MISC"}
                assert all(0.0 < value < 100.0 for value in cells.values())


def test_truncated_scores_are_cut_where_others_are_rounded(scores, paper):
    rows = [row("ADV_f1+published", "PER", 19.049), row("ADV_f1+published", "LOC", 29.0)]
    path = scores("published", rows)
    about = json.loads(path.read_text())
    path.write_text(json.dumps(about | {"config": {"evaluation": {"display": "truncated"}}}))
    (table,) = collect([path], paper)
    assert [cells["value"] for cells in parsed(table)] == ["19.04", "29.00"]
    assert "19.04 [16.5, 21.5]" in to_markdown(table)


@given(hits=st.integers(0, 500), misses=st.integers(0, 500))
def test_cutting_a_score_is_whole_division_of_its_counts(hits, misses):
    total = max(1, 2 * hits + misses)
    assert cut(100.0 * (2 * hits / total)) == 20000 * hits // total / 100.0


def test_number_of_the_paper_stands_beside_what_is_set_up_to_give_it(scores, paper):
    rows = [row("ADV_f1+published", "PER", 29.6), row("ADV_f1+other", "PER", 29.6)]
    (table,) = collect([scores("published", rows)], paper)
    assert [cells["paper"] for cells in parsed(table)] == ["29.64", ""]


# --- choices at the end of their grid -----------------------------------------------------------------


def test_systems_chosen_at_the_end_of_a_grid_are_marked_in_all_their_variants(scores):
    rows = [row("CRF", "PER", 20.0), row("ADV_f1", "PER", 30.0), row("ADV_f1+average+threshold", "PER", 31.0)]
    path = scores("one", rows)
    choice = {
        "metric": "token_f1",
        "point": 0,
        "passes": 9,
        "rule": "mode",
        "score": 0.5,
        "options": {"optimiser.step": 1.0},
        "grid": [],
        "thresholds": {},
    }
    kept = json.loads(path.read_text())
    kept["selection"] = {"CRF": choice, "ADV_f1": choice | {"edges": ["optimiser.step 1, the highest"]}}
    path.write_text(json.dumps(kept))
    (table,) = collect([path], None)
    text = to_markdown(table)
    assert "| CRF | 20.00" in text
    assert "| ADV_f1 † | 30.00" in text
    assert "| ADV_f1+average+threshold † | 31.00" in text
    assert "† chosen at the end of its grid, where more of it might be better:" in text
    assert text.count("* ADV_f1 of one@0123456789ab: optimiser.step 1, the highest") == 1
    assert "ADV\\_f1 $\\dagger$" in to_latex(table)
    assert "†" not in to_csv(table)


def test_tables_without_such_choices_say_nothing_of_them(scores):
    (table,) = collect([scores("one", [row("CRF", "PER", 20.0)])], None)
    assert "†" not in to_markdown(table) + to_latex(table)
