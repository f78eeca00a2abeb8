"""A full disk: 507, reads go on, nothing is lost, and it recovers when there is room again."""

import contextlib
import os
import subprocess
import time
import unittest

from service import PATIENCE, ServiceTest, dumped

SIZE = 64 << 20  # of the disk: a few segments of the log
# Decisions whose features take a few thousand bytes each, so that the disk is full soon.
WIDE = {f"feature-{i:04}": i for i in range(400)}


class DiskFull(ServiceTest):
    def setUp(self):
        super().setUp()
        self.disk = self.folder / "disk"
        self.disk.mkdir()
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(self.disk)], capture_output=True, text=True
        )
        if done.returncode != 0:
            self.skipTest("mounting a small disk is not allowed here")
        self.addCleanup(lambda: subprocess.run(["umount", "-l", str(self.disk)]))

    def ballast(self, leave=0):
        """Takes all room but so many bytes."""
        free = os.statvfs(self.disk)
        with open(self.disk / "ballast", "ab") as file:
            with contextlib.suppress(OSError):
                file.write(b"x" * max(0, free.f_bavail * free.f_frsize - leave))

    def fill(self, service, connection):
        """Decides until the disk is full: the tickets, and the answer that said so."""
        tickets = []
        for i in range(60_000):
            answer = service.ask("POST", "/v1/models/m/decisions", {"features": WIDE | {"x": i}}, connection=connection)
            if answer.status != 200:
                return tickets, answer
            tickets.append(answer.json["ticket"])
        self.fail("the disk did not fill up")

    def test_it_goes_on_when_there_is_room_again(self):
        service = self.serve(folder=self.disk / "data")
        service.create("m", {"task": "binary"})
        first = service.decide("m", {"x": 1})["ticket"]
        self.ballast()
        connection = service.connection()
        tickets, full = self.fill(service, connection)
        self.assert_status(full, 507)
        self.assertTrue(service.alive())
        for _ in range(20):  # it stays so, and says so each time
            self.assert_status(
                service.ask("POST", "/v1/models/m/decisions", {"features": WIDE}, connection=connection), 507
            )
        # Reads go on.
        state = service.model("m")
        self.assertEqual(state["rounds"], len(tickets) + 1)
        self.assert_status(service.ask("POST", "/v1/models/m/predict", {"features": {"x": 1}}), 200)
        self.assert_status(service.ask("GET", "/healthz"), 200)
        self.assert_status(service.ask("GET", "/metrics"), 200)
        # A refused label was not learnt in secret.
        self.assertIn(service.feedback(ticket=first, label=True).status, (200, 507))
        before = service.model("m")
        (self.disk / "ballast").unlink()
        self.assert_status(service.feedback(ticket=first, label=True), 200)
        self.assertEqual(service.model("m")["outstanding"], state["rounds"] - 1)
        self.assertLessEqual(before["outstanding"], state["rounds"])
        self.assert_status(
            service.ask("POST", "/v1/models/m/decisions", {"features": {"x": 2}}, connection=connection), 200
        )
        self.assert_replays(service, "m")

    def test_it_starts_on_a_full_disk(self):
        service = self.serve(folder=self.disk / "data")
        service.create("m", {"task": "binary"})
        self.ballast()
        tickets, full = self.fill(service, service.connection())
        self.assert_status(full, 507)
        small = 200
        while small == 200:  # to the last byte of the log
            small = service.ask("POST", "/v1/models/m/decisions", {"features": {"x": 1}}).status
        self.assertEqual(small, 507)
        keys = ("rounds", "outstanding", "hash")
        told = [service.model("m")[key] for key in keys]
        for _ in range(3):  # killed again and again: each start has as little room
            service.kill()
            self.ballast()
            service.start(wait=False)
            self.assertEqual([service.model("m")[key] for key in keys], told)
            self.assert_status(service.ask("POST", "/v1/models/m/predict", {"features": {"x": 1}}), 200)
            refused = service.ask("POST", "/v1/models/m/decisions", {"features": {"x": 1}})
            self.assert_status(refused, 507)
            self.assert_status(service.feedback(ticket=tickets[0], label=True), 507)
            self.assertNotIn(str(self.folder).encode(), refused.body)
            ready = service.ask("GET", "/readyz")
            self.assert_status(ready, 503)
            self.assertIn("the disk is full", ready.json["error"]["message"])
            self.assert_status(service.ask("GET", "/healthz"), 200)
        (self.disk / "ballast").unlink()
        end = time.monotonic() + PATIENCE
        while service.ask("GET", "/readyz").status != 200:  # by itself
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)
        self.assert_status(service.feedback(ticket=tickets[0], label=True), 200)
        service.decide("m", {"x": 2})
        self.assert_replays(service, "m")

    def test_killed_while_full(self):
        service = self.serve(folder=self.disk / "data")
        service.create("m", {"task": "binary"})
        self.ballast()
        tickets, full = self.fill(service, service.connection())
        self.assert_status(full, 507)
        told = service.model("m")
        service.kill()
        (self.disk / "ballast").unlink()
        service.start()
        self.assertEqual(
            {key: service.model("m")[key] for key in ("rounds", "outstanding", "hash")},
            {key: told[key] for key in ("rounds", "outstanding", "hash")},
        )
        answers = service.ask("POST", "/v1/feedback", [{"ticket": ticket, "label": True} for ticket in tickets[:50]])
        self.assert_status(answers, 200)
        self.assert_replays(service, "m")
        self.assertEqual(dumped(service.folder, "m").count(b'"play"'), len(tickets))


if __name__ == "__main__":
    unittest.main()
