"""Connections that show no valid token cost the others nothing: their bodies are not read, they are few, and they go first."""

import http.client
import select
import socket
import threading
import time
import unittest

from program import tarry
from service import PATIENCE, SOAK, ServiceTest

SCOPES = ("decide", "feedback", "admin", "read")
MIB = 1 << 20
SLOW = 1024


def head(path="/v1/models/m/decisions", method="POST", **headers):
    lines = [f"{method} {path} HTTP/1.1", "Host: tarry.example.org", "Content-Type: application/json"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def answer_on(connection):
    """Status, headers and body of what comes on a socket."""
    answer = http.client.HTTPResponse(connection)
    answer.begin()
    return answer.status, {name.lower(): text for name, text in answer.getheaders()}, answer.read()


def is_open(connection):
    """Nothing came and nobody hung up."""
    return not select.select([connection], [], [], 0)[0]


class WithToken(ServiceTest):
    def setUp(self):
        super().setUp()
        scopes = [word for scope in SCOPES for word in ("--scope", scope)]
        made = tarry("token", "add", "--data", str(self.folder / "data"), "t", *scopes)
        self.assertEqual(made.returncode, 0, made.stderr)
        self.bearer = {"Authorization": "Bearer " + made.stdout.decode().strip()}

    def ask(self, service, method, path, value=None, connection=None):
        return service.ask(method, path, value, self.bearer, connection)

    def sockets(self, service, count):
        opened = [service.connect() for _ in range(count)]
        for one in opened:
            self.addCleanup(one.close)
        return opened


class Bodies(WithToken):
    def test_a_body_without_a_token_is_neither_read_nor_counted(self):
        service = self.serve()
        self.assert_status(self.ask(service, "PUT", "/v1/models/m", {"task": "binary"}), 201)
        strangers = self.sockets(service, 70)
        for i, one in enumerate(strangers):  # as many as would fill all the room for large bodies
            one.sendall(head(Content_Length=8 * MIB) if i % 2 else head(Transfer_Encoding="chunked"))
        for one in strangers:
            status, headers, _ = answer_on(one)
            self.assertEqual((status, headers["connection"]), (401, "close"))
        large = {"features": {f"name-{i}": 1.5 for i in range(10000)}}
        self.assert_status(self.ask(service, "POST", "/v1/models/m/decisions", large), 200)

    def test_what_needs_no_token_takes_no_body(self):
        service = self.serve()
        one, = self.sockets(service, 1)
        one.sendall(head("/healthz", "GET", Content_Length=8 * MIB))
        self.assertEqual(answer_on(one)[0], 200)

    def test_a_refused_body_is_drained_for_a_while(self):
        """64 KiB and two seconds; what the system itself takes meanwhile is not ours."""
        service = self.serve()
        one, = self.sockets(service, 1)
        one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 16)
        one.sendall(head(Content_Length=1 << 40))
        start, sent = time.monotonic(), 0
        try:
            while time.monotonic() - start < 30:
                sent += one.send(b" " * 65536)
        except OSError:
            pass
        self.assertLess(time.monotonic() - start, 10)
        self.assertLess(sent, 64 * MIB)
        silent, = self.sockets(service, 1)
        silent.sendall(head(Content_Length=1 << 40))
        self.assertEqual(answer_on(silent)[0], 401)
        start = time.monotonic()
        self.assertEqual(silent.recv(1), b"")  # it has been told that nothing more comes
        while time.monotonic() - start < 30:
            try:
                silent.send(b" ")
            except OSError:
                break
            time.sleep(0.1)
        self.assertLess(time.monotonic() - start, 10)


class Slow(threading.Thread):
    """Opens connections, says part of a request on each, and lets the oldest go: so many are there at a time."""

    def __init__(self, service, count):
        super().__init__()
        self.service, self.count, self.opened, self.stop = service, count, 0, threading.Event()

    def run(self):
        held = []
        while not self.stop.is_set():
            try:
                one = self.service.connect(5)
                one.send(b"GET /healthz HTTP/1.1\r\nHost: ")
                held.append(one)
                self.opened += 1
            except OSError:
                time.sleep(0.01)
            if len(held) > self.count:
                held.pop(0).close()
                time.sleep(0.005)  # they come and go: new ones hundreds of times a second, not as fast as they can
        for one in held:
            one.close()


class Crowds(WithToken):
    def test_requests_are_answered_beside_slow_connections(self):
        service = self.serve()
        self.assert_status(self.ask(service, "PUT", "/v1/models/m", {"task": "binary"}), 201)
        slow = [Slow(service, SLOW // 4) for _ in range(4)]
        for one in slow:
            one.start()
        try:
            end = time.monotonic() + PATIENCE
            while sum(one.opened for one in slow) < SLOW and time.monotonic() < end:
                time.sleep(0.01)
            count, again = 320 if SOAK else 32, 0
            for i in range(count):
                # They share an interpreter with us: a connection may be the oldest before its request is sent.
                for ask in (lambda: service.ask("GET", "/healthz"),
                            lambda: self.ask(service, "POST", "/v1/models/m/decisions", {"features": {"x": i}, "key": str(i)})):
                    try:
                        answer = ask()
                    except OSError:
                        again += 1
                        answer = ask()
                    self.assert_status(answer, 200)
            self.assertLess(again, count / 8)
        finally:
            for one in slow:
                one.stop.set()
            for one in slow:
                one.join()
        self.assertGreater(sum(one.opened for one in slow), SLOW)

    def test_one_address_has_few_and_older_ones_go(self):
        service = self.serve("--max-connections", "16")  # 4 of one address without a token
        strangers = self.sockets(service, 10)
        for i, one in enumerate(strangers):  # what a header says about addresses counts for nothing
            one.sendall(head("/healthz", "GET", X_Forwarded_For=f"10.0.0.{i}")[:-2])
            time.sleep(0.01)
        end = time.monotonic() + PATIENCE
        while sum(map(is_open, strangers)) > 4 and time.monotonic() < end:
            time.sleep(0.01)
        left = [one for one in strangers if is_open(one)]
        self.assertEqual(len(left), 4)
        self.assertEqual(left[-3:], strangers[-3:])
        for one in set(strangers) - set(left):
            status, headers, body = answer_on(one)
            self.assertEqual((status, headers["retry-after"], headers["connection"]), (503, "1", "close"), body)
            self.assertEqual(one.recv(1), b"")
        for one in left:
            one.sendall(b"\r\n")
            self.assertEqual(answer_on(one)[0], 200)
        told = self.ask(service, "GET", "/metrics").body.decode()
        self.assertRegex(told, r"\ntarry_http_connections_refused_total [6-9]\n")

    def test_who_speaks_late_is_heard_beside_a_flood(self):
        """More connections come from its own address, before it speaks, than may be there: now and then it is heard all the same."""
        service = self.serve("--max-connections", "64")  # 16 of one address without a token
        heard = []
        for _ in range(40):
            slow, *_ = self.sockets(service, 1)
            flood = [service.connect() for _ in range(20)]
            try:
                time.sleep(0.02)
                slow.sendall(head("/v1/models", "GET", **self.bearer))
                heard.append(answer_on(slow)[0])
            except OSError:
                heard.append(503)
            finally:
                for one in flood:
                    one.close()
        self.assertIn(200, heard)
        self.assertLess(heard.count(200), 40)  # or there was no flood

    def test_a_valid_token_lifts_the_limit(self):
        service = self.serve("--max-connections", "16")
        known = [service.connection() for _ in range(10)]
        for one in known:
            self.addCleanup(one.close)
            self.assert_status(self.ask(service, "GET", "/v1/models", connection=one), 200)
        strangers = self.sockets(service, 50)
        self.assert_status(service.ask("GET", "/healthz"), 200)
        for one in known:
            self.assert_status(self.ask(service, "GET", "/v1/models", connection=one), 200)
        self.assertEqual(sum(map(is_open, strangers)) <= 4, True)

    def test_above_the_limit_one_is_told_so(self):
        """Where all connections have shown a token the next one is answered 503, and is not reset."""
        service = self.serve("--max-connections", "8")
        for _ in range(8):
            one = service.connection()
            self.addCleanup(one.close)
            self.assert_status(self.ask(service, "GET", "/v1/models", connection=one), 200)
        for request in (b"", head("/healthz", "GET"), head(Content_Length=1000) + b" " * 1000):
            one, = self.sockets(service, 1)
            one.sendall(request)
            status, headers, body = answer_on(one)
            self.assertEqual((status, headers["retry-after"], headers["connection"]), (503, "1", "close"), body)
            self.assertEqual(one.recv(1), b"")


if __name__ == "__main__":
    unittest.main()
