"""Which features an experiment asks for: a preset, and features of the user's own beside it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass


@dataclass(frozen=True)
class FeatureSpec:
    """A preset and what is added to it.

    Attributes
    ----------
    preset: its registered name, or the name of a feature set.
    columns: further columns of the corpus, and how many tokens to either side they are looked at.
    templates: templates in the syntax of :mod:`advsp.features.template_syntax`.
    vectors: file of word vectors; None for none.
    groups: registered groups of features of links.
    """

    preset: str
    columns: tuple[tuple[str, int], ...] = ()
    templates: tuple[str, ...] = ()
    vectors: str | None = None
    groups: tuple[str, ...] = ()

    @property
    def added(self) -> bool:
        """Whether there is anything beside the preset."""
        return bool(self.columns or self.templates or self.vectors or self.groups)

    @property
    def name(self) -> str:
        """What the features are called, also as a folder: the preset, and a digest of what is added."""
        name = self.preset.replace("|", "~")
        if not self.added:
            return name
        added = json.dumps(
            [self.columns, self.templates, self.vectors, *([self.groups] if self.groups else [])]
        )
        return f"{name}-{hashlib.sha256(added.encode()).hexdigest()[:8]}"
