"""Times samples of an OSPF block (n = 10^6, the l1 ball) in NumPy, for one block of 100. Usage: numpy_ospf.py TURNS"""
import json
import sys
import time

import numpy as np

N, BLOCK, SAMPLES, DELTA, RADIUS = 1_000_000, 100, 4, 1e-3, 1.0


def samples(random, gsum, x):
    """As a researcher writes it, line by line from the paper."""
    for _ in range(SAMPLES):
        z = random.standard_normal(N)
        v = random.uniform() ** (1 / N) * z / np.linalg.norm(z)
        c = gsum - v / DELTA
        i = np.argmax(np.abs(c))
        x[i] -= RADIUS * np.sign(c[i]) / BLOCK


def main(turns):
    random = np.random.default_rng(1)
    gsum, x = random.uniform(-1, 1, N), np.zeros(N)
    seconds = []
    for turn in range(turns + 1):
        start = time.perf_counter()
        samples(random, gsum, x)
        if turn > 0:
            seconds.append((time.perf_counter() - start) / SAMPLES * BLOCK)
    print(json.dumps({"name": "ospf", "seconds": seconds}))


main(int(sys.argv[1]))
