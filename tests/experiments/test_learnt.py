"""How systems learnt, as score files have it, is what the training loops wrote."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from advsp.experiments.learnt import learning, seconds
from advsp.experiments.run_folder import read_run
from advsp.metrics.scores import Scores
from advsp.support.files import write_json
from advsp.support.records import Fields, read_json

RUN = Path("results/runs/tiny")


def histories(system: str, point: int, seed: str) -> list[list[dict]]:
    """What the training loop wrote for every class."""
    folder = RUN / "jobs" / system / seed / f"point-{point}"
    paths = sorted(folder.glob("*/history.jsonl"))
    return [[json.loads(line) for line in path.read_text().splitlines()] for path in paths]


def test_objectives_are_summed_over_models_and_scores_are_means(trained):
    run = read_run(RUN)
    found = learning(run)
    assert found == Scores.read(Path("results/scores/tiny.json")).learning
    choice = run.choices["ADV_f1"]
    seeds = [histories("ADV_f1", choice.point, path.name) for path in sorted((RUN / "jobs/ADV_f1").iterdir())]
    assert all(len(models) == 2 for models in seeds)
    learnt = found["ADV_f1"]
    fewest = min(len(history) for models in seeds for history in models)
    assert learnt.passes == tuple(range(1, fewest + 1))
    for number, objective in zip(learnt.passes, learnt.objective, strict=True):
        sums = [sum(history[number - 1]["objective"] for history in models) for models in seeds]
        assert objective == pytest.approx(np.mean(sums))
    assert learnt.scored
    for number, score in zip(learnt.scored, learnt.validation, strict=True):
        # One seed takes part in choosing.
        lines = [history[number - 1] for history in seeds[0]]
        means = [np.mean(list(line["validation"].values())) for line in lines]
        assert score == pytest.approx(100 * np.mean(means))
    assert learnt.uncertified == 0


def test_answers_without_a_certificate_are_counted(trained):
    path = next((RUN / "jobs/CRF").rglob("history.jsonl"))
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    lines[0]["uncertified"] = 3
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert learning(read_run(RUN))["CRF"].uncertified == 3
    # Runs of before did not count them.
    del lines[0]["uncertified"]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert learning(read_run(RUN))["CRF"].uncertified is None


def test_seconds_are_those_of_all_passes_of_the_whole_grid(trained):
    expected = {
        system: sum(
            json.loads(line)["seconds"]
            for path in (RUN / "jobs" / system).rglob("history.jsonl")
            for line in path.read_text().splitlines()
        )
        for system in ("ADV_f1", "CRF")
    }
    assert seconds(read_run(RUN)) == pytest.approx(expected)
    kept = read_json(Path("results/times/tiny.json"))
    assert kept["run"] == Scores.read(Path("results/scores/tiny.json")).run
    assert kept["seconds"] == pytest.approx(expected)


def test_a_system_without_passes_took_no_seconds_and_that_can_be_read_again(trained):
    for path in (RUN / "jobs/CRF").rglob("history.jsonl"):
        path.unlink()
    file = Path("results/times/tiny.json")
    write_json(file, {**read_json(file), "seconds": seconds(read_run(RUN))})
    assert Fields.of_file(file, "").fields("seconds").all_numbers()["CRF"] == 0.0


def test_after_folds_the_last_training_is_told(trained_bitext):
    system, run = "ADV_aer [m, label]", read_run(Path("results/runs/harbour"))
    point = run.choices[system].point
    jobs = [run.folder.job(system, seed, point, None, ("all",)) for seed in (1, 2)]
    ends = [job.history()[-1].number("objective") for job in jobs]
    assert learning(run)[system].objective[-1] == pytest.approx(np.mean(ends))
    # Seconds are those of the folds, too.
    last = sum(line.number("seconds") for job in jobs for line in job.history())
    assert seconds(run)[system] > last


def test_of_many_passes_some_are_kept_with_the_first_and_the_last(trained):
    for path in (RUN / "jobs/CRF").rglob("history.jsonl"):
        line = json.loads(path.read_text().splitlines()[0])
        lines = [{**line, "pass": number, "objective": 1.0 / number} for number in range(1, 401)]
        path.write_text("".join(json.dumps(one) + "\n" for one in lines))
    learnt = learning(read_run(RUN))["CRF"]
    assert len(learnt.passes) == 40 and learnt.passes[0] == 1 and learnt.passes[-1] == 400
    assert learnt.objective == pytest.approx([1.0 / number for number in learnt.passes])
