"""The scores of a run as they are kept: one record from who counts to who makes tables.

They are one JSON file a run, ``scores/NAME.json``; all of them are in percent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from advsp.metrics.choice import Choice
from advsp.metrics.learning import Learning
from advsp.support.errors import InputError
from advsp.support.files import write_json
from advsp.support.records import Fields, Json, read_json

_HINT = "make it with `advsp evaluate`"
#: Fields of a row of scores beside its counts.
_FIELDS: tuple[str, ...] = (
    "corpus",
    "split",
    "class",
    "system",
    "metric",
    "value",
    "low",
    "high",
    "seeds",
    "sd",
)
_FIELDS += ("runs", "precision", "recall", "contested")


@dataclass(frozen=True)
class ScoreRow:
    """The score of one system on one split, for one class, and what it is made of.

    What tables can do without may be missing in a file.

    Attributes
    ----------
    corpus, split, label, system, metric: what was scored, and how; the file calls the label ``class``.
    value: mean over the runs.
    low, high: ends of its 95 % interval over examples.
    seeds: number of runs, one a seed.
    sd: standard deviation over the runs; None if there is one.
    runs: the score of every run.
    precision, recall: means over the runs.
    counted: names of the counts as the file has them, ``tp_fp_fn``.
    counts: those of every run, summed over the examples.
    contested: of joint metrics, the positions of every run that several classes claimed.
    """

    corpus: str
    split: str
    label: str
    system: str
    metric: str
    value: float
    low: float
    high: float
    seeds: int
    sd: float | None
    runs: tuple[float, ...] = ()
    precision: float | None = None
    recall: float | None = None
    counted: str = ""
    counts: tuple[tuple[int, ...], ...] = ()
    contested: tuple[int, ...] = ()

    @property
    def place(self) -> tuple[str, str, str, str, str]:
        """What was scored, and how; no two scores of a table have the same."""
        return self.corpus, self.split, self.label, self.system, self.metric

    @property
    def joint(self) -> bool:
        """Whether it is of one class a position, which the paper has no numbers of."""
        return self.metric.startswith("joint_")

    def to_json(self) -> dict[str, Json]:
        """As it is kept."""
        return {
            "corpus": self.corpus,
            "split": self.split,
            "class": self.label,
            "system": self.system,
            "metric": self.metric,
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "seeds": self.seeds,
            "sd": self.sd,
            "runs": list(self.runs),
            "precision": self.precision,
            "recall": self.recall,
            **({self.counted: list(map(list, self.counts))} if self.counted else {}),
            **({"contested": list(self.contested)} if self.contested else {}),
        }

    @classmethod
    def from_json(cls, fields: Fields) -> ScoreRow:
        """What :meth:`to_json` gave.

        Raises
        ------
        InputError: naming the field that is missing, of another kind or unknown.
        """
        # What the counts are called depends on the metric: it is the one key that is left.
        counted = next((key for key in fields.values() if key not in _FIELDS), "")
        fields.only((*_FIELDS, counted))
        return cls(
            corpus=fields.text("corpus"),
            split=fields.text("split"),
            label=fields.text("class"),
            system=fields.text("system"),
            metric=fields.text("metric"),
            value=fields.number("value"),
            low=fields.number("low"),
            high=fields.number("high"),
            seeds=fields.whole("seeds"),
            sd=fields.number_or_none("sd"),
            runs=fields.numbers("runs") if "runs" in fields else (),
            precision=fields.number_or_none("precision") if "precision" in fields else None,
            recall=fields.number_or_none("recall") if "recall" in fields else None,
            counted=counted,
            counts=fields.rows_of_wholes(counted) if counted else (),
            contested=fields.wholes("contested") if "contested" in fields else (),
        )


@dataclass(frozen=True)
class PairedRow:
    """A paired test of two systems on one split, for one class.

    Attributes
    ----------
    split, label, metric: what was compared, and how; the file calls the label ``class``.
    systems: the two.
    difference: score of the first less that of the second.
    low, high: ends of its 95 % interval over examples.
    p: two-sided p-value.
    """

    split: str
    label: str
    metric: str
    systems: tuple[str, str]
    difference: float
    low: float
    high: float
    p: float

    def to_json(self) -> dict[str, Json]:
        """As it is kept."""
        return {
            "split": self.split,
            "class": self.label,
            "metric": self.metric,
            "systems": list(self.systems),
            "difference": self.difference,
            "low": self.low,
            "high": self.high,
            "p": self.p,
        }

    @classmethod
    def from_json(cls, fields: Fields) -> PairedRow:
        """What :meth:`to_json` gave.

        Raises
        ------
        InputError: naming the field that is missing, of another kind or unknown.
        """
        fields.only(("split", "class", "metric", "systems", "difference", "low", "high", "p"))
        return cls(
            split=fields.text("split"),
            label=fields.text("class"),
            metric=fields.text("metric"),
            systems=fields.pair_of_texts("systems"),
            difference=fields.number("difference"),
            low=fields.number("low"),
            high=fields.number("high"),
            p=fields.number("p"),
        )


@dataclass(frozen=True)
class Scores:
    """The whole file: what was run, what was chosen, how it scored.

    Attributes
    ----------
    name, fingerprint: of the run.
    table: the paper's table whose numbers stand beside the scores.
    data: name of every file the run read to its SHA-256.
    versions: ``train`` and ``evaluate`` to the versions of what they depended on.
    config: the configuration, complete.
    selection: system to what was chosen.
    rows: all scores.
    tests: all paired tests.
    learning: system to how it learnt.
    """

    name: str
    table: str
    fingerprint: str
    data: Mapping[str, str]
    versions: Mapping[str, Mapping[str, str]]
    config: Mapping[str, Json]
    selection: Mapping[str, Choice] = field(default_factory=dict)
    rows: tuple[ScoreRow, ...] = ()
    tests: tuple[PairedRow, ...] = ()
    learning: Mapping[str, Learning] = field(default_factory=dict)

    def edges(self, system: str) -> tuple[str, ...]:
        """What of a system, or a variant of it, was chosen at the end of its grid."""
        for variant in ("+threshold", "+average"):
            system = system.removesuffix(variant)
        choice = self.selection.get(system)
        return choice.edges if choice else ()

    @property
    def run(self) -> str:
        """Name of the run as the tables have it: ``NAME@FINGERPRINT``."""
        return f"{self.name}@{self.fingerprint}"

    @property
    def truncated(self) -> bool:
        """Whether the configuration asks for values cut to two decimals, not rounded, in tables."""
        evaluation = self.config.get("evaluation")
        return isinstance(evaluation, Mapping) and evaluation.get("display") == "truncated"

    @property
    def origin(self) -> dict[str, Json]:
        """What the run was made of, as it is kept beside a table."""
        return {
            "name": self.name,
            "fingerprint": self.fingerprint,
            "data": self.data,
            "versions": self.versions,
            "config": self.config,
        }

    def to_json(self) -> dict[str, Json]:
        """As it is kept."""
        learning = {system: learnt.to_json() for system, learnt in self.learning.items()}
        return {
            "name": self.name,
            "table": self.table,
            **{key: value for key, value in self.origin.items() if key != "name"},
            "selection": {system: choice.to_json() for system, choice in self.selection.items()},
            "rows": [row.to_json() for row in self.rows],
            "tests": [row.to_json() for row in self.tests],
            **({"learning": learning} if learning else {}),
        }

    @classmethod
    def from_json(cls, fields: Fields) -> Scores:
        """What :meth:`to_json` gave; choices, tests and learning, which no table needs, may be missing.

        Raises
        ------
        InputError: naming the field that is missing, of another kind or unknown.
        """
        selection = fields.fields("selection").all_fields() if "selection" in fields else {}
        learning = fields.fields("learning").all_fields() if "learning" in fields else {}
        scores = cls(
            name=fields.text("name"),
            table=fields.text("table"),
            fingerprint=fields.text("fingerprint"),
            data=fields.fields("data").all_texts(),
            versions={
                step: inner.all_texts() for step, inner in fields.fields("versions").all_fields().items()
            },
            config=fields.fields("config").values(),
            selection={system: Choice.from_json(inner) for system, inner in selection.items()},
            rows=tuple(map(ScoreRow.from_json, fields.each("rows"))),
            tests=tuple(map(PairedRow.from_json, fields.each("tests"))) if "tests" in fields else (),
            learning={system: Learning.from_json(inner) for system, inner in learning.items()},
        )
        fields.only(scores.to_json())
        return scores

    @classmethod
    def read(cls, path: Path) -> Scores:
        """The file of a run.

        Raises
        ------
        InputError: no such file, one that holds no scores, or one in which something is missing.
        """
        value = read_json(path)
        if not isinstance(value, Mapping) or "rows" not in value:
            raise InputError("holds no scores", file=path, hint=_HINT)
        return cls.from_json(Fields(value, path, _HINT))

    def write(self, path: Path) -> None:
        """Write the file, atomically."""
        write_json(path, self.to_json())
