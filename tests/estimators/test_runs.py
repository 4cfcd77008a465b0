"""Systems of the command line's runs, asked from Python, say what the command line says."""

from __future__ import annotations

from pathlib import Path

import pytest
import tiny_bitext

from advsp import load
from advsp.estimators.runs import RunAligner, RunTagger
from advsp.support.errors import InputError


@pytest.mark.parametrize(
    "system, seed", [("CRF", None), ("ADV_f1", "2"), ("ADV_f1", "average"), (None, None)]
)
def test_a_tagger_says_what_predict_says(trained, command, system, seed):
    tagger = load("results/runs/tiny", system, seed)
    assert isinstance(tagger, RunTagger) and tagger.classes_.tolist() == ["PER", "LOC"]
    blocks = Path("raw/testb.txt").read_text().strip().split("\n\n")
    words = [[line.split()[0] for line in block.splitlines()] for block in blocks]
    options = [*(["--system", system] if system else []), *(["--seed", seed] if seed else [])]
    ended = command("predict", "results/runs/tiny", "raw/testb.txt", *options)
    written = [[line.split()[-1] for line in block.splitlines()] for block in ended.out.strip().split("\n\n")]
    assert tagger.predict(words) == written
    marginals = tagger.predict_marginals(words)
    assert [len(sentence) for sentence in marginals] == [len(sentence) for sentence in words]
    assert all(token.keys() == {"PER", "LOC"} for sentence in marginals for token in sentence)
    assert tagger.predict([]) == [] and tagger.predict([[]]) == [[]]


def test_an_aligner_says_what_align_says(trained_bitext, command):
    aligner = load("results/runs/harbour", "SSVM [taskar]")
    assert isinstance(aligner, RunAligner)
    pairs = [(s.split(), t.split()) for s, t, _ in tiny_bitext.lines(tiny_bitext.PAIRS["test"])]
    ended = command(
        "align", "results/runs/harbour", "raw/test.en", "raw/test.fr", "--system", "SSVM [taskar]"
    )
    assert aligner.predict(pairs) == [set(tiny_bitext.links_of(line)) for line in ended.out.split("\n")[:-1]]
    assert [set(found) for found in aligner.predict_marginals(pairs)] == aligner.predict(pairs)


def test_links_that_no_model_gives_are_missed(trained_bitext):
    with pytest.raises(InputError, match="there are no links of m.ef, m.fe for new pairs"):
        load("results/runs/harbour", "ADV_aer [m, ignore]")


def test_what_is_neither_is_refused(tmp_path):
    with pytest.raises(InputError, match="estimator.json"):
        load(tmp_path)
