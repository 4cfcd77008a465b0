"""YAML as a person means it."""

from __future__ import annotations

import math

import pytest

from advsp.support.errors import InputError
from advsp.support.yaml_source import parse_value, read_yaml


@pytest.fixture
def read(tmp_path, monkeypatch):
    """Read a YAML text from the file ``given.yaml``."""
    monkeypatch.chdir(tmp_path)

    def from_text(text: str | bytes):
        (tmp_path / "given.yaml").write_bytes(text.encode() if isinstance(text, str) else text)
        return read_yaml("given.yaml")

    return from_text


@pytest.fixture
def complaint(read):
    """What is said about a YAML text that cannot be read."""

    def about(text: str | bytes) -> str:
        with pytest.raises(InputError) as raised:
            read(text)
        return str(raised.value)

    return about


# --- values -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1e-3", 0.001),
        ("1E5", 100_000.0),
        ("1e+2", 100.0),
        ("-2.5e-3", -0.0025),
        ("+0.5", 0.5),
        ("0.1", 0.1),
        (".5", 0.5),
        ("-.5e1", -5.0),
        ("1.", 1.0),
        ("7", 7),
        ("-7", -7),
        ("0", 0),
        (".inf", math.inf),
        ("-.Inf", -math.inf),
    ],
)
def test_what_looks_like_a_number_is_one(read, text, number):
    for value in (read(f"key: {text}").value["key"], read(f"[{text}]").value[0], parse_value(text)):
        assert value == number
        assert type(value) is type(number)


@pytest.mark.parametrize(
    "text",
    [
        "1e",
        "e5",
        ".",
        "--",
        "1.2.3",
        "1e-3x",
        "1e-3 s",
        ".e5",
        "0.1.",
        "1_000",
        "2024_01_05",
        "inf",
        "nan",
        ".nan",
    ],
)
def test_what_only_begins_like_a_number_is_text(read, text):
    assert read(f"key: {text}").value == {"key": text}
    assert parse_value(text) == text


@pytest.mark.parametrize("text", ["'1e-3'", '"7"', '"true"'])
def test_what_is_quoted_is_text(text):
    assert parse_value(text) == text[1:-1]


@pytest.mark.parametrize(
    ("text", "value"), [("true", True), ("false", False), ("null", None), ("~", None), ("", None)]
)
def test_truth_values_and_nothing_are_what_they_say(text, value):
    assert parse_value(text) is value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param("NO", "NO", id="a class of Norwegian names is not false"),
        pytest.param("on", "on", id="on is a word"),
        pytest.param("010", 10, id="ten is not eight"),
        pytest.param("1:30", "1:30", id="a ratio is not ninety"),
        pytest.param("2031-07-09", "2031-07-09", id="a run may be named by its day"),
    ],
)
def test_words_and_whole_numbers_are_those_of_yaml_1_2(text, value):
    assert parse_value(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("my data/tiny corpus", "my data/tiny corpus"),
        ("[a, 1, 1e-3]", ["a", 1, 0.001]),
        ("{a: {b: [1]}}", {"a": {"b": [1]}}),
        ("a=b", "a=b"),
    ],
)
def test_command_line_takes_text_lists_and_mappings(text, value):
    assert parse_value(text) == value


@pytest.mark.parametrize("text", ["[1, 2", "{a: 1", "a: b: c", "'open", "!!python/name:os.system x"])
def test_command_line_names_the_value_that_is_not_yaml(text):
    with pytest.raises(InputError) as raised:
        parse_value(text)
    message = str(raised.value)
    assert message.startswith(f"the value {text!r} is not YAML: ")
    assert "\n" not in message


# --- lines --------------------------------------------------------------------------------------

DOCUMENT = """\
# a comment
name: tiny
optimiser:
  name: adagrad

  tolerance: {start: 0.1,
              floor: 0.01}
classes:
  - PER
  - LOC
"""


@pytest.mark.parametrize(
    ("place", "line"),
    [
        (("name",), 2),
        (("optimiser",), 3),
        (("optimiser", "name"), 4),
        (("optimiser", "tolerance", "start"), 6),
        (("optimiser", "tolerance", "floor"), 7),
        (("classes", 0), 9),
        (("classes", 1), 10),
    ],
)
def test_every_key_and_item_knows_its_line(read, place, line):
    assert read(DOCUMENT).line(place) == line


def test_line_of_what_is_not_there_is_that_of_the_innermost_part_that_is(read):
    source = read(DOCUMENT)
    assert source.line(("optimiser", "tolerance", "decay")) == 6
    assert source.line(("optimiser", "step", "size")) == 3
    assert source.line(("workers",)) is None
    assert source.line(()) is None


def test_empty_document_holds_nothing(read):
    source = read("# nothing but this\n")
    assert source.value is None
    assert source.lines == {}


# --- keys that stand twice ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(
            "a: 1\nb: 2\na: 3\n", "given.yaml:3: a: the key stands twice, first on line 1", id="at the top"
        ),
        pytest.param(
            "a:\n  b:\n    c: 1\n    d: 2\n    c: 3\n",
            "given.yaml:5: a.b.c: the key stands twice, first on line 3",
            id="in a block",
        ),
        pytest.param(
            "a: {b: 1,\n    b: 2}\n",
            "given.yaml:2: a.b: the key stands twice, first on line 1",
            id="in braces",
        ),
        pytest.param(
            "a:\n- b: 1\n- b: 1\n  c: 2\n  b: 3\n",
            "given.yaml:5: a.1.b: the key stands twice, first on line 3",
            id="in a list",
        ),
        pytest.param(
            "a: 1\n'a': 2\n", "given.yaml:2: a: the key stands twice, first on line 1", id="quoted or not"
        ),
    ],
)
def test_key_that_stands_twice_is_refused_with_both_lines(complaint, text, said):
    assert complaint(text) == f"{said} (keep one of them)"


def test_same_key_in_two_places_is_none_of_that(read):
    assert read("a: {c: 1}\nb: {c: 2}\nc: 3\n").value == {"a": {"c": 1}, "b": {"c": 2}, "c": 3}


def test_key_that_stands_twice_is_refused_on_the_command_line_too():
    with pytest.raises(InputError, match="twice"):
        parse_value("{name: tiny, path: here, path: there}")


# --- what cannot be read --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: 1\n  b: 2\n", "given.yaml:2: not YAML: mapping values are not allowed here"),
        ("a: [1, 2\nb: 3\n", "given.yaml:2: not YAML: "),
        ("a: 'open\n", "given.yaml:2: not YAML: found unexpected end of stream"),
        ("a:\n\tb: 1\n", "given.yaml:2: not YAML: found character '\\t' that cannot start any token"),
        ("a: 1\n---\nb: 2\n", "given.yaml:2: not YAML: but found another document"),
        ("a: *b\n", "given.yaml:1: not YAML: found undefined alias 'b'"),
        ("a: !!python/name:os.system x\n", "given.yaml:1: not YAML: could not determine a constructor"),
        (b"a: caf\xe9\n", "given.yaml: byte 6 is not UTF-8"),
    ],
)
def test_text_that_is_not_yaml_is_refused_with_its_line(complaint, text, said):
    message = complaint(text)
    assert message.startswith(said)
    assert "\n" not in message


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("name: tiny\x07\n", id="a control character"),
        pytest.param("name: {{ name }}\n", id="a template not filled in"),
        pytest.param("a: &a [*a]\n", id="a list that holds itself"),
    ],
)
def test_odd_text_is_refused_as_well(complaint, text):
    assert complaint(text).startswith("given.yaml")


def test_missing_file_and_folder_are_told_apart(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=r"^nowhere\.yaml: no such file$"):
        read_yaml("nowhere.yaml")
    with pytest.raises(InputError, match=r"^\.: is a folder, expected a YAML file$"):
        read_yaml(".")


@pytest.mark.parametrize("text", ["a: 1\r\nb: 1e-3\r\n", "\ufeffa: 1\nb: 1e-3\n"])
def test_line_ends_and_byte_order_mark_do_not_matter(read, text):
    source = read(text)
    assert source.value == {"a": 1, "b": 0.001}
    assert source.line(("b",)) == 2


def test_keys_of_another_mapping_are_merged(read):
    source = read("base: &base {a: 1, b: 2}\nown:\n  <<: *base\n  b: 3\nboth:\n  <<: [*base, {c: 4}]\n")
    assert source.value["own"] == {"a": 1, "b": 3}
    assert source.value["both"] == {"a": 1, "b": 2, "c": 4}
    assert source.line(("own", "a")) == 1
    assert source.line(("own", "b")) == 4


def test_what_is_no_text_is_remembered_as_it_is_written(read):
    source = read("a: ~\nb: 1e999\nc: '7'\nd: [yes, 0x10]\n")
    assert source.written == {("a",): "~", ("b",): "1e999", ("d", 0): "yes", ("d", 1): "0x10"}
