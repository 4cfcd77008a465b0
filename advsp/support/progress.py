"""How far a command has come: what is told of it, and who shows it; the library itself never prints."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """A callback that is told the number of examples just done and, now and then, how it goes."""

    def __call__(self, examples: int, note: str = "") -> None: ...


def no_progress(examples: int, note: str = "") -> None:
    """Shows nothing."""


class Reporter(Protocol):
    """What shows the user how far a command has come."""

    def say(self, text: str) -> None:
        """One line."""

    def start(self, label: str, total: int) -> Progress:
        """Show a bar of ``total`` units; what is returned moves it."""

    def stop(self) -> None:
        """Remove the bar."""


class Silent:
    """Shows nothing."""

    def say(self, text: str) -> None:
        """Nothing."""

    def start(self, label: str, total: int) -> Progress:
        """Progress that is not shown."""
        return no_progress

    def stop(self) -> None:
        """Nothing."""
