"""The page about equal footing, from saved scores alone."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean
from string import Template
from typing import Any

from benchmarks.markdown import table
from regret.measuring import MEASURES

from advsp.experiments.config import ExperimentConfig
from advsp.metrics.scores import Scores
from advsp.support.records import Fields
from advsp.tasks.base import ALL, MEAN
from equality.blocks import SAMPLES, blocks_file, differences
from equality.picture import draw
from equality.runs import BLOCKS, best_rival, config_of, row_of, scores_of
from equality.summary import Difference, over_samples, paired

_TEMPLATE = Path(__file__).with_name("template.md")
#: What is shown of every system: title, metric and label.
_SHOWN = (
    ("mean token F1", "token_f1", MEAN),
    ("token F1", "token_f1", ALL),
    ("entity F1", "entity_f1", ALL),
    ("joint entity F1", "joint_entity_f1", ALL),
)
#: What of a system's point is shown.
_OPTIONS = ("learner.", "optimiser.")


#: Pairs of systems that the page speaks of, by the names of its gaps; None stands for the best rival.
_PAIRS = {
    "exact": ("ADV_f1", None),
    "summed": ("ADV_f1+gibbs", "ADV_f1"),
    "gibbs": ("ADV_f1+gibbs", None),
    "corpus": ("ADV_corpus", None),
    "control": ("ADV_corpus", "CRF+adagrad"),
    "margin": ("CRF+margin", "CRF+adagrad"),
    "batch": ("CRF", "CRF+adagrad"),
    "svm": ("SSVM", "CRF+adagrad"),
}


def page(root: Path) -> str:
    """The page in Markdown.

    Raises
    ------
    InputError: scores that are missing.
    """
    samples = {block: Fields.of_file(blocks_file(block, root)).values() for block in SAMPLES}
    read = {block: (config_of(block, root), scores_of(block, root)) for block in BLOCKS}
    blocks = []
    for block, (config, scores) in read.items():
        blocks += _block(config, scores)
        if block in samples:
            blocks += _samples(config, samples[block])
    pairs = {name: "\n".join(_pair(read, samples, *pair)) for name, pair in _PAIRS.items()}
    text = Template(_TEMPLATE.read_text(encoding="utf-8"))
    tuned = "\n".join(_tuned(read, root))
    regret = "\n".join(_regret(root))
    return text.substitute(blocks="\n".join(blocks).rstrip(), tuned=tuned, regret=regret, **pairs)


def _regret(root: Path) -> list[str]:
    """What every system still loses with the most training sentences, where the distribution is known."""
    figure: dict[str, Any] = Fields.of_file(root / "results/figures/consistency.json").values()
    most = max(row["sentences"] for row in figure["rows"])
    rows = [row for row in figure["rows"] if row["sentences"] == most]
    columns = sorted({(row["measure"], row["length"]) for row in rows}, reverse=True)
    cells = {
        (row["system"], row["measure"], row["length"]): f"{row['regret']:.2f} ± {row['error']:.2f}"
        for row in rows
    }
    body = [
        [system, *(cells[system, *column] for column in columns)]
        for system in dict.fromkeys(row["system"] for row in rows)
    ]
    header = [f"{MEASURES[measure]}, {length} tokens" for measure, length in columns]
    return table([f"regret with {most:,} sentences", *header], body)


def _tuned(read: dict[str, tuple[ExperimentConfig, Scores]], root: Path) -> list[str]:
    """A line a block: the exact game as Table 3 has it, and as it was chosen here, on the same sentences."""
    body = []
    for block, (config, scores) in read.items():
        before = Scores.read(root / f"results/scores/conll{block}.json")
        found = {
            system: {
                row.label: row.value
                for row in before.rows
                if (row.split, row.metric, row.system) == ("testb", "token_f1", system)
            }
            for system in ("ADV_f1+average+threshold", "ADV_f1+threshold")
        }
        # A block of one seed has no average.
        values = next(filter(None, found.values()))
        mean = fmean(values[label] for label in config.classes)
        rows = {(row.split, row.system, row.metric, row.label): row.value for row in scores.rows}
        now = rows[config.corpus.test[0], row_of(config, "ADV_f1"), "token_f1", MEAN]
        choice = scores.selection["ADV_f1"]
        options = ", ".join(f"{key.partition('.')[2]} {value}" for key, value in choice.options.items())
        options += f", {choice.passes} passes"
        body.append([_name(config), f"{mean:.2f}", f"{now:.2f}", options])
    return table(["training", "Table 3", "here", "chosen here"], body)


def _pair(
    read: dict[str, tuple[ExperimentConfig, Scores]],
    samples: dict[str, dict[str, Any]],
    system: str,
    other: str | None,
) -> list[str]:
    """A line a block: how far a system is from another one in mean token F1."""
    body = []
    for block, (config, scores) in read.items():
        against = other or best_rival(dict(scores.selection))
        cells: list[str] = []
        *firsts, whole = config.corpus.test
        for split in ([*firsts, ""][0], whole):
            found = {d.system: d for d in paired(scores, config, split, "token_f1", MEAN, against)}
            cells.append(_interval(found[system]) if system in found else "")
        error = differences(samples[block], against).get(system) if block in samples else None
        cells.append("" if error is None else f"{error[0]:+.2f} ± {error[1]:.2f}")
        body.append([_name(config), against, *cells])
    header = ["training", "less", "first sentences of testb", "all of testb", "other samples, testa"]
    return table(header, body, left=2)


def _interval(found: Difference) -> str:
    """A difference with its interval, and its p-value."""
    return f"{found.value:+.2f} [{found.low:+.2f}, {found.high:+.2f}], p {_p(found)}"


def _p(found: Difference) -> str:
    """A p-value for a reader; nothing where there is none."""
    if found.p is None:
        return ""
    return "< 0.001" if found.p < 0.001 else f"= {found.p:.3f}"


def figure(root: Path) -> list[Path]:
    """Draw the differences of every block; the files written."""
    panels: dict[str, list[Difference]] = {}
    for block in BLOCKS:
        config, scores = config_of(block, root), scores_of(block, root)
        rival = best_rival(dict(scores.selection))
        title = f"{_name(config)}\nagainst {rival}"
        panels[title] = [
            Difference(d.system, "paired, all of testb", d.value, d.low, d.high)
            for d in paired(scores, config, config.corpus.test[-1], "token_f1", MEAN)
        ]
        if block in SAMPLES:
            found = Fields.of_file(blocks_file(block, root)).values()
            panels[title] += over_samples(found, "other training samples, testa")
    return draw(panels, root / "results/figures/equal")


def _name(config: ExperimentConfig) -> str:
    number = getattr(config.corpus, "sentences", None)
    return f"{number:,} sentences" if number else "all sentences"


def _block(config: ExperimentConfig, scores: Scores) -> list[str]:
    """What was chosen in a block, scores and paired tests."""
    rows = {(row.split, row.system, row.metric, row.label): row for row in scores.rows}
    rival = best_rival(dict(scores.selection))
    parts = [f"### {_name(config)}\n"]
    chosen = []
    for name, choice in scores.selection.items():
        options = ", ".join(f"{key.partition('.')[2]} {value}" for key, value in choice.options.items())
        score = "" if choice.score is None else f"{100 * choice.score:.2f}"
        chosen.append([name, options, str(choice.passes), score, "; ".join(choice.edges) or "none"])
    parts += [*table(["system", "chosen", "passes", "testa", "at the end of its grid"], chosen, left=2), ""]
    for split in config.corpus.test:
        header = ["system", *(title for title, _, _ in _SHOWN), f"difference from {rival}", "p"]
        tests = {d.system: d for d in paired(scores, config, split, "token_f1", MEAN)}
        body = []
        for name in config.systems:
            cells = [rows[split, row_of(config, name), metric, label] for _, metric, label in _SHOWN]
            test = tests.get(name)
            body.append(
                [
                    name,
                    f"{cells[0].value:.2f} [{cells[0].low:.1f}, {cells[0].high:.1f}]",
                    *(f"{cell.value:.2f}" for cell in cells[1:]),
                    "" if test is None else f"{test.value:+.2f} [{test.low:+.2f}, {test.high:+.2f}]",
                    "" if test is None else _p(test).removeprefix("= "),
                ]
            )
        parts += [f"`{split}`:\n", *table(header, body), ""]
    return parts


def _samples(config: ExperimentConfig, found: dict[str, Any]) -> list[str]:
    """The same settings on other training sentences."""
    samples = found["samples"]
    body = []
    for name in config.systems:
        values = [f"{sample[name][MEAN]:.2f}" for sample in samples]
        value, error = differences(found).get(name, (None, None))
        body.append([name, *values, "" if value is None else f"{value:+.2f} ± {error:.2f}"])
    header = ["system", *(str(number) for number in range(1, len(samples) + 1))]
    text = (
        f"The same settings on {len(samples)} other samples of {config.corpus.model_dump()['sentences']} "
        f"training sentences ({found['seeds']} seeds averaged): mean token F1 on all of testa, each half by "
        f"the other's thresholds; mean difference from {found['rival']} ± standard error over the samples.\n"
    )
    return [text, *table([*header, "difference"], body), ""]
