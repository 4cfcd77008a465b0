"""Gather the pages of the documentation into build/docs, those made from the code among them.

    python scripts/make_docs.py
    mkdocs build

`make docs` does both; the site is build/site.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from pages import commands, configuration, library

ROOT = Path(__file__).resolve().parents[1]
#: What is taken as it is, and where it stands already.
TAKEN = (
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "CITATION.cff",
    "docs/*.md",
    "docs/*.svg",
    "data/README.md",
    "results/*.md",
    "results/bench/*.md",
    "results/figures/*.md",
    "results/figures/*.svg",
    "results/tables/*.md",
)
#: Pages that are made.
MADE = {"commands": commands.page, "configuration": configuration.page, "library": library.page}


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
    for name, make in MADE.items():
        target = folder / f"docs/reference/{name}.md"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(make(), encoding="utf-8")
        written.append(target)
    return written


if __name__ == "__main__":
    print(f"{len(gather(ROOT / 'build/docs'))} pages and pictures in build/docs")
    sys.exit(0)
