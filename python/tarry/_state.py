"""Unpickling. A pickle of a model holds its snapshot, and the sets written in Python, if it has any."""

from __future__ import annotations

from typing import Any

from ._tarry import Model


def model_from_bytes(data: bytes, own: list[Any] | None = None) -> Model:
    """The model that `Model.to_bytes` saved; `own` are its sets written in Python."""
    return Model.from_bytes(data, own=own)
