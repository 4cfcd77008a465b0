"""What was rehearsed with the compiled code that is kept, so that it need not be rehearsed again.

A file beside the code.  Of two processes that write it at a time one may lose what it knows, and a file that
cannot be read is none: then something is rehearsed once more.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from pathlib import Path

from advsp.engine.backends import door
from advsp.support.errors import InputError
from advsp.support.files import write_json


def known() -> dict[str, str | None]:
    """From what was rehearsed to why it is left to numpy, None where it is not."""
    try:
        found = json.loads(_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def remember(found: Mapping[str, str | None]) -> None:
    """Add to what is known."""
    with contextlib.suppress(InputError):
        write_json(_file(), {**known(), **found})


def _file() -> Path:
    # Code is kept for every kind of processor apart.
    return door.folder() / f"rehearsed-{door.processor()}.json"
