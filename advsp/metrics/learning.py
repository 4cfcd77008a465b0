"""How a system learnt, as it is kept beside its scores."""

from __future__ import annotations

from dataclasses import dataclass

from advsp.support.records import Fields, Json


@dataclass(frozen=True)
class Learning:
    """What training came to, pass by pass: of all models of a system together, the mean over seeds.

    Attributes
    ----------
    objective: after every pass, the sum over models.
    passes: numbers of the passes after which what is held out was scored.
    validation: the scores then, percent, the mean over classes; of the seeds that took part in choosing.
    uncertified: answers in training for which no certificate was found; None where they were not counted.
    """

    objective: tuple[float, ...]
    passes: tuple[int, ...] = ()
    validation: tuple[float, ...] = ()
    uncertified: int | None = None

    def to_json(self) -> dict[str, Json]:
        """As it is kept."""
        return {
            "objective": list(self.objective),
            "passes": list(self.passes),
            "validation": list(self.validation),
            "uncertified": self.uncertified,
        }

    @classmethod
    def from_json(cls, fields: Fields) -> Learning:
        """What :meth:`to_json` gave.

        Raises
        ------
        InputError: naming the field that is missing, of another kind or unknown.
        """
        fields.only(("objective", "passes", "validation", "uncertified"))
        return cls(
            objective=fields.numbers("objective"),
            passes=fields.wholes("passes"),
            validation=fields.numbers("validation"),
            uncertified=None if fields.value("uncertified") is None else fields.whole("uncertified"),
        )
