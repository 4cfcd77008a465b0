"""Feature sets: groups of features, and the aligners of which they are made.

================== =================================================================================
basic              what the words themselves and their places tell; needs no unlabelled text
basic+A            the same, with what aligner A predicts
taskar             what Taskar et al. (2005) take from words and unlabelled text
taskar+A           the same, with what aligner A predicts; with more of them: ``taskar+A+B``
everything         and what stands around a link; with all aligners that have links for all splits in use
everything+A       the same, with this aligner alone; with more of them: ``everything+A+B``
statistics+A+B     the same, and what is linked in the whole text by those of the aligners that know it
statistics         the same, with all aligners that have links for all splits in use
statistics+embeddings
                   the same, and how alike a language model finds two words (``advsp[embeddings]``)
statistics+identities
                   ``statistics``, and adjacent words that are linked to one, and frequent words by name
================== =================================================================================

``A`` is named as :func:`~.aligners.find_aligner` finds it: ``m4``, ``m4.ef``, ``lilt1M.giza|m4``.  Not so an
aligner with a ``+`` in its own name, and not other groups: for these there is :class:`FeatureSet`.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from advsp.features.bitext.aligners import Aligner, Available, complete_aligners, find_aligner
from advsp.features.bitext.groups import groups
from advsp.support.errors import InputError

#: Groups that need no aligner.
TASKAR = (
    "bias",
    "dice",
    "distance",
    "dice-distance",
    "orthography",
    "next-dice",
    "rank",
    "common-words",
)
#: Groups that look at words and places alone.
BASIC = ("bias", "distance", "orthography")
#: What aligners predict, and how probable they find it.
PREDICTIONS = ("predictions", "posteriors")
#: What stands around a link and beside it.
CONTEXT = (
    "previous-dice",
    "dice-competition",
    "log-likelihood-ratio",
    "neighbouring-links",
    "neighbouring-predictions",
    "degrees",
    "link-probability",
    "votes",
)

#: What aligners link in the whole text.
STATISTICS = ("link-statistics", "posterior-context")
#: The same by pairs of words, and by name.
IDENTITIES = ("bigrams", "identities")
#: Groups that look at links of the whole text.
OF_TEXT = frozenset({*STATISTICS, *IDENTITIES})

#: Names to groups.
SETS = {
    "basic": (*BASIC, *PREDICTIONS),
    "taskar": (*TASKAR, *PREDICTIONS),
    "everything": (*TASKAR, *PREDICTIONS, *CONTEXT),
    "statistics": (*TASKAR, *PREDICTIONS, *CONTEXT, *STATISTICS),
    "statistics+embeddings": (*TASKAR, *PREDICTIONS, *CONTEXT, *STATISTICS, "embeddings"),
    "statistics+identities": (*TASKAR, *PREDICTIONS, *CONTEXT, *STATISTICS, *IDENTITIES),
}


@dataclass(frozen=True)
class FeatureSet:
    """Which features a possible link has.

    Attributes
    ----------
    groups: registered names of feature groups, in the order of their columns.
    aligners: of which the groups make features; without any, those that need aligners have none.
    everywhere: names of those of them whose links of the whole text are looked at.

    Raises
    ------
    InputError: no groups; an unknown group; a group or an aligner that is there twice.
    """

    groups: tuple[str, ...]
    aligners: tuple[Aligner, ...] = ()
    everywhere: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.groups:
            raise InputError("a feature set needs a feature group", hint=f"known: {', '.join(groups)}")
        for group in self.groups:
            groups.get(group)
        _check_once("feature group", self.groups)
        _check_once("aligner", [aligner.name for aligner in self.aligners])

    @property
    def of_text(self) -> bool:
        """Whether there are groups that look at links of the whole text."""
        return not OF_TEXT.isdisjoint(self.groups)

    @property
    def directions(self) -> list[str]:
        """The directions of all aligners, each once."""
        return list(dict.fromkeys(name for aligner in self.aligners for name in aligner.directions))


def parse_feature_set(
    name: str,
    available: Available,
    splits: Iterable[str],
    everywhere: Collection[str] = (),
    more: Iterable[str] = (),
) -> FeatureSet:
    """The feature set of that name.

    Parameters
    ----------
    available: names of predicted links to the splits for which there are some.
    splits: the splits in use.
    everywhere: names of the aligners that have links of the whole text.
    more: groups that are added to those of the set.

    Raises
    ------
    InputError: an unknown set; what :func:`~.aligners.find_aligner` and :class:`FeatureSet` raise.
    """
    splits = list(splits)
    kind, *names = name.split("+")
    if names and f"{kind}+{names[0]}" in SETS:
        kind = f"{kind}+{names.pop(0)}"
    if kind not in SETS:
        nearest = difflib.get_close_matches(kind, SETS, n=1)
        hint = f"did you mean {nearest[0]!r}?" if nearest else f"known: {', '.join(SETS)}"
        raise InputError(f"unknown feature set {name!r}", hint=hint)
    if kind not in ("basic", "taskar") and not names:
        aligners = tuple(complete_aligners(available, splits))
    else:
        aligners = tuple(find_aligner(aligner, available, splits) for aligner in names)
    found = FeatureSet((*SETS[kind], *more), aligners)
    if not found.of_text:
        return found
    known = tuple(aligner.name for aligner in aligners if aligner.name in everywhere)
    if not known:
        hint = f"name some of {', '.join(everywhere)}" if everywhere else "`run` some in preparing the bitext"
        raise InputError(f"none of the aligners of {name!r} has links of the whole text", hint=hint)
    return replace(found, everywhere=known)


def needs_text(name: str) -> bool:
    """Whether the features of a set look at what unlabelled text tells.

    >>> needs_text("basic+m4"), needs_text("taskar")
    (False, True)
    """
    return name.partition("+")[0] != "basic"


def _check_once(kind: str, names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise InputError(f"{kind} {name!r} is there twice", hint="name it once")
        seen.add(name)
