"""Where the tests find the project's own files, and the corpora that it may not ship."""

from __future__ import annotations

import os
from pathlib import Path

#: The folder that holds ``pyproject.toml``.
ROOT = Path(__file__).parents[1]
#: The sample corpora.
SAMPLE = ROOT / "data" / "sample"
#: Corpora of others, where they are.
CORPORA = Path(os.environ.get("ADVSP_FIXTURES") or ROOT.parent / "shared" / "data")
