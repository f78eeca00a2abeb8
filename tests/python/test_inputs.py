"""What can stand for features, labels and gradients, and what cannot: clear exceptions, never a crash."""

import collections
import decimal
import types

import numpy as np
import pandas
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

import tarry


def numbered(**keys):
    return tarry.Model(set={"type": "box", "dimension": 3, "lower": -1, "upper": 1}, learner="auto", loss="squared", **keys)


@pytest.mark.parametrize("row", [
    [1, 0, 2], (1.0, 0.0, 2.0), np.array([1, 0, 2]), np.array([1, 0, 2], dtype=np.float32), np.array([1.0, 9, 0, 9, 2])[::2],
    np.array([True, False, True]) + np.array([0, 0, 1]), {0: 1, 2: 2}, {2: 2.0, 0: 1.0}, scipy.sparse.csr_array([[1.0, 0, 2]]),
    scipy.sparse.coo_matrix([[1, 0, 2]]), pandas.Series([1.0, 0.0, 2.0]), np.array([1.0, 0, 2]).byteswap().view(">f8"),
], ids=lambda row: type(row).__name__)
def test_numbered_features(row):
    model, expected = numbered(), numbered()
    expected.learn_now([1.0, 0.0, 2.0], 1.0)
    model.learn_now(row, 1.0)
    assert model.predict([1.0, 0.0, 2.0]) == expected.predict([1.0, 0.0, 2.0]) != 0


def test_read_only_arrays_are_read():
    row = np.array([1.0, 0, 2])
    row.setflags(write=False)
    assert numbered().predict(row) == 0


@pytest.mark.parametrize(("row", "same"), [
    ({"a": np.float64(2), "b": "x"}, {"a": 2, "b": "x"}),
    ({"a": np.int8(2), "b": np.str_("x")}, {"a": 2.0, "b": "x"}),
    ({"a": decimal.Decimal(2), "b": "x", "c": None}, {"a": 2, "b": "x"}),
    ({"a": 2, "b": np.bool_(True)}, {"a": 2, "b": True}),
    ({"t": ("x", "y")}, {"t": ["y", "x"]}),
    ({"t": {"x", "y"}}, {"t": ["x", "y"]}),
    ({1: 2}, {"1": 2}),
    (collections.OrderedDict(a=2), {"a": 2}),
    (types.MappingProxyType({"a": 2}), {"a": 2}),
    (pandas.Series({"a": 2.0, "b": float("nan"), "c": "x"}), {"a": 2, "c": "x"}),
    ({}, {"a": None}),
], ids=str)
def test_named_features(row, same):
    models = tarry.Model("regression"), tarry.Model("regression")
    for model, features in zip(models, (row, same), strict=True):
        model.learn_now(features, 3.0)
        model.learn_now({"a": 5, "b": "y"}, 4.0)
        model.learn_now(features, 5.0)
    assert models[0].hash() == models[1].hash()


@pytest.mark.parametrize(("row", "error", "why"), [
    ({"a": float("nan")}, ValueError, "features.a must be finite"),
    ({"a": 1e300}, ValueError, "features.a must be finite and at most 1e100"),
    ({"a": 10 ** 400}, (OverflowError, ValueError), "too large"),
    ({"a": 1j}, TypeError, "features.a must be a number"),
    ({"a": {"b": 1}}, TypeError, "features.a must be"),
    ({"a": [1, 2]}, TypeError, "features.a must be a list of texts"),
    ({"a": b"x"}, TypeError, "features.a must be"),
    ({("a", 1): 2}, TypeError, "a name must be a text"),
    ({True: 2}, TypeError, "a name must be a text"),
    ({"": 2}, ValueError, "name"),
    ({"a": "\ud800"}, UnicodeEncodeError, "surrogates"),
    ([1, 2], ValueError, "features must be named"),
    ("text", TypeError, "features must be a dict or an array"),
    (object(), (TypeError, ValueError), "features must be"),
    (7, ValueError, "features must be"),
], ids=lambda x: None)
def test_features_that_are_none(row, error, why):
    model = tarry.Model("binary")
    before = model.hash()
    for call in (model.decide, model.predict, lambda x: model.learn_now(x, True)):
        with pytest.raises(error, match=why):
            call(row)
    assert model.hash() == before


@pytest.mark.parametrize(("row", "error", "why"), [
    ([1, 2], ValueError, "features must have 3 entries, one for each weight .2 came."),
    (np.zeros((1, 3)), ValueError, "must be an array of 1 dimension .2 came."),
    (np.zeros(3, dtype=complex), TypeError, "one of complex128 came"),
    (np.array(["a", "b", "c"]), TypeError, "must be an array of numbers"),
    (np.array([1, None, 2]), TypeError, "one of object came"),
    (["a", 1, 2], TypeError, "features must be numbers"),
    ([1, [2], 3], TypeError, "features must be numbers"),
    ({3: 1}, ValueError, "indices must be from 0 to 2 .3 came."),
    ({-1: 1}, ValueError, "indices must be from 0 to 2"),
    ({0: "x"}, TypeError, r"features\[0\] must be a number"),
    ({"a": 1}, ValueError, "has no names for features"),
    ([1, float("inf"), 0], ValueError, "features must be finite"),
    (scipy.sparse.csr_array([[1, 2, 3], [4, 5, 6]]), ValueError, "features must be one row"),
], ids=lambda x: None)
def test_numbered_features_that_are_none(row, error, why):
    with pytest.raises(error, match=why):
        numbered().decide(row)


@pytest.mark.parametrize(("answer", "error", "why"), [
    ({}, ValueError, "give a label, or a gradient, or indices and values, or a loss .none"),
    ({"label": 1, "gradient": [1, 2, 3]}, ValueError, "several of them"),
    ({"gradient": [1, 2]}, ValueError, "gradient must have 3 entries"),
    ({"gradient": [1, 2, float("nan")]}, ValueError, "gradient must be finite"),
    ({"gradient": "abc"}, TypeError, "gradient must be"),
    ({"indices": [0, 1], "values": [1]}, ValueError, "as many entries as indices"),
    ({"indices": [0, 0], "values": [1, 2]}, ValueError, "ascending, each once"),
    ({"indices": [0.5], "values": [1]}, TypeError, "indices must be an array of whole numbers"),
    ({"indices": [0]}, TypeError, "values must be an array of numbers"),
    ({"gradient": [1, 2, 3], "features": [1, 2, 3]}, ValueError, "features belong to a label"),
    ({"label": "high"}, ValueError, "label must be a number"),
    ({"label": [1.0]}, TypeError, "label must be a number"),
    ({"label": np.array([1.0])}, TypeError, "label must be a number"),
    ({"label": float("nan")}, ValueError, "label"),
    ({"label": 1.0}, ValueError, "features were not given at play"),
], ids=lambda x: None)
def test_answers_that_are_none_leave_the_round_open(answer, error, why):
    model = numbered()
    ticket = model.decide().ticket
    before = model.hash()
    with pytest.raises(error, match=why):
        model.learn(ticket, **answer)
    assert model.hash() == before
    assert model.learn(ticket, gradient=[0, 0, 1]) == "applied"


@pytest.mark.parametrize(("make", "error", "why"), [
    (lambda: tarry.Model("binry"), ValueError, "task must be one of regression, binary"),
    (lambda: tarry.Model(), ValueError, "set must be given|set"),
    (lambda: tarry.Model(7), TypeError, "task's name or a dict"),
    (lambda: tarry.Model("binary", colour=1), ValueError, "colour"),
    (lambda: tarry.Model("binary", set=object()), TypeError, "set must be a dict"),
    (lambda: tarry.Model({"task": "binary"}, task="binary"), (TypeError, ValueError), "twice|multiple values|incompatible"),
    (lambda: tarry.Model(set={"type": "l1_ball", "dimension": 3, "radius": -2}, learner="auto"), ValueError,
     r"l1_ball: radius must be positive \(radius = -2\)"),
    (lambda: tarry.Model({"a": [[[]]] * 2, 3: 1}), TypeError, "a key must be a text"),
    (lambda: tarry.Model.load("/nowhere/model"), OSError, "cannot be read"),
    (lambda: tarry.Model("binary").save("/nowhere/model"), OSError, "cannot be written"),
    (lambda: tarry.Model.from_bytes(b""), ValueError, "snapshot"),
    (lambda: tarry.Model.from_bytes("text"), TypeError, ""),
], ids=lambda x: None)
def test_models_that_cannot_be_made(make, error, why):
    with pytest.raises(error, match=why):
        make()


def test_a_changed_snapshot_is_refused():
    data = bytearray(tarry.Model("binary").to_bytes())
    data[len(data) // 2] ^= 1
    with pytest.raises(tarry.Corrupt, match="snapshot"):
        tarry.Model.from_bytes(bytes(data))


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.binary(max_size=5) | st.complex_numbers(),
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(max_size=3) | st.integers(), inside, max_size=4)
    | st.tuples(inside, inside), max_leaves=8)
EXPECTED = (ValueError, TypeError, KeyError, OverflowError, MemoryError)


@settings(max_examples=300, deadline=None)
@given(first=anything, second=anything, third=anything)
def test_any_objects_give_answers_or_clear_exceptions(first, second, third):
    for model in (tarry.Model("binary", features={"capacity": 64}), numbered(), tarry.Model("allocation", options=["a", "b"])):
        calls = [lambda: model.decide(first, key=second), lambda: model.predict(first), lambda: model.learn(first, second),
                 lambda: model.learn_now(first, second), lambda: model.decide_many(first), lambda: model.predict_many([first, second]),
                 lambda: model.learn_many(first, second), lambda: model.learn_many([], gradients=first), lambda: model.void(first),
                 lambda: model.learn_now_many(first, second), lambda: model.expire(third), lambda: model.weights(third),
                 lambda: model.waiting(third), lambda: tarry.Model(first, set=second, learner=third),
                 lambda: tarry.oracle(first, second), lambda: tarry.Model.from_bytes(first), lambda: tarry.explain(first, horizon=second)]
        for call in calls:
            try:
                call()
            except EXPECTED as error:
                assert str(error)
        ticket = model.waiting(1) or [None]
        for answer in ({"label": first}, {"gradient": first}, {"indices": first, "values": second}, {"label": first, "features": second}):
            try:
                model.learn(ticket[0], **answer)
            except EXPECTED as error:
                assert str(error)
        assert tarry.Model.from_bytes(model.to_bytes()).hash() == model.hash()


class Text(str):
    """A text that is none of Python's own."""


@pytest.mark.parametrize("refused", [True, False])
def test_rows_in_turn_are_what_they_are_alone(refused):
    """A model remembers the keys of its last row: others, in another order or of another kind, are read as they come."""
    long = "a name that is longer than others"
    rows = [{"a": 1.0, "b": 2.0}, {"a": 3.0, "b": 4.0}, {"b": 1.0, "a": 2.0}, {"a": 1.0}, {"a": 1.0, "b": 2.0, long: 3.0}, {"a": "w", "b": 2.0},
            {"a": 1.0, "b": "w"}, {Text("a"): 1.0, "b": 2.5}, {7: 1.0, "b": 2.0}, {"".join("b"): 1, "a": True}, {"a": None, "b": 2.0}, {},
            {"a": ["v", "w"], "b": 0.5}, {"b": 5.0, "a": 6.0}]
    together, alone = tarry.Model("binary"), tarry.Model("binary")
    for i, row in enumerate(row for row in rows + rows[::-1] for _ in range(3)):
        if refused:
            with pytest.raises(ValueError, match="nan"):
                together.decide({"a": 1.0, "c": float("nan")})
        assert together.learn(together.decide(row).ticket, i % 3 == 0) == "applied"
        alone = tarry.Model.from_bytes(alone.to_bytes())  # which remembers no row
        assert alone.learn(alone.decide(row).ticket, i % 3 == 0) == "applied"
    assert together.hash() == alone.hash()
