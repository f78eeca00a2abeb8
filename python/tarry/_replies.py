"""What a service's replies mean to `tarry.Client`: decisions, outcomes of feedback, and the errors of the package."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from .errors import BadInput, BadSpec, Conflict, Corrupt, Internal, Io, OutOfMemory, TarryError, UnknownTicket, Unsupported

Outcome = Literal["accepted", "duplicate", "expired", "untracked"]

AGAIN = {429, 502, 503, 504}  # busy, or a proxy that could not reach the service


class Denied(TarryError, PermissionError):
    """The token is missing, unknown or lacks the scope; or a ticket was not signed by this service."""


class UnknownModel(TarryError, KeyError):
    """The service has no model of this name."""

    def __str__(self) -> str:
        return Exception.__str__(self)


class Lost(TarryError, LookupError):
    """The ticket is genuine, but its decision is not in the service's log: it was deleted, or a restore lost it."""


class Unavailable(Io, ConnectionError):
    """No answer, or only "busy", until the client's patience ran out."""


@dataclass(frozen=True)
class Decided:
    """The service's answer to a decision. With features it has `prediction` and `scores`, without them `decision` (and
    `allocation`, by name); `sample` is the vertex drawn, if the learner draws one, and `probe` the second point whose loss it
    wants to know."""

    ticket: str
    round: int
    prediction: Any = None
    scores: dict[str, float] | None = None
    decision: list[float] | None = None
    allocation: dict[str, float] | None = None
    sample: dict[str, Any] | None = None
    probe: list[float] | None = None


@dataclass(frozen=True)
class Chosen:
    """The service's choice: `action` with its `probability`, and the `ranking`: each action's id, probability and
    predicted reward. `shown` is what was shown instead."""

    ticket: str
    round: int
    action: str
    probability: float
    ranking: list[dict[str, Any]]
    shown: str | None = None


for _public in (Denied, UnknownModel, Lost, Unavailable, Decided, Chosen):
    _public.__module__ = "tarry.client"  # where they are documented, and pickled ones are looked for


@dataclass(frozen=True)
class Reply:
    status: int
    headers: Mapping[str, str]
    body: bytes
    tries: int

    def json(self) -> Any:
        try:
            return json.loads(self.body)
        except ValueError:
            raise Internal(f"the service answered {self.status} with what is not JSON: {self.body[:80]!r}") from None


def said(body: bytes) -> tuple[str, str]:
    """The code and the message of an error."""
    try:
        told = json.loads(body)
    except ValueError:
        return "", body[:200].decode(errors="replace").strip()
    error = told.get("error") if isinstance(told, dict) else None
    if not isinstance(error, dict):
        return "", str(told)
    return str(error.get("code", "")), str(error.get("message", ""))


def error_of(status: int, code: str, message: str, unknown: type[TarryError] = UnknownTicket) -> TarryError:
    """The package's error for a status; the code decides where a status has several."""
    by_code: dict[str, type[TarryError]] = {
        "bad_spec": BadSpec, "unsupported": Unsupported, "out_of_memory": OutOfMemory, "memory": OutOfMemory,
        "corrupt": Corrupt, "lost": Lost,
    }
    by_status: dict[int, type[TarryError]] = {
        400: BadInput, 401: Denied, 403: Denied, 404: unknown, 409: Conflict, 413: BadInput, 422: BadInput, 507: Io,
    }
    kind = by_code.get(code) or by_status.get(status)
    if kind is None:
        kind = Unavailable if status in AGAIN else Internal if status >= 500 else BadInput
    return kind(message or f"the service answered {status}")


def decided(reply: Mapping[str, Any]) -> Decided:
    return Decided(
        ticket=reply["ticket"], round=reply["round"], prediction=reply.get("prediction"), scores=reply.get("scores"),
        decision=reply.get("decision"), allocation=reply.get("allocation"), sample=reply.get("sample"),
        probe=reply.get("probe"),
    )


def chosen(reply: Mapping[str, Any]) -> Chosen:
    return Chosen(
        ticket=reply["ticket"], round=reply["round"], action=reply["action"], probability=reply["probability"],
        ranking=reply.get("ranking", []), shown=reply.get("shown"),
    )


def outcome(status: int, reply: Mapping[str, Any]) -> Outcome:
    if status == 410:
        return "expired"
    return "duplicate" if reply.get("duplicate") else "untracked" if reply.get("untracked") else "accepted"


def refused(entry: Mapping[str, Any]) -> TarryError | None:
    """The error of one item of a batch, if it is one."""
    error = entry.get("error")
    if not isinstance(error, Mapping):
        return None
    return error_of(int(error.get("status", 500)), str(error.get("code", "")), str(error.get("message", "")))


def item(entry: Mapping[str, Any]) -> Outcome | TarryError:
    error = entry.get("error")
    if isinstance(error, Mapping) and error.get("status") == 410:
        return "expired"
    return refused(entry) or outcome(200, entry)


def each(listed: Any, wanted: int) -> list[dict[str, Any]]:
    if not isinstance(listed, list) or len(listed) != wanted:
        raise Internal(f"the service did not answer each of {wanted} items")
    return listed
