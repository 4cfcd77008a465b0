"""Rooms that a sentence enters: a function that is called counts, an import does not."""

from __future__ import annotations

import sys
import threading

import pytest
import trace_sentence
from trace_sentence import entered, import_all, main, run, table


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package of two rooms and a loose module, imported."""
    files = {
        "inn/__init__.py": "",
        "inn/door.py": "from inn.bar import tap\ndef enter(): return tap.pour()",
        "inn/bar/__init__.py": "",
        "inn/bar/tap.py": "def pour(): return 'ale'\npour()",
        "inn/bar/broken.py": "import no_such_module_anywhere",
        "inn/cellar/__init__.py": "def _dig(): pass\n_dig()",
    }
    for name, source in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    yield import_all("inn")
    for name in [name for name in sys.modules if name.partition(".")[0] == "inn"]:
        del sys.modules[name]


def test_files_are_entered_by_calls_and_not_by_imports(package):
    from inn import door

    with entered(package) as files:
        assert files == set()
        door.enter()
    assert files == {"door.py", "bar/tap.py"}


def test_calls_in_threads_count_and_those_after_the_end_do_not(package):
    from inn import door
    from inn.bar import tap

    with entered(package) as files:
        thread = threading.Thread(target=tap.pour)
        thread.start()
        thread.join()
    door.enter()
    assert files == {"bar/tap.py"}


def test_table_has_rooms_with_their_files():
    assert table({"door.py", "bar/tap.py", "bar/glass.py"}).splitlines() == [
        "room                 files",
        "bar                      2  glass.py tap.py",
        "door.py                  1  door.py",
        "2 rooms, 3 files",
    ]


def test_command_that_fails_is_told_with_what_it_said():
    def refuse() -> None:
        print("no ale", *sys.argv[1:])
        sys.exit(2)

    with pytest.raises(RuntimeError, match="pour slowly: no ale pour slowly"):
        run(refuse, ["pour", "slowly"])


def test_way_of_a_sentence_leads_from_the_file_to_its_score(capsys):
    assert main(["--set", "engine.oracle=numpy", "--set", "engine.lp=linprog"]) == 0
    rooms = {line.split()[0]: line.split()[2:] for line in capsys.readouterr().out.splitlines()[1:-1]}
    assert "conll.py" in rooms["corpora"]
    assert "stanford.py" in rooms["features"]
    assert "double_oracle.py" in rooms["engine"]
    assert "entity.py" in rooms["metrics"]
    assert "show" not in rooms


def test_entry_may_be_another_function(monkeypatch, capsys):
    calls = []
    monkeypatch.setattr(trace_sentence, "elsewhere", lambda: calls.append(sys.argv[1]), raising=False)
    assert main(["--entry", "trace_sentence:elsewhere", "--package", "house"]) == 0
    assert calls == ["prepare-conll", "train", "evaluate"]
    assert capsys.readouterr().out.splitlines()[-1] == "0 rooms, 0 files"
