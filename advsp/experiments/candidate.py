"""A candidate: what a training job keeps of a number of passes that may be chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from advsp.learners.base import Decoded
from advsp.support.arrays import Array, Floats
from advsp.support.errors import InputError
from advsp.support.sparse_arrays import read_packed, write_packed

_HINT = "train anew with --overwrite"


@dataclass(frozen=True, eq=False)
class Candidate:
    """Weights after some passes, and what the model says with them of what is held out.

    Attributes
    ----------
    weights: float [size].
    decoded: class to what is said of the validation split or fold; empty where nothing is held out.
    """

    weights: Floats
    decoded: Mapping[str, Decoded] = field(default_factory=dict)

    def write(self, path: Path) -> None:
        """Write an npz file of plain arrays, atomically."""
        arrays: dict[str, Array] = {"weights": self.weights}
        for label, said in self.decoded.items():
            arrays |= {f"{label}/mode": said.mode, f"{label}/marginal": said.marginal}
            if said.begins is not None:
                arrays[f"{label}/begins"] = said.begins
        write_packed(path, arrays)

    @classmethod
    def read(cls, path: Path, classes: Sequence[str] = ()) -> Candidate:
        """What :meth:`write` wrote.

        Parameters
        ----------
        classes: those whose output is wanted.

        Raises
        ------
        InputError: no such file, a damaged one, or one without the weights or the output of a class.
        """
        arrays = read_packed(path, "a candidate", _HINT)

        def array(name: str) -> Array:
            if name not in arrays:
                raise InputError(f"not a candidate: it has no {name}", file=path, hint=_HINT)
            return arrays[name]

        decoded = {
            label: Decoded(array(f"{label}/mode"), array(f"{label}/marginal"), arrays.get(f"{label}/begins"))
            for label in classes
        }
        return cls(array("weights"), decoded)
