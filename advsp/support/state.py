"""What is kept of an object: plain values in a JSON file, and the arrays beside it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from scipy.sparse import csr_matrix

from advsp.support.arrays import Array
from advsp.support.equality import equal_by_value
from advsp.support.errors import InputError
from advsp.support.files import read_arrays, sha256, write_arrays, write_json


@equal_by_value
@dataclass(frozen=True)
class State:
    """Plain values and arrays, from which an object is made again.

    Attributes
    ----------
    values: what JSON can hold.
    arrays: names to arrays of numbers.
    """

    values: Mapping[str, Any] = field(default_factory=dict)
    arrays: Mapping[str, Array] = field(default_factory=dict)

    def holding(self, **parts: State) -> State:
        """This state with the states of other objects inside, each under its name."""
        values, arrays = dict(self.values), dict(self.arrays)
        for part, state in parts.items():
            values[part] = state.values
            arrays |= {f"{part}/{name}": array for name, array in state.arrays.items()}
        return State(values, arrays)

    def part(self, part: str) -> State:
        """The state that was put in under that name."""
        prefix = f"{part}/"
        arrays = {
            name.removeprefix(prefix): array for name, array in self.arrays.items() if name.startswith(prefix)
        }
        return State(self.values[part], arrays)

    def save(self, path: str | Path) -> None:
        """Write ``path`` with the endings ``.npz`` and ``.json``; the latter comes last and seals both."""
        description, arrays = _files(path)
        description.unlink(missing_ok=True)
        write_arrays(arrays, self.arrays)
        write_json(description, {"sha256": sha256(arrays), "values": self.values})

    @classmethod
    def load(cls, path: str | Path, what: str, hint: str) -> Self:
        """Read what :meth:`save` has written to ``path``.

        Parameters
        ----------
        what: what the state is of, e.g. ``"features"``.
        hint: how to mend the files if they are not that.

        Raises
        ------
        InputError: nothing there, or files that are damaged or do not belong together.
        """
        description, arrays = _files(path)
        try:
            about = json.loads(description.read_text(encoding="utf-8"))
            seal, values = about["sha256"], about["values"]
        except FileNotFoundError:
            raise InputError("no such file", file=description, hint=hint) from None
        except (ValueError, KeyError, TypeError):
            raise InputError(f"not the description of {what}", file=description, hint=hint) from None
        found = read_arrays(arrays, f"the arrays of {what}", hint)
        if sha256(arrays) != seal:
            raise InputError("not the arrays that the description names", file=arrays, hint=hint)
        return cls(values, found)


def sparse_arrays(name: str, matrix: csr_matrix) -> dict[str, Array]:
    """A CSR matrix as arrays that can be saved; its shape is not among them."""
    return {
        f"{name}_values": matrix.data,
        f"{name}_columns": matrix.indices,
        f"{name}_ends": matrix.indptr,
    }


def sparse_matrix(name: str, arrays: Mapping[str, Array], shape: tuple[int, int]) -> csr_matrix:
    """The CSR matrix of which :func:`sparse_arrays` made those arrays."""
    return csr_matrix(tuple(arrays[f"{name}_{part}"] for part in ("values", "columns", "ends")), shape=shape)


def _files(path: str | Path) -> tuple[Path, Path]:
    """The description and the arrays."""
    # A name may have dots of its own, so nothing is taken for an ending.
    path = Path(path)
    return path.with_name(f"{path.name}.json"), path.with_name(f"{path.name}.npz")
