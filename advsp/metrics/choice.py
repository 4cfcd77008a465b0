"""What was chosen for a system by its scores, as it is kept: by the run, and with its scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from advsp.metrics.joint import JOINT_RULES, JointRule
from advsp.support.records import Fields, Json

#: How decisions are made: as the learner does, by the marginal above 1/2, by the marginal above a threshold;
#: or by that of the chain's own distribution, of class models summed, above 1/2 or above a threshold.
Rule = Literal["mode", "marginal", "threshold", "gibbs", "gibbs-threshold"]
RULES: tuple[Rule, ...] = get_args(Rule)

#: What thresholds that hold for every seed have in place of a seed's name.
EVERY_SEED = "every"


def is_by_chain(rule: Rule) -> bool:
    """Whether a rule decides by the chain's own distribution."""
    return rule in ("gibbs", "gibbs-threshold")


def is_by_threshold(rule: Rule) -> bool:
    """Whether a rule needs thresholds."""
    return rule in ("threshold", "gibbs-threshold")


def with_threshold(rule: Rule) -> Rule:
    """The rule that decides by the same marginals above a threshold."""
    return "gibbs-threshold" if is_by_chain(rule) else "threshold"


@dataclass(frozen=True)
class GridRow:
    """One of the possibilities there were, and its score.

    Attributes
    ----------
    point: number of the grid point, from 0.
    options: dotted keys of the grid to their values there.
    passes: number of passes.
    rule: how decisions were made.
    score: mean over classes and seeds, between 0 and 1.
    classes: class to its mean over seeds.
    """

    point: int
    options: Mapping[str, Json]
    passes: int
    rule: Rule
    score: float
    classes: Mapping[str, float]

    def to_json(self) -> dict[str, Json]:
        """As it is kept: options stand among the other fields, under their own keys."""
        return {
            "point": self.point,
            **self.options,
            "passes": self.passes,
            "rule": self.rule,
            "score": self.score,
            "classes": self.classes,
        }

    @classmethod
    def from_json(cls, fields: Fields) -> GridRow:
        """What :meth:`to_json` gave.

        Raises
        ------
        InputError: naming the field that is missing or of another kind.
        """
        others = ("point", "passes", "rule", "score", "classes")
        return cls(
            point=fields.whole("point"),
            options={key: value for key, value in fields.values().items() if key not in others},
            passes=fields.whole("passes"),
            rule=fields.one_of("rule", RULES),
            score=fields.number("score"),
            classes=fields.fields("classes").all_numbers(),
        )


@dataclass(frozen=True)
class Choice:
    """What was chosen for a system.

    Attributes
    ----------
    metric: what it was chosen by and on, in words.
    point, passes, rule, score, options: those of the best possibility, see :class:`GridRow`; without anything
        to score by, the one there is, and None for the score.
    grid: all possibilities, in the order they were tried.
    thresholds: name of the models' seed to class to threshold on the marginal.
    joint: which class has a position that several claim; None where there is but one.
    edges: what was chosen at the end of its grid, so that more of it might be better, in words.
    """

    metric: str
    point: int
    passes: int
    rule: Rule
    score: float | None
    options: Mapping[str, Json]
    grid: tuple[GridRow, ...] = ()
    thresholds: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    joint: JointRule | None = None
    edges: tuple[str, ...] = ()

    def thresholds_of(self, seed: str) -> Mapping[str, float]:
        """The thresholds of one seed's models, class by class; empty if there are none."""
        return self.thresholds.get(seed) or self.thresholds.get(EVERY_SEED, {})

    def to_json(self) -> dict[str, Json]:
        """As it is kept."""
        return {
            "metric": self.metric,
            "point": self.point,
            "passes": self.passes,
            "rule": self.rule,
            "score": self.score,
            "options": self.options,
            "grid": [row.to_json() for row in self.grid],
            "thresholds": self.thresholds,
            **({} if self.joint is None else {"joint": self.joint}),
            **({"edges": list(self.edges)} if self.edges else {}),
        }

    @classmethod
    def from_json(cls, fields: Fields) -> Choice:
        """What :meth:`to_json` gave.

        Raises
        ------
        InputError: naming the field that is missing, of another kind or unknown.
        """
        thresholds = fields.fields("thresholds").all_fields()
        choice = cls(
            metric=fields.text("metric"),
            point=fields.whole("point"),
            passes=fields.whole("passes"),
            rule=fields.one_of("rule", RULES),
            score=fields.number_or_none("score"),
            options=fields.fields("options").values(),
            grid=tuple(map(GridRow.from_json, fields.each("grid"))),
            thresholds={seed: inner.all_numbers() for seed, inner in thresholds.items()},
            joint=fields.one_of("joint", JOINT_RULES) if "joint" in fields else None,
            edges=fields.texts("edges") if "edges" in fields else (),
        )
        fields.only(choice.to_json())
        return choice
