"""A decision set of one's own: shares of a budget, in which no channel may be less than a tenth of another one's."""

import numpy as np
from numpy.typing import NDArray

import tarry
from tarry.testing import check_set

CHANNELS = ["search", "social", "mail"]


class Shares:
    """{x : Σ x = 1, x_i ≥ x_j / 10}: its vertices give one share to some channels, and a tenth of it to the others."""

    def __init__(self, n: int) -> None:
        subsets = [[bool(k >> i & 1) for i in range(n)] for k in range(1, 2**n)]
        self.vertices = np.array([np.where(s, 1.0, 0.1) / np.where(s, 1.0, 0.1).sum() for s in subsets])
        self.start = np.full(n, 1 / n)
        self.diameter = float(max(np.linalg.norm(v - w) for v in self.vertices for w in self.vertices))

    def oracle(self, c: NDArray[np.float64]) -> NDArray[np.float64]:
        best: NDArray[np.float64] = self.vertices[np.argmin(self.vertices @ c)]
        return best


shares = Shares(len(CHANNELS))
check_set(shares)
model = tarry.Model(set=shares, learner={"type": "delayed_ofw", "horizon": 500, "gradient_bound": 1}, names=CHANNELS)
waiting: list[str] = []
for day in range(500):
    waiting.append(model.decide().ticket)
    if day >= 14:  # what a day's money brought is known two weeks later
        model.learn(waiting.pop(0), gradient=[-0.2, -0.7, -0.1])
for name, share in zip(CHANNELS, model.decision, strict=True):
    print(f"{name:8} {share:.2f}")
