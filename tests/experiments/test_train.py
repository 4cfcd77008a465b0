"""From column files to chosen models and tables: what is left behind, and that it is always the same."""

from __future__ import annotations

import contextlib
import math
import pkgutil
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import places
import pytest
from run_folder import assert_same_run, histories, weights

from advsp.experiments import jobs
from advsp.experiments.config import load_config
from advsp.experiments.evaluate import evaluate
from advsp.experiments.prepare import prepare_conll_corpus
from advsp.experiments.train import train
from advsp.features import presets
from advsp.features.spec import FeatureSpec
from advsp.learners.trained_model import load_model
from advsp.metrics.scores import Scores
from advsp.support.errors import InputError
from advsp.support.files import sha256
from advsp.support.progress import Silent
from advsp.support.records import read_json
from advsp.tasks import tasks
from advsp.tasks.tagging import tag_set
from advsp.training.instance_files import load_instances
from advsp.training.instances import Instances

RUN = Path("results/runs/tiny")
SYSTEMS = ("CRF", "ADV_f1")


# --- the whole way --------------------------------------------------------------------------------


def test_four_commands_lead_from_column_files_to_tables(workspace, command):
    prepared = command("prepare-conll", "raw", "--config", "prepare.yaml", "--output", "corpus")
    assert "train: 6 sentences, 28 tokens, LOC 5 PER 5; " in prepared.out
    trained = command("train", "tiny.yaml")
    assert "tiny: train 6 sentences 28 tokens, testa 4 sentences 17 tokens, testb " in trained.out
    assert f"models in {RUN}; next: advsp evaluate tiny.yaml" in trained.out
    for name in SYSTEMS:
        assert f"\n{name}: " in trained.out
    evaluated = command("evaluate", "tiny.yaml")
    assert "scores in results/scores/tiny.json" in evaluated.out
    compared = command("compare")
    for name in ("table3.csv", "table3.md", "table3.tex", "table3.runs.json"):
        assert f"wrote results/tables/{name}" in compared.out
        assert Path("results/tables", name).is_file()
    for outcome in (prepared, trained, evaluated, compared):
        assert (outcome.code, outcome.err.strip()) == (0, "")
    assert sorted(path.name for path in Path("results").iterdir()) == ["runs", "scores", "tables", "times"]


@pytest.mark.parametrize(
    ("arguments", "result"),
    [
        (["train", "tiny.yaml", "--overwrite"], ""),
        (["evaluate", "tiny.yaml"], "table3: tiny, testa"),
        (["compare"], "table3: tiny, testa"),
    ],
)
def test_quiet_command_says_nothing_but_its_result(trained, command, arguments, result):
    outcome = command(*arguments, "--quiet")
    assert (outcome.code, outcome.out[: len(result)], outcome.err) == (0, result, "")
    assert bool(outcome.out) == bool(result)


def test_bar_of_every_step_is_filled_exactly(workspace):
    bars = []

    class Listener(Silent):
        def start(self, label, total):
            bar = {"label": label, "total": total, "done": 0}
            bars.append(bar)

            def progress(examples, note=""):
                bar["done"] += examples

            return progress

    config = load_config("tiny.yaml", ["systems.CRF.optimiser={name: adagrad, passes: 1}"])
    evaluate(train(config, Listener()), Listener())
    assert len(bars) >= 5
    for bar in bars:
        assert bar["done"] == bar["total"] or bar["label"] == "features", bar


def test_whether_classes_are_learnt_together_can_be_chosen(workspace, command):
    """Models of the chosen point are looked for where they are, whatever the system is without its grid."""
    grid = "systems.ADV_f1.selection={rules: [mode], passes: [], grid: {learner.share: [true]}}"
    assert command("train", "tiny.yaml", "--set", grid).code == 0
    assert {path.name for path in (RUN / "models/ADV_f1/seed-1").iterdir()} == {"PER-LOC"}
    assert command("evaluate", "tiny.yaml").code == 0
    assert "ADV_f1+threshold" in {
        row["system"] for row in read_json(Path("results/scores/tiny.json"))["rows"]
    }


# --- what a run leaves ----------------------------------------------------------------------------


def test_run_folder_holds_what_a_later_step_needs_and_nothing_else(finished, contents):
    run = finished / RUN
    files = {name for name, kind in contents(run).items() if kind != "folder"}
    jobs = {
        *(f"ADV_f1/seed-1/point-{point}/{label}" for point in (0, 1) for label in ("PER", "LOC")),
        *(f"ADV_f1/seed-2/point-{chosen(run)['point']}/{label}" for label in ("PER", "LOC")),
        "CRF/seed-1/point-0/PER-LOC",
    }
    models = {
        *(f"ADV_f1/{seed}/{label}" for seed in ("seed-1", "seed-2", "average") for label in ("PER", "LOC")),
        "CRF/seed-1/PER-LOC",
    }
    assert {name for name in files if not name.startswith("predictions/")} == {
        "config.json",
        "provenance.json",
        "features/stanford.json",
        "selection.json",
        *(f"instances/stanford/{split}.npz" for split in ("train", "testa", "testb")),
        *(f"jobs/{job}/{name}" for job in jobs for name in ("done.json", "history.jsonl")),
        *(f"models/{model}/{name}" for model in models for name in ("model.json", "model.npz")),
    }


def chosen(run: Path, system: str = "ADV_f1") -> dict:
    """What was chosen for a system."""
    return read_json(run / "selection.json")[system]


def test_run_says_what_it_is_made_of(finished):
    with contextlib.chdir(finished):
        config = load_config("tiny.yaml")
        assert read_json(RUN / "config.json") == config.model_dump()
        provenance = read_json(RUN / "provenance.json")
    assert provenance["fingerprint"] == config.fingerprint()
    assert provenance["data"] == {
        f"{split}.conll": sha256(finished / "corpus" / f"{split}.conll")
        for split in ("train", "testa", "testb")
    }
    assert {"advsp", "python", "numpy"} <= set(provenance["versions"])


def test_history_has_one_line_a_pass_with_finite_numbers(finished):
    found = histories(finished / RUN)
    assert len(found) == 7
    choice = chosen(finished / RUN)
    for job, lines in found.items():
        passes = 1 if "CRF" in job else choice["passes"] if "seed-2" in job else 2
        assert [line["pass"] for line in lines] == list(range(1, passes + 1))
        for line in lines:
            assert all(math.isfinite(line[key]) for key in ("objective", "tolerance", "norm"))
            assert isinstance(line["converged"], bool)
        assert all(0.0 <= score <= 1.0 for line in lines for score in line.get("validation", {}).values())


def test_history_has_the_validation_score_of_every_candidate(finished):
    lines = histories(finished / RUN)["jobs/ADV_f1/seed-1/point-0/PER"]
    rows = [row for row in chosen(finished / RUN)["grid"] if row["point"] == 0 and row["rule"] == "mode"]
    assert [line["validation"]["PER"] for line in lines] == [row["classes"]["PER"] for row in rows]


def test_games_are_solved_more_exactly_from_pass_to_pass(finished):
    for lines in histories(finished / RUN).values():
        assert [line["tolerance"] for line in lines] == [0.1, 0.05][: len(lines)]


def test_selection_holds_the_whole_grid_and_the_best_of_it(finished):
    choice = chosen(finished / RUN)
    assert [(row["point"], row["optimiser.step"], row["passes"], row["rule"]) for row in choice["grid"]] == [
        (point, step, passes, rule)
        for point, step in enumerate((0.1, 0.5))
        for passes in (1, 2)
        for rule in ("mode", "marginal")
    ]
    best = max(choice["grid"], key=lambda row: row["score"])
    assert {key: choice[key] for key in ("point", "passes", "rule", "score")} == {
        key: best[key] for key in ("point", "passes", "rule", "score")
    }
    assert choice["options"] == {"optimiser.step": best["optimiser.step"]}
    for row in choice["grid"]:
        assert row["score"] == pytest.approx(np.mean(list(row["classes"].values())))


def test_choice_is_neither_the_first_point_nor_the_last_candidate(finished):
    """Or else the tests of what follows from a choice could not tell it from having none."""
    choice = chosen(finished / RUN)
    assert choice["point"] == 1
    assert choice["passes"] == 1 < max(row["passes"] for row in choice["grid"])


def test_every_model_has_a_threshold_for_every_class(finished):
    selection = read_json(finished / RUN / "selection.json")
    assert set(selection["ADV_f1"]["thresholds"]) == {"average", "seed-1", "seed-2"}
    assert set(selection["CRF"]["thresholds"]) == {"seed-1"}
    for choice in selection.values():
        for thresholds in choice["thresholds"].values():
            assert set(thresholds) == {"PER", "LOC"}
            assert all(0.0 < threshold < 1.0 for threshold in thresholds.values())


def test_average_is_the_mean_of_the_seeds_weights(finished):
    found = weights(finished / RUN)
    for label in ("PER", "LOC"):
        seeds = [found[f"ADV_f1/seed-{seed}/{label}"] for seed in (1, 2)]
        assert not np.array_equal(*seeds)
        assert np.array_equal(found[f"ADV_f1/average/{label}"], np.mean(seeds, axis=0))


def test_models_are_those_of_the_chosen_point_and_passes(finished, workspace):
    choice = chosen(finished / RUN)
    alone = load_config(
        "tiny.yaml",
        [
            f"optimiser.step={choice['options']['optimiser.step']}",
            f"optimiser.passes={choice['passes']}",
            "selection.grid={}",
            "selection.passes=[]",
        ],
    )
    found, again = weights(finished / RUN), weights(train(alone, Silent()))
    assert found.keys() == again.keys()
    for name in found:
        assert found[name].tobytes() == again[name].tobytes(), name


def test_saved_features_make_the_saved_instances(finished):
    state = read_json(finished / RUN / "features/stanford.json")
    preset = presets.get(state.pop("preset")).from_state(state)
    with contextlib.chdir(finished):
        from advsp.corpora import prepared

        again = preset.transform(prepared.load("corpus", "testb"))
    saved = load_instances(finished / RUN / "instances/stanford/testb.npz")
    assert (again.node != saved.node).nnz == 0
    assert (again.edge != saved.edge).nnz == 0
    assert (again.words, again.gold) == (saved.words, saved.gold)


def test_saved_model_knows_how_it_was_trained(finished):
    model = load_model(finished / RUN / "models/ADV_f1/seed-1/PER")
    assert (model.kind, model.classes) == ("adversarial", ("PER",))
    assert model.signature == {"tag_names": ["PER", "LOC", "O"]}


# --- the same whatever the number of workers -------------------------------------------------------


@pytest.mark.long
def test_two_workers_give_the_same_bits_and_scores_as_one(finished, workspace):
    config = load_config("tiny.yaml", ["workers=2"])
    run = train(config, Silent())
    assert_same_run(run, finished / RUN)
    mine, its = (read_json(path) for path in (evaluate(run, Silent()), finished / "results/scores/tiny.json"))
    for scores in (mine, its):
        del scores["config"]["workers"], scores["versions"]
    assert mine == its


# --- stopped and resumed ---------------------------------------------------------------------------


def of_file(name: str):
    """Whether the first argument is a path of that name."""
    return lambda path, *rest: Path(path).name == name


PASS = "advsp.training.optimisers.adagrad:AdaGrad.run_pass"


def in_earnest(optimiser, objective, *rest) -> bool:
    """Not in a rehearsal, which has two examples."""
    return objective.examples > 2


STOPS = {
    "in the second pass of the third job": lambda at: at(PASS, 6, in_earnest),
    "in the baseline": lambda at: at("advsp.training.objective:Objective.values", 4),
    "while scoring a candidate": lambda at: at("advsp.learners.adversarial:Adversarial.decode", 4),
    "before the history is written": lambda at: at("advsp.training.loop:atomic", 5, of_file("history.jsonl")),
    "between history and checkpoint": lambda at: at("advsp.training.loop:_write_checkpoint", 5),
    "before a job is marked as done": lambda at: at(
        "advsp.experiments.run_folder:write_json", 3, of_file("done.json")
    ),
    "in the other seeds": lambda at: at(PASS, 2 * 4 + 1, in_earnest),
    "inside a model": lambda at: at("advsp.learners.trained_model:write_json", 2),
    "before the choices are written": lambda at: at(
        "advsp.experiments.run_folder:write_json", 1, of_file("selection.json")
    ),
}


@pytest.mark.parametrize(
    "stop", [stop if k < 3 else pytest.param(stop, marks=pytest.mark.long) for k, stop in enumerate(STOPS)]
)
def test_resumed_run_ends_where_one_ends_that_was_never_stopped(
    finished, workspace, command, monkeypatch, interrupt, contents, stop
):
    with monkeypatch.context():
        STOPS[stop](interrupt)
        assert command("train", "tiny.yaml").code == 130
    monkeypatch.undo()
    monkeypatch.chdir(workspace)
    assert not (RUN / "selection.json").exists()
    assert command("train", "tiny.yaml", "--resume").code == 0
    assert_same_run(RUN, finished / RUN)
    paths = {name for name in contents(finished / RUN) if not name.startswith("predictions")}
    assert set(contents(RUN)) == paths


@pytest.mark.long
def test_resumed_run_takes_up_the_strategies_of_its_games(workspace, command, interrupt, monkeypatch):
    """On sentences long enough for the strategies at hand to decide which of several equilibria is found."""
    sample = places.SAMPLE / "conll"
    Path("long.yaml").write_text(
        """
        name: long
        corpus: {name: sample, path: sample, sentences: 25}
        classes: [PER]
        workers: 1
        checkpoint_seconds: 0
        engine: {oracle: numpy}     # kernels begin every game anew
        optimiser: {passes: 3}
        selection: {rules: [mode]}
        systems:
          warm: {learner: {name: adversarial}}
          cold: {learner: {name: adversarial, warm: false}}
        """
    )
    prepared = ["--config", sample.parents[2] / "configs/sample-prepare.yaml", "--output", "sample"]
    assert command("prepare-conll", sample, *prepared).code == 0
    assert command("train", "long.yaml", "--set", "output=whole").code == 0
    whole = weights(Path("whole/runs/long"))
    assert not np.array_equal(whole["warm/seed-1/PER"], whole["cold/seed-1/PER"])
    interrupt("advsp.learners.game_loss:GameLoss.evaluate", 60)
    assert command("train", "long.yaml", "--set", "output=parts").code == 130
    monkeypatch.undo()
    monkeypatch.chdir(workspace)
    assert command("train", "long.yaml", "--set", "output=parts", "--resume").code == 0
    assert_same_run(Path("parts/runs/long"), Path("whole/runs/long"))


def test_resuming_goes_on_and_does_not_begin_again(workspace, command, interrupt, monkeypatch):
    interrupt(PASS, 6, in_earnest)
    assert command("train", "tiny.yaml").code == 130
    monkeypatch.undo()
    monkeypatch.chdir(workspace)
    done = {path: path.stat().st_mtime_ns for path in RUN.rglob("done.json")}
    passes = []
    original = pkgutil.resolve_name(PASS)

    def count(*arguments):
        passes.extend([1] if in_earnest(*arguments) else [])
        return original(*arguments)

    monkeypatch.setattr(PASS.replace(":", "."), count)
    assert command("train", "tiny.yaml", "--resume").code == 0
    assert len(done) == 3
    assert all(path.stat().st_mtime_ns == time for path, time in done.items())
    # Of eight passes the first five were over; two seeds' worth of passes follow.
    assert len(passes) == 3 + 2 * chosen(RUN)["passes"]


def test_run_stopped_while_candidates_are_removed_is_tidied_up_by_resuming(
    workspace, command, interrupt, monkeypatch
):
    interrupt("pathlib:Path.unlink", 3, lambda path, **options: path.name.startswith("pass-"))
    assert command("train", "tiny.yaml").code == 130
    monkeypatch.undo()
    monkeypatch.chdir(workspace)
    assert command("train", "tiny.yaml", "--resume").code == 0
    assert not list(RUN.rglob("pass-*.npz"))


KILLED = """
import os, signal, sys
from advsp.cli.main import run
calls, sync = 0, os.fsync

def fsync(descriptor):
    global calls
    calls += 1
    if calls == {number}:
        os.kill(os.getpid(), signal.SIGKILL)
    sync(descriptor)

os.fsync = fsync
sys.argv = ["advsp", "train", "tiny.yaml"]
run()
"""


def kill_while_writing(number: int) -> None:
    """Train in a process that is killed when it has written, but not yet named, its n-th file."""
    child = subprocess.run(
        [sys.executable, "-c", KILLED.format(number=number)], capture_output=True, timeout=60
    )
    assert child.returncode == -signal.SIGKILL
    assert [path for path in RUN.rglob(".*") if path.is_file()]


def test_killed_run_is_resumed_to_the_same_end(finished, workspace, command):
    kill_while_writing(27)
    assert command("train", "tiny.yaml", "--resume").code == 0
    assert_same_run(RUN, finished / RUN)


@pytest.mark.long
def test_killed_run_leaves_no_temporary_files_once_it_has_been_resumed(workspace, command):
    kill_while_writing(11)
    assert command("train", "tiny.yaml", "--resume").code == 0
    assert not [path for path in RUN.rglob(".*") if path.is_file()]


def test_resuming_a_finished_run_does_nothing(trained, command, contents):
    before = contents(Path("results"))
    times = {path: path.stat().st_mtime_ns for path in RUN.rglob("*")}
    outcome = command("train", "tiny.yaml", "--resume")
    assert outcome.code == 0
    assert "already trained" in outcome.out
    assert contents(Path("results")) == before
    assert {path: path.stat().st_mtime_ns for path in RUN.rglob("*")} == times


def test_resuming_where_there_is_nothing_is_training(finished, workspace, command):
    assert command("train", "tiny.yaml", "--resume").code == 0
    assert_same_run(RUN, finished / RUN)


def test_overwriting_replaces_a_run(finished, trained, command):
    assert (
        command("train", "tiny.yaml", "--overwrite", "--set", "systems={CRF: {learner: {name: crf}}}").code
        == 0
    )
    assert {name.split("/")[0] for name in weights(RUN)} == {"CRF"}
    assert not (RUN / "predictions").exists()
    assert command("train", "tiny.yaml", "--overwrite").code == 0
    assert_same_run(RUN, finished / RUN)


# --- what a result depends on ------------------------------------------------------------------------


def relabel(split: str) -> None:
    """Prepare the corpus again with the classes of one split exchanged."""
    from advsp.experiments.prepare import prepare_conll_corpus

    path = Path("raw") / f"{split}.txt"
    text = path.read_text()
    path.write_text(text.replace("I-PER", "I-X").replace("I-LOC", "I-PER").replace("I-X", "I-LOC"))
    prepare_conll_corpus(Path("raw"), Path("corpus"), Path("prepare.yaml"), (), Silent())


def test_labels_of_the_test_split_influence_nothing_but_the_scores(finished, workspace, command):
    relabel("testb")
    assert command("train", "tiny.yaml").code == 0
    assert_same_run(RUN, finished / RUN)
    assert command("evaluate", "tiny.yaml").code == 0
    mine, its = (read_json(place / "results/scores/tiny.json")["rows"] for place in (Path(), finished))
    assert [row for row in mine if row["split"] == "testa"] == [row for row in its if row["split"] == "testa"]
    assert mine != its


def test_labels_of_the_validation_split_influence_the_choice_and_no_training(finished, workspace, command):
    relabel("testa")
    assert command("train", "tiny.yaml").code == 0
    for job, lines in histories(RUN).items():
        for mine, its in zip(lines, histories(finished / RUN).get(job, []), strict=False):
            assert mine["objective"] == its["objective"]
            assert mine["norm"] == its["norm"]
    assert chosen(RUN)["grid"] != chosen(finished / RUN)["grid"]


def test_seed_decides_the_order_of_the_sentences(finished, workspace, command):
    assert command("train", "tiny.yaml", "--set", "seed=4", "--set", "runs=1").code == 0
    mine, its = weights(RUN), weights(finished / RUN)
    assert np.array_equal(mine["CRF/seed-4/PER-LOC"], its["CRF/seed-1/PER-LOC"])
    job = "jobs/ADV_f1/seed-{}/point-0/PER"
    assert histories(RUN)[job.format(4)] != histories(finished / RUN)[job.format(1)]


def test_seed_of_a_run_decides_its_initial_weights(workspace):
    nothing_learnt = (
        "systems={A: {learner: {name: crf}, optimiser: {name: adagrad, passes: 0, initial: uniform}}}"
    )
    config = load_config("tiny.yaml", [nothing_learnt, "selection={rules: [mode]}", "seed=3"])
    found = weights(train(config, Silent()))
    for seed in (3, 4):
        drawn = found[f"A/seed-{seed}/PER-LOC"]
        assert np.array_equal(drawn, np.random.default_rng([seed, 0]).random(len(drawn)))


def test_run_replaced_in_the_same_process_is_trained_on_its_own_data(workspace):
    config = load_config(
        "tiny.yaml", ["systems={CRF: {learner: {name: crf}}}", "selection.grid={}", "runs=1"]
    )
    before = weights(train(config, Silent()))
    relabel("train")
    relabel("testa")
    after = weights(train(config, Silent(), overwrite=True))
    assert not np.array_equal(before["CRF/seed-1/PER-LOC"], after["CRF/seed-1/PER-LOC"])


# --- parts -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("classes", "found", "names"),
    [
        (["PER", "LOC"], [], ("PER", "LOC", "O")),
        (["LOC", "PER"], ["PER", "ORG", "LOC", "ORG"], ("LOC", "PER", "ORG", "O")),
        (["PER"], ["O", "MISC"], ("PER", "MISC", "O")),
    ],
)
def test_tags_are_the_scored_classes_then_the_others_then_the_background(classes, found, names):
    assert tag_set(classes, found) == names


def featurised(*overrides: str) -> dict[str, Instances]:
    """The splits of an experiment as instances."""
    config = load_config("tiny.yaml", overrides)
    task = tasks.get(config.corpus.kind)(config.corpus, config.classes)
    return task.featurise([FeatureSpec("stanford")], Silent())["stanford"].instances


def test_class_that_is_not_scored_is_still_a_tag(workspace):
    assert featurised("classes=[LOC]")["train"].tag_names == ("LOC", "PER", "O")


class Said(Silent):
    """Keeps what is said."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def say(self, text: str) -> None:
        self.lines.append(text)


def recast(split: str, old: str, new: str) -> None:
    """Give some entities of a split another class, and prepare the corpus anew."""
    path = Path("raw") / f"{split}.txt"
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    prepare_conll_corpus(Path("raw"), Path("corpus"), Path("prepare.yaml"), (), Silent())


def test_class_that_training_never_saw_counts_as_missed_where_it_is_scored(workspace):
    recast("testb", "Ilmen I-LOC", "Ilmen I-ISLE")
    config = load_config("tiny.yaml", ["classes=[PER, LOC, ISLE]", "systems.ADV_f1.runs=1"])
    said = Said()
    scores = Scores.read(evaluate(train(config, said), said))
    assert [line for line in said.lines if line.startswith("warning")] == [
        "warning: the class 'ISLE' never occurs in train; testb has 1 token of it, counted as missed"
    ]
    found = {
        row.counts
        for row in scores.rows
        if (row.split, row.label, row.metric) == ("testb", "ISLE", "token_f1")
    }
    assert {count[-1] for counts in found for count in counts} == {1}


def test_class_that_training_never_saw_is_none_where_it_is_not_scored(workspace):
    recast("testa", "Ilmen I-LOC", "Ilmen I-ISLE")
    run = train(load_config("tiny.yaml", ["systems.ADV_f1.runs=1"]), Silent())
    instances = load_instances(run / "instances/stanford/testa.npz")
    assert instances.tag_names == ("PER", "LOC", "O")
    place = [word for sentence in instances.words for word in sentence].index("Ilmen")
    assert instances.tag_names[instances.tags[place]] == "O"


def test_without_classes_all_that_occur_in_training_are_learnt(workspace):
    recast("testb", "Ilmen I-LOC", "Ilmen I-ISLE")
    text = Path("tiny.yaml").read_text()
    Path("tiny.yaml").write_text(text.replace("classes: [PER, LOC]\n", ""))
    run = train(load_config("tiny.yaml", ["systems.ADV_f1.runs=1"]), Silent())
    assert read_json(run / "config.json")["classes"] == ["LOC", "PER"]
    assert {path.name for path in (run / "models/ADV_f1/seed-1").iterdir()} == {"LOC", "PER"}


def test_number_of_sentences_holds_for_every_split(workspace):
    instances = featurised("corpus.sentences=3")
    assert {split: len(data) for split, data in instances.items()} == {"train": 3, "testa": 3, "testb": 3}


def test_files_of_a_run_are_those_of_its_splits(workspace):
    config = load_config("tiny.yaml", ["corpus.test=[testb, testa]", "corpus.validation=train"])
    files = tasks.get("conll")(config.corpus, config.classes).files()
    assert list(files.values()) == [Path(f"corpus/{s}.conll") for s in ("train", "testb", "testa")]


# --- ready-made features, and no validation split ------------------------------------------------------

FEATURES = """\
1 qid:1 1:U:1:1 9:B:1:1
2 qid:1 2:U:2:1 9:B:1:1
1 qid:2 1:U:1:1 3:U:3:0.5 9:B:1:1
2 qid:2 2:U:2:1 10:B:2:1
"""


@pytest.fixture
def features(workspace) -> list[str]:
    """Overrides for a corpus of feature files, one a split, of the same name in two folders."""
    for split in ("train", "test"):
        (workspace / split).mkdir()
        (workspace / split / "features.txt").write_text(FEATURES)
    return [
        "corpus={kind: features, name: made, path: ., validation: null, test: [test], "
        "files: {train: train/features.txt, test: test/features.txt}}",
        "classes=[PER]",
        "selection={rules: [mode]}",
        "runs=1",
    ]


def test_without_a_validation_split_nothing_is_chosen(features):
    run = train(load_config("tiny.yaml", features), Silent())
    choice = chosen(run)
    assert (choice["point"], choice["passes"], choice["rule"], choice["score"]) == (0, 2, "mode", None)
    assert choice["grid"] == []
    assert not (run / "features").exists()
    rows = read_json(evaluate(run, Silent()))["rows"]
    assert {row["system"] for row in rows} == set(SYSTEMS)
    assert {row["split"] for row in rows} == {"test"}
    assert all(row["value"] == 100.0 for row in rows)


def test_what_is_to_be_chosen_needs_a_validation_split(features):
    for override in (
        "selection.rules=[mode, marginal]",
        "selection.passes=[1]",
        "selection.grid={optimiser.step: [1, 2]}",
    ):
        with pytest.raises(InputError, match="no validation split to choose it on"):
            train(load_config("tiny.yaml", [*features, override]), Silent())


def test_checksum_of_every_file_is_kept(features):
    run = train(load_config("tiny.yaml", features), Silent())
    assert len(read_json(run / "provenance.json")["data"]) == 2


# --- systems that differ in how they decide alone ----------------------------------------------------

TWIN = """\
  ADV_f1 [again]:
    learner: {name: adversarial}
    selection: {rules: [gibbs]}
"""


def test_systems_that_are_trained_alike_are_trained_once(workspace, monkeypatch):
    Path("twins.yaml").write_text(Path("tiny.yaml").read_text() + TWIN)
    trained_for = []
    original = jobs.run_training_job

    def spy(job, *arguments):
        trained_for.append(job.system)
        return original(job, *arguments)

    monkeypatch.setattr(jobs, "run_training_job", spy)
    first = train(load_config("twins.yaml", ["name=twins", "systems.ADV_f1.runs=1"]), Silent())
    assert "ADV_f1 [again]" in trained_for, "the second seed is the twin's alone"
    once = trained_for.count("ADV_f1")
    assert trained_for.count("ADV_f1 [again]") < once
    # Alone it is trained to the same files.
    trained_for.clear()
    text = Path("twins.yaml").read_text().replace("  ADV_f1:\n    learner: {name: adversarial}\n", "")
    Path("alone.yaml").write_text(text)
    second = train(load_config("alone.yaml", ["name=alone"]), Silent())
    assert trained_for.count("ADV_f1 [again]") >= once
    name = "ADV_f1 [again]"
    assert read_json(first / "selection.json")[name] == read_json(second / "selection.json")[name]
    for path in sorted((second / "models/ADV_f1_again").rglob("model.npz")):
        assert path.read_bytes() == (first / path.relative_to(second)).read_bytes()
