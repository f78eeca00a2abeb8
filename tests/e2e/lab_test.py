"""`tarry run`: what is kept between runs, what is refused before the first, and labels that never come."""

import csv
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from program import PROGRAM, TIMEOUT, ProgramTest, tarry

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

    def test_a_broken_standard_error_stops_nothing(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([PROGRAM, "run", str(self.spec), "--out", str(self.out)], stderr=full,
                                  stdout=subprocess.PIPE, timeout=TIMEOUT)
        self.assertEqual(done.returncode, 0)
        self.assertIn(b"report", done.stdout)
        self.assertTrue((self.out / "report.html").exists())

    def test_a_nul_in_a_path_does_not_cut_it(self):
        self.data.rename(self.folder / "a")
        self.spec.write_text(SPEC.replace("PATH", f"{self.folder}/a\\u0000b"))
        status, _, error = self.run_lab()
        self.assertEqual(status, 2)
        self.assertIn(f"{self.folder}/a\\u0000b: No such file or directory", error)

    def test_a_name_stays_below_the_folder_of_runs(self):
        here = self.folder / "one/two/three"
        here.mkdir(parents=True)
        for name in "../..", "..", ".", "", "a/b", str(self.folder):
            done = subprocess.run([os.path.abspath(PROGRAM), "run", str(self.spec), "--override", f"name='{name}'"],
                                  cwd=here, capture_output=True, timeout=TIMEOUT)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f'name must be the name of a folder below runs/, without a slash, unless --out names one '
                          f'(name = "{name}")', done.stderr.decode())
        self.assertEqual(list(here.iterdir()), [])
        self.assertEqual(self.run_lab("--override", "name='a/b'")[0], 0)  # only a title here



if __name__ == "__main__":
    unittest.main()
