"""`delayed_bandit_ofw` against a second, plain implementation, and values of losses in a log."""

import json
import math
import random
import unittest

from program import ProgramTest, as_log


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def norm(x):
    return math.sqrt(dot(x, x))


class Box:
    """[low, high]^n."""

    def __init__(self, n, low, high):
        self.spec = {"type": "box", "dimension": n, "lower": low, "upper": high}
        self.n, self.low, self.high = n, low, high
        self.centre, self.inner, self.diameter = [(low + high) / 2] * n, (high - low) / 2, (high - low) * math.sqrt(n)

    def best(self, c):
        return [self.low if x > 0 else self.high if x < 0 else self.low for x in c]


class Ball:
    def __init__(self, n, radius):
        self.spec = {"type": "l2_ball", "dimension": n, "radius": radius}
        self.n, self.centre, self.inner, self.diameter = n, [0.0] * n, radius, 2 * radius

    def best(self, c):
        return [-self.inner * x / norm(c) if norm(c) > 0 else 0.0 for x in c]


class Plain:
    """theory.md 19, with every block kept. Directions are read off the decisions of the program under test: where its y is not
    ours, they are not of length 1."""

    def __init__(self, over, horizon, lipschitz, low, high, delay):
        n, d, r, g, m = over.n, over.diameter, over.inner, lipschitz, (high - low) / 2
        self.over, self.middle = over, (low + high) / 2
        self.delta = min(r / 2, math.sqrt(math.sqrt(2) * d * n * m / ((2 + d / r) * g * math.sqrt(horizon))))
        self.block = max(1, min(horizon, math.ceil((n * m / (self.delta * g)) ** 2)))
        blocks = math.ceil(horizon / self.block)
        square = self.block * (n * m / self.delta) ** 2 + (self.block * g) ** 2
        waiting = math.floor(1 + (delay - 2) / self.block) if delay >= 2 else 0
        self.eta = d * math.sqrt(2 / (square * blocks * (1 + waiting)))
        self.gap = (d * d / (self.eta * blocks * math.sqrt(square))) ** 2
        self.y, self.total, self.blocks, self.rounds = list(over.centre), [0.0] * n, [], []

    def play(self, decision, test):
        if len(self.rounds) % self.block == 0:
            self.blocks.append({"y": list(self.y), "sum": [0.0] * self.over.n, "left": self.block})
        xi, block = self.delta / self.over.inner, self.blocks[-1]
        middle = [c + (1 - xi) * (y - c) for y, c in zip(block["y"], self.over.centre)]
        u = [(x - z) / self.delta for x, z in zip(decision, middle)]
        test.assertAlmostEqual(norm(u), 1, delta=1e-6)
        self.rounds.append((block, u))

    def learn(self, t, value):
        block, u = self.rounds[t]
        scale = self.scale(value)
        block["sum"] = [s + scale * x for s, x in zip(block["sum"], u)]
        self.done(block)

    def scale(self, value):
        return self.over.n / self.delta * (value - self.middle)

    def done(self, block):
        block["left"] -= 1
        if block["left"] > 0:
            return
        self.total = [a + b for a, b in zip(self.total, block["sum"])]
        while True:
            c = [self.eta * s + 2 * (y - z) for s, y, z in zip(self.total, self.y, self.over.centre)]
            v = self.over.best(c)
            way = [a - b for a, b in zip(v, self.y)]
            gap = -dot(c, way)
            if gap <= self.gap:
                return
            sigma = min(1, gap / (2 * dot(way, way)))
            self.y = [y + sigma * w for y, w in zip(self.y, way)]


class TwoPoints(Plain):
    """theory.md 19.1: values at both ends of a line through z."""

    def __init__(self, over, horizon, lipschitz, delay):
        n, d, r, g = over.n, over.diameter, over.inner, lipschitz
        self.over = over
        self.delta = min(r / 2, d / ((2 + d / r) * math.sqrt(horizon)))
        each = g * g * n * n / max(1, n - 1)
        self.block = math.ceil(each / (g * g))
        blocks = math.ceil(horizon / self.block)
        square = self.block * each + (self.block * g) ** 2
        waiting = math.floor(1 + (delay - 2) / self.block) if delay >= 2 else 0
        self.eta = d * math.sqrt(2 / (square * blocks * (1 + waiting)))
        self.gap = (d * d / (self.eta * blocks * math.sqrt(square))) ** 2
        self.y, self.total, self.blocks, self.rounds = list(over.centre), [0.0] * n, [], []

    def play_two(self, decision, probe, test):
        if len(self.rounds) % self.block == 0:
            self.blocks.append({"y": list(self.y), "sum": [0.0] * self.over.n, "left": self.block})
        xi, block = self.delta / self.over.inner, self.blocks[-1]
        for x, other, y, c in zip(decision, probe, block["y"], self.over.centre):
            test.assertAlmostEqual((x + other) / 2, c + (1 - xi) * (y - c), delta=1e-9)
        u = [(x - other) / (2 * self.delta) for x, other in zip(decision, probe)]
        test.assertAlmostEqual(norm(u), 1, delta=1e-6)
        self.rounds.append((block, u))

    def scale(self, values):
        return self.over.n / (2 * self.delta) * (values[0] - values[1])


class Games(ProgramTest):
    def two_points(self, over, horizon, longest, seed=1):
        draw = random.Random(seed)
        learner = {"type": "delayed_bandit_ofw", "horizon": horizon, "lipschitz": 2, "probes": 2, "largest_delay": longest, "seed": seed}
        header = {"format": "tarry-replay/2", "model": {"set": over.spec, "learner": learner}}
        log, plain = [], TwoPoints(over, horizon, 2, longest)
        due, told = {}, []
        for t in range(horizon):
            log.append({"play": t + 1})
            told.append([])
            near = draw.random()
            due.setdefault(t + draw.randrange(longest), []).append((t, [near, near + draw.uniform(-4, 4) * plain.delta]))
            for k, values in due.pop(t, []):
                log.append({"loss_of": k + 1, "loss": values})
                told[-1].append((k, values))
        for line, values in zip(self.replays(header, *log), told, strict=True):
            plain.play_two(line["decision"], line["probe"], self)
            for k, both in values:
                plain.learn(k, both)
        self.assertGreater(norm([a - b for a, b in zip(plain.y, over.centre)]), 0)
        self.assertGreater(len(plain.blocks), 3)

    def test_two_points_are_those_of_the_plain_one(self):
        self.two_points(Box(2, 0, 1), 200, 1)
        self.two_points(Box(3, -1, 2), 300, 40)
        self.two_points(Ball(1, 3), 100, 7)

    def test_two_values_where_a_decision_has_two_points(self):
        model = {"set": Ball(2, 1).spec, "learner": {"type": "delayed_bandit_ofw", "horizon": 10, "lipschitz": 1, "probes": 2}}
        header = {"format": "tarry-replay/2", "model": model}
        lines = self.replays(header, {"play": 1}, {"loss_of": 1, "loss": [0.5, 0.25]}, {"loss_of": 1, "loss": [0.5, 0.25]},
                             {"loss_of": 1, "loss": [0.5, 0.3]})
        self.assertEqual([line.get("answer") for line in lines], [None, "duplicate", "conflict"])
        self.refuses(header, {"play": 1}, {"loss_of": 1, "loss": 0.5}, says="two numbers")
        self.refuses(header, {"play": 1}, {"loss_of": 1, "loss": [1, 2, 3]}, says="a number, or two")
        self.refuses(Logs.MODEL, {"play": 1}, {"loss_of": 1, "loss": [0.5, 0.25]}, says="one number")
        model["learner"]["loss_range"] = [0, 1]
        self.refuses(header, {"play": 1}, says="loss_range")

    def game(self, over, horizon, low, high, longest, seed=1):
        draw = random.Random(seed)
        learner = {"type": "delayed_bandit_ofw", "horizon": horizon, "lipschitz": 2, "loss_range": [low, high],
                   "largest_delay": longest, "seed": seed}
        header = {"format": "tarry-replay/2", "model": {"set": over.spec, "learner": learner}}
        log, plain = [], Plain(over, horizon, 2, low, high, longest)
        due, told = {}, []
        for t in range(horizon):
            log.append({"play": t + 1})
            told.append([])
            due.setdefault(t + draw.randrange(longest), []).append((t, draw.uniform(low, high)))
            for k, value in due.pop(t, []):
                lost = draw.random() < 0.05
                log.append({"expire": k + 1} if lost else {"loss_of": k + 1, "loss": value})
                told[-1].append((k, None if lost else value))
        lines = [json.loads(line) for line in self.succeeds("replay", "-", stdin=as_log(header, *log))]
        self.assertEqual(len(lines), horizon)
        for line, values in zip(lines, told):
            plain.play(line["decision"], self)
            for k, value in values:
                if value is None:
                    plain.done(plain.rounds[k][0])
                else:
                    plain.learn(k, value)
        self.assertGreater(norm([a - b for a, b in zip(plain.y, over.centre)]), 0)
        self.assertGreater(len(plain.blocks), 3)

    def test_plays_as_the_plain_one(self):
        self.game(Box(2, 0, 1), 900, 0, 0.2, 1)
        self.game(Box(3, -1, 2), 900, -0.5, 0.5, 40)
        self.game(Ball(2, 1), 2000, -0.3, 0.3, 300)
        self.game(Ball(1, 3), 400, 0, 1, 7)


class Logs(ProgramTest):
    MODEL = {"format": "tarry-replay/2", "model": {"set": Ball(2, 1).spec, "learner": {
        "type": "delayed_bandit_ofw", "horizon": 10, "lipschitz": 1}}}

    def test_answers_as_for_labels(self):
        log = as_log(self.MODEL, {"play": 1, "key": "a"}, {"loss_of": "a", "loss": 0.5}, {"loss_of": 1, "loss": 0.5},
                     {"loss_of": 1, "loss": 0.25}, {"loss_of": 7, "loss": 0.5})
        lines = [json.loads(line) for line in self.succeeds("replay", "-", stdin=log)]
        self.assertEqual([line.get("answer") for line in lines], [None, "duplicate", "conflict", "unknown"])

    def test_refuses_what_is_no_loss(self):
        for bad, says in (({"loss_of": 1}, "loss"), ({"loss_of": 1, "loss": "much"}, "loss"),
                          ({"loss_of": 1, "loss": 0.5, "value": 1}, "value"), ({"loss_of": 1, "label": 1, "loss": 1}, "one thing")):
            self.fails("replay", "-", stdin=as_log(self.MODEL, {"play": 1}, bad), says=says)
        gradients = {"format": "tarry-replay/2", "model": {"set": Ball(2, 1).spec, "learner": {"type": "delayed_ofw", "eta": 0.1}}}
        self.fails("replay", "-", stdin=as_log(gradients, {"play": 1}, {"loss_of": 1, "loss": 0.5}),
                   says="a loss value is not enough for delayed_ofw")

    def test_refuses_a_set_without_an_interior_in_one_line(self):
        model = {"set": {"type": "simplex", "dimension": 3}, "learner": self.MODEL["model"]["learner"]}
        self.fails("replay", "-", stdin=as_log({"format": "tarry-replay/2", "model": model}), says="a set with an interior")


if __name__ == "__main__":
    unittest.main()
