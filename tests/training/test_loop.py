"""The training loop: what it keeps, what it refuses, and that stopping a run changes nothing."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from training.toy import toy_instances

from advsp.engine.settings import Engine
from advsp.learners.game_loss import chain_game_loss
from advsp.learners.log_loss import ChainLogLoss
from advsp.support.errors import InputError
from advsp.support.progress import no_progress
from advsp.training import loop
from advsp.training.chain_model import ChainModel
from advsp.training.loop import CHECKPOINT, HISTORY, Tolerance, fit
from advsp.training.objective import Objective
from advsp.training.optimisers import optimisers
from advsp.training.optimisers.base import Optimiser, PassReport

PASSES = 6
LENGTHS = (3, 1, 2)
TOLERANCE = Tolerance(start=0.1, decay=0.5, floor=0.01)
OPTIONS = {"bcfw": {"gap": 1e-9, "certify_every": 2}, "lbfgs": {"iterations": 1, "improvement": 0.0}}
#: Every optimiser as it is, and those whose passes are of more than one kind.
VARIANTS = {name: (name, OPTIONS.get(name, {})) for name in optimisers} | {
    "lbfgs after adagrad": ("lbfgs", {**OPTIONS["lbfgs"], "warm": 3}),
    "last iterate of adagrad": ("adagrad", {"average": "none"}),
    "adadelta in batches": ("adadelta", {"batch": 2}),
    "adagrad in batches": ("adagrad", {"batch": 2}),
    "weighted mean of bcfw": ("bcfw", {**OPTIONS["bcfw"], "average": "weighted"}),
}
LOSSES = {
    "log": ChainLogLoss,
    "game, warm": lambda model: chain_game_loss(model, [0], Engine(), warm=True),
    "game, cold": lambda model: chain_game_loss(model, [0], Engine(), warm=False),
}

variants = pytest.mark.parametrize("variant", VARIANTS)
losses = pytest.mark.parametrize("loss", LOSSES)


def run(variant: str = "adagrad", loss: str = "log", *, options: dict | None = None, **overrides):
    """A run from nothing: its own model, loss and optimiser, as after a restart of the program."""
    name, usual = VARIANTS[variant]
    model = ChainModel(toy_instances(lengths=LENGTHS))
    optimiser = optimisers.get(name)(**(usual if options is None else options))
    initial = np.random.default_rng(3).normal(scale=0.05, size=model.size)
    settings = {
        "passes": PASSES,
        "seed": 4,
        "tolerance": TOLERANCE,
        "initial": initial,
        "checkpoint_seconds": 0,
    }
    return fit(Objective(model, LOSSES[loss](model), l2=1.0), optimiser, **settings | overrides)


def history(folder: Path) -> list[dict]:
    """The history without the seconds, which no two runs share."""
    lines = (folder / HISTORY).read_text().splitlines()
    return [{key: value for key, value in json.loads(line).items() if key != "seconds"} for line in lines]


class Killed(Exception):
    pass


def kill_after(number: int):
    """A call after every pass that ends the run at pass ``number``, before the pass is kept."""

    def after_pass(done: int, weights: np.ndarray) -> dict:
        if done == number:
            raise Killed
        return {"first": float(weights[0])}

    return after_pass


def undisturbed(number: int, weights: np.ndarray) -> dict:
    return {"first": float(weights[0])}


# --- stopped and resumed ---------------------------------------------------------------------------


@losses
@variants
def test_run_that_is_killed_and_resumed_ends_like_one_that_never_stopped(variant, loss, tmp_path):
    whole = run(variant, loss, folder=tmp_path / "whole", after_pass=undisturbed)
    with pytest.raises(Killed):
        run(variant, loss, folder=tmp_path / "killed", after_pass=kill_after(4))
    assert len(history(tmp_path / "killed")) == 3
    resumed = run(variant, loss, folder=tmp_path / "killed", after_pass=undisturbed, resume=True)
    assert np.array_equal(resumed, whole)
    assert history(tmp_path / "killed") == history(tmp_path / "whole")


@losses
@variants
def test_run_that_is_extended_ends_like_one_that_was_long_from_the_start(variant, loss, tmp_path):
    whole = run(variant, loss, folder=tmp_path / "whole")
    for passes in (2, 3, PASSES):
        extended = run(variant, loss, folder=tmp_path / "extended", passes=passes, resume=True)
    assert np.array_equal(extended, whole)
    assert history(tmp_path / "extended") == history(tmp_path / "whole")


@pytest.mark.parametrize("interrupted", ["_write_checkpoint", "atomic"])
def test_run_that_is_killed_while_it_writes_resumes_all_the_same(interrupted, tmp_path, monkeypatch):
    whole = run(folder=tmp_path / "whole")
    original, calls = getattr(loop, interrupted), []

    def dies_the_third_time(*args):
        calls.append(args)
        if len(calls) == 3:
            raise Killed
        return original(*args)

    with monkeypatch.context() as patch:
        patch.setattr(loop, interrupted, dies_the_third_time)
        with pytest.raises(Killed):
            run(folder=tmp_path / "killed")
    assert np.array_equal(run(folder=tmp_path / "killed", resume=True), whole)
    assert history(tmp_path / "killed") == history(tmp_path / "whole")


@losses
@variants
def test_passes_since_the_last_checkpoint_are_done_again(variant, loss, tmp_path, monkeypatch):
    whole = run(variant, loss, folder=tmp_path / "whole", after_pass=undisturbed)
    seconds, kept = iter(range(0, 10_000, 10)), []
    # The loop's own clock: the module's is looked at by other threads, too.
    clock = SimpleNamespace(monotonic=lambda: next(seconds), perf_counter=time.perf_counter)
    monkeypatch.setattr(loop, "time", clock)
    original = loop._write_checkpoint

    def writes(path, objective, state, number, *args):
        kept.append(number)
        original(path, objective, state, number, *args)

    monkeypatch.setattr(loop, "_write_checkpoint", writes)
    timed = {"folder": tmp_path / "killed", "checkpoint_seconds": 25}
    with pytest.raises(Killed):
        run(variant, loss, **timed, after_pass=kill_after(5))
    assert (kept, len(history(tmp_path / "killed"))) == ([3], 4)
    again: list[int] = []

    def noted(number: int, weights: np.ndarray) -> dict:
        again.append(number)
        return undisturbed(number, weights)

    resumed = run(variant, loss, **timed, after_pass=noted, resume=True)
    assert (again, kept) == ([4, 5, 6], [3, 6])
    assert np.array_equal(resumed, whole)
    assert history(tmp_path / "killed") == history(tmp_path / "whole")


def test_new_run_that_is_killed_before_its_first_checkpoint_leaves_none_of_the_run_before(tmp_path):
    run(folder=tmp_path, seed=99)
    with pytest.raises(Killed):
        run(folder=tmp_path, checkpoint_seconds=1e9, after_pass=kill_after(3))
    assert np.array_equal(run(folder=tmp_path, resume=True), run())


@pytest.mark.parametrize(
    ("name", "options"),
    [("bcfw", {"gap": 0.2, "certify_every": 1}), ("lbfgs", {"iterations": 500, "improvement": 1e-4})],
)
def test_run_that_has_converged_is_resumed_as_converged(name, options, tmp_path):
    converged = run(name, options=options, passes=100, folder=tmp_path)
    lines = history(tmp_path)
    assert lines[-1]["converged"] and len(lines) < 100

    def must_not_be_called(number: int, weights: np.ndarray) -> dict:
        raise AssertionError(f"pass {number} after convergence")

    again = run(
        name, options=options, passes=100, folder=tmp_path, resume=True, after_pass=must_not_be_called
    )
    assert np.array_equal(again, converged)
    assert history(tmp_path) == lines


def test_resuming_a_finished_run_gives_its_weights(tmp_path):
    finished = run(folder=tmp_path)
    assert np.array_equal(run(folder=tmp_path, resume=True), finished)
    assert len(history(tmp_path)) == PASSES


def test_resuming_where_there_is_nothing_begins_anew(tmp_path):
    assert np.array_equal(run(folder=tmp_path, resume=True), run())


def test_without_resume_a_run_begins_anew(tmp_path):
    run(folder=tmp_path, passes=2, seed=99)
    assert np.array_equal(run(folder=tmp_path), run())
    assert [line["pass"] for line in history(tmp_path)] == list(range(1, PASSES + 1))


# --- checkpoints that cannot be used ---------------------------------------------------------------


def test_checkpoint_of_another_run_is_refused(tmp_path):
    run(folder=tmp_path, passes=1, fingerprint="these data")
    with pytest.raises(InputError, match="another configuration or data.*without --resume") as raised:
        run(folder=tmp_path, fingerprint="those data", resume=True)
    assert raised.value.file == tmp_path / CHECKPOINT


@pytest.mark.parametrize("content", [b"", b"not a checkpoint at all"])
def test_file_that_is_no_checkpoint_is_refused(tmp_path, content):
    (tmp_path / CHECKPOINT).write_bytes(content)
    with pytest.raises(InputError, match="not a checkpoint"):
        run(folder=tmp_path, resume=True)


def test_archive_that_is_no_checkpoint_is_refused(tmp_path):
    np.savez(tmp_path / CHECKPOINT, weights=np.zeros(3))
    with pytest.raises(InputError, match="not a checkpoint"):
        run(folder=tmp_path, resume=True)


def test_checkpoint_cut_short_is_refused(tmp_path):
    run(folder=tmp_path, passes=1)
    whole = (tmp_path / CHECKPOINT).read_bytes()
    (tmp_path / CHECKPOINT).write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match="not a checkpoint"):
        run(folder=tmp_path, resume=True)


def test_checkpoint_without_its_history_is_refused(tmp_path):
    run(folder=tmp_path, passes=1)
    (tmp_path / HISTORY).unlink()
    with pytest.raises(InputError, match="the history of the 1 passes .* is not there"):
        run(folder=tmp_path, resume=True)


def test_checkpoint_with_a_history_that_is_too_short_is_refused(tmp_path):
    run(folder=tmp_path, passes=3)
    lines = (tmp_path / HISTORY).read_text().splitlines(keepends=True)
    (tmp_path / HISTORY).write_text("".join(lines[:2]))
    with pytest.raises(InputError, match="the history of the 3 passes .* is not there"):
        run(folder=tmp_path, resume=True)


# --- passes, tolerances, histories -----------------------------------------------------------------


def test_no_passes_give_the_initial_weights():
    initial = np.random.default_rng(3).normal(size=ChainModel(toy_instances(lengths=LENGTHS)).size)
    assert np.array_equal(run(passes=0, initial=initial), initial)


def test_runs_of_different_seeds_differ():
    assert not np.array_equal(run(seed=1), run(seed=2))


class Recorder(Optimiser):
    """Moves nothing and remembers in which order the examples came."""

    def __init__(self) -> None:
        self.orders: list[list[int]] = []

    def start(self, objective, weights):
        return {"weights": weights}

    def run_pass(self, objective, state, order, progress=no_progress):
        self.orders.append(order.tolist())
        return PassReport(objective=0.0)


def orders(seed: int, folder: Path | None = None, **options) -> list[list[int]]:
    model, recorder = ChainModel(toy_instances(lengths=(1,) * 8)), Recorder()
    objective = Objective(model, ChainLogLoss(model))
    settings = {"passes": 5, "tolerance": TOLERANCE, "initial": np.zeros(model.size), "folder": folder}
    fit(objective, recorder, seed=seed, **settings | options)
    return recorder.orders


def test_every_pass_takes_every_example_once_in_an_order_of_its_own():
    found = orders(seed=0)
    assert all(sorted(order) == list(range(8)) for order in found)
    assert len({tuple(order) for order in found}) == 5


def test_order_depends_on_the_seed_and_the_number_of_the_pass_alone(tmp_path):
    assert orders(seed=0) == orders(seed=0) != orders(seed=1)
    orders(seed=0, folder=tmp_path, passes=2)
    assert orders(seed=0, folder=tmp_path, resume=True) == orders(seed=0)[2:]


def test_history_has_one_line_a_pass_with_what_was_found(tmp_path):
    run("bcfw", folder=tmp_path, after_pass=lambda number, weights: {"f1": 0.5, "number": number})
    lines = history(tmp_path)
    assert [line["pass"] for line in lines] == list(range(1, PASSES + 1))
    assert [line["number"] for line in lines] == list(range(1, PASSES + 1))
    assert [line["gap"] is None for line in lines] == [True, False] * 3
    assert {line["f1"] for line in lines} == {0.5}
    assert all(np.isfinite(line["objective"]) for line in lines)


class Uncertain(ChainLogLoss):
    """Finds no certificate for any example."""

    def evaluate(self, example, potentials, tolerance):
        self.uncertified += 1
        return super().evaluate(example, potentials, tolerance)


def test_history_says_for_how_many_answers_a_pass_found_no_certificate(tmp_path, monkeypatch):
    run(folder=tmp_path)
    assert [line["uncertified"] for line in history(tmp_path)] == [0] * PASSES
    monkeypatch.setitem(LOSSES, "log", Uncertain)
    run(folder=tmp_path)
    assert [line["uncertified"] for line in history(tmp_path)] == [len(LENGTHS)] * PASSES


def test_norm_in_the_history_is_that_of_the_weights(tmp_path):
    weights = run(folder=tmp_path)
    assert history(tmp_path)[-1]["norm"] == pytest.approx(np.linalg.norm(weights))


def test_after_pass_sees_the_weights_to_predict_with():
    seen = []
    final = run(after_pass=lambda number, weights: seen.append(weights.copy()) or {})
    assert len(seen) == PASSES
    assert np.array_equal(seen[-1], final)


def test_tolerance_tightens_from_pass_to_pass_down_to_its_floor(tmp_path):
    run(folder=tmp_path)
    assert [line["tolerance"] for line in history(tmp_path)] == [0.1, 0.05, 0.025, 0.0125, 0.01, 0.01]


def test_tolerance_of_a_pass():
    tolerance = Tolerance(start=0.4, decay=0.1, floor=0.001)
    assert [tolerance.at(number) for number in (1, 2, 3, 9)] == pytest.approx([0.4, 0.04, 0.004, 0.001])


def test_progress_counts_every_example_of_every_pass_resumed_ones_too(tmp_path):
    def ticked(passes: int) -> int:
        ticks = []

        def progress(examples: int, note: str = "") -> None:
            ticks.append(examples)

        run(folder=tmp_path, passes=passes, resume=True, progress=progress)
        return sum(ticks)

    assert ticked(PASSES) == 3 * PASSES
    assert ticked(PASSES + 2) == 3 * (PASSES + 2)


def test_progress_says_how_every_pass_went(tmp_path):
    notes = []
    run("bcfw", folder=tmp_path, passes=2, progress=lambda examples, note="": notes.append(note))
    said = [note for note in notes if note]
    objectives = [line["objective"] for line in history(tmp_path)]
    assert said[0] == f"pass 1: objective {objectives[0]:.6g}"
    assert said[1].startswith(f"pass 2: objective {objectives[1]:.6g}, gap ")


def test_without_a_folder_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run(passes=2)
    assert list(tmp_path.iterdir()) == []


def test_folder_holds_the_checkpoint_and_the_history_and_nothing_else(tmp_path):
    run(passes=2, folder=tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([CHECKPOINT, HISTORY])


# --- initial weights that are made on demand --------------------------------------------------------


def objective_and_initial() -> tuple[Objective, list[float], Callable[[], np.ndarray]]:
    """An objective, and initial weights that note at which tolerance they were asked for."""
    model = ChainModel(toy_instances(lengths=LENGTHS))
    objective, seen = Objective(model, ChainLogLoss(model), l2=1.0), []

    def initial() -> np.ndarray:
        seen.append(objective.tolerance)
        return np.random.default_rng(3).normal(scale=0.05, size=model.size)

    return objective, seen, initial


@pytest.mark.parametrize("passes", [0, 1, 3])
def test_initial_weights_are_asked_for_once_at_the_tolerance_of_the_first_pass(passes):
    objective, seen, initial = objective_and_initial()
    settings = {"passes": passes, "seed": 4, "tolerance": TOLERANCE}
    made = fit(objective, optimisers.get("adagrad")(), initial=initial, **settings)
    assert seen == [TOLERANCE.start]
    given = fit(objective_and_initial()[0], optimisers.get("adagrad")(), initial=initial(), **settings)
    assert np.array_equal(made, given)


def test_resumed_run_does_not_ask_for_initial_weights(tmp_path):
    settings = {"seed": 4, "tolerance": TOLERANCE, "folder": tmp_path}
    for passes, asked in ((2, 1), (3, 0), (3, 0)):
        objective, seen, initial = objective_and_initial()
        fit(objective, optimisers.get("adagrad")(), passes=passes, initial=initial, resume=True, **settings)
        assert len(seen) == asked
