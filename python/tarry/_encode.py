"""JSON for what a client sends."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from .errors import BadInput


def _plain(value: Any) -> Any:
    """Converts NumPy's arrays and numbers, and anything else that can become a list or a mapping."""
    for name in ("tolist", "item"):
        if callable(way := getattr(value, name, None)):
            return way()
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"cannot be sent as JSON: {type(value).__name__}")


def encoded(value: Any) -> bytes:
    try:
        return json.dumps(value, default=_plain, allow_nan=False, separators=(",", ":")).encode()
    except ValueError as error:
        raise BadInput(f"cannot be sent as JSON: {error}") from None
