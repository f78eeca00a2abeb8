"""Estimators for River that match a late label with the prediction made for it.

    model = tarry.river.Classifier()
    model.predict_proba_one(x, ticket="order-17")     # opens a round
    model.learn_one(x, y, ticket="order-17")          # days later

River's `progressive_val_score(delay=…)` passes the third element of a dataset's rows to both as keyword arguments, so a dataset
that yields `(x, y, {"ticket": i})` is learnt with its true delays. Without a ticket, `predict_one` opens no round, and
`learn_one` plays a round with the current model and answers it at once. If the label came late, the learner then uses the slope
at a prediction that was never made, and the guarantees for late feedback no longer apply.
"""

from __future__ import annotations

import typing
from typing import Any

from river import base
from river.reco.base import Ranker

from ._tarry import Model

__all__ = ["Classifier", "Recommender", "Regressor"]

Ticket = typing.Union[str, int, None]


def _options(spec: dict[str, Any], **given: Any) -> dict[str, Any]:
    """Adds the options that are not None to a specification."""
    spec.update({key: value for key, value in given.items() if value is not None})
    return spec


def _learn(model: Model, x: dict[Any, Any], label: Any, ticket: Ticket) -> None:
    """Learn the label of the ticket's round; without a ticket, of a round that is played now."""
    if ticket is None:
        model.learn_now(x, label)
    else:
        model.learn(str(ticket), label)


class _Linear:
    """What the estimators over named features share."""

    _model: Model

    def _features(self, interactions: str | tuple[Any, ...] | None, capacity: int, intercept: bool) -> dict[str, Any]:
        pairs = interactions if isinstance(interactions, str) else [list(pair) for pair in interactions or ()]
        return {"capacity": capacity, "interactions": pairs, "intercept": intercept}

    def _expiry(self, rounds: int | None) -> dict[str, Any] | None:
        return None if rounds is None else {"rounds": rounds}

    @property
    def weights(self) -> dict[str, Any]:
        """The largest weights by name, of standardised features; with several classes, for each class."""
        weights: dict[str, Any] = self._model.weights(1000)
        return weights


class Regressor(_Linear, base.Regressor):
    """Linear regression over named features of any kind, which standardises and tunes itself.

    Parameters
    ----------
    learner
        The name of a learner that `tarry.learners()` lists.
    loss
        'squared', 'absolute' or 'huber'.
    interactions
        Pairs of names whose products become features too, or 'pairs' for all.
    capacity
        How many features have a weight of their own; later ones share.
    intercept
        Whether to add one.
    expiry
        After how many rounds to give up waiting for a label; None: never.

    Examples
    --------
    >>> from tarry.river import Regressor
    >>> model = Regressor()
    >>> for i in range(300):
    ...     x = {"size": i % 10, "town": "Bath" if i % 3 else "York"}
    ...     y = 2 * x["size"] + (5 if x["town"] == "York" else 0)
    ...     model.learn_one(x, y)
    >>> round(model.predict_one({"size": 4, "town": "York"}))
    13
    """

    def __init__(self, learner: str = "auto", loss: str = "squared", interactions: str | tuple[Any, ...] | None = None,
                 capacity: int = 1 << 18, intercept: bool = True, expiry: int | None = None) -> None:
        self.learner = learner
        self.loss = loss
        self.interactions = interactions
        self.capacity = capacity
        self.intercept = intercept
        self.expiry = expiry
        self._model = Model("regression", **_options(
            {"learner": learner, "loss": loss, "features": self._features(interactions, capacity, intercept)},
            expiry=self._expiry(expiry)))

    def predict_one(self, x: dict[Any, Any], ticket: Ticket = None) -> float:
        """The prediction; with a ticket, it opens a round that waits for its label."""
        if ticket is None:
            prediction: float = self._model.predict(x)
        else:
            prediction = self._model.decide(x, key=str(ticket)).prediction
        return prediction

    def learn_one(self, x: dict[Any, Any], y: Any, ticket: Ticket = None) -> None:
        """Learn the label of the ticket's round; without a ticket, of a round that is played now."""
        _learn(self._model, x, y, ticket)


class Classifier(_Linear, base.Classifier):
    """Logistic regression over named features of any kind, which standardises and tunes itself; softmax over classes.

    Parameters
    ----------
    classes
        The largest number of classes. With 2, labels are True and False; with more, they can be anything, in any order.
    learner
        The name of a learner that `tarry.learners()` lists.
    interactions
        Pairs of names whose products become features too, or 'pairs' for all.
    capacity
        How many features have a weight of their own; later ones share.
    intercept
        Whether to add one.
    expiry
        After how many rounds to give up waiting for a label; None: never.

    Examples
    --------
    >>> from tarry.river import Classifier
    >>> model = Classifier()
    >>> for i in range(200):
    ...     shoes = i % 2 == 0
    ...     model.learn_one({"article": "shoes" if shoes else "book"}, shoes)
    >>> model.predict_one({"article": "shoes"})
    True
    """

    def __init__(self, classes: int = 2, learner: str = "auto", interactions: str | tuple[Any, ...] | None = None,
                 capacity: int = 1 << 18, intercept: bool = True, expiry: int | None = None) -> None:
        self.classes = classes
        self.learner = learner
        self.interactions = interactions
        self.capacity = capacity
        self.intercept = intercept
        self.expiry = expiry
        spec: dict[str, Any] = {"learner": learner, "features": self._features(interactions, capacity, intercept)}
        if classes > 2:
            spec["classes"] = classes
        self._model = Model("classes" if classes > 2 else "binary", **_options(spec, expiry=self._expiry(expiry)))
        self._labels: dict[Any, int] = {}  # of several classes, in the order in which they came

    @property
    def _multiclass(self) -> bool:
        return self.classes > 2

    def predict_proba_one(self, x: dict[Any, Any], ticket: Ticket = None) -> dict[Any, float]:
        """The probability of each label; with a ticket, it opens a round that waits for its label."""
        if not self._multiclass:
            true = self._model.predict(x) if ticket is None else self._model.decide(x, key=str(ticket)).prediction
            return {False: 1.0 - true, True: true}
        scores = self._model.predict_scores(x) if ticket is None else self._model.decide(x, key=str(ticket)).scores
        names = list(self._labels)
        return {names[int(name)]: p for name, p in scores.items()}

    def predict_one(self, x: dict[Any, Any], ticket: Ticket = None, **kwargs: Any) -> Any:
        """The likeliest label, or None before the first label."""
        scores = self.predict_proba_one(x, ticket)
        return max(scores, key=scores.__getitem__) if scores else None

    def learn_one(self, x: dict[Any, Any], y: Any, ticket: Ticket = None) -> None:
        """Learn the label of the ticket's round; without a ticket, of a round that is played now."""
        _learn(self._model, x, self._label(y), ticket)
        if self._multiclass:
            self._labels.setdefault(y, len(self._labels))

    def _label(self, y: Any) -> bool | str:
        if self._multiclass:
            return str(self._labels.get(y, len(self._labels)))
        if y not in (True, False):
            raise ValueError(f"label must be True or False, unless there may be more than 2 classes ({y!r} came)")
        return bool(y)


class Recommender(Ranker):
    """Predicts how users rate items: a low-rank matrix and biases within hard bounds, tuned as it goes.

    Parameters
    ----------
    users
        The largest number of users.
    items
        The largest number of items.
    lowest
        The lowest rating.
    highest
        The highest rating.
    expiry
        After how many rounds to give up waiting for a rating; None: never.

    Examples
    --------
    >>> from tarry.river import Recommender
    >>> model = Recommender()
    >>> for i in range(60):
    ...     model.learn_one("Ann" if i % 2 else "Bob", f"film {i % 3}", 5 if i % 3 == 0 else 2)
    >>> model.rank("Ann", {"film 0", "film 1"})
    ['film 0', 'film 1']
    """

    def __init__(self, users: int = 1 << 16, items: int = 1 << 16, lowest: float = -100.0, highest: float = 100.0,
                 expiry: int | None = None) -> None:
        super().__init__(seed=0)  # nothing is drawn
        self.users = users
        self.items = items
        self.lowest = lowest
        self.highest = highest
        self.expiry = expiry
        self._model = Model("ratings", **_options({"users": users, "items": items, "range": [lowest, highest]},
                                                  expiry=None if expiry is None else {"rounds": expiry}))

    def predict_one(self, user: typing.Hashable, item: typing.Hashable, x: dict[Any, Any] | None = None,
                    ticket: Ticket = None) -> float:
        """The expected rating; with a ticket, it opens a round that waits for the rating."""
        pair = {"user": str(user), "item": str(item)}
        if ticket is None:
            prediction: float = self._model.predict(pair)
        else:
            prediction = self._model.decide(pair, key=str(ticket)).prediction
        return prediction

    def learn_one(self, user: typing.Hashable, item: typing.Hashable, y: Any, x: dict[Any, Any] | None = None,
                  ticket: Ticket = None) -> None:
        """Learn the rating of the ticket's round; without a ticket, of a round that is played now."""
        _learn(self._model, {"user": str(user), "item": str(item)}, float(y), ticket)
