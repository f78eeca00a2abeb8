"""Models, their parts and their errors between processes."""

import multiprocessing
import pickle

import numpy as np
import pytest
from test_own_learner import BALL, Descent
from test_own_loss import with_slope
from test_own_set import LEARNER, Ball1

import tarry

MODELS = {
    "task": lambda: tarry.Model("binary"),
    "own set": lambda: tarry.Model(set=Ball1(), learner=LEARNER),
    "own learner": lambda: tarry.Model(set=BALL, learner={"type": "bold", "base": Descent()}),
    "own loss": lambda: tarry.Model(set=BALL, learner="auto", loss=with_slope),
}


def step(model, i):
    if model.spec.get("loss") is None:
        return model.learn(model.decide().ticket, gradient=[i % 3 - 1.0, 0.5, -0.25])
    return model.learn_now({"a": i % 5} if "features" in model.spec else [1.0, i % 3, 0], i % 2)


def go_on(model):
    for i in range(30):
        step(model, i)
    return model


def hash_after(model):
    return go_on(model).hash()


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_models_of_every_kind_go_there_and_back(method):
    models = {kind: go_on(make()) for kind, make in MODELS.items()}
    with multiprocessing.get_context(method).Pool(1) as pool:
        back = dict(zip(models, pool.map_async(go_on, models.values()).get(timeout=120), strict=True))
    for kind, model in models.items():
        assert back[kind].hash() == hash_after(model), kind
        assert step(back[kind], 1) == step(model, 1)


def in_a_child(model, answers):
    answers.send((hash_after(model), model.waiting()))


@pytest.mark.parametrize("kind", MODELS)
def test_a_forked_process_goes_on_with_what_it_inherits(kind):
    """Nothing is pickled; what the child learns, this process does not."""
    model = go_on(MODELS[kind]())
    before = model.hash()
    here, there = multiprocessing.Pipe()
    child = multiprocessing.get_context("fork").Process(target=in_a_child, args=(model, there))
    child.start()
    assert here.poll(60)
    became, _ = here.recv()
    child.join(60)
    assert child.exitcode == 0
    assert model.hash() == before
    assert hash_after(model) == became


def fails(what):
    if what == "ticket":
        tarry.Model("binary").learn("nobody's", True)
    if what == "spec":
        tarry.Model("binry")
    if what == "file":
        tarry.Model.load("/nowhere/model")
    raise AssertionError("it did not fail")


@pytest.mark.parametrize(("what", "error"), [("ticket", tarry.UnknownTicket), ("spec", tarry.BadSpec), ("file", tarry.Io)])
def test_errors_come_back_as_they_were(what, error):
    with multiprocessing.get_context("spawn").Pool(1) as pool, pytest.raises(error) as told:
        pool.apply_async(fails, (what,)).get(timeout=60)
    with pytest.raises(error) as here:
        fails(what)
    assert str(told.value) == str(here.value) == str(pickle.loads(pickle.dumps(here.value)))


def test_explanations_and_experiments_after_a_fork():
    """The library's threads are made anew in the child."""
    tarry.simulate({"type": "random_linear", "dimension": 3, "bound": 1}, "stay", set=BALL, rounds=20, seeds=4)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        ran = pool.apply_async(simulated).get(timeout=120)
    assert ran == simulated()


def simulated():
    ran = tarry.simulate({"type": "random_linear", "dimension": 3, "bound": 1}, [Descent(), "stay"], set=BALL, rounds=50, seeds=4)
    return np.array(ran.groups["loss"]).tolist()
