"""Registries find what a package offers, and know what was meant by a wrong name."""

from __future__ import annotations

import sys

import pytest

from advsp.aligners import programs
from advsp.engine.lp import solvers
from advsp.engine.measures import measures
from advsp.engine.oracles import oracles
from advsp.engine.structures import structures
from advsp.support.errors import InputError
from advsp.support.registry import Registry
from advsp.training.optimisers import optimisers

REGISTRIES = {
    "aligner program": programs,
    "LP solver": solvers,
    "measure": measures,
    "oracle": oracles,
    "structure": structures,
    "optimiser": optimisers,
}


@pytest.fixture
def fruit(tmp_path, monkeypatch) -> Registry:
    """A registry over a package of two modules, imported on first use."""
    package = tmp_path / "fruit_for_tests"
    package.mkdir()
    (package / "__init__.py").write_text(
        "from advsp.support.registry import Registry\nfruit = Registry('fruit', 'fruit_for_tests')\n"
    )
    for module, name in (("b_pear", "pear"), ("a_apple", "apple")):
        (package / f"{module}.py").write_text(
            "from fruit_for_tests import fruit\n\n"
            f"@fruit.register({name!r})\nclass Fruit:\n    name = {name!r}\n"
        )
    monkeypatch.syspath_prepend(tmp_path)
    yield __import__("fruit_for_tests").fruit
    for module in [m for m in sys.modules if m.startswith("fruit_for_tests")]:
        del sys.modules[module]


def test_adding_a_file_is_all_it_takes(fruit):
    assert fruit.names() == ["apple", "pear"]
    assert fruit.get("pear").name == "pear"


def test_modules_are_imported_on_first_use_only(fruit):
    assert "fruit_for_tests.a_apple" not in sys.modules
    fruit.names()
    assert "fruit_for_tests.a_apple" in sys.modules


def test_iterating_gives_the_sorted_names(fruit):
    assert list(fruit) == ["apple", "pear"]


def test_misspelt_name_is_answered_with_the_nearest(fruit):
    with pytest.raises(InputError, match=r"unknown fruit 'aple' \(did you mean 'apple'\?\)"):
        fruit.get("aple")


def test_name_that_resembles_nothing_is_answered_with_all_there_are(fruit):
    with pytest.raises(InputError, match=r"unknown fruit 'xyz' \(known: apple, pear\)"):
        fruit.get("xyz")


def test_name_taken_twice_is_a_defect_of_the_program(fruit):
    fruit.names()
    with pytest.raises(ValueError, match="fruit 'apple' is registered twice"):
        fruit.register("apple")(object)


def test_member_knows_its_name_and_nothing_else_has_one(fruit):
    assert [fruit.name_of(fruit.get(name)) for name in fruit] == ["apple", "pear"]
    with pytest.raises(ValueError, match="not registered as fruit"):
        fruit.name_of(object)


@pytest.mark.parametrize("kind", REGISTRIES)
def test_every_registry_of_the_package_knows_its_kind_and_names_the_nearest(kind):
    registry = REGISTRIES[kind]
    for name in registry:
        with pytest.raises(InputError) as raised:
            registry.get(name + "x")
        assert str(raised.value) == f"unknown {kind} '{name}x' (did you mean '{name}'?)"


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("LP solver", {"highs", "linprog", "pulp-cbc"}),
        ("measure", {"additive", "aer", "fbeta"}),
        ("oracle", {"approximate-compiled", "approximate-numpy", "compiled", "numpy", "reference"}),
        ("structure", {"chain", "independent", "matching"}),
        ("optimiser", {"adadelta", "adagrad", "bcfw", "lbfgs"}),
    ],
)
def test_names_that_configurations_rely_on_are_registered(kind, names):
    assert names <= set(REGISTRIES[kind])
