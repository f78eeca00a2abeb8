"""Copies, pickles and files of models; processes and threads."""

import copy
import multiprocessing
import pickle
import sys
import threading

import numpy as np
import pytest

import tarry

SPECS = {
    "binary": {"task": "binary"},
    "classes": {"task": "classes"},
    "ball": {"set": {"type": "l1_ball", "dimension": 3, "radius": 1}, "learner": {"type": "delayed_ofw", "eta": 0.1}},
}


def used(kind, rounds=40):
    """A model with a history, and the tickets of rounds that wait."""
    model, waiting = tarry.Model(SPECS[kind]), []
    for i in range(rounds):
        t = model.decide() if kind == "ball" else model.decide({"a": i % 5, "b": "xyz"[i % 3]})
        waiting.append(t.ticket)
        if i >= 10:
            answer(model, kind, waiting.pop(0), i)
    return model, waiting


def answer(model, kind, ticket, i):
    if kind == "ball":
        return model.learn(ticket, gradient=[i % 3 - 1, 0.5, -0.25])
    return model.learn(ticket, i % 2 == 0 if kind == "binary" else "uvw"[i % 3])


WAYS = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "method": lambda model: model.copy(),
    "bytes": lambda model: tarry.Model.from_bytes(model.to_bytes()),
    **{f"pickle {p}": lambda model, p=p: pickle.loads(pickle.dumps(model, protocol=p)) for p in range(pickle.HIGHEST_PROTOCOL + 1)},
}


@pytest.mark.parametrize("kind", SPECS)
@pytest.mark.parametrize("way", WAYS)
def test_a_copy_continues_bit_for_bit_with_the_same_tickets(kind, way):
    model, waiting = used(kind)
    twin = WAYS[way](model)
    assert twin is not model
    assert twin.hash() == model.hash()
    for i, ticket in enumerate(waiting):
        assert answer(model, kind, ticket, i) == "applied"
    assert twin.hash() != model.hash()
    for i, ticket in enumerate(waiting):
        assert answer(twin, kind, ticket, i) == "applied"
    assert twin.hash() == model.hash()


def test_the_same_state_gives_the_same_bytes():
    one, two = used("binary")[0], used("binary")[0]
    assert one.to_bytes() == two.to_bytes()
    assert pickle.dumps(one) == pickle.dumps(two) == pickle.dumps(pickle.loads(pickle.dumps(one)))


def test_files(tmp_path):
    model, waiting = used("classes")
    for path in (tmp_path / "café.tarry", str(tmp_path / "b.tarry"), bytes(tmp_path / "c.tarry")):
        model.save(path)
        loaded = tarry.Model.load(path)
        assert loaded.hash() == model.hash()
        assert loaded.learn(waiting[0], "u") == "applied"


def test_its_size_is_told():
    model = tarry.Model("binary")
    empty = sys.getsizeof(model)
    for i in range(3000):
        model.learn_now({f"name {i}": 1.0}, i % 2 == 0)
    assert sys.getsizeof(model) - empty > 3000 * 50


def in_another_process(data, ticket):
    model = pickle.loads(data)
    return model.learn(ticket, True), model.hash()


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_models_go_between_processes(method):
    model, waiting = used("binary")
    tarry.Model(set={"type": "l2_ball", "dimension": 200_000, "radius": 1}, learner="auto").decide()  # several threads
    with multiprocessing.get_context(method).Pool(1) as pool:
        became, there = pool.apply_async(in_another_process, (pickle.dumps(model), waiting[0])).get(timeout=60)
    assert became == model.learn(waiting[0], True) == "applied"
    assert there == model.hash()


def large_update(_):
    model = tarry.Model(set={"type": "l2_ball", "dimension": 300_000, "radius": 1}, learner="auto")
    model.learn(model.decide().ticket, gradient=np.ones(300_000))
    return model.hash()


def test_work_in_a_forked_process_after_work_in_this_one():
    here = large_update(0)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.map_async(large_update, [0]).get(timeout=60) == [here]


def test_threads_share_a_model():
    """Every label is applied once, whichever thread hands it in."""
    model = tarry.Model("regression")
    tickets = [model.decide({"a": i % 7}).ticket for i in range(2000)]
    answers = []

    def work():
        answers.extend(model.learn(ticket, 1.0) for ticket in tickets)
        model.learn_now_many([{"a": 1}] * 50, np.ones(50))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers.count("applied") == 2000
    assert answers.count("duplicate") == 6000
    assert model.rounds == 2200


def test_threads_share_a_model_without_the_interpreters_lock():
    model = tarry.Model(set={"type": "box", "dimension": 50, "lower": -1, "upper": 1}, learner="adagrad", loss="squared")
    X, y = np.random.default_rng(0).normal(size=(500, 50)), np.ones(500)
    threads = [threading.Thread(target=model.learn_now_many, args=(X, y)) for _ in range(4)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        assert model.rounds <= 2000
        model.predict(X[0])
    assert (model.rounds, model.outstanding) == (2000, 0)


# What labels settled rounds had is remembered, in 24 bytes each, and rows that trees are grown on, until there are 2^16 of them: all that
# before the count begins. A round that stayed on the ledger would add 300 bytes.
@pytest.mark.parametrize("trees, before_that, bytes_each", [(False, 20_000, 32), (True, 120_000, 100)])
def test_many_updates_add_little_memory(trees, before_that, bytes_each):
    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * 4096

    model, row = tarry.Model("binary", trees=trees), {f"x{i}": float(i) for i in range(10)}

    def update(count):
        for i in range(count):
            model.learn(model.decide(row).ticket, i % 2 == 0)

    update(before_that)
    before = resident()
    update(100_000)
    assert resident() - before < 100_000 * bytes_each
