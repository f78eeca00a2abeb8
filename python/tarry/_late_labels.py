"""A frame of late labels, replayed with its true delays."""

from __future__ import annotations

import html
import json
import math
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from . import _tarry
from ._tarry import Model

__all__ = ["LateLabels", "late_labels"]


class LateLabels:
    """The result of a replay of late labels.

    `predictions` are in the frame's order; `loss` is the mean loss of the rows whose label is known, `prompt_loss` what it
    would be if each label had come before the next row. Their difference, `cost`, is what the delay cost. `read_as` says how
    the columns were read.
    """

    def __init__(self, model: Model, frame: Any, losses: list[tuple[int, float]], prompt: list[float],
                 read_as: Sequence[str] = ()) -> None:
        self.model = model
        self.predictions = frame
        self.read_as = list(read_as)
        self._losses = losses  # (row's place in time, loss)
        self._prompt = prompt

    @property
    def loss(self) -> float:
        """The mean loss of the rows whose label is known."""
        return sum(loss for _, loss in self._losses) / len(self._losses) if self._losses else math.nan

    @property
    def prompt_loss(self) -> float:
        """The same if every label had been known at once."""
        return sum(self._prompt) / len(self._prompt) if self._prompt else math.nan

    @property
    def cost(self) -> float:
        """What the delay cost: the mean loss with the true delays minus the mean loss without any."""
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


    def _repr_html_(self) -> str:
        """A table for notebooks."""
        labels = len(self._losses)
        share = f" ({self.cost / self.prompt_loss:+.1%})" if self.prompt_loss else ""
        rows = [("rows", f"{len(self.predictions):,}"), ("labels that came", f"{labels:,}"),
                ("mean loss", f"{self.loss:.4g}"), ("had labels come at once", f"{self.prompt_loss:.4g}"),
                ("what lateness cost", f"{self.cost:.4g}{share}"), ("read as", "; ".join(self.read_as)),
                ("model", repr(self.model))]
        body = "".join(f"<tr><th style='text-align:left'>{html.escape(a)}</th><td style='text-align:left'>{html.escape(b)}</td></tr>"
                       for a, b in rows if b)
        return f"<table>{body}</table>"


def _written(frame: Any, path: Path) -> None:
    """Write a frame of pandas, polars or Arrow as a CSV file, as its own library does."""
    if hasattr(frame, "write_csv"):  # polars
        frame.write_csv(path)
        return
    if not hasattr(frame, "to_csv") and hasattr(frame, "to_pandas"):  # Arrow
        frame = frame.to_pandas()
    if not hasattr(frame, "to_csv"):
        raise TypeError(f"late_labels wants a frame of pandas or polars, or an Arrow table ({type(frame).__name__} came)")
    frame.to_csv(path, index=False)


def _names(frame: Any) -> list[str]:
    names = getattr(frame, "column_names", None)  # Arrow; the others say columns
    return [str(name) for name in (frame.columns if names is None else names)]


def _predictions(frame: Any, by_row: dict[int, Any]) -> Any:
    """The predictions of these rows as a frame of the same kind."""
    values = [*by_row.values()]
    if hasattr(frame, "write_csv") or not hasattr(frame, "index"):
        return type(frame)({"prediction": values}) if hasattr(frame, "write_csv") else frame.from_pydict({"prediction": values})
    import pandas

    return pandas.DataFrame({"prediction": values}, index=frame.index[[*by_row]])


def late_labels(frame: Any, *, seen: str | None = None, known: str | None = None, label: str | None = None,
                key: str | None = None, task: Any = None, features: Sequence[str] | None = None, stream: Mapping[str, Any] | None = None, **keys: Any) -> LateLabels:
    """Replay a frame with its true delays: each row is predicted when it was seen, and learnt when its label was known.

    The frame (pandas, polars or Arrow) is read as `tarry run` reads a CSV file, with the same result. Columns that you do not
    name are found by their names and contents; `read_as` of the result says how. `seen` and `known` are the columns of the two
    times, `label` the one to predict, `features` those to predict from; `stream` takes any other key of a stream, such as
    `{"feedback": "3 days"}`. `task` and `keys` are the model's. If the label or its `known` time is missing, the label never
    comes.

    With `key`, the name of a column, rows with the same key are one round: the label known first is learnt, and each later one
    corrects it. There is then one prediction per round, judged by its last label.

    >>> import pandas
    >>> frame = pandas.DataFrame({"opened_at": range(100), "resolved_at": range(20, 120), "team": ["a", "b"] * 50,
    ...                           "breached": [True, False] * 50})
    >>> result = tarry.late_labels(frame, seen="opened_at", known="resolved_at", label="breached")
    >>> result.cost > 0
    True
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "frame.csv"
        _written(frame, path)
        names = _names(frame)
        said = {"event_time": seen, "feedback_time": known, "label": label, "key": key}
        asked = {role: name for role, name in said.items() if name is not None} | dict(stream or {})
        for name in (*said.values(), *(features or ())):
            if name is not None and name not in names:
                raise KeyError(f"the frame has no column {name!r}")
        if features is not None:
            asked["include"] = [*features]
            asked["ignore"] = [name for name in names if name not in features and name not in said.values()]
        try:
            table = _tarry._read_table(str(path), json.dumps(asked), None if task is None else Model(task, **keys))
        except ValueError as error:  # which names a file that nobody knows
            raise type(error)(str(error).replace(f"{folder}/frame.csv", "the frame")) from None
    if table.corrected and not {"revisable", "labels"} & keys.keys():
        keys["revisable"] = {"rounds": len(table.order)}
    task = table.task if task is None else task
    model, prompt = Model(task, **keys), Model(task, **keys)
    predictions, losses = _tarry._replay(model, table, False)
    _, at_once = _tarry._replay(prompt, table, True)
    by_row = dict(zip(table.order, predictions, strict=True))  # rows that correct others have none
    return LateLabels(model, _predictions(frame, dict(sorted(by_row.items()))), losses, [loss for _, loss in at_once],
                      table.read_as)
