"""The first draft of an experiment on column files of named entities."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from advsp.corpora import schemes
from advsp.corpora.tag_models import merged
from advsp.experiments.drafts.columns import Table, guess_scheme, guess_tag, guess_word, read_table
from advsp.experiments.drafts.texts import comments, quoted, run_name, stem
from advsp.support.errors import InputError
from advsp.support.words import counted
from advsp.tasks.base import ALL

#: Splits in their order, and what the names of their files have in them.
_NAMES = {"train": r"train", "dev": r"dev|val|testa", "test": r"test|eval"}
#: Share of the sentences that is held out for a split without a file.
_HELD_OUT = 0.1
#: Share of the entities that stand side by side from which on tags have prefixes; more tags take longer.
_ADJACENT = 0.01
#: Sentences from which on one pass more costs time, and a large grid does not pay.
_MANY = 3000


@dataclass(frozen=True)
class Draft:
    """What was found in the files.

    Attributes
    ----------
    splits: split to its file.
    held_out: splits that are a part of the first file.
    notes: what was guessed, and why, for the user.
    width: number of columns.
    classes: class to its number of entities in the training file.
    merged: entities of the training file that begin where one of their class ends.
    """

    name: str
    splits: dict[str, Table]
    held_out: tuple[str, ...]
    word: int
    tag: int
    width: int
    scheme: str
    docstart: str
    classes: dict[str, int]
    merged: int
    notes: tuple[str, ...]

    @property
    def encoding(self) -> str:
        """The encoding of all files."""
        return next(iter(self.splits.values())).encoding

    @property
    def adjacent(self) -> bool:
        """Whether so many entities stand side by side that it pays to part them."""
        return self.merged > _ADJACENT * sum(self.classes.values())

    @property
    def columns(self) -> dict[str, int]:
        """The further columns, by names that say where they stand."""
        taken = {self.word % self.width, self.tag % self.width}
        return {f"column{number}": number for number in range(self.width) if number not in taken}


def look_at(files: Sequence[Path], name: str | None = None) -> Draft:
    """See how some column files are to be read, and which split each is.

    Parameters
    ----------
    name: of the corpus; None for that of the training file.

    Raises
    ------
    InputError: files that cannot be read or do not belong together.
    """
    tables = [read_table(path) for path in files]
    first = tables[0]
    for table in tables[1:]:
        if table.width != first.width:
            problem = f"found {counted(table.width, 'column')}, expected {first.width} as in {first.path}"
            raise InputError(problem, file=table.path, hint="give files of one corpus")
        if table.encoding != first.encoding:
            problem = f"looks like {table.encoding}, where {first.path} is {first.encoding}"
            raise InputError(problem, file=table.path, hint="convert one of them")
    splits, held_out, why_splits = _splits(tables)
    ordered = list(splits.values())
    word, why_word = guess_word(first)
    tag, why_tag = guess_tag(ordered, word)
    scheme, why_scheme = guess_scheme(ordered, tag)
    found = _classes(splits["train"], tag, scheme)
    classes = {label: count for label, count in found.items() if label != ALL}
    left_out = ", ".join(sorted(found.keys() - classes.keys()))
    if not classes:
        problem = f"no class has a name that is free: {left_out}"
        raise InputError(problem, file=splits["train"].path, hint="rename them in the file")
    marks = sum(table.marks for table in tables)
    merges = merged(
        schemes.to_iob2([line[tag] for line in block], scheme) for block in splits["train"].blocks
    )
    return Draft(
        name=run_name(name or stem(splits["train"].path)),
        splits=splits,
        held_out=held_out,
        word=word,
        tag=tag,
        width=first.width,
        scheme=scheme,
        docstart="uncounted" if marks else "drop",
        classes=classes,
        merged=merges,
        notes=(
            *why_splits,
            f"{counted(first.width, 'column')}: word {word} ({why_word}), tag {tag} ({why_tag})",
            f"scheme {scheme}: {why_scheme}",
            f"encoding {first.encoding}" + ("" if first.encoding == "utf-8" else ": it is not utf-8"),
            f"{marks:,} document marks" if marks else "no document marks",
            f"classes: {', '.join(f'{label} {count:,}' for label, count in classes.items())}",
            *(
                [f"{counted(merges, 'entity', 'entities')} begin where one of their class ends"]
                if merges
                else []
            ),
            *([f"left out, as the average is called so: {left_out}"] if left_out else []),
        ),
    )


def _splits(tables: Sequence[Table]) -> tuple[dict[str, Table], tuple[str, ...], list[str]]:
    """Split to file, splits that are held out, and why."""
    found: dict[str, Table] = {}
    notes = []
    left = []
    for table in tables:
        named = [split for split, form in _NAMES.items() if re.search(form, table.path.name.lower())]
        if named and named[0] not in found:
            found[named[0]] = table
            notes.append(f"{named[0]}: {table.path}, {counted(len(table.blocks), 'sentence')}, by its name")
        else:
            left.append(table)
    for table in sorted(left, key=lambda table: -len(table.blocks)):
        split = next((split for split in _NAMES if split not in found), None)
        if split is None:
            raise InputError("is one file too many", file=table.path, hint="give at most train, dev and test")
        found[split] = table
        notes.append(f"{split}: {table.path}, {counted(len(table.blocks), 'sentence')}, by its size")
    if "train" not in found:
        split = max(found, key=lambda split: len(found[split].blocks))
        raise InputError(
            f"looks like the {split} split, and there is no file to train on",
            file=found[split].path,
            hint="give the training file, too",
        )
    held_out = tuple(split for split in _NAMES if split not in found)
    notes += [
        f"{split}: the last {_HELD_OUT:.0%} of the training file, as it has no file" for split in held_out
    ]
    return {split: found[split] for split in _NAMES if split in found}, held_out, notes


def _classes(table: Table, tag: int, scheme: str) -> dict[str, int]:
    """Classes of the training file by the number of their entities."""
    counts: Counter[str] = Counter()
    for block in table.blocks:
        for found in schemes.to_iob2([line[tag] for line in block], scheme):
            if found[0] == "B":
                counts[found[2:]] += 1
    if not counts:
        raise InputError("has no entities to learn from", file=table.path)
    return dict(sorted(counts.items()))


def write(draft: Draft, command: str) -> str:
    """The configuration as YAML, for a person to read and to change.

    Parameters
    ----------
    command: the command line that asked for it.
    """
    many = len(draft.splits["train"].blocks) >= _MANY
    files = ", ".join(f"{split}: {quoted(str(table.path))}" for split, table in draft.splits.items())
    held_out = ", ".join(f"{split}: {_HELD_OUT}" for split in draft.held_out)
    lines = [*comments(command, draft.notes), ""]
    lines += [
        f"name: {quoted(draft.name)}",
        "",
        "# Read by: advsp prepare-conll . --config THIS-FILE",
        "prepare:",
        f"  output: {quoted(f'data/{draft.name}')}",
        f"  files: {{{files}}}",
        *(
            [f"  hold_out: {{{held_out}}}    # shares of the training file, its last sentences"]
            if held_out
            else []
        ),
        f"  word: {draft.word}            # column of the word, from 0",
        f"  tag: {draft.tag}            # column of the tag; -1 is the last one",
        *(
            [f"  columns: {{{columns}}}    # names are yours; see features below"]
            if (columns := ", ".join(f"{name}: {number}" for name, number in draft.columns.items()))
            else []
        ),
        f"  scheme: {draft.scheme}      # io, iob1, iob2 or bioes",
        f"  encoding: {draft.encoding}",
        f"  docstart: {draft.docstart}  # what becomes of -DOCSTART- lines",
        "",
        "# Read by: advsp train THIS-FILE, and advsp evaluate THIS-FILE",
        "corpus:",
        f"  name: {quoted(draft.name)}",
        f"  path: {quoted(f'data/{draft.name}')}",
        "  validation: dev     # what is chosen is chosen on this split",
        "  test: [test]",
        f"classes: [{', '.join(map(quoted, draft.classes))}]",
        *(
            [
                "# Features of further columns, too, of the word and its neighbours:",
                f"# features: {{preset: stanford, columns: [{', '.join(draft.columns)}]}}",
            ]
            if draft.columns
            else []
        ),
        *(
            ["tags: bio             # classes alone (io) would make one entity of neighbours of a class"]
            if draft.adjacent
            else []
        ),
        "seed: 1",
        "runs: 1               # seeds 1 .. runs; several have an average, which is better",
        "",
        f"optimiser: {{name: adagrad, step: 0.3, passes: {10 if many else 15}, average: iterates}}",
        "selection:",
        f"  passes: {[5] if many else [3, 6, 10]}",
        "  rules: [mode, marginal]",
        f"  grid: {{optimiser.step: {[0.1, 0.3] if many else [0.1, 0.3, 1.0]}}}",
        "",
        "systems:",
        "  ADV_f1:             # trained for the F1 of every class",
        "    learner: {name: adversarial}",
        "  CRF:                # the rival: a conditional random field of all classes",
        "    learner: {name: crf, start: own}",
        "    optimiser: {name: lbfgs, passes: 1, iterations: 300, l2: 1.0}",
        "    selection: {grid: {optimiser.l2: [0.3, 1.0, 3.0]}, passes: [], rules: [mode, marginal]}",
        "    runs: 1",
    ]
    return "\n".join(lines) + "\n"
