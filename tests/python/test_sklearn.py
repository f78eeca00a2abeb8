"""scikit-learn's own checks: none is expected to fail."""

import numpy as np
import pytest
import scipy.sparse
from sklearn.datasets import load_iris, make_regression
from sklearn.utils.estimator_checks import parametrize_with_checks

import tarry.sklearn


@parametrize_with_checks([tarry.sklearn.Classifier(), tarry.sklearn.Regressor()])
def test_sklearn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("change", [
    np.asfortranarray, lambda X: X.astype(np.float32).astype(float), lambda X: X[:, ::-1][:, ::-1],
    lambda X: (X.setflags(write=False), X)[1], scipy.sparse.csr_array, scipy.sparse.csc_matrix,
])
def test_how_numbers_are_kept_makes_no_difference(change):
    X, y = make_regression(200, 5, random_state=1)
    X = X.astype(np.float32).astype(float)
    expected = tarry.sklearn.Regressor(random_state=0).fit(X, y).predict(X)
    given = tarry.sklearn.Regressor(random_state=0).fit(change(X.copy()), y).predict(change(X.copy()))
    assert np.allclose(given, expected, rtol=1e-9)


def test_it_learns():
    X, y = load_iris(return_X_y=True)
    assert tarry.sklearn.Classifier(random_state=0).fit(X, y).score(X, y) > 0.9
    X, y = make_regression(500, 10, noise=1, random_state=0)
    assert tarry.sklearn.Regressor(random_state=0).fit(X, y).score(X, y) > 0.99


def test_partial_fit_is_the_model_row_by_row():
    X, y = load_iris(return_X_y=True)
    at_once = tarry.sklearn.Classifier().partial_fit(X, y, classes=[0, 1, 2])
    in_parts = tarry.sklearn.Classifier()
    for rows in np.array_split(np.arange(150), 7):
        in_parts.partial_fit(X[rows], y[rows], classes=[0, 1, 2])
    assert at_once.model_.hash() == in_parts.model_.hash()
