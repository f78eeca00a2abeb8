"""A newcomer's file of late labels: `tarry run examples/late_labels.toml --override stream.path=my.csv`, no other key."""

import gzip
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from program import PROGRAM, ROOT, TIMEOUT, ProgramTest, tarry

SPEC = str(ROOT / "examples/late_labels.toml")


class LateLabels(ProgramTest):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.out = self.folder / "out"

    def run_on(self, text, *more, name="my.csv"):
        """The printed lines of a run on a file with this text; its summary is in self.summary."""
        path = self.folder / name
        path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
        done = tarry("run", SPEC, "--out", str(self.out), "--override", f"stream.path={path}", *more)
        self.assertEqual(done.returncode, 0, done.stderr.decode()[-500:])
        self.summary = json.loads((self.out / "summary.json").read_text())
        return done.stdout.decode().splitlines()

    def refuses_file(self, text, says):
        path = self.folder / "my.csv"
        path.write_text(text)
        self.fails("run", SPEC, "--out", str(self.out), "--override", f"stream.path={path}", says=says)

    def test_the_example_runs_as_it_stands(self):
        done = subprocess.run([PROGRAM, "run", "examples/late_labels.toml", "--out", str(self.out)], cwd=ROOT,
                              capture_output=True, timeout=TIMEOUT)
        self.assertEqual(done.returncode, 0, done.stderr.decode()[-500:])
        said = done.stdout.decode()
        self.assertIn("event time created_at, feedback time delivered_at; label late, the last column; loss logistic, "
                      '"yes" is +1', said)
        self.assertIn("numbers: distance_km, weight_kg; words: courier, district, weather; "
                      "ignored: order_id (no word comes twice)", said)

    def test_its_file_is_what_the_script_writes(self):
        made = subprocess.run([sys.executable, "-B", str(ROOT / "examples/late_labels.py")], capture_output=True,
                              check=True).stdout
        self.assertEqual((ROOT / "examples/late_labels.csv").read_bytes(), made)
        self.assertLess(len(made), 60000)

    def test_what_was_inferred_is_printed_and_kept(self):
        rows = "".join(f"{i},{i + 3},{i % 7},{2 * (i % 7) + 1}\n" for i in range(60))
        lines = self.run_on("event_time,feedback_time,x,minutes\n" + rows, name="my.csv.gz")
        read_as = self.summary["readings"][0]["read_as"]
        self.assertEqual(self.summary["readings"][0]["stream"], "late labels")
        self.assertEqual(read_as, ["event time event_time, feedback time feedback_time; label minutes, the last column; "
                                   "loss squared", "numbers: x; words: none; ignored: none"])
        for line in read_as:
            self.assertIn(f"late labels: {line}", lines)
        self.assertIn("rmse", self.summary["groups"][0]["metrics"])
        self.assertEqual(self.summary["runs"][0]["rounds"], 60)
        auto = next(g for g in self.summary["groups"] if (g["learner"], g["delay"]) == ("auto", "none"))
        nothing = next(g for g in self.summary["groups"] if g["learner"] == "nothing learnt")
        self.assertLess(auto["metrics"]["rmse"], nothing["metrics"]["rmse"])

    def test_rows_in_any_order_are_the_same_stream(self):
        rows = [f"2024-01-{d:02}T0{d % 8}:00,2024-02-{d:02}T00:00,{d % 5},{'ab'[d % 2]},{'ny'[d % 3 == 0]}o\n"
                for d in range(1, 29)]
        header = "asked,known,x,kind,late\n"
        self.run_on(header + "".join(rows))
        first = [(g["loss"], g["metrics"]) for g in self.summary["groups"]]
        self.run_on(header + "".join(reversed(rows)))
        self.assertEqual([(g["loss"], g["metrics"]) for g in self.summary["groups"]], first)

    def test_more_than_two_words_are_classes(self):
        self.run_on("t_event,t_feedback,x,y\n" + "".join(f"{t},{t + 1.5},{t % 3},{'abc'[t % 3]}\n" for t in range(200)))
        auto = next(g for g in self.summary["groups"] if (g["learner"], g["delay"]) == ("auto", "none"))
        self.assertGreater(auto["metrics"]["accuracy"], 0.6)

    def test_what_cannot_be_inferred_is_asked_for(self):
        self.refuses_file("a,b,y\n1,2,3\n", says="give event_time and feedback_time (columns: a, b, y)")
        self.refuses_file("t_event,t_feedback,x,y\n" + "".join(f"{t},{t + 1},{t % 7},w{t}\n" for t in range(120)),
                          says='too many words (w0, w1, w2…): predictions are of 2 to 100 classes, or of numbers; '
                               'positive = "w0"')
        self.refuses_file("t_event,t_feedback,x,y\n1,2,1,4\n2,1,1,5\n3,4,2,6\n",
                          says="line 3: t_feedback must not be before t_event (1 before 2)")
        self.fails("run", SPEC, "--override", "stream.lable=x", says='unknown key "lable"')


if __name__ == "__main__":
    unittest.main()
