"""A small bitext to prepare."""

from __future__ import annotations

from gulls import folder, raw, sources

__all__ = ["folder", "raw", "sources"]
