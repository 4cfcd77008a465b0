"""From parallel text to chosen models, links and tables: what is left behind, and always the same."""

from __future__ import annotations

import contextlib
import json
import math
import pkgutil
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
import tiny_bitext
from run_folder import assert_same_run, histories, weights

from advsp.corpora.bitext import Link
from advsp.corpora.bitext_sources import read_predicted
from advsp.corpora.links import NAACL, PHARAOH
from advsp.corpora.prepared_bitext import load_pairs, read_manifest
from advsp.experiments.config import load_config
from advsp.experiments.decisions import decide
from advsp.experiments.evaluate import evaluate
from advsp.experiments.grid import grid
from advsp.experiments.recipe import Recipe
from advsp.experiments.run_folder import RunFolder
from advsp.experiments.train import train
from advsp.features.bitext.corpus import load_predictions
from advsp.features.bitext.featuriser import BitextFeatures
from advsp.learners.trained_model import load_model
from advsp.support.files import sha256
from advsp.support.progress import Silent
from advsp.support.records import read_json
from advsp.training.instance_files import load_instances

RUN = Path("results/runs/harbour")
SCORES = Path("results/scores/harbour.json")
SPLITS = ("valid", "test")
#: Folders of the systems, and seeds.
SYSTEMS = {
    "SSVM [taskar]": ("SSVM_taskar", ["seed-1"]),
    "ADV_bip [m, ignore]": ("ADV_bip_m_ignore", ["seed-1"]),
    "ADV_aer [m, label]": ("ADV_aer_m_label", ["seed-1", "seed-2"]),
    "ADV_aer [m, ignore]": ("ADV_aer_m_ignore", ["seed-1"]),
    "logistic [m]": ("logistic_m", ["seed-1"]),
}
FOLDED = "ADV_aer [m, label]"
#: What has a line in the tables: its system, the folder of its predictions, and its models.
VARIANTS = {
    **{name: (name, folder, seeds) for name, (folder, seeds) in SYSTEMS.items()},
    "ADV_bip [m, ignore]+threshold": ("ADV_bip [m, ignore]", "ADV_bip_m_ignore_+threshold", ["seed-1"]),
    "ADV_aer [m, label]+average": (FOLDED, "ADV_aer_m_label_+average", ["average"]),
}
REFERENCES = ("m.ef", "m.fe", "m [intersection]")


def chosen(run: Path, system: str) -> dict:
    """What was chosen for a system."""
    return read_json(run / "selection.json")[system]


# --- the whole way --------------------------------------------------------------------------------


def test_four_commands_lead_from_parallel_text_to_tables(bitext_workspace, command):
    prepared = command("prepare-hansards", "raw", "--config", "prepare.yaml", "--output", "corpus")
    assert "train: 7 pairs, 18 source and 22 target words, " in prepared.out
    trained = command("train", "harbour.yaml")
    assert trained.out.startswith("harbour: train 7 pairs 57 edges, valid 4 pairs 39 edges, test ")
    assert "taskar: " in trained.out and "taskar+m: " in trained.out
    assert f"models in {RUN}; next: advsp evaluate harbour.yaml" in trained.out
    for name in SYSTEMS:
        assert f"\n{name}: " in trained.out
    assert "(aer on 2 folds of train and valid " in trained.out
    evaluated = command("evaluate", "harbour.yaml")
    assert f"scores in {SCORES}" in evaluated.out
    compared = command("compare")
    for name in ("table2.csv", "table2.md", "table2.tex", "table2.runs.json"):
        assert f"wrote results/tables/{name}" in compared.out
        assert Path("results/tables", name).is_file()
    for outcome in (prepared, trained, evaluated, compared):
        assert (outcome.code, outcome.err.strip()) == (0, "")


def test_bar_of_every_step_is_filled_exactly(bitext_workspace):
    bars = []

    class Listener(Silent):
        def start(self, label, total):
            bar = {"label": label, "total": total, "done": 0}
            bars.append(bar)

            def progress(examples, note=""):
                bar["done"] += examples

            return progress

    config = load_config("harbour.yaml", ["systems.logistic [m].optimiser={name: adagrad, passes: 1}"])
    evaluate(train(config, Listener()), Listener())
    assert len(bars) >= 6
    for bar in bars:
        assert bar["done"] == bar["total"] > 0, bar


def test_predicted_links_can_be_shown(finished_bitext, command, monkeypatch):
    monkeypatch.chdir(finished_bitext)
    folder = RUN / "predictions/SSVM_taskar/seed-1"
    shown = [
        command("show-pair", "corpus", 1, "--predicted", folder / f"test.{format}", "--format", format)
        for format in ("pharaoh", "naacl")
    ]
    assert [outcome.code for outcome in shown] == [0, 0]
    assert shown[0].out == shown[1].out


# --- what a run leaves ----------------------------------------------------------------------------


def test_run_folder_holds_what_a_later_step_needs_and_nothing_else(finished_bitext, contents):
    run = finished_bitext / RUN
    files = {name for name, kind in contents(run).items() if kind != "folder"}
    point = chosen(run, FOLDED)["point"]
    jobs = {
        *(f"SSVM_taskar/seed-1/point-{point}" for point in (0, 1)),
        *(f"{folder}/seed-1/point-0" for folder in ("ADV_bip_m_ignore", "ADV_aer_m_ignore", "logistic_m")),
        *(f"ADV_aer_m_label/seed-1/point-{point}/fold-{fold}" for point in (0, 1) for fold in (0, 1)),
        *(f"ADV_aer_m_label/seed-{seed}/point-{point}" for seed in (1, 2)),
    }
    models = {f"{folder}/{seed}" for folder, seeds in SYSTEMS.values() for seed in seeds}
    models.add("ADV_aer_m_label/average")
    assert {name for name in files if not name.startswith("predictions/")} == {
        "config.json",
        "provenance.json",
        "selection.json",
        *(f"features/{view}.{ending}" for view in ("taskar", "taskar+m") for ending in ("json", "npz")),
        *(f"instances/{view}/{split}.npz" for view in ("taskar", "taskar+m") for split in tiny_bitext.SPLITS),
        *(f"jobs/{job}/all/{name}" for job in jobs for name in ("done.json", "history.jsonl")),
        *(f"models/{model}/all/{name}" for model in models for name in ("model.json", "model.npz")),
    }
    assert {name for name in files if name.startswith("predictions/")} == {
        f"predictions/{folder}/{seed}/{split}.{ending}"
        for _, folder, seeds in VARIANTS.values()
        for seed in seeds
        for split in SPLITS
        for ending in ("naacl", "pharaoh")
    }


def test_run_says_what_it_is_made_of(finished_bitext):
    with contextlib.chdir(finished_bitext):
        config = load_config("harbour.yaml")
        assert read_json(RUN / "config.json") == config.model_dump()
        provenance = read_json(RUN / "provenance.json")
        files = ["corpus.json", *read_manifest("corpus")["files"]]
    assert provenance["fingerprint"] == config.fingerprint()
    assert provenance["data"] == {name: sha256(finished_bitext / "corpus" / name) for name in files}
    assert {"aligners/m.ef.test.pharaoh", "unlabelled.source.gz", "train.naacl"} <= set(files)


def test_history_has_one_line_a_pass_with_finite_numbers(finished_bitext):
    found = histories(finished_bitext / RUN)
    assert len(found) == 11
    passes = {"SSVM": 4, "logistic": 1}
    for job, lines in found.items():
        name = job.split("/")[1]
        expected = passes.get(name.split("_")[0], 2)
        if name == "ADV_aer_m_label" and "fold" not in job:
            expected = chosen(finished_bitext / RUN, FOLDED)["passes"]
        assert [line["pass"] for line in lines] == list(range(1, expected + 1)), job
        for line in lines:
            assert all(math.isfinite(line[key]) for key in ("objective", "tolerance", "norm"))
            assert isinstance(line["converged"], bool)
            assert all(0.0 <= score <= 1.0 for score in line.get("validation", {}).values())


def test_gap_of_the_margin_is_certified_and_falls(finished_bitext):
    lines = histories(finished_bitext / RUN)["jobs/SSVM_taskar/seed-1/point-1/all"]
    assert [line["gap"] is not None for line in lines] == [False, True, False, True]
    assert lines[1]["gap"] > lines[3]["gap"] >= 0.0


# --- what was chosen --------------------------------------------------------------------------------


def test_selection_holds_the_whole_grid_and_the_lowest_error_of_it(finished_bitext):
    selection = read_json(finished_bitext / RUN / "selection.json")
    steps = selection[FOLDED]["grid"]
    assert [(row["point"], row["optimiser.step"], row["passes"], row["rule"]) for row in steps] == [
        (point, step, passes, rule)
        for point, step in enumerate((0.2, 0.05))
        for passes in (1, 2)
        for rule in ("mode", "threshold")
    ]
    for name, choice in selection.items():
        best = min(choice["grid"], key=lambda row: row["score"])
        assert {key: choice[key] for key in ("point", "passes", "rule", "score")} == {
            key: best[key] for key in ("point", "passes", "rule", "score")
        }
        chosen_on = "2 folds of train and valid" if name == FOLDED else "valid"
        assert choice["metric"] == f"aer on {chosen_on}"
        assert all(row["classes"] == {"all": row["score"]} for row in choice["grid"])


def test_choice_is_neither_the_first_point_nor_the_last_candidate(finished_bitext):
    """Or else the tests of what follows from a choice could not tell it from having none."""
    choice = chosen(finished_bitext / RUN, FOLDED)
    assert (choice["point"], choice["passes"], choice["rule"]) == (1, 1, "threshold")
    assert chosen(finished_bitext / RUN, "SSVM [taskar]")["point"] == 1
    scores = [row["score"] for row in choice["grid"]]
    assert 0.0 < min(scores) < max(scores)


def test_threshold_chosen_on_folds_holds_for_every_seed(finished_bitext):
    selection = read_json(finished_bitext / RUN / "selection.json")
    assert {name: set(choice["thresholds"]) for name, choice in selection.items()} == {
        name: {"every"} if name == FOLDED else set() if "SSVM" in name else {"seed-1"} for name in SYSTEMS
    }
    assert selection[FOLDED]["thresholds"]["every"]["all"] != 0.5


def test_error_on_folds_lies_between_those_that_their_histories_have(finished_bitext):
    run = finished_bitext / RUN
    for row in chosen(run, FOLDED)["grid"]:
        if row["rule"] == "mode":
            folds = [
                histories(run)[f"jobs/ADV_aer_m_label/seed-1/point-{row['point']}/fold-{fold}/all"]
                for fold in (0, 1)
            ]
            errors = [lines[row["passes"] - 1]["validation"]["all"] for lines in folds]
            assert min(errors) <= row["score"] <= max(errors)


def alone(system: str, choice: dict) -> list[str]:
    """Overrides that train one system as it was chosen, with nothing left to choose."""
    options = [f"systems.{system}.{key}={value}" for key, value in choice["options"].items()]
    return [
        *options,
        f"systems.{system}.optimiser.passes={choice['passes']}",
        f"systems.{system}.selection.grid={{}}",
        f"systems.{system}.selection.passes=[]",
        f"systems.{system}.selection.folds=0",
    ]


def test_models_are_those_of_the_chosen_point_and_passes_trained_without_what_is_held_out(
    finished_bitext, bitext_workspace
):
    run = finished_bitext / RUN
    overrides = [o for name in SYSTEMS for o in alone(name, chosen(run, name))]
    found, again = weights(run), weights(train(load_config("harbour.yaml", overrides), Silent()))
    assert found.keys() == again.keys()
    for name in found:
        assert found[name].tobytes() == again[name].tobytes(), name


def test_after_folds_what_was_chosen_is_trained_on_both_splits_and_scored_on_neither(
    finished_bitext, bitext_workspace
):
    """Where nothing else is said; the other systems have scores of the validation split."""
    config = load_config("harbour.yaml", [f"systems.{FOLDED}.selection.last_fit=all"])
    folder = RunFolder(train(config, Silent()))
    choice = chosen(folder.path, FOLDED)
    assert choice["grid"] == chosen(finished_bitext / RUN, FOLDED)["grid"]
    point = grid(FOLDED, config.systems[FOLDED])[choice["point"]]
    splits = [folder.instances(point.view, split) for split in ("train", "valid")]
    recipe = Recipe.of(point.config, ("all",))
    both = recipe.objective(type(splits[0]).joined(splits))
    for seed in (1, 2):
        expected = recipe.fit(both, passes=choice["passes"], seed=seed)
        found = load_model(folder.path / f"models/ADV_aer_m_label/seed-{seed}/all").weights
        np.testing.assert_array_equal(found, expected)
    scores = read_json(evaluate(folder.path, Silent()))
    learnt = scores["learning"][FOLDED]
    assert learnt["objective"] and not learnt["scored"] and not learnt["validation"]
    scored = {(row["split"], row["system"]) for row in scores["rows"]}
    assert {name for split, name in scored if split == "valid"} >= set(SYSTEMS) - {FOLDED}
    assert ("test", FOLDED) in scored and ("valid", FOLDED) not in scored


def test_average_is_the_mean_of_the_seeds_weights(finished_bitext):
    found = weights(finished_bitext / RUN)
    seeds = [found[f"ADV_aer_m_label/seed-{seed}/all"] for seed in (1, 2)]
    assert not np.array_equal(*seeds)
    assert np.array_equal(found["ADV_aer_m_label/average/all"], np.mean(seeds, axis=0))


def test_saved_model_knows_how_it_was_trained(finished_bitext):
    model = load_model(finished_bitext / RUN / "models/SSVM_taskar/seed-1/all")
    assert (model.kind, model.classes, model.learner.false_positive) == ("ssvm", ("all",), 1.0)
    instances = load_instances(finished_bitext / RUN / "instances/taskar/train.npz")
    assert model.signature == {"feature_names": list(instances.feature_names)}
    assert len(model.weights) == len(instances.feature_names)


@pytest.mark.parametrize("view", ["taskar", "taskar+m"])
def test_saved_features_make_the_saved_instances(finished_bitext, view):
    features = BitextFeatures.load(finished_bitext / RUN / "features" / view)
    for split in tiny_bitext.SPLITS:
        folder = finished_bitext / "corpus"
        links = load_predictions(folder, features.feature_set.directions, split)
        again = features.transform(load_pairs(folder, split), links)
        saved = load_instances(finished_bitext / RUN / "instances" / view / f"{split}.npz")
        assert np.array_equal(again.features, saved.features)
        assert np.array_equal(again.labels, saved.labels)
        assert (again.source, again.target, again.feature_names) == (
            saved.source,
            saved.target,
            saved.feature_names,
        )


def test_instances_have_the_gold_links(finished_bitext):
    for split in tiny_bitext.SPLITS:
        data = load_instances(finished_bitext / RUN / "instances/taskar" / f"{split}.npz")
        for pair, (sure, possible) in enumerate(tiny_bitext.gold(split)):
            grid = data.labels[data.rows(pair)].reshape(data.shapes[pair])
            assert set(map(tuple, np.argwhere(grid == 2).tolist())) == sure
            assert set(map(tuple, np.argwhere(grid == 1).tolist())) == possible


# --- scores and links -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def scores(finished_bitext) -> dict:
    return read_json(finished_bitext / SCORES)


@pytest.fixture(scope="module")
def rows(scores) -> dict[tuple[str, str], dict]:
    """Rows by split and system."""
    return {(row["split"], row["system"]): row for row in scores["rows"]}


def counted(predicted: list[frozenset[Link]], split: str) -> list[int]:
    """Hits of sure links, of sure or possible ones, predicted and sure links, one pair after another."""
    total = [0, 0, 0, 0]
    for links, (sure, possible) in zip(predicted, tiny_bitext.gold(split), strict=True):
        for column, number in enumerate(
            (len(links & sure), len(links & (sure | possible)), len(links), len(sure))
        ):
            total[column] += number
    return total


def test_there_is_one_row_for_every_split_system_and_reference(scores, rows):
    assert len(rows) == len(scores["rows"])
    assert set(rows) == set(product(SPLITS, (*VARIANTS, *REFERENCES)))
    assert {(row["corpus"], row["class"], row["metric"]) for row in scores["rows"]} == {
        ("harbour", "all", "aer")
    }
    assert scores["table"] == "table2"


def test_predictions_counted_again_give_exactly_the_scores(finished_bitext, rows):
    for (split, name), row in rows.items():
        if name in REFERENCES:
            continue
        _, folder, seeds = VARIANTS[name]
        assert len(row["hits_sure_hits_possible_predicted_sure"]) == len(seeds)
        pairs = load_pairs(finished_bitext / "corpus", split)
        for seed, counts in zip(seeds, row["hits_sure_hits_possible_predicted_sure"], strict=True):
            said = [
                read_predicted(finished_bitext / RUN / "predictions" / folder / seed / file, pairs, notation)
                for file, notation in ((f"{split}.naacl", NAACL), (f"{split}.pharaoh", PHARAOH))
            ]
            assert said[0] == said[1]
            assert counted(said[0], split) == counts, name


def test_references_are_what_the_aligners_said(rows):
    for split in SPLITS:
        forward, backward = (
            list(map(tiny_bitext.links_of, tiny_bitext.ALIGNERS[name][split])) for name in ("m.ef", "m.fe")
        )
        both = [a & b for a, b in zip(forward, backward, strict=True)]
        for name, links in zip(REFERENCES, (forward, backward, both), strict=True):
            row = rows[split, name]
            assert row["hits_sure_hits_possible_predicted_sure"] == [counted(links, split)]
            assert (row["seeds"], row["sd"]) == (1, None)


def test_values_are_means_over_the_runs_of_what_is_counted(rows):
    for (_, name), row in rows.items():
        counts = row["hits_sure_hits_possible_predicted_sure"]
        errors = [100 * (1 - (a_s + a_p) / (a + s)) for a_s, a_p, a, s in counts]
        assert row["seeds"] == len(counts) == (2 if name == FOLDED else 1)
        assert row["runs"] == pytest.approx(errors)
        assert row["value"] == pytest.approx(np.mean(errors))
        assert row["precision"] == pytest.approx(np.mean([100 * a_p / a for _, a_p, a, _ in counts]))
        assert row["recall"] == pytest.approx(np.mean([100 * a_s / s for a_s, _, _, s in counts]))
        assert 0.0 <= row["low"] <= row["value"] <= row["high"] <= 100.0


def test_scores_of_this_run_are_neither_empty_nor_perfect(rows):
    for split in SPLITS:
        values = {row["value"] for (where, _), row in rows.items() if where == split}
        assert len(values) > 4
        assert 0.0 < max(values) < 100.0


def test_score_on_the_validation_split_is_the_one_that_was_chosen_by(finished_bitext, rows):
    for name in SYSTEMS:
        if name != FOLDED:
            score = chosen(finished_bitext / RUN, name)["score"]
            assert rows["valid", name]["value"] == pytest.approx(100 * score)


def test_systems_decide_by_their_rule_and_variants_by_their_thresholds(finished_bitext, rows):
    run = finished_bitext / RUN
    by_rule = set()
    for name, (system, _, seeds) in VARIANTS.items():
        choice = RunFolder(run).read_choices()[system]
        view = "taskar" if "SSVM" in name else "taskar+m"
        rule = "threshold" if name.endswith("+threshold") else choice.rule
        by_rule.add(rule)
        for number, seed in enumerate(seeds):
            model = load_model(run / "models" / SYSTEMS[system][0] / seed / "all")
            for split in SPLITS:
                data = load_instances(run / "instances" / view / f"{split}.npz")
                said = model.decode(data, 0.01)["all"]
                mask = decide(said, rule, choice.thresholds_of(seed).get("all"))
                grids = (mask[data.rows(pair)].reshape(data.shapes[pair]) for pair in range(len(data)))
                links = [frozenset(map(tuple, np.argwhere(grid).tolist())) for grid in grids]
                counts = rows[split, name]["hits_sure_hits_possible_predicted_sure"][number]
                assert counted(links, split) == counts
    assert by_rule == {"mode", "threshold"}


def test_systems_and_references_are_compared_with_those_that_decide_as_they_do(scores, rows):
    names = (*VARIANTS, *REFERENCES)
    groups = [[name for name in names if name.endswith("+threshold") == rule] for rule in (False, True)]
    assert {(test["split"], frozenset(test["systems"])) for test in scores["tests"]} == {
        (split, frozenset(pair)) for split in SPLITS for group in groups for pair in combinations(group, 2)
    }
    for test in scores["tests"]:
        first, second = (rows[test["split"], name]["value"] for name in test["systems"])
        assert test["difference"] == pytest.approx(first - second)
        assert 0.0 < test["p"] <= 1.0


def test_scores_are_plain_json(finished_bitext):
    def refuse(constant):
        raise AssertionError(constant)

    json.loads((finished_bitext / SCORES).read_text(), parse_constant=refuse)


def test_without_thresholds_nothing_decides_by_them_unless_it_was_chosen(trained_bitext, command):
    assert command("train", "harbour.yaml", "--overwrite", "--set", "evaluation.thresholds=false").code == 0
    selection = read_json(RUN / "selection.json")
    for choice in selection.values():
        assert bool(choice["thresholds"]) == (choice["rule"] == "threshold")
    assert {choice["rule"] for choice in selection.values()} == {"mode", "threshold"}
    assert command("evaluate", "harbour.yaml").code == 0
    assert not [row for row in read_json(SCORES)["rows"] if row["system"].endswith("+threshold")]


def test_evaluating_again_gives_the_same_file(trained_bitext, command, contents):
    before = contents(Path())
    assert command("evaluate", "harbour.yaml").code == 0
    assert contents(Path()) == before


def test_aligners_that_stand_in_for_each_other_can_be_trained_with(bitext_workspace, command):
    systems = "systems={'A [ef|fe]': {learner: {name: logistic}, optimiser: {name: lbfgs, passes: 1}}}"
    options = ["--set", systems, "--set", "features.preset=taskar+m.ef|m.fe"]
    assert command("train", "harbour.yaml", *options).code == 0
    assert command("evaluate", "harbour.yaml").code == 0
    assert [path.name for path in (RUN / "instances").iterdir()] == ["taskar+m.ef~m.fe"]
    assert {path.stem for path in (RUN / "features").iterdir()} == {"taskar+m.ef~m.fe"}
    assert [path.name for path in (RUN / "models").iterdir()] == ["A_ef_fe"]


def test_groups_of_features_can_be_added_to_a_preset(bitext_workspace, command):
    systems = "systems={A: {learner: {name: logistic}, optimiser: {name: lbfgs, passes: 1}}}"
    options = ["--set", systems, "--set", "features={preset: basic+m, groups: [rank, next-dice]}"]
    assert command("train", "harbour.yaml", *options).code == 0
    (state,) = (RUN / "features").glob("*.json")
    assert BitextFeatures.load(state.with_suffix("")).feature_set.groups[-2:] == ("rank", "next-dice")
    assert state.stem.startswith("basic+m-") and command("evaluate", "harbour.yaml").code == 0


@pytest.mark.parametrize(
    ("features", "said"),
    [
        ("{preset: basic, groups: [rnak]}", "unknown bitext feature group 'rnak' (did you mean 'rank'?)"),
        ("{preset: taskar, columns: [pos]}", "sentence pairs have no columns, templates or vectors of words"),
    ],
)
def test_features_that_pairs_do_not_have_are_refused(bitext_workspace, command, features, said):
    outcome = command("train", "harbour.yaml", "--set", f"features={features}")
    assert outcome.code == 2 and said in outcome.err and not RUN.exists()


def test_system_with_the_name_of_an_aligner_keeps_its_row(bitext_workspace, command):
    systems = "systems={m.ef: {learner: {name: ssvm}, optimiser: {name: bcfw, passes: 1, l2: 1.0}}}"
    assert command("train", "harbour.yaml", "--set", systems, "--set", "selection.rules=[mode]").code == 0
    assert command("evaluate", "harbour.yaml").code == 0
    found = {(row["split"], row["system"]): row for row in read_json(SCORES)["rows"]}
    assert {name for _, name in found} == {"m.ef", "m.fe", "m [intersection]"}
    for split in SPLITS:
        path = RUN / f"predictions/m.ef/seed-1/{split}.pharaoh"
        said = read_predicted(path, load_pairs("corpus", split), PHARAOH)
        assert found[split, "m.ef"]["hits_sure_hits_possible_predicted_sure"] == [counted(said, split)]


# --- the same whatever the number of workers, and wherever it was stopped ---------------------------


def test_two_workers_give_the_same_bits_and_scores_as_one(finished_bitext, bitext_workspace):
    run = train(load_config("harbour.yaml", ["workers=2"]), Silent())
    assert_same_run(run, finished_bitext / RUN)
    mine, its = (read_json(path) for path in (evaluate(run, Silent()), finished_bitext / SCORES))
    for scores in (mine, its):
        del scores["config"]["workers"], scores["versions"]
    assert mine == its


def in_folder(name: str):
    """Whether the first argument is a path with that part."""
    return lambda path, *rest: name in Path(path).parts


def of_file(name: str):
    return lambda path, *rest: Path(path).name == name


STOPS = {
    "in the margin": lambda at: at("advsp.learners.edge_losses:LinksHingeLoss.evaluate", 20),
    "in the second pass over a fold": lambda at: at("advsp.learners.game_loss:GameLoss.evaluate", 22),
    "while scoring a fold": lambda at: at("advsp.learners.adversarial_links:AdversarialLinks.decode", 3),
    "between history and checkpoint of a fold": lambda at: at(
        "advsp.training.loop:_write_checkpoint", 3, in_folder("fold-1")
    ),
    "before a fold is marked as done": lambda at: at(
        "advsp.experiments.run_folder:write_json", 2, in_folder("fold-0")
    ),
    "while a regression begins": lambda at: at("advsp.learners.initial.logistic:Logistic.weights", 3),
    "in the other seeds": lambda at: at("advsp.training.loop:_write_checkpoint", 1, in_folder("seed-2")),
    "inside a model": lambda at: at("advsp.learners.trained_model:write_json", 3),
    "before the choices are written": lambda at: at(
        "advsp.experiments.run_folder:write_json", 1, of_file("selection.json")
    ),
}


@pytest.mark.parametrize(
    "stop", [stop if k < 3 else pytest.param(stop, marks=pytest.mark.long) for k, stop in enumerate(STOPS)]
)
def test_resumed_run_ends_where_one_ends_that_was_never_stopped(
    finished_bitext, bitext_workspace, command, monkeypatch, interrupt, contents, stop
):
    STOPS[stop](interrupt)
    assert command("train", "harbour.yaml").code == 130
    monkeypatch.undo()
    monkeypatch.chdir(bitext_workspace)
    assert not (RUN / "selection.json").exists()
    assert command("train", "harbour.yaml", "--resume").code == 0
    assert_same_run(RUN, finished_bitext / RUN)
    paths = {name for name in contents(finished_bitext / RUN) if not name.startswith("predictions")}
    assert set(contents(RUN)) == paths


@pytest.fixture
def count_calls(monkeypatch):
    """Count the calls of a function from here on."""

    def count(target: str) -> list:
        original, calls = pkgutil.resolve_name(target), []

        def call(*arguments, **options):
            calls.append(1)
            return original(*arguments, **options)

        monkeypatch.setattr(target.replace(":", "."), call)
        return calls

    return count


def test_resuming_goes_on_and_does_not_begin_again(
    bitext_workspace, command, interrupt, monkeypatch, count_calls
):
    interrupt("advsp.learners.game_loss:GameLoss.evaluate", 30)
    assert command("train", "harbour.yaml").code == 130
    monkeypatch.undo()
    monkeypatch.chdir(bitext_workspace)
    done = {path: path.stat().st_mtime_ns for path in RUN.rglob("done.json")}
    (checkpoint,) = RUN.rglob("checkpoint.npz")
    with np.load(checkpoint) as arrays:
        assert (checkpoint.parents[1].name, int(arrays["pass"])) == ("fold-0", 1)
    solved = count_calls("advsp.learners.game_loss:GameLoss.evaluate")
    regressions = count_calls("advsp.learners.initial.logistic:Logistic.weights")
    assert command("train", "harbour.yaml", "--resume").code == 0
    assert all(path.stat().st_mtime_ns == time for path, time in done.items())
    assert not checkpoint.exists()
    assert len(done) == 3
    # Folds of 5 and 6 pairs to train on: what is left of the first step, all of the second one, two seeds
    # on all 7 pairs, and the other adversarial system.
    assert len(solved) == (5 + 2 * 6) + 2 * (5 + 6) + 2 * 7 + 2 * 7
    assert len(regressions) == 6


# --- what a result depends on -----------------------------------------------------------------------


def relabel(split: str) -> None:
    """Prepare the corpus again with sure and possible links of one split exchanged."""
    path = Path("raw") / f"{split}.naacl"
    path.write_text(path.read_text().replace(" S", " X").replace(" P", " S").replace(" X", " P"))
    tiny_bitext.prepare(Path())


def test_links_of_the_test_split_influence_nothing_but_the_scores(finished_bitext, bitext_workspace, command):
    relabel("test")
    assert command("train", "harbour.yaml").code == 0
    assert_same_run(RUN, finished_bitext / RUN)
    assert command("evaluate", "harbour.yaml").code == 0
    mine, its = (read_json(place / SCORES)["rows"] for place in (Path(), finished_bitext))
    assert [row for row in mine if row["split"] == "valid"] == [row for row in its if row["split"] == "valid"]
    assert mine != its


def test_links_of_the_validation_split_influence_the_choice_and_what_folds_train(
    finished_bitext, bitext_workspace, command
):
    relabel("valid")
    assert command("train", "harbour.yaml").code == 0
    changed = set()
    mine, its = histories(RUN), histories(finished_bitext / RUN)
    for job in mine.keys() & its.keys():
        if [line["objective"] for line in mine[job]] != [line["objective"] for line in its[job]]:
            changed.add(job)
    assert changed == {job for job in mine.keys() & its.keys() if "fold" in job}
    for name in ("SSVM [taskar]", FOLDED):
        assert chosen(RUN, name)["grid"] != chosen(finished_bitext / RUN, name)["grid"]


def test_seed_decides_the_folds_and_the_order_of_the_pairs(finished_bitext, bitext_workspace, command):
    assert command("train", "harbour.yaml", "--set", "seed=4").code == 0
    mine, its = histories(RUN), histories(finished_bitext / RUN)
    for job in ("jobs/ADV_aer_m_label/{}/point-0/fold-0/all", "jobs/ADV_aer_m_ignore/{}/point-0/all"):
        first, second = mine[job.format("seed-4")], its[job.format("seed-1")]
        assert [line["objective"] for line in first] != [line["objective"] for line in second]
    assert np.array_equal(
        weights(RUN)["logistic_m/seed-4/all"], weights(finished_bitext / RUN)["logistic_m/seed-1/all"]
    )
