"""Scores against known ones: cell by cell."""

from __future__ import annotations

import pytest
from made_scores import score_row, scores_of

from advsp.report.differences import differences, lines
from advsp.support.errors import InputError


@pytest.fixture
def known(tmp_path):
    folder = tmp_path / "reference"
    rows = [score_row(value=40.0), score_row(value=50.0, label="LOC"), score_row(value=9.0, system="ADV_f1")]
    other = score_row(value=1.0, corpus="another")
    scores_of("a", "f", *rows).write(folder / "scores/a.json")
    scores_of("b", "f", other).write(folder / "scores/b.json")
    return folder


def ours(tmp_path, *rows):
    path = tmp_path / "ours.json"
    scores_of("mine", "g", *rows).write(path)
    return [path]


def test_cells_are_matched_by_place_and_what_is_missing_of_the_same_corpus_is_counted(tmp_path, known):
    files = ours(tmp_path, score_row(value=40.004), score_row(value=48.5, label="LOC"), score_row(split="x"))
    found = differences(files, known)
    assert [round(cell.points, 3) for cell in found.cells] == [0.004, -1.5]
    assert found.left_out == 1
    assert [cell.ours.label for cell in found.outside(1.4)] == ["LOC"]
    assert found.outside(1.5) == []
    assert lines(found, 1.0) == [
        "conll_300 / testa / LOC / CRF / token_f1: 48.50, known 50.00 (-1.50)",
        "2 cells compared: 1 equal, 1 outside 1 points; largest difference -1.50; 1 known cell without a "
        "counterpart",
    ]


def test_what_is_not_a_number_is_outside(tmp_path, known):
    (path,) = ours(tmp_path, score_row(value=12.125))
    # None is written any more, but files of others may have one.
    text = path.read_text()
    assert text.count("12.125,") == 1
    path.write_text(text.replace("12.125,", "NaN,"))
    assert len(differences([path], known).outside(100.0)) == 1


def test_a_folder_of_score_files_will_do(tmp_path, known):
    assert len(differences(ours(tmp_path, score_row()), known / "scores").cells) == 1


def test_nothing_to_compare_with_is_an_error(tmp_path, known):
    with pytest.raises(InputError, match="there are no scores to compare with"):
        differences(ours(tmp_path, score_row()), tmp_path / "nowhere")
    with pytest.raises(InputError, match="has none of the cells.*another, conll_300.*are of mine"):
        differences(ours(tmp_path, score_row(corpus="mine")), known)


def test_command_leaves_with_one_where_a_cell_is_outside(tmp_path, known, command):
    (path,) = ours(tmp_path, score_row(value=42.0))
    assert command("compare", path, "--against", known, "--tolerance", "2").code == 0
    ended = command("compare", path, "--against", known, "--tolerance", "1.9")
    assert ended.code == 1
    assert "42.00, known 40.00 (+2.00)" in ended.out
    assert not (tmp_path / "results").exists()
