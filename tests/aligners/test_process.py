"""Other programs are heard while they run, and gone when they are not wanted any more."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from advsp.aligners.process import run_program
from advsp.support.errors import InputError


@pytest.fixture
def run(tmp_path):
    """Run a Python program; return what was heard."""

    def call(code: str, tell=None) -> list[str]:
        heard: list[str] = []
        run_program("prog", [sys.executable, "-c", code], tmp_path, tell or heard.append)
        return heard

    return call


def test_both_of_its_outputs_are_heard_and_none_is_shown(run, capfd):
    code = "import os; os.write(1, b'one\\n'); os.write(2, b'  two\\n\\n'); os.write(1, b'three')"
    assert run(code) == ["one", "two", "three"]
    assert capfd.readouterr() == ("", "")


def test_lines_are_heard_as_they_are_said(run):
    """It ends when it is answered, which takes a listener that hears it before that."""
    answer = "import pathlib, time\nprint('ready', flush=True)\n" + (
        "for _ in range(500):\n    if pathlib.Path('answer').exists(): break\n    time.sleep(0.02)\n"
        "else: raise SystemExit(1)\n"
    )
    folder = []
    run("import os; print(os.getcwd())", folder.append)
    run(answer, lambda line: Path(folder[0], "answer").touch())


def test_it_runs_and_has_its_temporary_files_in_its_folder_and_has_nothing_to_read(run, tmp_path):
    code = "import os, sys, tempfile; print(os.getcwd(), tempfile.gettempdir(), repr(sys.stdin.read()))"
    assert run(code) == [f"{tmp_path} {tmp_path} ''"]


def test_bytes_that_are_no_text_are_heard_somehow(run):
    assert run(r"import os; os.write(1, b'\xff\n')") == ["\ufffd"]


def test_a_failure_is_one_line_with_the_exit_code_and_its_last_words(run):
    code = "import sys; [print(word) for word in ('a', 'b', 'c', '', 'd')]; sys.exit(3)"
    with pytest.raises(InputError) as caught:
        run(code)
    assert str(caught.value) == "prog ended with exit code 3; it said: b; c; d"


def test_of_a_python_traceback_the_error_is_told(run):
    with pytest.raises(InputError) as caught:
        run("print('begun', flush=True)\ndef f():\n    raise ValueError('no  disk')\nf()")
    assert str(caught.value) == "prog ended with exit code 1; it said: begun; ValueError: no  disk"


def test_a_failure_without_words_says_so(run):
    with pytest.raises(InputError, match="prog ended with exit code 1; it said: nothing$"):
        run("raise SystemExit(1)")


def test_a_program_that_is_killed(run):
    with pytest.raises(InputError, match="prog was ended by signal SIGKILL; it said: nothing"):
        run("import os, signal; os.kill(os.getpid(), signal.SIGKILL)")


def test_a_program_that_cannot_be_started(tmp_path):
    with pytest.raises(InputError) as caught:
        run_program("prog", [str(tmp_path / "nowhere")], tmp_path, print)
    assert str(caught.value) == f"{tmp_path / 'nowhere'}: prog cannot be started: No such file or directory"


#: A program that starts another one, tells its number, and waits for it.
STARTS_ANOTHER = """\
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
print(child.pid, flush=True)
child.wait()
"""


def test_an_interruption_ends_it_with_all_that_it_started(run):
    children = []

    def interrupt(line: str) -> None:
        children.append(int(line))
        raise KeyboardInterrupt

    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        run(STARTS_ANOTHER, interrupt)
    assert time.monotonic() - started < 30
    assert ends(children[0])


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_who_ends_us_ends_it_and_what_we_tidy_up_is_tidied_up(tmp_path, number):
    code = (
        "import signal, sys, tempfile\n"
        # Whoever started the tests may have had it ignored, as nohup does.
        "signal.signal(signal.SIGHUP, signal.SIG_DFL)\n"
        "from pathlib import Path\n"
        "from advsp.aligners.process import run_program\n"
        "with tempfile.TemporaryDirectory(dir=sys.argv[1]) as folder:\n"
        "    command = [sys.executable, '-c', sys.argv[2]]\n"
        "    run_program('prog', command, Path(folder), lambda line: print(line, flush=True))\n"
    )
    command = [sys.executable, "-c", code, tmp_path, STARTS_ANOTHER]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as ours:
        child = int(ours.stdout.readline())
        assert alive(child)
        ours.send_signal(number)
        assert ours.wait(30) == 128 + number
    assert ends(child)
    assert list(tmp_path.iterdir()) == []


def test_signals_mean_afterwards_what_they_meant_before(run):
    handlers = {signal.SIGTERM: signal.SIG_DFL, signal.SIGHUP: signal.SIG_IGN}
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        heard = []
        run("print()\nprint(1)", lambda line: heard.append(signal.getsignal(signal.SIGHUP)))
        assert heard == [signal.SIG_IGN]
        assert {number: signal.getsignal(number) for number in handlers} == handlers
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def alive(process: int) -> bool:
    """Whether a process runs; one that has ended, and that nobody has waited for, does not."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{process}/status")
    return not status.exists() or "State:\tZ" not in status.read_text()


def ends(process: int) -> bool:
    """Whether a process has ended or does so in a moment; what it had open is closed a little earlier."""
    for _ in range(100):
        if not alive(process):
            return True
        time.sleep(0.05)
    return False
