"""Word alignment: links between the words of a sentence and of its translation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from advsp.corpora.links import NAACL, PHARAOH, Links, write_links
from advsp.corpora.manifest import MANIFEST
from advsp.corpora.prepared_bitext import list_text_posteriors, load_links, load_pairs, read_manifest
from advsp.features.bitext import embeddings
from advsp.features.bitext.aligners import list_aligners
from advsp.features.bitext.corpus import count_corpus, make_instances
from advsp.features.bitext.grid import link_grid
from advsp.features.bitext.sets import FeatureSet, needs_text, parse_feature_set
from advsp.features.bitext.text_links import TextLinks, load_text_links
from advsp.features.spec import FeatureSpec
from advsp.support.arrays import Bools
from advsp.support.errors import InputError
from advsp.support.progress import Reporter
from advsp.tasks import tasks
from advsp.tasks.base import ALL, TaskOf, View
from advsp.tasks.corpus_section import CorpusSection
from advsp.training.instances import EdgeInstances


class BitextSection(CorpusSection):
    """A folder made by ``advsp prepare-hansards``."""

    validation: str | None = "valid"
    test: list[str] = ["test"]


@tasks.register("bitext")
class Alignment(TaskOf[BitextSection, EdgeInstances]):
    """Sentence pairs with links between their words; scored by the alignment error rate."""

    section = BitextSection
    task = "alignment"
    metrics = ("aer",)
    classes = (ALL,)
    features = "taskar"
    tables = ("table2",)
    has_references = True

    def check_features(self, spec: FeatureSpec) -> None:
        if spec.columns or spec.templates or spec.vectors:
            problem = "sentence pairs have no columns, templates or vectors of words"
            raise InputError(problem, key="features", hint="they have groups of features: features.groups")
        manifest = read_manifest(self.folder)
        if manifest["unlabelled"] is None and needs_text(spec.preset):
            raise InputError(
                f"{spec.preset} looks at unlabelled text, and the bitext was prepared without any",
                key="features.preset",
                hint="choose basic, or basic+ALIGNER, which do without, or prepare it with unlabelled text",
            )
        features = self._feature_set(spec)
        if "embeddings" in features.groups and (reason := embeddings.missing()) is not None:
            raise InputError(f"{spec.preset}: {reason}", key="features.preset", hint=embeddings.INSTALL)

    def files(self) -> dict[str, Path]:
        # The manifest names every file of the corpus with its checksum, and readers hold the files to it.
        manifest = read_manifest(self.folder)
        for split in self.corpus.splits:
            if split not in manifest["splits"]:
                there = ", ".join(manifest["splits"])
                raise InputError(f"the corpus has no split {split!r}; it has {there}", file=self.folder)
        return {name: self.folder / name for name in (MANIFEST, *sorted(manifest["files"]))}

    def featurise(self, specs: Sequence[FeatureSpec], reporter: Reporter) -> dict[str, View]:
        about = read_manifest(self.folder)["unlabelled"]
        progress = reporter.start("counting words", about["kept"] if about else 0)
        try:
            statistics = count_corpus(self.folder, self.corpus.splits, progress=progress)
            links = self._text_links(specs, reporter)
            progress = reporter.start("features", len(specs))
            views = {}
            for spec in specs:
                train, *others = self.corpus.splits
                chosen = self._feature_set(spec)
                instances, features = make_instances(
                    self.folder, chosen, train, others, statistics, links.get(chosen.everywhere)
                )
                views[spec.name] = View(instances, features.save)
                progress(1)
        finally:
            reporter.stop()
        return views

    def _feature_set(self, spec: FeatureSpec) -> FeatureSet:
        aligners, everywhere = read_manifest(self.folder)["aligners"], list_text_posteriors(self.folder)
        return parse_feature_set(spec.preset, aligners, self.corpus.splits, everywhere, spec.groups)

    def _text_links(
        self, specs: Sequence[FeatureSpec], reporter: Reporter
    ) -> dict[tuple[str, ...], TextLinks]:
        """Names of aligners to what they link in the whole text, each read or counted once."""
        wanted = dict.fromkeys(
            chosen.everywhere for chosen in map(self._feature_set, specs) if chosen.of_text
        )
        return {names: load_text_links(self.folder, names, reporter) for names in wanted}

    def write_predictions(
        self,
        folder: Path,
        split: str,
        instances: EdgeInstances,
        claimed: Mapping[str, Bools],
        joint: Mapping[str, Bools],
        begins: Mapping[str, Bools] | None = None,
    ) -> None:
        """Write SPLIT.naacl and SPLIT.pharaoh; predicted links are sure."""
        decided = claimed[ALL]
        links = []
        for pair in range(len(instances)):
            grid = decided[instances.rows(pair)].reshape(instances.shapes[pair])
            links.append(Links(sure=frozenset((row, column) for row, column in np.argwhere(grid).tolist())))
        write_links(folder / f"{split}.naacl", links, NAACL)
        write_links(folder / f"{split}.pharaoh", links, PHARAOH)

    def references(self, split: str, instances: EdgeInstances) -> dict[str, Bools]:
        """What the corpus' unsupervised aligners predict, each direction and their intersection."""
        available = read_manifest(self.folder)["aligners"]
        names = [name for name in available if split in available[name]]
        found: dict[str, Bools] = {}
        pairs = load_pairs(self.folder, split)
        for aligner in list_aligners(names):
            grids = {}
            for name in aligner.directions:
                links = load_links(self.folder, name, split, pairs)
                grids[name] = np.concatenate(
                    [
                        link_grid(pair, (rows, columns)).ravel()
                        for pair, (rows, columns) in zip(links, instances.shapes, strict=True)
                    ]
                )
            found |= grids
            if len(grids) == 2:
                found[f"{aligner.name} [intersection]"] = np.logical_and(*grids.values())
        return found
