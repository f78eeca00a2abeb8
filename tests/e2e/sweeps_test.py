"""An experiment in parts: `tarry run SPEC --shard i/N` into one folder, then `--merge`."""

import csv
import json
import subprocess
import tempfile
import unittest
from pathlib import Path

from program import PROGRAM, ROOT, TIMEOUT, ProgramTest, tarry

SPEC = str(ROOT / "examples/quickstart.toml")
SMALL = ["--override", "rounds=100", "--override", "seeds=2"]
RUNS = 3 * 5 * 2


class Sweeps(ProgramTest):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def run_spec(self, out, *more, spec=SPEC, small=SMALL):
        done = tarry("run", spec, "--out", str(self.folder / out), *small, *more)
        self.assertEqual(done.returncode, 0, done.stderr.decode()[-500:])
        return done

    def table(self, out):
        """curves.csv without the seconds, which no two runs share."""
        with open(self.folder / out / "curves.csv", newline="") as file:
            return [{key: value for key, value in row.items() if key != "seconds"} for row in csv.DictReader(file)]

    def test_parts_that_xargs_runs_are_one_experiment(self):
        command = ["xargs", "-P", "2", "-I{}", PROGRAM, "run", SPEC, "--out", str(self.folder / "parts"), *SMALL, "--shard", "{}/4"]
        done = subprocess.run(command, input=b"1\n2\n3\n4\n", capture_output=True, timeout=TIMEOUT)
        self.assertEqual(done.returncode, 0, done.stderr.decode()[-500:])
        self.assertFalse((self.folder / "parts/report.html").exists())
        said = self.run_spec("parts", "--merge").stdout.decode()
        self.assertIn(f"{RUNS} runs of 100 rounds ({RUNS} kept from before)", said)
        self.run_spec("whole")
        self.assertEqual(self.table("parts"), self.table("whole"))
        self.assertTrue((self.folder / "parts/report.html").exists())

    def test_a_merge_of_finished_runs_gives_the_same_bytes(self):
        self.run_spec("whole")
        curves = (self.folder / "whole/curves.csv").read_bytes()
        self.run_spec("whole", "--merge")
        self.assertEqual((self.folder / "whole/curves.csv").read_bytes(), curves)

    def test_each_run_is_in_one_part(self):
        for i in (1, 2, 3):
            self.assertIn(f"part {i}/3, {RUNS // 3} runs (0 kept", self.run_spec("parts", "--shard", f"{i}/3").stdout.decode())

    def test_a_part_beyond_the_last_run_has_nothing_to_do(self):
        self.assertIn("part 40/40, 0 runs", self.run_spec("parts", "--shard", "40/40").stdout.decode())

    def test_a_merge_tells_what_is_missing(self):
        self.run_spec("parts", "--shard", "2/3")
        done = self.run_spec("parts", "--merge")
        self.assertIn(f"{RUNS - RUNS // 3} of {RUNS} runs are not there yet", done.stderr.decode())
        self.assertEqual(len(json.loads((self.folder / "parts/summary.json").read_text())["runs"]), RUNS // 3)
        self.fails("run", SPEC, "--out", str(self.folder / "none"), *SMALL, "--merge", says="there are no finished runs")

    def test_the_part_that_has_the_kept_learner_leaves_its_files(self):
        spec, csv_path = str(ROOT / "examples/demo.toml"), str(ROOT / "examples/late_labels.csv")
        small = ["--override", f"stream.path={csv_path}"]
        for i in (1, 2, 3):
            self.run_spec("parts", "--shard", f"{i}/3", spec=spec, small=small)
        self.run_spec("parts", "--merge", spec=spec, small=small)
        self.run_spec("whole", spec=spec, small=small)
        for name in ("predictions.csv", "model.tarry"):
            self.assertEqual((self.folder / "parts" / name).read_bytes(), (self.folder / "whole" / name).read_bytes())

    def test_a_part_that_is_none_is_refused(self):
        for shard in ("0/3", "4/3", "1", "1/", "/3", "a/b", "1/3x", "-1/3", "1/0", "99999999999999999999/3"):
            self.fails("run", SPEC, "--shard=" + shard, says="--shard must be like 2/4")
        self.fails("run", SPEC, "--shard", "1/2", "--merge", says="either --shard or --merge")


if __name__ == "__main__":
    unittest.main()
