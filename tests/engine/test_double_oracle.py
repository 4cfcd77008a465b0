"""The double oracle finds the value of the whole game, and says honestly how close it came."""

from __future__ import annotations

from dataclasses import dataclass

import brute_force
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from installed import each, installed

from advsp.engine.double_oracle import double_oracle, equilibrium
from advsp.engine.game import AerGame, ChainF1Game, Game, MatchingGame
from advsp.engine.lp import solvers
from advsp.engine.lp.base import CertifiedSession, LPSolver, Session
from advsp.engine.measures.additive import DEFAULT_COST
from advsp.engine.oracles import open_oracle, oracles
from advsp.engine.solving import solve_game, solve_games

INSTALLED = each(solvers)
PRECISE = each(solvers, lambda solver: solver.tolerance <= 1e-9)
COARSE = each(solvers, lambda solver: solver.tolerance > 1e-9)
EXACT = each(oracles, lambda oracle: oracle.exact)
APPROXIMATE = each(oracles, lambda oracle: not oracle.exact)
#: Those of them that can be used here.
EXACT_HERE = installed(oracles, lambda oracle: oracle.exact)


def checked(examples: int):
    """A fixed choice of examples, the same on every machine."""
    return settings(
        derandomize=True,
        deadline=2000,
        max_examples=examples,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


# --- games to draw ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Drawn:
    """A game of the package and the same game written out."""

    game: Game
    full: brute_force.FullGame
    title: str

    def __repr__(self) -> str:
        return self.title


#: Kinds of potentials: where everything ties, where some things do, and where pruning is at its edge.
POTENTIALS = {
    "zero": st.just(0.0),
    "ties": st.integers(-2, 2).map(float),
    "halves": st.sampled_from([0.0, 0.5, -0.5]),
    "tiny": st.sampled_from([0.0, 1e-5, -1e-5, 3e-7, -1e-8]),
    "normal": st.floats(-1.0, 1.0, width=32),
    "large": st.floats(-1e3, 1e3, width=32),
    "edge of the score range": st.sampled_from([0.0, 1.0, -1.0, 1.0 + 1e-12, 1.0 - 1e-12, 0.5]),
}


@st.composite
def chain_games(draw) -> Drawn:
    length, tags = draw(st.integers(1, 5)), draw(st.integers(2, 4))
    target, beta = draw(st.integers(0, tags - 1)), draw(st.sampled_from([0.5, 1.0, 2.0]))
    kind = draw(st.sampled_from(sorted(POTENTIALS)))
    shape = draw(st.sampled_from([(tags, tags), (length - 1, tags, tags)]))

    def table(*shape: int) -> np.ndarray:
        return draw(hnp.arrays(float, shape, elements=POTENTIALS[kind]))

    unary, pairwise, start = table(length, tags), table(*shape), draw(st.booleans())
    start = table(tags) if start else None
    return Drawn(
        ChainF1Game(unary, pairwise, target, start=start, beta=beta),
        brute_force.chain_game(unary, pairwise, target, start, beta),
        f"F{beta} of tag {target}, {kind}: unary {unary.tolist()}, "
        f"pairwise {pairwise.tolist()}, start {None if start is None else start.tolist()}",
    )


@st.composite
def aer_games(draw) -> Drawn:
    length, kind = draw(st.integers(1, 4)), draw(st.sampled_from(sorted(POTENTIALS)))
    sure, possible = draw(hnp.arrays(float, (2, length), elements=POTENTIALS[kind]))
    return Drawn(
        AerGame(sure, possible),
        brute_force.aer_game(sure, possible),
        f"1 - AER, {kind}: sure {sure.tolist()}, possible {possible.tolist()}",
    )


#: Grids of a matching game that can be written out.
SHAPES = [(rows, columns) for rows in (1, 2, 3) for columns in (1, 2, 3)]


@st.composite
def matching_games(draw) -> Drawn:
    shape = draw(st.sampled_from(SHAPES))
    kind = draw(st.sampled_from(sorted(POTENTIALS)))
    sure, possible = draw(hnp.arrays(float, (2, shape[0] * shape[1]), elements=POTENTIALS[kind]))
    cost = draw(st.fixed_dictionaries({key: st.sampled_from([0.0, 0.25, 1.0]) for key in DEFAULT_COST}))
    return Drawn(
        MatchingGame(sure, possible, shape, cost),
        brute_force.matching_game(sure, possible, shape, cost),
        f"matching {shape}, {kind}: sure {sure.tolist()}, possible {possible.tolist()}, cost {cost}",
    )


def assert_solved(drawn: Drawn, slack: float, **options) -> None:
    """The mixtures prove the value: no labelling does better against either of them than it says."""
    solved = solve_game(drawn.game, tolerance=0.0, **options)
    rounding = 1e-14 * max(100.0, np.abs(drawn.full.payoffs).max())
    guaranteed = drawn.full.against_predictor(solved.predictor).min()
    conceded = drawn.full.against_adversary(solved.adversary).max()
    assert guaranteed >= solved.lower - rounding
    assert conceded <= solved.upper + rounding
    assert conceded - guaranteed <= slack + rounding
    assert solved.lower - rounding <= solved.value <= solved.upper + rounding
    assert solved.gap == max(0.0, solved.upper - solved.lower) <= slack + rounding
    # The linear program of the whole matrix is the less exact of the two.
    assert solved.value == pytest.approx(drawn.full.value, abs=slack + rounding + 1e-8)
    assert solved.certified
    assert solved.lp_failures == 0
    for mixture in (solved.predictor, solved.adversary):
        assert mixture.probabilities.min() > 0.0
        assert mixture.probabilities.sum() == pytest.approx(1.0, abs=1e-12)
        assert len({tuple(labelling) for labelling in mixture.labellings.tolist()}) == len(mixture.labellings)


# --- the value of the game -------------------------------------------------------------------------


@pytest.mark.parametrize("oracle", EXACT)
@pytest.mark.parametrize("lp", PRECISE)
@checked(50)
@given(drawn=chain_games())
def test_chain_game_equals_the_whole_matrix_game(lp, oracle, drawn):
    assert_solved(drawn, 1e-9, lp=lp, oracle=oracle)


@pytest.mark.parametrize("lp", PRECISE)
@checked(60)
@given(drawn=aer_games())
def test_aer_game_equals_the_whole_matrix_game(lp, drawn):
    assert_solved(drawn, 1e-9, lp=lp)


@pytest.mark.parametrize("oracle", EXACT)
@pytest.mark.parametrize("lp", PRECISE)
@checked(60)
@given(drawn=matching_games())
def test_matching_game_equals_the_whole_matrix_game(lp, oracle, drawn):
    assert_solved(drawn, 1e-9, lp=lp, oracle=oracle)


@pytest.mark.parametrize("lp", COARSE)
@checked(12)
@given(drawn=st.one_of(chain_games(), aer_games()))
def test_solver_of_few_digits_comes_as_close_as_its_tolerance(lp, drawn):
    assert_solved(drawn, 3 * solvers.get(lp).tolerance, lp=lp)


@pytest.mark.parametrize("lp", COARSE)
@checked(12)
@given(drawn=matching_games())
def test_solver_of_few_digits_comes_as_close_in_matching_games(lp, drawn):
    assert_solved(drawn, 3 * solvers.get(lp).tolerance * max(1.0, np.ptp(drawn.full.payoffs)), lp=lp)


@pytest.mark.long
@pytest.mark.parametrize("lp", INSTALLED)
@pytest.mark.parametrize("shape", SHAPES)
def test_matching_games_of_every_small_shape_have_mixed_equilibria_that_are_found(shape, lp):
    # Mild potentials under the default costs: the predictor has to mix wherever there is a choice.
    rng, mixed = np.random.default_rng(shape), []
    for seed in range(3):
        sure, possible = rng.uniform(-0.5, 0.5, size=(2, shape[0] * shape[1]))
        drawn = Drawn(
            MatchingGame(sure, possible, shape),
            brute_force.matching_game(sure, possible, shape, DEFAULT_COST),
            f"matching {shape}, seed {seed}",
        )
        slack = 3 * solvers.get(lp).tolerance * max(1.0, np.ptp(drawn.full.payoffs))
        assert_solved(drawn, slack, lp=lp)
        values = [solve_game(drawn.game, lp=lp, oracle=name, tolerance=0.0).value for name in EXACT_HERE]
        assert values == pytest.approx([drawn.full.value] * len(EXACT_HERE), abs=slack + 1e-8)
        mixed.append(len(solve_game(drawn.game, lp=lp).predictor.probabilities) > 1)
    assert any(mixed)


# --- extremes --------------------------------------------------------------------------------------

STEPS = [-1.0, 0.0, 0.9, 1.0]


def random_chain_game(seed: int, magnitude: float, common: float = 0.0) -> Drawn:
    rng = np.random.default_rng(seed)
    unary = common + rng.choice(STEPS, size=(4, 3)) * magnitude
    pairwise = rng.choice(STEPS, size=(3, 3)) * magnitude
    game, full = ChainF1Game(unary, pairwise, 1), brute_force.chain_game(unary, pairwise, 1)
    return Drawn(game, full, f"chain, seed {seed}, magnitude {magnitude}, common part {common}")


def random_aer_game(seed: int, magnitude: float) -> Drawn:
    sure, possible = np.random.default_rng(seed).choice(STEPS, size=(2, 3)) * magnitude
    game, full = AerGame(sure, possible), brute_force.aer_game(sure, possible)
    return Drawn(game, full, f"1 - AER, seed {seed}, magnitude {magnitude}")


@pytest.mark.long
@pytest.mark.parametrize("lp", PRECISE)
@pytest.mark.parametrize("magnitude", [1e-12, 1e-10, 1e-9, 1e-8, 1e-4, 1e4, 1e6, 1e9])
def test_potentials_of_any_magnitude(lp, magnitude):
    for seed in range(10):
        assert_solved(random_chain_game(seed, magnitude), 1e-9, lp=lp)
        assert_solved(random_aer_game(seed, magnitude), 1e-9, lp=lp)


@pytest.mark.parametrize("lp", PRECISE)
@pytest.mark.parametrize("common", [-1e7, 1e3, 1e5, 1e7, 1e10])
def test_potentials_that_have_a_large_part_in_common(lp, common):
    for seed in range(10):
        assert_solved(random_chain_game(seed, 0.3, common), 1e-9, lp=lp)


def forbidding_game(seed: int, kind: str) -> Drawn:
    """A game whose adversary may not use some labels and pairs of labels: their potential is -inf."""
    rng = np.random.default_rng(seed)

    def table(*shape: int) -> np.ndarray:
        values = rng.normal(scale=0.5, size=shape)
        values[rng.random(shape) < 0.25] = -np.inf
        return values

    if kind == "aer":
        sure, possible = table(2, 3)
        game, full = AerGame(sure, possible), brute_force.aer_game(sure, possible)
    elif kind == "matching":
        shape = SHAPES[seed % len(SHAPES)]
        sure, possible = table(2, shape[0] * shape[1])
        game = MatchingGame(sure, possible, shape)
        full = brute_force.matching_game(sure, possible, shape, DEFAULT_COST)
    else:
        unary, pairwise = table(4, 3), table(3, 3)
        # The last tag is allowed everywhere, after itself at least.
        unary[:, 2] = pairwise[2, 2] = 0.0
        game, full = ChainF1Game(unary, pairwise, 1), brute_force.chain_game(unary, pairwise, 1)
    allowed = [y for y, payoff in zip(full.actuals, full.payoffs[0]) if np.isfinite(payoff)]
    payoffs = full.payoffs[:, np.isfinite(full.payoffs[0])]
    return Drawn(game, brute_force.FullGame(full.predictions, allowed, payoffs), f"{kind}, seed {seed}")


@pytest.mark.parametrize("oracle", EXACT)
@pytest.mark.parametrize("kind", ["chain", "aer", "matching"])
def test_minus_infinity_forbids_a_label(kind, oracle):
    for seed in range(20):
        assert_solved(forbidding_game(seed, kind), 1e-9, oracle=oracle)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("kind", ["chain", "aer", "matching"])
def test_forbidden_strategies_to_begin_with_do_no_harm(kind):
    for seed in range(20):
        drawn = forbidding_game(seed, kind)
        length, labels = drawn.game.adversary.length, drawn.game.adversary.labels
        rng = np.random.default_rng(seed)
        stale = [rng.integers(0, size, size=(6, length)).astype(np.int8) for size in (2, labels)]
        assert_solved(drawn, 1e-9, warm=tuple(stale))


@pytest.mark.parametrize("side", [0, 1], ids=["predictor", "adversary"])
def test_strategies_to_begin_with_that_are_no_matchings_are_left_out(side):
    # To link everything would be the best there is, for either player.
    sure = np.full(4, 3.0)
    game = MatchingGame(sure, np.zeros(4), (2, 2), {"AN": 0.0, "NN": 1.0})
    full = brute_force.matching_game(sure, np.zeros(4), (2, 2), DEFAULT_COST | {"AN": 0.0, "NN": 1.0})
    warm = [np.array([[0, 0, 0, 0], [1, 0, 0, 1]], np.int8)] * 2
    warm[side] = np.concatenate([[[1] * 4, [1 + side] * 4], warm[side]]).astype(np.int8)
    assert_solved(Drawn(game, full, "everything linked"), 1e-9, warm=tuple(warm))
    first = solve_game(game, tolerance=0.0, warm=tuple(warm), trace=True).trace[0]
    assert first.strategies == (2, 2)


def test_what_the_adversary_may_not_play_the_predictor_may():
    game = AerGame(np.zeros(2), np.full(2, -np.inf))
    warm = np.array([[1, 1], [0, 1]], np.int8), np.array([[0, 2], [1, 0]], np.int8)
    assert solve_game(game, warm=warm, trace=True).trace[0].strategies == (2, 1)


def test_game_begins_anew_where_no_strategy_to_begin_with_is_left():
    drawn = forbidding_game(8, "matching")
    everything = np.ones((1, drawn.game.adversary.length), np.int8)
    assert_solved(drawn, 1e-9, warm=(everything, everything))


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_potentials_that_are_not_numbers_are_refused(bad):
    unary = np.zeros((2, 2))
    unary[1, 0] = bad
    with pytest.raises((ValueError, ArithmeticError)):
        solve_game(ChainF1Game(unary, np.zeros((2, 2)), 0))


@pytest.mark.parametrize("target", [0, 1])
@pytest.mark.parametrize("difference", [-3.0, -1.0, -0.4, 0.0, 0.7, 1.0, 2.0])
def test_single_token_of_two_tags_has_a_closed_form(target, difference):
    # Score 1 if both say the same.  Within a difference of 1 the adversary makes the predictor
    # indifferent by an even mixture; beyond, it plays the tag of the higher potential for sure.
    unary = np.array([[0.25, 0.25 + difference]])
    solved = solve_game(ChainF1Game(unary, np.zeros((2, 2)), target), tolerance=0.0)
    expected = 0.5 - unary.mean() if abs(difference) <= 1.0 else 1.0 - unary.max()
    assert solved.value == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("length", [1, 2, 5])
@pytest.mark.parametrize("target", range(4))
def test_without_potentials_every_target_gives_the_same_value(length, target):
    def value(target: int) -> float:
        return solve_game(ChainF1Game(np.zeros((length, 4)), np.zeros((4, 4)), target), tolerance=0.0).value

    assert value(target) == pytest.approx(value(0), abs=1e-9)


# --- pruning in whole games ------------------------------------------------------------------------


def long_game(seed: int, length: int, peak: float) -> ChainF1Game:
    rng = np.random.default_rng([seed, length])
    unary = rng.normal(scale=0.2, size=(length, 4))
    unary[np.arange(length), rng.choice(4, size=length, p=[0.1, 0.1, 0.1, 0.7])] += peak
    return ChainF1Game(unary, rng.normal(scale=0.2, size=(4, 4)), 0)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("length", "peak"), [(30, 1.0), (30, 2.0), (60, 1.5), (60, 4.0)])
def test_long_games_have_the_same_value_with_and_without_pruning(length, peak, seed):
    game = long_game(seed, length, peak)
    pruned, reference = (solve_game(game, oracle=name, tolerance=1e-8) for name in ("numpy", "reference"))
    assert pruned.value == pytest.approx(reference.value, abs=2e-8)
    # Either oracle's bounds hold for the other's mixtures.
    for solved in (pruned, reference):
        for prune in (True, False):
            assert game.adversary_response(solved.predictor, prune)[1] >= solved.lower - 1e-10
            assert game.predictor_response(solved.adversary, prune)[1] <= solved.upper + 1e-10


# --- warm starts -----------------------------------------------------------------------------------


def some_of(draw, among: list) -> np.ndarray:
    """Up to six labellings, repeated or none at all."""
    chosen = draw(st.lists(st.sampled_from(among), max_size=6))
    return np.array(chosen, dtype=np.int8).reshape(len(chosen), len(among[0]))


@checked(80)
@given(drawn=st.one_of(chain_games(), aer_games(), matching_games()), data=st.data())
def test_stale_strategies_to_begin_with_never_change_the_value(drawn, data):
    warm = some_of(data.draw, drawn.full.predictions), some_of(data.draw, drawn.full.actuals)
    assert_solved(drawn, 1e-9, warm=warm)


def test_beginning_with_an_equilibrium_of_the_same_game_saves_most_rounds():
    cold_rounds = warm_rounds = 0
    for seed in range(5):
        game = long_game(seed, 20, 0.5)
        cold = solve_game(game, tolerance=1e-9)
        warm = solve_game(game, tolerance=1e-9, warm=(cold.predictor.labellings, cold.adversary.labellings))
        assert warm.value == pytest.approx(cold.value, abs=2e-9)
        cold_rounds, warm_rounds = cold_rounds + cold.iterations, warm_rounds + warm.iterations
    assert warm_rounds < cold_rounds / 2


def test_strategies_of_other_potentials_do_not_block_the_loop():
    # The stale column has the best pattern of the target but the worst of the other tags.
    unary = np.zeros((3, 3))
    unary[:, 2] = 4.0
    drawn = Drawn(
        ChainF1Game(unary, np.zeros((3, 3)), 0), brute_force.chain_game(unary, np.zeros((3, 3)), 0), "stale"
    )
    stale = np.full((1, 3), 1, dtype=np.int8)
    assert_solved(drawn, 1e-9, warm=(np.zeros((1, 3), np.int8), stale))


# --- stopping --------------------------------------------------------------------------------------


@checked(60)
@given(
    drawn=st.one_of(chain_games(), aer_games(), matching_games()),
    rounds=st.integers(1, 4),
    oracle=st.sampled_from(EXACT_HERE),
)
def test_game_given_up_early_has_an_honest_gap(drawn, rounds, oracle):
    solved = solve_game(drawn.game, oracle=oracle, tolerance=0.0, max_iterations=rounds)
    assert solved.iterations <= rounds
    assert solved.gap == max(0.0, solved.upper - solved.lower)
    assert drawn.full.against_predictor(solved.predictor).min() == pytest.approx(solved.lower, abs=1e-9)
    assert drawn.full.against_adversary(solved.adversary).max() == pytest.approx(solved.upper, abs=1e-9)
    assert solved.lower - 1e-8 <= drawn.full.value <= solved.upper + 1e-8
    assert solved.lower - 1e-9 <= solved.value <= solved.upper + 1e-9


@pytest.mark.parametrize("tolerance", [1e-1, 1e-2, 1e-4, 1e-8])
def test_loop_stops_in_the_first_round_whose_gap_is_within_the_tolerance(tolerance):
    solved = solve_game(long_game(0, 20, 0.5), tolerance=tolerance, trace=True)
    assert solved.gap <= tolerance
    assert all(past.gap > tolerance for past in solved.trace[:-1])


def test_tolerance_means_the_gap_and_nothing_more_or_less():
    game = long_game(0, 20, 0.5)
    gaps = [past.gap for past in solve_game(game, tolerance=1e-9, trace=True).trace]
    for number, gap in enumerate(gaps[:-1], start=1):
        first = gaps.index(gap) + 1
        assert solve_game(game, tolerance=gap * (1 + 1e-9)).iterations == first
        assert solve_game(game, tolerance=gap * (1 - 1e-9)).iterations > number


def test_value_of_a_game_given_up_is_that_of_the_strategies_known_kept_inside_the_bracket():
    game = long_game(0, 20, 0.5)
    for rounds in range(1, 12):
        solved = solve_game(game, tolerance=0.0, max_iterations=rounds, trace=True)
        restricted = solved.trace[-1].value
        assert solved.lower < solved.upper
        assert solved.value == min(max(restricted, solved.lower), solved.upper)


def test_tighter_tolerance_takes_more_rounds():
    game = long_game(0, 20, 0.5)
    rounds = [solve_game(game, tolerance=tolerance).iterations for tolerance in (1e-1, 1e-3, 1e-6)]
    assert rounds[0] < rounds[1] < rounds[2]


def test_bracket_only_ever_narrows():
    trace = solve_game(long_game(1, 20, 0.5), tolerance=1e-8, trace=True).trace
    assert len(trace) > 5
    assert all(later.best_lower >= past.best_lower for past, later in zip(trace, trace[1:]))
    assert all(later.best_upper <= past.best_upper for past, later in zip(trace, trace[1:]))
    assert all(r.best_lower >= r.lower and r.best_upper <= r.upper for r in trace)


def test_trace_numbers_its_rounds_and_grows_by_one_strategy_a_player_at_most():
    solved = solve_game(long_game(1, 20, 0.5), tolerance=1e-8, trace=True)
    assert [r.iteration for r in solved.trace] == list(range(1, solved.iterations + 1))
    growth = np.diff([r.strategies for r in solved.trace], axis=0)
    assert growth.min() >= 0
    assert growth.max() == 1
    assert {1, 2} >= set(growth.sum(axis=1).tolist()) >= {2}


def test_trace_is_kept_only_where_asked_for():
    assert solve_game(long_game(1, 20, 0.5)).trace == ()


def test_mixtures_guarantee_the_best_bounds_even_if_a_later_round_was_worse():
    for seed in range(5):
        drawn = random_chain_game(seed, 0.2)
        for last in solve_game(drawn.game, tolerance=0.0, trace=True).trace:
            worst = drawn.full.against_predictor(last.predictor).min()
            best = drawn.full.against_adversary(last.adversary).max()
            assert worst == pytest.approx(last.best_lower, abs=1e-9)
            assert best == pytest.approx(last.best_upper, abs=1e-9)


# --- solvers that lie, oracles that guess ----------------------------------------------------------


class Uniform(Session):
    def solve(self, payoffs):
        rows, columns = payoffs.shape
        return np.full(rows, 1 / rows), np.full(columns, 1 / columns)


class Liar(LPSolver):
    """Claims that playing everything alike is always an equilibrium."""

    def session(self):
        return Uniform()

    def maximise(self, program):
        raise AssertionError("a game is no linear program")


@pytest.mark.parametrize("seed", range(5))
def test_solver_that_lies_is_found_out_and_does_no_harm(seed):
    drawn = random_chain_game(seed, 0.2)
    session, oracle = CertifiedSession(Liar(), solvers.get("linprog")()), open_oracle()
    *_, last = double_oracle(drawn.game, session, oracle, tolerance=0.0)
    solved = equilibrium(last, session, oracle)
    assert solved.lp_failures == session.failures > 0
    assert solved.value == pytest.approx(drawn.full.value, abs=1e-8)
    assert solved.gap <= 1e-9


@pytest.mark.parametrize("name", APPROXIMATE)
@checked(60)
@given(drawn=chain_games())
def test_approximate_game_claims_no_certificate_and_returns_mixtures(name, drawn):
    solved = solve_game(drawn.game, oracle=name, tolerance=1e-6)
    assert not solved.certified
    assert solved.gap >= 0.0
    for mixture, labellings in (
        (solved.predictor, drawn.full.predictions),
        (solved.adversary, drawn.full.actuals),
    ):
        assert mixture.probabilities.sum() == pytest.approx(1.0, abs=1e-12)
        assert {tuple(labelling) for labelling in mixture.labellings.tolist()} <= set(labellings)


@pytest.mark.parametrize("name", APPROXIMATE)
def test_approximate_games_are_close_where_potentials_are_peaked(name):
    errors = []
    for seed in range(10):
        game = long_game(seed, 30, 4.0)
        exact, approximate = solve_game(game, tolerance=1e-8), solve_game(game, oracle=name, tolerance=1e-8)
        errors.append(abs(approximate.value - exact.value))
    assert np.mean(errors) < 0.05


def test_a_game_takes_at_least_one_round():
    with pytest.raises(ValueError, match="at least 1"):
        solve_game(ChainF1Game(np.zeros((2, 2)), np.zeros((2, 2)), 0), max_iterations=0)


@pytest.mark.parametrize("oracle", ["auto", "numpy"])
def test_games_together_are_solved_as_one_by_one_for_any_number_of_threads(oracle):
    games = [random_chain_game(seed, 0.3).game for seed in range(70)]
    alone = [solve_game(game, oracle=oracle) for game in games]
    for threads in (1, 2, 3):
        together = solve_games(games, oracle=oracle, threads=threads)
        assert [solved.value for solved in together] == [solved.value for solved in alone]
        for mine, its in zip(together, alone, strict=True):
            assert np.array_equal(mine.adversary.probabilities, its.adversary.probabilities)
