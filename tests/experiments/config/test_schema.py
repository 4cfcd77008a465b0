"""What can be said of an experiment, and what becomes of it: complete, distinct, fit for its task."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest
from places import ROOT
from trial_configs import BITEXT, TRIAL, bitext, edited

from advsp.engine.measures.additive import DEFAULT_COST
from advsp.engine.settings import Engine
from advsp.experiments.config.reading import check_grid, load_config
from advsp.experiments.config.schema import (
    ExperimentConfig,
    FeaturesConfig,
    InitialConfig,
    LearnerConfig,
    OptimiserConfig,
    folder_name,
)
from advsp.experiments.sources import BitextSource, ConllSource
from advsp.features import presets
from advsp.learners import learners
from advsp.learners.adversarial import Adversarial
from advsp.learners.adversarial_links import AdversarialLinks
from advsp.learners.crf import CRF
from advsp.learners.initial import initials
from advsp.learners.initial.logistic import Logistic
from advsp.learners.initial.uniform import Uniform
from advsp.learners.initial.zeros import Zeros
from advsp.metrics import token_measure
from advsp.support.errors import InputError
from advsp.support.section_files import load_section
from advsp.support.sections import options_of
from advsp.support.yaml_source import read_yaml
from advsp.training.optimisers import optimisers
from advsp.training.optimisers.adagrad import AdaGrad
from advsp.training.optimisers.lbfgs import LBFGS

CONFIGS = sorted((ROOT / "configs").rglob("*.yaml"))


# --- what a good configuration becomes ----------------------------------------------------------


def test_what_is_left_out_has_its_default(load):
    config = load(
        "name: least\ncorpus: {name: tiny, path: x}\nclasses: [PER]\nsystems: {A: {learner: {name: crf}}}\n"
    )
    assert (config.seed, config.runs, config.workers, config.output) == (1, 1, 0, "results")
    assert config.corpus.splits == ["train", "testa", "testb"]
    assert config.folder == Path("results/runs/least")
    system = config.systems["A"]
    assert system.engine == Engine()
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
        part = registry.get(name)()
        stated = {key: value for key, value in options_of(part).items() if value is not None}
        # One that is None is left out, unless it is marked as stated.
        assert {key: resolved[key] for key in stated} == stated
        assert set(resolved) <= {*section.model_fields, *dataclasses.asdict(part)}


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


# --- word alignment, and what depends on the kind of corpus -----------------------------------------


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


def test_resolved_alignment_survives_json(load):
    config = load(BITEXT)
    again = ExperimentConfig.model_validate(json.loads(json.dumps(config.model_dump())))
    assert again == config
    assert again.fingerprint() == config.fingerprint()


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
            "(known: token_f1, entity_f1, joint_token_f1, joint_entity_f1, "
            f"{', '.join(token_measure.names())})",
            id="unknown metric of one system",
        ),
        pytest.param(
            edited("    selection: {grid: {}}", "    selection: {grid: {}, metric: joint_token_f1}"),
            "trial.yaml:17: systems.CRF.selection.metric: joint_token_f1 is of all classes together, each is "
            "chosen for by itself (choose by token_f1)",
            id="joint metric to choose by",
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
            "trial.yaml:21: selection.rules.1: found 'median', "
            "expected 'mode', 'marginal', 'threshold', 'gibbs' or 'gibbs-threshold'",
            id="unknown rule",
        ),
        pytest.param(
            BITEXT + "selection:\n  rules: [gibbs]\n",
            "trial.yaml:21: selection.rules: only chains have a distribution of their own",
            id="chain's decisions about links",
        ),
        pytest.param(
            BITEXT.replace("adagrad, l2: 1.0", "adagrad, dropout: 0.2, l2: 1.0"),
            "trial.yaml:7: optimiser.dropout: only chains have node features to leave out",
            id="dropout of links",
        ),
        pytest.param(
            BITEXT + "selection:\n  threshold_step: 0.03\n",
            "trial.yaml:21: selection.threshold_step: found 0.03, expected a part of 1 as 0.05 is",
            id="steps that do not end at 1",
        ),
        pytest.param(
            BITEXT + "table: table4\n",
            "trial.yaml:20: table: found 'table4', expected 'equal', 'table2' or 'table3'",
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
        (
            "corpus.kind=conll",
            "trial.yaml:12: systems.SSVM [taskar].learner.name: ssvm is a learner of alignment, the corpus "
            "is one of tagging",
        ),
    ],
)
def test_override_that_does_not_fit_the_task_is_named(complaint, override, said):
    assert complaint(BITEXT, override) == said


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
