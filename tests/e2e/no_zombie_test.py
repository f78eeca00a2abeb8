"""A log that cannot take writes: the service says so at once, and goes on by itself or ends. It never just stands there."""

import http.client
import json
import resource
import socket
import subprocess
import time
import unittest

from program import PROGRAM
from service import PATIENCE, ServiceTest

# A few thousand bytes of log a decision: a segment has 16 MiB, and half of it brings the next one.
WIDE = {f"feature-{i:04}": i for i in range(400)}
BATCH = {"requests": [{"features": WIDE}] * 100}


class NoZombie(ServiceTest):
    def decide_many(self, service, connection):
        """A hundred wide decisions: the answer, or nothing where the service is gone."""
        try:
            return service.ask("POST", "/v1/models/m/decisions", BATCH, connection=connection)
        except (OSError, ConnectionError, http.client.HTTPException):
            return None

    def ended(self, service):
        return service.process.wait(PATIENCE)

    def failures(self, service):
        """Lines about a log that failed."""
        service.reader.join(PATIENCE)
        lines = [json.loads(line) for line in service.said if line.startswith("{")]
        return [line for line in lines if line["event"] == "the log failed: the service ends"]

    def test_a_moved_directory_ends_it(self):
        service = self.serve()
        service.create("m", {"task": "binary"})
        connection = service.connection()
        self.assert_status(self.decide_many(service, connection), 200)
        (self.folder / "data").rename(self.folder / "elsewhere")
        answers = []
        for _ in range(100):
            answer = self.decide_many(service, connection)
            if answer is None:
                break
            self.assertNotIn(str(self.folder).encode(), answer.body)
            answers.append(answer.status)
        self.assertEqual(self.ended(service), 1, answers)
        self.assertFalse((self.folder / "data").exists())

    def test_connections_leave_descriptors_to_the_log(self):
        limit = 64
        service = self.serve()
        resource.prlimit(service.process.pid, resource.RLIMIT_NOFILE, (limit, limit))
        service.create("m", {"task": "binary"})
        connection = service.connection()
        self.assert_status(self.decide_many(service, connection), 200)
        idle = [self.idle(service) for _ in range(2 * limit)]  # more than it can take
        for _ in range(40):  # over more than one segment
            self.assert_status(self.decide_many(service, connection), 200)
        self.assertGreater(len(list((self.folder / "data" / "journal").glob("*.log"))), 1)
        for one in idle:
            one.close()
        self.assert_replays(service, "m")

    def idle(self, service):
        one = socket.create_connection(("127.0.0.1", service.port), PATIENCE)
        self.addCleanup(one.close)
        return one

    def test_without_any_descriptor_it_waits_for_one(self):
        service = self.serve()
        service.create("m", {"task": "binary"})
        connection, other = service.connection(), service.connection()
        self.assert_status(self.decide_many(service, connection), 200)
        self.assert_status(service.ask("GET", "/readyz", connection=other), 200)
        soft, hard = resource.prlimit(service.process.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(service.process.pid, resource.RLIMIT_NOFILE, (3, hard))
        statuses = []
        while len(statuses) < 100 and statuses[-1:] != [507]:
            answer = self.decide_many(service, connection)
            self.assertIsNotNone(answer)
            self.assertNotIn(str(self.folder).encode(), answer.body)
            statuses.append(answer.status)
        self.assertEqual(statuses[-1], 507)
        self.assertIn(b"too many files open", answer.body)
        ready = service.ask("GET", "/readyz", connection=other)
        self.assert_status(ready, 503)
        self.assertIn("too many files open", ready.json["error"]["message"])
        self.assert_status(service.ask("POST", "/v1/models/m/predict", {"features": WIDE}, connection=other), 200)
        resource.prlimit(service.process.pid, resource.RLIMIT_NOFILE, (soft, hard))
        self.assert_status(self.decide_many(service, connection), 200)
        end = time.monotonic() + PATIENCE
        while service.ask("GET", "/readyz", connection=other).status != 200:
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)
        said = [line for line in service.said if "the log has no room" in line]
        self.assertEqual(len(said), 1, said)
        self.assert_replays(service, "m")

    def test_a_file_that_may_not_grow_is_an_error(self):
        """Not a signal that ends the process without a word."""
        done = subprocess.run([PROGRAM, "serve", "--data", str(self.folder / "small"), "--listen", "127.0.0.1:0",
                               "--without-tokens"], capture_output=True, timeout=PATIENCE,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20)))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(b"File too large", done.stderr)

    def test_a_log_that_may_not_be_written_ends_it(self):
        service = self.serve()
        service.create("m", {"task": "binary"})
        connection = service.connection()
        resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE, (12 << 20, 12 << 20))  # within a segment
        for _ in range(100):
            answer = self.decide_many(service, connection)
            if answer is None:
                break
            self.assert_status(answer, 200)
        self.assertEqual(self.ended(service), 1)
        said = self.failures(service)
        self.assertEqual(len(said), 1, service.said[-3:])
        self.assertIn("File too large", said[0]["why"])
        service.start()  # with what was acknowledged
        self.assert_replays(service, "m")


class Snapshots(ServiceTest):
    def test_one_that_fails_is_tried_again_later_and_later(self):
        service = self.serve("--snapshot-every", "5")
        service.create("m", {"task": "binary"})
        blocked = service.folder / "snapshots" / "next.part"
        (blocked / "in the way").mkdir(parents=True)  # a file cannot be written there
        for i in range(10):
            service.decide("m", {"x": i})
        failures = self.wait_for(lambda: self.failures(service), 2)
        second = time.monotonic()
        self.assertEqual([line["again_in_seconds"] for line in failures[:2]], [1, 2])
        (blocked / "in the way").rmdir()
        blocked.rmdir()
        self.wait_for(lambda: list((service.folder / "snapshots").glob("*.snapshot")), 1)
        self.assertGreater(time.monotonic() - second, 1.5)
        self.assertEqual(service.stop(), 0)

    def failures(self, service):
        lines = [json.loads(line) for line in list(service.said) if line.startswith("{")]
        return [line for line in lines if line["event"] == "a snapshot could not be saved"]

    def wait_for(self, look, count):
        end = time.monotonic() + PATIENCE
        while len(look()) < count and time.monotonic() < end:
            time.sleep(0.01)
        self.assertGreaterEqual(len(look()), count)
        return look()


if __name__ == "__main__":
    unittest.main()
