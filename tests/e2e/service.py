"""Starts `tarry serve` on a port of its own and asks it: what the tests of the service share."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path

from program import PROGRAM, TIMEOUT, tarry

SOAK = bool(os.environ.get("TARRY_SOAK"))
# An instrumented program, and a busy machine, take their time; nothing here is about speed.
PATIENCE = 120


def without_tokens(folder):
    """The option for a service of a test: where the test made no token, it wants none."""
    return [] if (Path(folder) / "tokens").exists() else ["--without-tokens"]


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body)

    def __repr__(self):
        return f"{self.status} {self.body[:300]!r}"


class Service:
    """A running service over a folder. It can be killed and started again."""

    def __init__(self, folder, *options, environment=None):
        self.folder, self.options, self.environment = Path(folder), options, environment or {}
        self.process, self.port, self.said = None, None, []
        self.start()

    def start(self, wait=True):
        """Returns when it says where it listens and, with `wait`, is ready."""
        command = [PROGRAM, "serve", "--data", str(self.folder), "--listen", "127.0.0.1:0", *without_tokens(self.folder), *self.options]
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            env=os.environ | self.environment,
        )
        self.port = None
        for line in self.process.stdout:
            self.said.append(line)
            if found := re.search(r"127\.0\.0\.1:([1-9]\d*)", line):
                self.port = int(found.group(1))
                break
        if self.port is None:
            raise AssertionError(f"the service ended with {self.process.wait()}: {''.join(self.said[-5:])}")
        self.reader = threading.Thread(target=self._listen, args=(self.process.stdout,), daemon=True)
        self.reader.start()
        end = time.monotonic() + PATIENCE
        while wait and self.ask("GET", "/readyz").status != 200:
            if time.monotonic() > end:
                raise AssertionError("the service did not get ready")
            time.sleep(0.01)

    def _listen(self, stream):
        for line in stream:
            self.said.append(line)
            del self.said[:-10000]

    def alive(self):
        return self.process.poll() is None

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.reader.join()
        self.process.stdout.close()

    def stop(self):
        """Asks it to end; its exit status."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(TIMEOUT)
        finally:
            self.kill()

    def connect(self, timeout=PATIENCE):
        return socket.create_connection(("127.0.0.1", self.port), timeout)

    def connection(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)

    def ask(self, method, path, value=None, headers=None, connection=None):
        """One request, on a connection of its own unless one is given. Bytes are sent as they are."""
        own = connection or self.connection()
        body = value if value is None or isinstance(value, bytes) else json.dumps(value).encode()
        sent = ({"Content-Type": "application/json"} if body is not None else {}) | (headers or {})
        try:
            own.request(method, path, body, sent)
            answer = own.getresponse()
            return Answer(answer.status, {name.lower(): text for name, text in answer.getheaders()}, answer.read())
        finally:
            if connection is None:
                own.close()

    def create(self, name, spec):
        answer = self.ask("PUT", f"/v1/models/{name}", spec)
        assert answer.status in (200, 201), answer

    def decide(self, name, features=None, **more):
        answer = self.ask(
            "POST", f"/v1/models/{name}/decisions", ({} if features is None else {"features": features}) | more
        )
        assert answer.status == 200, answer
        return answer.json

    def feedback(self, **item):
        return self.ask("POST", "/v1/feedback", item)

    def model(self, name):
        answer = self.ask("GET", f"/v1/models/{name}")
        assert answer.status == 200, answer
        return answer.json

    def hash(self, name):
        return self.model(name)["hash"]


def dumped(folder, model):
    """The history that `tarry store dump` tells of a model, as bytes."""
    done = tarry("store", "dump", str(folder), "--model", model)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def replayed_hash(log):
    done = tarry("replay", "-", "--hash", stdin=log)
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout.splitlines()[-1])["hash"]


class ServiceTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def serve(self, *options, folder=None, environment=None):
        service = Service(folder or self.folder / "data", *options, environment=environment)
        self.addCleanup(lambda: service.alive() and service.kill())
        return service

    def assert_status(self, answer, *wanted):
        self.assertIn(answer.status, wanted, repr(answer))

    def assert_replays(self, service, *models):
        """Stops the service; each model's hash is that of a clean replay of its history."""
        hashes = {model: service.hash(model) for model in models}
        self.assertEqual(service.stop(), 0)
        for model, told in hashes.items():
            self.assertEqual(replayed_hash(dumped(service.folder, model)), told, model)
