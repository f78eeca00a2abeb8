"""The client: what it sends, what it sends again, and what it makes of the answers."""

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from conftest import PROGRAM, ROOT, run_program

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
    assert (method, path, body) == ("POST", "/v1/models/returns/decisions", {"features": {"price": 80}, "key": "order-17"})
    assert len(headers["Idempotency-Key"]) >= 16
    assert headers["Content-Type"] == "application/json"
    assert "Authorization" not in headers


def test_two_decisions_have_two_keys(scripted, client):
    scripted.answers((200, TICKET))
    client.decide("m", [1])
    client.decide("m", [1])
    assert len({headers["Idempotency-Key"] for _, _, headers, _, _ in scripted.seen}) == 2


@pytest.mark.parametrize("trouble", [
    "drop", (503, problem("overloaded", "behind")), (502, b"<html>bad gateway</html>"), (409, problem("in_flight", "wait")),
], ids=["drop", "503", "502", "in_flight"])
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
    with tarry.Client(scripted.url, patience=0.5) as hasty, pytest.raises(module.Unavailable, match="the model is behind"):
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


@pytest.mark.parametrize(("status", "code", "kind", "builtin"), [
    (400, "bad_input", tarry.BadInput, ValueError), (400, "bad_spec", tarry.BadSpec, ValueError),
    (401, "unauthorized", module.Denied, PermissionError), (403, "forged", module.Denied, PermissionError),
    (404, "unknown", tarry.UnknownTicket, KeyError), (409, "conflict", tarry.Conflict, ValueError),
    (413, "too_large", tarry.BadInput, ValueError), (422, "bad_input", tarry.BadInput, ValueError),
    (422, "unsupported", tarry.Unsupported, ValueError), (500, "lost", module.Lost, LookupError),
    (500, "internal", tarry.Internal, RuntimeError), (507, "disk_full", tarry.Io, OSError),
    (507, "out_of_memory", tarry.OutOfMemory, MemoryError),
])
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
    scripted.answers((200, {"status": "accepted"}), (200, {"status": "accepted", "duplicate": True}),
                     (410, problem("expired", "round 1 has expired")))
    assert [client.feedback("t1", True) for _ in range(3)] == ["accepted", "duplicate", "expired"]


@pytest.mark.parametrize(("arguments", "keywords", "body"), [
    (("t", True), {}, {"ticket": "t", "label": True}),
    (("t", False), {}, {"ticket": "t", "label": False}),
    (("t", 0), {}, {"ticket": "t", "label": 0}),
    (("t",), {"gradient": (1, 2)}, {"ticket": "t", "gradient": [1, 2]}),
    (("t",), {"indices": [0], "values": [2.5]}, {"ticket": "t", "indices": [0], "values": [2.5]}),
    (("t",), {"void": True}, {"ticket": "t", "void": True}),
    ((), {"model": "m", "key": "k", "label": "late"}, {"model": "m", "key": "k", "label": "late"}),
])
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
    scripted.answers((200, [{"status": "accepted"}, {"error": {"status": 403, "code": "forged", "message": "not ours"}},
                            {"error": {"status": 410, "code": "expired", "message": "given up"}}]))
    answers = client.feedback_many([("a", True), {"ticket": "b", "gradient": [1]}, ("c", 2)])
    assert (answers[0], answers[2]) == ("accepted", "expired")
    assert isinstance(answers[1], module.Denied)
    assert str(answers[1]) == "not ours"
    scripted.answers((200, {"results": [TICKET, {"error": {"status": 422, "code": "bad_input", "message": "too large"}}]}))
    decided = client.decide_many("m", [[1], [2]], keys=["a", "b"])
    assert decided[0].ticket == "t1"
    assert isinstance(decided[1], tarry.BadInput)
    assert scripted.seen[0][3] == {"requests": [{"features": [1], "key": "a"}, {"features": [2], "key": "b"}]}


def test_busy_items_of_a_batch_are_sent_again(scripted, client, pauses):
    busy = {"error": {"status": 503, "code": "overloaded", "message": "behind"}}
    scripted.answers((200, [{"status": "accepted"}, busy, busy]), (200, [busy, {"status": "accepted"}]), (200, [{"status": "accepted"}]))
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
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), module.__file__],
                          capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr


# Against the service itself.

def has_service():
    return b" serve " in subprocess.run([PROGRAM, "--help"], capture_output=True).stdout


@contextlib.contextmanager
def serving(folder, *options):
    """The service on a port of its own: the process, and its address."""
    process = subprocess.Popen([PROGRAM, "serve", "--data", str(folder), "--listen", "127.0.0.1:0", *options],
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        found = None
        for line in process.stdout:
            if found := re.search(r"127\.0\.0\.1:([1-9]\d*)", line):
                break
        assert found, "the service did not say where it listens"
        threading.Thread(target=process.stdout.read, daemon=True).start()
        yield process, f"http://127.0.0.1:{found.group(1)}"
    finally:
        process.kill()
        process.wait()


needs_service = pytest.mark.skipif(not has_service(), reason="this program has no `serve`")


@needs_service
def test_a_whole_life(tmp_path):
    with serving(tmp_path / "data") as (_, url), tarry.Client(url) as client:
        assert client.create("returns", "binary") is True
        assert client.create("returns", task="binary") is False
        with pytest.raises(tarry.Conflict):
            client.create("returns", "regression")
        with pytest.raises(tarry.BadSpec):
            client.create("other", "no_such_task")
        t = client.decide("returns", {"article": "shoes", "price": 80}, key="order-17")
        assert (t.round, t.prediction) == (1, 0.5)
        assert client.feedback(t.ticket, True) == "accepted"
        assert client.feedback(t.ticket, True) == "duplicate"
        assert client.feedback(model="returns", key="order-17", label=True) == "duplicate"
        with pytest.raises(tarry.Conflict):
            client.feedback(t.ticket, False)
        with pytest.raises(module.Denied):
            client.feedback(t.ticket[:-2] + ("aa" if t.ticket[-2:] != "aa" else "bb"), True)
        with pytest.raises(tarry.UnknownTicket):
            client.feedback(model="returns", key="order-18", label=True)
        many = client.decide_many("returns", [{"article": "book", "price": p} for p in (10, 20, 30)])
        assert [d.round for d in many] == [2, 3, 4]
        answers = client.feedback_many([*((d.ticket, False) for d in many), ("nonsense", True), (t.ticket, True)])
        assert answers[:3] == ["accepted"] * 3
        assert isinstance(answers[3], tarry.TarryError)
        assert answers[4] == "duplicate"
        assert client.model("returns")["outstanding"] == 0
        assert [entry["name"] for entry in client.models()] == ["returns"]
        assert client.predict("returns", {"article": "shoes", "price": 80})["prediction"] > 0.5
        with pytest.raises(module.UnknownModel):
            client.decide("nobody", {"x": 1})
        client.delete("returns")
        with pytest.raises(module.UnknownModel):
            client.model("returns")


@needs_service
def test_a_snapshot_is_the_packages_own(tmp_path):
    with serving(tmp_path / "data") as (_, url), tarry.Client(url) as client:
        client.create("m", "binary")
        for i in range(20):
            client.feedback(client.decide("m", {"x": i % 3, "city": "Paris" if i % 2 else "Oslo"}).ticket, i % 2 == 0)
        data = client.snapshot("m", tmp_path / "m.tarry")
        assert (tmp_path / "m.tarry").read_bytes() == data
        model = tarry.Model.from_bytes(data)
        assert model.hash() == client.model("m")["hash"]
        assert model.predict({"x": 1, "city": "Oslo"}) == client.predict("m", {"x": 1, "city": "Oslo"})["prediction"]


@needs_service
def test_the_ranking_example_learns(tmp_path):
    example = ROOT / "examples" / "service" / "ranking.py"
    with serving(tmp_path / "data") as (_, url):
        done = subprocess.run([sys.executable, "-B", example, url], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    first, last = map(int, re.findall(r"100: (\d+)", done.stdout))
    assert last > max(first, 70)


def test_the_ranking_example_is_typed(tmp_path):
    example = ROOT / "examples" / "service" / "ranking.py"
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), example], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr


@needs_service
@pytest.mark.skipif(not shutil.which("openssl"), reason="there is no openssl to make a certificate with")
def test_tls_with_a_token(tmp_path):
    key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key, "-out", certificate,
                    "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
    token = run_program("token", "add", "--data", tmp_path / "data", "all", *(word for scope in ("decide", "feedback", "admin", "read")
                                                                           for word in ("--scope", scope)))[0]
    with serving(tmp_path / "data", "--tls-cert", str(certificate), "--tls-key", str(key)) as (_, url):
        url = url.replace("http:", "https:")
        trusting = ssl.create_default_context(cafile=str(certificate))
        with tarry.Client(url, token, context=trusting) as client:
            client.create("m", "binary")
            assert client.feedback(client.decide("m", {"x": 1}).ticket, True) == "accepted"
        with tarry.Client(url, "nobody." + "x" * 40, context=trusting) as client, pytest.raises(module.Denied):
            client.models()
        with tarry.Client(url, token, patience=5) as client, pytest.raises(module.Unavailable, match="certificate"):
            client.models()  # nobody vouches for it: not tried again


@needs_service
def test_a_killed_service_doubles_nothing(tmp_path):
    """Decisions go on over kill -9: the client hides it, and there are as many rounds as decisions."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [PROGRAM, "serve", "--data", str(tmp_path / "data"), "--listen", f"127.0.0.1:{port}"]
    start = lambda: subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    process = start()
    decided = []
    try:
        with tarry.Client(f"http://127.0.0.1:{port}", timeout=5, patience=60) as client:
            client.create("m", "binary")
            done = threading.Event()

            def decide():
                for i in range(150):
                    t = client.decide("m", {"x": i})
                    assert client.feedback(t.ticket, True) in ("accepted", "duplicate")
                    decided.append(t.round)
                done.set()

            worker = threading.Thread(target=decide)
            worker.start()
            for _ in range(3):
                time.sleep(0.05)
                os.kill(process.pid, signal.SIGKILL)
                process.wait()
                process = start()
            worker.join(120)
            assert done.is_set()
            assert decided == list(range(1, 151))
            state = client.model("m")
            assert (state["rounds"], state["outstanding"]) == (150, 0)
    finally:
        process.kill()
        process.wait()
