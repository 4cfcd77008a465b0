"""The first draft of an experiment on parallel text with word alignments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Literal

from advsp.corpora.bitext import SentencePair
from advsp.corpora.bitext_sources import LabelledText, read_labelled
from advsp.corpora.links import BASES, FORMATS, ORDERS, Notation, pairs_of
from advsp.corpora.parallel_text import SEPARATOR, TextFiles
from advsp.corpora.wrappers import Wrapper, wrapper_of
from advsp.experiments.drafts.texts import comments, decoded, quoted, run_name, stem
from advsp.support.errors import InputError
from advsp.support.words import counted

#: Splits in their order, and what the names of their texts have in them.
_NAMES = {"train": r"train", "valid": r"dev|val|trial", "test": r"test|eval"}
#: Share of the pairs of the first text that goes to a split without a text of its own.
_SHARE = 0.2
#: Fewer pairs cannot be split.
_FEWEST = 5
_AROUND = {"sgml": "tags, <s> ... </s>", "numbered": "a line with its number"}
_SAME_NAME = "give the files of one text one name: train.en, train.fr, train.naacl"

Kind = Literal["text", "joint", "naacl", "pharaoh"]


@dataclass(frozen=True)
class Found:
    """A file, and what it looks like."""

    path: Path
    encoding: str
    lines: tuple[str, ...]
    kind: Kind

    @property
    def wrapper(self) -> Wrapper | None:
        """What stands around its every line."""
        return wrapper_of(self.lines)


@dataclass(frozen=True)
class Text:
    """The files of one parallel text.

    Attributes
    ----------
    sides: one file of both sides, or those of source and target.
    links: the file of its links, if there is one.
    """

    name: str
    sides: tuple[Found, ...]
    links: Found | None

    def files(self, encoding: str) -> TextFiles:
        """Where the text is."""
        source, *target = (side.path for side in self.sides)
        return TextFiles(source, target[0] if target else None, encoding, self.wrapper)

    @property
    def wrapper(self) -> Wrapper | None:
        """What stands around every sentence of either side.

        Raises
        ------
        InputError: around those of one side alone.
        """
        first, *others = (side.wrapper for side in self.sides)
        for side, other in zip(self.sides[1:], others):
            if other != first:
                problem = (
                    f"looks like wrapper: {other or 'none'}, {self.sides[0].path} like {first or 'none'}"
                )
                hint = "sentences of both sides have the same around them: convert one of the files"
                raise InputError(problem, file=side.path, hint=hint)
        return first

    @property
    def names(self) -> dict[str, str]:
        """The keys of a configuration, and the files."""
        sides = dict(zip(("source", "target"), (str(side.path) for side in self.sides)))
        return sides | ({"wrapper": self.wrapper} if self.wrapper else {})


@dataclass(frozen=True)
class Draft:
    """What was found in the files.

    Attributes
    ----------
    labelled: texts with links, by their names; pairs by the same.
    numbers: by text what its link file calls the pairs; where it does not say 1, 2, ...
    splits: split to text, first and last pair, from 1; None where the text ends.
    unlabelled: text without links, or the first text itself.
    notes: what was guessed, and why, for the user.
    """

    name: str
    labelled: dict[str, Text]
    numbers: dict[str, list[int]]
    notation: Notation
    splits: dict[str, tuple[str, int, int | None]]
    unlabelled: Text
    encoding: str
    notes: tuple[str, ...]


def look_at(files: Sequence[Path], name: str | None = None) -> Draft:
    """See what some files of parallel text and links are, and how they are to be read.

    Parameters
    ----------
    name: of the corpus; None for that of the text that is trained on.

    Raises
    ------
    InputError: files that cannot be read, or do not belong together.
    """
    found = [_look(path) for path in files]
    encoding = _encoding(found)
    texts = _texts(found)
    labelled = {text.name: text for text in texts if text.links}
    others = [text for text in texts if not text.links]
    if not labelled:
        problem = "no file of links among them: a link a line, `pair i j [S|P]`, or a pair a line, `i-j k-l`"
        raise InputError(problem, file=found[0].path, hint=_SAME_NAME)
    if len(others) > 1:
        problem = "is a second text without links"
        raise InputError(problem, file=others[1].sides[0].path, hint="join all text without links")
    notation, numbers, pairs, why_links = _notation(labelled, encoding)
    splits, why_splits = _splits(pairs)
    first = labelled[splits["train"][0]]
    unlabelled = others[0] if others else first
    sides, more = [side.path.name for side in first.sides], unlabelled.sides[0]
    return Draft(
        name=run_name(name or stem(first.sides[0].path)),
        labelled=labelled,
        numbers=numbers,
        notation=notation,
        splits=splits,
        unlabelled=unlabelled,
        encoding=encoding,
        notes=(
            *why_splits,
            f"source: {sides[0]}, target: {sides[1]}, in the order in which they were given"
            if len(sides) == 2
            else f"source and target in one file: {sides[0]}",
            *why_links,
            *(
                f"{text.name}: every sentence stands in {_AROUND[text.wrapper]}, which is taken off"
                for text in texts
                if text.wrapper
            ),
            f"encoding {encoding}" + ("" if encoding == "utf-8" else ": it is not utf-8"),
            f"unlabelled text: {more.path.name}, {counted(len(more.lines), 'pair')}"
            if others
            else "no text without links was given: words are counted in the labelled text; more helps a lot",
        ),
    )


def write(draft: Draft, command: str) -> str:
    """The configuration as YAML, for a person to read and to change.

    Parameters
    ----------
    command: the command line that asked for it.
    """
    notation, data = draft.notation, quoted(f"data/{draft.name}")
    lines = [
        *comments(command, draft.notes),
        "",
        f"name: {quoted(draft.name)}",
        "",
        "# Read by: advsp prepare-hansards . --config THIS-FILE",
        "prepare:",
        f"  output: {data}",
        "  labelled:",
    ]
    for name, text in draft.labelled.items():
        assert text.links is not None
        fields = {**text.names, "links": str(text.links.path)}
        shown = ", ".join(f"{key}: {quoted(value)}" for key, value in fields.items())
        numbers = f", numbers: [{_ranges(draft.numbers[name])}]" if name in draft.numbers else ""
        lines.append(f"    {quoted(name)}: {{{shown}{numbers}}}")
    lines += [
        f"  links: {{format: {notation.format}, base: {notation.base}, order: {notation.order}}}",
        "  splits:",
    ]
    for split, (text_name, begin, end) in draft.splits.items():
        until = "" if end is None else f", last: {end}"
        lines.append(f"    {split}: {{text: {quoted(text_name)}, first: {begin}{until}}}")
    sides = ", ".join(f"{key}: {quoted(value)}" for key, value in draft.unlabelled.names.items())
    lines += [
        "  # Links of an unsupervised aligner, which is trained on all of the text; its model is kept.",
        "  run: {agreement: {name: agreement}}",
        f"  unlabelled: {{{sides}}}",
        "  # How words are spelled where they are counted; data/README.md has other steps.",
        "  normalise: {source: [lower], target: [lower]}",
        f"  encoding: {draft.encoding}",
        "",
        "# Read by: advsp train THIS-FILE, and advsp evaluate THIS-FILE",
        "corpus:",
        "  kind: bitext",
        f"  name: {quoted(draft.name)}",
        f"  path: {data}",
        "  validation: valid     # what is chosen is chosen on this split",
        "  test: [test]",
        "seed: 1",
        "features: {preset: taskar+agreement}",
        "",
        "optimiser:",
        "  name: adagrad",
        "  step: 0.003",
        "  batch: 10",
        "  passes: 5",
        "  initial: logistic     # games start from a scaled logistic regression",
        "  tolerance: {start: 0.1, floor: 0.03}",
        "selection:",
        "  rules: [mode, marginal, threshold]",
        "  grid: {optimiser.l2: [1.0, 100.0]}",
        "evaluation: {tolerance: 0.001}",
        "",
        "systems:",
        "  ADV_aer:              # trained for the alignment error rate",
        "    learner: {name: adversarial-links, possible: ignore}",
        "  logistic:             # the rival: every link by itself",
        "    learner: {name: logistic}",
        "    optimiser: {name: lbfgs, passes: 1, iterations: 200, initial: zeros}",
        "    selection: {passes: [], rules: [marginal, threshold], grid: {optimiser.l2: [1.0, 10.0]}}",
    ]
    return "\n".join(lines) + "\n"


def _look(path: Path) -> Found:
    encoding, lines = decoded(path)
    written = [line for line in lines if line.strip()]
    if not written:
        raise InputError("is empty", file=path)
    kind: Kind = "text"
    for form in FORMATS:
        if pairs_of(lines, form) is not None:
            kind = "naacl" if form == "naacl" else "pharaoh"
    if kind == "text" and all(line.split().count(SEPARATOR) == 1 for line in lines):
        kind = "joint"
    return Found(path, encoding, tuple(lines), kind)


def _encoding(found: Sequence[Found]) -> str:
    """One encoding for all files; what is plain ASCII is in any."""
    special = [file for file in found if not all(map(str.isascii, file.lines))]
    for file in special[1:]:
        if file.encoding != special[0].encoding:
            problem = f"looks like {file.encoding}, where {special[0].path} is {special[0].encoding}"
            raise InputError(problem, file=file.path, hint="convert one of them")
    return special[0].encoding if special else "utf-8"


def _texts(found: Sequence[Found]) -> list[Text]:
    """Files of one name are one text; if there is one text alone, names do not matter."""
    links = [file for file in found if file.kind in FORMATS]
    named: dict[str, list[Found]] = {}
    for file in found:
        named.setdefault(stem(file.path), []).append(file)
    if len(found) - len(links) <= 2 and len(links) == 1:
        named = {stem(found[0].path): list(found)}
    ends: list[str] = []
    texts = []
    for name, files in named.items():
        sides = [file for file in files if file.kind not in FORMATS]
        own = [file for file in files if file.kind in FORMATS]
        joint = [file for file in sides if file.kind == "joint"]
        if len(own) > 1 or not (len(sides) == 1 and joint or len(sides) == 2 and not joint):
            what = ", ".join(f"{file.path.name} ({file.kind})" for file in files)
            problem = f"one text has source and target, or one file of both, and perhaps links; found {what}"
            raise InputError(problem, file=files[0].path, hint=_SAME_NAME)
        if len(sides) == 2:
            # Source is what was given first, of whatever text.
            ends = ends or [side.path.name.removeprefix(name) for side in sides]
            sides.sort(key=lambda side: side.path.name.removeprefix(name) != ends[0])
            short, long = sorted(sides, key=lambda side: len(side.lines))
            if len(short.lines) != len(long.lines):
                problem = f"found {counted(len(short.lines), 'line')}, {long.path} has {len(long.lines)}"
                hint = "line i of one file is the translation of line i of the other"
                raise InputError(problem, file=short.path, hint=hint)
        texts.append(Text(name, tuple(sides), own[0] if own else None))
    return texts


def _notation(
    labelled: dict[str, Text], encoding: str
) -> tuple[Notation, dict[str, list[int]], dict[str, list[SentencePair]], list[str]]:
    """How all link files are written, what they call the pairs, the pairs themselves, and why."""
    forms = {text.links.kind: text.links.path for text in labelled.values() if text.links}
    if len(forms) > 1:
        first, second = forms.values()
        raise InputError(f"is written otherwise than {first}", file=second, hint="convert one of them")
    (form,) = forms
    numbers: dict[str, list[int]] = {}
    for name, text in labelled.items():
        assert text.links is not None
        if form == "naacl":
            called = pairs_of(text.links.lines, form) or []
            if len(called) == len(text.sides[0].lines) and called != list(range(1, len(called) + 1)):
                numbers[name] = called
    likely = BASES if form == "pharaoh" else BASES[::-1]
    refused: InputError | None = None
    fitting: dict[Notation, dict[str, list[SentencePair]]] = {}
    for order, base in product(ORDERS, likely):
        notation = Notation(form, base, order)
        try:
            fitting[notation] = {
                name: read_labelled(
                    LabelledText(text.files(encoding), text.links.path, numbers.get(name)), notation
                )
                for name, text in labelled.items()
                if text.links
            }
        except InputError as error:
            refused = refused or error
    if not fitting:
        assert refused is not None
        raise refused
    notation, *others = fitting
    usual = "as is usual" if notation.base == likely[0] else "as the usual base does not fit"
    also = ", ".join(f"base {other.base} {other.order}" for other in others)
    possible = sum(len(pair.possible) for pairs in fitting[notation].values() for pair in pairs)
    sure = sum(len(pair.sure) for pairs in fitting[notation].values() for pair in pairs)
    why = [
        f"links: {form}, words counted from {notation.base} ({usual}), {notation.order}"
        + (f"; what fits, too: {also}" if others else "; nothing else fits"),
        f"{sure:,} sure and {possible:,} possible links",
    ]
    return notation, numbers, fitting[notation], why


def _splits(
    pairs: dict[str, list[SentencePair]],
) -> tuple[dict[str, tuple[str, int, int | None]], list[str]]:
    """Split to its part of a text, and why."""
    found: dict[str, str] = {}
    left, notes = [], []
    for name in pairs:
        named = [split for split, form in _NAMES.items() if re.search(form, name.lower())]
        if named and named[0] not in found and len(pairs) > 1:
            found[named[0]] = name
            notes.append(f"{named[0]}: {name}, {counted(len(pairs[name]), 'pair')}, by its name")
        else:
            left.append(name)
    for name in sorted(left, key=lambda name: -len(pairs[name])):
        split = next((split for split in _NAMES if split not in found), None)
        if split is None:
            raise InputError(f"the text {name} is one too many", hint="give at most train, valid and test")
        found[split] = name
        notes.append(f"{split}: {name}, {counted(len(pairs[name]), 'pair')}, by its size")
    if "train" not in found:
        raise InputError("there is no text to train on", hint="give the training text, too")
    missing = [split for split in _NAMES if split not in found]
    text = found["train"]
    number = len(pairs[text])
    if missing and number < _FEWEST:
        raise InputError(f"found {counted(number, 'pair')}, too few to be split", hint="give a text a split")
    share = max(1, round(_SHARE * number))
    kept = number - share * len(missing)
    parts: dict[str, tuple[str, int, int | None]] = {
        split: (name, 1, kept if split == "train" and missing else None) for split, name in found.items()
    }
    for place, split in enumerate(missing):
        begin = kept + place * share + 1
        end = None if place == len(missing) - 1 else begin + share - 1
        parts[split] = text, begin, end
        notes.append(f"{split}: pairs {begin} to {end or number} of {text}, as it has no text")
    return {split: parts[split] for split in _NAMES}, notes


def _ranges(numbers: Sequence[int]) -> str:
    """Ascending runs of numbers, ``1-8, 11-39``."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(f"{first}-{last}" if last > first else str(first) for first, last in runs)
