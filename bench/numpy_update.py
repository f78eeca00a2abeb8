"""Times Algorithm 1's update on the l1 ball as a researcher writes it with NumPy. Usage: numpy_update.py TURNS"""
import json
import sys
import time

import numpy as np

N, RADIUS, HORIZON, UPDATES = 1_000_000, 10.0, 20_000, 4


def main(turns):
    random = np.random.default_rng(1)
    gradients = [random.uniform(-1, 1, N) for _ in range(8)]
    eta = 2 * RADIUS / (np.sqrt(N / 3) * HORIZON**0.75)
    y1, y, gbar = np.zeros(N), np.zeros(N), np.zeros(N)
    seconds, step = [], 0
    for turn in range(turns + 1):
        start = time.perf_counter()
        for _ in range(UPDATES):
            g = gradients[step % len(gradients)]
            gbar += g
            c = eta * gbar + 2 * (y - y1)
            i = np.argmax(np.abs(c))
            v = np.zeros(N)
            v[i] = -RADIUS * np.sign(c[i])
            d = v - y
            sigma = np.clip(-c @ d / (2 * d @ d), 0, 1)
            y += sigma * d
            step += 1
        if turn > 0:
            seconds.append((time.perf_counter() - start) / UPDATES)
    print(json.dumps({"name": "numpy", "seconds": seconds}))


main(int(sys.argv[1]))
