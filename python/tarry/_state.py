"""How pickles come back. A pickle of a model holds its snapshot, and beside it the sets that are written in
Python, if it has any."""

from __future__ import annotations

from typing import Any

from ._tarry import Model


def model_from_bytes(data: bytes, own: list[Any] | None = None) -> Model:
    """A model as `Model.to_bytes` left it; `own`: its sets that are written in Python."""
    return Model.from_bytes(data, own=own)
