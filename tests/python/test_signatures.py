"""Every public signature with any objects: an answer or a clear exception, never a crash. Run by `make soak` under the address
sanitizer too (tests/python/run_sanitized)."""

import inspect
import os
import pickle

import numpy as np
import pandas
import pytest
import scipy.sparse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tarry
from tarry import testing

EXAMPLES = int(os.environ.get("TARRY_EXAMPLES", "500" if os.environ.get("TARRY_SOAK") else "25"))
EXPECTED = (ValueError, TypeError, KeyError, OverflowError, MemoryError, AttributeError, AssertionError, OSError, RuntimeError)


class Odd:
    """An object that answers every question, mostly with something wrong."""

    def __init__(self, answer):
        self.answer = answer

    def __call__(self, *arguments, **keys):
        return self.answer

    oracle = play = receive = begin = save = load = abandon = contains = value = slope = label = shown = __call__
    start = diameter = property(lambda self: self.answer)

    def __repr__(self):
        return "Odd()"


class Wild:
    """Raises wherever it is touched."""

    def __getattr__(self, name):
        raise AttributeError(name) if name.startswith("_") else LookupError(name)

    def __len__(self):
        raise OverflowError("no length")

    def __iter__(self):
        raise ValueError("no elements")

    def __float__(self):
        raise ValueError("no number")


plain = (st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6) | st.binary(max_size=6) | st.complex_numbers()
         | st.sampled_from(["binary", "regression", "auto", "l2_ball", "squared", "own", "type", 2**70, -1, 1e308, Wild(), Wild, object()]))
arrays = st.builds(lambda shape, kind, fill: np.full(shape, fill).astype(kind), st.lists(st.integers(0, 3), max_size=3),
                   st.sampled_from(["f8", ">f8", "f4", "i8", "u1", "bool", "c16", "O", "U3"]), st.sampled_from([0, 1, 2, -1])) | st.sampled_from(
    [scipy.sparse.csr_array([[1.0, 0, 2]]), scipy.sparse.coo_array(([1.0, 1.0], ([0, 0], [1, 1])), shape=(1, 3)), pandas.Series({"a": 1.0, "b": None}),
     pandas.DataFrame({"a": [1, 2], "b": ["x", None]}), np.float64(2), np.int8(3), np.datetime64("2020-01-01"), np.zeros((0, 3)), np.ma.array([1.0, 2], mask=[0, 1])])
keys = st.sampled_from(["type", "task", "set", "learner", "loss", "features", "dimension", "radius", "eta", "base", "class", "number", "a", "b"]) | st.integers() | st.text(max_size=3)
anything = st.recursive(plain | arrays, lambda inside: st.lists(inside, max_size=4) | st.dictionaries(keys, inside, max_size=4) | st.tuples(inside, inside)
                        | st.builds(Odd, inside), max_leaves=8)
SPECS = [{"task": "binary", "features": {"capacity": 64}}, {"task": "classes", "classes": 3, "features": {"capacity": 16}},
         {"task": "allocation", "options": ["a", "b"]},
         {"set": {"type": "box", "dimension": 3, "lower": -1, "upper": 1}, "learner": "auto", "loss": "squared", "expiry": {"rounds": 3}},
         {"set": {"type": "l2_ball", "dimension": 3, "radius": 1}, "learner": {"type": "delayed_ofw", "eta": 0.1, "sample": True}}]
HEAVY = {"run", "simulate", "verify", "check_set", "check_learner", "late_labels"}  # tried on their own below


def methods(thing):
    return sorted(name for name, value in vars(thing).items() if callable(getattr(thing, name)) and (not name.startswith("_") or name in (
        "__init__", "__copy__", "__deepcopy__", "__sizeof__", "__reduce__", "__len__", "__repr__", "_repr_html_", "_explain")))


def tried(call, *arguments, **named):
    """What it gives, where it gives anything; an exception that is expected says something."""
    try:
        return call(*arguments, **named)
    except EXPECTED as error:
        assert str(error) or isinstance(error, (MemoryError, AssertionError))
    return None


words = st.dictionaries(st.sampled_from(["features", "label", "labels", "gradient", "gradients", "indices", "values", "key", "ticket", "tickets", "most", "own", "data",
                                         "horizon", "gradient_bound", "set", "learner", "loss", "direction", "point", "tolerance", "spec"]), anything, max_size=3)
slow = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module", autouse=True)
def elsewhere(tmp_path_factory):
    """Any text may be the path that a model is saved to: not among the sources."""
    before = os.getcwd()
    os.chdir(tmp_path_factory.mktemp("anything"))
    yield
    os.chdir(before)


@pytest.mark.parametrize("name", methods(tarry.Model))
@slow
@given(data=st.data())
def test_methods_of_models(name, data):
    model = tarry.Model(data.draw(st.sampled_from(SPECS)))
    tickets = [t.ticket for t in [tried(model.decide), tried(model.decide, {"a": 1.0}), tried(model.decide, [1.0, 0, 2])] if t is not None]
    argument = anything | st.sampled_from([*tickets, [tickets]]) if tickets else anything
    for _ in range(2):
        tried(getattr(model, name), *data.draw(st.lists(argument, max_size=3)), **data.draw(words))
    if name == "__init__":  # whatever it became, it is a model or was never made
        return
    assert pickle.loads(pickle.dumps(model)).hash() == model.hash()


@pytest.mark.parametrize("thing", ["Decision", "Decisions", "Set"])
@slow
@given(data=st.data())
def test_methods_of_what_models_give(thing, data):
    made = {"Decision": lambda: tarry.Model(SPECS[0]).decide({"a": 1}), "Decisions": lambda: tarry.Model(SPECS[0]).decide_many([{"a": 1}]),
            "Set": lambda: tarry.Set(SPECS[4]["set"])}[thing]()
    for name in methods(type(made)):
        tried(getattr(made, name), *data.draw(st.lists(anything, max_size=2)), **data.draw(words))
    tried(type(made), *data.draw(st.lists(anything, max_size=2)))
    tried(setattr, made, data.draw(st.sampled_from(dir(made))), data.draw(anything))
    repr(made)


@pytest.mark.parametrize("name", sorted(name for name in tarry.__all__ if callable(getattr(tarry, name)) and not inspect.isclass(getattr(tarry, name)) and name not in HEAVY)
                         + ["Model", "Set", "Explanation"])
@slow
@given(data=st.data())
def test_functions(name, data):
    tried(getattr(tarry, name), *data.draw(st.lists(anything, max_size=3)), **data.draw(words))


@pytest.mark.parametrize("name", sorted(name for name in dir(tarry.theory) if not name.startswith("_")))
@slow
@given(data=st.data())
def test_theory(name, data):
    numbers = st.floats() | st.integers() | anything
    named = data.draw(st.dictionaries(st.sampled_from(["diameter", "gradient_bound", "rounds", "mean_delay", "largest_delay", "horizon", "beta", "set_convexity"]), numbers))
    tried(getattr(tarry.theory, name), *data.draw(st.lists(numbers, max_size=5)), **named)


@slow
@given(parts=st.tuples(anything, anything, anything), answer=anything, row=anything)
def test_parts_of_models_that_answer_anything(parts, answer, row):
    odd = Odd(answer)
    for spec in ({"set": odd, "learner": {"type": "delayed_ofw", "eta": 0.1}}, {"set": SPECS[4]["set"], "learner": odd},
                 {"set": SPECS[3]["set"], "learner": "auto", "loss": odd}, dict(zip(("set", "learner", "loss"), parts, strict=True))):
        model = tried(tarry.Model, **spec)
        if model is None:
            continue
        t = tried(model.decide)
        tried(model.learn_now, row, answer)
        tried(model.learn_now, [1.0, 0, 2], 1.0)
        if t is not None:
            tried(model.learn, t.ticket, gradient=[1.0, 0, 2])
        tried(tarry.Model.from_bytes, tried(model.to_bytes), own=[odd])


@settings(slow, max_examples=max(5, EXAMPLES // 5))
@given(first=anything, second=anything, third=anything)
def test_experiments_and_checks(first, second, third):
    stream = {"type": "random_linear", "dimension": 3, "bound": 1}
    tried(tarry.run, first if not isinstance(first, str) else {"name": first}, progress=False)
    tried(tarry.run, {"rounds": 5, "stream": stream, "set": first, "learners": second}, overrides=third if isinstance(third, list) else (), progress=False)
    tried(tarry.simulate, stream, first, set=second, rounds=5)
    tried(tarry.simulate, stream, "stay", set=SPECS[4]["set"], delay=first, rounds=5)
    tried(tarry.late_labels, first, seen=second, known=third, label="y")
    tried(tarry.late_labels, pandas.DataFrame({"s": [1, 2], "k": [3, 4], "y": [first, second]}, dtype=object), seen="s", known="k", label="y")
    tried(testing.check_set, first, directions=3)
    tried(testing.check_set, Odd(first), directions=3)
    tried(testing.check_learner, first, rounds=3)
    tried(testing.check_learner, Odd(first), sets=second, rounds=3)


@slow
@given(cut=st.integers(0, 10**6), flip=st.integers(1, 255), more=st.binary(max_size=4))
def test_changed_snapshots(cut, flip, more):
    for spec in SPECS:
        data = bytearray(tarry.Model(spec).to_bytes())
        tried(tarry.Model.from_bytes, bytes(data[:cut % len(data)]))
        tried(tarry.Model.from_bytes, bytes(data) + more)
        data[cut % len(data)] ^= flip
        tried(tarry.Model.from_bytes, bytes(data))
