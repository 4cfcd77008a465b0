"""What every registered task must do with its kind of corpus: files, features, predictions, references."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import conftest
import numpy as np
import pytest
import tiny_bitext

from advsp.experiments.config import ExperimentConfig
from advsp.features.bitext.text_counts import FILE
from advsp.features.spec import FeatureSpec
from advsp.learners import learners
from advsp.metrics import metrics
from advsp.support.errors import InputError
from advsp.support.progress import Silent
from advsp.tasks import tasks
from advsp.tasks.alignment import BitextSection
from advsp.tasks.base import Task
from advsp.tasks.corpus_section import CorpusSection
from advsp.tasks.tagging import ConllSection, FeaturesSection
from advsp.training.instances import Instances

FEATURES = """\
1 qid:1 1:U:1:1 9:B:1:1
2 qid:1 2:U:2:1 9:B:1:1
1 qid:2 1:U:1:1 3:U:3:0.5 9:B:1:1
2 qid:2 2:U:2:1 10:B:2:1
"""


@dataclass(frozen=True)
class Case:
    """A corpus of one kind.

    Attributes
    ----------
    corpus: where it is, with three splits.
    classes: what is learnt.
    presets: features that can be asked for.
    files: names of the files of predictions, without the split.
    """

    corpus: CorpusSection
    classes: tuple[str, ...]
    presets: tuple[FeatureSpec, ...]
    files: tuple[str, ...]

    def task(self, **changes) -> Task:
        corpus = type(self.corpus).model_validate({**self.corpus.model_dump(), **changes})
        return tasks.get(corpus.kind)(corpus, self.classes)


def named(*presets: str) -> tuple[FeatureSpec, ...]:
    return tuple(map(FeatureSpec, presets))


def corpus_of(kind: str, folder: Path) -> Case:
    """A corpus of that kind below ``folder``."""
    if kind == "bitext":
        tiny_bitext.make_workspace(folder)
        corpus = BitextSection(kind=kind, name="x", path=str(folder / "corpus"))
        return Case(corpus, ("all",), named("taskar", "taskar+m", "taskar+m.ef"), ("naacl", "pharaoh"))
    if kind == "conll":
        conftest.make_workspace(folder)
        corpus = ConllSection(kind=kind, name="x", path=str(folder / "corpus"))
        return Case(corpus, ("PER", "LOC"), named("stanford", "paper"), ("conll",))
    files = {split: f"{split}.features" for split in ("train", "testa", "testb")}
    folder.mkdir()
    for name in files.values():
        (folder / name).write_text(FEATURES)
    corpus = FeaturesSection(kind=kind, name="x", path=str(folder), files=files)
    return Case(corpus, ("PER",), named("stanford"), ("conll",))


every = pytest.mark.parametrize("kind", tasks.names())


@pytest.fixture(scope="module")
def cases(tmp_path_factory) -> dict[str, Case]:
    return {kind: corpus_of(kind, tmp_path_factory.mktemp(kind) / "workspace") for kind in tasks}


@pytest.fixture(scope="module")
def featurised(cases) -> dict[str, dict[str, Instances]]:
    """Kinds to the splits seen through the first preset."""
    return {
        kind: case.task().featurise(case.presets[:1], Silent())[case.presets[0].name].instances
        for kind, case in cases.items()
    }


@every
def test_registered_name_is_a_kind_of_corpus_for_which_there_are_learners_and_metrics(kind):
    task = tasks.get(kind)
    assert {learners.get(name).task for name in learners} >= {task.task}
    assert task.metrics and set(task.metrics) <= set(metrics)


@every
def test_defaults_are_what_a_configuration_says_where_it_says_nothing(kind, cases):
    task = tasks.get(kind)
    learner = next(name for name in learners if learners.get(name).task == task.task)
    given = {
        "name": "least",
        "corpus": {"kind": kind, "name": "x", "path": "nowhere"},
        "systems": {"A": {"learner": {"name": learner}}},
    }
    if task.classes is None:
        given["classes"] = list(cases[kind].classes)
    config = ExperimentConfig.model_validate(given)
    assert type(config.corpus) is task.section
    assert config.corpus.splits == cases[kind].corpus.splits
    assert config.classes == list(task.classes or cases[kind].classes)
    assert config.table == task.tables[0]
    for shared in (config, config.systems["A"]):
        assert shared.features.preset == task.features
        assert shared.selection.metric == task.metrics[0]
    cases[kind].task().check_features(FeatureSpec(task.features))


@every
def test_known_features_are_accepted_and_others_refused(kind, cases):
    task = cases[kind].task()
    for preset in cases[kind].presets:
        task.check_features(preset)
    with pytest.raises(InputError, match="unknown feature (set|preset) 'stanfrod'"):
        task.check_features(FeatureSpec("stanfrod"))


@every
def test_files_are_there_and_have_names_of_their_own(kind, cases):
    files = cases[kind].task().files()
    assert files and len(set(files.values())) == len(files)
    assert all(path.is_file() for path in files.values())


@every
def test_split_that_is_not_there_is_refused(kind, cases):
    for change in ({"train": "trial"}, {"validation": "trial"}, {"test": ["trial"]}):
        with pytest.raises(InputError, match="split 'trial'"):
            cases[kind].task(**change).files()


@every
def test_every_file_of_a_split_matters(kind, cases):
    """What a result depends on is what checksums are taken of: without the test split there is no less."""
    with_test, without = cases[kind].task().files(), cases[kind].task(test=[]).files()
    assert without.items() <= with_test.items()


@every
def test_splits_come_in_their_order_and_belong_together(kind, cases, featurised):
    case, splits = cases[kind], featurised[kind]
    assert list(splits) == case.corpus.splits
    assert len({type(data) for data in splits.values()}) == 1
    assert len({str(data.signature()) for data in splits.values()}) == 1
    assert len({str(data.feature_counts()) for data in splits.values()}) == 1
    assert all(len(data) > 0 for data in splits.values())


@every
def test_splits_that_are_not_in_use_are_not_read(kind, cases):
    case = cases[kind]
    views = case.task(test=[], validation=None).featurise(case.presets[:1], Silent())
    assert list(views[case.presets[0].name].instances) == [case.corpus.train]


@every
def test_every_preset_is_a_view_with_examples_of_its_own_features(kind, cases, featurised):
    case = cases[kind]
    views = case.task().featurise(case.presets, Silent())
    assert list(views) == [spec.name for spec in case.presets]
    for view in views.values():
        for split, data in view.instances.items():
            assert len(data) == len(featurised[kind][split]), "or systems could not be compared"
    if len(case.presets) > 1:
        first, second = (views[preset.name].instances[case.corpus.train] for preset in case.presets[:2])
        assert first.feature_counts() != second.feature_counts()


@every
def test_same_corpus_is_seen_the_same_way_twice(kind, cases, featurised):
    case = cases[kind]
    again = case.task().featurise(case.presets[:1], Silent())[case.presets[0].name].instances
    for split, data in featurised[kind].items():
        mine, its = data.arrays(), again[split].arrays()
        assert mine.keys() == its.keys()
        assert all(np.array_equal(mine[name], its[name]) for name in mine)


@every
def test_what_features_learnt_is_saved_under_the_name_given(kind, cases, tmp_path):
    case = cases[kind]
    for preset, view in case.task().featurise(case.presets, Silent()).items():
        if view.save is None:
            assert kind == "features", "what is ready-made learns nothing"
            continue
        folder = tmp_path / preset
        folder.mkdir()
        view.save(folder / "a.b")
        assert {path.suffix for path in folder.iterdir()} <= {".json", ".npz"}
        assert {path.stem for path in folder.iterdir()} == {"a.b"}


@every
def test_bars_of_featurising_are_filled_exactly(kind, cases):
    bars, stops = [], []

    class Listener(Silent):
        def start(self, label, total):
            bars.append([label, total, 0])

            def progress(examples, note=""):
                bars[-1][2] += examples

            return progress

        def stop(self):
            stops.append(1)

    case = cases[kind]
    case.task().featurise(case.presets, Listener())
    assert all(total == done > 0 for _, total, done in bars)
    assert bool(bars) == bool(stops)


@every
def test_predictions_of_every_split_have_files_of_their_own(kind, cases, featurised, tmp_path):
    case = cases[kind]
    for split, data in featurised[kind].items():
        positions = int(data.offsets[-1])
        claimed = {label: np.arange(positions) % 2 == 0 for label in case.classes}
        case.task().write_predictions(tmp_path / "new" / "folder", split, data, claimed, only_one(claimed))
    written = {path.name for path in (tmp_path / "new/folder").iterdir()}
    assert written == {f"{split}.{ending}" for split in featurised[kind] for ending in case.files}


@every
def test_predictions_depend_on_what_is_decided(kind, cases, featurised, tmp_path):
    case = cases[kind]
    data = featurised[kind][case.corpus.train]
    positions = int(data.offsets[-1])
    texts = {}
    for value in (False, True):
        claimed = {label: np.full(positions, value) for label in case.classes}
        case.task().write_predictions(tmp_path / str(value), "train", data, claimed, only_one(claimed))
        texts[value] = [(tmp_path / str(value) / f"train.{ending}").read_text() for ending in case.files]
    assert all(nothing != decided for nothing, decided in zip(texts[False], texts[True], strict=True))


@every
def test_decisions_can_be_counted_by_every_metric(kind, cases, featurised):
    case = cases[kind]
    for data in featurised[kind].values():
        nothing = np.zeros(int(data.offsets[-1]), dtype=bool)
        for name in case.task().metrics:
            metric = metrics.get(name)()
            for label in case.classes:
                assert metric.counts(nothing, data, label).shape == (len(data), len(metric.columns))


@every
def test_references_are_decisions_about_every_position(kind, cases, featurised):
    task = cases[kind].task()
    for split in cases[kind].corpus.splits:
        data = featurised[kind][split]
        found = task.references(split, data)
        assert bool(found) == task.has_references
        for decided in found.values():
            assert (decided.dtype, decided.shape) == (np.dtype(bool), (int(data.offsets[-1]),))


def only_one(claimed):
    """The same decisions, those of the first class alone where several claim a position."""
    first = next(iter(claimed))
    return {label: mask if label == first else mask & ~claimed[first] for label, mask in claimed.items()}


# --- what is special about a kind -------------------------------------------------------------------


def test_links_are_written_in_two_notations(cases, featurised, tmp_path):
    data = featurised["bitext"]["test"]
    sure = {"all": data.labels == 2}
    cases["bitext"].task().write_predictions(tmp_path, "test", data, sure, sure)
    gold = [sorted(sure) for sure, _ in tiny_bitext.gold("test")]
    assert (tmp_path / "test.pharaoh").read_text().splitlines() == [
        " ".join(f"{e}-{f}" for e, f in links) for links in gold
    ]
    assert [line.split() for line in (tmp_path / "test.naacl").read_text().splitlines()] == [
        [str(number), str(e + 1), str(f + 1), "S"] for number, links in enumerate(gold, 1) for e, f in links
    ]


def test_references_are_the_directions_and_what_both_say(cases, featurised):
    data = featurised["bitext"]["valid"]
    found = cases["bitext"].task().references("valid", data)
    assert list(found) == ["m.ef", "m.fe", "m [intersection]"]
    assert np.array_equal(found["m [intersection]"], found["m.ef"] & found["m.fe"])
    links = [tiny_bitext.links_of(text) for text in tiny_bitext.ALIGNERS["m.fe"]["valid"]]
    grids = [found["m.fe"][data.rows(pair)].reshape(data.shapes[pair]) for pair in range(len(data))]
    assert [frozenset(map(tuple, np.argwhere(grid).tolist())) for grid in grids] == links


def test_aligner_of_one_direction_has_no_intersection_and_one_without_the_split_no_row(tmp_path):
    tiny_bitext.make_workspace(tmp_path)
    text = (tmp_path / "prepare.yaml").read_text()
    text = text.replace(
        "  m.fe: {", "  lone: {test: m.fe.test}\n  half.fe: {train: m.fe.train}\n  half.ef: {"
    )
    (tmp_path / "prepare.yaml").write_text(text)
    tiny_bitext.prepare(tmp_path)
    corpus = BitextSection(kind="bitext", name="x", path=str(tmp_path / "corpus"), validation=None)
    task = tasks.get("bitext")(corpus, ["all"])
    data = task.featurise(named("taskar"), Silent())["taskar"].instances["test"]
    assert list(task.references("test", data)) == ["m.ef", "lone", "half.ef"]


def test_every_file_of_a_bitext_is_one_a_result_depends_on(cases):
    case = cases["bitext"]
    folder = Path(case.corpus.path)
    files = case.task(test=[], validation=None).files()
    # What is kept for new sentence pairs is told by the unlabelled text.
    kept = {folder / f"{FILE}.{ending}" for ending in ("json", "npz")}
    assert set(files.values()) | kept == {path for path in folder.rglob("*") if path.is_file()}
