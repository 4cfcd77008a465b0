"""The plan of a cluster: arithmetic on figures that are given, and measuring them in small."""

from __future__ import annotations

import dataclasses

import plan_cluster
import pytest
from plan_cluster import BEGIN, END, Cluster, Measured, main, memory_gb, network_gb, seconds
from training.toy import toy_instances

from advsp.training.instance_files import save_instances

#: A thousand bytes of each kind, a millisecond of each kind.
ONE = Measured(10.0, 2, 1000.0, 100.0, 1000.0, 1000.0, 1.0, 1.0, 1.0)
#: A million sentences on each of eight machines of ten processes; a vector of weights is a gigabyte.
ON = Cluster(
    sentences=8 * 10**6, weights=125 * 10**6, machines=8, processes=10, memory_gb=64.0, network_gbit=8.0,
    local_gb=1.0, disk_gb=1.0, task_ms=1.0,
)  # fmt: skip


def test_memory_is_that_of_the_sentences_and_of_every_process():
    assert memory_gb(ONE, ON) == pytest.approx(
        {
            "features and labels": 1.0,
            "strategies": 1.0,
            "potentials and moments": 1.0,
            "weights and gradients": 40.0,
        }
    )


def test_network_carries_a_vector_to_and_from_every_machine():
    found = network_gb(ON)
    assert found["weights, all machines together"] == pytest.approx(7.0)
    assert found["gradients, all machines together"] == pytest.approx(7.0)
    assert found["busiest link of a machine"] == pytest.approx(7.0)  # one addition of eight


def test_time_is_that_of_one_shard_and_of_every_vector_on_its_way():
    found = seconds(ONE, ON)
    assert found["games"] == pytest.approx(100.0 * 2)  # 100,000 sentences a process
    assert found["potentials and gradients"] == pytest.approx(100.0)
    assert found["weights to the machines"] == pytest.approx(3 * 2 + 2)  # three levels, and the file
    assert found["weights to the processes of a machine"] == pytest.approx(9.0)
    assert found["gradients of all machines"] == pytest.approx(7.0)


def test_one_machine_needs_no_network():
    alone = dataclasses.replace(ON, machines=1)
    assert set(network_gb(alone).values()) == {0.0}
    assert seconds(ONE, alone)["gradients of all machines"] == 0.0
    assert seconds(ONE, alone)["weights to the machines"] == pytest.approx(2.0)


@pytest.fixture
def measured(monkeypatch):
    """Nothing is measured."""
    monkeypatch.setattr(plan_cluster, "measure", lambda instances: ONE)


def test_plan_goes_where_the_page_has_a_place_for_it(measured, tmp_path, capsys):
    page = tmp_path / "page.md"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n")
    assert main(["--write", str(page), "--game-ms", "0.5", "--machines", "3"]) == 0
    shown = capsys.readouterr().out
    text = page.read_text()
    assert text.startswith(f"before\n{BEGIN}\n```\n$ python scripts/plan_cluster.py --write")
    assert text.endswith(f"{END}\nafter\n")
    assert "old" not in text
    assert "| one game | 0.5 ms | given |" in text
    assert "| potentials and gradient | 1 ms | measured |" in text
    assert "3 machines" in text
    assert shown.strip() in text
    assert "**This does not fit**" in text


def test_page_without_a_place_and_other_instances_are_refused(measured, tmp_path, capsys):
    page = tmp_path / "page.md"
    page.write_text("nothing here")
    assert main(["--write", str(page)]) == 2
    assert "has no place for the plan" in capsys.readouterr().err
    assert main(["--instances", str(tmp_path / "none.npz")]) == 2
    assert page.read_text() == "nothing here"


def test_figures_of_a_run_are_measured(tmp_path, capsys):
    path = tmp_path / "train.npz"
    save_instances(path, toy_instances())
    assert main(["--instances", str(path)]) == 0
    assert "| games, one a class | 2 | measured |" in capsys.readouterr().out
