"""Whole experiments as a user starts them: ``advsp train`` with one seed, all systems, features included."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from advsp import kernels
from benchmarks.headline import Headline
from benchmarks.markdown import seconds, table
from benchmarks.workbench import Workbench

TITLE = "Whole experiments"
MEGABYTE = 2**20
#: Seconds between two looks at the memory.
_INTERVAL = 0.25


def measure(bench: Workbench) -> dict[str, Any]:
    """Seconds of the command, and the most memory that it and its workers held together."""
    configs = _configs(bench)
    if importlib.util.find_spec("psutil") is None:
        bench.remark("the memory of whole experiments is left out: the package 'psutil' is not installed")
    if kernels.available():
        from advsp.kernels.ready import make_ready

        make_ready()
    rows = []
    progress = bench.reporter.start("whole experiments", len(configs))
    try:
        for config, overrides in configs:
            progress(0, config)
            rows.append({"config": config, **train(bench, config, overrides)})
            progress(1)
    finally:
        bench.reporter.stop()
    return {"rows": rows}


def _configs(bench: Workbench) -> list[tuple[str, list[str]]]:
    """Configurations and what is overridden; the sample's where the real corpus is not prepared."""
    if not bench.tagging.real:
        return [("configs/sample-conll.yaml", [f"corpus.path={bench.tagging.folder}"])]
    names = ["conll300"] if bench.settings.quick else ["conll300", "conll1000", "conll3000", "conllfull"]
    return [(f"configs/{name}.yaml", []) for name in names]


def train(bench: Workbench, config: str, overrides: list[str]) -> dict[str, Any]:
    """Run the command; its seconds and the most memory held, see :func:`peak_memory`."""
    output = bench.scratch / Path(config).stem
    # A file, not a pipe: nobody reads it before the end.
    log = output.with_suffix(".log")
    arguments = ["train", config]
    for override in ("runs=1", f"output={output}", *overrides):
        arguments += ["--set", override]
    began = time.perf_counter()
    program = [sys.executable, "-c", "from advsp.cli.main import run; run()"]
    with (
        log.open("w") as said,
        subprocess.Popen([*program, *arguments], cwd=bench.root, stdout=said, stderr=said) as process,
    ):
        peak = peak_memory(process)
    if process.returncode:
        raise RuntimeError(f"advsp {' '.join(arguments)} failed:\n{log.read_text()}")
    return {"seconds": time.perf_counter() - began, **peak}


def peak_memory(process: subprocess.Popen[bytes]) -> dict[str, float | None]:
    """Wait for a process; the most bytes it held, with its workers.

    Pages that several of them share count once in ``proportional``, and in ``resident`` as often as they are
    shared.
    """
    most: dict[str, float | None] = {"resident": None, "proportional": None}
    if importlib.util.find_spec("psutil") is None:
        process.wait()
        return most
    import psutil

    family = psutil.Process(process.pid)
    while process.poll() is None:
        sums = {"resident": 0, "proportional": 0}
        try:
            for member in (family, *family.children(recursive=True)):
                held = member.memory_full_info()
                sums["resident"] += held.rss
                sums["proportional"] += getattr(held, "pss", held.uss)
        except psutil.Error:
            pass  # a process that has just ended; what the others held is a lower bound all the same
        for kind, held in sums.items():
            most[kind] = max(most[kind] or 0, held)
        time.sleep(_INTERVAL)
    return most


def render(result: dict[str, Any]) -> list[str]:
    """A line a configuration."""

    def megabytes(held: float | None) -> str:
        return "–" if held is None else f"{held / MEGABYTE:,.0f}"

    return [
        "`advsp train CONFIG --set runs=1`: all systems, the whole grid, one seed, reading and features "
        "included, nothing compiled. Megabytes are the most that the command and its workers held together, "
        "shared pages counted once; in brackets counted in every process.",
        "",
        *table(
            ["configuration", "time", "MB"],
            [
                [
                    f"`{row['config']}`",
                    seconds(row["seconds"]),
                    f"{megabytes(row['proportional'])} ({megabytes(row['resident'])})",
                ]
                for row in result["rows"]
            ],
        ),
        "",
    ]


def headlines(result: dict[str, Any]) -> list[Headline]:
    """None: there is nothing that whole experiments are compared with."""
    return []
