"""Files that come with the program, in a checkout and when installed: configurations, sample corpora."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

#: Where an installation has them, below the folder of the environment.
SHARE = "share/advsp"
#: A checkout has this file beside them.
_CHECKOUT = "pyproject.toml"


def shipped(name: str) -> Path | None:
    """A file or folder by the name that it has in a checkout, such as ``configs/conll300.yaml``.

    None where it is not among what came along.
    """
    root = Path(__file__).resolve().parents[2]
    if (root / _CHECKOUT).is_file():
        return root / name if (root / name).exists() else None
    try:
        installed = metadata.files("advsp") or []
    except metadata.PackageNotFoundError:
        return None
    marked = f"{SHARE}/{name}"
    for file in installed:
        before, found, behind = file.as_posix().partition(marked)
        # A folder is found by a file in it.
        if found and (not behind or behind.startswith("/")):
            return Path(str(file.locate())).resolve() if not behind else _folder(file, behind)
    return None


def run(folder: str | Path) -> Path:
    """The folder of a run: a folder, or else the name of a trained model that came along.

    >>> run("names").name
    'names'
    """
    path = Path(folder)
    if path.exists() or len(path.parts) != 1:
        return path
    found = shipped(f"data/sample/models/{path}")
    return path if found is None else found


def _folder(file: metadata.PackagePath, behind: str) -> Path:
    """The folder of which an installed file lies below, so many parts deep."""
    place = Path(str(file.locate())).resolve()
    return place.parents[behind.count("/") - 1]


def configuration(file: str | Path) -> Path:
    """The path of a configuration: a file, or else the name of one that came along.

    >>> configuration("sample-conll").name
    'sample-conll.yaml'
    """
    path = Path(file)
    if path.exists():
        return path
    name = path.as_posix().removeprefix("configs/").removesuffix(".yaml")
    found = shipped(f"configs/{name}.yaml")
    return path if found is None else found
