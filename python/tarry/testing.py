"""Checks of sets that are written in Python: what a learner relies on, and says so where it does not hold."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ._tarry import Model, oracle

__all__ = ["OwnSet", "check_set"]


class OwnSet(Protocol):
    """What a set must have. `start` and `diameter` may be methods as well; `contains(x, tolerance)` is optional."""

    start: Any  # a point of the set
    diameter: Any  # the largest distance of two points, or more

    def oracle(self, c: NDArray[np.float64]) -> Any:
        """The point of the set with the smallest inner product with c; for the same c the same point."""


def check_set(own: Any, *, directions: int = 200, seed: int = 0, tolerance: float = 1e-9) -> None:
    """Check a set with random directions; an AssertionError says what fails, and for which direction.

    Of every direction c: `oracle(c)` is best among all points that the oracle gives, and no worse than `start`; it is the same when
    asked again and of the same value along 3c; c is not changed; and no two points are further apart than `diameter`.
    At last a model plays and learns on it, and stays inside.

    >>> class Interval:
    ...     start, diameter = [0.0], 2.0
    ...     def oracle(self, c):
    ...         return [-1.0 if c[0] >= 0 else 1.0]
    >>> check_set(Interval())
    """
    start = _value(own, "start")
    diameter = float(_value(own, "diameter"))
    point = np.asarray(start, dtype=np.float64)
    assert point.ndim == 1 and len(point) > 0, f"start must be an array of 1 dimension ({point.ndim} came)"
    draw = np.random.default_rng(seed)
    asked = [*np.eye(len(point))[:20], *-np.eye(len(point))[:20], *draw.normal(size=(directions, len(point)))]
    points = []
    for c in asked:
        kept = c.copy()
        vertex, value = oracle(own, c)
        again = np.asarray(own.oracle(c), dtype=np.float64)
        assert np.array_equal(c, kept), f"oracle changed its direction {kept}"
        assert np.array_equal(vertex, again), f"oracle gave {vertex}, then {again} for the same direction {c}"
        _, scaled = oracle(own, 3 * c)
        room = tolerance * (1 + diameter) * (1 + float(np.linalg.norm(c)))
        assert abs(scaled - 3 * value) <= 4 * room, f"oracle is worth {value} along {c}, but {scaled} along three times that"
        assert c @ point >= value - room, f"start is better along {c} than what oracle gave: {c @ point} < {value}"
        points.append(vertex)
    stacked = np.array(points)
    for c, vertex in zip(asked, points, strict=True):
        best = stacked[np.argmin(stacked @ c)]
        room = tolerance * (1 + diameter) * (1 + float(np.linalg.norm(c)))
        assert c @ vertex <= c @ best + room, f"oracle gave {vertex} along {c}, but {best} is better, which it gave elsewhere"
    widest = max(float(np.linalg.norm(stacked - p, axis=1).max()) for p in [*points[:50], point])
    assert widest <= diameter * (1 + tolerance) + tolerance, f"diameter must be at least {widest} ({diameter} came)"
    _play(own, stacked, draw, tolerance * (1 + diameter))


def _value(own: Any, name: str) -> Any:
    value = getattr(own, name)
    return value() if callable(value) else value


def _play(own: Any, points: NDArray[np.float64], draw: np.random.Generator, room: float) -> None:
    """A short game with late answers: decisions stay inside, and a copy goes on alike."""
    model = Model(set=own, learner={"type": "delayed_ofw", "horizon": 60, "gradient_bound": 10})
    tickets: list[str] = []
    for round_ in range(60):
        played = model.decide()
        tickets.append(played.ticket)
        for c in draw.normal(size=(5, points.shape[1])):
            least = float(np.min(points @ c))
            _, value = oracle(own, c)
            inside = float(c @ np.asarray(played.decision))
            assert inside >= min(least, value) - room * (1 + float(np.linalg.norm(c))), f"round {round_ + 1} left the set along {c}"
        if round_ >= 7:
            model.learn(tickets.pop(0), gradient=draw.normal(size=points.shape[1]))
    twin = Model.from_bytes(model.to_bytes(), own=own)
    assert twin.hash() == model.hash(), "a copy of a model on this set is another one"
