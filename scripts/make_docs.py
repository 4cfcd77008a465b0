"""Make the pages that come from the code, and gather all pages of the documentation in build/docs.

    python scripts/make_docs.py
    mkdocs build

`make docs` does both; the site is build/site.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from pages import commands, configuration, library

from advsp.support.files import atomic

ROOT = Path(__file__).resolve().parents[1]
#: What is taken as it is, and where it stands already.
TAKEN = (
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "CITATION.cff",
    "docs/*.md",
    "docs/reference/*.md",
    "docs/*.svg",
    "data/README.md",
    "results/*.md",
    "results/bench/*.md",
    "results/figures/*.md",
    "results/figures/*.svg",
    "results/tables/*.md",
)
#: Pages that are made and kept below docs/reference, and what makes them.
MADE = {"commands": commands.page, "configuration": configuration.page}
#: The page that the site alone can show.
ON_THE_SITE = "docs/reference/library.md"


def make(folder: Path) -> None:
    """Write the pages that are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, page in MADE.items():
        with atomic(folder / f"{name}.md") as stream:
            stream.write(page().rstrip() + "\n")


def gather(folder: Path) -> list[Path]:
    """Write all pages below a folder, which is emptied first; the files written."""
    shutil.rmtree(folder, ignore_errors=True)
    written = []
    for pattern in TAKEN:
        for path in sorted(ROOT.glob(pattern)):
            target = folder / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
            written.append(target)
    (folder / ON_THE_SITE).write_text(library.page(), encoding="utf-8")
    return [*written, folder / ON_THE_SITE]


if __name__ == "__main__":
    make(ROOT / "docs/reference")
    print(f"{len(gather(ROOT / 'build/docs'))} pages and pictures in build/docs")
    sys.exit(0)
