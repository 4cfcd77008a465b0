"""Posteriors of a whole text: where they stand, links that are read at once, files that are mapped."""

from __future__ import annotations

import numpy as np
import pytest

from advsp.corpora.links import PHARAOH, Notation, read_links
from advsp.corpora.text_posteriors import Cells, TextPosteriors, read_text_links
from advsp.support.errors import InputError

SHAPES = [(2, 3), (1, 1), (2, 3), (3, 1)]
SOURCE, TARGET = np.array(SHAPES).T
HINT = "prepare it again"


def test_grids_stand_one_after_the_other_row_by_row():
    cells = Cells(SOURCE, TARGET)
    assert (len(cells), cells.ends.tolist()) == (16, [0, 6, 7, 13, 16])
    assert cells.of(np.array([0, 2])).tolist() == [
        [[0, 7], [1, 8], [2, 9]],
        [[3, 10], [4, 11], [5, 12]],
    ]
    assert cells.places(np.array([0, 2, 3]), np.array([1, 0, 2]), np.array([2, 1, 0])).tolist() == [5, 8, 15]


@pytest.fixture
def write(tmp_path):
    def files(forward: str, reverse: str = "\n\n\n\n"):
        for name, text in (("forward", forward), ("reverse", reverse)):
            (tmp_path / name).write_text(text)
        return {"forward": tmp_path / "forward", "reverse": tmp_path / "reverse"}

    return files


NOTATIONS = [
    Notation("pharaoh", base, order) for base in (0, 1) for order in ("source-target", "target-source")
]


@pytest.mark.parametrize("notation", NOTATIONS, ids=str)
def test_links_are_those_that_are_read_one_by_one(write, notation):
    lines = []
    for pair in ([(0, 0), (1, 2)], [], [(1, 0), (0, 1), (1, 0)], [(2, 0)]):
        lines.append(" ".join("-".join(map(str, notation.numbers(link))) for link in pair))
    files = write("\n".join(lines) + "\n")
    found = read_text_links(**files, shapes=SHAPES, notation=notation)
    grids = np.split(found.forward, Cells(SOURCE, TARGET).ends[1:-1])
    for grid, shape, links in zip(grids, SHAPES, read_links(files["forward"], SHAPES, notation), strict=True):
        assert {tuple(link) for link in np.argwhere(grid.reshape(shape))} == links.sure
    assert not found.reverse.any()
    assert found.forward.dtype == np.uint8


def test_links_of_another_format_are_read_too(write):
    found = read_text_links(**write("1 1 1 S\n3 2 3\n", ""), shapes=SHAPES, notation=Notation("naacl", 1))
    assert np.flatnonzero(found.forward).tolist() == [0, 12]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("0-0\n\n\n", "found 3 lines, the text has 4 pairs"),
        ("0-0\n\n0-3\n\n", "pair 3: link 0-3 lies outside its sentences of 2 source and 3 target words"),
        ("0-0 1\n\n\n\n", "found '1', expected a link"),
        ("0-0-1\n\n\n\n", "found '0-0-1', expected a link"),
        ("0- 0\n\n\n\n", "found '0-', expected a link"),
        ("0?0\n\n\n\n", "pair 1 has links that are marked possible"),
        (f"{10**30}-0\n\n\n\n", "lies outside its sentences"),
    ],
)
def test_what_is_wrong_is_said_as_ever(write, text, problem):
    with pytest.raises(InputError) as caught:
        read_text_links(**write(text), shapes=SHAPES, notation=PHARAOH)
    assert problem in caught.value.problem
    assert caught.value.file.name == "forward"


def test_what_is_saved_is_mapped_and_the_same(tmp_path):
    drawn = np.random.default_rng(1).random((2, 16)).astype(np.float16)
    files = tmp_path / "forward.npy", tmp_path / "reverse.npy"
    TextPosteriors(*drawn).save(*files)
    found = TextPosteriors.load(*files, hint=HINT)
    assert isinstance(found.forward, np.memmap)
    for side, expected in zip(found.take(np.array([[3, 0], [15, 7]])), drawn, strict=True):
        assert side.dtype == np.float32
        np.testing.assert_array_equal(side, expected[[[3, 0], [15, 7]]].astype(np.float32))


@pytest.mark.parametrize("damage", [b"", b"PK", b"\x93NUMPY\x01\x00v\x00{'descr': '|O'", None])
def test_files_that_are_something_else(tmp_path, damage):
    files = tmp_path / "forward.npy", tmp_path / "reverse.npy"
    TextPosteriors(np.zeros(3, np.uint8), np.zeros(3, np.uint8)).save(*files)
    if damage is None:
        files[1].unlink()
    else:
        files[1].write_bytes(damage)
    with pytest.raises(InputError) as caught:
        TextPosteriors.load(*files, hint=HINT)
    assert (caught.value.file, caught.value.hint) == (files[1], HINT)


@pytest.mark.parametrize(
    ("forward", "reverse"),
    [
        (np.zeros(3), np.zeros(3)),
        (np.zeros(3, np.uint8), np.zeros(4, np.uint8)),
        (np.zeros((1, 3), np.uint8),) * 2,
    ],
)
def test_arrays_that_are_no_posteriors(forward, reverse):
    with pytest.raises(ValueError, match="two arrays of one length"):
        TextPosteriors(forward, reverse)
