"""The part of the client that deals with challengers."""

from __future__ import annotations

import urllib.parse
from collections.abc import Callable, Mapping
from typing import Any

from ._replies import Reply, UnknownModel, error_of, said
from .errors import BadInput


class Challengers:
    """The methods of `Client` for challengers. `_ask` and `_model` are the client's."""

    _ask: Callable[..., Reply]
    _model: Callable[[str], str]

    def challenge(self, name: str, challenger: str, spec: str | Mapping[str, Any] | None = None, **keys: Any) -> bool:
        """Makes a challenger, which plays the same rounds from now on without changing any answer. Give a task's name or a
        specification, or only the keys that differ from the model's, such as `products=False`. True if it is new, False if it
        already existed."""
        given: dict[str, Any] = {"task": spec} if isinstance(spec, str) else dict(spec or {})
        given.update(keys)
        return self._ask("PUT", self._challenger(name, challenger), given, unknown=UnknownModel).status == 201

    def challengers(self, name: str) -> list[dict[str, Any]]:
        """How a model's challengers are doing: losses (or rewards, if it chooses), their difference with an interval,
        and a verdict."""
        reply = self._ask("GET", self._model(name) + "/challengers", unknown=UnknownModel)
        return [dict(entry) for entry in reply.json()["challengers"]]

    def remove_challenger(self, name: str, challenger: str) -> None:
        """Removes a challenger."""
        reply = self._ask("DELETE", self._challenger(name, challenger), accept={404})
        if reply.status == 404 and reply.tries == 1:
            raise error_of(404, *said(reply.body), UnknownModel)

    def promote(self, name: str, challenger: str) -> None:
        """Swaps the challenger and the model: the former model becomes a challenger."""
        self._ask("POST", self._model(name) + "/promote", {"challenger": challenger}, unknown=UnknownModel)

    def _challenger(self, name: str, challenger: str) -> str:
        if not challenger:
            raise BadInput("a challenger's name must not be empty")
        return self._model(name) + "/challengers/" + urllib.parse.quote(challenger, safe="")
