"""What shows a user how far a command has come; the library itself never prints."""

from __future__ import annotations

from typing import Protocol

from advsp.training.objective import Tick, no_tick


class Reporter(Protocol):
    """What shows the user how far a command has come."""

    def say(self, text: str) -> None:
        """One line."""

    def start(self, label: str, total: int) -> Tick:
        """A progress bar of ``total`` units; returns its tick."""

    def stop(self) -> None:
        """Remove the bar."""


class Silent:
    """Shows nothing."""

    def say(self, text: str) -> None:
        """Nothing."""

    def start(self, label: str, total: int) -> Tick:
        """A tick that does nothing."""
        return no_tick

    def stop(self) -> None:
        """Nothing."""
