"""The client: what it sends, what it sends again, and what it makes of the answers."""

import json
import socket
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

import tarry
from tarry import client as module

TICKET = {"ticket": "t1", "round": 1, "prediction": 0.5}


class Scripted:
    """A service that answers with what it was told to, and remembers what it was asked."""

    def __init__(self):
        self.script = []  # (status, value or bytes, headers) or "drop"; the last one stays
        self.seen = []  # (method, path, headers, body, address)
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def answer(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                value = json.loads(body) if body else None
                outer.seen.append((self.command, self.path, dict(self.headers), value, self.client_address))
                step = outer.script.pop(0) if len(outer.script) > 1 else outer.script[0]
                if step == "drop":  # as a process that was killed before it answered
                    self.close_connection = True
                    self.connection.shutdown(socket.SHUT_RDWR)
                    return
                status, value, headers = (*step, {})[:3]
                data = value if isinstance(value, bytes) else json.dumps(value).encode()
                self.send_response(status)
                for name, text in headers.items():
                    self.send_header(name, text)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_PUT = do_POST = do_DELETE = answer

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def answers(self, *script):
        self.script, self.seen = list(script), []


@pytest.fixture(scope="module")
def scripted():
    service = Scripted()
    yield service
    service.server.shutdown()
    service.server.server_close()


@pytest.fixture
def pauses(monkeypatch):
    """The pauses that the client made, none of which is waited for."""
    made = []
    monkeypatch.setattr(module.time, "sleep", made.append)
    return made


@pytest.fixture
def client(scripted, pauses):
    with tarry.Client(scripted.url, timeout=5) as made:
        yield made


def problem(code, message):
    return {"error": {"code": code, "message": message}}


def test_a_decision_carries_a_key_and_a_body(scripted, client):
    scripted.answers((200, TICKET))
    t = client.decide("returns", {"price": 80}, key="order-17")
    assert (t.ticket, t.round, t.prediction) == ("t1", 1, 0.5)
    method, path, headers, body, _ = scripted.seen[0]
    assert (method, path, body) == (
        "POST",
        "/v1/models/returns/decisions",
        {"features": {"price": 80}, "key": "order-17"},
    )
    assert len(headers["Idempotency-Key"]) >= 16
    assert headers["Content-Type"] == "application/json"
    assert "Authorization" not in headers


def test_a_refusal_that_came_while_it_was_sending_is_read(pauses):
    """The service answers once it has the headers, and hangs up on the rest of the body."""
    body = json.dumps(problem("too_large", "the body must have at most 1000 bytes (--max-body), and 64000000 came")).encode()
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def refuse():
            connection, _ = listening.accept()
            with connection:
                connection.recv(1000)
                head = f"HTTP/1.1 413 Payload Too Large\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n"
                connection.sendall(head.encode() + body)

        thread = threading.Thread(target=refuse)
        thread.start()
        with tarry.Client(f"http://127.0.0.1:{listening.getsockname()[1]}", timeout=5) as client:
            with pytest.raises(tarry.BadInput, match="--max-body"):
                client.restore("m", b"x" * 64_000_000)
        thread.join()


def test_two_decisions_have_two_keys(scripted, client):
    scripted.answers((200, TICKET))
    client.decide("m", [1])
    client.decide("m", [1])
    assert len({headers["Idempotency-Key"] for _, _, headers, _, _ in scripted.seen}) == 2


@pytest.mark.parametrize(
    "trouble",
    [
        "drop",
        (503, problem("overloaded", "behind")),
        (502, b"<html>bad gateway</html>"),
        (409, problem("in_flight", "wait")),
    ],
    ids=["drop", "503", "502", "in_flight"],
)
def test_a_decision_is_sent_again_with_the_same_key_and_body(scripted, client, trouble):
    scripted.answers(trouble, trouble, (200, TICKET))
    assert client.decide("m", {"x": 1}).ticket == "t1"
    assert len(scripted.seen) >= 3
    assert len({headers["Idempotency-Key"] for _, _, headers, _, _ in scripted.seen}) == 1
    assert all(body == {"features": {"x": 1}} for _, _, _, body, _ in scripted.seen)


def test_it_waits_as_long_as_the_service_asks(scripted, client, pauses):
    scripted.answers((503, problem("overloaded", "behind"), {"Retry-After": "3"}), (200, TICKET))
    client.decide("m")
    assert pauses == [3]


def test_it_waits_longer_each_time(scripted, client, pauses):
    scripted.answers(*[(503, problem("overloaded", "behind"))] * 5, (200, TICKET))
    client.decide("m")
    assert len(pauses) == 5
    assert pauses[4] > 2 * pauses[0]


def test_its_patience_ends_with_what_the_service_said(scripted):
    scripted.answers((503, problem("overloaded", "the model is behind"), {"Retry-After": "60"}))
    with (
        tarry.Client(scripted.url, patience=0.5) as hasty,
        pytest.raises(module.Unavailable, match="the model is behind"),
    ):
        hasty.decide("m")
    assert len(scripted.seen) == 1


def test_nobody_there_is_an_io_error():
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    with pytest.raises(tarry.Io) as raised:
        tarry.Client(f"http://127.0.0.1:{port}", patience=0.1).models()
    assert isinstance(raised.value, ConnectionError)
    assert str(port) in str(raised.value)


def test_a_silent_service_times_out():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(module.Unavailable, match="timed out"):
            tarry.Client(url, timeout=0.2, patience=0.1).models()


def test_connections_are_kept(scripted, client):
    scripted.answers((200, TICKET))
    for _ in range(5):
        client.decide("m")
    assert len({address for *_, address in scripted.seen}) == 1


def test_a_kept_connection_that_was_closed_meanwhile_is_replaced_at_once(scripted, client, pauses):
    scripted.answers((200, TICKET), "drop", (200, TICKET))
    client.decide("m")
    client.decide("m")
    assert pauses == []
    assert len(scripted.seen) == 3


@pytest.mark.parametrize(
    ("status", "code", "kind", "builtin"),
    [
        (400, "bad_input", tarry.BadInput, ValueError),
        (400, "bad_spec", tarry.BadSpec, ValueError),
        (401, "unauthorized", module.Denied, PermissionError),
        (403, "forged", module.Denied, PermissionError),
        (404, "unknown", tarry.UnknownTicket, KeyError),
        (409, "conflict", tarry.Conflict, ValueError),
        (413, "too_large", tarry.BadInput, ValueError),
        (422, "bad_input", tarry.BadInput, ValueError),
        (422, "unsupported", tarry.Unsupported, ValueError),
        (500, "lost", module.Lost, LookupError),
        (500, "internal", tarry.Internal, RuntimeError),
        (507, "disk_full", tarry.Io, OSError),
        (507, "out_of_memory", tarry.OutOfMemory, MemoryError),
    ],
)
def test_errors_are_the_packages(scripted, client, status, code, kind, builtin):
    scripted.answers((status, problem(code, "what went wrong")))
    with pytest.raises(kind) as raised:
        client.feedback("t1", True)
    assert type(raised.value) is kind
    assert isinstance(raised.value, builtin) and isinstance(raised.value, tarry.TarryError)
    assert str(raised.value) == "what went wrong"
    assert len(scripted.seen) == 1


def test_a_missing_model_is_unknown_by_name(scripted, client):
    scripted.answers((404, problem("unknown_model", "no model is called 'm'")))
    for call in (client.decide, client.model, client.delete, client.snapshot, lambda name: client.predict(name, [1])):
        with pytest.raises(module.UnknownModel, match="no model is called"):
            call("m")


def test_outcomes_of_feedback_are_values(scripted, client):
    scripted.answers(
        (200, {"status": "accepted"}),
        (200, {"status": "accepted", "duplicate": True}),
        (410, problem("expired", "round 1 has expired")),
    )
    assert [client.feedback("t1", True) for _ in range(3)] == ["accepted", "duplicate", "expired"]


@pytest.mark.parametrize(
    ("arguments", "keywords", "body"),
    [
        (("t", True), {}, {"ticket": "t", "label": True}),
        (("t", False), {}, {"ticket": "t", "label": False}),
        (("t", 0), {}, {"ticket": "t", "label": 0}),
        (("t",), {"gradient": (1, 2)}, {"ticket": "t", "gradient": [1, 2]}),
        (("t",), {"indices": [0], "values": [2.5]}, {"ticket": "t", "indices": [0], "values": [2.5]}),
        (("t",), {"void": True}, {"ticket": "t", "void": True}),
        ((), {"model": "m", "key": "k", "label": "late"}, {"model": "m", "key": "k", "label": "late"}),
    ],
)
def test_what_feedback_sends(scripted, client, arguments, keywords, body):
    scripted.answers((200, {"status": "accepted"}))
    client.feedback(*arguments, **keywords)
    assert scripted.seen[0][3] == body


def test_a_batch_of_feedback_goes_in_pieces(scripted, client):
    scripted.answers((200, [{"status": "accepted"}] * 1000), (200, [{"status": "accepted", "duplicate": True}] * 500))
    answers = client.feedback_many((f"t{i}", True) for i in range(1500))
    assert answers == ["accepted"] * 1000 + ["duplicate"] * 500
    assert [len(body) for *_, body, _ in scripted.seen] == [1000, 500]
    assert scripted.seen[1][3][0] == {"ticket": "t1000", "label": True}


def test_a_bad_item_stands_beside_the_good_ones(scripted, client):
    scripted.answers(
        (
            200,
            [
                {"status": "accepted"},
                {"error": {"status": 403, "code": "forged", "message": "not ours"}},
                {"error": {"status": 410, "code": "expired", "message": "given up"}},
            ],
        )
    )
    answers = client.feedback_many([("a", True), {"ticket": "b", "gradient": [1]}, ("c", 2)])
    assert (answers[0], answers[2]) == ("accepted", "expired")
    assert isinstance(answers[1], module.Denied)
    assert str(answers[1]) == "not ours"
    scripted.answers(
        (200, {"results": [TICKET, {"error": {"status": 422, "code": "bad_input", "message": "too large"}}]})
    )
    decided = client.decide_many("m", [[1], [2]], keys=["a", "b"])
    assert decided[0].ticket == "t1"
    assert isinstance(decided[1], tarry.BadInput)
    assert scripted.seen[0][3] == {"requests": [{"features": [1], "key": "a"}, {"features": [2], "key": "b"}]}


def test_busy_items_of_a_batch_are_sent_again(scripted, client, pauses):
    busy = {"error": {"status": 503, "code": "overloaded", "message": "behind"}}
    scripted.answers(
        (200, [{"status": "accepted"}, busy, busy]),
        (200, [busy, {"status": "accepted"}]),
        (200, [{"status": "accepted"}]),
    )
    assert client.feedback_many([("a", 1), ("b", 2), ("c", 3)]) == ["accepted"] * 3
    assert [[item["ticket"] for item in body] for *_, body, _ in scripted.seen] == [["a", "b", "c"], ["b", "c"], ["b"]]
    assert len(pauses) == 2


def test_arrays_are_sent_as_lists(scripted, client):
    numpy = pytest.importorskip("numpy")
    scripted.answers((200, TICKET))
    client.decide("m", numpy.array([1.5, 2]))
    client.decide("m", {"x": numpy.float64(0.25), "n": numpy.int64(3)})
    assert [body["features"] for *_, body, _ in scripted.seen] == [[1.5, 2], {"x": 0.25, "n": 3}]


def test_what_json_has_no_word_for_is_refused_before_it_is_sent(scripted, client):
    scripted.answers((200, TICKET))
    for features in ({"x": float("nan")}, [float("inf")]):
        with pytest.raises(tarry.BadInput):
            client.decide("m", features)
    with pytest.raises(TypeError):
        client.decide("m", {"x": object()})
    assert scripted.seen == []


def test_a_retried_delete_that_finds_nothing_has_deleted(scripted, client):
    scripted.answers("drop", "drop", (404, problem("unknown_model", "no such model")))
    client.delete("m")


def test_a_token_is_sent_and_never_shown(scripted, pauses):
    scripted.answers((200, {"models": []}))
    client = tarry.Client(scripted.url, token="secret-token")
    assert client.models() == []
    assert scripted.seen[0][2]["Authorization"] == "Bearer secret-token"
    assert "secret" not in repr(client)


@pytest.mark.parametrize("url", ["127.0.0.1:8080", "ftp://host", "http://", "http://user@host/", "http://host/?a=1"])
def test_urls_that_cannot_be(url):
    with pytest.raises(tarry.BadInput, match="url"):
        tarry.Client(url)


def test_threads_share_a_client(scripted, client):
    scripted.answers((200, TICKET))
    threads = [threading.Thread(target=lambda: [client.decide("m") for _ in range(20)]) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(scripted.seen) == 160
    assert len({headers["Idempotency-Key"] for _, _, headers, _, _ in scripted.seen}) == 160
    assert len({address for *_, address in scripted.seen}) <= 8


def test_it_is_typed(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), "-m", "tarry.client"],
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
