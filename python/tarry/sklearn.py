"""Linear estimators for scikit-learn that need no tuning.

`fit` goes through the rows `epochs` times, `partial_fit` once, in order. For labels that come late, use `tarry.Model` itself,
which keeps each round open until its label comes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets, unique_labels
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from ._tarry import Model

__all__ = ["Classifier", "Regressor"]


class _Linear(BaseEstimator):
    """What both share: a box of weights over numbered, standardised features."""

    def _start(self, outputs: int, loss: dict[str, Any]) -> None:
        width = self.n_features_in_ + (1 if self.fit_intercept else 0)
        self.model_ = Model(
            set={"type": "box", "dimension": width * outputs, "lower": -self.bound, "upper": self.bound},
            learner=self.learner, loss=loss, standardise=True)

    def _rows(self, X: Any) -> Any:
        """The rows, with a column of ones for the intercept."""
        if not self.fit_intercept:
            return X
        ones = np.ones((X.shape[0], 1))
        if scipy.sparse.issparse(X):
            return scipy.sparse.hstack([X, ones], format="csr")
        return np.hstack([X, ones])

    def _checked(self, X: Any, reset: bool) -> Any:
        return validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=reset)

    def _learn(self, X: Any, y: Any, epochs: int) -> None:
        rows = self._rows(X)
        draw = check_random_state(self.random_state)
        for _ in range(epochs):
            order = draw.permutation(len(y)) if self.shuffle and epochs > 1 else slice(None)
            self.model_.learn_now_many(rows[order], y[order])

    def _weights(self) -> Any:
        """The learner's weights of standardised features: a row for each output, the intercept's column last."""
        check_is_fitted(self)
        return self.model_.decision.reshape(-1, self.n_features_in_ + (1 if self.fit_intercept else 0))

    @property
    def coef_(self) -> Any:
        """The weights of the standardised features: per standard deviation, not per unit."""
        weights = self._weights()[:, :self.n_features_in_]
        return weights if isinstance(self, ClassifierMixin) else weights[0]

    @property
    def intercept_(self) -> Any:
        """The prediction for an average row; a regressor's is relative to the mean label, in units of the labels' deviation."""
        weights = self._weights()
        found = weights[:, -1] if self.fit_intercept else np.zeros(len(weights))
        return found if isinstance(self, ClassifierMixin) else float(found[0])

    @property
    def feature_importances_(self) -> Any:
        """The sizes of the weights, summed over classes and scaled so that they add up to 1."""
        sizes = np.abs(self._weights()[:, :self.n_features_in_]).sum(axis=0)
        return sizes / sizes.sum() if sizes.sum() > 0 else np.full(len(sizes), 1.0 / len(sizes))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


class Regressor(RegressorMixin, _Linear):  # type: ignore[misc]
    """Linear regression, tuned as it goes.

    Parameters
    ----------
    learner : str or dict, default="auto"
        A learner that `tarry.learners()` lists.
    loss : str, default="squared"
        "squared", "absolute" or "huber".
    bound : float, default=10.0
        The largest weight of a standardised feature, in units of the labels' deviation.
    fit_intercept : bool, default=True
        Whether to add an intercept.
    epochs : int, default=10
        How often `fit` goes through the rows.
    shuffle : bool, default=True
        Whether `fit` takes the rows in a new order each time.
    random_state : int, RandomState instance or None, default=None
        The seed of these orders.

    Examples
    --------
    >>> import numpy as np
    >>> from tarry.sklearn import Regressor
    >>> X = np.arange(100.0).reshape(50, 2) % 7
    >>> float(round(Regressor(random_state=0).fit(X, X[:, 0] - X[:, 1]).predict([[3.0, 1.0]])[0], 1))
    2.0
    """

    def __init__(self, learner: Any = "auto", loss: Any = "squared", *, bound: float = 10.0, fit_intercept: bool = True,
                 epochs: int = 10, shuffle: bool = True, random_state: Any = None) -> None:
        self.learner = learner
        self.loss = loss
        self.bound = bound
        self.fit_intercept = fit_intercept
        self.epochs = epochs
        self.shuffle = shuffle
        self.random_state = random_state

    def _take(self, X: Any, y: Any, epochs: int, reset: bool) -> Regressor:
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64, y_numeric=True, reset=reset)
        if reset:
            self._start(1, self.loss if isinstance(self.loss, dict) else {"type": self.loss})
        self._learn(X, y.astype(np.float64), epochs)
        return self

    def fit(self, X: Any, y: Any) -> Regressor:
        """Start over and learn, going through the rows `epochs` times."""
        return self._take(X, y, self.epochs, True)

    def partial_fit(self, X: Any, y: Any) -> Regressor:
        """Learn from these rows, once, in order."""
        return self._take(X, y, 1, not hasattr(self, "model_"))

    def predict(self, X: Any) -> Any:
        """A number for each row."""
        check_is_fitted(self)
        return self.model_.predict_many(self._rows(self._checked(X, False)))


class Classifier(ClassifierMixin, _Linear):  # type: ignore[misc]
    """Logistic regression (softmax for several classes), tuned as it goes.

    Parameters
    ----------
    learner : str or dict, default="auto"
        A learner that `tarry.learners()` lists.
    bound : float, default=10.0
        The largest weight of a standardised feature.
    fit_intercept : bool, default=True
        Whether to add an intercept.
    epochs : int, default=10
        How often `fit` goes through the rows.
    shuffle : bool, default=True
        Whether `fit` takes the rows in a new order each time.
    random_state : int, RandomState instance or None, default=None
        The seed of these orders.

    Examples
    --------
    >>> import numpy as np
    >>> from tarry.sklearn import Classifier
    >>> X = np.arange(100.0).reshape(50, 2) % 7
    >>> model = Classifier(random_state=0).fit(X, np.where(X[:, 0] > 3, "high", "low"))
    >>> model.predict([[6.0, 0.0], [0.0, 6.0]]).tolist()
    ['high', 'low']
    """

    def __init__(self, learner: Any = "auto", *, bound: float = 10.0, fit_intercept: bool = True, epochs: int = 10,
                 shuffle: bool = True, random_state: Any = None) -> None:
        self.learner = learner
        self.bound = bound
        self.fit_intercept = fit_intercept
        self.epochs = epochs
        self.shuffle = shuffle
        self.random_state = random_state

    def _take(self, X: Any, y: Any, classes: Any, epochs: int, reset: bool) -> Classifier:
        X = self._checked(X, reset)
        y = column_or_1d(y, warn=True)
        if X.shape[0] != len(y):
            raise ValueError(f"X and y must have as many rows ({X.shape[0]} and {len(y)} came)")
        check_classification_targets(y)
        if reset:
            self.classes_ = unique_labels(classes)
            count = len(self.classes_)
            if count < 2:
                raise ValueError(f"The number of classes has to be greater than one; got {count} class")
            outputs = count if count > 2 else 1
            self._start(outputs, {"type": "softmax", "classes": count} if count > 2 else {"type": "logistic"})
        codes = np.searchsorted(self.classes_, y)
        if np.any(self.classes_[np.minimum(codes, len(self.classes_) - 1)] != y):
            raise ValueError(f"y must hold classes that the first call named ({np.setdiff1d(y, self.classes_)[0]!r} came)")
        self._learn(X, codes.astype(np.float64), epochs)
        return self

    def fit(self, X: Any, y: Any) -> Classifier:
        """Start over and learn, going through the rows `epochs` times."""
        if y is None:
            raise ValueError("requires y to be passed, but the target y is None")
        return self._take(X, y, y, self.epochs, True)

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Classifier:
        """Learn from these rows, once, in order. The first call must name all classes."""
        first = not hasattr(self, "model_")
        if first and classes is None:
            raise ValueError("classes must be passed on the first call to partial_fit.")
        if not first and classes is not None and not np.array_equal(self.classes_, unique_labels(classes)):
            raise ValueError(f"classes must be those of the first call, {self.classes_!r} ({classes!r} came)")
        return self._take(X, y, classes, 1, first)

    def predict_proba(self, X: Any) -> Any:
        """The probability of each class, for each row."""
        check_is_fitted(self)
        rows = self._rows(self._checked(X, False))
        if len(self.classes_) > 2:
            return self.model_.predict_scores_many(rows)
        true = self.model_.predict_many(rows)
        return np.column_stack([1.0 - true, true])

    def decision_function(self, X: Any) -> Any:
        """The logarithm of the probabilities; with two classes, of their odds."""
        smallest = np.finfo(np.float64).tiny
        scores = np.log(np.maximum(self.predict_proba(X), smallest))
        return scores if len(self.classes_) > 2 else scores[:, 1] - scores[:, 0]

    def predict(self, X: Any) -> Any:
        """The likeliest class of each row."""
        check_is_fitted(self)
        return self.classes_[np.argmax(self.predict_proba(X), axis=1)]
