"""Draw the rooms of advsp and the imports between them: docs/house.svg.

python scripts/draw_house.py
"""

from __future__ import annotations

import sys
from pathlib import Path

from house.imports import read_package
from house.picture import draw

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "house.svg"


def main() -> int:
    """Write the picture; 0."""
    PICTURE.write_text(draw(read_package(ROOT / "advsp")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
