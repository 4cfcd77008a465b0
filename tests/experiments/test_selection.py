"""What is chosen on the validation split, with outputs of which the best is known."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from training.toy import toy_pairs

from advsp.experiments import thresholds as thresholds_module
from advsp.experiments.candidate import Candidate
from advsp.experiments.config import ExperimentConfig
from advsp.experiments.decisions import Output, best_threshold, decide, thresholds_in_steps
from advsp.experiments.folds import Fold
from advsp.experiments.grid import grid
from advsp.experiments.run_folder import JobFolder, RunFolder
from advsp.experiments.selection import choose
from advsp.experiments.thresholds import decoding_jobs, with_thresholds
from advsp.learners import learners
from advsp.learners.base import Decoded
from advsp.metrics import metrics
from advsp.metrics.choice import Choice
from advsp.support.progress import Silent
from advsp.tasks.base import View
from advsp.training.instances import ChainInstances

#: Gold tokens of the two splits: PER in half of them, LOC in two.
GOLD = {"testa": "PPPPLLOO", "testb": "OOPPPPLL"}
TAGS = {"P": 0, "L": 1, "O": 2}
LEVELS = thresholds_in_steps(0.05)


def instances(gold: str) -> ChainInstances:
    """One sentence of which nothing matters but the tags."""
    return ChainInstances(
        node=csr_matrix((len(gold), 1)),
        edge=csr_matrix((len(gold), 1)),
        tags=np.array([TAGS[tag] for tag in gold], dtype=np.int8),
        offsets=np.array([0, len(gold)]),
        tag_names=("PER", "LOC", "O"),
        words=(tuple("w" * len(gold)),),
        gold=(("O",) * len(gold),),
    )


SPLITS = {split: instances(gold) for split, gold in GOLD.items()}


def experiment(total: int = 2, **selection_keys) -> ExperimentConfig:
    """One system with so many seeds, and what is asked of its selection."""
    return ExperimentConfig.model_validate(
        {
            "name": "trial",
            "corpus": {"name": "tiny", "path": "nowhere"},
            "classes": ["PER", "LOC"],
            "seed": 5,
            "runs": total,
            "optimiser": {"passes": 4},
            "selection": selection_keys,
            "systems": {"ADV": {"learner": {"name": "adversarial"}}},
        }
    )


def said(label: str, right: int, split: str = "testa") -> np.ndarray:
    """A decision that finds the first so many tokens of a class and nothing else."""
    gold = SPLITS[split].tags == SPLITS[split].tag_names.index(label)
    return gold & (np.cumsum(gold) <= right)


@pytest.fixture
def run(tmp_path) -> RunFolder:
    """A run that has the splits."""
    folder = RunFolder(tmp_path)
    folder.save_view("stanford", View(SPLITS, None))
    return folder


def keep_candidate(job: JobFolder, passes: int, decoded: dict[str, Decoded]) -> None:
    """Keep a candidate as a training job does, beside those that are there."""
    job.keep(passes, Candidate(np.zeros(1), decoded))
    job.end(job.kept(range(1, 5)))


@pytest.fixture
def trained(run):
    """Keep what a system said of the validation split after some passes, as a training job does.

    Numbers say how many tokens of PER and of LOC the rule ``mode`` and the rule ``marginal`` find.
    """

    def keep(seed: int, point: int, passes: int, mode: tuple[int, int], marginal: tuple[int, int]) -> None:
        for label, by_mode, by_marginal in zip(("PER", "LOC"), mode, marginal):
            says = Decoded(said(label, by_mode), np.where(said(label, by_marginal), 0.9, 0.1))
            keep_candidate(run.job("ADV", seed, point, None, [label]), passes, {label: says})

    return keep


def chosen(config: ExperimentConfig, run: RunFolder) -> Choice:
    return choose(config, run, grid("ADV", config.systems["ADV"]), Silent())


# --- choosing -------------------------------------------------------------------------------------


def test_best_grid_point_is_chosen(trained, run):
    for point, found in enumerate([(1, 1), (4, 2), (3, 1)]):
        trained(5, point, 4, mode=found, marginal=found)
    choice = chosen(experiment(grid={"optimiser.step": [0.1, 0.2, 0.3]}, rules=["mode"]), run)
    assert (choice.point, choice.score, choice.options) == (1, 1.0, {"optimiser.step": 0.2})


def test_best_number_of_passes_is_chosen(trained, run):
    for passes, found in ((1, (1, 1)), (2, (3, 2)), (4, (2, 2))):
        trained(5, 0, passes, mode=found, marginal=found)
    assert chosen(experiment(passes=[1, 2], rules=["mode"]), run).passes == 2


@pytest.mark.parametrize(
    ("mode", "marginal", "rule"), [((4, 2), (3, 2), "mode"), ((3, 2), (4, 2), "marginal")]
)
def test_best_rule_is_chosen(trained, run, mode, marginal, rule):
    trained(5, 0, 4, mode=mode, marginal=marginal)
    choice = chosen(experiment(), run)
    assert (choice.rule, choice.score) == (rule, 1.0)


def test_only_the_rules_asked_for_are_tried(trained, run):
    trained(5, 0, 4, mode=(1, 1), marginal=(4, 2))
    choice = chosen(experiment(rules=["mode"]), run)
    assert (choice.rule, len(choice.grid)) == ("mode", 1)


def test_score_is_the_mean_over_the_classes_and_not_over_the_tokens(trained, run):
    # PER 2 of 4: F1 2/3; LOC 2 of 2: F1 1.
    trained(5, 0, 4, mode=(2, 2), marginal=(2, 2))
    choice = chosen(experiment(rules=["mode"]), run)
    assert choice.score == pytest.approx((2 / 3 + 1) / 2)
    assert choice.grid[0].classes == pytest.approx({"PER": 2 / 3, "LOC": 1.0})


def test_first_of_equals_is_chosen(trained, run):
    for point in (0, 1):
        for passes in (1, 4):
            trained(5, point, passes, mode=(3, 1), marginal=(3, 1))
    choice = chosen(experiment(grid={"optimiser.step": [0.3, 0.1]}, passes=[1]), run)
    assert (choice.point, choice.options["optimiser.step"]) == (0, 0.3)
    assert (choice.passes, choice.rule) == (1, "mode")
    assert len({row.score for row in choice.grid}) == 1


def test_runs_that_take_part_are_averaged(trained, run):
    # The first seed alone would take the first point.
    for point, runs in enumerate([((4, 2), (0, 0)), ((3, 2), (3, 2))]):
        for seed, found in zip((5, 6), runs):
            trained(seed, point, 4, mode=found, marginal=found)
    grid = {"optimiser.step": [0.1, 0.2]}
    assert chosen(experiment(grid=grid, rules=["mode"], runs=1), run).point == 0
    assert chosen(experiment(grid=grid, rules=["mode"], runs=2), run).point == 1


def test_marginal_of_exactly_one_half_is_not_above_it():
    output = Decoded(np.array([True, False, False]), np.array([0.2, 0.5, 0.5000001]))
    assert decide(output, "mode").tolist() == [True, False, False]
    assert decide(output, "marginal").tolist() == [False, False, True]
    assert decide(output, "threshold", 0.1).tolist() == [True, True, True]
    assert decide(output, "threshold", 0.2).tolist() == [False, True, True]


def test_converged_job_stands_for_every_later_number_of_passes(trained, run):
    # Kept after one pass and at the end, because it converged in the second.
    trained(5, 0, 1, mode=(1, 1), marginal=(1, 1))
    trained(5, 0, 4, mode=(3, 1), marginal=(3, 1))
    choice = chosen(experiment(passes=[1, 2, 3], rules=["mode"]), run)
    assert [row.passes for row in choice.grid] == [1, 2, 3, 4]
    assert len({row.score for row in choice.grid[1:]}) == 1
    assert choice.passes == 2


def test_nothing_is_chosen_without_a_validation_split(run):
    config = experiment(rules=["marginal"])
    config = config.model_copy(update={"corpus": config.corpus.model_copy(update={"validation": None})})
    choice = chosen(config, run)
    assert (choice.point, choice.passes, choice.rule, choice.score) == (0, 4, "marginal", None)
    assert choice.grid == ()


def test_every_seed_and_the_average_of_several_are_decoded(run):
    def jobs(config: ExperimentConfig, split: str):
        return decoding_jobs(
            config, run, grid("ADV", config.systems["ADV"])[0], choice_of("mode")["ADV"], split
        )

    several = jobs(experiment(), "testb")
    assert [(job.system, job.seed, job.split) for job in several] == [
        ("ADV", "seed-5", "testb"),
        ("ADV", "seed-6", "testb"),
        ("ADV", "average", "testb"),
    ]
    assert all(job.groups == (("PER",), ("LOC",)) for job in several)
    assert [(job.seed, job.split) for job in jobs(experiment(total=1), "testa")] == [("seed-5", "testa")]


# --- thresholds -----------------------------------------------------------------------------------


def choice_of(rule: str, point: int = 0, passes: int = 4) -> dict[str, Choice]:
    """A choice whose thresholds are to be found."""
    return {"ADV": Choice("token_f1 on testa", point, passes, rule, score=0.5, options={})}


@pytest.fixture
def thresholds(run, monkeypatch):
    """Thresholds chosen for PER from the marginals of every seed and of their average."""

    def find(*marginals: list[float]) -> dict[str, float]:
        def outputs(jobs, config, reporter, label):
            assert {job.split for job in jobs} == {"testa"}
            loc = SPLITS["testa"].tags == 1
            return [
                {
                    "PER": Decoded(np.zeros(8, dtype=bool), np.array(marginal)),
                    "LOC": Decoded(loc, np.where(loc, 1.0, 0.0)),
                }
                for _, marginal in zip(jobs, marginals, strict=True)
            ]

        monkeypatch.setattr(thresholds_module, "run_decoding", outputs)
        config = experiment(total=max(1, len(marginals) - 1))
        found = with_thresholds(config, run, choice_of("mode"), Silent())["ADV"].thresholds
        assert all(classes["LOC"] == 0.5 for classes in found.values())
        return {seed: classes["PER"] for seed, classes in found.items()}

    return find


def test_threshold_is_the_one_that_scores_best(thresholds):
    # Only a threshold from 0.2 up to below 0.3 parts the four names from the rest.
    assert thresholds([0.3, 0.3, 0.3, 0.9, 0.2, 0.2, 0.1, 0.2]) == {"seed-5": 0.25}


@pytest.mark.parametrize(
    ("inside", "outside", "threshold"),
    [
        pytest.param(0.99, 0.01, 0.5, id="all are equal"),
        pytest.param(0.99, 0.62, 0.65, id="from above"),
        pytest.param(0.42, 0.01, 0.4, id="from below"),
        pytest.param(0.99, 0.5, 0.5, id="not above one half"),
    ],
)
def test_of_equal_thresholds_the_one_nearest_to_one_half_is_chosen(thresholds, inside, outside, threshold):
    assert thresholds([inside] * 4 + [outside] * 4) == {"seed-5": threshold}


def test_every_seed_has_its_own_threshold(thresholds):
    low = [0.3] * 4 + [0.2] * 4
    high = [0.9] * 4 + [0.8] * 4
    plain = [0.9] * 4 + [0.1] * 4
    assert thresholds(low, high, plain) == {"seed-5": 0.25, "seed-6": 0.8, "average": 0.5}


def test_chosen_threshold_decides_as_the_one_that_was_scored():
    for step in (0.05, 0.01, 0.125, 1 / 3):
        levels = thresholds_in_steps(step)
        assert len(levels) == round(1 / step) - 1
        assert [round(float(level), 4) for level in levels] == pytest.approx(levels.tolist(), abs=1e-4)
    assert thresholds_in_steps(0.05).tolist() == (np.arange(1, 20) / 20.0).tolist()


def test_without_a_validation_split_there_are_no_thresholds(run):
    config = experiment()
    config = config.model_copy(update={"corpus": config.corpus.model_copy(update={"validation": None})})
    assert with_thresholds(config, run, choice_of("mode"), Silent())["ADV"].thresholds == {}


def test_learner_without_probabilities_has_no_thresholds_unless_it_decides_by_them(run, monkeypatch):
    decoded = []

    def outputs(jobs, config, reporter, label):
        decoded.extend(job.system for job in jobs)
        said = Decoded(np.zeros(8, dtype=bool), np.linspace(0.0, 1.0, 8))
        return [{"PER": said, "LOC": said} for _ in jobs]

    monkeypatch.setattr(thresholds_module, "run_decoding", outputs)
    monkeypatch.setattr(learners.get("adversarial"), "probabilistic", False)
    for rule, systems in (("mode", []), ("threshold", ["ADV"])):
        decoded.clear()
        found = with_thresholds(experiment(total=1), run, choice_of(rule), Silent())["ADV"].thresholds
        assert decoded == systems
        assert set(found) == ({"seed-5"} if systems else set())


@pytest.mark.parametrize("rule", ["mode", "marginal", "threshold"])
def test_thresholds_that_are_not_wanted_are_chosen_for_the_rule_alone(run, monkeypatch, rule):
    said = Decoded(np.zeros(8, dtype=bool), np.linspace(0.0, 1.0, 8))
    monkeypatch.setattr(
        thresholds_module, "run_decoding", lambda jobs, *_: [{"PER": said, "LOC": said} for _ in jobs]
    )
    config = experiment(total=1)
    evaluation = config.evaluation.model_copy(update={"thresholds": False})
    config = config.model_copy(update={"evaluation": evaluation})
    found = with_thresholds(config, run, choice_of(rule), Silent())["ADV"].thresholds
    assert bool(found) == (rule == "threshold")


# --- the rule ``threshold`` -----------------------------------------------------------------------


def marginals(label: str, *values: float) -> Output:
    """What is said of testa by marginals alone."""
    decoded = {label: Decoded(np.zeros(8, dtype=bool), np.array(values))}
    return Output(SPLITS["testa"], decoded)


def test_best_threshold_is_found_over_all_parts_together():
    # Either part alone is best at another threshold; together there are more tokens in the second one.
    metric = metrics.get("token_f1")()
    low = marginals("PER", 0.3, 0.3, 0.3, 0.3, 0.1, 0.1, 0.1, 0.1)
    high = marginals("PER", 0.9, 0.9, 0.9, 0.9, 0.4, 0.4, 0.4, 0.4)
    assert best_threshold([low], "PER", metric, LEVELS) == 0.2 + 0.05
    assert best_threshold([high], "PER", metric, LEVELS) == 0.5
    assert best_threshold([low, high, high], "PER", metric, LEVELS) == 0.5
    assert best_threshold([low, low, low, high], "PER", metric, LEVELS) == 0.25


def test_threshold_of_an_error_rate_is_the_one_with_the_lowest():
    pairs = toy_pairs(shapes=((2, 2),), labels=(2, 0, 0, 2))
    said = Output(pairs, {"all": Decoded(np.zeros(4, dtype=bool), np.array([0.8, 0.75, 0.7, 0.9]))})
    # Above 0.75 both sure links and nothing else are left.
    assert best_threshold([said], "all", metrics.get("aer")(), LEVELS) == 0.75


def test_rule_threshold_is_scored_at_its_best_threshold(trained, run):
    trained(5, 0, 4, mode=(1, 1), marginal=(4, 2))
    choice = chosen(experiment(rules=["mode", "marginal", "threshold"]), run)
    scores = {row.rule: row.score for row in choice.grid}
    assert scores["threshold"] == scores["marginal"] == 1.0
    assert choice.rule == "marginal", "the first of equals"
    for label, marginal in (("PER", 0.3), ("LOC", 0.3)):
        job = run.job("ADV", 5, 0, None, [label])
        says = job.candidate(4, [label]).decoded[label]
        says = Decoded(says.mode, np.where(says.marginal > 0.5, marginal, 0.1))
        keep_candidate(job, 4, {label: says})
    choice = chosen(experiment(rules=["mode", "marginal", "threshold"]), run)
    assert (choice.rule, choice.score) == ("threshold", 1.0)
    assert {row.rule: row.score for row in choice.grid}["marginal"] == 0.0


# --- folds ----------------------------------------------------------------------------------------

#: Sentences of one token each: six to train on and four to validate on, all of them in one of two folds.
FIRST = Fold(0, 2, 5).held_out(10)
#: In the first fold everything is a name, in the second one sentence is.
NAMES = FIRST | (np.cumsum(~FIRST) == 1) & ~FIRST


def single_tokens(names: np.ndarray) -> ChainInstances:
    size = len(names)
    return ChainInstances(
        node=csr_matrix((size, 1)),
        edge=csr_matrix((size, 1)),
        tags=np.where(names, 0, 2).astype(np.int8),
        offsets=np.arange(size + 1),
        tag_names=("PER", "LOC", "O"),
        words=(("w",),) * size,
        gold=tuple(("B-PER",) if name else ("O",) for name in names),
    )


def folded_experiment(validation: str | None = "testa", **selection_keys) -> ExperimentConfig:
    """As before, with two folds and one class."""
    config = experiment(folds=2, rules=["mode"], **selection_keys).model_dump()
    config["classes"] = ["PER"]
    config["corpus"]["validation"] = validation
    del config["systems"]["ADV"]["optimiser"], config["systems"]["ADV"]["selection"]
    return ExperimentConfig.model_validate(config)


@pytest.fixture
def folded_run(tmp_path):
    """A run whose system says the same of an example whichever split and fold it is in."""
    run = RunFolder(tmp_path)
    parts = {"train": single_tokens(NAMES[:6]), "testa": single_tokens(NAMES[6:])}
    run.save_view("stanford", View(parts, None))

    def keep(
        point: int, said: np.ndarray, marginal: np.ndarray | None = None, passes: int = 4, seed: int = 5
    ) -> RunFolder:
        marginal = said * 0.9 if marginal is None else marginal
        for fold in (Fold(0, 2, 5), Fold(1, 2, 5)):
            out = fold.held_out(10)
            says = {"PER": Decoded(said[out], marginal[out])}
            keep_candidate(run.job("ADV", seed, point, fold, ["PER"]), passes, says)
        return run

    return keep


#: Two of five names of the first fold and that of the second one, F1 4/7 and 1; or all five and not that
#: one, 1 and 0.  The mean over the folds prefers the former, the six names as one corpus the latter.
FEW = NAMES & ~(FIRST & (np.cumsum(FIRST) > 2))
MANY = FIRST.copy()


def test_folds_are_scored_as_one_corpus(folded_run):
    folded_run(0, FEW)
    run = folded_run(1, MANY)
    choice = chosen(folded_experiment(grid={"optimiser.step": [0.1, 0.2]}), run)
    assert [row.score for row in choice.grid] == pytest.approx([6 / 9, 10 / 11])
    assert (4 / 7 + 1) / 2 > (1 + 0) / 2
    assert (choice.point, choice.score) == (1, pytest.approx(10 / 11))
    assert choice.metric == "token_f1 on 2 folds of train and testa"


def test_best_number_of_passes_is_chosen_on_folds(folded_run):
    folded_run(0, FEW, passes=4)
    folded_run(0, MANY, passes=2)
    run = folded_run(0, np.zeros(10, dtype=bool), passes=1)
    choice = chosen(folded_experiment(passes=[1, 2]), run)
    assert [row.passes for row in choice.grid] == [1, 2, 4]
    assert choice.passes == 2


def test_runs_that_take_part_are_averaged_over_what_each_says_of_all_folds(folded_run):
    for seed, said in ((5, FEW), (6, MANY)):
        run = folded_run(0, said, seed=seed)
    choice = chosen(folded_experiment(runs=2), run)
    assert choice.score == pytest.approx((6 / 9 + 10 / 11) / 2)


def test_without_a_validation_split_the_training_split_is_folded(tmp_path):
    run = RunFolder(tmp_path)
    run.save_view("stanford", View({"train": single_tokens(NAMES)}, None))
    for fold in (Fold(0, 2, 5), Fold(1, 2, 5)):
        said = MANY[fold.held_out(10)]
        keep_candidate(run.job("ADV", 5, 0, fold, ["PER"]), 4, {"PER": Decoded(said, 0.9 * said)})
    choice = chosen(folded_experiment(validation=None), run)
    assert choice.score == pytest.approx(10 / 11)
    assert choice.metric == "token_f1 on 2 folds of train"


def test_threshold_of_folds_is_chosen_on_all_of_them_and_holds_for_every_seed(folded_run, monkeypatch):
    def no_decoding(jobs, *_):
        assert not jobs
        return []

    monkeypatch.setattr(thresholds_module, "run_decoding", no_decoding)
    # One of the five names of the first fold hides among what are no names in the second one: for the first
    # fold alone it is best to find it, for both together it is not.
    marginal = np.where(NAMES, 0.7, 0.3)
    marginal[np.flatnonzero(FIRST)[0]] = 0.2
    run = folded_run(1, MANY, marginal, passes=2)
    config = folded_experiment(grid={"optimiser.step": [0.1, 0.2]})
    found = with_thresholds(config, run, choice_of("threshold", point=1, passes=2), Silent())
    assert found["ADV"].thresholds == {"every": {"PER": 0.5}}


# --- what is better the lower it is -----------------------------------------------------------------


def test_lowest_error_rate_is_chosen(tmp_path):
    pairs = toy_pairs(shapes=((2, 2),), labels=(2, 0, 0, 2))
    run = RunFolder(tmp_path)
    run.save_view("taskar", View({"valid": pairs}, None))
    given = {
        "name": "trial",
        "corpus": {"kind": "bitext", "name": "tiny", "path": "nowhere"},
        "seed": 5,
        "optimiser": {"passes": 4},
        "selection": {"rules": ["mode"], "grid": {"optimiser.step": [0.1, 0.2, 0.3]}},
        "systems": {"ADV": {"learner": {"name": "adversarial-links"}}},
    }
    config = ExperimentConfig.model_validate(given)
    for point, said in enumerate(([1, 1, 0, 0], [1, 0, 0, 1], [0, 0, 0, 0])):
        mode = np.array(said, dtype=bool)
        keep_candidate(run.job("ADV", 5, point, None, ["all"]), 4, {"all": Decoded(mode, 1.0 * mode)})
    choice = chosen(config, run)
    assert [row.score for row in choice.grid] == [0.5, 0.0, 1.0]
    assert (choice.point, choice.score, choice.metric) == (1, 0.0, "aer on valid")
