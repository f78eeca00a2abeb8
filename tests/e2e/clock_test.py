"""Clocks that jump by ten years: the same history, the same hash; and no round expires because of it."""

import glob
import json
import signal
import time
import unittest

from service import PATIENCE, ServiceTest
from store_reader import Journal, read_entry

LIBRARY = next(iter(glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")), None)
SPEC = {"task": "binary", "features": {"capacity": 64}, "expiry": {"seconds": 3600}}


@unittest.skipUnless(LIBRARY, "libfaketime is not installed")
class Clock(ServiceTest):
    def clocked(self, name, *options):
        """A service whose wall clock is ahead by what a file says; its monotonic clock is the machine's."""
        clock = self.folder / f"{name}.clock"
        clock.write_text("+0\n")
        environment = {
            "LD_PRELOAD": LIBRARY,
            "FAKETIME_TIMESTAMP_FILE": str(clock),
            "FAKETIME_NO_CACHE": "1",
            "DONT_FAKE_MONOTONIC": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }
        service = self.serve(*options, folder=self.folder / name, environment=environment)
        return service, clock

    def play(self, service, jumps):
        """One history: 60 decisions, each label 20 decisions late; `jumps` are made between them."""
        service.create("m", SPEC)
        tickets = []
        for i in range(60):
            if i in jumps:
                jumps[i]()
                time.sleep(0.3)  # for whoever looks at the clock now and then
            tickets.append(service.decide("m", {"x": i % 7})["ticket"])
            if i >= 20:
                answer = service.feedback(ticket=tickets[i - 20], label=i % 3 == 0)
                self.assert_status(answer, 200)
        return service.hash("m")

    def test_jumps_while_it_runs(self):
        steady, _ = self.clocked("steady")
        wanted = self.play(steady, {})
        jumping, clock = self.clocked("jumping")
        to = lambda offset: lambda: clock.write_text(offset + "\n")
        got = self.play(jumping, {10: to("+10y"), 25: to("-10y"), 35: to("+0"), 45: to("+3650d")})
        self.assertEqual(got, wanted)
        self.assert_replays(jumping, "m")
        self.assert_replays(steady, "m")

    def test_jumps_while_it_is_down(self):
        for offset in ("+10y", "-10y"):
            with self.subTest(offset):
                service, clock = self.clocked("down" + offset)
                service.create("m", SPEC)
                ticket = service.decide("m", {"x": 1})["ticket"]
                before = service.hash("m")
                service.kill()
                clock.write_text(offset + "\n")
                service.start()
                self.assertTrue(
                    [line for line in service.said if '"clock"' in line], "it did not say that the clock is wrong"
                )
                time.sleep(0.3)
                self.assertEqual(service.hash("m"), before)
                self.assert_status(service.feedback(ticket=ticket, label=True), 200)
                self.assert_replays(service, "m")


    def held(self, name, offset, *options):
        """A service whose clock jumped while it was down, with a round that the jump makes overdue; its ticket."""
        service, clock = self.clocked(name, *options)
        service.create("m", SPEC)
        ticket = service.decide("m", {"x": 1})["ticket"]
        service.kill()
        clock.write_text(offset + "\n")
        service.start()
        return service, clock, ticket

    def warnings(self, service):
        return [line for line in map(json.loads, filter(lambda line: line.startswith("{"), service.said)) if line["event"] == "clock"]

    def wait_until(self, condition):
        end = time.monotonic() + PATIENCE
        while not condition():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)

    def test_a_later_start_expires_nothing_for_an_hour(self):
        service, clock, ticket = self.held("later", "+30d")
        self.wait_until(lambda: self.warnings(service))
        warning = self.warnings(service)[0]
        self.assertEqual(warning["level"], "warning")
        self.assertIn("30 days", warning["why"])
        self.assertEqual((warning["expiry_held_seconds"], warning["would_expire"]), (3600, {"m": 1}))
        self.assertIn("set the clock right", warning["to_stop_it"])
        self.assertEqual(warning["to_go_on_at_once"], f"kill -USR1 {service.process.pid}")
        time.sleep(2.5)  # more than one look
        self.assertEqual(service.model("m")["expired"], 0)
        # As the warning says: with the right clock nothing has happened.
        self.assertEqual(service.stop(), 0)
        clock.write_text("+0\n")
        said = len(self.warnings(service))
        service.start()
        time.sleep(1.5)
        self.assertEqual(len(self.warnings(service)), said)
        self.assert_status(service.feedback(ticket=ticket, label=True), 200)
        self.assert_replays(service, "m")

    def test_somebody_says_that_the_clock_is_right(self):
        service, _, old = self.held("right", "+30d")
        new = service.decide("m", {"x": 2})["ticket"]  # while nobody knew what time it was
        self.wait_until(lambda: self.warnings(service))
        service.process.send_signal(signal.SIGUSR1)
        self.wait_until(lambda: service.model("m")["expired"] == 1)
        service.kill()  # and it stays so
        service.start()
        time.sleep(1.5)
        self.assertEqual(service.model("m")["expired"], 1)
        self.assert_status(service.feedback(ticket=old, label=True), 410)
        self.assert_status(service.feedback(ticket=new, label=True), 200)
        self.assert_replays(service, "m")

    def test_it_goes_on_by_itself(self):
        service, _, _ = self.held("itself", "+30d", "--expiry-hold", "2")
        self.wait_until(lambda: service.model("m")["expired"] == 1)
        self.assertEqual([line["level"] for line in self.warnings(service)], ["warning", "info"])
        self.assert_replays(service, "m")

    def test_a_step_while_it_runs_holds_expiry_too(self):
        service, clock = self.clocked("step", "--expiry-hold", "4")
        service.create("m", SPEC)
        service.decide("m", {"x": 1})
        time.sleep(2.5)  # it looks once a second: what was decided since the last look counts as decided after the step
        clock.write_text("+2d\n")
        self.wait_until(lambda: self.warnings(service))
        self.assertEqual(service.model("m")["expired"], 0)
        self.assertEqual(self.warnings(service)[0]["would_expire"], {"m": 1})
        self.wait_until(lambda: service.model("m")["expired"] == 1)
        service.decide("m", {"x": 1})
        clock.write_text("-2d\n")  # the service's time goes on
        self.wait_until(lambda: len(self.warnings(service)) == 3)
        self.assertEqual(self.warnings(service)[2]["would_expire"], {})
        self.assertEqual(service.stop(), 0)
        entries = [read_entry(payload) for _, _, payload in Journal(service.folder / "journal").entries]
        times = [entry["time"] for entry in entries if "time" in entry]
        self.assertGreater(len(times), 4)
        self.assertEqual(times, sorted(times))


if __name__ == "__main__":
    unittest.main()
