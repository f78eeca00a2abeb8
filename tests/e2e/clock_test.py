"""Clocks that jump by ten years: the same history, the same hash; and no round expires because of it."""

import glob
import time
import unittest

from service import ServiceTest

LIBRARY = next(iter(glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")), None)
SPEC = {"task": "binary", "features": {"capacity": 64}, "expiry": {"seconds": 3600}}


@unittest.skipUnless(LIBRARY, "libfaketime is not installed")
class Clock(ServiceTest):
    def clocked(self, name):
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
        service = self.serve(folder=self.folder / name, environment=environment)
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


if __name__ == "__main__":
    unittest.main()
