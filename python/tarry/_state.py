"""How pickles come back. A pickle of a model holds its snapshot, and nothing of Python's."""

from __future__ import annotations

from ._tarry import Model


def model_from_bytes(data: bytes) -> Model:
    """A model as `Model.to_bytes` left it."""
    return Model.from_bytes(data)
