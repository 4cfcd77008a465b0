"""The same loops of matrix products and exponentials on every processor that has them."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from advsp.support import arithmetic

FLAGS = {
    "old": "fpu sse sse2",
    "avx2": "fpu sse sse2 avx avx2 fma",
    "avx512": "fpu sse sse2 avx avx2 fma avx512f avx512vl",
}


@pytest.fixture
def processor(tmp_path, monkeypatch):
    """Makes the processor one of another kind."""

    def make(kind: str) -> None:
        path = tmp_path / "cpuinfo"
        if kind in FLAGS:
            path.write_text(
                f"processor\t: 0\nmodel name\t: any\nflags\t\t: {FLAGS[kind]}\n\nprocessor\t: 1\n"
            )
        monkeypatch.setattr(arithmetic, "_CPUINFO", path)

    return make


@pytest.mark.parametrize(
    ("kind", "version", "variables"),
    [
        ("old", "2.4.6", {}),
        ("another system", "2.4.6", {}),
        ("avx2", "2.4.6", {"OPENBLAS_CORETYPE": "Haswell"}),
        (
            "avx512",
            "2.4.6",
            {"OPENBLAS_CORETYPE": "Haswell", "NPY_DISABLE_CPU_FEATURES": arithmetic._WIDER[2, 4]},
        ),
        (
            "avx512",
            "1.26.4",
            {"OPENBLAS_CORETYPE": "Haswell", "NPY_DISABLE_CPU_FEATURES": arithmetic._WIDER[0, 0]},
        ),
        (
            "avx512",
            "2.3.0",
            {"OPENBLAS_CORETYPE": "Haswell", "NPY_DISABLE_CPU_FEATURES": arithmetic._WIDER[2, 3]},
        ),
    ],
)
def test_loops_are_named_that_the_processor_has(processor, monkeypatch, kind, version, variables):
    processor(kind)
    monkeypatch.setattr(arithmetic.metadata, "version", lambda name: version)
    assert arithmetic.settings() == variables


def test_what_the_user_has_set_stays(processor, monkeypatch):
    processor("avx512")
    monkeypatch.setenv("OPENBLAS_CORETYPE", "")
    monkeypatch.delenv("NPY_DISABLE_CPU_FEATURES", raising=False)
    arithmetic.fix()
    assert os.environ["OPENBLAS_CORETYPE"] == "" and not arithmetic.is_fixed()
    assert os.environ["NPY_DISABLE_CPU_FEATURES"] == arithmetic.settings()["NPY_DISABLE_CPU_FEATURES"]
    monkeypatch.delenv("OPENBLAS_CORETYPE")
    arithmetic.fix()
    assert arithmetic.is_fixed()


@pytest.mark.skipif(not arithmetic.settings(), reason="this processor is left as it is")
def test_numpy_takes_them_without_a_warning():
    variables = subprocess.run(
        [sys.executable, "-m", "advsp.support.arithmetic"], capture_output=True, text=True, check=True
    ).stdout.split()
    environment = {key: value for key, value in os.environ.items() if key not in arithmetic.settings()}
    code = "from advsp.support.arithmetic import described; print(described())"
    ended = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**environment, **dict(variable.split("=") for variable in variables)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ended.stdout.startswith("Haswell, ") and ended.stdout.strip().endswith(("AVX2", "X86_V3"))


def test_commands_and_tests_round_alike():
    code = (
        "from advsp.cli.main import run\n"
        "try:\n    run()\nexcept SystemExit:\n    pass\n"
        "from advsp.support.arithmetic import described\nprint(described())"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code, "--version"],
        env={key: value for key, value in os.environ.items() if key not in arithmetic.settings()},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ended.stdout.splitlines()[-1] == arithmetic.described()
