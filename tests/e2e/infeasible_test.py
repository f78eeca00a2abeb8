"""`infeasible_ogd` beside a second implementation of it, in plain Python: the same decisions under random delays, by separation and by linear
oracles."""

import math
import random
import unittest

from program import ProgramTest, header

N = 4


def dot(a, b):
    return math.fsum(x * y for x, y in zip(a, b))


def add(a, b, times=1.0):
    return [x + times * y for x, y in zip(a, b)]


def norm(a):
    return math.sqrt(dot(a, a))


# A half-space (a, b) that holds the set and not y, or None.
def beyond_ball(y):
    return (y, norm(y)) if norm(y) > 1 else None


def beyond_l1(y):
    return ([math.copysign(1.0, x) for x in y], 1.0) if math.fsum(map(abs, y)) > 1 else None


def beyond_box(y):
    a = add(y, [max(-1.0, min(2.0, x)) for x in y], -1)
    return (a, dot(a, add(y, a, -1))) if norm(a) > 0 else None


def beyond_simplex(y):
    off = math.fsum(y) - 1
    if abs(off) > 1e-12:
        side = math.copysign(1.0, off)
        return [side] * N, side
    a = [min(x, 0.0) for x in y]
    if min(a) > -1e-12:
        return None
    mean = math.fsum(a) / N
    return [x - mean for x in a], -mean


def vertex_l1(c):
    at = max(range(N), key=lambda i: (abs(c[i]), -i))
    return [math.copysign(1.0, -c[at]) if i == at and c[at] != 0 else 0.0 for i in range(N)]


def vertex_simplex(c):
    at = min(range(N), key=lambda i: (c[i], i))
    return [1.0 if i == at else 0.0 for i in range(N)]


HULL = [[0, 0, 0, 0], [1, 0, 0, 0], [0, 2, 0, 1], [0, 0, 1, 0], [1, 1, 1, -1]]


def vertex_hull(c):
    return min(HULL, key=lambda v: dot(c, v))


# name: (set, centre, diameter, half-space or vertex)
SEPARATED = {
    "ball": ({"type": "l2_ball", "dimension": N, "radius": 1}, [0.0] * N, 2.0, beyond_ball),
    "l1": ({"type": "l1_ball", "dimension": N, "radius": 1}, [0.0] * N, 2.0, beyond_l1),
    "box": ({"type": "box", "dimension": N, "lower": -1, "upper": 2}, [0.5] * N, 6.0, beyond_box),
    "simplex": ({"type": "simplex", "dimension": N}, [1 / N] * N, math.sqrt(2), beyond_simplex),
}
LINEAR = {
    "l1": ({"type": "l1_ball", "dimension": N, "radius": 1}, [0.0] * N, 2.0, vertex_l1),
    "simplex": ({"type": "simplex", "dimension": N}, [1 / N] * N, math.sqrt(2), vertex_simplex),
    "hull": ({"type": "hull", "vertices": HULL}, [math.fsum(v[i] for v in HULL) / len(HULL) for i in range(N)],
             max(norm(add(u, v, -1)) for u in HULL for v in HULL), vertex_hull),
}


def by_separation(beyond, centre, slack):
    def project(w, x):
        while (cut := beyond(w)) is not None:
            a, b = cut
            b = (1 - slack) * b + slack * dot(a, centre)
            w = add(w, a, -(dot(a, w) - b) / dot(a, a))
        return w, w
    return project


def by_vertices(vertex, close):
    def project(w, x):
        while norm(add(x, w, -1)) > close:
            apart = norm(add(x, w, -1))
            u = [d / apart for d in add(x, w, -1)]
            v = vertex(u)
            gap = dot(u, add(x, v, -1))
            if gap <= apart / 2:
                w = add(x, u, -gap)
            else:
                x = add(x, add(v, x, -1), min(1.0, gap * apart / dot(add(v, x, -1), add(v, x, -1))))
        return w, x
    return project


class Plain:
    def __init__(self, start, project, eta, batch):
        self.w, self.x, self.project, self.eta, self.batch = start, start, project, eta, batch
        self.sum, self.count = [0.0] * len(start), 0

    def receive(self, g):
        self.sum, self.count = add(self.sum, g), self.count + 1
        if self.count == self.batch:
            self.w, self.x = self.project(add(self.w, self.sum, -self.eta), self.x)
            self.sum, self.count = [0.0] * len(g), 0


def game(seed, rounds=60):
    """Plays and late gradients, some of which never come."""
    draw = random.Random(seed)
    events, due = [], {}
    for t in range(1, rounds + 1):
        events.append(("play", t))
        due.setdefault(t + draw.choice([0, 0, 1, 5, 11, 10 ** 6]), []).append(t)
        arrived = due.get(t, [])
        draw.shuffle(arrived)
        events += [("receive", k) for k in arrived]
    return events, {t: [draw.gauss(0, 1) for _ in range(N)] for t in range(1, rounds + 1)}


class SecondImplementation(ProgramTest):
    def compare(self, spec, learner, plain, seed):
        events, gradients = game(seed)
        lines = [{"play": t} if kind == "play" else {"receive": t, "gradient": gradients[t]} for kind, t in events]
        ours = iter(self.replays(header(set=spec, learner=learner), *lines))
        for kind, t in events:
            if kind == "receive":
                plain.receive(gradients[t])
                continue
            decision = next(ours)["decision"]
            for mine, theirs in zip(decision, plain.x):
                self.assertAlmostEqual(mine, theirs, delta=1e-8, msg=f"round {t}")

    def test_by_separation(self):
        for name, (spec, centre, _, beyond) in SEPARATED.items():
            for seed, (eta, slack, batch) in enumerate([(0.1, 0.05, 1), (1.0, 0.2, 1), (0.3, 0.01, 3)]):
                with self.subTest(set=name, eta=eta):
                    learner = {"type": "infeasible_ogd", "eta": eta, "slack": slack, "batch": batch}
                    self.compare(spec, learner, Plain(centre, by_separation(beyond, centre, slack), eta, batch), seed)

    def test_by_linear_oracles(self):
        for name, (spec, start, diameter, vertex) in LINEAR.items():
            for seed, (eta, slack, batch) in enumerate([(0.1, 0.2, 1), (0.5, 0.1, 4)]):
                with self.subTest(set=name, eta=eta):
                    learner = {"type": "infeasible_ogd", "eta": eta, "slack": slack, "batch": batch, "oracle": "linear"}
                    self.compare(spec, learner, Plain(start, by_vertices(vertex, slack * diameter), eta, batch), seed)


if __name__ == "__main__":
    unittest.main()
