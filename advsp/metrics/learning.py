"""How a system learnt, as it is kept beside its scores."""

from __future__ import annotations

from dataclasses import dataclass

from advsp.support.records import Fields, Json


@dataclass(frozen=True)
class Learning:
    """What training came to, pass by pass: of all models of a system together, the mean over seeds.

    Attributes
    ----------
    passes: numbers of some passes, the first and the last among them.
    objective: after each of these, the sum over models.
    scored: numbers of the passes after which what is held out was scored.
    validation: the scores then, percent, the mean over classes; of the seeds that took part in choosing.
    uncertified: answers in training for which no certificate was found; None where they were not counted.
    """

    passes: tuple[int, ...]
    objective: tuple[float, ...]
    scored: tuple[int, ...] = ()
    validation: tuple[float, ...] = ()
    uncertified: int | None = None

    def to_json(self) -> dict[str, Json]:
        """As it is kept."""
        return {
            "passes": list(self.passes),
            "objective": list(self.objective),
            "scored": list(self.scored),
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
        fields.only(("passes", "objective", "scored", "validation", "uncertified"))
        return cls(
            passes=fields.wholes("passes"),
            objective=fields.numbers("objective"),
            scored=fields.wholes("scored"),
            validation=fields.numbers("validation"),
            uncertified=None if fields.value("uncertified") is None else fields.whole("uncertified"),
        )
