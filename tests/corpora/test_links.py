"""Link files: what is read, what is refused and where, and that what is written is read back."""

from __future__ import annotations

import gzip

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advsp.corpora.links import (
    BASES,
    NAACL,
    ORDERS,
    PHARAOH,
    Links,
    LinkStream,
    Notation,
    read_links,
    write_links,
)
from advsp.support.errors import InputError

#: Numbers of words of three pairs.
SHAPES = [(2, 3), (4, 2), (1, 1)]
NOTATIONS = [
    Notation(format, base, order) for format in ("naacl", "pharaoh") for base in BASES for order in ORDERS
]


def links(sure=(), possible=()) -> Links:
    return Links(frozenset(sure), frozenset(possible))


@pytest.fixture
def link_file(tmp_path):
    def write(content: str | bytes):
        path = tmp_path / "some.links"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


# ---- what is read


def test_naacl(link_file):
    path = link_file("1 1 1 S\n1 2 3 P\n3 1 1 S\n")
    assert read_links(path, SHAPES, NAACL) == [links([(0, 0)], [(1, 2)]), links(), links([(0, 0)])]


@pytest.mark.parametrize(
    ("line", "sure"),
    [
        ("2 4 1", True),
        ("2 4 1 S", True),
        ("2 4 1 P", False),
        ("2 4 1 0.7", True),
        ("2 4 1 S 1", True),
        ("2 4 1 P .25", False),
        ("2 4 1 P 3e-2", False),
        ("0002\t4  1 \tP ", False),
    ],
)
def test_naacl_fields_that_may_be_missing(link_file, line, sure):
    found = links([(3, 0)]) if sure else links((), [(3, 0)])
    assert read_links(link_file(f"{line}\r\n\r\n"), SHAPES, NAACL) == [links(), found, links()]


def test_naacl_pairs_may_stand_in_any_order_and_have_numbers_of_their_own(link_file):
    path = link_file("17 1 1 S\n0005 2 3 P\n17 1 1 P\n")
    assert read_links(path, SHAPES, NAACL, numbers=[5, 8, 17]) == [
        links((), [(1, 2)]),
        links(),
        links([(0, 0)]),
    ]


def test_pharaoh(link_file):
    path = link_file("0-0 1?2 0p1\n\n0-0\n")
    assert read_links(path, SHAPES, PHARAOH) == [
        links([(0, 0)], [(1, 2), (0, 1)]),
        links(),
        links([(0, 0)]),
    ]


def test_pharaoh_may_be_gzipped_with_any_line_end(link_file):
    path = link_file(gzip.compress(b" 0-0\t1-1 \r\n\r\n\r\n"))
    assert read_links(path, SHAPES, PHARAOH) == [links([(0, 0), (1, 1)]), links(), links()]


def test_files_without_any_link(link_file):
    assert read_links(link_file(""), SHAPES, NAACL) == [links()] * 3
    assert read_links(link_file("\n\n\n"), SHAPES, PHARAOH) == [links()] * 3
    assert read_links(link_file(""), [], PHARAOH) == []


@pytest.mark.parametrize(
    ("text", "notation"),
    [("1 1 2 S\n1 1 2 P\n1 1 2 P\n1 1 2 S\n1 2 2 P\n1 2 2 P\n", NAACL), ("0?1 0-1 0-1 1p1 1?1\n", PHARAOH)],
)
def test_links_that_stand_twice_are_one_and_sure_wins(link_file, text, notation):
    assert read_links(link_file(text), SHAPES[:1], notation) == [links([(0, 1)], [(1, 1)])]


@pytest.mark.parametrize(
    ("base", "order", "text"),
    [
        (0, "source-target", "1-2"),
        (1, "source-target", "2-3"),
        (0, "target-source", "2-1"),
        (1, "target-source", "3-2"),
    ],
)
def test_base_and_order_are_as_declared(link_file, base, order, text):
    path = link_file(f"{text}\n")
    assert read_links(path, SHAPES[:1], Notation("pharaoh", base, order)) == [links([(1, 2)])]
    path = link_file(f"1 {text.replace('-', ' ')}\n")
    assert read_links(path, SHAPES[:1], Notation("naacl", base, order)) == [links([(1, 2)])]


def test_sure_links_are_not_possible_too():
    assert links([(0, 0)], [(0, 0), (0, 1)]) == links([(0, 0)], [(0, 1)])


# ---- what is refused, and where


@pytest.mark.parametrize(
    "line",
    [
        "1 1",
        "1 1 1 Q",
        "1 1 1 s",
        "1 1 x S",
        "1 -1 1 S",
        "1 1 1 S high",
        "1 1 1 S 1 1",
        "a 1 1 S",
        "1-1",
        "1 ² 1",
    ],
)
def test_malformed_naacl_line(link_file, line):
    path = link_file(f"1 1 1 S\n{line}\n")
    with pytest.raises(InputError) as caught:
        read_links(path, SHAPES, NAACL)
    assert str(caught.value).startswith(f"{path}:2: found {line!r}, expected a link (a link a line: pair i j")


@pytest.mark.parametrize(
    "text", ["1", "1:1", "1-", "-1", "1-1-1", "1--1", "1+1", "1-1,", "1-1:x", "a-b", "1 -1"]
)
def test_malformed_pharaoh_link(link_file, text):
    path = link_file(f"0-0\n0-0 {text}\n\n")
    with pytest.raises(InputError) as caught:
        read_links(path, SHAPES, PHARAOH)
    assert str(caught.value).startswith(
        f"{path}:2: found {text.split()[0]!r}, expected a link (links apart by"
    )


@pytest.mark.parametrize(
    ("numbers", "number", "known"),
    [
        (None, 4, "1 to 3"),
        (None, 0, "1 to 3"),
        ([1001, 1002, 1003], 1, "1001 to 1003"),
        ([1, 2, 9], 3, "1 to 2, 9"),
    ],
)
def test_unknown_pair(link_file, numbers, number, known):
    path = link_file(f"\n{number} 1 1 S\n")
    with pytest.raises(InputError) as caught:
        read_links(path, SHAPES, NAACL, numbers=numbers)
    assert str(caught.value).startswith(
        f"{path}:2: unknown pair {number}, the pairs of the text are {known} ("
    )


def test_numbers_are_one_for_every_pair(link_file):
    path = link_file("")
    with pytest.raises(InputError, match="2 numbers are given for 3 pairs") as caught:
        read_links(path, SHAPES, NAACL, numbers=[1, 2])
    assert caught.value.file == path
    with pytest.raises(InputError, match="the number 7 is given to 2 pairs"):
        read_links(path, SHAPES, NAACL, numbers=[7, 1, 7])


@pytest.mark.parametrize(
    ("text", "lines", "line"), [("", 0, None), ("0-0\n\n", 2, 2), ("\n\n0-0\n\n\n", 5, 4)]
)
def test_pharaoh_has_a_line_for_every_pair(link_file, text, lines, line):
    path = link_file(text)
    with pytest.raises(InputError, match=f"found {lines} lines, the text has 3 pairs") as caught:
        read_links(path, SHAPES, PHARAOH)
    assert (caught.value.file, caught.value.line) == (path, line)


@pytest.mark.parametrize(
    ("text", "notation", "line", "link", "cause"),
    [
        pytest.param(
            "1 1 1 S\n2 4 1 S\n2 4 2 P\n",
            Notation("naacl", 0),
            2,
            "pair 2: link 4 1 lies outside its sentences of 4 source and 2 target words",
            "read with index base 0 and order source-target; all links fit base 1 and order source-target",
            id="counted from 1",
        ),
        pytest.param(
            "0-0 1-2\n3-1\n0-0\n",
            Notation("pharaoh", 1),
            1,
            "pair 1: link 0-0 lies outside its sentences of 2 source and 3 target words",
            "read with index base 1 and order source-target; all links fit base 0 and order source-target",
            id="counted from 0",
        ),
        pytest.param(
            "0-0 2?1\n1-3\n0-0\n",
            PHARAOH,
            1,
            "pair 1: link 2?1 lies outside its sentences of 2 source and 3 target words",
            "read with index base 0 and order source-target; all links fit base 0 and order target-source",
            id="sides swapped",
        ),
        pytest.param(
            "1-1 3-2\n2-4\n1-1\n",
            PHARAOH,
            1,
            "pair 1: link 3-2 lies outside its sentences of 2 source and 3 target words",
            "read with index base 0 and order source-target; all links fit base 1 and order target-source",
            id="both",
        ),
        pytest.param(
            "\n0-0 9-0\n\n",
            PHARAOH,
            2,
            "pair 2: link 9-0 lies outside its sentences of 4 source and 2 target words",
            "read with index base 0 and order source-target; no other base or order fits either; "
            "are these the links of this text?",
            id="links of another text",
        ),
        pytest.param(
            "1 1 1 S\n1 0 2 S\n1 2 3 S\n",
            NAACL,
            2,
            "pair 1: link 0 2 lies outside its sentences of 2 source and 3 target words",
            "read with index base 1 and order source-target; "
            "word 0 stands for none in some files: null: true leaves such links out",
            id="link to nothing",
        ),
    ],
)
def test_link_outside_its_sentences_names_the_likely_cause(link_file, text, notation, line, link, cause):
    path = link_file(text)
    with pytest.raises(InputError) as caught:
        read_links(path, SHAPES, notation)
    assert str(caught.value) == f"{path}:{line}: {link} ({cause})"


def test_pair_outside_is_called_by_its_own_number(link_file):
    with pytest.raises(InputError, match="pair 1002: link 5 1 lies outside"):
        read_links(link_file("1002 5 1 S\n"), SHAPES, NAACL, numbers=[1001, 1002, 1009])


@pytest.mark.parametrize(
    ("parts", "problem"),
    [
        (("giza", 0), "unknown format 'giza' of a link file"),
        (("naacl", 2), "unknown base 2 of a link file"),
        (("naacl", 1, "english-french"), "unknown order 'english-french' of a link file"),
    ],
)
def test_notation_that_does_not_exist(parts, problem):
    with pytest.raises(InputError, match=problem):
        Notation(*parts)


def test_file_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read_links(tmp_path / "nowhere", SHAPES, NAACL)


# ---- what is written


def test_written_form(tmp_path):
    found = [links([(1, 0), (0, 2)], [(0, 1)]), links()]
    write_links(tmp_path / "a", found, NAACL)
    assert (tmp_path / "a").read_text() == "1 1 2 P\n1 1 3 S\n1 2 1 S\n"
    write_links(tmp_path / "a", found, PHARAOH)
    assert (tmp_path / "a").read_text() == "0?1 0-2 1-0\n\n"
    write_links(tmp_path / "a", found, Notation("pharaoh", 1, "target-source"))
    assert (tmp_path / "a").read_text() == "2?1 3-1 1-2\n\n"


def test_writing_that_fails_leaves_the_file_before(tmp_path):
    def broken():
        yield links([(0, 0)])
        raise RuntimeError

    path = tmp_path / "a"
    path.write_text("before")
    with pytest.raises(RuntimeError):
        write_links(path, broken(), NAACL)
    assert [file.name for file in tmp_path.iterdir()] == ["a"]
    assert path.read_text() == "before"


@st.composite
def linked(draw):
    """Shapes of some pairs, and links between their words."""
    shapes = draw(st.lists(st.tuples(st.integers(1, 12), st.integers(1, 12)), max_size=6))
    found = []
    for source, target in shapes:
        some = st.frozensets(st.tuples(st.integers(0, source - 1), st.integers(0, target - 1)), max_size=8)
        found.append(Links(draw(some), draw(some)))
    return shapes, found


@pytest.mark.parametrize("notation", NOTATIONS, ids=str)
# Every file is synced to the disk, which may take its time.
@settings(max_examples=25, deadline=None)
@given(linked=linked())
def test_what_is_written_is_read_back(tmp_path_factory, notation, linked):
    shapes, found = linked
    path = tmp_path_factory.getbasetemp() / "round-trip.links"
    write_links(path, found, notation)
    assert read_links(path, shapes, notation) == found


def test_links_of_no_word_are_left_out_where_that_is_declared(link_file):
    path = link_file("1 0 1 S\n1 1 1 S\n1 2 3 S\n2 1 0 P\n")
    found = read_links(path, SHAPES, Notation("naacl", 1, null=True))
    assert [links.sure | links.possible for links in found] == [{(0, 0), (1, 2)}, set(), set()]
    with pytest.raises(
        InputError, match="word 0 stands for none in some files: null: true leaves such links out"
    ):
        read_links(path, SHAPES, NAACL)
    stream = LinkStream(link_file("0-1 1-1\n\n\n"), Notation("pharaoh", 1, null=True))
    assert stream.take(SHAPES) == [{(0, 0)}, set(), set()]
    # Counted from 0 it is the first word.
    assert read_links(link_file("0-1\n\n\n"), SHAPES, Notation("pharaoh", 0, null=True))[0].sure == {(0, 1)}


@pytest.mark.parametrize(
    "form, content", [("pharaoh", "0-0 1-1\n\n0-0\n"), ("naacl", "1 1 1\n1 2 2 S 0.5\n3 1 1\n")]
)
def test_a_stream_gives_what_is_read_at_once(link_file, form, content):
    notation = {"pharaoh": PHARAOH, "naacl": NAACL}[form]
    path = link_file(content)
    whole = [links.sure for links in read_links(path, SHAPES, notation)]
    for size in (1, 2, 3):
        stream = LinkStream(path, notation)
        parts = [stream.take(SHAPES[start : start + size]) for start in range(0, 3, size)]
        stream.finish()
        assert [links for part in parts for links in part] == whole


def test_links_of_a_stream_stand_in_the_order_of_their_pairs(link_file):
    with pytest.raises(InputError, match=":2: pair 1 stands behind pair 2"):
        LinkStream(link_file("2 1 1\n1 1 1\n"), NAACL).take(SHAPES)
    with pytest.raises(InputError, match="goes on behind the 1 pair of the text"):
        stream = LinkStream(link_file("1 1 1\n2 1 1\n"), NAACL)
        stream.take(SHAPES[:1])
        stream.finish()
