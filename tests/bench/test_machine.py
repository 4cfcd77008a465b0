"""What is said of the machine."""

from __future__ import annotations

from benchmarks.machine import describe, processor

from advsp import __version__


def test_processor_is_named_as_the_system_names_it(tmp_path):
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text(
        "processor\t: 0\nmodel name\t: Made Up 3000 @ 2 GHz\nmodel name\t: Made Up 3000 @ 2 GHz\n"
    )
    assert processor(cpuinfo) == "Made Up 3000 @ 2 GHz"


def test_a_system_without_that_file_has_a_processor_all_the_same(tmp_path):
    assert processor(tmp_path / "nowhere")


def test_description_names_versions_and_no_host():
    about = describe()
    assert about["versions"]["advsp"] == __version__
    assert {"python", "numpy", "scipy"} <= set(about["versions"])
    assert set(about) == {"date", "processor", "cores", "system", "versions"}
