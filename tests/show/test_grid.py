"""The alignment grid of a sentence pair, on terminals of several widths, in pipes and as a picture."""

from __future__ import annotations

import io
import random
import re
import sys
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import numpy as np
import pytest
from rich.cells import cell_len
from rich.console import Console

from advsp.corpora.bitext import SentencePair
from advsp.show.grid import draw_grid, grid_text
from advsp.support.errors import InputError

PAIR = SentencePair(
    ("the", "gull", "sleeps"),
    ("la", "mouette", "dort", "."),
    sure=frozenset({(0, 0), (1, 1)}),
    possible=frozenset({(2, 2), (2, 3)}),
)
PREDICTED = {(0, 0), (2, 2), (0, 3)}

COMPARED = """\
source  the gull sleeps
target  la mouette dort .

         m
         o
         u
         e d
         t o
       l t r
       a e t .
   the ■ · · ×
  gull · □ · ·
sleeps · · ◆ ◇

■  sure, predicted: 1
□  sure, missed: 1
◆  possible, predicted: 1
◇  possible, not predicted: 1
×  wrong: 1
AER 40.00 %, precision 66.67 %, recall 50.00 %
"""


def shown(pair, predicted, width=80, **options) -> str:
    """What the grid is on a console of that width, without the blanks at the ends of lines."""
    stream = io.StringIO()
    Console(file=stream, width=width, **options).print(grid_text(pair, predicted))
    return "".join(f"{line.rstrip()}\n" for line in stream.getvalue().splitlines())


def long_pair(words: int, seed: int) -> tuple[SentencePair, set]:
    """A pair of so many target words with links of every kind, and what is predicted."""
    draw = random.Random(seed)
    source = tuple("s" * draw.randint(1, 9) for _ in range(12))
    target = tuple("".join(draw.choices("abcdefg", k=draw.randint(1, 12))) for _ in range(words))
    edges = [(i, j) for i in range(12) for j in range(words)]
    pair = SentencePair(
        source, target, frozenset(draw.sample(edges, words)), frozenset(draw.sample(edges, words))
    )
    pair = SentencePair(source, target, pair.sure, pair.possible - pair.sure)
    return pair, set(draw.sample(edges, 3 * words))


def symbol(pair: SentencePair, predicted: set, link: tuple[int, int]) -> str:
    """The mark of a link, by its definition."""
    if link in pair.sure:
        return "■" if link in predicted else "□"
    if link in pair.possible:
        return "◆" if link in predicted else "◇"
    return "×" if link in predicted else "·"


def read_back(text: str, rows: int) -> tuple[list[str], list[list[str]]]:
    """Target words and rows of symbols, read from the grids of a text, however many there are."""
    words: list[str] = []
    marks: list[list[str]] = [[] for _ in range(rows)]
    for block in text.split("\n\n")[1:-1]:
        lines = block.split("\n")
        header, body = lines[:-rows], lines[-rows:]
        first = min(line.index(mark) for line in body for mark in "■□◆◇×·" if mark in line)
        for column in range(first, len(body[0]), 2):
            words.append("".join(line[column : column + 1].strip() for line in header))
        for row, line in zip(marks, body, strict=True):
            row += line[first::2]
    return words, marks


# ---- on a console


def test_every_kind_of_link_has_a_mark_of_its_own():
    assert shown(PAIR, PREDICTED) == COMPARED


def test_gold_alignment_alone_has_no_scores():
    text = shown(PAIR, None)
    assert text.splitlines()[-5:] == ["  gull · □ · ·", "sleeps · · ◇ ◇", "", "□  sure: 2", "◇  possible: 2"]


def test_nothing_predicted_is_not_the_same_as_the_gold_alignment_alone():
    assert shown(PAIR, set()).endswith("×  wrong: 0\nAER 100.00 %, precision 100.00 %, recall 0.00 %\n")


@pytest.mark.parametrize("width", [15, 40, 80, 200])
@pytest.mark.parametrize("words", [1, 30, 31, 90])
def test_all_of_it_can_be_read_on_any_width(width, words):
    pair, predicted = long_pair(words, seed=words)
    text = shown(pair, predicted, width)
    assert max(map(cell_len, text.splitlines())) <= width
    target, marks = read_back(text, rows=12)
    assert target == list(pair.target)
    assert marks == [[symbol(pair, predicted, (i, j)) for j in range(words)] for i in range(12)]


def test_thirty_words_are_one_grid_on_eighty_columns_and_more_are_cut_evenly():
    for words, grids in ((30, [30]), (50, [25, 25]), (61, [21, 20, 20])):
        pair = SentencePair(("s" * 30, "s"), ("t",) * words)
        rows = [line for line in shown(pair, None).splitlines() if line.startswith(" " * 19 + "s ")]
        assert [row.count("·") for row in rows] == grids


def test_source_words_are_cut_only_where_they_must_be():
    word = "incomprehensibilities"
    assert f"\n{word} ·\n" in shown(SentencePair((word,), ("t",)), None, width=40)
    assert "\nincompreh… · · ·" in shown(SentencePair((word,), ("t",) * 40), None, width=40)


def test_sentences_are_never_cut():
    text = shown(SentencePair(("s",), ("incomprehensibilities", "x")), None, width=20)
    assert "".join(text.split("\n\n")[0].split()) == "sourcestargetincomprehensibilitiesx"


def test_target_words_are_cut_after_twenty_letters():
    for length, last in ((20, "x"), (21, "…")):
        lines = shown(SentencePair(("s",), ("x" * length,)), None).splitlines()
        assert lines[3 : lines.index("s ·")] == ["  x"] * 19 + [f"  {last}"]


def test_wide_and_combining_letters_keep_the_columns_straight():
    pair = SentencePair(("日本", "e\u0301te\u0301"), ("日本", "e\u0301", "t"), frozenset({(0, 1), (1, 2)}))
    lines = shown(pair, None).splitlines()
    header, body = lines[3:5], lines[5:7]
    assert header == ["    日", "    本 e\u0301 t"]
    assert body == ["日本 · □ ·", " e\u0301te\u0301 · · □"]


def test_words_are_never_taken_for_markup():
    pair = SentencePair(("[bold]x[/]", ":smile:"), ("[/]", "[red]"), frozenset({(0, 0)}))
    text = shown(pair, set(), force_terminal=True)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
    assert "source  [bold]x[/] :smile:" in plain and "target  [/] [red]" in plain
    assert "[bold]x[/] □ ·" in plain


def test_pipe_gets_no_colours_and_a_terminal_does():
    assert "\x1b" not in shown(PAIR, PREDICTED)
    text = shown(PAIR, PREDICTED, force_terminal=True, color_system="standard")
    for part in text.split("\n\n")[1:]:  # the grid, the legend
        styles = set(re.findall(r"\x1b\[([0-9;]+)m([■□◆◇×])", part))
        assert styles == {("1;32", "■"), ("1;31", "□"), ("32", "◆"), ("1;31", "×")}


@pytest.mark.parametrize("link", [(3, 0), (0, 4), (-1, 0)])
def test_link_outside_the_pair(link):
    with pytest.raises(ValueError, match="outside a sentence pair of 3 and 4 words"):
        grid_text(PAIR, {link})


# ---- as a picture


@pytest.fixture(scope="module")
def matplotlib():
    return pytest.importorskip("matplotlib")


SVG, LINK = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xlink}href"


class Drawn(NamedTuple):
    """A mark of a picture: its outline, its colours, and where it stands in points, the legend last."""

    outline: str
    fill: str
    stroke: str
    places: list[tuple[float, float]]


def marks_of(svg: Path) -> list[Drawn]:
    """The marks of a picture in the order of the legend."""
    root = ElementTree.parse(svg)
    outlines = {f"#{path.get('id')}": path.get("d") for path in root.iter(f"{SVG}path")}
    marks: dict[str, Drawn] = {}
    for use in root.iter(f"{SVG}use"):
        # Letters are uses as well, but have no style of their own.
        if style := use.get("style"):
            colours = [re.search(rf"{part}: (#\w+)", style)[1] for part in ("fill", "stroke")]
            mark = marks.setdefault(use.get(LINK), Drawn(outlines[use.get(LINK)], *colours, []))
            mark.places.append((float(use.get("x")), float(use.get("y"))))
    return list(marks.values())


def test_picture_has_every_mark_in_its_cell_and_in_the_legend(matplotlib, tmp_path):
    draw_grid(PAIR, PREDICTED, tmp_path / "a.svg")
    marks = marks_of(tmp_path / "a.svg")
    assert [len(mark.places) for mark in marks] == [2] * 5
    first = np.array(marks[0].places[0])
    cells = [((np.array(mark.places[0]) - first) / (0.3 * 72)).round(6)[::-1].tolist() for mark in marks]
    assert cells == [[0, 0], [1, 1], [2, 2], [2, 3], [0, 3]]
    assert len({mark.places[1][0] for mark in marks}) == 1


def test_marks_of_a_picture_differ_without_their_colours(matplotlib, tmp_path):
    draw_grid(PAIR, PREDICTED, tmp_path / "a.svg")
    marks = marks_of(tmp_path / "a.svg")
    assert len({(mark.outline, mark.fill == "#ffffff") for mark in marks}) == 5
    right, wrong = {marks[0].stroke, marks[2].stroke}, {marks[1].stroke, marks[4].stroke}
    assert len(right) == len(wrong) == 1 and right != wrong


def test_picture_of_the_gold_alignment_alone(matplotlib, tmp_path):
    draw_grid(PAIR, None, tmp_path / "a.svg")
    assert [len(mark.places) for mark in marks_of(tmp_path / "a.svg")] == [3, 3]
    assert {mark.fill for mark in marks_of(tmp_path / "a.svg")} == {"#ffffff"}


@pytest.mark.parametrize("words", [1, 4, 40])
def test_nothing_is_clipped_at_the_edges_of_a_picture(matplotlib, tmp_path, words):
    from matplotlib.image import imread

    target = ("constitutionnellement",) * words
    draw_grid(SentencePair(("incomprehensibilities",), target), set(), tmp_path / "a.png")
    pixels = imread(tmp_path / "a.png")[:, :, :3]
    assert (np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]]) == 1).all()
    assert pixels.min() < 0.1


@pytest.mark.long
def test_cells_of_an_endless_sentence_become_smaller(matplotlib, tmp_path):
    pair = SentencePair(("s",), ("t",) * 400, frozenset({(0, 0), (0, 399)}))
    draw_grid(pair, None, tmp_path / "a.svg")
    (first, _), (last, _) = marks_of(tmp_path / "a.svg")[0].places[:2]
    assert last - first == pytest.approx(40 * 72 * 399 / 400)


@pytest.mark.parametrize("name", ["a.png", "a.SVG"])
def test_picture_is_the_same_bytes_every_time_whatever_the_users_style(matplotlib, tmp_path, name):
    draw_grid(PAIR, PREDICTED, tmp_path / name)
    once = (tmp_path / name).read_bytes()
    assert once.startswith(b"\x89PNG" if name == "a.png" else b"<?xml")
    with matplotlib.rc_context({"axes.facecolor": "red", "font.size": 30, "svg.hashsalt": "mine"}):
        before = dict(matplotlib.rcParams)
        draw_grid(PAIR, PREDICTED, tmp_path / name)
        assert dict(matplotlib.rcParams) == before
    assert (tmp_path / name).read_bytes() == once
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert b"<dc:date>" not in once


def test_words_are_never_taken_for_formulas(matplotlib, tmp_path):
    draw_grid(SentencePair(("$\\frac$",), ("$x_{$",)), None, tmp_path / "a.png")
    assert (tmp_path / "a.png").exists()


@pytest.mark.parametrize("name", ["a.pdf", "a"])
def test_unknown_kind_of_picture(tmp_path, name):
    with pytest.raises(InputError) as caught:
        draw_grid(PAIR, PREDICTED, tmp_path / name)
    problem = f"unknown kind of picture '{Path(name).suffix}'"
    assert str(caught.value) == f"{tmp_path / name}: {problem} (known: .png, .svg)"
    assert not list(tmp_path.iterdir())


def test_matplotlib_that_is_not_installed_is_asked_for(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(InputError, match="drawing needs matplotlib") as caught:
        draw_grid(PAIR, PREDICTED, tmp_path / "a.png")
    assert caught.value.hint == 'pip install "advsp[plot]"'
    assert not list(tmp_path.iterdir())


def test_picture_that_cannot_be_written(matplotlib, tmp_path):
    (tmp_path / "a.png").mkdir()
    with pytest.raises(InputError, match="a.png: cannot be written: "):
        draw_grid(PAIR, PREDICTED, tmp_path / "a.png")
    assert [path.name for path in tmp_path.iterdir()] == ["a.png"]


def test_link_outside_the_pair_leaves_no_picture(matplotlib, tmp_path):
    with pytest.raises(ValueError, match="outside a sentence pair"):
        draw_grid(PAIR, {(3, 0)}, tmp_path / "a.png")
    assert not list(tmp_path.iterdir())
