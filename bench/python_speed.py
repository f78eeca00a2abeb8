"""Seconds for one example in Python, predicted and learnt, with dicts: Tarry's package beside River and Vowpal Wabbit's class.
Then arrays, sets written in Python, memory, two threads, and the interpreter's lock kept and given up.

`auto` is that learner on the features alone, which is what River's model learns on; `binary` the task as it is, with products,
bends and trees beside them.

Seconds are the processor's, but where threads run side by side. 5,000 rows of ten numbers by name; the dicts are there before the clock starts, and so are Vowpal Wabbit's
example texts, which it parses as it goes.
"""
import json
import random
import subprocess
import threading
import time

import numpy as np
import vowpalwabbit
from river import linear_model, preprocessing
from sklearn.linear_model import SGDClassifier

import tarry
import tarry.sklearn

ROWS, FEATURES = 5000, 10
DRAW = random.Random(1)
DICTS = [({f"x{j}": DRAW.gauss(0, 1) for j in range(FEATURES)}, DRAW.random() < 0.5) for _ in range(ROWS)]
TEXTS = [(f"{1 if y else -1} | " + " ".join(f"{name}:{x[name]}" for name in x)) for x, y in DICTS]


def seconds(work):
    start = time.process_time()
    work()
    return (time.process_time() - start) / ROWS


def of_tarry(**keys):
    model = tarry.Model("binary", **keys)

    def work():
        for x, y in DICTS:
            model.learn(model.decide(x).ticket, y)
    return seconds(work)


def of_nothing():
    """The least in Python: a loop with two calls into C, one of which reads the dict."""
    def work():
        for x, y in DICTS:
            max(y, len(dict(x)))
    return seconds(work)


def of_river():
    model = preprocessing.StandardScaler() | linear_model.LogisticRegression()

    def work():
        for x, y in DICTS:
            model.predict_proba_one(x)
            model.learn_one(x, y)
    return seconds(work)


def of_vw():
    workspace = vowpalwabbit.Workspace("--quiet --loss_function logistic")

    def work():
        for text in TEXTS:
            example = workspace.parse(text)
            workspace.predict(example)
            workspace.learn(example)
            workspace.finish_example(example)
    return seconds(work)


class Ball:
    """An oracle in Python that does next to nothing."""

    start, diameter, vertex = np.zeros(3), 2.0, np.array([0.0, 0.0, -1.0])

    def oracle(self, c):
        return self.vertex


def of_own_set(own):
    model = tarry.Model(set=own, learner={"type": "delayed_ofw", "eta": 0.1})
    gradient = np.ones(3)

    def work():
        for _ in range(ROWS):
            model.learn(model.decide().ticket, gradient=gradient)
    return seconds(work)


# ---- arrays: the same rows as batch_bench.cpp's

MANY = 50_000
BOX = {"set": {"type": "box", "dimension": 10, "lower": -1, "upper": 1}, "learner": "auto", "loss": "squared"}
ARRAY = ((np.arange(MANY * FEATURES) * 7 % 11) / 5 - 1).reshape(MANY, FEATURES)
LABELS = (np.arange(MANY) * 5 % 7) / 3 - 1


def of_arrays():
    """For one row: rounds opened, and labels learnt."""
    opened, learnt = [], []
    for _ in range(5):
        model = tarry.Model(**BOX)
        start = time.process_time()
        rounds = model.decide_many(ARRAY)
        played = time.process_time()
        model.learn_many(rounds, LABELS)
        learnt.append((time.process_time() - played) / MANY)
        opened.append((played - start) / MANY)
    return {"decide_many": min(opened), "learn_many": min(learnt)}


def of_batch(rows=100_000, width=20):
    """One batch of `partial_fit`, for one row: all eight experts, one of them, and scikit-learn's one rate."""
    draw = np.random.default_rng(2)
    x = draw.normal(size=(rows, width))
    y = (draw.random(rows) < 1 / (1 + np.exp(-x @ draw.normal(size=width) / 2))).astype(int)

    def batch(model):
        start = time.process_time()
        model.partial_fit(x, y, classes=[0, 1])
        return (time.process_time() - start) / rows

    ours = batch(tarry.sklearn.Classifier())
    kernels = subprocess.run(["build/release/bench/floor_bench", "dense", str(width), str(rows)], check=True, capture_output=True, text=True).stdout
    floor = json.loads(kernels.splitlines()[0])["seconds"][0]
    return {"partial_fit": ours, "partial_fit_expert": ours / 8, "sgd": batch(SGDClassifier(loss="log_loss")), "floor_batch": floor}


def of_threads():
    """Wall seconds of two models that learn 50,000 rows each: one after the other, and in two threads."""
    def work():
        tarry.Model(**BOX).learn_now_many(ARRAY, LABELS)

    def wall(parallel):
        start = time.perf_counter()
        if parallel:
            threads = [threading.Thread(target=work) for _ in range(2)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        else:
            work()
            work()
        return time.perf_counter() - start

    return {"two_threads": min(wall(True) for _ in range(5)), "two_in_turn": min(wall(False) for _ in range(5))}


# ---- the interpreter's lock

def of_lock(numbers):
    """An update of so many numbers, with the lock kept and given up: for one thread alone, and two updates in two threads."""
    point = np.ones(numbers)
    count = max(20, 2_000_000 // numbers)
    told = {}
    for name, least in (("kept", 1 << 60), ("released", 0)):
        before = tarry._tarry._release_from(least)

        def work():
            model = tarry.Model(set={"type": "l2_ball", "dimension": numbers, "radius": 1}, learner={"type": "delayed_ogd", "eta": 0.1})
            for _ in range(count):
                model.learn(model.decide().ticket, gradient=point)

        def wall(threads):
            started = [threading.Thread(target=work) for _ in range(threads)]
            start = time.perf_counter()
            for thread in started:
                thread.start()
            for thread in started:
                thread.join()
            return (time.perf_counter() - start) / count

        told[f"lock_{name}_{numbers}"] = min(wall(1) for _ in range(3))
        told[f"lock_{name}_two_{numbers}"] = min(wall(2) for _ in range(3))
        tarry._tarry._release_from(before)
    return told


# ---- memory

def of_memory(updates=1_000_000):
    """Bytes by which the process grows in a million updates, after another million: the labels of the last million rounds are remembered."""
    def resident():
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * 4096

    model, row = tarry.Model("binary", trees=False), DICTS[0][0]

    def update(count):
        for i in range(count):
            model.learn(model.decide(row).ticket, i % 2 == 0)

    update(updates)
    before = resident()
    update(updates)
    return max(resident() - before, 1)


def measure():
    ball = {"type": "l1_ball", "dimension": 3, "radius": 1}
    found = {"auto": of_tarry(learner="auto"), "binary": of_tarry(), "adagrad": of_tarry(learner="adagrad"), "floor": of_nothing(), "river": of_river(), "vw": of_vw(),
             "own_set": of_own_set(Ball()), "set": of_own_set(ball), "five_microseconds": 5e-6,
             "growth_bytes": of_memory(), "megabyte_bytes": 1 << 20, **of_arrays(), **of_batch(), **of_threads()}
    found["own_set_more"] = max(found["own_set"] - found["set"], 1e-9)
    for numbers in (1 << 10, 1 << 14, 1 << 17):
        found |= of_lock(numbers)
    return found


if __name__ == "__main__":
    for name, found in measure().items():
        print(json.dumps({"name": name, "seconds": [found]}))
