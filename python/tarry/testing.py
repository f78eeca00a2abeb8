"""Checks for sets and learners written in Python: they test what the library relies on, and say what fails."""

from __future__ import annotations

import copy
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ._tarry import Model, Set, oracle

__all__ = ["OwnLearner", "OwnSet", "check_learner", "check_set"]


class OwnSet(Protocol):
    """What a set must have. `start` and `diameter` may be methods as well; `contains(x, tolerance)` is optional."""

    start: Any  # a point of the set
    diameter: Any  # the largest distance between two points, or more

    def oracle(self, c: NDArray[np.float64]) -> Any:
        """The point of the set with the smallest inner product with c; for the same c the same point. Several threads may call it."""


def check_set(own: Any, *, directions: int = 200, seed: int = 0, tolerance: float = 1e-9) -> None:
    """Check a set with random directions; an AssertionError says what fails, and for which direction.

    For every direction c: `oracle(c)` is the best of all points that the oracle returned, and no worse than `start`; asked again,
    it returns the same point, and for 3c one that is as good; it does not change c; and no two points are further apart than
    `diameter`. Finally a model plays and learns on the set, and stays inside.

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
    """A short game with late answers: decisions stay inside, and a copy has the same state."""
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


# ---- learners


class OwnLearner(Protocol):
    """What a learner must have. `begin(set)` is optional, and so is `abandon(round, memo)`, for rounds whose answer will never come."""

    def play(self, round: int, features: NDArray[np.float64] | None, memo: list[float]) -> Any:
        """The decision of this round, a point of the set, in full. Numbers put into `memo` come back with the feedback."""

    def receive(self, round: int, gradient: NDArray[np.float64], memo: list[float]) -> None:
        """Late feedback: the gradient at the decision of that round. Called in any order, at most once a round."""

    def save(self) -> bytes:
        """Everything that later decisions depend on, except what `begin` passed."""

    def load(self, data: bytes) -> None:
        """Replaces the state with one that `save` returned. Called after `begin`."""


SETS: tuple[dict[str, Any], ...] = (
    {"type": "simplex", "dimension": 4},
    {"type": "l2_ball", "dimension": 3, "radius": 2},
    {"type": "box", "lower": [-1, 0], "upper": [1, 3]},
)


def check_learner(own: Any, *, sets: Any = SETS, rounds: int = 60, seed: int = 0, tolerance: float = 1e-9) -> None:
    """Check a learner in random games with late, lost and unordered feedback; an AssertionError says what fails, and where.

    On each of `sets` (specifications, or sets of your own): every decision is in the set; the same events give the same bits,
    also when two models play at once; `save` changes nothing and returns the same bytes for the same state; a loaded learner
    continues bit for bit, whatever it did before; repeated feedback changes nothing; and rounds that are given up do no harm.

    >>> class Descent:
    ...     def __init__(self, eta):
    ...         self.eta = eta
    ...     def begin(self, set):
    ...         self.set, self.x = set, set.start
    ...     def play(self, round, features, memo):
    ...         return self.x
    ...     def receive(self, round, gradient, memo):
    ...         self.x = self.set.project(self.x - self.eta * gradient)
    ...     def save(self):
    ...         return self.x.tobytes()
    ...     def load(self, data):
    ...         self.x = np.frombuffer(data)
    >>> check_learner(Descent(0.1))
    """
    each = sets if isinstance(sets, (list, tuple)) else [sets]
    for number, set_ in enumerate(each):
        _LearnerChecks(own, set_, rounds, seed + number, tolerance).all()


class _Game:
    """Events of a random game: ("play",), ("learn", round, gradient), ("expire", round) or ("void", round)."""

    def __init__(self, dimension: int, rounds: int, draw: np.random.Generator, lost: float = 0.2) -> None:
        due: dict[int, list[tuple[Any, ...]]] = {}
        self.events: list[tuple[Any, ...]] = []
        for round_ in range(1, rounds + 1):
            self.events.append(("play",))
            fate: tuple[Any, ...] = ("learn", round_, draw.normal(size=dimension))
            if draw.random() < lost:
                fate = (["expire", "void"][int(draw.integers(2))], round_)
            due.setdefault(round_ + int(draw.integers(0, 9)), []).append(fate)
            answers = due.pop(round_, [])
            draw.shuffle(answers)
            self.events += answers


class _LearnerChecks:
    """The checks of one learner on one set."""

    def __init__(self, own: Any, set_: Any, rounds: int, seed: int, tolerance: float) -> None:
        self.own, self.set, self.tolerance = own, set_, tolerance
        self.view = Set(set_)
        self.draw = np.random.default_rng(seed)
        self.rounds = rounds
        self.game = self.new_game()
        self.where = f"on {set_}"

    def new_game(self, lost: float = 0.2) -> _Game:
        return _Game(self.view.dimension, self.rounds, self.draw, lost)

    def model(self) -> Model:
        return Model(set=self.set, learner=self.own)

    def all(self) -> None:
        self.stays_inside(self.game)
        self.stays_inside(self.new_game(lost=1.0))
        self.repeats_itself()
        self.saves_alike()
        self.goes_on_after_loading()
        self.load_replaces_everything()
        self.duplicates_change_nothing()

    def apply(self, model: Model, event: tuple[Any, ...]) -> Any:
        """The decision, or nothing."""
        kind, *rest = event
        if kind == "play":
            return np.array(model.decide().decision)
        ticket = f"{model.fingerprint}-{rest[0]}"
        if kind == "learn":
            model.learn(ticket, gradient=rest[1])
        elif kind == "expire":
            model.expire(ticket)
        else:
            model.void(ticket)
        return None

    def stays_inside(self, game: _Game) -> None:
        model = self.model()
        played = 0
        for event in game.events:
            x = self.apply(model, event)
            if x is None:
                continue
            played += 1
            for c in self.draw.normal(size=(8, len(x))):
                least = float(c @ self.view.oracle(c))
                room = self.tolerance * (1 + self.view.diameter) * (1 + float(np.linalg.norm(c)))
                assert c @ x >= least - room, f"{self.where}: the decision {x} of round {played} is outside of the set along {c}"

    def repeats_itself(self) -> None:
        first, second, third = self.model(), self.model(), self.model()
        decisions = [self.apply(first, event) for event in self.game.events]
        for i, event in enumerate(self.game.events):  # two at once
            x, y = self.apply(second, event), self.apply(third, event)
            assert np.array_equal(x, y), f"{self.where}: the same events gave {x} and {y}, at event {i + 1}"
            assert np.array_equal(x, decisions[i]), (
                f"{self.where}: event {i + 1} gave {decisions[i]}, and {x} with another model beside it: do learners share something?")
        assert first.to_bytes() == second.to_bytes(), f"{self.where}: the same events gave different states"

    def saves_alike(self) -> None:
        model = self.model()
        for i, event in enumerate(self.game.events):
            self.apply(model, event)
            saved = [one.save() for one in model.own if hasattr(one, "play")]
            again = [one.save() for one in model.own if hasattr(one, "play")]
            assert saved == again, f"{self.where}: save gave different bytes for the same state, after event {i + 1}"
        plain = self.model()
        for event in self.game.events:
            self.apply(plain, event)
        assert plain.to_bytes() == model.to_bytes(), f"{self.where}: save changed the state"

    def goes_on_after_loading(self) -> None:
        events = self.game.events
        for cut in (0, len(events) // 3, len(events) - len(events) // 4):
            model = self.model()
            for event in events[:cut]:
                self.apply(model, event)
            twin = model.copy()
            for i, event in enumerate(events[cut:], start=cut):
                x, y = self.apply(model, event), self.apply(twin, event)
                assert np.array_equal(x, y), f"{self.where}: saved after event {cut}, the loaded learner gave {y} and not {x} at event {i + 1}"
            assert model.to_bytes() == twin.to_bytes(), f"{self.where}: saved after event {cut}, the loaded learner ended in another state"

    def load_replaces_everything(self) -> None:
        half = len(self.game.events) // 2
        original, used = self.model(), self.model()
        for event in self.game.events[:half]:
            self.apply(original, event)
        for event in self.new_game().events:
            self.apply(used, event)
        mine = next(one for one in original.own if hasattr(one, "play"))
        theirs = next(one for one in used.own if hasattr(one, "play"))
        theirs.load(mine.save())
        assert theirs.save() == mine.save(), f"{self.where}: load left something of what was there before"
        mine, theirs = copy.deepcopy(mine), copy.deepcopy(theirs)
        for i in range(1, 6):  # as the model would: plays, and feedback for them
            memos: tuple[list[float], list[float]] = ([], [])
            x, y = (np.array(one.play(self.rounds + i, None, memo)) for one, memo in zip((mine, theirs), memos, strict=True))
            assert np.array_equal(x, y), f"{self.where}: load left something of what was there before: it gave {y} and not {x}"
            gradient = self.draw.normal(size=len(x))
            for one, memo in zip((mine, theirs), memos, strict=True):
                one.receive(self.rounds + i, gradient.copy(), memo)

    def duplicates_change_nothing(self) -> None:
        model = self.model()
        for event in self.game.events:
            self.apply(model, event)
            before = model.hash()
            if event[0] != "play":
                self.apply(model, event)
                assert model.hash() == before, f"{self.where}: an answer that came twice changed something"
