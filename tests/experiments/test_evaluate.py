"""Scores of a trained run, and predictions from which anyone can count them again."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from advsp.corpora.conll import read_columns
from advsp.experiments.decisions import decide
from advsp.learners.trained_model import load_model
from advsp.metrics.counts import f_score, precision, recall
from advsp.metrics.entity import entity_counts
from advsp.metrics.token import token_counts
from advsp.support.records import read_json
from advsp.tasks.tagging import prediction_columns
from advsp.training.instance_files import load_instances
from advsp.training.instances import ChainInstances

RUN = Path("results/runs/tiny")
CLASSES = ("PER", "LOC")
SPLITS = ("testa", "testb")
SEEDS = {
    "CRF": ["seed-1"],
    "CRF+threshold": ["seed-1"],
    "ADV_f1": ["seed-1", "seed-2"],
    "ADV_f1+threshold": ["seed-1", "seed-2"],
    "ADV_f1+average": ["average"],
    "ADV_f1+average+threshold": ["average"],
}


@pytest.fixture(scope="module")
def scores(finished) -> dict:
    return read_json(finished / "results/scores/tiny.json")


@pytest.fixture(scope="module")
def rows(scores) -> dict[tuple[str, str, str, str], dict]:
    """Rows by split, system, metric and class."""
    return {(row["split"], row["system"], row["metric"], row["class"]): row for row in scores["rows"]}


# --- the file of scores ---------------------------------------------------------------------------


def test_there_is_one_row_for_every_split_system_metric_and_class(scores, rows):
    assert len(rows) == len(scores["rows"])
    assert set(rows) == {
        (split, system, metric, label)
        for split in SPLITS
        for system in SEEDS
        for metric in ("token_f1", "entity_f1", "joint_token_f1", "joint_entity_f1")
        for label in (*CLASSES, "all")
    }
    assert {row["corpus"] for row in scores["rows"]} == {"tiny"}


def test_scores_say_what_they_are_made_of(scores, finished):
    run = finished / RUN
    provenance = read_json(run / "provenance.json")
    assert (scores["name"], scores["table"]) == ("tiny", "table3")
    assert (scores["fingerprint"], scores["data"]) == (provenance["fingerprint"], provenance["data"])
    assert scores["config"] == read_json(run / "config.json")
    assert scores["selection"] == read_json(run / "selection.json")
    assert scores["versions"]["train"] == provenance["versions"]


def test_values_are_means_over_the_runs_of_what_is_counted(rows):
    for (_, system, _, _), row in rows.items():
        assert row["seeds"] == len(SEEDS[system]) == len(row["tp_fp_fn"])
        assert row["runs"] == [100 * f_score(*counts) for counts in row["tp_fp_fn"]]
        assert row["value"] == pytest.approx(np.mean(row["runs"]))
        assert row["precision"] == pytest.approx(100 * np.mean([precision(*c) for c in row["tp_fp_fn"]]))
        assert row["recall"] == pytest.approx(100 * np.mean([recall(*c) for c in row["tp_fp_fn"]]))


def test_spread_is_known_where_there_are_several_runs(rows):
    for row in rows.values():
        if row["seeds"] == 1:
            assert row["sd"] is None
        else:
            assert row["sd"] == pytest.approx(np.std(row["runs"], ddof=1))


def test_interval_holds_the_value_of_a_single_run(rows):
    for row in rows.values():
        assert 0.0 <= row["low"] <= row["high"] <= 100.0
        if row["seeds"] == 1:
            assert row["low"] <= row["value"] <= row["high"]
    assert any(row["low"] < row["high"] for row in rows.values())


def test_all_classes_together_are_counted_together(rows):
    for (split, system, metric, label), row in rows.items():
        if label == "all":
            parts = [rows[split, system, metric, part]["tp_fp_fn"] for part in CLASSES]
            assert row["tp_fp_fn"] == np.sum(parts, axis=0).tolist()


def test_scores_of_this_run_are_neither_empty_nor_perfect(rows):
    values = {row["value"] for (split, *_), row in rows.items() if split == "testb"}
    assert len(values) > 2
    assert 0.0 < min(values | {100.0}) < 100.0


def test_systems_decide_by_their_rule_and_variants_by_their_thresholds(finished, rows):
    run = finished / RUN
    choices = read_json(run / "selection.json")
    assert {
        t for choice in choices.values() for by in choice["thresholds"].values() for t in by.values()
    } != {0.5}
    for system, folders in SEEDS.items():
        choice = choices[system.partition("+")[0]]
        for number, folder in enumerate(folders):
            models = sorted((run / "models" / system.partition("+")[0] / folder).iterdir())
            for split in SPLITS:
                data = load_instances(run / "instances/stanford" / f"{split}.npz")
                said = {k: v for model in models for k, v in load_model(model).decode(data, 1e-6).items()}
                for label in CLASSES:
                    rule = "threshold" if system.endswith("+threshold") else choice["rule"]
                    mask = decide(said[label], rule, choice["thresholds"][folder][label])
                    gold = data.tags == data.tag_names.index(label)
                    counts = token_counts(mask, gold, data.offsets).sum(axis=0).tolist()
                    assert counts == rows[split, system, "token_f1", label]["tp_fp_fn"][number]


# --- predictions ----------------------------------------------------------------------------------


def prediction_files(finished: Path) -> list[tuple[str, str, str, Path]]:
    """System, seed, split and path of every file of predictions."""
    folder = finished / RUN / "predictions"
    return [
        (system, seed, split, folder / system / seed / f"{split}.conll")
        for system, seeds in SEEDS.items()
        for seed in seeds
        for split in SPLITS
    ]


def test_there_is_one_file_of_predictions_for_every_run_and_split(finished):
    files = prediction_files(finished)
    assert {path for *_, path in files} == set((finished / RUN / "predictions").rglob("*.conll"))


def claims(path: Path, label: str) -> list[list[bool]]:
    """Whether any of the columns of classes claims a token for a class, sentence by sentence."""
    columns = [read_columns(path, tag=column, scheme="io").sentences for column in (1, 2)]
    return [
        [
            any(tag[2:] == label for tag in tags)
            for tags in zip(*(sentence.tags for sentence in sides), strict=True)
        ]
        for sides in zip(*columns, strict=True)
    ]


def test_predictions_counted_again_give_exactly_the_scores(finished, rows):
    for system, seed, split, path in prediction_files(finished):
        run = SEEDS[system].index(seed)
        gold = [sentence.tags for sentence in read_columns(path, tag=-2, scheme="iob2").sentences]
        offsets = np.cumsum([0, *map(len, gold)])
        for label in CLASSES:
            guess = claims(path, label)
            said = np.array([claim for sentence in guess for claim in sentence])
            true = np.array([tag[2:] == label for tags in gold for tag in tags])
            tokens = token_counts(said, true, offsets).sum(axis=0)
            assert tokens.tolist() == rows[split, system, "token_f1", label]["tp_fp_fn"][run]
            tags = [[f"I-{label}" if claim else "O" for claim in sentence] for sentence in guess]
            entities = entity_counts(tags, gold, [label])[label].sum(axis=0)
            assert entities.tolist() == rows[split, system, "entity_f1", label]["tp_fp_fn"][run]


def test_columns_of_classes_are_in_the_order_of_the_configuration(finished):
    for _, _, _, path in prediction_files(finished):
        for column, label in enumerate(CLASSES, start=1):
            tags = {tag for s in read_columns(path, tag=column, scheme="io").sentences for tag in s.tags}
            assert {tag[2:] for tag in tags} <= {label, ""}, path


def test_predictions_have_the_words_and_tags_of_the_split(finished):
    for _, _, split, path in prediction_files(finished):
        instances = load_instances(finished / RUN / "instances/stanford" / f"{split}.npz")
        sentences = read_columns(path, tag=-2, scheme="iob1").sentences
        assert tuple(sentence.words for sentence in sentences) == instances.words
        assert tuple(sentence.tags for sentence in sentences) == instances.gold


def test_last_column_is_one_tag_of_those_claimed(finished):
    for _, _, _, path in prediction_files(finished):
        for line in filter(None, path.read_text().split("\n")):
            _, *claims, _, single = line.split(" ")
            assert single in claims
            assert (single == "O") == (set(claims) == {"O"})


def test_joint_scores_are_those_of_the_last_two_columns(finished, rows):
    for system, seed, split, path in prediction_files(finished):
        run = SEEDS[system].index(seed)
        gold, said = (
            [sentence.tags for sentence in read_columns(path, tag=tag, scheme="iob1").sentences]
            for tag in (-2, -1)
        )
        offsets = np.cumsum([0, *map(len, gold)])
        entities = entity_counts(said, gold, CLASSES)
        for label in CLASSES:
            here, there = (
                np.array([tag[2:] == label for tags in side for tag in tags]) for side in (said, gold)
            )
            tokens = token_counts(here, there, offsets).sum(axis=0)
            assert tokens.tolist() == list(rows[split, system, "joint_token_f1", label]["tp_fp_fn"][run])
            found = entities[label].sum(axis=0)
            assert found.tolist() == list(rows[split, system, "joint_entity_f1", label]["tp_fp_fn"][run])


def test_contested_words_are_counted_with_joint_scores_alone(finished, rows):
    for system, seed, split, path in prediction_files(finished):
        lines = [line.split(" ") for line in path.read_text().split("\n") if line]
        contested = sum(sum(claim != "O" for claim in claims) > 1 for _, *claims, _, _ in lines)
        run = SEEDS[system].index(seed)
        for metric in ("joint_token_f1", "joint_entity_f1"):
            assert rows[split, system, metric, "PER"]["contested"][run] == contested
        assert "contested" not in rows[split, system, "token_f1", "PER"]


def made(gold) -> ChainInstances:
    """Two sentences of three words and of one, of these gold tags."""
    return ChainInstances(
        node=csr_matrix((4, 1)),
        edge=csr_matrix((4, 1)),
        tags=np.array([0, 1, 2, 2], dtype=np.int8),
        offsets=np.array([0, 3, 4]),
        tag_names=("PER", "LOC", "O"),
        words=(("Signe", "Halden", "waits"), ("here",)),
        gold=gold,
    )


def test_columns_of_classes_overlap_and_the_last_ones_are_one_tag_a_token_in_the_scheme():
    instances = made((("B-PER", "B-LOC", "O"), ("B-DAY",)))
    claimed = {"PER": np.array([True, True, False, True]), "LOC": np.array([True, True, False, False])}
    joint = {"PER": np.array([True, False, False, True]), "LOC": np.array([False, True, False, False])}
    assert prediction_columns(instances, claimed, joint, "bioes") == [
        [
            ("Signe", "I-PER", "I-LOC", "S-PER", "S-PER"),
            ("Halden", "I-PER", "I-LOC", "S-LOC", "S-LOC"),
            ("waits", "O", "O", "O", "O"),
        ],
        [("here", "I-PER", "O", "O", "S-PER")],
    ]


# --- tests of differences ---------------------------------------------------------------------------


def test_systems_are_compared_with_those_that_decide_as_they_do(scores):
    compared = {(test["split"], *test["systems"]) for test in scores["tests"]}
    groups = [[name for name in SEEDS if name.endswith("+threshold") == rule] for rule in (False, True)]
    assert {(split, frozenset(pair)) for split, *pair in compared} == {
        (split, frozenset(pair)) for split in SPLITS for group in groups for pair in combinations(group, 2)
    }


def test_differences_are_those_of_the_values(scores, rows):
    for test in scores["tests"]:
        first, second = (rows[test["split"], name, test["metric"], test["class"]] for name in test["systems"])
        assert test["difference"] == pytest.approx(first["value"] - second["value"])
        assert test["low"] <= test["high"]
        assert 0.0 < test["p"] <= 1.0
        if test["difference"] == 0.0:
            assert test["p"] == 1.0


# --- evaluating again -------------------------------------------------------------------------------


def evaluated(command, *options) -> dict:
    assert command("evaluate", "tiny.yaml", *options).code == 0
    return read_json(Path("results/scores/tiny.json"))


def test_evaluating_again_gives_the_same_file(trained, command, contents):
    before = contents(Path())
    evaluated(command)
    assert contents(Path()) == before


def test_number_of_resamples_changes_intervals_and_nothing_else(trained, command, scores):
    again = evaluated(command, "--bootstrap", "300")
    assert [(row["low"], row["high"]) for row in again["rows"]] != [
        (row["low"], row["high"]) for row in scores["rows"]
    ]
    for mine, its in zip(again["rows"], scores["rows"], strict=True):
        assert {**mine, "low": 0, "high": 0} == {**its, "low": 0, "high": 0}


def test_run_is_scored_as_it_was_trained_whatever_the_file_says_now(trained, command, scores):
    text = Path("tiny.yaml").read_text()
    Path("tiny.yaml").write_text(text.replace("[PER, LOC]", "[LOC]").replace("seed: 1", "seed: 9"))
    assert evaluated(command) == scores


def test_score_on_the_validation_split_is_the_one_that_was_chosen_by(workspace, command):
    found = {}
    for rule in ("mode", "marginal"):
        # Whether the rules differ hangs on the equilibria that are found: these are the same anywhere.
        engine = "engine={lp: linprog, oracle: numpy}"
        changes = ["seed=6", "runs=1", f"selection={{rules: [{rule}]}}", engine]
        options = [word for change in changes for word in ("--set", change)]
        assert command("train", "tiny.yaml", "--overwrite", *options).code == 0
        mine = [
            row["value"]
            for row in evaluated(command)["rows"]
            if (row["system"], row["split"], row["metric"]) == ("ADV_f1", "testa", "token_f1")
            and row["class"] != "all"
        ]
        choice = read_json(RUN / "selection.json")["ADV_f1"]
        assert choice["rule"] == rule
        assert np.mean(mine) == pytest.approx(100 * choice["score"])
        found[rule] = choice["score"]
    assert found["mode"] != found["marginal"]


def test_evaluating_shows_the_table_and_says_what_comes_next(trained, command):
    outcome = command("evaluate", "tiny.yaml")
    assert "tiny, testa" in outcome.out
    assert "next: advsp compare" in outcome.out
    for name in ("CRF", "ADV_f1"):
        assert name in outcome.out


def test_run_trained_under_another_name_can_be_evaluated(trained, command):
    assert command("train", "tiny.yaml", "--set", "name=other", "--set", "runs=1").code == 0
    assert command("evaluate", "tiny.yaml", "--set", "name=other").code == 0


def test_systems_may_see_the_corpus_through_different_features(workspace, command):
    """The features ``paper`` put a token before every sentence, which is scored as any other."""
    both = ["systems.CRF.features.preset=paper", "runs=1", "selection={rules: [mode]}"]
    options = [word for change in both for word in ("--set", change)]
    assert command("train", "tiny.yaml", *options).code == 0
    assert sorted(path.name for path in (RUN / "instances").iterdir()) == ["paper", "stanford"]
    rows = evaluated(command)["rows"]
    for split in SPLITS:
        for system, preset in (("CRF", "paper"), ("ADV_f1", "stanford")):
            data = load_instances(RUN / "instances" / preset / f"{split}.npz")
            text = (RUN / "predictions" / system / "seed-1" / f"{split}.conll").read_text()
            lines = [line.split(" ") for line in text.splitlines() if line]
            assert [line[0] for line in lines] == [word for words in data.words for word in words]
            (row,) = (
                row
                for row in rows
                if (row["split"], row["system"], row["metric"], row["class"])
                == (split, system, "token_f1", "PER")
            )
            said = np.array([line[1] == "I-PER" for line in lines])
            counts = token_counts(said, data.tags == 0, data.offsets).sum(axis=0)
            assert row["tp_fp_fn"] == [counts.tolist()]


@pytest.mark.parametrize("name", ["A+threshold", "A+average"])
def test_system_may_not_be_named_like_a_variant_of_another(trained, command, name):
    systems = f"systems={{A: {{learner: {{name: crf}}}}, {name}: {{learner: {{name: adversarial}}}}}}"
    complaint = command("train", "tiny.yaml", "--overwrite", "--set", systems).complaint
    assert complaint.startswith(f"--set systems.{name}: names of systems do not end in ")


def test_scores_are_plain_json(finished):
    def refuse(constant):
        raise AssertionError(constant)

    json.loads((finished / "results/scores/tiny.json").read_text(), parse_constant=refuse)
