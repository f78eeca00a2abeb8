"""Thousands of malformed requests: the service answers each or hangs up, with no 5xx, and is none the worse for it."""

import random
import re
import socket
import unittest
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from malformed import Fuzzer, request
from service import SOAK, ServiceTest

REQUESTS = 100_000 if SOAK else 10_000
CLIENTS, ROUND = 8, 500
ALLOWED = {501, 505}  # what HTTP itself has for methods and versions that nobody serves


def exchange(service, text):
    """All that the service says to these bytes, after which nothing more is sent."""
    with service.connect() as connection:
        said = b""
        try:
            connection.sendall(text)
            connection.shutdown(socket.SHUT_WR)
            while piece := connection.recv(65536):
                said += piece
        except TimeoutError:
            raise
        except OSError:
            pass  # it hung up while we were still talking
        return said


class Malformed(ServiceTest):
    def test_no_crash_and_no_5xx(self):
        service = self.serve()
        service.create("m", {"task": "binary", "features": {"capacity": 256}})
        fuzz = Fuzzer(random.Random(5), service.decide("m", {"x": 1})["ticket"])
        statuses = Counter()
        with ThreadPoolExecutor(CLIENTS) as clients:
            for _ in range(REQUESTS // ROUND):
                texts = [fuzz() for _ in range(ROUND)]
                for text, said in zip(texts, clients.map(lambda text: exchange(service, text), texts)):
                    self.check(service, text, said, statuses)
                self.assertIn(b" 200 ", exchange(service, request("GET", "/healthz"))[:20])
        self.assertGreater(sum(count for status, count in statuses.items() if 400 <= status < 500), REQUESTS / 4)
        print(f"{REQUESTS} requests were answered:", dict(sorted(statuses.items())))
        self.assert_replays(service, "m")

    def check(self, service, text, said, statuses):
        self.assertTrue(
            service.alive(), f"the service ended: {text[:500]!r}, or one near it\n{''.join(service.said[-20:])}"
        )
        self.assertTrue(said == b"" or said.startswith(b"HTTP/1."), f"{text[:300]!r} was answered {said[:100]!r}")
        for status in map(int, re.findall(rb"^HTTP/1\.[01] (\d{3})", said, re.MULTILINE)):
            statuses[status] += 1
            if status >= 500 and status not in ALLOWED:
                self.fail(f"{text[:1000]!r} was answered {said[:500]!r}")

    def test_bodies_over_the_limit(self):
        service = self.serve()
        service.create("m", {"task": "binary"})
        head = b"POST /v1/models/m/decisions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        for text in (
            head + b"Content-Length: 1099511627776\r\n\r\n{",
            head + b"Transfer-Encoding: chunked\r\n\r\n" + b"100000\r\n" + b" " * 0x100000 + b"\r\n" * 1,
        ):
            with service.connect() as connection, self.subTest(text[:150]):
                said = b""
                try:
                    connection.sendall(text)
                    for _ in range(512 if b"chunked" in text else 0):  # half a gigabyte, if it lets us
                        connection.sendall(b"100000\r\n" + b" " * 0x100000 + b"\r\n")
                except (ConnectionResetError, BrokenPipeError):
                    pass
                else:
                    if b"chunked" in text:
                        self.fail("the service read half a gigabyte of one request")
                try:
                    said = connection.recv(65536)
                except ConnectionResetError:
                    pass
                self.assertRegex(said, rb"\A(HTTP/1.1 413 |\Z)")
        self.assert_status(service.ask("GET", "/healthz"), 200)

    def test_two_lengths_are_refused(self):
        service = self.serve()
        service.create("m", {"task": "binary"})
        body = b'{"features": {"x": 1}}'
        lengths = [
            b"Content-Length: %d\r\nContent-Length: %d" % (len(body), len(body) - 1),
            b"Content-Length: %d\r\nTransfer-Encoding: chunked" % len(body),
            b"Transfer-Encoding: chunked\r\nContent-Length: %d" % len(body),
            b"Content-Length: %d\r\nContent-Length: %d" % (len(body), len(body)),
        ]
        for length in lengths:
            head = (
                b"POST /v1/models/m/decisions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                + length
                + b"\r\n\r\n"
            )
            self.assertRegex(exchange(service, head + body), rb"\AHTTP/1.1 400 ", length)
        self.assertEqual(service.model("m")["rounds"], 0)

    def test_values_without_indices(self):
        """They are refused before they are read: as features, with a key, as feedback, and for a round that was answered."""
        service = self.serve()
        service.create(
            "m",
            {
                "set": {"type": "l2_ball", "dimension": 3, "radius": 1},
                "learner": {"type": "delayed_ofw", "eta": 1},
                "loss": {"type": "squared"},
            },
        )
        ticket = service.decide("m", [1, 2, 3])["ticket"]
        crooked = {"indices": [], "values": [1e100] * 1000}
        for _ in range(2):
            for features in (crooked, {"indices": [0, 1, 2], "values": []}):
                for body in ({"features": features}, {"features": features, "key": "k"}):
                    self.assert_status(service.ask("POST", "/v1/models/m/decisions", body), 400, 422)
                self.assert_status(service.ask("POST", "/v1/models/m/predict", {"features": features}), 400, 422)
                self.assert_status(service.feedback(ticket=ticket, **features), 400, 409, 422)
                self.assert_status(service.feedback(ticket=ticket, label=1, features=features), 400, 409, 422)
            self.assert_status(service.feedback(ticket=ticket, label=1), 200)
        self.assertEqual(service.model("m")["rounds"], 1)
        self.assert_replays(service, "m")

    def test_other_web_pages_do_not_reach_it(self):
        """Without tokens: no foreign Host, Origin, forwarding header, or content type that a form can send."""
        service = self.serve()
        body = {"task": "binary"}
        for headers in (
            {"Host": "evil.example"},
            {"Host": "127.0.0.1.evil.example"},
            {"Origin": "http://evil.example"},
            {"Origin": "null"},
            {"X-Forwarded-For": "10.0.0.1"},
            {"Forwarded": "for=10.0.0.1"},
            {"X-Real-IP": "10.0.0.1"},
            {"Content-Type": "text/plain"},
            {"Content-Type": "application/x-www-form-urlencoded"},
            {"Content-Type": ""},
        ):
            with self.subTest(headers):
                self.assert_status(service.ask("PUT", "/v1/models/m", body, headers), 400, 401, 403, 415, 421)
        self.assert_status(service.ask("GET", "/v1/models/m"), 404)
        for host in ("127.0.0.1", f"127.0.0.1:{service.port}", f"localhost:{service.port}", "[::1]"):
            self.assert_status(service.ask("PUT", "/v1/models/m", body, {"Host": host}), 200, 201)


if __name__ == "__main__":
    unittest.main()
