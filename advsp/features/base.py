"""What a preset of features for tagging offers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, Self

from advsp.training.instances import ChainInstances


class TaggedSentence(Protocol):
    """What a preset reads: n words, and their n tags in IOB2."""

    @property
    def words(self) -> tuple[str, ...]: ...

    @property
    def tags(self) -> tuple[str, ...]: ...


class Preset(ABC):
    """Features of sentences: ``fit`` learns them, ``transform`` drops those that it does not know."""

    @abstractmethod
    def fit(
        self,
        sentences: Iterable[TaggedSentence],
        tag_names: Sequence[str],
        progress: Callable[[int], None] | None = None,
    ) -> ChainInstances:
        """Learn from the training sentences and return them as instances.

        Parameters
        ----------
        sentences: S sentences in file order.
        tag_names: the m tags, e.g. ``("PER", "LOC", "ORG", "MISC", "O")``; a tag of the corpus
            without its prefix must be one of them.
        progress: called now and then with the number of sentences done.

        Raises
        ------
        InputError: a class that is not among ``tag_names``.
        """

    @abstractmethod
    def transform(
        self, sentences: Iterable[TaggedSentence], progress: Callable[[int], None] | None = None
    ) -> ChainInstances:
        """Sentences as instances over the features that ``fit`` learnt; other features are dropped.

        A class that is not among the ``tag_names`` of ``fit`` counts as ``O``.
        """

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """What ``fit`` learnt, for JSON."""

    @classmethod
    @abstractmethod
    def from_state(cls, state: dict[str, Any]) -> Self:
        """A preset that transforms as the one did whose ``state`` this is."""
