"""Reproduce everything as one plan: steps that are done are left alone, those that were stopped go on.

    python scripts/reproduce.py
    python scripts/reproduce.py --profile quick
    python scripts/reproduce.py --list

Corpora have to be prepared (make reproduce prepares them); what is missing is named, its steps are left out.
Stamps of what is done stand in results/runs/plan; a step whose configuration or corpus changed is done anew.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from plan.profiles import PROFILES
from plan.step import Step

from advsp.support import arithmetic

STAMPS = Path("results/runs/plan")
#: Exit code of what a user has to mend.
REFUSED = 2


def left(steps: Sequence[Step], spent: float, expected: float) -> float:
    """Minutes that steps will take, judged by how long those before took against what was expected."""
    pace = spent / expected if expected > 0 else 1.0
    return sum(step.minutes for step in steps) * pace


def run(command: Sequence[str]) -> int:
    """Run a command with the programs of this environment; its exit code."""
    folder = Path(sys.executable).parent
    program = sys.executable if command[0] == "python" else str(folder / command[0])
    environment = {**arithmetic.settings(), **os.environ, "PYTHONPATH": "scripts"}
    return subprocess.run([program, *command[1:]], env=environment, check=False).returncode


def do(step: Step) -> int:
    """Run the commands of a step; the exit code of the first that fails, else 0."""
    for command in step.commands:
        # A run is begun or gone on with; one that would not end the same is trained anew.
        training = command[:2] == ("advsp", "train")
        attempts = [[*command, "--resume"], [*command, "--overwrite"]] if training else [[*command]]
        code = REFUSED
        for attempt in attempts:
            print(f"$ {shlex.join(attempt)}", flush=True)
            code = run(attempt)
            if code != REFUSED:
                break
        if code:
            return code
    return 0


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--profile", choices=sorted(PROFILES), default="full")
    parser.add_argument("--runs", type=int, default=5, help="seeds of Table 3")
    parser.add_argument("--list", action="store_true", help="say what would be done, and do nothing")
    options = parser.parse_args(arguments)
    folder = STAMPS / options.profile
    steps = PROFILES[options.profile](options.runs)
    for step in steps:
        if step.missing:
            print(f"{step.name} is left out: {', '.join(map(str, step.missing))} is not there")
    steps = [step for step in steps if not step.missing]
    # Tables are made anew whatever was done before.
    waiting = [step for step in steps if step.name == "tables" or not step.is_done(folder)]
    spent = expected = 0.0
    for number, step in enumerate(waiting, 1):
        minutes = left(waiting[number - 1 :], spent, expected)
        done = len(steps) - len(waiting) + number
        print(f"[{done}/{len(steps)}] {step.name}, about {minutes:.0f} min left in all", flush=True)
        if options.list:
            continue
        began = time.monotonic()
        code = do(step)
        if code:
            print(f"{step.name} ended with code {code}; once mended, the same command goes on here")
            return code
        seconds = time.monotonic() - began
        step.stamp(folder, seconds)
        spent, expected = spent + seconds / 60, expected + step.minutes
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
