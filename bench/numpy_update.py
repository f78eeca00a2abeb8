"""Times Algorithm 1's update on the l1 ball in NumPy. Usage: numpy_update.py TURNS"""
import json
import sys
import time

import numpy as np

N, RADIUS, HORIZON, UPDATES = 1_000_000, 10.0, 20_000, 4
ETA = 2 * RADIUS / (np.sqrt(N / 3) * HORIZON**0.75)


class Plain:
    """As a researcher writes it, line by line from the paper."""

    name = "plain"

    def __init__(self):
        self.y1, self.y, self.gbar = np.zeros(N), np.zeros(N), np.zeros(N)

    def receive(self, g):
        self.gbar += g
        c = ETA * self.gbar + 2 * (self.y - self.y1)
        i = np.argmax(np.abs(c))
        v = np.zeros(N)
        v[i] = -RADIUS * np.sign(c[i])
        d = v - self.y
        sigma = np.clip(-c @ d / (2 * d @ d), 0, 1)
        self.y += sigma * d


class Careful(Plain):
    """The same without a single new array: what someone writes who has measured."""

    name = "careful"

    def __init__(self):
        super().__init__()
        self.c, self.work = np.empty(N), np.empty(N)

    def receive(self, g):
        y, c, work = self.y, self.c, self.work
        self.gbar += g
        np.subtract(y, self.y1, out=c)
        c *= 2
        np.multiply(self.gbar, ETA, out=work)
        c += work
        np.abs(c, out=work)
        i = np.argmax(work)
        vi = -RADIUS * np.sign(c[i])
        np.negative(y, out=work)
        work[i] += vi
        sigma = min(max(-(c @ work) / (2 * (work @ work)), 0), 1)
        work *= sigma
        y += work


def main(turns):
    random = np.random.default_rng(1)
    gradients = [random.uniform(-1, 1, N) for _ in range(8)]
    contestants = [(learner, []) for learner in (Plain(), Careful())]
    for turn in range(turns + 1):
        for learner, seconds in contestants:
            start = time.perf_counter()
            for step in range(UPDATES):
                learner.receive(gradients[(turn * UPDATES + step) % len(gradients)])
            if turn > 0:
                seconds.append((time.perf_counter() - start) / UPDATES)
    same = np.allclose(contestants[0][0].y, contestants[1][0].y, rtol=0, atol=1e-12)
    assert same, "the two versions must play the same game"
    for learner, seconds in contestants:
        print(json.dumps({"name": learner.name, "seconds": seconds}))


main(int(sys.argv[1]))
