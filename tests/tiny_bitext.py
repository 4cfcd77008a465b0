"""A tiny bitext, an experiment on it, and what is needed to prepare the one and run the other."""

from __future__ import annotations

from pathlib import Path

from advsp.corpora.bitext import Link

#: A sentence pair a line: source, target, sure links ``source-target`` and possible links ``source?target``.
#: Some words have several sure links, so that the gold links are not always a matching.
PAIRS = {
    "train": """
        the gull sleeps ||| la mouette dort ||| 0-0 1-1 2-2
        no wind ||| pas de vent ||| 0-0 0?1 1-2
        goodbye , harbour ||| au revoir , port ||| 0-0 0-1 1-2 2-3
        the old harbour ||| le vieux port ||| 0-0 1-1 2-2
        gulls sleep ||| les mouettes dorment ||| 0?0 0-1 1-2
        the wind rises ||| le vent monte ||| 0?0 1-1 2-2
        no gull ||| pas de mouette ||| 0-0 0?1 1-2
    """,
    "valid": """
        the old gull ||| la vieille mouette ||| 0-0 1-1 2-2
        goodbye , gulls ||| au revoir , mouettes ||| 0-0 0-1 1-2 2-3
        no harbour ||| pas de port ||| 0-0 0?1 1-2
        there rises the tide ||| la mer monte ||| 1-2 2?0 3-1
    """,
    "test": """
        the wind sleeps ||| le vent dort ||| 0-0 1-1 2-2
        no tide ||| pas de maree ||| 0-0 0?1 1-2
        old gulls ||| les vieilles mouettes ||| 0-1 1?0 1-2
    """,
}

#: What two directions of an aligner predict, pair by pair: m.ef has a link for most target words, m.fe
#: for most source words; both are wrong here and there.
ALIGNERS = {
    "m.ef": {
        "train": [
            "0-0 1-1 2-2",
            "0-0 0-1 1-2",
            "0-0 0-1 1-2 2-3",
            "0-0 1-1",
            "0-0 0-1 1-2",
            "0-1 2-2",
            "0-1",
        ],
        "valid": ["0-0 1-1 1-2", "0-1 1-2 2-3", "0-0 0-1 1-2", "2-0 3-1 2-2"],
        "test": ["0-0 1-1 1-2", "0-0 1-1", "0-1 1-2"],
    },
    "m.fe": {
        "train": ["0-0 1-1 2-2", "0-0 1-2", "0-1 1-2 2-3", "0-0 2-2", "0-1 1-2", "0-0 1-1 2-2", "0-0 1-2"],
        "valid": ["0-0 2-2", "0-1 2-3", "0-0 1-1", "2-0 1-1"],
        "test": ["0-0 1-1 2-2", "0-0", "0-2 1-1"],
    },
}

UNLABELLED = """
    the gull sleeps ||| la mouette dort
    the gulls ||| les mouettes
    the wind ||| le vent
    no wind ||| pas de vent
    the old harbour ||| le vieux port
    the harbour sleeps ||| le port dort
    goodbye ||| au revoir
    no ||| pas
    , ||| ,
"""

SOURCES = """\
labelled:
  train: {source: train.en, target: train.fr, links: train.naacl}
  valid: {source: valid.en, target: valid.fr, links: valid.naacl}
  test: {source: test.en, target: test.fr, links: test.naacl}
links: {format: naacl, base: 1, order: source-target}
aligners:
  m.ef: {train: m.ef.train, valid: m.ef.valid, test: m.ef.test}
  m.fe: {train: m.fe.train, valid: m.fe.valid, test: m.fe.test}
aligner_links: {format: pharaoh, base: 0, order: source-target}
unlabelled: {source: text.en, target: text.fr}
normalise: {source: [lower], target: [lower]}
"""

#: Every learner of word alignment, two sets of features, a grid, several seeds, and a choice by folds.
EXPERIMENT = """\
name: harbour
corpus: {kind: bitext, name: harbour, path: corpus}
seed: 1
workers: 1
checkpoint_seconds: 0
engine: {lp: linprog, oracle: numpy}   # what is chosen hangs on which of several equilibria is found
features: {preset: taskar+m}
optimiser: {name: adagrad, step: 0.05, batch: 3, passes: 2, l2: 0.1, initial: {name: logistic, scale: 0.1}}
selection: {rules: [mode, threshold]}
evaluation: {bootstrap: 100, tolerance: 0.01}
systems:
  SSVM [taskar]:
    features: {preset: taskar}
    learner: {name: ssvm}
    optimiser: {name: bcfw, passes: 4, l2: 0.1, certify_every: 2}
    selection: {rules: [mode], grid: {learner.false_positive: [50.0, 1.0]}}
  ADV_bip [m, ignore]:
    learner: {name: adversarial-links, structure: matching, possible: ignore}
    optimiser: {initial: {scale: 0.0}}
    selection: {rules: [mode]}
  ADV_aer [m, label]:
    learner: {name: adversarial-links}
    selection: {passes: [1], folds: 2, last_fit: training, grid: {optimiser.step: [0.2, 0.05]}}
    runs: 2
  ADV_aer [m, ignore]:
    learner: {name: adversarial-links, possible: ignore}
    selection: {rules: [threshold]}
  logistic [m]:
    learner: {name: logistic, possible: label}
    optimiser: {name: lbfgs, passes: 1, iterations: 20, l2: 1.0}
"""

SPLITS = tuple(PAIRS)
#: Links of one pair: sure and possible.
Gold = tuple[frozenset[Link], frozenset[Link]]


def lines(text: str) -> list[list[str]]:
    """The fields of every line of a text in the notation above."""
    return [[field.strip() for field in line.split("|||")] for line in text.strip().splitlines()]


def gold(split: str) -> list[Gold]:
    """Sure and possible links of every pair."""
    found = []
    for _, _, links in lines(PAIRS[split]):
        marked = {mark: [link.split(mark) for link in links.split() if mark in link] for mark in "-?"}
        sure, possible = (frozenset((int(e), int(f)) for e, f in marked[mark]) for mark in "-?")
        found.append((sure, possible))
    return found


def links_of(text: str) -> frozenset[Link]:
    """Links in the notation of aligners."""
    return frozenset(tuple(map(int, link.split("-"))) for link in text.split())


def write_raw(folder: Path) -> None:
    """The files that the bitext is prepared from."""
    folder.mkdir(parents=True, exist_ok=True)
    for split, text in PAIRS.items():
        for side, name in enumerate(("en", "fr")):
            (folder / f"{split}.{name}").write_text("".join(f"{line[side]}\n" for line in lines(text)))
        naacl = [
            f"{number} {e + 1} {f + 1} {mark}\n"
            for number, marked in enumerate(gold(split), 1)
            for mark, links in zip("SP", marked)
            for e, f in sorted(links)
        ]
        (folder / f"{split}.naacl").write_text("".join(naacl))
    for name, predicted in ALIGNERS.items():
        for split, links in predicted.items():
            (folder / f"{name}.{split}").write_text("".join(f"{line}\n" for line in links))
    for side, name in enumerate(("en", "fr")):
        (folder / f"text.{name}").write_text("".join(f"{line[side]}\n" for line in lines(UNLABELLED)))


def prepare(folder: Path) -> None:
    """Prepare ``corpus`` from ``raw``, both in ``folder``."""
    from advsp.experiments.prepare import prepare_bitext_corpus
    from advsp.support.progress import Silent

    prepare_bitext_corpus(folder / "raw", folder / "corpus", folder / "prepare.yaml", (), Silent())


def make_workspace(folder: Path) -> None:
    """Parallel text in ``raw``, the bitext prepared from it in ``corpus``, and ``harbour.yaml``."""
    write_raw(folder / "raw")
    (folder / "prepare.yaml").write_text(SOURCES)
    (folder / "harbour.yaml").write_text(EXPERIMENT)
    prepare(folder)
