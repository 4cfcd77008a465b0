"""Where compiled code is kept, when it is found again, and what happens where it cannot be."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import numba
import numpy as np
import pytest
from numba.core.codegen import JITCodeLibrary

from advsp.kernels import compilation

#: Solves a small game in the kernels and says how long it compiled.
PROGRAM = """
from advsp.kernels.ready import make_ready
print(make_ready("simplex"))
"""


def seconds(cache: Path, place: Path | None = None) -> float:
    """Seconds that a process compiles for with this cache; it imports the package of ``place``, if given."""
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, compilation.CACHE_VARIABLE: str(cache)},
        cwd=place,
        capture_output=True,
        text=True,
        check=True,
    )
    return float(ran.stdout)


@pytest.fixture(scope="module")
def filled(tmp_path_factory) -> Path:
    """A cache with the compiled simplex."""
    cache = tmp_path_factory.mktemp("cache")
    assert seconds(cache) > 0.0
    return cache


@pytest.mark.long
def test_a_second_process_compiles_nothing(filled):
    assert seconds(filled) == 0.0


def test_the_same_release_in_another_place_compiles_nothing(filled, tmp_path):
    shutil.copytree(Path(compilation.__file__).parents[1], tmp_path / "advsp")
    os.utime(tmp_path / "advsp" / "kernels" / "simplex.py")
    assert seconds(filled, tmp_path) == 0.0


def test_another_process_finds_everything_that_is_compiled(compiled_kernels):
    program = "from advsp.kernels.ready import make_ready; print(make_ready())"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert float(ran.stdout) == 0.0


#: Compiles one function for the types that it is told of, and says how long that took.
MANY = """
import sys
import numpy as np
from advsp.kernels.compilation import Compilation, kernel
from twice import twice
with Compilation() as compilation:
    for name in sys.argv[1:]:
        twice(np.zeros(2, dtype=name))
print(compilation.seconds)
"""


@pytest.mark.long
def test_processes_that_compile_at_a_time_lose_nothing(tmp_path):
    (tmp_path / "twice.py").write_text(
        "from advsp.kernels.compilation import kernel\n\n\n@kernel\ndef twice(x):\n    return x + x\n"
    )
    environment = {
        **os.environ,
        compilation.CACHE_VARIABLE: str(tmp_path / "cache"),
        "PYTHONPATH": str(tmp_path),
    }
    names = ["float32", "float64", "int32", "int64"]

    def start(*types: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", MANY, *types], env=environment, stdout=subprocess.PIPE, text=True
        )

    together = [start(name) for name in names]
    assert all(float(process.communicate()[0]) > 0.0 for process in together)
    assert float(start(*names).communicate()[0]) == 0.0


def test_a_cache_of_one_process_is_not_kept_and_one_that_is_named_is(tmp_path, monkeypatch):
    monkeypatch.setenv(compilation.CACHE_VARIABLE, str(tmp_path))
    monkeypatch.setattr(compilation, "FOLDER", compilation.cache_folder())
    assert compilation.is_kept() and compilation.FOLDER.is_relative_to(tmp_path)
    (tmp_path / "file").touch()
    monkeypatch.setenv(compilation.CACHE_VARIABLE, str(tmp_path / "file"))
    monkeypatch.setattr(compilation, "FOLDER", compilation.cache_folder())
    assert not compilation.is_kept()
    compilation.FOLDER.rmdir()


def test_a_cache_is_new_until_something_is_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(compilation, "FOLDER", tmp_path)
    assert compilation.is_new()
    (tmp_path / "module").mkdir()
    (tmp_path / "module" / "function.nbi").write_bytes(b"")
    assert not compilation.is_new()


@pytest.mark.long
@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
@pytest.mark.parametrize("left", [0, 200])
def test_files_that_were_cut_off_are_compiled_anew(filled, tmp_path, suffix, left):
    cache = tmp_path / "cache"
    shutil.copytree(filled, cache)
    files = list(cache.rglob(f"*.maximise-*.{suffix}")) or list(cache.rglob(f"*maximise*.{suffix}"))
    assert files
    for file in files:
        file.write_bytes(file.read_bytes()[:left])
    assert seconds(cache) > 0.0
    assert seconds(cache) == 0.0


@pytest.fixture
def sources(tmp_path, monkeypatch) -> Path:
    """A copy of the kernels' sources, of which the digest is taken."""
    folder = tmp_path / "sources"
    shutil.copytree(Path(compilation.__file__).parent, folder, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(compilation, "__file__", str(folder / "compilation.py"))
    return folder


@pytest.mark.parametrize("works", [True, False])
def test_other_users_of_numba_keep_their_settings(works, tmp_path, monkeypatch):
    monkeypatch.setattr(compilation, "FOLDER", tmp_path)
    settings = ("CACHE_DIR", "LOOP_VECTORIZE")
    before, during = [getattr(numba.config, name) for name in settings], []

    def halved(number):
        """Known to compiled code alone."""

    @numba.extending.overload(halved)
    def implementation(number):
        during.extend(getattr(numba.config, name) for name in settings)
        if not works:
            raise numba.TypingError("there is no half of it")
        return lambda number: number / 2

    @compilation.inner
    def halve(number):
        return halved(number)

    with nullcontext() if works else pytest.raises(numba.TypingError):
        halve.compile((numba.float64,))
    assert during[1 : len(settings)] == [compilation._SHORT_LOOPS[name] for name in settings[1:]]
    assert [getattr(numba.config, name) for name in settings] == before


@pytest.mark.parametrize("light", [True, False])
def test_what_only_kernels_call_is_optimised_lightly_with_the_same_result(light, tmp_path, monkeypatch):
    monkeypatch.setattr(compilation, "FOLDER", tmp_path)
    whole = []
    optimise = JITCodeLibrary._optimize_final_module
    monkeypatch.setattr(
        JITCodeLibrary,
        "_optimize_final_module",
        lambda library: whole.append(library.name) or optimise(library),
    )

    def power(base, exponent):
        found = 1.0
        for _ in range(exponent):
            found *= base
        return found

    inside = (compilation.inner if light else compilation.kernel)(power)

    @compilation.kernel
    def outside(base):
        return inside(base, 3) + inside(base, 2)

    assert outside(3.0) == 36.0
    ours = {name.rpartition(".")[2] for name in whole if "test_" in name}
    assert ours == ({"outside"} if light else {"power", "outside"})


def test_garbage_is_collected_rarely_while_kernels_are_compiled():
    before = gc.get_threshold()
    with compilation.Compilation():
        assert gc.get_threshold()[0] > before[0] and gc.get_threshold()[1:] == before[1:]
    assert gc.get_threshold() == before


def test_other_sources_have_another_folder(sources):
    before = compilation.digest()
    assert compilation.digest() == before
    with (sources / "simplex.py").open("a") as file:
        file.write("# changed\n")
    changed = compilation.digest()
    (sources / "more.py").write_text("")
    assert len({before, changed, compilation.digest()}) == 3


@pytest.mark.parametrize("module", [np, compilation.numba, compilation.llvmlite])
def test_another_version_has_another_folder(monkeypatch, module):
    before = compilation.digest()
    monkeypatch.setattr(module, "__version__", "0.0")
    assert compilation.digest() != before


def test_the_folder_is_the_users_own_and_named_after_the_digest(tmp_path, monkeypatch):
    monkeypatch.setenv(compilation.CACHE_VARIABLE, str(tmp_path / "here"))
    folder = compilation.cache_folder()
    assert folder == tmp_path / "here" / f"kernels-{compilation.digest()}"
    assert folder.stat().st_mode & 0o777 == 0o700
    monkeypatch.delenv(compilation.CACHE_VARIABLE)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "there"))
    assert compilation.cache_folder().parent == tmp_path / "there" / "advsp"


@pytest.mark.parametrize("mode", [0o720, 0o702, 0o777])
def test_a_folder_that_others_may_write_to_is_not_used(tmp_path, monkeypatch, mode):
    monkeypatch.setenv(compilation.CACHE_VARIABLE, str(tmp_path))
    folder = compilation.cache_folder()
    folder.chmod(mode)
    assert compilation.cache_folder() != folder


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="no owners of files here")
def test_a_folder_of_someone_else_is_not_used(tmp_path, monkeypatch):
    monkeypatch.setenv(compilation.CACHE_VARIABLE, str(tmp_path))
    folder = compilation.cache_folder()
    monkeypatch.setattr(os, "getuid", lambda: folder.stat().st_uid + 1)
    assert compilation.cache_folder() != folder


def test_where_nothing_can_be_written_a_temporary_folder_is_used(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(compilation.CACHE_VARIABLE, str(tmp_path / "file"))
    folder = compilation.cache_folder()
    assert folder.is_dir()
    assert tmp_path not in folder.parents
