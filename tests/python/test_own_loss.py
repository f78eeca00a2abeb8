"""Losses written in Python."""

import pickle

import numpy as np
import pytest

import tarry

BOX = {"type": "box", "dimension": 3, "lower": -1, "upper": 1}


def with_slope(p, y):
    return (p - y) ** 2, 2 * (p - y)


def value_alone(p, y):
    return (p - y) ** 2


class Squared:
    def value(self, p, y):
        return (p - y) ** 2

    def slope(self, p, y):
        return 2 * (p - y)


class Log(Squared):
    """Of a label above zero, as its logarithm; predictions are shown as the label is given."""

    def label(self, y):
        if y <= 0:
            raise ValueError("label must be positive")
        return float(np.log(y))

    def shown(self, p):
        return float(np.exp(p))


def learnt(loss, rows=40):
    model, draw = tarry.Model(set=BOX, learner="auto", loss=loss), np.random.default_rng(3)
    for x in draw.normal(size=(rows, 3)):
        model.learn_now(x, float(x @ [0.5, -0.25, 0]))
    return model


@pytest.mark.parametrize("loss", [with_slope, Squared()])
def test_it_learns_as_the_librarys_own(loss):
    own, theirs = learnt(loss), learnt("squared")
    assert own.predict([1.0, 2.0, 3.0]) == theirs.predict([1.0, 2.0, 3.0])
    assert own.spec["loss"]["class"].startswith("test_own_loss.")


def test_the_slope_of_a_value_alone_is_found_by_differences():
    own, theirs = learnt(value_alone), learnt("squared")
    assert own.predict([1.0, 2.0, 3.0]) == pytest.approx(theirs.predict([1.0, 2.0, 3.0]), abs=1e-8)


def test_labels_and_what_is_shown():
    model = tarry.Model(set=BOX, learner="auto", loss=Log())
    assert model.predict([1.0, 0, 0]) == 1.0
    with pytest.raises(ValueError, match="label must be positive"):
        model.learn_now([1.0, 0, 0], -1.0)
    assert model.rounds == 0
    for _ in range(500):
        model.learn_now([1.0, 0, 0], 2.0)
    assert model.predict([1.0, 0, 0]) == pytest.approx(2.0, abs=0.1)


def test_snapshots_name_it():
    model = learnt(with_slope)
    assert pickle.loads(pickle.dumps(model)).hash() == model.hash()
    with pytest.raises(ValueError, match="the loss test_own_loss.with_slope is written in Python: hand in the object"):
        tarry.Model.from_bytes(model.to_bytes())
    assert tarry.Model.from_bytes(model.to_bytes(), own=with_slope).hash() == model.hash()


def test_an_exception_comes_as_it_was_and_the_model_is_as_before():
    fails = []

    def loss(p, y):
        if fails:
            raise LookupError("as the user raised it")
        return with_slope(p, y)

    model = learnt(loss)
    ticket = model.decide([1.0, 2, 3]).ticket
    before = model.hash()
    fails.append(True)
    for event in (lambda: model.learn(ticket, 1.0), lambda: model.learn_now([1.0, 0, 0], 1.0), lambda: model.learn_many([ticket], [1.0])):
        with pytest.raises(LookupError, match="as the user raised it"):
            event()
        assert model.hash() == before
    fails.clear()
    assert model.learn(ticket, 1.0) == "applied"


@pytest.mark.parametrize(("loss", "error", "why"), [
    (lambda p, y: "much", TypeError, "must give numbers"),
    (lambda p, y: (1.0, float("nan")), ValueError, "must give finite numbers"),
    (lambda p, y: (1.0, 2.0, 3.0), TypeError, "a value, or a value and a slope"),
    (lambda p: 0.0, TypeError, "positional argument"),
])
def test_losses_that_are_none(loss, error, why):
    model = tarry.Model(set=BOX, learner="auto", loss=loss)
    with pytest.raises(error, match=why):
        model.learn_now([1.0, 0, 0], 1.0)
    assert model.rounds == 0


def test_a_class_is_no_loss():
    with pytest.raises(TypeError, match="loss must be a dict"):
        tarry.Model(set=BOX, learner="auto", loss=Squared)


def test_everything_may_be_written_in_python():
    from test_own_learner import Descent
    from test_own_set import Ball1

    class Ball(Ball1):
        def __init__(self):
            super().__init__(3)

    class Frank(Descent):
        """A step towards a vertex for each gradient."""

        def receive(self, round, gradient, memo):
            self.x = self.x + 0.1 * (self.set.oracle(gradient) - self.x)

    model = tarry.Model(set=Ball(), learner=Frank(), loss=with_slope)
    for x in np.random.default_rng(0).normal(size=(200, 3)):
        model.learn_now(x, float(x[0]))
    assert [type(part).__name__ for part in model.own] == ["Ball", "function", "Frank"]
    assert np.abs(model.decision).sum() <= 1 + 1e-12
    assert tarry.Model.from_bytes(model.to_bytes(), own=[Ball(), Frank(), with_slope]).hash() == model.hash()
