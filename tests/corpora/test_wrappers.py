"""What stands around sentences: taken off where it is declared, refused where it is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from advsp.corpora.parallel_text import TextFiles, read_pairs
from advsp.corpora.wrappers import unwrapped
from advsp.support.errors import InputError

FILE = Path("text")
PLAIN = ["the house", "", "no  wind ."]
WRAPPED = {
    "sgml": [
        ["<s snum=0001> the house </s>", "<s snum=0002></s>", "<s snum=0003> no  wind . </s>"],
        ["<s>the house</s>", "<s> </s>", " <S>no  wind .</S> "],
        ['<seg id="1">the house</seg>', '<seg id="2"></seg>', '<seg id="3">no  wind .</seg>'],
    ],
    "numbered": [
        ["1 the house", "2", "3 no  wind ."],
        ["0001\tthe house", "0002\t", "0003\tno  wind ."],
        [" 7  the house", "9 ", "12 no  wind ."],
    ],
}
CASES = [(wrapper, lines) for wrapper, forms in WRAPPED.items() for lines in forms]
each = pytest.mark.parametrize("wrapper, lines", CASES)


def words(lines) -> list[list[str]]:
    return [line.split() for line in lines]


@each
def test_a_declared_wrapper_is_taken_off(wrapper, lines):
    assert words(unwrapped(lines, wrapper, FILE)) == words(PLAIN)


@each
def test_declared_to_be_none_lines_are_as_they_are(wrapper, lines):
    assert list(unwrapped(lines, "none", FILE)) == lines


@each
def test_undeclared_it_is_refused_with_the_key(wrapper, lines):
    with pytest.raises(InputError) as caught:
        list(unwrapped(lines, None, FILE))
    assert str(caught.value).startswith("text:1: every line ")
    assert f"wrapper: {wrapper} takes that off" in str(caught.value)


@pytest.mark.parametrize(
    "lines",
    [
        PLAIN,
        ["12 the house"],
        ["12 the house", "no wind"],
        ["2 gulls", "1 gull"],
        ["2 gulls", "2 terns"],
        ["1", "2", "3"],
        ["<s> the house </s>", "no wind"],
        ["<p> the house </p>", "<p> no wind </p>"],
        [],
    ],
)
def test_other_lines_are_text(lines):
    assert list(unwrapped(lines, None, FILE)) == lines


@pytest.mark.parametrize(
    "wrapper, line, expected",
    [("sgml", "the house", "<s> ... </s>"), ("numbered", "the house", "a number and")],
)
def test_a_line_without_the_declared_wrapper_is_refused(wrapper, line, expected):
    first = {"sgml": "<s> a </s>", "numbered": "1 a"}[wrapper]
    with pytest.raises(InputError) as caught:
        list(unwrapped([first, line], wrapper, FILE))
    assert f"text:2: found 'the house', expected {expected}" in str(caught.value)


@pytest.mark.parametrize("joint", [False, True])
def test_wrapped_text_is_read_and_refused(tmp_path, joint):
    sides = [["1 the house", "2 no wind"], ["1 la maison", "2 pas de vent"]]
    if joint:
        sides = [[f"{left} ||| {right[2:]}" for left, right in zip(*sides, strict=True)]]
    paths = []
    for number, lines in enumerate(sides):
        paths.append(tmp_path / str(number))
        paths[-1].write_text("\n".join(lines) + "\n")
    read = read_pairs(TextFiles(*paths, wrapper="numbered"))
    assert read == [(("the", "house"), ("la", "maison")), (("no", "wind"), ("pas", "de", "vent"))]
    with pytest.raises(InputError, match="every line begins with a number"):
        read_pairs(TextFiles(*paths))
