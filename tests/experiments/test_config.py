"""Configurations: strict, typed, complete once resolved, and errors that name their place."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest
from places import ROOT

from advsp.engine.measures.additive import DEFAULT_COST
from advsp.experiments.config import (
    EngineConfig,
    ExperimentConfig,
    FeaturesConfig,
    InitialConfig,
    LearnerConfig,
    OptimiserConfig,
    check_grid,
    folder_name,
    load_config,
    load_section,
    with_overrides,
)
from advsp.experiments.prepare import BitextSource, ConllSource
from advsp.features import presets
from advsp.learners import learners
from advsp.learners.adversarial import Adversarial
from advsp.learners.adversarial_links import AdversarialLinks
from advsp.learners.crf import CRF
from advsp.learners.initial import initials
from advsp.learners.initial.logistic import Logistic
from advsp.learners.initial.uniform import Uniform
from advsp.learners.initial.zeros import Zeros
from advsp.support.errors import InputError
from advsp.support.yaml_source import read_yaml
from advsp.training.optimisers import optimisers
from advsp.training.optimisers.adagrad import AdaGrad
from advsp.training.optimisers.lbfgs import LBFGS

CONFIGS = sorted((ROOT / "configs").rglob("*.yaml"))

TRIAL = """\
name: trial
corpus:
  name: tiny
  path: data/tiny
classes: [PER, LOC]
optimiser:
  name: adagrad
  step: 0.1
  passes: 4
selection:
  grid: {optimiser.step: [0.1, 0.3]}
systems:
  CRF:
    learner:
      name: crf
    optimiser: {name: lbfgs}
    selection: {grid: {}}
  ADV:
    learner: {name: adversarial}
"""


@pytest.fixture
def load(tmp_path, monkeypatch):
    """Load a configuration from a text, in the file ``trial.yaml``."""
    monkeypatch.chdir(tmp_path)

    def from_text(text: str = TRIAL, *overrides: str) -> ExperimentConfig:
        (tmp_path / "trial.yaml").write_text(text)
        return load_config("trial.yaml", overrides)

    return from_text


@pytest.fixture
def complaint(load):
    """What is said about a configuration that cannot be used."""

    def about(text: str = TRIAL, *overrides: str) -> str:
        with pytest.raises(InputError) as raised:
            load(text, *overrides)
        assert "\n" not in str(raised.value)
        return str(raised.value)

    return about


def edited(old: str, new: str) -> str:
    """The trial with one passage replaced."""
    assert TRIAL.count(old) == 1, old
    return TRIAL.replace(old, new)


# --- what a good configuration becomes ----------------------------------------------------------


def test_what_is_left_out_has_its_default(load):
    config = load(
        "name: least\ncorpus: {name: tiny, path: x}\nclasses: [PER]\nsystems: {A: {learner: {name: crf}}}\n"
    )
    assert (config.seed, config.runs, config.workers, config.output) == (1, 1, 0, "results")
    assert config.corpus.splits == ["train", "testa", "testb"]
    assert config.folder == Path("results/runs/least")
    system = config.systems["A"]
    assert system.engine == EngineConfig()
    assert system.optimiser == OptimiserConfig()
    assert system.optimiser.build() == AdaGrad()
    assert system.learner.build() == CRF()
    assert system.runs == 1


@pytest.mark.parametrize(("text", "step"), [("1e-3", 0.001), ("1E5", 1e5), (".5", 0.5), ("2", 2.0)])
def test_numbers_are_numbers_however_they_are_written(load, text, step):
    for config in (load(edited("step: 0.1", f"step: {text}")), load(TRIAL, f"optimiser.step={text}")):
        assert config.systems["ADV"].optimiser.build() == AdaGrad(step=step)
        assert isinstance(config.systems["ADV"].optimiser.build().step, float)


def test_options_beside_a_name_go_to_the_part(load):
    config = load(edited("{name: adversarial}", "{name: adversarial, beta: 2.0, share: true}"))
    assert config.systems["ADV"].learner.build() == Adversarial(beta=2.0, share=True)
    assert config.systems["CRF"].optimiser.build() == LBFGS()


#: A section of a registered part, and where such parts are registered.
EVERY_PART = pytest.mark.parametrize(
    ("section", "registry"),
    [
        pytest.param(OptimiserConfig, optimisers, id="optimiser"),
        pytest.param(LearnerConfig, learners, id="learner"),
        pytest.param(InitialConfig, initials, id="initial weights"),
    ],
)


def needed(part: type) -> dict[str, float]:
    """Keys without which a part cannot be used at all."""
    return {"l2": 1.0} if getattr(part, "needs_l2", False) else {}


@EVERY_PART
def test_every_registered_part_can_be_configured_and_has_its_own_defaults(section, registry):
    for name in registry:
        assert section(name=name, **needed(registry.get(name))).build() == registry.get(name)()


@EVERY_PART
def test_resolved_section_states_every_option_of_its_part(section, registry):
    for name in registry:
        resolved = section(name=name, **needed(registry.get(name))).model_dump()
        assert resolved.items() >= dataclasses.asdict(registry.get(name)()).items()


@EVERY_PART
def test_no_option_of_a_registered_part_has_the_name_of_a_key_of_its_section(section, registry):
    for name in registry:
        options = {field.name for field in dataclasses.fields(registry.get(name))}
        assert not options & set(section.model_fields), name


@pytest.mark.parametrize("file", CONFIGS, ids=lambda file: file.stem)
def test_every_configuration_of_the_project_loads(file):
    text = read_yaml(file).value
    if "systems" not in text:
        load_section(BitextSource if "labelled" in text else ConllSource, file)
        return
    config = load_config(file)
    for name, system in config.systems.items():
        if config.corpus.kind != "bitext":
            presets.get(system.features.preset)
        for key, values in system.selection.grid.items():
            for value in values:
                check_grid(name, system, {key: value})


@pytest.mark.parametrize("file", CONFIGS, ids=lambda file: file.stem)
def test_resolved_configuration_survives_json(file):
    if "systems" not in read_yaml(file).value:
        return
    config = load_config(file)
    again = ExperimentConfig.model_validate(json.loads(json.dumps(config.model_dump())))
    assert again == config
    assert again.fingerprint() == config.fingerprint()


def test_there_are_configurations_to_load():
    assert {
        "conll300",
        "sample-conll",
        "sample-prepare",
        "sample-bitext",
        "sample-bitext-prepare",
    } <= {file.stem for file in CONFIGS}


# --- what the systems share -----------------------------------------------------------------------


def test_systems_share_what_the_experiment_says(load):
    system = load().systems["ADV"]
    assert system.optimiser.passes == 4
    assert system.optimiser.build() == AdaGrad(step=0.1)
    assert system.selection.grid == {"optimiser.step": [0.1, 0.3]}


def test_system_adds_to_a_shared_section(load):
    text = edited(
        "{name: adversarial}", "{name: adversarial}\n    optimiser: {l2: 0.5, tolerance: {floor: 0.01}}"
    )
    optimiser = load(text).systems["ADV"].optimiser
    assert (optimiser.name, optimiser.passes, optimiser.l2) == ("adagrad", 4, 0.5)
    assert (optimiser.tolerance.start, optimiser.tolerance.floor) == (0.1, 0.01)


def test_system_naming_the_same_part_adds_to_a_shared_section(load):
    text = edited("{name: adversarial}", "{name: adversarial}\n    optimiser: {name: adagrad, step: 0.2}")
    optimiser = load(text).systems["ADV"].optimiser
    assert (optimiser.passes, optimiser.build().step) == (4, 0.2)


def test_system_naming_the_default_part_adds_to_a_shared_section_without_a_name(load):
    text = edited("  name: adagrad\n", "").replace(
        "{name: adversarial}", "{name: adversarial}\n    optimiser: {name: adagrad, step: 0.2}"
    )
    assert load(text).systems["ADV"].optimiser.passes == 4


def test_system_naming_another_part_replaces_a_shared_section(load):
    optimiser = load().systems["CRF"].optimiser
    assert optimiser == OptimiserConfig(name="lbfgs")
    assert optimiser.passes == OptimiserConfig().passes


def test_grid_of_a_system_replaces_the_shared_grid(load):
    assert load().systems["CRF"].selection.grid == {}
    text = edited(
        "{name: adversarial}", "{name: adversarial}\n    selection: {grid: {optimiser.l2: [0.0, 1.0]}}"
    )
    assert load(text).systems["ADV"].selection.grid == {"optimiser.l2": [0.0, 1.0]}


def test_runs_are_shared_and_can_be_a_systems_own(load):
    config = load(edited("{name: adversarial}", "{name: adversarial}\n    runs: 2"), "runs=5")
    assert (config.systems["CRF"].runs, config.systems["ADV"].runs) == (5, 2)


# --- unknown, missing and wrong -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(
            "sed: 1\n" + TRIAL,
            "trial.yaml:1: sed: unknown key (did you mean seed?)",
            id="at the top",
        ),
        pytest.param(
            edited("  path: data/tiny", "  path: data/tiny\n  sentence: 3"),
            "trial.yaml:5: corpus.sentence: unknown key (did you mean sentences?)",
            id="in a section",
        ),
        pytest.param(
            edited("  step: 0.1", "  stepp: 0.1"),
            "trial.yaml:8: optimiser.stepp: unknown key (did you mean step?)",
            id="option of an optimiser",
        ),
        pytest.param(
            edited("  passes: 4", "  pases: 4"),
            "trial.yaml:9: optimiser.pases: unknown key (did you mean passes?)",
            id="key beside the options",
        ),
        pytest.param(
            edited("  passes: 4", "  tolerance: {start: 0.1, flor: 0.2}"),
            "trial.yaml:9: optimiser.tolerance.flor: unknown key (did you mean floor?)",
            id="deep down",
        ),
        pytest.param(
            edited("{name: adversarial}", "{name: adversarial, bta: 2.0}"),
            "trial.yaml:19: systems.ADV.learner.bta: unknown key (did you mean beta?)",
            id="option of a learner",
        ),
        pytest.param(
            edited("{name: adversarial}", "{name: adversarial}\n    optimizer: {passes: 1}"),
            "trial.yaml:20: systems.ADV.optimizer: unknown key (did you mean optimiser?)",
            id="section of a system",
        ),
        pytest.param(
            edited("      name: crf", "      name: crf\n      beta: 1.0"),
            "trial.yaml:16: systems.CRF.learner.beta: unknown key (known: name, start)",
            id="option of another learner",
        ),
    ],
)
def test_unknown_key_is_answered_with_the_nearest(complaint, text, said):
    assert complaint(text) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            edited("  name: adagrad", "  name: adagard"),
            "trial.yaml:7: optimiser.name: unknown optimiser 'adagard' (did you mean 'adagrad'?)",
        ),
        (
            edited("      name: crf", "      name: cfr"),
            "trial.yaml:15: systems.CRF.learner.name: unknown learner 'cfr' (did you mean 'crf'?)",
        ),
        (
            TRIAL + "engine:\n  lp: higs\n",
            "trial.yaml:21: engine.lp: unknown LP solver 'higs' (did you mean 'highs'?)",
        ),
        (
            TRIAL + "engine:\n  oracle: aproximate\n",
            "trial.yaml:21: engine.oracle: unknown oracle 'aproximate' (did you mean 'approximate'?)",
        ),
    ],
)
def test_unknown_name_is_answered_with_the_nearest(complaint, text, said):
    assert complaint(text) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (edited("name: trial", "name: 7"), "trial.yaml:1: name: found 7, expected text"),
        (
            edited("  step: 0.1", "  step: fast"),
            "trial.yaml:8: optimiser.step: found 'fast', expected a number",
        ),
        (
            edited("  step: 0.1", "  step: '0.1'"),
            "trial.yaml:8: optimiser.step: found '0.1', expected a number",
        ),
        (
            edited("  passes: 4", "  passes: 4.5"),
            "trial.yaml:9: optimiser.passes: found 4.5, expected a whole number",
        ),
        (
            edited("  passes: 4", "  passes: true"),
            "trial.yaml:9: optimiser.passes: found True, expected a whole number",
        ),
        (
            edited("  passes: 4", "  passes: -1"),
            "trial.yaml:9: optimiser.passes: found -1, expected greater than or equal to 0",
        ),
        (
            edited("  passes: 4", "  tolerance: {start: 0}"),
            "trial.yaml:9: optimiser.tolerance.start: found 0, expected greater than 0",
        ),
        (
            edited("  step: 0.1", "  average: last"),
            "trial.yaml:8: optimiser.average: found 'last', expected 'none' or 'iterates'",
        ),
        (edited("[PER, LOC]", "PER"), "trial.yaml:5: classes: found 'PER', expected a list"),
        (
            edited("[PER, LOC]", "[PER, all]"),
            "trial.yaml:5: classes: no class may be called all: scores call the average over the classes so",
        ),
        (edited("[PER, LOC]", "[PER,\n  3]"), "trial.yaml:6: classes.1: found 3, expected text"),
        (
            edited("[0.1, 0.3]", "0.1"),
            "trial.yaml:11: selection.grid.optimiser.step: found 0.1, expected a list",
        ),
        (
            edited("{name: adversarial}", "{name: adversarial, share: 'yes'}"),
            "trial.yaml:19: systems.ADV.learner.share: found 'yes', expected true or false",
        ),
    ],
)
def test_wrong_value_is_named_with_file_line_and_key(complaint, text, said):
    assert complaint(text) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (edited("name: trial\n", ""), "trial.yaml: name: is missing"),
        (edited("  path: data/tiny\n", ""), "trial.yaml:2: corpus.path: is missing"),
        (edited("classes: [PER, LOC]\n", ""), "trial.yaml: classes: is missing"),
        (edited("{name: adversarial}", "{}"), "trial.yaml:19: systems.ADV.learner.name: is missing"),
        (
            edited("    learner: {name: adversarial}\n", "    runs: 2\n"),
            "trial.yaml:18: systems.ADV.learner: is missing",
        ),
    ],
)
def test_missing_key_is_named_with_the_line_of_its_section(complaint, text, said):
    assert complaint(text) == said


@pytest.mark.parametrize("text", ["", "just words\n", "- a\n- b\n", "7\n"])
def test_file_must_hold_keys_and_values(complaint, text):
    assert complaint(text) == "trial.yaml:1: expected a mapping of keys to values"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(edited("name: trial", "name: two words"), id="name of a run"),
        pytest.param(edited("[PER, LOC]", "[]"), id="no classes"),
        pytest.param(
            edited("      name: crf", "      name: crf\n    engine: fast"), id="value in place of a section"
        ),
        pytest.param(edited("  ADV:", "  two words:"), id="name of a system"),
    ],
)
def test_messages_speak_of_yaml_and_not_of_the_program(complaint, text):
    message = complaint(text)
    for word in ("String should", "List should", "instance of", "validation", "[key]"):
        assert word not in message


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(edited("[0.1, 0.3]", "[]"), id="empty list in a grid"),
        pytest.param(edited("  grid:", "  passes: [0]\n  grid:"), id="candidate of no passes"),
        pytest.param(edited("[PER, LOC]", "[PER, PER]"), id="class that stands twice"),
        pytest.param(edited("[PER, LOC]", "[PER, O]"), id="background as a class"),
        pytest.param(
            edited("  path: data/tiny", "  path: data/tiny\n  test: [testb, testb]"),
            id="split that stands twice",
        ),
        pytest.param(edited("  step: 0.1", "  step: -0.1"), id="step that climbs"),
        pytest.param(
            edited("  name: adagrad\n  step: 0.1", "  name: lbfgs\n  iterations: 0"), id="no iterations"
        ),
        pytest.param(edited("{name: adversarial}", "{name: adversarial, beta: -1.0}"), id="negative beta"),
        pytest.param(
            edited("  path: data/tiny", "  path: x\n  files: {train: a}"),
            id="files of another kind of corpus",
        ),
    ],
)
def test_value_that_makes_no_sense_is_refused(complaint, text):
    assert complaint(text).startswith("trial.yaml:")


# --- problems of a shared section -----------------------------------------------------------------

SYSTEMS_FIRST = """\
name: trial
corpus: {name: tiny, path: data/tiny}
classes: [PER]
systems:
  ADV:
    learner: {name: adversarial}
engine:
  lp: auto
optimiser:
  name: adagrad
  step: fast
"""


def test_problem_of_a_shared_section_is_reported_once_where_it_stands(complaint):
    assert complaint(edited("  step: 0.1", "  step: fast")).startswith("trial.yaml:8: optimiser.step: ")


def test_problem_of_a_shared_section_is_reported_where_it_stands_below_the_systems(complaint):
    assert complaint(SYSTEMS_FIRST) == "trial.yaml:11: optimiser.step: found 'fast', expected a number"


def test_problem_of_a_systems_own_section_is_reported_there(complaint):
    text = edited("{name: lbfgs}", "{name: lbfgs, memory: none}")
    assert (
        complaint(text)
        == "trial.yaml:16: systems.CRF.optimiser.memory: found 'none', expected a whole number"
    )


def test_problem_of_a_shared_key_is_reported_where_it_stands_if_a_system_adds_another_key(complaint):
    text = SYSTEMS_FIRST.replace("{name: adversarial}", "{name: adversarial}\n    optimiser: {passes: 2}")
    assert complaint(text) == "trial.yaml:12: optimiser.step: found 'fast', expected a number"


# --- overrides ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("override", "look", "value"),
    [
        ("runs=3", lambda c: c.runs, 3),
        ("optimiser.step=1e-2", lambda c: c.systems["ADV"].optimiser.build().step, 0.01),
        ("optimiser.tolerance.floor=0.5", lambda c: c.systems["ADV"].optimiser.tolerance.floor, 0.5),
        ("engine.lp=linprog", lambda c: c.systems["CRF"].engine.lp, "linprog"),
        ("systems.ADV.runs=2", lambda c: (c.systems["ADV"].runs, c.systems["CRF"].runs), (2, 1)),
        ("systems.ADV.learner.beta=2.0", lambda c: c.systems["ADV"].learner.build().beta, 2.0),
        ("classes=[LOC]", lambda c: c.classes, ["LOC"]),
        ("corpus.path=my data/tiny corpus", lambda c: c.corpus.path, "my data/tiny corpus"),
        ("corpus.path=a=b", lambda c: c.corpus.path, "a=b"),
        (
            "selection.grid={optimiser.l2: [0, 1]}",
            lambda c: c.systems["ADV"].selection.grid,
            {"optimiser.l2": [0, 1]},
        ),
        ("corpus.sentences=null", lambda c: c.corpus.sentences, None),
        (" runs =3", lambda c: c.runs, 3),
    ],
)
def test_override_replaces_one_key(load, override, look, value):
    assert look(load()) != value or override.startswith("corpus.sentences")
    assert look(load(TRIAL, override)) == value


def test_override_can_open_a_section_that_the_file_does_not_have(load):
    assert load(TRIAL, "evaluation.bootstrap=500").evaluation.bootstrap == 500
    assert load(TRIAL + "evaluation:\n", "evaluation.bootstrap=500").evaluation.bootstrap == 500


def test_last_of_several_overrides_wins(load):
    assert load(TRIAL, "runs=2", "optimiser.passes=1", "runs=3").runs == 3


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("runs", "--set 'runs' is not of the form key=value (e.g. --set optimiser.passes=5)"),
        ("=3", "--set '=3' is not of the form key=value (e.g. --set optimiser.passes=5)"),
        (
            "optimiser..step=3",
            "--set 'optimiser..step=3' is not of the form key=value (e.g. --set optimiser.passes=5)",
        ),
        ("name.first=x", "--set 'name.first=x': name is not a section"),
        ("classes.0=x", "--set 'classes.0=x': classes is not a section"),
        ("optimiser.step.size=1", "--set 'optimiser.step.size=1': optimiser.step is not a section"),
        ("runs=many", "--set runs: found 'many', expected a whole number"),
        ("name=", "--set name: found None, expected text"),
        ("optimiser.stepp=1", "--set optimiser.stepp: unknown key (did you mean step?)"),
        ("optimizer.step=1", "--set optimizer: unknown key (did you mean optimiser?)"),
        ("optimiser.step=fast", "--set optimiser.step: found 'fast', expected a number"),
        ("systems.ADV.learner.beta=x", "--set systems.ADV.learner.beta: found 'x', expected a number"),
        (
            "systems.ADW.learner.name=cfr",
            "--set systems.ADW.learner.name: unknown learner 'cfr' (did you mean 'crf'?)",
        ),
    ],
)
def test_override_that_cannot_be_used_is_named(complaint, override, said):
    assert complaint(TRIAL, override) == said


def test_value_in_place_of_a_section_is_refused(complaint):
    assert complaint(TRIAL, "corpus=5").startswith("--set corpus: found 5, expected ")


def test_problem_of_the_file_is_not_blamed_on_an_override(complaint):
    text = edited("  step: 0.1", "  step: fast")
    assert complaint(text, "optimiser.passes=2").startswith("trial.yaml:8: optimiser.step: ")


def test_override_of_a_section_below_the_systems_is_named(complaint):
    text = SYSTEMS_FIRST.replace("fast", "0.1")
    assert complaint(text, "optimiser.step=fast") == "--set optimiser.step: found 'fast', expected a number"


# --- grids ----------------------------------------------------------------------------------------


def test_grid_point_is_the_system_with_those_keys(load):
    system = load().systems["ADV"]
    point = check_grid("ADV", system, {"optimiser.step": 0.3, "learner.beta": 2.0})
    assert point.optimiser.build().step == 0.3
    assert point.learner.build().beta == 2.0
    assert point.optimiser.passes == system.optimiser.passes
    assert system.optimiser.build().step == 0.1


@pytest.mark.parametrize(
    ("point", "said"),
    [
        (
            {"optimiser.stepp": 0.3},
            "the grid point optimiser.stepp=0.3 does not fit: unknown key (did you mean step?)",
        ),
        (
            {"optimiser.step": "big"},
            "the grid point optimiser.step=big does not fit: found 'big', expected a number",
        ),
        (
            {"optimiser.step": 0.3, "runs": 0.5},
            "the grid point optimiser.step=0.3, runs=0.5 does not fit: found 0.5, expected a whole number",
        ),
        (
            {"learner.name": "cfr"},
            "the grid point learner.name=cfr does not fit: unknown learner 'cfr' (did you mean 'crf'?)",
        ),
    ],
)
def test_grid_point_that_does_not_fit_is_named(load, point, said):
    with pytest.raises(InputError) as raised:
        check_grid("ADV", load().systems["ADV"], point)
    assert str(raised.value) == f"systems.ADV.selection.grid: {said}"


@pytest.mark.parametrize("key", ["optimiser.step.size", "runs.first"])
def test_grid_key_below_a_value_is_named(load, key):
    with pytest.raises(InputError, match=r"systems\.ADV\.selection\.grid"):
        check_grid("ADV", load().systems["ADV"], {key: 1})


def test_overriding_mappings_leaves_the_original_alone():
    section = {"a": {"b": 1, "c": [1]}, "d": 2}
    assert with_overrides(section, {"a.b": 3, "e.f": 4}) == {"a": {"b": 3, "c": [1]}, "d": 2, "e": {"f": 4}}
    assert section == {"a": {"b": 1, "c": [1]}, "d": 2}


# --- the fingerprint ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "override",
    [
        "name=other",
        "seed=2",
        "runs=2",
        "classes=[LOC, PER]",
        "corpus.sentences=10",
        "corpus.docstart=drop",
        "corpus.validation=null",
        "features.preset=paper",
        "engine.lp=linprog",
        "engine.stop=value-repeats",
        "evaluation.display=truncated",
        "optimiser.step=0.2",
        "optimiser.tolerance.decay=0.4",
        "selection.rules=[mode]",
        "selection.grid={}",
        "evaluation.bootstrap=100",
        "evaluation.tolerance=1e-3",
        "systems.ADV.learner.beta=0.5",
        "systems.ADV.learner.warm=false",
        "systems.CRF.optimiser.memory=3",
        "systems.NEW={learner: {name: crf}}",
    ],
)
def test_fingerprint_changes_with_what_a_result_depends_on(load, override):
    assert load(TRIAL, override).fingerprint() != load().fingerprint()


@pytest.mark.parametrize("override", ["workers=3", "output=elsewhere", "optimiser.step=1e-1", "seed=1"])
def test_fingerprint_does_not_change_with_anything_else(load, override):
    assert load(TRIAL, override).fingerprint() == load().fingerprint()


def test_fingerprint_does_not_change_with_the_way_a_configuration_is_written(load):
    block = "    learner:\n      # as before\n      'name':  adversarial\n"
    assert load(edited("    learner: {name: adversarial}\n", block)).fingerprint() == load().fingerprint()
    assert load(edited("  step: 0.1", "  step: 1e-1")).fingerprint() == load().fingerprint()


def test_fingerprint_does_not_change_with_a_default_that_is_spelt_out(load):
    explicit = edited("{name: adversarial}", "{name: adversarial, beta: 1.0}")
    assert load(explicit).fingerprint() == load().fingerprint()


def test_fingerprint_is_twelve_hexadecimal_digits_and_the_same_everywhere(load):
    assert load().fingerprint() == load().fingerprint()
    assert len(load().fingerprint()) == 12
    assert int(load().fingerprint(), 16) >= 0


# --- word alignment, and what depends on the kind of corpus -----------------------------------------

BITEXT = """\
name: links
corpus:
  kind: bitext
  name: tiny
  path: data/tiny
features: {preset: taskar+m}
optimiser: {name: adagrad, l2: 1.0, initial: logistic}
systems:
  SSVM [taskar]:
    features:
      preset: taskar
    learner: {name: ssvm}
    optimiser:
      name: bcfw
      l2: 0.5
  ADV_aer [taskar+m, label]:
    learner:
      name: adversarial-links
      cost: {AN: 0.5}
"""


def bitext(old: str, new: str) -> str:
    """The alignment experiment with one passage replaced."""
    assert BITEXT.count(old) == 1, old
    return BITEXT.replace(old, new)


def test_task_of_the_corpus_says_what_the_file_does_not(load):
    config = load(BITEXT)
    assert config.classes == ["all"]
    assert config.table == "table2"
    assert config.corpus.splits == ["train", "valid", "test"]
    assert config.systems["SSVM [taskar]"].selection.metric == "aer"
    tagging = load()
    assert (tagging.table, tagging.corpus.splits) == ("table3", ["train", "testa", "testb"])
    assert tagging.systems["ADV"].selection.metric == "token_f1"


def test_what_the_file_says_goes_before_what_the_task_says(load):
    text = bitext("  kind: bitext", "  kind: bitext\n  validation: null\n  test: [final]") + "table: table3\n"
    config = load(text, "selection.rules=[mode]", "classes=[all]")
    assert (config.corpus.splits, config.table) == (["train", "final"], "table3")
    assert config.systems["SSVM [taskar]"].selection.metric == "aer"
    without = bitext("features: {preset: taskar+m}\n", "")
    assert load(without).systems["ADV_aer [taskar+m, label]"].features.preset == "taskar"


def test_features_are_a_systems_own_or_those_of_all(load):
    config = load(BITEXT)
    presets_of = {name: system.features.preset for name, system in config.systems.items()}
    assert presets_of == {"SSVM [taskar]": "taskar", "ADV_aer [taskar+m, label]": "taskar+m"}
    other = load(TRIAL, "systems.CRF.features.preset=paper")
    assert (other.systems["CRF"].features.preset, other.systems["ADV"].features.preset) == (
        "paper",
        "stanford",
    )
    assert load(BITEXT, "features.preset=x").systems["SSVM [taskar]"].features.preset == "taskar"


def test_name_of_a_view_can_name_a_folder():
    assert FeaturesConfig(preset="taskar+lilt1M.giza|m4").view == "taskar+lilt1M.giza~m4"
    assert FeaturesConfig(preset="taskar").view == "taskar"


def test_initial_weights_may_be_a_name_or_a_section(load):
    optimiser = load(BITEXT).systems["ADV_aer [taskar+m, label]"].optimiser
    assert optimiser.initial.build() == Logistic()
    for given in ("{name: logistic}", "{name: logistic, scale: 0.0}"):
        again = load(bitext("initial: logistic", f"initial: {given}"))
        assert again.systems["ADV_aer [taskar+m, label]"].optimiser == optimiser
        assert again.fingerprint() == load(BITEXT).fingerprint()
    assert OptimiserConfig().initial.build() == Zeros()
    scaled = load(bitext("initial: logistic", "initial: {name: logistic, scale: 0.5, l2: 2}"))
    assert scaled.systems["ADV_aer [taskar+m, label]"].optimiser.initial.build() == Logistic(
        l2=2.0, scale=0.5
    )


def test_initial_weights_of_all_systems_are_added_to_or_replaced(load):
    text = bitext("initial: logistic", "initial: {name: logistic, l2: 2.0}")
    adding = text + "    optimiser: {initial: {scale: 0.5}}\n"
    assert load(adding).systems["ADV_aer [taskar+m, label]"].optimiser.initial.build() == Logistic(
        2.0, scale=0.5
    )
    replacing = text + "    optimiser: {initial: uniform}\n"
    assert load(replacing).systems["ADV_aer [taskar+m, label]"].optimiser.initial.build() == Uniform()
    # Another optimiser is another section altogether.
    assert load(text).systems["SSVM [taskar]"].optimiser.initial.build() == Zeros()


def test_costs_that_are_given_join_those_that_are_not_where_they_are_used(load):
    learner = load(BITEXT).systems["ADV_aer [taskar+m, label]"].learner.build()
    assert learner == AdversarialLinks(cost={"AN": 0.5})
    whole = load(bitext("      cost: {AN: 0.5}\n", "")).systems["ADV_aer [taskar+m, label]"].learner.build()
    assert whole.cost == DEFAULT_COST
    assert load(bitext("{AN: 0.5}", "{AN: 2, NS: 1}")).systems[
        "ADV_aer [taskar+m, label]"
    ].learner.build() == (AdversarialLinks(cost={"AN": 2.0, "NS": 1.0}))


def test_default_costs_are_not_shared_by_the_learners_that_have_them():
    first, second = AdversarialLinks(), AdversarialLinks()
    assert first.cost == second.cost == DEFAULT_COST
    assert first.cost is not second.cost is not DEFAULT_COST


@pytest.mark.parametrize(
    ("point", "look", "value"),
    [
        ({"learner.cost.NS": 3.0}, lambda s: s.learner.build().cost, {"AN": 0.5, "NS": 3.0}),
        ({"learner.possible": "ignore"}, lambda s: s.learner.build().possible, "ignore"),
        ({"optimiser.initial.scale": 0.2}, lambda s: s.optimiser.initial.build().scale, 0.2),
        ({"optimiser.initial": "zeros"}, lambda s: s.optimiser.initial.build(), Zeros()),
        ({"optimiser.batch": 7}, lambda s: s.optimiser.build().batch, 7),
    ],
)
def test_grid_reaches_into_tables_and_sections(load, point, look, value):
    system = load(BITEXT).systems["ADV_aer [taskar+m, label]"]
    assert look(check_grid("ADV", system, point)) == value


# --- names of systems -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        ("CRF", "CRF"),
        ("ADV_aer [taskar+m4, label]", "ADV_aer_taskar+m4_label"),
        ("ADV-1.0 [m4.ef]", "ADV-1.0_m4.ef"),
        ("SSVM [a|b, c=1/2: x]", "SSVM_a_b_c_1_2_x"),
        ("A [+b]", "A_+b"),
        ("A [b]+threshold", "A_b_+threshold"),
    ],
)
def test_folder_of_a_system_has_none_but_plain_characters(name, folder):
    assert folder_name(name) == folder


@pytest.mark.parametrize("name", ["A [b]", "A [taskar+m4.ef, label]", "A.b-c [x|y: 1/2, z=3]", "9 [a b]"])
def test_name_may_say_in_brackets_which_variant_it_is(load, name):
    assert name in load(BITEXT.replace("SSVM [taskar]", f"'{name}'")).systems


@pytest.mark.parametrize(
    "name",
    ["A b", "A[b]", "A [b", "A []", "A [b] c", "A [b] [c]", " A", "[b]", "A  [b]", "A [é]", "A [b;c]", "-a"],
)
def test_other_names_are_refused(complaint, name):
    said = complaint(BITEXT.replace("SSVM [taskar]", f'"{name}"'))
    assert said.startswith(f"trial.yaml:9: systems.{name}: found {name!r}, expected ")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("SSVM [taskar]", "SSVM_taskar"),
        ("SSVM [taskar]", "SSVM [taskar,]"),
        ("SSVM [a, b]", "SSVM [a b]"),
        ("SSVM [a]", "SSVM [a +threshold]"),
        ("SSVM [a]", "SSVM [a +average+threshold]"),
    ],
)
def test_systems_may_not_share_a_folder(complaint, first, second):
    text = BITEXT.replace("SSVM [taskar]", first).replace("ADV_aer [taskar+m, label]", f'"{second}"')
    assert complaint(text) == f"trial.yaml:16: systems.{second}: {first} and {second} would share a folder"


def test_systems_that_differ_in_their_brackets_have_folders_of_their_own(load):
    names = ["A", "A [b]", "A [c]", "A [b, c]", "A+x", "A [b+threshold]"]
    systems = ", ".join(f"'{name}': {{learner: {{name: ssvm}}}}" for name in names)
    config = load(BITEXT, f"systems={{{systems}}}")
    variants = [name + end for name in config.systems for end in ("", "+threshold", "+average")]
    assert len({folder_name(variant) for variant in variants}) == len(variants)


# --- what does not fit the task -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(
            bitext("{name: ssvm}", "{name: crf}"),
            "trial.yaml:12: systems.SSVM [taskar].learner.name: crf is a learner of tagging, the corpus is "
            "one of alignment",
            id="learner of another task",
        ),
        pytest.param(
            edited("{name: adversarial}", "{name: ssvm}"),
            "trial.yaml:19: systems.ADV.learner.name: ssvm is a learner of alignment, the corpus is one of "
            "tagging",
            id="learner of another task than tagging",
        ),
        pytest.param(
            BITEXT + "selection:\n  metric: token_f1\n",
            "trial.yaml:21: selection.metric: 'token_f1' is not measured there (known: aer)",
            id="metric of another task",
        ),
        pytest.param(
            edited("    selection: {grid: {}}", "    selection: {grid: {}, metric: f2}"),
            "trial.yaml:17: systems.CRF.selection.metric: 'f2' is not measured there "
            "(known: token_f1, entity_f1)",
            id="unknown metric of one system",
        ),
        pytest.param(
            BITEXT + "classes: [PER]\n",
            "trial.yaml:20: classes: a corpus of kind bitext has the classes all",
            id="classes of another task",
        ),
        pytest.param(
            bitext("  kind: bitext", "  kind: bitxet"),
            "trial.yaml:3: corpus.kind: unknown kind of corpus 'bitxet' (did you mean 'bitext'?)",
            id="unknown kind",
        ),
        pytest.param(
            bitext("  path: data/tiny", "  path: data/tiny\n  sentences: 3"),
            "trial.yaml:6: corpus.sentences: a corpus of kind bitext is read as it is",
            id="part of a bitext",
        ),
        pytest.param(
            bitext("initial: logistic", "initial: logistical"),
            "trial.yaml:7: optimiser.initial.name: unknown initial weights 'logistical' "
            "(did you mean 'logistic'?)",
            id="unknown initial weights",
        ),
        pytest.param(
            bitext("initial: logistic", "initial: {name: logistic, scle: 1.0}"),
            "trial.yaml:7: optimiser.initial.scle: unknown key (did you mean scale?)",
            id="unknown option of initial weights",
        ),
        pytest.param(
            bitext("initial: logistic", "initial: [logistic]"),
            "trial.yaml:7: optimiser.initial: found ['logistic'], expected a section of keys and values",
            id="list of initial weights",
        ),
        pytest.param(
            bitext("      cost: {AN: 0.5}", "      cost:\n        AN: 0.5\n        AX: 1.0"),
            "trial.yaml:21: systems.ADV_aer [taskar+m, label].learner.cost.AX: found 'AX', "
            "expected 'AN', 'AP', 'AS', 'NN', 'NP' or 'NS'",
            id="cost of an unknown outcome",
        ),
        pytest.param(
            bitext("{AN: 0.5}", "{AN: -0.5}"),
            "trial.yaml:19: systems.ADV_aer [taskar+m, label].learner.cost.AN: found -0.5, "
            "expected greater than or equal to 0",
            id="negative cost",
        ),
        pytest.param(
            bitext("{AN: 0.5}", "{AN: much}"),
            "trial.yaml:19: systems.ADV_aer [taskar+m, label].learner.cost.AN: found 'much', "
            "expected a number",
            id="cost that is no number",
        ),
        pytest.param(
            bitext("      preset: taskar\n", "      prest: taskar\n"),
            "trial.yaml:11: systems.SSVM [taskar].features.prest: unknown key (did you mean preset?)",
            id="unknown key of features",
        ),
        pytest.param(
            BITEXT + "selection:\n  folds: 1\n",
            "trial.yaml:21: selection.folds: one fold leaves nothing to train on",
            id="one fold",
        ),
        pytest.param(
            BITEXT + "selection:\n  folds: -2\n",
            "trial.yaml:21: selection.folds: found -2, expected greater than or equal to 0",
            id="fewer folds than none",
        ),
        pytest.param(
            BITEXT + "selection:\n  rules: [mode, median]\n",
            "trial.yaml:21: selection.rules.1: found 'median', expected 'mode', 'marginal' or 'threshold'",
            id="unknown rule",
        ),
        pytest.param(
            BITEXT + "table: table4\n",
            "trial.yaml:20: table: found 'table4', expected 'table2' or 'table3'",
            id="unknown table",
        ),
        pytest.param(
            BITEXT + "evaluation:\n  thresholds: maybe\n",
            "trial.yaml:21: evaluation.thresholds: found 'maybe', expected true or false",
            id="thresholds that are neither wanted nor not",
        ),
        pytest.param(
            bitext("      l2: 0.5\n", ""),
            "trial.yaml:13: systems.SSVM [taskar].optimiser.l2: bcfw needs l2 > 0",
            id="penalty that is needed",
        ),
    ],
)
def test_what_does_not_fit_the_task_is_named_with_file_line_and_key(complaint, text, said):
    assert complaint(text) == said


def test_line_of_a_problem_is_found_behind_a_name_with_dots(complaint):
    text = BITEXT.replace("SSVM [taskar]", "SSVM [m4.ef]")
    assert complaint(text.replace("{name: ssvm}", "{name: crf}")).startswith(
        "trial.yaml:12: systems.SSVM [m4.ef].learner.name: crf is a learner of tagging"
    )
    assert complaint(text.replace("      preset: taskar\n", "      prest: taskar\n")).startswith(
        "trial.yaml:11: systems.SSVM [m4.ef].features.prest: unknown key"
    )


@pytest.mark.parametrize(
    ("override", "said"),
    [
        (
            "optimiser.initial.scale=0.5",
            "--set 'optimiser.initial.scale=0.5': optimiser.initial is not a section",
        ),
        (
            "systems.SSVM [taskar].learner.possible=label",
            "--set systems.SSVM [taskar].learner.possible: found 'label', expected 'ignore' or 'positive'",
        ),
        ("corpus.kind=conll", "trial.yaml: classes: is missing"),
    ],
)
def test_override_that_does_not_fit_the_task_is_named(complaint, override, said):
    assert complaint(BITEXT, override) == said


@pytest.mark.parametrize(
    "override",
    [
        "features.preset=taskar",
        "optimiser.initial=zeros",
        "optimiser.initial={name: logistic, scale: 0.1}",
        "optimiser.batch=4",
        "selection.folds=3",
        "selection.rules=[threshold]",
        "evaluation.thresholds=false",
        "table=table3",
        "systems.ADV_aer [taskar+m, label].learner.cost={AN: 0.6}",
        "systems.ADV_aer [taskar+m, label].learner.scale=length",
        "systems.SSVM [taskar].features.preset=taskar+m",
    ],
)
def test_fingerprint_of_an_alignment_changes_with_what_a_result_depends_on(load, override):
    assert load(BITEXT, override).fingerprint() != load(BITEXT).fingerprint()


def test_resolved_alignment_survives_json(load):
    config = load(BITEXT)
    again = ExperimentConfig.model_validate(json.loads(json.dumps(config.model_dump())))
    assert again == config
    assert again.fingerprint() == config.fingerprint()


# --- initial weights and engines that exclude other choices ------------------------------------------


@pytest.mark.parametrize("oracle", ["approximate", "approximate-numpy"])
def test_value_that_repeats_needs_best_responses(load, oracle):
    with pytest.raises(InputError, match="engine.stop: value-repeats plays with best responses, approximate"):
        load(TRIAL, "engine.stop=value-repeats", f"engine.oracle={oracle}")


def test_initial_weights_of_all_examples_have_no_shards(load):
    full_batch = ("optimiser={name: adadelta, batch: 0, shards: 2, initial: logistic-tags}",)
    with pytest.raises(
        InputError, match="optimiser.shards: the initial weights logistic-tags are made of all"
    ):
        load(TRIAL, *full_batch)
