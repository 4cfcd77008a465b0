"""The section of a configuration that says what to learn from; every kind of corpus adds keys of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from pydantic import SerializerFunctionWrapHandler, model_serializer, model_validator

from advsp.support.problems import misfit
from advsp.support.sections import Strict

#: Keys of single kinds that every resolved section states, and what the others say there.  The fingerprints
#: of runs were made so when all kinds shared one section; keys that come later need not join.
_STATED: dict[str, Any] = {"sentences": None, "docstart": None, "files": {}}


class CorpusSection(Strict):
    """A corpus and the splits that are used; without ``validation`` nothing can be chosen but by folds.

    Attributes
    ----------
    foreign: what is said of a key that a section of this class has and one of another ``{kind}`` has not.
    later: keys that came later, which are described, and fingerprinted, only where they say something.
    kind: a registered kind of corpus.
    name: what the corpus is called in tables.
    path: folder of the prepared corpus.
    train, validation: the splits to train and to choose on.
    test: the splits that are scored besides.
    """

    foreign: ClassVar[str] = "a corpus of kind {kind} is read as it is"
    later: ClassVar[tuple[str, ...]] = ()

    kind: str
    name: str
    path: str
    train: str = "train"
    validation: str | None
    test: list[str]

    @model_validator(mode="before")
    @classmethod
    def _keys_of_other_kinds(cls, value: Any) -> Any:
        """Refuse the keys of other kinds in their words, and let pass those that say nothing."""
        if not isinstance(value, Mapping):
            return value
        kept = dict(value)
        for section in CorpusSection.of_every_kind():
            for key in section.model_fields.keys() & kept.keys() - cls.model_fields.keys():
                if kept.pop(key) != section.model_fields[key].get_default():
                    raise misfit(section.foreign.format(kind=value.get("kind")), key)
        return kept

    @classmethod
    def of_every_kind(cls) -> Iterator[type[CorpusSection]]:
        """This section and all that are made of it."""
        yield cls
        for section in cls.__subclasses__():
            yield from section.of_every_kind()

    @model_validator(mode="after")
    def _consistent(self) -> CorpusSection:
        if len(set(self.test)) < len(self.test):
            raise misfit("a split stands twice", "test")
        if self.validation in self.test:
            raise misfit("what is chosen on a split cannot be tested on it", "validation")
        return self

    @model_serializer(mode="wrap")
    def _resolved(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        stated = {key: value for key, value in dump(self).items() if value or key not in self.later}
        return {**_STATED, **stated}

    @property
    def splits(self) -> list[str]:
        """All splits, the training split first."""
        return list(dict.fromkeys([self.train, *([self.validation] if self.validation else []), *self.test]))
