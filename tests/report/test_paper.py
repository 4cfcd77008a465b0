"""The paper's numbers: which one stands beside which system, and files that hold none."""

from __future__ import annotations

import pytest
from places import ROOT

from advsp.report.paper import printed_number, read_paper
from advsp.support.errors import InputError

PRINTED = {"hansards": {"test": {"ADV_aer": {"all": 6.5}, "SSVM": {"all": 7.1}, "SSVM [m]": {"all": 7.0}}}}


@pytest.mark.parametrize(
    ("system", "number"),
    [
        ("ADV_aer", 6.5),
        ("ADV_aer [taskar, label]", 6.5),
        ("ADV_aer+published", 6.5),
        ("ADV_aer [taskar, label]+threshold", None),
        ("ADV_aer+average", None),
        ("SSVM [m]", 7.0),
        ("SSVM [other]", 7.1),
        ("CRF", None),
    ],
)
def test_number_stands_beside_its_system_and_its_variants_in_brackets(system, number):
    assert printed_number(PRINTED, "hansards", "test", "all", system) == number


@pytest.mark.parametrize(
    "place", [("conll_300", "test", "all"), ("hansards", "valid", "all"), ("hansards", "test", "PER")]
)
def test_other_corpora_splits_and_classes_have_no_number(place):
    assert printed_number(PRINTED, *place, "ADV_aer") is None


@pytest.mark.parametrize("text", ["table3: [1, 2]\n", "7\n", "table3: {conll_300: {testa: {CRF: 17.88}}}\n"])
def test_file_that_is_not_ordered_so_is_named(tmp_path, text):
    path = tmp_path / "paper.yaml"
    path.write_text(text)
    with pytest.raises(InputError) as raised:
        read_paper(path)
    assert str(raised.value) == f"{path}: expected sections table, corpus, split, system, class"


def test_committed_numbers_are_those_of_two_tables():
    printed = read_paper(ROOT / "results/paper.yaml")
    assert set(printed) == {"table2", "table3"}
    assert printed_number(printed["table3"], "conll_300", "testa", "PER", "CRF") == 17.88
