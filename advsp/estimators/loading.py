"""What was saved, ready to predict: fitted estimators, and the runs of the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeAlias

from advsp.estimators.aligners import AdversarialAligner
from advsp.estimators.description import DESCRIPTION, read_description
from advsp.estimators.runs import RunAligner, RunTagger, open_run
from advsp.estimators.taggers import AdversarialTagger, CrfTagger

#: Whatever can be loaded.
Loaded: TypeAlias = "AdversarialTagger | CrfTagger | AdversarialAligner | RunTagger | RunAligner"

#: Estimators by name, as saved ones call them.
KINDS: dict[str, type[AdversarialTagger | CrfTagger | AdversarialAligner]] = {
    kind.__name__: kind for kind in (AdversarialTagger, CrfTagger, AdversarialAligner)
}


def load(folder: str | Path, system: str | None = None, seed: str | None = None) -> Loaded:
    """What was saved in a folder: a fitted estimator, or a system of a run that ``advsp train`` has made.

    Parameters
    ----------
    system, seed: of a run, as :func:`~advsp.experiments.system_in_use.open_system` takes them; by default the
        best system.

    Raises
    ------
    InputError: there is neither, or it is not whole; a system or seed of an estimator, which has none.
    """
    folder = Path(folder)
    if not (folder / DESCRIPTION).exists() and (folder / "config.json").exists():
        return open_run(folder, system, seed)
    about = read_description(folder)
    kind = KINDS[about.one_of("estimator", tuple(KINDS))]
    parameters: dict[str, Any] = dict(about.fields("parameters").values())
    return kind(**parameters).restore(folder, about)
