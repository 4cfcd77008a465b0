"""Which tests come first, and which are slow; those of minutes are slow, too."""

from __future__ import annotations

from pathlib import Path

import pytest

TESTS = Path(__file__).parent
#: Files and folders whose tests call no kernels: they come first, and run while kernels are compiled.
PURE = (
    "aligners",
    "cli/test_bad_alignment_input.py",
    "cli/test_prepare_hansards.py",
    "corpora",
    "experiments/config",
    "experiments/test_alignment.py",
    "features",
    "fuzz",
    "house",
    "metrics",
    "published/test_page.py",
    "regression/test_published.py",
    "report",
    "show/test_grid.py",
    "support",
    "tasks",
    "test_sample_bitext.py",
)
#: Files among them whose tests call kernels all the same.
CALLING = (
    "aligners/test_agreement.py",
    "aligners/test_preparation.py",
    "aligners/test_smoothed_joint.py",
    "aligners/test_staying_hmm.py",
    "features/bitext/test_aligner_groups.py",
    "metrics/test_scores.py",
)
#: Files and folders whose tests take long, together most of the time of all; single tests bear the mark.
SLOW = (
    "aligners/test_eflomal.py",
    "bench",
    "cli/test_bad_alignment_input.py",
    "cli/test_bad_input.py",
    "cli/test_prepare_hansards.py",
    "cli/test_program.py",
    "engine/backends",
    "engine/measures/test_contract.py",
    "engine/oracles/test_real_potentials.py",
    "engine/test_double_oracle.py",
    "engine/test_large_games.py",
    "experiments/test_alignment.py",
    "experiments/test_evaluate.py",
    "experiments/test_outside.py",
    "experiments/test_train.py",
    "house/test_order.py",
    "house/test_trace_sentence.py",
    "kernels",
    "learners/initial/test_logistic.py",
    "learners/test_contract.py",
    "metrics/test_bootstrap.py",
    "metrics/test_entity.py",
    "metrics/test_scores.py",
    "published",
    "regression",
    "runners",
    "show/test_grid.py",
    "test_four_commands.py",
    "test_plugin.py",
    "test_sample_bitext.py",
    "test_without_numba.py",
    "training/optimisers/test_bcfw_pairs.py",
    "training/test_loop.py",
)
#: Fixture of tests that read whole corpora, where these are there.
_READS_CORPORA = "corpus_file"


def arrange(items: list[pytest.Item]) -> None:
    """Put tests that call no kernels first, and mark those of slow files and folders."""
    for item in items:
        of_minutes = item.get_closest_marker("long") is not None
        if of_minutes or _is_in(item, SLOW) or _READS_CORPORA in getattr(item, "fixturenames", ()):
            item.add_marker("slow")
    items.sort(key=lambda item: not _is_in(item, PURE) or _is_in(item, CALLING))


def _is_in(item: pytest.Item, paths: tuple[str, ...]) -> bool:
    """Whether a test lies in one of the files and folders below the tests."""
    return any(item.path.is_relative_to(TESTS / path) for path in paths)
