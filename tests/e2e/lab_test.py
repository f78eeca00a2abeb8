"""`tarry run`: what is kept between runs, what is refused before the first, and labels that never come."""

import csv
import tempfile
import unittest
from pathlib import Path

from program import ProgramTest, tarry

TRIPS = """asked,known,km,minutes
0,30,4.0,21
10,20,1.5,12
20,25,2.0,14
31,,9.0,
"""

SPEC = """name = "trips"
[set]
type = "l2_ball"
dimension = "stream"
radius = 50
[stream]
type = "csv"
path = "PATH"
label = "minutes"
loss = "squared"
features = ["km"]
event_time = "asked"
feedback_time = "known"
[[delays]]
type = "recorded"
[[delays]]
type = "none"
[[learners]]
type = "gauge_ftrl"
"""


class Lab(ProgramTest):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.data = self.folder / "trips.csv"
        self.data.write_text(TRIPS)
        self.spec = self.folder / "trips.toml"
        self.spec.write_text(SPEC.replace("PATH", str(self.data)))
        self.out = self.folder / "out"

    def run_lab(self, *more):
        done = tarry("run", str(self.spec), "--out", str(self.out), *more)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def column(self, delay, name):
        with open(self.out / "curves.csv") as file:
            return [row[name] for row in csv.DictReader(file) if row["delay"] == delay]

    def test_a_label_known_at_the_instant_of_a_query_comes_after_it(self):
        self.assertEqual(self.run_lab()[0], 0)
        self.assertEqual(self.column("recorded", "outstanding"), ["1", "2", "0", "1"])

    def test_a_round_whose_label_never_comes_costs_nothing(self):
        self.assertEqual(self.run_lab()[0], 0)
        for delay in "recorded", "none":
            loss = self.column(delay, "loss")
            self.assertEqual(loss[2], loss[3])
            self.assertEqual(self.column(delay, "outstanding")[3], "1")

    def test_finished_runs_are_kept_until_the_data_changes_or_fresh_ones_are_asked_for(self):
        self.assertNotIn("kept", self.run_lab()[1])
        self.assertIn("2 runs of 4 rounds (2 kept from before)", self.run_lab()[1])
        self.assertNotIn("kept", self.run_lab("--fresh")[1])
        self.assertNotIn("kept", self.run_lab("--override", "standardise=true")[1])
        self.data.write_text(TRIPS.replace("21", "22"))  # as long as before
        self.assertNotIn("kept", self.run_lab()[1])

    def test_a_wrong_learner_or_delay_is_refused_before_anything_has_run(self):
        for override, complaint in (("learners.0.eat=1", 'unknown key "eat"'),
                                    ("delays.0.los=0.1", 'unknown key "los"'),
                                    ("delays.1.type=nun", "adversarial, recorded)")):
            status, _, error = self.run_lab("--override", override)
            self.assertEqual(status, 2)
            self.assertIn(complaint, error)
            self.assertEqual(list((self.out / "runs").iterdir()), [])


if __name__ == "__main__":
    unittest.main()
