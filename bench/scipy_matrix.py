"""Times scipy.sparse.linalg.svds for the top singular pair of the direction that matrix_bench wrote, at the same
accuracy. Usage: scipy_matrix.py TURNS FILE"""
import json
import sys
import time

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.linalg import LinearOperator, svds


def read(path):
    """The sparse and the low-rank part of the direction, and the error of the singular value that is allowed."""
    with open(path, "rb") as file:
        rows, cols, entries, factors = np.fromfile(file, np.int64, 4)
        listed = np.fromfile(file, np.float64, 3 * entries).reshape(entries, 3)
        panel = np.fromfile(file, np.float64, factors * (rows + cols + 1)).reshape(factors, rows + cols + 1)
        allowed = np.fromfile(file, np.float64, 1)[0]
    where = (listed[:, 0].astype(np.int32), listed[:, 1].astype(np.int32))
    sparse = csr_array((listed[:, 2], where), shape=(rows, cols))
    u = np.ascontiguousarray(panel[:, :rows].T) * panel[:, -1]
    w = np.ascontiguousarray(panel[:, rows:-1].T)
    return sparse, u, w, allowed


def main(turns, path):
    sparse, u, w, allowed = read(path)
    transposed = sparse.T.tocsr()  # both products by rows: faster than SciPy's own transpose
    direction = LinearOperator(sparse.shape, dtype=np.float64,
                               matvec=lambda x: sparse @ x + u @ (w.T @ x),
                               rmatvec=lambda x: transposed @ x + w @ (u.T @ x))
    top = svds(direction, k=1, return_singular_vectors=False, random_state=0)[0]
    start = np.random.default_rng(1).standard_normal(min(sparse.shape))
    accuracies = {"svds": allowed, "svds_hundredth": allowed / 100, "svds_all_digits": 0}
    seconds = {name: [] for name in accuracies}
    for turn in range(turns + 1):
        for name, error in accuracies.items():
            tol = min(1.0, error / top)
            begin = time.perf_counter()
            _, sigma, _ = svds(direction, k=1, tol=tol, v0=start)
            took = time.perf_counter() - begin
            assert top - sigma[0] <= error + 1e-12 * top, "it must be as accurate as was asked"
            if turn > 0:
                seconds[name].append(took)
    for name, taken in seconds.items():
        print(json.dumps({"name": name, "seconds": taken}))


main(int(sys.argv[1]), sys.argv[2])
