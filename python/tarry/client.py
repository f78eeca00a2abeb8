"""A client of `tarry serve`. It needs only the standard library, keeps connections open, and retries without doubling anything.

    client = tarry.Client("http://127.0.0.1:8080", token)
    client.create("returns", "binary")
    t = client.decide("returns", {"article": "shoes", "price": 80})
    client.feedback(t.ticket, True)                     # days later, in any order, as often as you like

A request that got no answer is sent again. That is safe: decisions carry an Idempotency-Key, and the service answers repeated
feedback with `duplicate` and learns from it once.
"""

from __future__ import annotations

import http.client
import itertools
import os
import random
import ssl
import threading
import time
import urllib.parse
import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Union

from ._challengers import Challengers
from ._encode import encoded
from ._replies import (
    AGAIN, Chosen, Decided, Denied, Lost, Outcome, Reply, Unavailable, UnknownModel, chosen, decided, each, error_of, item, outcome, refused, said,
)
from .errors import BadInput, Io, TarryError, UnknownTicket

__all__ = ["Chosen", "Client", "Decided", "Denied", "Lost", "Outcome", "Unavailable", "UnknownModel"]

Label = Union[bool, float, str]

_IDLE = 20.0  # seconds after which an idle connection is no longer trusted
_BATCH = 1000  # items of a batch that go into one request


class Client(Challengers):
    """One service. Threads may share a client: each call takes a connection of its own and gives it back.

    `url` is where `tarry serve` listens, and `token` one that `tarry token add` printed. Each attempt may take `timeout` seconds.
    If it fails for now (no connection, no answer, busy), the client tries again, with growing pauses and at least as long as
    the service asks, for `patience` seconds; then it raises `Unavailable`. `context` holds TLS settings.
    """

    def __init__(
        self,
        url: str = "http://127.0.0.1:8080",
        token: str | None = None,
        *,
        timeout: float = 10.0,
        patience: float = 30.0,
        context: ssl.SSLContext | None = None,
    ) -> None:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise BadInput(f"url must be http://HOST:PORT or https://HOST:PORT (url = {url!r})")
        if parts.query or parts.fragment or parts.username:
            raise BadInput(f"url must have no user, query or fragment (url = {url!r})")
        if timeout <= 0 or patience < 0:
            raise BadInput(f"timeout must be positive and patience not negative (timeout = {timeout}, patience = {patience})")
        self._secure = parts.scheme == "https"
        self._host, self._port = parts.hostname, parts.port or (443 if self._secure else 80)
        self._prefix = parts.path.rstrip("/")
        self._url = url
        self._token = token
        self._timeout, self._patience = timeout, patience
        self._context = (context or ssl.create_default_context()) if self._secure else None
        self._lock = threading.Lock()
        self._kept: list[tuple[http.client.HTTPConnection, float]] = []  # idle, and since when
        self._process = os.getpid()

    def __repr__(self) -> str:
        return f"Client({self._url!r})"  # never the token

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the idle connections. The client can still be used."""
        with self._lock:
            kept, self._kept = self._kept, []
        for connection, _ in kept:
            connection.close()

    # Models

    def create(self, name: str, spec: str | Mapping[str, Any] | None = None, **keys: Any) -> bool:
        """Makes a model from a task's name, a specification, or its keys. True if it is new, False if the same model already
        existed; a different one raises `Conflict`."""
        given: dict[str, Any] = {"task": spec} if isinstance(spec, str) else dict(spec or {})
        given.update(keys)
        return self._ask("PUT", self._model(name), given, unknown=UnknownModel).status == 201

    def models(self) -> list[dict[str, Any]]:
        """All models, each with its name and a summary of its state."""
        return [dict(entry) for entry in self._ask("GET", "/v1/models").json()["models"]]

    def model(self, name: str) -> dict[str, Any]:
        """What a model knows: rounds, outstanding, delays, weights, certificate, its position and state hash."""
        return dict(self._ask("GET", self._model(name), unknown=UnknownModel).json())

    def quality(self, name: str) -> dict[str, Any]:
        """How good a model is before its labels have come, and what has changed: `quality` has a `sentence`, the expected loss
        with its 95 % interval (`lately`, `spans`), `calibration`, and `reliability`, a row (labels, predicted, happened) for
        each bin of the prediction; `drift` has alarms. Both are None for models that learn from gradients."""
        return dict(self._ask("GET", self._model(name) + "/quality", unknown=UnknownModel).json())

    def delete(self, name: str) -> None:
        """Deletes a model and everything it has learnt."""
        reply = self._ask("DELETE", self._model(name), accept={404})
        if reply.status == 404 and reply.tries == 1:  # after a retry it was we who deleted it
            raise error_of(404, *said(reply.body), UnknownModel)

    def round(
        self, name: str, *, key: str | None = None, ticket: str | None = None, number: int | None = None
    ) -> dict[str, Any]:
        """One round by its key, its ticket or its number: features, prediction, what contributes, when it was played,
        and its feedback. Needs a token with the scope `admin`."""
        given = {"key": key, "ticket": ticket, "round": number}
        return self._rounds(name, {what: value for what, value in given.items() if value is not None})

    def rounds_behind(self, name: str, alarm: int) -> dict[str, Any]:
        """Some of the rounds behind an alarm, by its number in `drift` of the model's view."""
        return self._rounds(name, {"alarm": alarm})

    def _rounds(self, name: str, query: Mapping[str, Any]) -> dict[str, Any]:
        path = f"{self._model(name)}/rounds?{urllib.parse.urlencode(query)}"
        return dict(self._ask("GET", path, unknown=UnknownTicket).json())

    def restore(self, name: str, snapshot: bytes | str | os.PathLike[str]) -> bool:
        """Makes a model that continues from a snapshot, or a file with one: from a service, `tarry.Model.save`, or
        `model.tarry` of `tarry run`. True if it is new, False if it already existed in this state; one in another state
        raises `Conflict`."""
        if not isinstance(snapshot, bytes):
            try:
                with open(snapshot, "rb") as file:
                    snapshot = file.read()
            except OSError as error:
                raise Io(str(error)) from error
        kind = {"Content-Type": "application/octet-stream"}
        return self._ask("PUT", self._model(name) + "/snapshot", snapshot, kind, unknown=UnknownModel).status == 201

    def snapshot(self, name: str, path: str | os.PathLike[str] | None = None) -> bytes:
        """The model in its current state, for `tarry.Model.from_bytes` and `tarry replay --load`; also written to `path`,
        whole or not at all."""
        data = self._ask("GET", self._model(name) + "/snapshot", unknown=UnknownModel).body
        if path is not None:
            beside = f"{os.fspath(path)}.part"
            try:
                with open(beside, "wb") as out:
                    out.write(data)
                os.replace(beside, path)
            except OSError as error:
                raise Io(str(error)) from error
        return data

    # Decisions

    def decide(
        self, name: str, features: Any = None, *, key: str | None = None, due: float | None = None,
        idempotency_key: str | None = None,
    ) -> Decided:
        """Opens a round, and only one, however often the request has to be sent: `idempotency_key`, random by default,
        identifies it. `key` is your own name for the round, for feedback without its ticket. `due` is when the answer is
        expected, in seconds since 1970."""
        reply = self._decide(name, _request(features, key, due), idempotency_key)
        return decided(reply)

    def decide_many(
        self, name: str, features: Sequence[Any], *, keys: Sequence[str] | None = None, idempotency_key: str | None = None
    ) -> list[Decided | TarryError]:
        """Opens a round for each row of features, in one request. A bad row opens none and does not affect
        the others: its place in the result holds the error that `decide` would have raised."""
        if keys is not None and len(keys) != len(features):
            raise BadInput(f"there must be a key for each row (keys = {len(keys)}, rows = {len(features)})")
        requests = [_request(row, keys[i] if keys is not None else None) for i, row in enumerate(features)]
        if not requests:
            return []
        listed = each(self._decide(name, {"requests": requests}, idempotency_key)["results"], len(requests))
        return [refused(entry) or decided(entry) for entry in listed]

    def choose(
        self, name: str, context: Any, actions: Sequence[Any] | None = None, *, exclude: Sequence[str] | None = None,
        shown: Any = None, key: str | None = None, due: float | None = None, idempotency_key: str | None = None,
    ) -> Chosen:
        """Chooses one of the actions (ids, or mappings with `id` and `features`), by default those of the specification.
        As with `decide`, a repeated request gets the same choice. The reward is the label of `feedback`. `shown` says what was
        shown instead: an id, or a mapping with `id` and `probability`."""
        given = {"context": context, "actions": actions, "exclude": exclude, "shown": shown, "key": key, "due": due}
        body = {name: value for name, value in given.items() if value is not None}
        return chosen(self._decide(name, body, idempotency_key, "/choices"))

    def predict(self, name: str, features: Any) -> Any:
        """What `decide` would answer now; opens no round."""
        return self._ask("POST", self._model(name) + "/predict", {"features": features}, unknown=UnknownModel).json()

    def predict_many(self, name: str, features: Sequence[Any]) -> list[Any]:
        """The same for each row, in one request; the place of a bad row holds its error."""
        if len(features) == 0:
            return []
        body = {"requests": [{"features": row} for row in features]}
        reply = self._ask("POST", self._model(name) + "/predict", body, unknown=UnknownModel).json()
        return [refused(entry) or entry for entry in each(reply["results"], len(features))]

    def _decide(self, name: str, body: dict[str, Any], key: str | None, door: str = "/decisions") -> Any:
        headers = {"Idempotency-Key": key or uuid.uuid4().hex}
        return self._ask("POST", self._model(name) + door, body, headers, unknown=UnknownModel).json()

    # Feedback

    def feedback(
        self,
        ticket: str | None = None,
        label: Label | None = None,
        *,
        gradient: Any = None,
        indices: Any = None,
        values: Any = None,
        loss: float | Sequence[float] | None = None,
        void: bool = False,
        features: Any = None,
        model: str | None = None,
        key: str | None = None,
        revise: bool = False,
        sequence: float | None = None,
        part: str | None = None,
        shown: str | Mapping[str, Any] | None = None,
    ) -> Outcome:
        """Sends the outcome of a decision: a label, a gradient (in full, or as `indices` and `values`), its `loss` (two if the
        answer had a probe), or `void=True` if the decision was never used. A ticket identifies the round, or `model` and
        `key`. In a model with `revisable`, `revise=True` replaces the earlier label, and the label with the largest
        `sequence` counts; `part` names a part of a sum. With the reward of a choice, `shown` says what was shown instead: an
        id, or a mapping with `id`, `probability` and `features`. Returns "accepted", "duplicate" (it came before),
        "untracked" (the model did not keep the round) or "expired" (the round was given up)."""
        given = {
            "ticket": ticket, "model": model, "key": key, "label": label, "gradient": gradient, "indices": indices,
            "values": values, "loss": loss, "features": features, "void": True if void else None, "revise": True if revise else None, "sequence": sequence,
            "part": part, "shown": shown,
        }
        body = {name: value for name, value in given.items() if value is not None}
        reply = self._ask("POST", "/v1/feedback", body, accept={410})
        return outcome(reply.status, reply.json())

    def feedback_many(self, items: Iterable[Mapping[str, Any] | tuple[str, Label]]) -> list[Outcome | TarryError]:
        """Sends many at once, each a `(ticket, label)` or a mapping with the keywords of `feedback`. A bad item does not affect
        the others: its place in the result holds the error that `feedback` would have raised."""
        rows = [dict(item) if isinstance(item, Mapping) else {"ticket": item[0], "label": item[1]} for item in items]
        answers: list[Outcome | TarryError] = []
        for start in range(0, len(rows), _BATCH):
            answers += self._feed(rows[start : start + _BATCH])
        return answers

    def _feed(self, rows: list[dict[str, Any]]) -> list[Outcome | TarryError]:
        """One batch; items whose model was busy are sent again."""
        answers: list[Outcome | TarryError] = [Unavailable("not sent")] * len(rows)
        left = list(range(len(rows)))
        end = time.monotonic() + self._patience
        for tries in itertools.count(1):
            reply = each(self._ask("POST", "/v1/feedback", [rows[i] for i in left]).json(), len(left))
            for i, entry in zip(left, reply):
                answers[i] = item(entry)
            left = [i for i in left if isinstance(answers[i], Unavailable)]
            pause = _pause(tries)
            if not left or time.monotonic() + pause > end:
                break
            time.sleep(pause)
        return answers

    # The service itself

    def ready(self) -> bool:
        """Whether the service has read its log and takes requests; does not retry."""
        try:
            return self._once("GET", "/readyz", None, {}, self._timeout).status == 200
        except (OSError, http.client.HTTPException):
            return False

    def metrics(self) -> str:
        """The metrics, as Prometheus reads them."""
        return self._ask("GET", "/metrics").body.decode()

    # Below: one request, and how often it is sent

    @staticmethod
    def _model(name: str) -> str:
        if not name:
            raise BadInput("a model's name must not be empty")
        return "/v1/models/" + urllib.parse.quote(name, safe="")

    def _ask(
        self,
        method: str,
        path: str,
        value: Any = None,
        headers: Mapping[str, str] | None = None,
        *,
        unknown: type[TarryError] = UnknownTicket,
        accept: Iterable[int] = (),
    ) -> Reply:
        """Sends a request until it is answered; every request of this client may be repeated."""
        body = value if value is None or isinstance(value, bytes) else encoded(value)
        end = time.monotonic() + self._patience
        tries = 0
        while True:
            tries += 1
            asked = 0.0  # how long the service asked us to wait
            try:
                reply = self._once(method, path, body, headers or {}, self._timeout)
            except (OSError, http.client.HTTPException) as error:
                trouble: TarryError = Unavailable(f"{self._url}: {error or type(error).__name__}")
                if isinstance(error, ssl.SSLCertVerificationError):
                    raise trouble from error
            else:
                if reply.status < 300 or reply.status in accept:
                    return Reply(reply.status, reply.headers, reply.body, tries)
                code, message = said(reply.body)
                trouble = error_of(reply.status, code, message, unknown)
                in_flight = reply.status == 409 and code == "in_flight"  # our own first attempt, still on its way
                if not (in_flight or reply.status in AGAIN):
                    raise trouble
                asked = _seconds(reply.headers.get("retry-after", ""))
            pause = max(asked, _pause(tries))
            if time.monotonic() + pause > end:
                raise trouble
            time.sleep(pause)

    def _once(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str], timeout: float) -> Reply:
        """One attempt; a kept connection that the service had closed meanwhile does not count as one."""
        sent = {"Accept": "application/json", **headers}
        if body is not None:
            sent.setdefault("Content-Type", "application/json")
        if self._token is not None:
            sent["Authorization"] = f"Bearer {self._token}"
        while True:
            connection, kept = self._take(timeout)
            cut_off = False
            try:
                try:
                    connection.request(method, self._prefix + path, body=body, headers=sent)
                except ConnectionError:
                    if connection.sock is None:  # there was no connection at all
                        raise
                    cut_off = True  # refused while it was being sent: the service may have said why
                answer = connection.getresponse()
                data = answer.read()
            except (ConnectionError, http.client.BadStatusLine):
                connection.close()
                if kept:
                    continue
                raise
            except BaseException:
                connection.close()  # also when interrupted: half an answer must not meet the next request
                raise
            if answer.will_close or cut_off:
                connection.close()
            else:
                self._give_back(connection)
            return Reply(answer.status, {name.lower(): value for name, value in answer.getheaders()}, data, 1)

    def _take(self, timeout: float) -> tuple[http.client.HTTPConnection, bool]:
        """A connection, and whether it was used before."""
        with self._lock:
            if self._process != os.getpid():  # a fork's connections are its parent's
                self._kept, self._process = [], os.getpid()
            while self._kept:
                connection, since = self._kept.pop()
                if time.monotonic() - since < _IDLE:
                    return connection, True
                connection.close()
        if self._secure:
            return http.client.HTTPSConnection(self._host, self._port, timeout=timeout, context=self._context), False
        return http.client.HTTPConnection(self._host, self._port, timeout=timeout), False

    def _give_back(self, connection: http.client.HTTPConnection) -> None:
        with self._lock:
            self._kept.append((connection, time.monotonic()))


def _request(features: Any, key: str | None, due: float | None = None) -> dict[str, Any]:
    given = {"features": features, "key": key, "due": due}
    return {name: value for name, value in given.items() if value is not None}


def _pause(tries: int) -> float:
    """Seconds to wait after so many tries: longer each time, with a random part."""
    return min(2.0, 0.05 * 2.0 ** min(tries - 1, 10)) * random.uniform(0.5, 1.0)


def _seconds(text: str) -> float:
    try:
        return max(0.0, float(text))
    except ValueError:
        return 0.0
