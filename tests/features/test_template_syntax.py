"""Templates as CRF++ writes them: what they read, and what is said of those that cannot be read."""

from __future__ import annotations

import pytest

from advsp.features.template_syntax import OUTSIDE, column_template, of_transition, parse_template
from advsp.features.templates import Value
from advsp.support.errors import InputError

COLUMNS = ["pos", "chunk"]


@pytest.mark.parametrize(
    "text, values, name",
    [
        ("%x[0,0]", [("word", 0)], "%x[0,0]=a"),
        ("U05:%x[-1,0]/%x[0,1]", [("word", -1), ("pos", 0)], "U05:%x[-1,0]/%x[0,1]=U05:a/b"),
        ("B:%x[ 2 , chunk ]", [("chunk", 2)], "B:%x[ 2 , chunk ]=B:a"),
        ("100%x[0,word]%", [("word", 0)], "100%x[0,word]%=100a%"),
        ("%x[+1,2]", [("chunk", 1)], "%x[+1,2]=a"),
    ],
)
def test_a_template_says_what_it_reads_and_is_named_by_it(text, values, name):
    found = parse_template(text, COLUMNS)
    assert found.values == tuple(Value(column, offset, OUTSIDE) for column, offset in values)
    assert found.names(("a", "b")[: len(values)]) == (name,)


def test_templates_of_transitions_begin_as_in_crfpp():
    assert [of_transition(text) for text in ("B", "B01:%x[0,0]", "U01:%x[0,0]", "%x[0,0]")] == [
        True,
        True,
        False,
        False,
    ]


def test_a_column_is_a_template():
    assert column_template("pos", 1).names(("NN",)) == ("pos[1]=NN",)


@pytest.mark.parametrize(
    "text, problem",
    [
        ("word", "template 'word' reads nothing"),
        ("%x[0]", "template '%x[0]': expected %x[ROW,COLUMN]"),
        ("%x[0,0]%x", "expected %x[ROW,COLUMN]"),
        ("%x[a,0]", "found row 'a', expected a number from -20 to 20"),
        ("%x[21,0]", "found row '21'"),
        ("%x[0,3]", "the corpus has no column '3' (known: 0 or word, 1 or pos, 2 or chunk)"),
        ("%x[0,chnk]", "the corpus has no column 'chnk' (did you mean 'chunk'?)"),
    ],
)
def test_what_cannot_be_read_is_refused(text, problem):
    with pytest.raises(InputError) as caught:
        parse_template(text, COLUMNS)
    assert problem in str(caught.value)
