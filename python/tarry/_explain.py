"""Specifications in full, what their models cost, and how a notebook shows a model."""

from __future__ import annotations

import html
from typing import Any

from . import _tarry


class Explanation(dict[str, Any]):
    """What `tarry explain` prints, as a dict; its repr is the program's text."""

    def __init__(self, told: dict[str, Any], text: str) -> None:
        super().__init__(told)
        self._text = text

    def __repr__(self) -> str:
        return self._text.rstrip("\n")

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self._text)}</pre>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Explanation, (dict(self), self._text)


def explain(task: Any = None, *, horizon: float | None = None, gradient_bound: float = 1.0, **keys: Any) -> Explanation:
    """A task or specification in full, and what its model costs.

    >>> tarry.explain("binary")["fingerprint"]
    '738fa5f2bf618f5b'
    """
    return Explanation(*_tarry._explain(task, horizon, gradient_bound, **keys))


def explain_model(self: _tarry.Model, row: Any = None, horizon: float | None = None, gradient_bound: float = 1.0) -> Explanation:
    """What each feature of a row adds to its prediction; without a row, the specification in full and what the model costs.

    For a number or two classes, `base` and all of `parts` add up to `score`; with several classes, each of `classes` has its
    own. A number in place of the row is taken as the horizon.
    """
    if isinstance(row, (int, float)) and not isinstance(row, bool):
        row, horizon = None, float(row)
    if row is None:
        return Explanation(*self._explain(horizon, gradient_bound))
    told, text, prediction = self._contributions(row)
    outputs = [{**output, "parts": {part["name"]: part["adds"] for part in output["parts"]}} for output in told["outputs"]]
    if "class" in outputs[0]:
        return Explanation({"score_is": told["score_is"], "classes": {output.pop("class"): output for output in outputs}}, text)
    return Explanation({"prediction": prediction, "score_is": told["score_is"], **outputs[0]}, text)


def _says_something(model: _tarry.Model) -> bool:
    """Whether the bound on regret is worth showing: a bound above 1 per round says nothing about predictions."""
    return model.certificate is not None and ("loss" not in model.spec or model.certificate < model.rounds)


def model_html(self: _tarry.Model) -> str:
    """A table for notebooks: the model, its rounds so far, its largest weights."""
    rows = [("model", repr(self)), ("fingerprint", self.fingerprint), ("rounds", f"{self.rounds:,}"),
            ("waiting", f"{self.outstanding:,}")]
    if _says_something(self):
        rows.append(("regret so far", f"at most {self.certificate:.6g}"))
    if "loss" in self.spec and self.dimension <= 1 << 24:
        shown = self.weights(8)
        for name, weight in shown.items():
            text = f"{weight:.4g}" if isinstance(weight, float) else ", ".join(f"{k}: {w:.4g}" for k, w in weight.items())
            rows.append((f"weight of {name}", text))
    body = "".join(f"<tr><th style='text-align:left'>{html.escape(a)}</th><td>{html.escape(b)}</td></tr>" for a, b in rows)
    return f"<table>{body}</table>"
