"""Experiments: `run`, `simulate` and `verify`, with results as tidy frames if pandas is installed."""

from __future__ import annotations

import csv
import html
import io
import json
import os
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from . import _tarry
from .errors import Io

__all__ = ["Results", "run", "simulate", "verify"]


def _frame(rows: list[dict[str, Any]]) -> Any:
    """A frame if pandas is installed, else the rows themselves."""
    try:
        import pandas
    except ImportError:
        return rows
    return pandas.DataFrame(rows)


def _progress(title: str, wanted: bool) -> tuple[Callable[[int, int], None] | None, Callable[[], None]]:
    """A progress bar if tqdm is installed, and a function that closes it."""
    if wanted:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            pass
        else:
            bar = tqdm(desc=title, unit="run", leave=False)

            def show(done: int, total: int) -> None:
                bar.total = total
                bar.update(done - bar.n)

            return show, bar.close
    return None, lambda: None


def _cell(text: str) -> Any:
    """A cell of curves.csv, as a number if it is one."""
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text) if text else None
    except ValueError:
        return text


class Results:
    """The results of an experiment.

    `curves` has a row for each checkpoint of each run, `groups` the means over seeds at the end, `summary` all of
    summary.json, and `report` the report as HTML, which a notebook shows.
    """

    def __init__(self, curves: str, summary: str, report: str, kept: int) -> None:
        self.summary: dict[str, Any] = json.loads(summary)
        self.report = report
        self.kept = kept  # how many runs came from the cache
        rows = csv.DictReader(io.StringIO(curves))
        names = ("stream", "delay", "learner", "set")
        self._rows: list[dict[str, Any]] = [{key: cell if key in names else _cell(cell) for key, cell in row.items()} for row in rows]

    @property
    def curves(self) -> Any:
        """A row for each checkpoint of each run: a frame if pandas is installed, else a list of dicts."""
        return _frame(self._rows)

    @property
    def groups(self) -> Any:
        """The last checkpoint of each run, averaged over seeds."""
        last: dict[tuple[str, ...], dict[Any, dict[str, Any]]] = {}
        for row in self._rows:
            last.setdefault((row["stream"], row["delay"], row["learner"]), {})[row["seed"]] = row
        groups = []
        for (stream, delay, learner), runs in last.items():
            group: dict[str, Any] = {"stream": stream, "delay": delay, "learner": learner, "seeds": len(runs)}
            for key in next(iter(runs.values())):
                values = [run[key] for run in runs.values()]
                if key not in ("stream", "delay", "learner", "set", "seed") and all(isinstance(x, (int, float)) for x in values):
                    group[key] = sum(values) / len(values)
            groups.append(group)
        return _frame(groups)

    def plot(self, y: str = "loss", ax: Any = None) -> Any:
        """Curves of a column over rounds, the mean over seeds for each learner and delay. Needs matplotlib."""
        import matplotlib.pyplot as plt

        if ax is None:
            ax = plt.figure().add_subplot()
        lines: dict[tuple[str, str, str], dict[int, list[float]]] = {}
        for row in self._rows:
            if isinstance(row.get(y), (int, float)):
                lines.setdefault((row["stream"], row["delay"], row["learner"]), {}).setdefault(row["round"], []).append(row[y])
        if not lines:
            raise ValueError(f"no run has a column {y!r}")
        for (stream, delay, learner), points in lines.items():
            ax.plot(list(points), [sum(v) / len(v) for v in points.values()], label=f"{learner} ({stream}, {delay})")
        ax.set_xlabel("rounds")
        ax.set_ylabel(y)
        ax.legend()
        return ax

    def __repr__(self) -> str:
        runs = {(row["stream"], row["delay"], row["learner"], row["seed"]) for row in self._rows}
        return f"<tarry.Results: {len(runs)} run{'' if len(runs) == 1 else 's'}>"

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{html.escape(self.report)}" style="width:100%;height:700px;border:0"></iframe>'


def _title(learner: Any) -> str:
    """The name of a learner that was given none."""
    kind = learner.get("type", learner.get("task", "learner"))
    return kind if isinstance(kind, str) else getattr(kind, "__name__", type(kind).__name__)


def _spelled_out(given: Any) -> Any:
    """A learner as a dict of an experiment; an object written in Python is named after its class."""
    if isinstance(given, str):
        return {"type": given}
    if not isinstance(given, Mapping):
        given = {"type": given}
    if not isinstance(given.get("type", ""), str):
        return {"name": _title(given), **given}
    return dict(given)


def run(spec: Any, *, overrides: Iterable[str] = (), out: str | os.PathLike[str] | None = None, jobs: int = 0,
        fresh: bool = False, progress: bool = True) -> Results:
    """Run an experiment: a dict, TOML text, or the path of a file. `out` is a folder that keeps
    finished runs, as the program does.

    A dict may contain sets, learners and losses written in Python; such runs are never cached.

    >>> results = tarry.run({"rounds": 50, "seeds": 2, "set": {"type": "l2_ball", "dimension": 2, "radius": 1},
    ...                      "stream": {"type": "random_linear", "dimension": 2, "bound": 1},
    ...                      "delays": [{"type": "fixed", "delay": 3}],
    ...                      "learners": [{"name": "ogd", "type": "delayed_ogd", "eta": 0.1}]}, progress=False)
    >>> results
    <tarry.Results: 2 runs>
    """
    if isinstance(spec, (str, os.PathLike)) and "\n" not in str(spec):
        try:
            spec = Path(spec).read_text(encoding="utf-8")
        except OSError as error:
            raise Io(f"{os.fspath(spec)}: cannot be read ({error.strerror})") from None
    if isinstance(spec, Mapping):
        spec = dict(spec)
        if isinstance(spec.get("learners"), (list, tuple)):
            spec["learners"] = [_spelled_out(one) for one in spec["learners"]]
        elif spec.get("learner") is not None:
            spec["learner"] = _spelled_out(spec["learner"])
    show, close = _progress("runs", progress)
    try:
        if out is not None:
            return Results(*_tarry._run(spec, list(overrides), os.fspath(out), jobs, fresh, show))
        with tempfile.TemporaryDirectory(prefix="tarry-") as folder:
            return Results(*_tarry._run(spec, list(overrides), folder, jobs, fresh, show))
    finally:
        close()


def simulate(stream: dict[str, Any], learner: Any = "auto", *, set: Any = None, delay: Any = "none",
             rounds: int | None = None, seeds: int = 1, progress: bool = False, **keys: Any) -> Results:
    """Play one or several learners on a stream, with one or several models of delay.

    >>> ran = tarry.simulate({"type": "random_linear", "dimension": 3, "bound": 1}, {"type": "delayed_ogd", "eta": 0.1},
    ...                      set={"type": "l2_ball", "dimension": 3, "radius": 1}, delay={"type": "fixed", "delay": 5}, rounds=100)
    >>> ran
    <tarry.Results: 1 run>
    """
    def listed(given: Any) -> list[dict[str, Any]]:
        each = given if isinstance(given, (list, tuple)) else [given]
        return [_spelled_out(one) for one in each]

    def named(specs: list[dict[str, Any]]) -> list[dict[str, Any]]:
        titles = [one.get("name", _title(one)) for one in specs]
        for i, (one, title) in enumerate(zip(specs, titles, strict=True)):
            one["name"] = f"{title} {i + 1}" if titles.count(title) > 1 else title
        return specs

    experiment: dict[str, Any] = {"stream": stream, "delays": named(listed(delay)), "learners": named(listed(learner)),
                                  "seeds": seeds, **keys}
    if set is not None:
        experiment["set"] = set
    if rounds is not None:
        experiment["rounds"] = rounds
    return run(experiment, progress=progress)


def verify(quick: bool = True, climb: int = 0, *, progress: bool = True) -> dict[str, Any]:
    """Play every learner against adversaries and check its regret against theory, as `tarry verify` does; returns the counts."""
    show, close = _progress("checks", progress)
    try:
        told: dict[str, Any] = _tarry._verify(quick, climb, show)
        return told
    finally:
        close()
