"""Our CRF against CRFsuite's on the same model: node features, one bias for every pair of tags, L2.

CRFsuite has no edge features that look at the words, so ours are the bias alone; its model has no START tag,
so an attribute of every first token plays that part.  The objective of either is computed by the same code
from its weights.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

from advsp.learners.crf import CRF
from advsp.support.threads import single_threaded
from advsp.training.instances import ChainInstances
from advsp.training.loop import Tolerance, fit
from advsp.training.objective import Objective
from advsp.training.optimisers.lbfgs import LBFGS
from benchmarks.engines import COMPILED, fastest, fastest_numpy
from benchmarks.headline import Headline
from benchmarks.markdown import ratio, seconds, table
from benchmarks.timing import interleave, summary
from benchmarks.workbench import Workbench

TITLE = "CRF against CRFsuite"
_L2 = 1.0
#: Both stop when the objective has improved by less than this, relative to itself, over so many iterations.
_IMPROVEMENT, _PERIOD = 1e-5, 10
_MEMORY, _ITERATIONS = 25, 1000
#: Attribute of every first token.
_START = "START"


def with_bias_alone(instances: ChainInstances) -> ChainInstances:
    """The same sentences with one edge feature, 1 everywhere."""
    tokens = len(instances.tags)
    return replace(instances, edge=csr_matrix(np.ones((tokens, 1))))


def attributes(instances: ChainInstances, example: int) -> list[list[str]]:
    """CRFsuite's attributes of every token of a sentence: numbers of node features, and ``START``."""
    rows = instances.node[instances.rows(example)]
    tokens = [list(map(str, rows.indices[a:b])) for a, b in zip(rows.indptr[:-1], rows.indptr[1:])]
    tokens[0].append(_START)
    return tokens


def to_our_weights(
    states: dict[tuple[str, str], float], transitions: dict[tuple[str, str], float], instances: ChainInstances
) -> np.ndarray:
    """CRFsuite's weights in the order of our model with a START tag of its own.

    Parameters
    ----------
    states: (attribute, tag) to weight.
    transitions: (tag, next tag) to weight.
    """
    number = {name: k for k, name in enumerate(instances.tag_names)}
    m = len(number)
    node, start, pairs = np.zeros((instances.node.shape[1], m)), np.zeros(m), np.zeros((m, m))
    for (attribute, tag), weight in states.items():
        if attribute == _START:
            start[number[tag]] = weight
        else:
            node[int(attribute), number[tag]] = weight
    for (left, right), weight in transitions.items():
        pairs[number[left], number[right]] = weight
    return np.concatenate([node.ravel(), start, pairs.ravel()])


@single_threaded
def measure(bench: Workbench) -> dict[str, Any]:
    """Seconds and objectives of both for growing numbers of sentences; no rows without CRFsuite."""
    rows: list[dict[str, Any]] = []
    if importlib.util.find_spec("pycrfsuite") is None:
        bench.remark("CRFsuite is left out: python-crfsuite is not installed (pip install -e '.[bench]')")
        return {"rows": rows}
    programs = {"advsp": fastest_numpy()}
    if fastest() == COMPILED:
        programs = {"advsp, compiled": COMPILED} | programs
    progress = bench.reporter.start("CRF against CRFsuite", (len(programs) + 1) * len(bench.sizes))
    try:
        for sentences in bench.sizes:
            data = with_bias_alone(bench.featurised(sentences).train)
            learner = CRF(start="own")
            model = learner.model(data)
            found: dict[str, np.ndarray] = {}
            candidates = {}
            for name, engine in programs.items():
                goal = Objective(model, learner.loss(model, (), engine), _L2)
                goal.full(np.zeros(model.size))  # what is compiled is compiled now
                candidates[name] = _ours(goal, name, found)
            candidates["CRFsuite"], weights_of = _theirs(data, bench.scratch)
            limit = min(5, bench.settings.rounds)
            times = interleave(candidates, limit, bench.settings.budget, lambda name: progress(1, name))
            found["CRFsuite"] = weights_of()
            for name in candidates:
                row = {"sentences": sentences, "program": name, **summary(times[name])}
                rows.append(row | {"objective": goal.full(found[name])[0], "weights": model.size})
    finally:
        bench.reporter.stop()
    return {
        "corpus": bench.tagging.name, "l2": _L2, "improvement": _IMPROVEMENT, "period": _PERIOD,
        "memory": _MEMORY, "rows": rows,
    }  # fmt: skip


def _ours(goal: Objective, name: str, found: dict[str, np.ndarray]) -> Callable[[], None]:
    optimiser = LBFGS(iterations=_ITERATIONS, memory=_MEMORY, improvement=_IMPROVEMENT / _PERIOD)

    def run() -> None:
        zeros = np.zeros(goal.model.size)
        found[name] = fit(goal, optimiser, passes=1, seed=0, tolerance=Tolerance(), initial=zeros)

    return run


def _theirs(data: ChainInstances, scratch: Path) -> tuple[Callable[[], None], Callable[[], np.ndarray]]:
    """Training, which writes a model, and the weights of that model."""
    import pycrfsuite

    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    for example in range(len(data)):
        tags = [data.tag_names[tag] for tag in data.tags[data.rows(example)]]
        trainer.append(attributes(data, example), tags)
    # Its penalty is c2 |w|^2, ours l2 / 2 |w|^2; every pair of attribute and tag has a weight, as with us.
    trainer.set_params(
        {
            "c1": 0.0,
            "c2": _L2 / 2,
            "num_memories": _MEMORY,
            "max_iterations": _ITERATIONS,
            "epsilon": 1e-9,
            "period": _PERIOD,
            "delta": _IMPROVEMENT,
            "feature.possible_states": True,
            "feature.possible_transitions": True,
        }
    )
    path = scratch / f"{len(data)}.crfsuite"

    def weights() -> np.ndarray:
        tagger = pycrfsuite.Tagger()
        tagger.open(str(path))
        about = tagger.info()
        tagger.close()
        return to_our_weights(about.state_features, about.transitions, data)

    return lambda: trainer.train(str(path)), weights


def render(result: dict[str, Any]) -> list[str]:
    """A line a program and size."""
    if not result["rows"]:
        return ["CRFsuite was not installed.", ""]
    return [
        f"Sentences of `{result['corpus']}`, one core: the same node features, one weight for every pair of "
        f"tags and for every first tag, L2 term {result['l2']:g}, L-BFGS with {result['memory']} "
        f"corrections, stopped when the objective improves by less than {result['improvement']:g} of itself "
        f"in {result['period']} iterations. Both objectives are computed by the same code from the weights; "
        "of both, handing over the features and reading the weights are not counted.",
        "",
        *table(
            ["sentences", "program", "time", "objective"],
            [
                [f"{r['sentences']:,}", r["program"], seconds(r["seconds"]), f"{r['objective']:.3f}"]
                for r in result["rows"]
            ],
            left=2,
        ),
        "",
    ]


def headlines(result: dict[str, Any]) -> list[Headline]:
    """The fastest of ours against theirs on the largest training set."""
    if not result["rows"]:
        return []
    size = max(row["sentences"] for row in result["rows"])
    rows = {row["program"]: row["seconds"] for row in result["rows"] if row["sentences"] == size}
    ours, other = rows.get("advsp, compiled", rows["advsp"]), rows["CRFsuite"]
    what = f"CRF on {size:,} sentences of `{result['corpus']}`, against CRFsuite"
    return [Headline(what, seconds(ours), seconds(other), ratio(other / ours))]
