"""Plan a training on a cluster: memory, network and time per pass from figures measured per sentence.

    python scripts/plan_cluster.py
    python scripts/plan_cluster.py --instances results/runs/mine/instances/stanford/train.npz --machines 20
    python scripts/plan_cluster.py --game-ms 0.02 --write docs/cluster.md

Sentences of the sample corpus (or of a run's instances) are trained on for a few passes on one core, then one
evaluation of the full batch is measured; the rest is arithmetic, function by function below.
"""

from __future__ import annotations

import argparse
import math
import shlex
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np

from advsp.corpora.conll import read_columns
from advsp.engine.settings import Engine
from advsp.features.stanford import StanfordFeatures
from advsp.learners.adversarial import Adversarial
from advsp.runners.dask.shards import LINEAGE
from advsp.runners.sharded import FAN_IN, Shard
from advsp.support.errors import InputError
from advsp.support.files import atomic
from advsp.support.threads import single_threaded
from advsp.training.instance_files import load_instances, save_instances
from advsp.training.instances import ChainInstances
from advsp.training.loop import Tolerance, fit
from advsp.training.objective import Objective
from advsp.training.optimisers.adagrad import AdaGrad

SAMPLE = Path(__file__).resolve().parents[1] / "data/sample/conll/sample.train"
NAMES = ("PER", "LOC", "ORG", "MISC", "O")
#: Passes before an evaluation is measured, its tolerance, and how often it is measured: the fastest counts.
PASSES, TOLERANCE, REPEATS = 5, 1e-3, 3
BEGIN, END = "<!-- plan: begin -->", "<!-- plan: end -->"


@dataclass(frozen=True)
class Measured:
    """Figures of one sentence on one core.

    Attributes
    ----------
    tokens: its length.
    games: games a sentence, one a class.
    instance_bytes: features and labels in memory.
    file_bytes: the same in the file of a shard.
    remembered_bytes: strategies that are kept from evaluation to evaluation.
    table_bytes: tables of potentials and moments while it is evaluated.
    game_ms: solving one game.
    map_ms: weights to potentials, and moments to the gradient.
    remember_ms: taking up and putting down what is remembered.
    """

    tokens: float
    games: int
    instance_bytes: float
    file_bytes: float
    remembered_bytes: float
    table_bytes: float
    game_ms: float
    map_ms: float
    remember_ms: float


@dataclass(frozen=True)
class Cluster:
    """What is planned with.

    Attributes
    ----------
    sentences: to train on.
    weights: of the model.
    machines, processes: machines, and worker processes of each; every process has one shard.
    memory_gb: of a machine.
    network_gbit: bandwidth of a machine's link, per second.
    local_gb: bandwidth between two processes of one machine, per second.
    disk_gb: bandwidth of the shared file system, all machines together, per second.
    task_ms: what a task costs the scheduler.
    """

    sentences: int = 10**8
    weights: int = 5 * 10**7
    machines: int = 20
    processes: int = 16
    memory_gb: float = 128.0
    network_gbit: float = 10.0
    local_gb: float = 2.0
    disk_gb: float = 5.0
    task_ms: float = 1.0


# --- measuring ----------------------------------------------------------------------------------------


def sample() -> ChainInstances:
    """The sample corpus with the features of Stanford NER."""
    return StanfordFeatures().fit(read_columns(SAMPLE).sentences, NAMES)


@single_threaded
def measure(instances: ChainInstances) -> Measured:
    """Figures of the adversarial learner, all classes in one model, after some passes of AdaGrad."""
    instances = instances.without_texts()
    classes = [name for name in instances.tag_names if name != "O"]
    learner = Adversarial(share=True)
    model = learner.model(instances)
    weights = fit(
        Objective(model, learner.loss(model, classes, Engine())),
        AdaGrad(),
        passes=PASSES,
        seed=1,
        tolerance=Tolerance(),
        initial=np.zeros(model.size),
    )
    loss = learner.loss(model, classes, Engine())
    shard = Shard(model, loss)
    _, memory = shard.evaluate(shard.first, weights, TOLERANCE)
    potentials = model.all_potentials(weights)

    def remember() -> None:
        loss.restore(memory)
        loss.state()

    remembered = fastest(remember) if memory else 0.0
    games = fastest(lambda: loss.backend.evaluate(loss, potentials, TOLERANCE))
    mapped = fastest(lambda: model.adjoint_all(model.all_potentials(weights)))
    number = len(instances)
    arrays = instances.arrays().values()
    with tempfile.TemporaryDirectory() as folder:
        save_instances(Path(folder) / "shard.npz", instances)
        file_bytes = (Path(folder) / "shard.npz").stat().st_size
    return Measured(
        tokens=int(instances.offsets[-1]) / number,
        games=len(classes),
        instance_bytes=sum(array.nbytes for array in arrays) / number,
        file_bytes=file_bytes / number,
        remembered_bytes=sum(array.nbytes for array in memory.values()) / number,
        table_bytes=2 * potentials.nbytes / number,
        game_ms=1e3 * games / number / len(classes),
        map_ms=1e3 * mapped / number,
        remember_ms=1e3 * remembered / number,
    )


def fastest(call: Callable[[], object]) -> float:
    """Seconds of the fastest of some calls."""
    times = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    return min(times)


# --- planning -----------------------------------------------------------------------------------------


def memory_gb(one: Measured, on: Cluster) -> dict[str, float]:
    """Memory of a machine in GB, part by part."""
    sentences = on.sentences / on.machines
    return {
        "features and labels": sentences * one.instance_bytes / 1e9,
        "strategies": sentences * one.remembered_bytes / 1e9,
        "potentials and moments": sentences * one.table_bytes / 1e9,
        # Weights, gradient, and what both are computed through.
        "weights and gradients": on.processes * 4 * vector_gb(on),
    }


def vector_gb(on: Cluster) -> float:
    """A vector of weights in GB."""
    return 8 * on.weights / 1e9


def network_gb(on: Cluster) -> dict[str, float]:
    """What an evaluation sends between machines in GB: all of it, and at the busiest link."""
    hosts_at_once = min(FAN_IN, on.machines) - 1
    return {
        "weights, all machines together": (on.machines - 1) * vector_gb(on),
        "gradients, all machines together": (on.machines - 1) * vector_gb(on),
        "busiest link of a machine": levels(on) * hosts_at_once * vector_gb(on),
    }


def levels(on: Cluster) -> int:
    """Additions, one after the other, between the machines' gradients and their sum."""
    return max(0, math.ceil(math.log(on.machines, FAN_IN) - 1e-9))


def seconds(one: Measured, on: Cluster) -> dict[str, float]:
    """Time of an evaluation of the full batch in seconds, step by step, nothing overlapping."""
    shard = on.sentences / (on.machines * on.processes)
    link = on.network_gbit / 8
    shards = on.machines * on.processes
    # Evaluation, total and memory of every shard, a copy of the weights, and the additions.
    tasks = 4 * shards + shards / (FAN_IN - 1)
    # A host hands the weights to two others, one after the other.
    depth = math.ceil(math.log2(on.machines + 1)) - 1
    return {
        "games": shard * one.games * one.game_ms / 1e3,
        "potentials and gradients": shard * one.map_ms / 1e3,
        "taking up and putting down strategies": shard * one.remember_ms / 1e3,
        "weights to the machines": depth * 2 * vector_gb(on) / link + 2 * vector_gb(on) / on.disk_gb,
        "weights to the processes of a machine": (on.processes - 1) * vector_gb(on) / on.local_gb,
        "gradients of a machine": (on.processes - 1) * vector_gb(on) / on.local_gb,
        "gradients of all machines": levels(on) * (FAN_IN - 1) * vector_gb(on) / link,
        "scheduling": tasks * on.task_ms / 1e3,
    }


def checkpoint_seconds(one: Measured, on: Cluster) -> float:
    """Time to write the strategies of all shards in seconds."""
    return on.sentences * one.remembered_bytes / 1e9 / on.disk_gb


# --- showing ------------------------------------------------------------------------------------------


def report(one: Measured, on: Cluster, given: set[str], command: str) -> str:
    """The plan as Markdown; ``given`` names the figures that were not measured."""

    def source(name: str) -> str:
        return "given" if name in given else "measured"

    lines = ["```", f"$ {command}", "```", "", "| one sentence, one core | | |", "|---|---|---|"]
    for name, label, unit in (
        ("tokens", "tokens", ""),
        ("games", "games, one a class", ""),
        ("instance_bytes", "features and labels in memory", "bytes"),
        ("file_bytes", "the same as a file", "bytes"),
        ("remembered_bytes", "strategies that are remembered", "bytes"),
        ("table_bytes", "potentials and moments while it is evaluated", "bytes"),
        ("game_ms", "one game", "ms"),
        ("map_ms", "potentials and gradient", "ms"),
        ("remember_ms", "taking up and putting down strategies", "ms"),
    ):
        lines.append(f"| {label} | {f'{getattr(one, name):,.4g} {unit}'.strip()} | {source(name)} |")
    lines += [
        "",
        f"{on.sentences:,} sentences, {on.weights:,} weights ({vector_gb(on):.2f} GB), {on.machines} "
        f"machines of {on.processes} processes and {on.memory_gb:g} GB, {on.network_gbit:g} Gbit/s, a shared "
        f"file system of {on.disk_gb:g} GB/s, {on.task_ms:g} ms a task:",
        "",
        "| memory of a machine | GB |",
        "|---|---|",
    ]
    memory = memory_gb(one, on)
    lines += [f"| {name} | {value:.1f} |" for name, value in memory.items()]
    lines += [f"| **sum** (of {on.memory_gb:g}) | **{sum(memory.values()):.1f}** |", ""]
    lines += ["| network, an evaluation | GB |", "|---|---|"]
    lines += [f"| {name} | {value:.1f} |" for name, value in network_gb(on).items()]
    lines += ["", "| time, an evaluation of the full batch | s |", "|---|---|"]
    times = seconds(one, on)
    lines += [f"| {name} | {value:.1f} |" for name, value in times.items()]
    lines += [f"| **sum** | **{sum(times.values()):.1f}** |", ""]
    files = on.sentences * one.file_bytes / 1e9
    alone = on.sentences * (one.games * one.game_ms + one.map_ms + one.remember_ms) / 1e3 / 3600
    lines += [
        f"Writing what is remembered, after every pass and every {LINEAGE} evaluations: "
        f"{checkpoint_seconds(one, on):.1f} s.  The files of the shards take {files:,.0f} GB, read once in "
        f"{files / on.disk_gb:,.0f} s.  One core would take {alone:,.1f} hours an evaluation.",
    ]
    if sum(memory.values()) > 0.8 * on.memory_gb:
        lines += ["", "**This does not fit**: take more machines, or fewer processes on each."]
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> int:
    """Measure, plan and print; the exit code."""
    parser = argparse.ArgumentParser(prog="plan_cluster.py", description=__doc__.splitlines()[0])
    parser.add_argument(
        "--instances", type=Path, help="instances of a run to measure, instead of the sample corpus"
    )
    parser.add_argument("--write", type=Path, help="a Markdown page with a place for the plan")
    for field in fields(Cluster):
        kind = int if isinstance(field.default, int) else float
        parser.add_argument(
            f"--{field.name.replace('_', '-')}", type=kind, default=field.default, help=f"{field.default:,}"
        )
    for field in fields(Measured):
        name = field.name.replace("_", "-")
        parser.add_argument(f"--{name}", type=float, help="take this instead of what is measured")
    options = parser.parse_args(arguments)
    try:
        instances = load_instances(options.instances) if options.instances else sample()
        if not isinstance(instances, ChainInstances):
            raise InputError("not tagged sentences", file=options.instances)
        page = options.write.read_text(encoding="utf-8") if options.write else f"{BEGIN}{END}"
        before, begin, rest = page.partition(BEGIN)
        _, end, after = rest.partition(END)
        if not begin or not end:
            raise InputError(f"has no place for the plan: {BEGIN} and {END}", file=options.write)
    except InputError as error:
        print(f"plan_cluster: {error}", file=sys.stderr)
        return 2
    given = {
        f.name: getattr(options, f.name) for f in fields(Measured) if getattr(options, f.name) is not None
    }
    one = replace(measure(instances), **given)
    on = Cluster(**{field.name: getattr(options, field.name) for field in fields(Cluster)})
    text = report(one, on, set(given), shlex.join(["python", "scripts/plan_cluster.py", *arguments]))
    print(text)
    if options.write:
        with atomic(options.write) as stream:
            stream.write(f"{before}{BEGIN}\n{text}{END}{after}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
