"""Times scipy.optimize.linear_sum_assignment on the costs that oracle_bench wrote. Usage: scipy_assignment.py TURNS FILE"""
import json
import math
import sys
import time

import numpy as np
from scipy.optimize import linear_sum_assignment


def main(turns, path):
    costs = np.fromfile(path)
    size = math.isqrt(costs.size)
    costs = costs.reshape(size, size)
    seconds = []
    for turn in range(turns + 1):
        begin = time.perf_counter()
        linear_sum_assignment(costs)
        if turn > 0:
            seconds.append(time.perf_counter() - begin)
    print(json.dumps({"name": "assignment", "seconds": seconds}))


main(int(sys.argv[1]), sys.argv[2])
