import numpy as np

from advsp.features.bitext.scaling import Scaling
from advsp.training.instances import BIAS

NAMES = ("dice", BIAS, "never", "always", "links")
TRAIN = np.array([[0.0, 1, 0, 3, 1], [2.0, 1, 0, 3, 0], [4.0, 1, 0, 3, 0], [6.0, 1, 0, 3, 0]])


def test_columns_have_mean_zero_and_deviation_one_but_for_the_bias():
    scaled = Scaling.fit(TRAIN, NAMES).apply(TRAIN)
    np.testing.assert_allclose(scaled[:, 0], np.array([-3, -1, 1, 3]) / np.sqrt(5))
    np.testing.assert_array_equal(scaled[:, 1], 1)
    np.testing.assert_allclose(scaled[:, 2].mean(), 0, atol=1e-15)
    np.testing.assert_allclose(scaled[:, 2].std(), 1)


def test_constant_columns_are_dropped_whatever_they_are_elsewhere():
    scaling = Scaling.fit(TRAIN, NAMES)
    assert scaling.kept.tolist() == [0, 1, 4]
    scaled = scaling.apply(np.array([[3.0, 1, 9, 9, 0.25]]))
    np.testing.assert_allclose(scaled, [[0, 1, 0]], atol=1e-15)


def test_a_constant_that_has_no_exact_mean_is_dropped_too():
    assert Scaling.fit(np.full((7, 1), 0.1), ("x",)).kept.tolist() == []


def test_what_is_given_stays_as_it_was():
    given = TRAIN.copy()
    Scaling.fit(given, NAMES).apply(given)
    np.testing.assert_array_equal(given, TRAIN)


def test_a_state_scales_the_same():
    scaling = Scaling.fit(TRAIN, NAMES)
    again = Scaling.from_state(scaling.state())
    np.testing.assert_array_equal(again.apply(TRAIN), scaling.apply(TRAIN))


def test_what_is_far_from_zero_is_bounded():
    scaling = Scaling.fit(TRAIN, NAMES, bound=1.5)
    scaled = scaling.apply(np.array([[100.0, 1, 0, 3, -100]]))
    np.testing.assert_array_equal(scaled, [[1.5, 1, -1.5]])
    assert Scaling.from_state(scaling.state()).bound == 1.5
