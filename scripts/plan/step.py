"""One step of a plan, and whether it has been done with what it depends on as it is now."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path

from advsp.support.files import write_json
from advsp.support.records import read_json


@dataclass(frozen=True)
class Step:
    """Commands that belong together.

    Attributes
    ----------
    name: one word.
    commands: what is run, one after the other; ``advsp train CONFIG`` goes on with a run that was stopped.
    minutes: about how long it takes on two cores.
    reads: files whose content it depends on, beside the commands.
    needs: what has to be there; where it is not, the step is left out, and said so.
    """

    name: str
    commands: tuple[tuple[str, ...], ...]
    minutes: float
    reads: tuple[Path, ...] = field(default=())
    needs: tuple[Path, ...] = field(default=())

    @property
    def digest(self) -> str:
        """Stands for the commands and for what they read."""
        state = hashlib.sha256(json.dumps(self.commands).encode())
        for path in self.reads:
            state.update(path.read_bytes() if path.is_file() else b"")
        return state.hexdigest()

    @property
    def missing(self) -> list[Path]:
        """What is needed and is not there."""
        return [path for path in self.needs if not path.exists()]

    def is_done(self, folder: Path) -> bool:
        """Whether the stamp in a folder is that of the step as it is now."""
        path = self._stamp(folder)
        found = read_json(path) if path.is_file() else None
        return isinstance(found, dict) and found.get("digest") == self.digest

    def stamp(self, folder: Path, seconds: float) -> None:
        """Say in a folder that the step is done, and how long it took."""
        write_json(self._stamp(folder), {"digest": self.digest, "seconds": round(seconds, 1)})

    def _stamp(self, folder: Path) -> Path:
        return folder / f"{self.name}.json"
