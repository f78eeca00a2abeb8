"""Seconds for one example in Python, predicted and learnt, with dicts: Tarry's package beside River and Vowpal Wabbit's class.

Seconds are the processor's. 5,000 rows of ten numbers by name; the dicts are there before the clock starts, and so are Vowpal Wabbit's
example texts, which it parses as it goes.
"""
import json
import random
import time

import numpy as np
import vowpalwabbit
from river import linear_model, preprocessing

import tarry

ROWS, FEATURES = 5000, 10
DRAW = random.Random(1)
DICTS = [({f"x{j}": DRAW.gauss(0, 1) for j in range(FEATURES)}, DRAW.random() < 0.5) for _ in range(ROWS)]
TEXTS = [(f"{1 if y else -1} | " + " ".join(f"{name}:{x[name]}" for name in x)) for x, y in DICTS]


def seconds(work):
    start = time.process_time()
    work()
    return (time.process_time() - start) / ROWS


def of_tarry(learner):
    model = tarry.Model("binary", learner=learner)

    def work():
        for x, y in DICTS:
            model.learn(model.decide(x).ticket, y)
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


def measure():
    ball = {"type": "l1_ball", "dimension": 3, "radius": 1}
    return {"auto": of_tarry("auto"), "adagrad": of_tarry("adagrad"), "river": of_river(), "vw": of_vw(),
            "own_set": of_own_set(Ball()), "set": of_own_set(ball)}


if __name__ == "__main__":
    for name, found in measure().items():
        print(json.dumps({"name": name, "seconds": [found]}))
