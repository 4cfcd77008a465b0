"""Files, overrides and grid points: what is wrong is answered with its place and the nearest name."""

from __future__ import annotations

import pytest
from toy_parts import Even, Tilted
from trial_configs import TRIAL, LaterCRF, edited

from advsp.experiments.config.reading import check_grid, with_overrides
from advsp.learners import learners
from advsp.support.errors import InputError

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
            "trial.yaml:16: systems.CRF.learner.beta: unknown key "
            "(known: name, start, margin, false_negative, false_positive)",
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
        (
            edited("name: trial", "name: ~"),
            'trial.yaml:1: name: found ~, expected text (in quotes it is text: "~")',
        ),
        (
            edited("step: 0.1", "step: 1e999"),
            "trial.yaml:8: optimiser.step: found 1e999, expected a finite number",
        ),
        (
            edited("step: 0.1", "step: .inf"),
            "trial.yaml:8: optimiser.step: found .inf, expected a finite number",
        ),
        (
            edited("name: trial", "name: 7"),
            'trial.yaml:1: name: found 7, expected text (in quotes it is text: "7")',
        ),
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
            "trial.yaml:9: optimiser.passes: found true, expected a whole number",
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
        (
            edited("[PER, LOC]", "[PER,\n  3]"),
            'trial.yaml:6: classes.1: found 3, expected text (in quotes it is text: "3")',
        ),
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
        pytest.param(edited("[PER, LOC]", "[7]"), id="class that is a number"),
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
        ("name=", '--set name: found nothing, expected text (in quotes it is text: "")'),
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


@pytest.mark.parametrize(
    ("point", "said"),
    [
        ({"learner.measure": "evn"}, "learner.measure.name: unknown measure 'evn' (did you mean 'even'?)"),
        (
            {"learner.measure": {"name": "tilted", "bta": 1}},
            "learner.measure.bta: unknown key (did you mean beta?)",
        ),
        ({"learner.measure.beta": 2}, "learner.measure.name: is missing"),
    ],
)
def test_grid_point_of_an_option_that_is_a_part_is_named_by_the_key_at_fault(load, monkeypatch, point, said):
    monkeypatch.setitem(learners._members, "crf", LaterCRF)
    ((key, value),) = point.items()
    with pytest.raises(InputError) as raised:
        check_grid("CRF", load().systems["CRF"], point)
    place = f"systems.CRF.selection.grid: the grid point {key}={value} does not fit: "
    assert str(raised.value) == place + said


def test_grid_reaches_into_an_option_that_is_a_part(load, monkeypatch):
    monkeypatch.setitem(learners._members, "crf", LaterCRF)
    system = load(TRIAL, "systems.CRF.learner.measure=tilted").systems["CRF"]
    assert check_grid("CRF", system, {"learner.measure.beta": 2}).learner.build().measure == Tilted(2.0)
    assert check_grid("CRF", system, {"learner.measure": "even"}).learner.build().measure == Even()
    assert check_grid("CRF", system, {"learner.measure": None}).learner.build().measure is None


def test_option_that_is_a_part_is_named_with_file_line_and_key(complaint, monkeypatch):
    monkeypatch.setitem(learners._members, "crf", LaterCRF)
    measure = "      measure: {name: tilted,\n        betta: 2}\n"
    said = "trial.yaml:17: systems.CRF.learner.measure.betta: unknown key (did you mean beta?)"
    assert complaint(edited("      name: crf\n", "      name: crf\n" + measure)) == said


@pytest.mark.parametrize("key", ["optimiser.step.size", "runs.first"])
def test_grid_key_below_a_value_is_named(load, key):
    with pytest.raises(InputError, match=r"systems\.ADV\.selection\.grid"):
        check_grid("ADV", load().systems["ADV"], {key: 1})


def test_overriding_mappings_leaves_the_original_alone():
    section = {"a": {"b": 1, "c": [1]}, "d": 2}
    assert with_overrides(section, {"a.b": 3, "e.f": 4}) == {"a": {"b": 3, "c": [1]}, "d": 2, "e": {"f": 4}}
    assert section == {"a": {"b": 1, "c": [1]}, "d": 2}
