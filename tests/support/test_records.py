"""JSON files of ours: what is in them comes back, what is missing or of another kind is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from advsp.support.errors import InputError
from advsp.support.records import Fields, read_json, read_json_lines

FILE = Path("record.json")


@pytest.mark.parametrize(
    ("content", "said"), [(b"{", "not JSON: "), (b"\xff", "not JSON: "), (None, "no such file")]
)
def test_json_that_cannot_be_read_is_named(tmp_path, content, said):
    path = tmp_path / "value.json"
    if content is not None:
        path.write_bytes(content)
    for read in (read_json, read_json_lines, Fields.of_file):
        with pytest.raises(InputError) as raised:
            read(path)
        assert str(raised.value).startswith(f"{path}:")
        assert said in str(raised.value)


def test_folder_in_place_of_json_is_named(tmp_path):
    with pytest.raises(InputError, match="cannot be read: ") as raised:
        read_json(tmp_path)
    assert raised.value.file == tmp_path


def test_json_is_read_as_it_is(tmp_path):
    value = {"b": [1, 0.1, None], "a": "Tromsø"}
    (tmp_path / "value.json").write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    assert read_json(tmp_path / "value.json") == value


def test_line_that_is_not_json_is_named(tmp_path):
    path = tmp_path / "lines.jsonl"
    path.write_text('{"a": 1}\n[2]\n')
    assert read_json_lines(path) == [{"a": 1}, [2]]
    path.write_text('{"a": 1}\n[2\n')
    with pytest.raises(InputError) as raised:
        read_json_lines(path)
    assert str(raised.value).startswith(f"{path}:2: not JSON: ")


# --- fields ---------------------------------------------------------------------------------------

WHOLE = {
    "text": "a",
    "whole": 2,
    "number": 0.5,
    "nothing": None,
    "texts": ["a", "b"],
    "wholes": [1, 2],
    "numbers": [0.5, 1.0],
    "rows": [[1], [2, 3]],
    "inner": {"x": 0.5, "y": 1.5},
    "names": {"x": "a"},
    "each": [{"n": 1}, {"n": 2}],
    "objects": {"x": {"n": 1}},
}


def test_fields_come_back_as_they_are():
    fields = Fields(WHOLE, FILE)
    assert (fields.text("text"), fields.whole("whole"), fields.number("number")) == ("a", 2, 0.5)
    assert (fields.number_or_none("nothing"), fields.number_or_none("number")) == (None, 0.5)
    assert (fields.texts("texts"), fields.pair_of_texts("texts")) == (("a", "b"), ("a", "b"))
    assert (fields.wholes("wholes"), fields.numbers("numbers")) == ((1, 2), (0.5, 1.0))
    assert fields.rows_of_wholes("rows") == ((1,), (2, 3))
    assert fields.fields("inner").all_numbers() == {"x": 0.5, "y": 1.5}
    assert fields.fields("names").all_texts() == {"x": "a"}
    assert [inner.whole("n") for inner in fields.each("each")] == [1, 2]
    assert {key: inner.whole("n") for key, inner in fields.fields("objects").all_fields().items()} == {"x": 1}
    assert fields.one_of("text", ("b", "a")) == "a"
    assert fields.value("rows") == [[1], [2, 3]]
    assert fields.values() == WHOLE
    assert "text" in fields and "other" not in fields
    fields.only(WHOLE)


def refusal(read, hint: str | None = None) -> str:
    """What is said of the fields above."""
    with pytest.raises(InputError) as raised:
        read(Fields(WHOLE, FILE, hint))
    return str(raised.value)


@pytest.mark.parametrize(
    ("read", "said"),
    [
        (lambda f: f.text("other"), "other: is missing"),
        (lambda f: f.text("whole"), "whole: found 2, expected text"),
        (lambda f: f.whole("number"), "number: found 0.5, expected a whole number"),
        (lambda f: f.number("whole"), "whole: found 2, expected a number with a decimal point"),
        (lambda f: f.number_or_none("other"), "other: is missing"),
        (lambda f: f.numbers("wholes"), "wholes.0: found 1, expected a number with a decimal point"),
        (lambda f: f.texts("text"), "text: found 'a', expected a list"),
        (lambda f: f.pair_of_texts("numbers"), "numbers.0: found 0.5, expected text"),
        (lambda f: f.rows_of_wholes("wholes"), "wholes.0: found 1, expected a list"),
        (lambda f: f.rows_of_wholes("each"), "each.0: found {'n': 1}, expected a list"),
        (lambda f: f.fields("text"), "text: found 'a', expected an object"),
        (lambda f: f.fields("inner").text("z"), "inner.z: is missing"),
        (lambda f: f.fields("inner").all_texts(), "inner.x: found 0.5, expected text"),
        (lambda f: f.each("each")[1].text("n"), "each.1.n: found 2, expected text"),
        (lambda f: f.each("wholes"), "wholes.0: found 1, expected an object"),
        (lambda f: f.one_of("text", ("b", "c")), "text: found 'a', expected one of b, c"),
        (lambda f: f.fields("inner").only(["x"]), "inner.y: unknown field"),
    ],
)
def test_what_is_missing_or_of_another_kind_is_named_with_its_place(read, said):
    assert refusal(read) == f"{FILE}: {said}"
    assert refusal(read, "mend it") == f"{FILE}: {said} (mend it)"


@pytest.mark.parametrize("key", ["whole", "number", "text"])
def test_truth_is_no_number(key):
    with pytest.raises(InputError, match="found True, expected "):
        getattr(Fields({"x": True}, FILE), key)("x")


def test_pair_has_two_parts():
    with pytest.raises(InputError, match="expected two of them"):
        Fields({"x": ["a", "b", "c"]}, FILE).pair_of_texts("x")


@pytest.mark.parametrize("value", [[], 7, None, "text"])
def test_what_is_no_object_has_no_fields(value):
    with pytest.raises(InputError, match="expected an object"):
        Fields(value, FILE)


def test_long_value_is_cut_short():
    with pytest.raises(InputError) as raised:
        Fields({"x": list(range(1000))}, FILE).text("x")
    assert len(str(raised.value)) < 100
