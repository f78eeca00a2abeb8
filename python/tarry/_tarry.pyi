# Made by python/make_stub; not to be changed by hand.
"""What the Python package is made of; import tarry instead."""

from collections.abc import Callable, Iterable, Mapping
import os
import types
from typing import Any

import numpy
import numpy.typing

import tarry._explain


class Set:
    """A decision set: what a learner written in Python gets in `begin`."""

    def __init__(self, spec: Any) -> None: ...

    @property
    def dimension(self) -> int:
        """The dimension of its points."""

    @property
    def start(self) -> numpy.typing.NDArray[numpy.float64]:
        """A point of the set to start from: the model's `initial` if it has one."""

    @property
    def diameter(self) -> float:
        """The largest distance of two points, or more."""

    def oracle(self, direction: Any) -> numpy.typing.NDArray[numpy.float64]:
        """The point with the smallest inner product with a direction."""

    def contains(self, point: Any, tolerance: float = 1e-09) -> bool:
        """Whether a point is in the set, up to a tolerance relative to its size."""

    @property
    def can_project(self) -> bool:
        """Whether the set has `project`."""

    def project(self, point: Any) -> numpy.typing.NDArray[numpy.float64]:
        """The nearest point of the set, if it has a cheap projection."""

    def __repr__(self) -> str: ...

    def __copy__(self) -> Set: ...

    def __deepcopy__(self, memo: Any) -> Set: ...

class Decision:
    """What a model answered when a round was opened."""

    @property
    def ticket(self) -> str:
        """
        Identifies the round: pass it to `Model.learn`. Valid for every copy of the model.
        """

    @property
    def round(self) -> int:
        """The round's number, from 1."""

    @property
    def prediction(self) -> Any:
        """
        A number, the probability of True, or a class; None if the play had no features.
        """

    @property
    def scores(self) -> dict[Any, float] | None:
        """The probability of each class; None unless the model predicts classes."""

    @property
    def decision(self) -> numpy.typing.NDArray[numpy.float64] | None:
        """The point played, an array; None if the play had features."""

    @property
    def allocation(self) -> dict[str, float] | None:
        """The point by name, if the model's coordinates have names."""

    @property
    def sample(self) -> dict[int, float] | None:
        """
        One vertex drawn with the decision's weights, {coordinate: value}; None unless the learner samples.
        """

    @property
    def probe(self) -> numpy.typing.NDArray[numpy.float64] | None:
        """
        The second point whose loss the learner wants to know; None unless it wants one.
        """

    @property
    def expired(self) -> int:
        """How many rounds this play gave up."""

    @property
    def answer(self) -> str:
        """
        'duplicate' where the key was played before: this is then the first answer again.
        """

    def __repr__(self) -> str: ...

class Model:
    """
    A model predicts or decides, remembers what is waiting for an answer, and learns when it comes.

    Made from a task's name ('regression', 'binary', 'classes', 'choose', 'ratings', 'allocation'), from a
    specification as a dict, or from `set=`, `learner=`, `loss=` and the other keys of
    docs/model.md, which you can also give with a task.
    """

    def __init__(self, task: str | Mapping[str, Any] | None = None, **keys: Any) -> None: ...

    def decide(self, features: Any = None, *, key: str | None = None, due: float | None = None, now: float | None = None) -> Decision:
        """
        Open the next round: predict for these features, or decide if there are none.

        The round waits until `learn`, `expire` or `void` gets its ticket. A `key` of your own names the round too;
        one that was played before opens no round, and is answered as it was. `due` is when the answer is due, or
        expected, and `now` when this is, both in seconds.

        >>> import tarry
        >>> model = tarry.Model('binary')
        >>> t = model.decide({'article': 'shoes', 'price': 80})
        >>> t.prediction
        0.5
        >>> model.learn(t.ticket, True)
        'applied'
        >>> model.learn(t.ticket, True)
        'duplicate'
        """

    def predict(self, features: Any) -> Any:
        """What `decide` would predict now. Opens no round and changes nothing."""

    def predict_scores(self, features: Any) -> dict[Any, float] | None:
        """
        The probability of each class now; None for models that do not predict classes.
        """

    def learn(self, ticket: str, label: bool | float | str | None = None, *, gradient: Any = None, indices: Any = None, values: Any = None, features: Any = None, revise: bool = False, sequence: float | None = None, part: str | None = None, now: float | None = None, shown: Any = None, loss: float | tuple[float, float] | None = None) -> str:
        """
        Learn the answer for a round: a label, or a gradient at the point that was played, or, for learners to
        whom that is enough, the loss that the decision cost (and its probe, where it has one).

        Gives 'applied', 'duplicate' (it was answered so before), 'conflict' (it was answered otherwise), 'expired'
        (given up, or void) or 'untracked' (not kept). Only a ticket that no round of this model has raises `UnknownTicket`. `features` come here
        where the play had none. In a model with `revisable`, `revise=True` puts the label in the place of the one before;
        `sequence` is a number or time that grows, `part` names a part of a sum, `now` is when it came, in seconds.
        `shown`, with the reward of a choice, says what was shown instead: an id, or a dict with `id`, `probability`
        and `features`.

        >>> import tarry
        >>> ball = tarry.Model(set={'type': 'l1_ball', 'dimension': 3, 'radius': 1},
        ...                    learner={'type': 'delayed_ofw', 'eta': 0.1})
        >>> t = ball.decide()
        >>> ball.learn(t.ticket, gradient=[1, 0, 2])
        'applied'
        """

    def expire(self, ticket: str) -> str:
        """
        The answer for this round will never come. Returns 'applied', 'duplicate' or 'expired'.
        """

    def void(self, ticket: str) -> str:
        """
        The decision of this round was never used: nothing is learnt, and nothing counts as lost.
        """

    def learn_now(self, features: Any, label: bool | float | str) -> Any:
        """
        Play and label in one call, for labels that are known at once. Returns the prediction.
        """

    def decide_many(self, features: Any) -> Decisions:
        """
        Open a round for each row of an array, a sparse matrix, a frame or a list. Where a row is wrong, none is open.
        """

    def predict_many(self, features: Any) -> Any:
        """`predict` for each row: an array, or a list of classes."""

    def predict_scores_many(self, features: Any) -> numpy.typing.NDArray[numpy.float64] | None:
        """
        Probabilities of each row's classes, in the order of `classes`; None without classes.
        """

    def learn_many(self, tickets: Decisions | Iterable[str], labels: Any = None, *, gradients: Any = None) -> list[str]:
        """
        `learn` for each ticket, in order; gives a list of answers. Where a row is wrong, those before it were applied.
        """

    def learn_now_many(self, features: Any, labels: Any) -> Any:
        """`learn_now` for each row, in order; returns the predictions."""

    def choose(self, context: Any, actions: Any = None, *, key: str | None = None, exclude: Any = None, shown: Any = None, due: float | None = None, now: float | None = None) -> Choice:
        """
        Choose one of the actions in this context; its reward comes later, as the label of the round.

        `actions` are ids, or dicts with `id` and features; by default, those of the specification.
        `shown`, an id or a dict with `id` and `probability`, says what was shown instead.

        >>> import tarry
        >>> model = tarry.Model('choose')
        >>> c = model.choose({'weather': 'sun'}, ['ice', 'soup'])
        >>> c.action in ('ice', 'soup'), c.probability
        (True, 0.5)
        >>> model.learn(c.ticket, True)
        'applied'
        """

    def to_bytes(self) -> bytes:
        """The whole state; the same bytes for the same state."""

    @staticmethod
    def from_bytes(data: bytes, *, own: Any = None) -> Model:
        """The model that `to_bytes` wrote; it continues bit for bit."""

    def save(self, path: str | bytes | os.PathLike[str]) -> None:
        """
        Write the whole state to a file; after a crash it is either complete or the old one.
        """

    @staticmethod
    def load(path: str | bytes | os.PathLike[str], *, own: Any = None) -> Model:
        """The model that `save` or `tarry replay --save` wrote."""

    def copy(self) -> Model:
        """Another model in the same state."""

    def __copy__(self) -> Model: ...

    def __deepcopy__(self, memo: Any) -> Model: ...

    def __reduce__(self) -> tuple[Any, ...]: ...

    def hash(self) -> str:
        """
        SHA-256 of specification and state: models with the same one answer every event alike.
        """

    def __sizeof__(self) -> int: ...

    def __repr__(self) -> str: ...

    def weights(self, most: int = 20) -> dict[str, Any]:
        """
        The largest weights by feature name; with several classes, for each class.
        """

    @property
    def decision(self) -> numpy.typing.NDArray[numpy.float64]:
        """The point played last, an array."""

    @property
    def names(self) -> list[str]:
        """The names of the decision's coordinates."""

    @property
    def classes(self) -> list[str] | None:
        """
        The names of the classes seen so far; None for models that do not name classes.
        """

    @property
    def dimension(self) -> int:
        """Of the decision."""

    @property
    def rounds(self) -> int:
        """How many rounds were played so far."""

    @property
    def outstanding(self) -> int:
        """How many rounds are waiting for an answer."""

    def waiting(self, most: int = -1) -> list[str]:
        """The tickets of the waiting rounds, oldest first."""

    @property
    def certificate(self) -> float | None:
        """
        The regret that the learner cannot have exceeded so far, if a theorem says so; else None.
        """

    @property
    def compared(self) -> dict[str, Any] | None:
        """
        Of a model that chooses: what the rounds whose wait is over earned each, and what any action alike and always the same one would have; and the predicted reward that exploration gave up.
        """

    @property
    def apprentice(self) -> dict[str, Any] | None:
        """
        Of the rounds in which something else was shown: how often the model agreed, and what it would have earned, a round. None where there are none.
        """

    @property
    def spec(self) -> dict[str, Any]:
        """The specification in full."""

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the specification; tickets begin with it."""

    @property
    def own(self) -> list[Any]:
        """
        Its sets, losses and learners written in Python, in their current state.
        """

    def _explain(self, horizon: float | None = None, gradient_bound: float = 1.0) -> tuple[dict[str, Any], str]: ...

    def _contributions(self, features: Any) -> tuple[dict[str, Any], str, float]: ...

    def explain(self, row: Any = None, horizon: float | None = None, gradient_bound: float = 1.0) -> tarry._explain.Explanation:
        """
        What each feature of a row adds to its prediction now: `parts` by name, which with `base` add up to `score`.

        Without a row: the specification in full, and what it costs; with a horizon, what regret cannot
        exceed by then.
        """

    def _repr_html_(self) -> str: ...

class Decisions:
    """What a model answered when many rounds were opened."""

    @property
    def tickets(self) -> list[str]:
        """One for each row."""

    @property
    def rounds(self) -> numpy.typing.NDArray[numpy.int64]:
        """The rounds' numbers."""

    @property
    def predictions(self) -> Any:
        """An array, or a list of classes."""

    @property
    def scores(self) -> numpy.typing.NDArray[numpy.float64] | None:
        """
        Probabilities: a row for each round, a column for each of `Model.classes`.
        """

    def __len__(self) -> int: ...

    def __repr__(self) -> str: ...

class Choice:
    """What a model chose."""

    @property
    def ticket(self) -> str:
        """Identifies the round: pass it to `Model.learn` with the reward."""

    @property
    def round(self) -> int:
        """The round's number, from 1."""

    @property
    def action(self) -> str:
        """The id of the action that was drawn."""

    @property
    def probability(self) -> float:
        """The probability with which it was drawn."""

    @property
    def ranking(self) -> list[dict[str, Any]]:
        """
        Each action's id, probability and predicted reward, in your order; empty if a key is repeated.
        """

    @property
    def shown(self) -> str | None:
        """What was shown instead, and is learnt from."""

    @property
    def answer(self) -> str:
        """
        'duplicate' where the key was played before: this is then the first answer again.
        """

    def __repr__(self) -> str: ...

def _release_from(numbers: int) -> int: ...

def _explain(task: Any = None, horizon: float | None = None, gradient_bound: float = 1.0, **keys: Any) -> tuple[dict[str, Any], str]: ...

def tasks() -> dict[str, Any]:
    """The tasks by name: summary, keys and examples of each."""

def sets() -> dict[str, Any]:
    """The decision sets by name: summary, keys and examples."""

def learners() -> dict[str, Any]:
    """The learners by name: summary, keys and examples."""

def losses() -> dict[str, Any]:
    """The losses by name: summary, keys and examples."""

def delays() -> dict[str, Any]:
    """The lab's models of delay by name."""

def streams() -> dict[str, Any]:
    """The lab's streams by name."""

def oracle(set: Any, direction: Any) -> tuple[numpy.typing.NDArray[numpy.float64], float]:
    """
    The point of a set with the smallest inner product with a direction, and that inner product.

    >>> import tarry
    >>> tarry.oracle({'type': 'l1_ball', 'dimension': 2, 'radius': 1.5}, [3, -4])
    (array([0. , 1.5]), -6.0)
    """

def _run(spec: Any, overrides: list[str], folder: str, jobs: int, fresh: bool, progress: Callable[[int, int], None] | None) -> tuple[str, str, str, int]: ...

def _verify(quick: bool, climb: int, progress: Callable[[int, int], None] | None) -> dict[str, Any]: ...

class _Table:
    @property
    def task(self) -> str: ...

    @property
    def order(self) -> list[int]: ...

    @property
    def corrected(self) -> int: ...

    @property
    def read_as(self) -> list[str]: ...

def _read_table(path: str, keys: str, model: Model | None) -> _Table: ...

def _replay(model: Model, table: _Table, at_once: bool) -> tuple[list[Any], list[tuple[int, float]]]: ...

__version__: str

theory: types.ModuleType
