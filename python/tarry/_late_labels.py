"""A frame of late labels, replayed with its true delays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from . import _tarry
from ._tarry import Model

__all__ = ["LateLabels", "late_labels"]


class LateLabels:
    """What a replay of late labels gave.

    `predictions` are in the frame's order; `loss` is the mean loss of the rows whose label is known, `prompt_loss` what it
    would have been had each label come before the next row. Their difference is `cost`, what lateness cost.
    """

    def __init__(self, model: Model, frame: Any, losses: list[tuple[int, float]], prompt: list[float]) -> None:
        self.model = model
        self.predictions = frame
        self._losses = losses  # (row's place in time, loss)
        self._prompt = prompt

    @property
    def loss(self) -> float:
        """The mean loss of the rows whose label is known."""
        return sum(loss for _, loss in self._losses) / len(self._losses) if self._losses else math.nan

    @property
    def prompt_loss(self) -> float:
        """The same, had every label been known at once."""
        return sum(self._prompt) / len(self._prompt) if self._prompt else math.nan

    @property
    def cost(self) -> float:
        """What lateness cost: the mean loss with the true delays, less that without any."""
        return self.loss - self.prompt_loss

    @property
    def curve(self) -> Any:
        """The mean loss so far after each row, with the true delays and without any: a frame."""
        import pandas

        late = total = 0.0
        rows = []
        for count, ((row, loss), prompt) in enumerate(zip(self._losses, self._prompt, strict=True), start=1):
            late, total = late + loss, total + prompt
            rows.append({"row": row + 1, "loss": late / count, "prompt_loss": total / count})
        return pandas.DataFrame(rows)

    def plot(self, ax: Any = None) -> Any:
        """The learning curve. Needs matplotlib."""
        import matplotlib.pyplot as plt

        if ax is None:
            ax = plt.figure().add_subplot()
        curve = self.curve
        ax.plot(curve["row"], curve["loss"], label="true delays")
        ax.plot(curve["row"], curve["prompt_loss"], label="labels at once")
        ax.set_xlabel("rows")
        ax.set_ylabel("mean loss so far")
        ax.legend()
        return ax

    def __repr__(self) -> str:
        return (f"<tarry.LateLabels: {len(self.predictions)} rows, {len(self._losses)} labels; "
                f"mean loss {self.loss:.4g}, {self.prompt_loss:.4g} had they come at once>")


def _is_missing(x: Any) -> bool:
    return x is None or x != x or type(x).__name__ in ("NAType", "NaTType")


def late_labels(frame: Any, *, seen: str, known: str, label: str, key: str | None = None, task: Any = None,
                features: Sequence[str] | None = None, **keys: Any) -> LateLabels:
    """Replay a frame with its true delays: each row is predicted when it was seen, and learnt when its label was known.

    `task` is found from the labels, as `tarry run` finds it, unless it is given; `features` are all other columns. A
    missing time of `known` or a missing label means that it never comes. Rows are put in order of `seen`.

    With `key`, a column, rows that share a key are one round: it is learnt with the label that was known first, and each
    later one corrects it. Predictions are then of the rounds, and judged by what their labels were in the end.

    >>> import pandas
    >>> frame = pandas.DataFrame({"opened_at": range(100), "resolved_at": range(20, 120), "team": ["a", "b"] * 50,
    ...                           "breached": [True, False] * 50})
    >>> result = tarry.late_labels(frame, seen="opened_at", known="resolved_at", label="breached")
    >>> result.cost > 0
    True
    """
    import pandas

    roles = [c for c in (seen, known, label, key) if c is not None]
    for column in roles:
        if column not in frame.columns:
            raise KeyError(f"the frame has no column {column!r}")
    order = frame[seen].argsort(kind="stable")
    if frame[seen].isna().any():
        raise ValueError(f"{seen}: every row must have a time")
    sorted_frame = frame.iloc[order]
    columns = list(features) if features is not None else [c for c in frame.columns if c not in roles]
    labels = [None if _is_missing(y) else y for y in sorted_frame[label].tolist()]
    times = sorted_frame[seen].tolist(), sorted_frame[known].tolist()
    early = [i for i, (a, b) in enumerate(zip(*times, strict=True)) if not _is_missing(b) and b < a]
    if early:
        raise ValueError(f"{known}: must not be before {seen} (row {sorted_frame.index[early[0]]!r})")
    if task is None:
        task, labels = _tarry._task_of(labels)
    rows = [{c: None if _is_missing(x) else x for c, x in zip(columns, row, strict=True)}
            for row in sorted_frame[columns].itertuples(index=False, name=None)]
    place = {time: float(i) for i, time in enumerate(sorted({t for both in times for t in both if not _is_missing(t)}))}
    asked = [place[t] for t in times[0]]
    answered = [math.inf if y is None or _is_missing(t) else place[t] for y, t in zip(labels, times[1], strict=True)]
    corrected, final, index = [], labels, sorted_frame.index
    if key is not None:
        named = ["" if _is_missing(k) else str(k) for k in sorted_frame[key].tolist()]
        places, corrections = _tarry._same_keys(named, answered)
        corrected = [(place_of, answered[row], labels[row]) for place_of, row in corrections]
        rows, labels, asked, answered = ([x[i] for i in places] for x in (rows, labels, asked, answered))
        final, index = list(labels), index[places]
        for row, _, last in corrected:
            final[row] = last
        if corrected and not {"revisable", "labels"} & keys.keys():
            keys["revisable"] = {"rounds": len(rows)}
    model, prompt = Model(task, **keys), Model(task, **keys)
    predictions, losses = _tarry._replay(model, rows, labels, asked, answered, False, corrected)
    _, at_once = _tarry._replay(prompt, rows, final, asked, answered, True)
    series = pandas.Series(predictions, index=index, name="prediction")
    series = series.reindex(frame.index[frame.index.isin(index)] if key is not None else frame.index)
    return LateLabels(model, series.to_frame(), losses, [loss for _, loss in at_once])
