"""``advsp inspect``: everything there is to see, for sentences and for pairs."""

from __future__ import annotations

from pathlib import Path

import pytest

TAGGING, LINKS = Path("results/runs/tiny"), Path("results/runs/harbour")


def test_a_tagger_shows_curves_weights_hard_sentences_and_a_game(trained, command):
    ended = command("inspect", TAGGING, "--system", "ADV_f1", "--seed", "1", "--weights", "2")
    assert ended.code == 0
    for part in (
        "ADV_f1, seed 1, rule",
        "PER, seed 1",
        "model of LOC:",
        "strongest weights of PER",
        "hardest sentences: the score that the games guarantee",
        "PER: value",
        "predictor",
        "adversary",
    ):
        assert part in ended.out, part


def test_one_sentence_is_shown_by_its_number(trained, command):
    ended = command(
        "inspect", TAGGING, "--system", "ADV_f1", "--split", "testb", "--example", "3", "--hardest", "0"
    )
    assert "ADV_f1, testb, sentence 3\nBrandt met Vesterby\n" in ended.out
    assert "  gold: PER:Brandt | PER:Vesterby\n" in ended.out
    assert "hardest" not in ended.out


def test_an_aligner_shows_pairs(trained_bitext, command):
    ended = command("inspect", LINKS, "--system", "ADV_aer [m, label]", "--example", "2")
    assert ended.code == 0
    for part in ("strongest weights of sure", "strongest weights of possible", "hardest pairs"):
        assert part in ended.out, part
    assert "goodbye , gulls ||| au revoir , mouettes\n" in ended.out
    assert "S:goodbye-au goodbye-revoir" in ended.out


@pytest.mark.parametrize("run, system", [(TAGGING, "CRF"), (LINKS, "logistic [m]")])
def test_who_plays_no_games_says_so(finished, finished_bitext, command, monkeypatch, run, system):
    monkeypatch.chdir(finished if run == TAGGING else finished_bitext)
    ended = command("inspect", run, "--system", system)
    assert ended.code == 0
    assert f"{system} decides without games" in ended.out


def test_figures_are_drawn(trained, command):
    pytest.importorskip("matplotlib")
    ended = command("inspect", TAGGING, "--system", "ADV_f1", "--figures", "figures")
    assert ended.code == 0
    for name in ("learning-curves", "equilibrium"):
        picture = Path(f"figures/{name}.svg")
        assert f"wrote {picture}" in ended.out
        assert picture.read_text().count("<path") > 10
    before = {path.name: path.read_bytes() for path in Path("figures").iterdir()}
    command("inspect", TAGGING, "--system", "ADV_f1", "--figures", "figures")
    assert before == {path.name: path.read_bytes() for path in Path("figures").iterdir()}


@pytest.mark.parametrize(
    "options, problem",
    [
        (("--split", "testc"), "the run has no split 'testc' (it has train, testa, testb)"),
        (("--example", "9"), "there is no sentence 9 (the split has 1 to 4)"),
        (("--system", "ADV"), "the run has no system 'ADV'"),
    ],
)
def test_what_there_is_not_is_refused(trained, command, options, problem):
    ended = command("inspect", TAGGING, *options)
    assert ended.code == 2
    assert problem in ended.err
