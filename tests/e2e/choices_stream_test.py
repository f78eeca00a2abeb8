"""A table of classes played as choices: mean reward in summary, table and report, with any delays."""

import csv
import json
import random
import shutil
import tempfile
import unittest
from pathlib import Path

from program import ProgramTest, tarry

ROWS = 600
SPEC = """name = "choices"
seeds = 2
checkpoints = 5
[stream]
name = "kinds"
type = "classes_as_choices"
path = "table.csv"
{stream}
[[delays]]
type = "{delay}"
[[learners]]
task = "choose"
[[learners]]
name = "any"
task = "choose"
explore = {{ type = "epsilon", epsilon = 1 }}
"""


class ChoicesStream(ProgramTest):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        draw = random.Random(3)
        with (self.folder / "table.csv").open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["seen", "told", "size", "colour", "kind"])
            for t in range(ROWS):
                size, colour = draw.gauss(0, 1), draw.choice(["red", "blue"])
                kind = "a" if size < -0.5 else "b" if colour == "red" else "c"
                writer.writerow([t, t + draw.randint(0, 9) + 0.5, size, colour, kind])

    def tearDown(self):
        shutil.rmtree(self.folder)

    def run_spec(self, stream='ignore = ["seen", "told"]', delay="none", more=""):
        (self.folder / "spec.toml").write_text(SPEC.format(stream=stream, delay=delay) + more)
        result = tarry("run", self.folder / "spec.toml", "--out", self.folder / "out")
        return result

    def summary(self):
        return json.loads((self.folder / "out" / "summary.json").read_text())

    def rewards(self):
        runs = self.summary()["runs"]
        last = {}
        for run in runs:
            last.setdefault(run["learner"], []).append(run["checkpoints"]["metrics"]["reward"][-1])
        return last

    def test_learns_what_to_choose(self):
        result = self.run_spec()
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        self.assertIn("reward", result.stdout.decode())
        own, other = self.rewards()["choose"], self.rewards()["any"]
        self.assertEqual(len(own), 2)
        self.assertNotEqual(own[0], own[1])  # a run's seed is that of the draws
        for reward in own:
            self.assertGreater(reward, 0.7)
        for reward in other:
            self.assertLess(abs(reward - 1 / 3), 0.07)
        best = self.summary()["runs"][0]["checkpoints"]["metrics"]["best_action"][-1]
        self.assertTrue(1 / 3 <= best < 0.5)
        self.assertEqual(self.summary()["leaderboards"][0]["metric"], "reward")
        self.assertEqual(self.summary()["leaderboards"][0]["rows"][0]["learner"], "choose")
        self.assertIn("best_action", (self.folder / "out" / "report.html").read_text())

    def test_rewards_come_early_and_their_lack_at_the_windows_end(self):
        result = self.run_spec(stream='ignore = ["seen", "told"]\nearly = 3\nwindow = 100', delay="recorded")
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        for run in self.summary()["runs"]:
            delays, metrics = run["delays"], run["checkpoints"]["metrics"]
            self.assertEqual(run["checkpoints"]["outstanding"][-1], ROWS - delays["answered"])
            lacking = ROWS * (1 - metrics["reward"][-1])
            self.assertGreater(delays["sum"], 90 * (lacking - 100))
            self.assertEqual(delays["largest"], 100)

    def test_times_of_the_file_are_those_of_rewards(self):
        result = self.run_spec(stream='event_time = "seen"\nfeedback_time = "told"', delay="recorded")
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        self.assertEqual({run["delays"]["largest"] for run in self.summary()["runs"]}, {10})

    def test_other_learners_and_streams_are_refused(self):
        result = self.run_spec(more='[[learners]]\ntype = "auto"\nset = { type = "box", dimension = 3, lower = -1, upper = 1 }\n')
        self.assertEqual(result.returncode, 2)
        self.assertIn('learner "auto": stream "kinds" asks for choices: give the task "choose"', result.stderr.decode())
        result = self.run_spec(more='[[learners]]\ntask = "binary"\n')
        self.assertEqual(result.returncode, 2)
        self.assertIn("asks for choices", result.stderr.decode())
        result = self.run_spec(stream='label = "size"')
        self.assertEqual(result.returncode, 2)
        self.assertIn('label must have 2 to 100 classes (column "size" has at least 101)', result.stderr.decode())
        result = self.run_spec(stream='event_time = "seen"')
        self.assertIn("give event_time and feedback_time, or neither", result.stderr.decode())


if __name__ == "__main__":
    unittest.main()
