"""Hundreds of clients that say nothing, or a byte a second, keep nobody else from being answered."""

import selectors
import threading
import time
import unittest

from service import SOAK, ServiceTest

SILENT, DRIPPING = 250, 250
REQUESTS = 2000 if SOAK else 200
HEAD = b"POST /v1/models/m/decisions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 400\r\n\r\n"


class Drip:
    """Connections that send a byte of a request each second; it counts those that the service has closed."""

    def __init__(self, sockets):
        self.sockets, self.closed, self.stop = sockets, 0, threading.Event()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        text = HEAD + b"{" + b" " * 390
        at = 0
        live = set(self.sockets)
        while not self.stop.wait(1) and at < len(text):
            for socket in list(live):
                try:
                    socket.send(text[at : at + 1])
                except OSError:
                    live.discard(socket)
                    self.closed += 1
            at += 1


class SlowClients(ServiceTest):
    def times(self, service):
        """How long each of many requests took, on one connection, sorted."""
        connection, taken = service.connection(), []
        for i in range(REQUESTS):
            start = time.monotonic()
            answer = service.ask("POST", "/v1/models/m/decisions", {"features": {"x": i}}, connection=connection)
            taken.append(time.monotonic() - start)
            self.assert_status(answer, 200)
        connection.close()
        return sorted(taken)

    def test_others_are_answered(self):
        service = self.serve()
        service.create("m", {"task": "binary"})
        before = self.times(service)
        sockets = [service.connect() for _ in range(SILENT + DRIPPING)]
        drip = Drip(sockets[SILENT:])
        try:
            during = self.times(service)
            opened = service.ask("GET", "/healthz")  # and a new connection is still taken
        finally:
            drip.stop.set()
            drip.thread.join()
            for socket in sockets:
                socket.close()
        self.assert_status(opened, 200)
        p99 = [times[len(times) * 99 // 100] for times in (before, during)]
        print(
            f"p99 of {REQUESTS} decisions: {1000 * p99[0]:.1f} ms alone, {1000 * p99[1]:.1f} ms beside {len(sockets)} slow clients"
        )
        if SOAK:  # a machine that others use says nothing about times
            self.assertLess(p99[1], 2 * p99[0])
        self.assertEqual(service.stop(), 0)

    def test_a_head_that_never_ends_is_cut_off(self):
        """The service does not wait for ever: it answers 408, or hangs up."""
        service = self.serve()
        silent = service.connect()
        silent.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
        with selectors.DefaultSelector() as waiting:
            waiting.register(silent, selectors.EVENT_READ)
            self.assertTrue(waiting.select(90), "the connection is still open after 90 seconds")
        self.assertRegex(silent.recv(100), rb"\A(HTTP/1.1 408.*)?")
        silent.close()

    def test_a_stop_does_not_wait_for_them(self):
        service = self.serve()
        sockets = [service.connect() for _ in range(50)]
        for socket in sockets[:25]:
            socket.sendall(HEAD)
        self.assertEqual(service.stop(), 0)
        for socket in sockets:
            socket.close()


if __name__ == "__main__":
    unittest.main()
