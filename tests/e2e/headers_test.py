"""Requests that two servers could read in two ways are refused, and a body that is too long is told so."""

import socket
import unittest

from service import ServiceTest
from strangers_test import answer_on, head

LIMIT = 100_000


class Doubts(ServiceTest):
    def told(self, service, request):
        one = service.connect()
        self.addCleanup(one.close)
        one.sendall(request)
        return answer_on(one)

    def test_what_leaves_a_doubt_is_refused(self):
        service = self.serve()
        chunks = b"2\r\n{}\r\n0\r\n\r\n"
        get = "GET /v1/models HTTP/1.1\r\n"
        cases = {
            "a folded header": (get + "Host: 127.0.0.1\r\nX-A: 1\r\n 2\r\n\r\n").encode(),
            "folded with a tab": (get + "Host: 127.0.0.1\r\nX-A: 1\r\n\t2\r\n\r\n").encode(),
            "a folded length": b"POST /v1/feedback HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length:\r\n 2\r\n\r\n{}",
            "gzip, chunked": head("/v1/feedback", Transfer_Encoding="gzip, chunked") + chunks,
            "chunked, chunked": head("/v1/feedback", Transfer_Encoding="chunked, chunked") + chunks,
            "identity": head("/v1/feedback", Transfer_Encoding="identity") + chunks,
            "two codings": head("/v1/feedback", Transfer_Encoding="chunked")[:-2]
            + b"Transfer-Encoding: chunked\r\n\r\n" + chunks,
            "two origins": (get + "Host: 127.0.0.1\r\nOrigin: http://127.0.0.1\r\nOrigin: http://evil\r\n\r\n").encode(),
            "origins in a list": (get + "Host: 127.0.0.1\r\nOrigin: http://127.0.0.1, http://evil\r\n\r\n").encode(),
            "an origin behind brackets": (get + "Host: 127.0.0.1\r\nOrigin: http://[::1].evil.com\r\n\r\n").encode(),
        }
        for host in ("[::1].evil.com", "[::1]evil.com:80", "127.0.0.1:80@evil.com", "127.0.0.1:x", "127.0.0.1/evil.com",
                     "[::1", "127.0.0.1, evil.com", "evil.com 127.0.0.1"):
            cases[host] = f"{get}Host: {host}\r\n\r\n".encode()
        for name, request in cases.items():
            with self.subTest(name):
                status, _, body = self.told(service, request)
                self.assertEqual(status, 400, body)
                self.assertIn(b'"code": "bad_request"', body)

    def test_what_leaves_none_is_taken(self):
        service = self.serve()
        for host in ("127.0.0.1", f"127.0.0.1:{service.port}", "localhost", "LOCALHOST:8080", "[::1]", "[::1]:8080"):
            for origin in ("", "Origin: http://127.0.0.1:8080\r\n", "Origin: http://[::1]\r\n"):
                with self.subTest(host=host, origin=origin):
                    request = f"GET /v1/models HTTP/1.1\r\nHost: {host}\r\n{origin}X-A:  1 \r\n\r\n"
                    self.assertEqual(self.told(service, request.encode())[0], 200)

    def test_a_folded_header_is_seen_in_whatever_pieces_it_comes(self):
        service = self.serve()
        one = service.connect()
        self.addCleanup(one.close)
        one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: 1\r\n 2\r\n\r\n":
            try:
                one.send(bytes([byte]))
            except OSError:
                break
        self.assertEqual(answer_on(one)[0], 400)


class TooLong(ServiceTest):
    def test_a_long_body_is_told_the_limit_the_flag_and_its_size(self):
        service = self.serve("--max-body", str(LIMIT))
        service.create("m", {"task": "binary"})
        answer = service.ask("POST", "/v1/models/m/decisions", b" " * (LIMIT + 1))
        self.assert_status(answer, 413)
        self.assertEqual(
            answer.json["error"]["message"],
            f"the body must have at most {LIMIT} bytes (--max-body), and {LIMIT + 1} came",
        )
        connection = service.connection()
        connection.request("POST", "/v1/models/m/decisions", iter([b" " * 50_000] * 3),
                           {"Content-Type": "application/json"}, encode_chunked=True)
        chunked = connection.getresponse()
        self.assertEqual(chunked.status, 413)
        self.assertIn(b"(--max-body), and more, in chunks, came", chunked.read())
        connection.close()

    def test_whoever_is_still_sending_gets_the_answer(self):
        service = self.serve("--max-body", str(LIMIT))
        service.create("m", {"task": "binary"})
        one = service.connect()
        self.addCleanup(one.close)
        one.sendall(head(Content_Length=LIMIT + 1).replace(b"tarry.example.org", b"127.0.0.1"))
        one.sendall(b" " * 60_000)
        self.assertEqual(answer_on(one)[0], 413)


if __name__ == "__main__":
    unittest.main()
