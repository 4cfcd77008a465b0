"""The README's short table of results, from saved scores alone."""

from __future__ import annotations

from pathlib import Path

from benchmarks.markdown import marks, table

from advsp.metrics.scores import Scores
from advsp.support.errors import InputError
from advsp.tasks.base import ALL, MEAN
from equality.runs import BLOCKS, best_rival, config_of, row_of, scores_of

#: What the block is called in the page.
NAME = "results"
#: Lines of Table 3: title and system.
_ENTITIES = (
    ("CRF, as in the paper", "CRF"),
    ("CRF by online AdaGrad", "CRF+adagrad"),
    ("ADV_f1, the paper's game", "ADV_f1"),
)
#: Lines of the comparison on equal footing: title and system, None for the best one without a game.
_EQUAL = (("best on testa without a game", None), ("ADV_f1", "ADV_f1"), ("ADV_corpus", "ADV_corpus"))
#: Lines of Table 2: title, and the system with either set of features.
_LINKS = (
    ("SSVM", "SSVM [everything]", "SSVM [statistics]"),
    ("logistic regression", "logistic [everything]", "logistic [statistics]"),
    ("ADV_aer, the paper's game", "ADV_aer [everything, ignore, folds]", "ADV_aer [statistics, stacked]"),
)
_LINK_HEADER = ("alignment error rate, 347 pairs", "`everything`, 100 pairs", "`statistics`, 137 pairs")


def results_block(root: Path) -> str:
    """The tables, the marks included.

    Raises
    ------
    InputError: scores that are missing.
    """
    blocks = [Scores.read(root / f"results/scores/conll{name}.json") for name in BLOCKS]
    entities = [
        [title, *(f"{_value(scores, 'testb', system, ALL):.1f}" for scores in blocks)]
        for title, system in _ENTITIES
    ]
    equal = {name: (config_of(name, root), scores_of(name, root)) for name in BLOCKS}
    lines = []
    for title, system in (
        ("best on testa without a game", None),
        ("ADV_f1", "ADV_f1"),
        ("ADV_corpus", "ADV_corpus"),
    ):
        values = []
        for config, scores in equal.values():
            name = system or best_rival(dict(scores.selection))
            values.append(f"{_value(scores, config.corpus.test[-1], row_of(config, name), MEAN):.1f}")
        lines.append([title, *values])
    links = Scores.read(root / "results/scores/hansards.json")
    begin, end = marks(NAME)
    numbers = ["300", "1000", "3000", "all"]
    return "\n".join(
        [
            begin,
            *table(["token F1 on testb, all classes; training sentences", *numbers], entities),
            "",
            *table(["on equal footing: mean over the classes, all of testb", *numbers], lines),
            "",
            *table(
                _LINK_HEADER,
                [
                    [title, *(f"{_value(links, 'test', system, ALL, 'aer'):.2f}" for system in systems)]
                    for title, *systems in _LINKS
                ],
            ),
            end,
        ]
    )


def _value(scores: Scores, split: str, system: str, label: str, metric: str = "token_f1") -> float:
    for row in scores.rows:
        if (row.split, row.system, row.label, row.metric) == (split, system, label, metric):
            return row.value
    raise InputError(f"{scores.name} has no {metric} of {system} on {split}", hint="evaluate it anew")
