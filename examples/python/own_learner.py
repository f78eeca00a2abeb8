"""A learner of one's own: follow the leader with momentum, beside the library's, under delays.

It keeps a moving average of the gradients that have come, and steps towards the best vertex against it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import tarry
from tarry.testing import check_learner


class Momentum:
    """Frank-Wolfe steps of a fixed size against an average of gradients."""

    def __init__(self, step: float, forget: float) -> None:
        self.step, self.forget = step, forget

    def begin(self, set: tarry.Set) -> None:
        self.set, self.x, self.average = set, set.start, np.zeros(set.dimension)

    def play(self, round: int, features: NDArray[np.float64] | None, memo: list[float]) -> NDArray[np.float64]:
        return self.x

    def receive(self, round: int, gradient: NDArray[np.float64], memo: list[float]) -> None:
        self.average = self.forget * self.average + (1 - self.forget) * gradient
        self.x = self.x + self.step * (self.set.oracle(self.average) - self.x)

    def save(self) -> bytes:
        return self.x.tobytes() + self.average.tobytes()

    def load(self, data: bytes) -> None:
        self.x, self.average = np.frombuffer(data).reshape(2, -1)


check_learner(Momentum(0.05, 0.9))
print("the checks pass")

stream: dict[str, Any] = {"type": "random_linear", "dimension": 20, "bound": 1}
ran = tarry.simulate(stream, [Momentum(0.05, 0.9), Momentum(0.01, 0.99), {"type": "delayed_ogd", "eta": 0.05}, "auto"],
                     set={"type": "l2_ball", "dimension": 20, "radius": 1}, delay={"type": "geometric", "mean": 20}, rounds=2000, seeds=3)
for row in ran.groups.to_dict("records"):
    print(f"{row['learner']:<12} loss {row['loss']:9.2f}")
