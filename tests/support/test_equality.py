"""Objects that hold arrays are equal if what they hold is, and there is no other kind of equality of them."""

from __future__ import annotations

import collections.abc
import dataclasses
import importlib
import pkgutil
import typing
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, get_args, get_origin, get_type_hints

import numpy as np
import pytest
from scipy.sparse import coo_array, csr_matrix, sparray, spmatrix

import advsp
from advsp.support.equality import equal_by_value


@equal_by_value
@dataclass(frozen=True)
class Held:
    """Something of every kind that is compared."""

    dense: np.ndarray = field(default_factory=lambda: np.array([1.0, 2.0]))
    sparse: csr_matrix = field(default_factory=lambda: csr_matrix([[1.0, 0.0]]))
    named: Mapping[str, np.ndarray] = field(default_factory=lambda: {"a": np.arange(2)})
    several: tuple[np.ndarray, ...] = field(default_factory=lambda: (np.arange(2), np.arange(3)))
    text: str = "tern"
    noted: np.ndarray = field(default_factory=lambda: np.arange(2), compare=False)


def test_equal_are_objects_of_equal_arrays_whatever_type_their_numbers_have():
    assert Held() == Held()
    assert Held(dense=np.array([1, 2]), sparse=coo_array([[1, 0]])) == Held()


def test_object_equals_itself_and_its_copy_with_entries_that_are_no_number():
    dense = np.array([np.nan, 1.0])
    held = Held(dense=dense)
    assert held == held  # noqa: PLR0124
    assert held == Held(dense=dense.copy())


@pytest.mark.parametrize(
    "changed",
    [
        {"dense": np.array([1.0, 3.0])},
        {"dense": np.array([1.0])},
        {"dense": np.array([[1.0, 2.0]])},
        {"dense": [1.0, 2.0]},
        {"dense": None},
        {"sparse": csr_matrix([[1.0, 1.0]])},
        {"sparse": csr_matrix([[1.0, 0.0, 0.0]])},
        {"sparse": np.array([[1.0, 0.0]])},
        {"named": {"a": np.arange(3)}},
        {"named": {"b": np.arange(2)}},
        {"named": {}},
        {"several": (np.arange(2), np.arange(2))},
        {"several": (np.arange(2),)},
        {"several": [np.arange(2), np.arange(3)]},
        {"text": "gull"},
    ],
    ids=str,
)
def test_objects_differ_if_one_field_does(changed):
    assert Held(**changed) != Held()
    assert Held() != Held(**changed)


def test_field_that_is_not_compared_makes_no_difference():
    assert Held(noted=np.arange(9)) == Held()


def test_objects_of_other_classes_differ():
    @equal_by_value
    @dataclass(frozen=True)
    class Other(Held):
        pass

    assert Other() != Held()
    assert Held() != "tern"


def test_objects_that_hold_arrays_have_no_hash():
    with pytest.raises(TypeError, match="unhashable"):
        hash(Held())


# --- everywhere in the package ---------------------------------------------------------------------


def dataclasses_of_package() -> dict[str, type]:
    """All dataclasses of the package by their names.  A module whose extra is not installed is left out."""
    found: dict[str, type] = {}
    for module in pkgutil.walk_packages(advsp.__path__, "advsp."):
        try:
            content = vars(importlib.import_module(module.name))
        except ModuleNotFoundError as error:
            assert not (error.name or "").startswith("advsp"), error
            continue
        found |= {
            name: member
            for name, member in content.items()
            if isinstance(member, type)
            and dataclasses.is_dataclass(member)
            and member.__module__ == module.name
        }
    return found


CLASSES = dataclasses_of_package()


def holds_arrays(kind: Any, within: tuple[type, ...] = ()) -> bool:
    """Whether values of a type hold arrays: in a container, or in the fields of a dataclass of ours."""
    if not isinstance(kind, type) or get_args(kind):
        parts = [part for part in get_args(kind) if not isinstance(part, list)]
        # Newer releases of numpy have names for types, and what they are names of.
        of = get_origin(kind)
        of = get_origin(getattr(of, "__value__", None)) or of
        return of is np.ndarray or any(holds_arrays(part, within) for part in parts)
    if issubclass(kind, (np.ndarray, sparray, spmatrix)):
        return True
    if not kind.__module__.startswith("advsp.") or kind in within:
        return False
    concrete = [one for one in CLASSES.values() if issubclass(one, kind)]
    return any(holds_arrays(hint, (*within, kind)) for one in concrete for hint in hints(one))


def hints(kind: type) -> list[Any]:
    """Types of the fields; what is imported for type checkers alone is looked for among what may be meant."""
    meant = {**vars(typing), **vars(collections.abc), "np": np, **CLASSES}
    found = get_type_hints(kind, localns=meant)
    return [found[one.name] for one in dataclasses.fields(kind)]


def test_no_dataclass_that_holds_arrays_compares_them_field_by_field():
    """They are compared by value, or, with ``eq=False``, are equal to themselves alone."""
    holding = {name: kind for name, kind in CLASSES.items() if holds_arrays(kind)}
    assert {"Mixture", "ChainInstances", "EdgeInstances", "Decoded", "View"} <= holding.keys()
    by_value = Held.__eq__.__code__
    wrong = [
        name
        for name, kind in holding.items()
        if kind.__eq__ is not object.__eq__ and kind.__eq__.__code__ is not by_value
    ]
    assert wrong == []
