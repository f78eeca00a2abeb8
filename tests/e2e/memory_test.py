"""Memory has a limit, and where it ends a request is told so: 507, never a wrong reason, never the end of the service.

Not run under sanitizers, which need more memory than the program and stop it at a failed allocation.
"""

import concurrent.futures
import json
import re
import shlex
import unittest
from unittest import mock

import service as serving
from program import PROGRAM
from service import ServiceTest

MIB = 1 << 20


def metric(service, name):
    """The number of one metric, by its name and labels."""
    text = service.ask("GET", "/metrics").body.decode()
    return float(re.search(rf"^{re.escape(name)} (\S+)$", text, re.MULTILINE).group(1))


def answer_to(service, path, body):
    """Of a request that may be refused while it is being sent."""
    connection = service.connection()
    try:
        connection.request("POST", path, body, {"Content-Type": "application/json"})
    except ConnectionError:
        pass
    try:
        answer = connection.getresponse()
        return serving.Answer(answer.status, {}, answer.read())
    finally:
        connection.close()


def features(i, count=2000):
    return {f"name-{j}": i + j / 7 for j in range(count)}


class Limit(ServiceTest):
    def test_decisions_beyond_it_are_refused_until_labels_have_come(self):
        service = self.serve("--max-memory", str(64 * MIB))
        self.assertEqual(metric(service, "tarry_memory_limit_bytes"), 64 * MIB)
        service.create("m", {"task": "binary"})
        service.create("idle", {"task": "binary"})
        idle = metric(service, 'tarry_model_memory_bytes{model="idle"}')
        self.assertGreater(idle, 0)
        connection, tickets, refused = service.connection(), [], None
        while refused is None and len(tickets) < 10_000:
            answer = service.ask("POST", "/v1/models/m/decisions",
                                 {"requests": [{"features": features(i)} for i in range(50)]}, connection=connection)
            self.assert_status(answer, 200, 507)
            if answer.status == 507:
                refused = answer
            else:
                tickets += [one["ticket"] for one in answer.json["results"]]
        self.assertIsNotNone(refused)
        self.assertEqual(refused.json["error"]["code"], "memory")
        self.assertIn(f"may have {64 * MIB} (--max-memory)", refused.json["error"]["message"])
        held = metric(service, 'tarry_model_memory_bytes{model="m"}')
        self.assertGreater(held, 30 * MIB)
        self.assertLess(held, metric(service, "tarry_memory_bytes") + MIB)
        self.assertEqual(metric(service, 'tarry_model_memory_bytes{model="idle"}'), idle)
        self.assert_status(service.ask("POST", "/v1/models/m/predict", {"features": features(0)}), 200)
        for at in range(0, len(tickets), 100):
            items = [{"ticket": ticket, "label": True} for ticket in tickets[at : at + 100]]
            answer = service.ask("POST", "/v1/feedback", items, connection=connection)
            self.assertEqual({one["status"] for one in answer.json}, {"accepted"})
        self.assertLess(metric(service, 'tarry_model_memory_bytes{model="m"}'), held / 2)
        self.assert_status(service.ask("POST", "/v1/models/m/decisions", {"features": features(0)}), 200)
        connection.close()
        self.assert_replays(service, "m", "idle")

    def test_what_was_recovered_is_counted(self):
        service = self.serve()
        service.create("m", {"task": "binary"})
        service.ask("POST", "/v1/models/m/decisions", {"requests": [{"features": features(i)} for i in range(100)]})
        before = metric(service, 'tarry_model_memory_bytes{model="m"}')
        for way in (service.kill, service.stop):  # from the log, and from a snapshot
            way()
            service.start()
            told = metric(service, 'tarry_model_memory_bytes{model="m"}')
            self.assertLess(abs(told - before), before / 2, (told, before))

    def test_unless_given_it_is_part_of_the_machine(self):
        with open("/proc/meminfo", encoding="ascii") as file:
            machine = int(re.search(r"MemTotal: +(\d+) kB", file.read()).group(1)) * 1024
        limit = metric(self.serve(), "tarry_memory_limit_bytes")
        self.assertGreater(limit, 0)
        self.assertLessEqual(limit, 0.76 * machine)


class NoMore(ServiceTest):
    """Under `ulimit -v`, where allocations fail."""

    def served_within(self, size):
        wrapper = self.folder / f"within-{size}"
        wrapper.write_text(f"#!/bin/sh\nulimit -v {size // 1024}\nexec {shlex.quote(PROGRAM)} \"$@\"\n")
        wrapper.chmod(0o755)
        with mock.patch.object(serving, "PROGRAM", str(wrapper)):
            return self.serve(folder=self.folder / f"data-{size}")

    def baseline(self):
        """Addresses that it has once it serves."""
        service = self.served_within(64 << 30)
        service.create("m", {"task": "binary"})
        with open(f"/proc/{service.process.pid}/status", encoding="ascii") as file:
            size = int(re.search(r"VmPeak:\s+(\d+) kB", file.read()).group(1)) * 1024
        service.kill()
        return size

    def crowd(self, service, seen):
        """Large requests of all kinds, at once."""
        nested = b'{"features": {"x": [' + b"[1,2]," * 600_000 + b"[1]]}}"
        named = json.dumps({"features": {f"n-{i}": i for i in range(200_000)}}).encode()
        batch = json.dumps({"requests": [{"features": features(i, 500)} for i in range(200)]}).encode()
        labels = json.dumps([{"model": "m", "key": f"k{i}", "label": 1} for i in range(10_000)]).encode()

        def one(i):
            path, body = (("/v1/models/m/predict", nested), ("/v1/models/m/decisions", batch),
                          ("/v1/models/m/decisions", named), ("/v1/feedback", labels))[i % 4]
            answer = answer_to(service, path, body)
            code = answer.json["error"]["code"] if isinstance(answer.json, dict) and "error" in answer.json else ""
            return path, body is nested, answer.status, code

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            for path, bad, status, code in pool.map(one, range(24)):
                seen[status] = seen.get(status, 0) + 1
                if bad:  # it is JSON, of a form that no model takes
                    self.assertIn((status, code), ((400, "bad_input"), (507, "out_of_memory")))
                else:
                    self.assertIn(status, (200, 507), (path, code))

    def test_requests_are_refused_and_the_service_goes_on(self):
        base = self.baseline()
        out_of_memory = 0
        for more in (32, 96, 256):
            with self.subTest(f"{more} MiB beyond what it has when idle"):
                service, seen = self.served_within(base + more * MIB), {}
                self.assert_status(service.ask("PUT", "/v1/models/m", {"task": "binary"}), 201, 507)
                if service.ask("GET", "/v1/models").json["models"]:
                    self.crowd(service, seen)
                self.assertTrue(service.alive(), service.said[-5:])
                self.assert_status(service.ask("GET", "/healthz"), 200)
                print(f"{more} MiB: {seen}")
                out_of_memory += seen.get(507, 0)
                self.assertEqual(service.stop(), 0)
                again = self.serve(folder=service.folder)
                self.assert_replays(again, *(one["name"] for one in again.ask("GET", "/v1/models").json["models"]))
        self.assertGreater(out_of_memory, 0)


if __name__ == "__main__":
    unittest.main()
