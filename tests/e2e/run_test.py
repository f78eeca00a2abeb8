"""`tarry run`, `tarry init` and the lists of what experiments are made of."""

import csv
import io
import json
import re
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from program import PROGRAM, ROOT, TIMEOUT, ProgramTest, listed, tarry

QUICKSTART = str(ROOT / "examples" / "quickstart.toml")
SMALL = ("--override", "rounds=200", "--override", "seeds=2")
COLUMNS = ("stream delay learner set seed round loss regret_low regret_high bound outstanding oracle_calls seconds "
           "state_bytes").split()

SPEC = """name = "small"
rounds = 100
[set]
type = "l2_ball"
dimension = 2
radius = 1
[stream]
type = "random_linear"
dimension = 2
[[learners]]
type = "delayed_ogd"
eta = 0.1
"""

# Eight runs of a few tenths of a second each.
ROUNDS = 400000
LONG = SPEC.replace("rounds = 100", f"rounds = {ROUNDS}\nseeds = 8\ncomparator = false")


def run_files(out):
    return sorted(path for path in (Path(out) / "runs").iterdir() if path.name.startswith("run-"))


def curves(out, without=("seconds",)):
    rows = list(csv.DictReader(io.StringIO((Path(out) / "curves.csv").read_text())))
    return [{key: value for key, value in row.items() if key not in without} for row in rows]


class RunTest(ProgramTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.out = str(self.folder / "out")

    def write(self, text, name="spec.toml"):
        path = self.folder / name
        path.write_text(text)
        return str(path)

    def runs(self, spec, *arguments, out=None):
        """What a run that must go well prints."""
        done = tarry("run", spec, "--out", out or self.out, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return done.stdout.decode()

    def refuses_spec(self, text, says, *arguments, status=2):
        spec = self.write(text)
        done = self.fails("run", spec, "--out", self.out, *arguments, says=says, status=status)
        self.assertEqual(done.stdout, b"")
        self.assertFalse((Path(self.out) / "summary.json").exists())
        return done

    def no_temporary_files(self):
        self.assertEqual([path for path in Path(self.out).rglob("*") if path.suffix == ".tmp"], [])


class Run(RunTest):
    def test_leaves_a_table_curves_a_summary_and_a_report(self):
        text = self.runs(QUICKSTART, *SMALL)
        self.assertTrue(text.startswith("quickstart: 30 runs of 200 rounds\n\ndelay "))
        for word in ("learner", "regret", "bound", "µs/round", "BOLD over OFW", "heavy tail, 10% lost", "───"):
            self.assertIn(word, text)
        self.assertEqual(len(text.splitlines()), 2 + 2 + 15 + 4)
        table = text.splitlines()[2:19]
        self.assertEqual(len({len(line) for line in table}), 1, "columns are aligned")
        self.assertTrue(text.endswith(f"\nreport   {self.out}/report.html\ncurves   {self.out}/curves.csv\n"
                                      f"summary  {self.out}/summary.json\n"))
        self.no_temporary_files()

        summary = json.loads((Path(self.out) / "summary.json").read_text())
        self.assertEqual(summary["format"], "tarry-run/1")
        self.assertEqual(summary["name"], "quickstart")
        self.assertRegex(summary["made"], r"\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\Z")
        self.assertTrue(summary["spec"].startswith(Path(QUICKSTART).read_text()))
        self.assertTrue(summary["spec"].endswith("\n# --override rounds=200\n# --override seeds=2"))
        self.assertEqual(len(summary["groups"]), 15)
        self.assertEqual(len(summary["runs"]), 30)
        for group in summary["groups"]:
            self.assertEqual(group["seeds"], 2)
            self.assertLessEqual(group["regret_low"], group["regret_high"])
            if group["bound"] is not None:
                self.assertLessEqual(group["regret_high"], group["bound"])

        rows = curves(self.out, without=())
        self.assertEqual(list(rows[0]), COLUMNS)
        checkpoints = sum(len(run["checkpoints"]["round"]) for run in summary["runs"])
        self.assertEqual(len(rows), checkpoints)
        for column in ("loss", "regret_low", "regret_high", "state_bytes"):
            self.assertEqual([float(row[column]) for row in rows],
                             [x for run in summary["runs"] for x in run["checkpoints"][column]])

        report = (Path(self.out) / "report.html").read_text()
        data = re.search(r'<script id="data" type="application/json">(.*?)</script>', report, re.DOTALL).group(1)
        self.assertEqual(json.loads(data), summary)

    def test_out_is_runs_and_the_name_unless_given(self):
        spec = self.write(SPEC)
        done = subprocess.run([PROGRAM, "run", spec], cwd=self.folder, capture_output=True, timeout=TIMEOUT)
        self.assertEqual(done.returncode, 0)
        self.assertTrue((self.folder / "runs" / "small" / "summary.json").exists())

    def test_jobs_change_nothing_but_the_time(self):
        self.runs(QUICKSTART, *SMALL, "--jobs", "1")
        self.runs(QUICKSTART, *SMALL, "--jobs", "2", out=self.out + "2")
        self.assertEqual(curves(self.out), curves(self.out + "2"))


class Resume(RunTest):
    def test_finished_runs_are_kept(self):
        self.runs(QUICKSTART, *SMALL)
        before = curves(self.out, without=())
        self.assertIn("30 runs of 200 rounds (30 kept from before)\n", self.runs(QUICKSTART, *SMALL))
        self.assertEqual(curves(self.out, without=()), before)  # even the seconds: they are kept too

        files = run_files(self.out)
        self.assertEqual(len(files), 30)
        files[3].unlink()
        self.assertIn("(29 kept from before)", self.runs(QUICKSTART, *SMALL))
        self.assertTrue(files[3].exists())
        self.assertEqual(curves(self.out), [{k: v for k, v in row.items() if k != "seconds"} for row in before])

        whole = files[5].read_bytes()
        for damaged in (whole[:len(whole) // 2], b"", b"null", b"{}"):
            files[5].write_bytes(damaged)
            self.assertIn("(29 kept from before)", self.runs(QUICKSTART, *SMALL))
            self.assertEqual(json.loads(files[5].read_bytes())["checkpoints"]["loss"],
                             json.loads(whole)["checkpoints"]["loss"])

    def test_what_changes_a_run_runs_it_again(self):
        spec = self.write(SPEC)
        self.runs(spec)
        for change, kept in (("rounds=90", 0), ("learners.0.eta=0.2", 0), ("seeds=2", 1), ("checkpoints=9", 0),
                             ("set.radius=2", 0), ("stream.lean=0.1", 0),
                             ('delay={ type = "fixed", delay = 2 }', 0), ("learners.0.name=other", 1)):
            text = self.runs(spec, "--override", change)
            self.assertEqual(f"({kept} kept" in text, kept > 0, change)
            self.assertEqual("kept" in text, kept > 0, change)

    def interrupted(self, how, spec):
        """A long run, stopped once some of it is finished; its status, stderr, and the whole run files left."""
        program = subprocess.Popen([PROGRAM, "run", spec, "--out", self.out, "--jobs", "1"], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        folder = Path(self.out) / "runs"
        deadline = time.monotonic() + TIMEOUT
        while not (folder.exists() and any(path.name.startswith("run-") and path.suffix == ".json"
                                           for path in folder.iterdir())):
            self.assertLess(time.monotonic(), deadline)
            self.assertIsNone(program.poll(), "it ended before it was stopped")
            time.sleep(0.01)
        program.send_signal(how)
        out, errors = program.communicate(timeout=TIMEOUT)
        self.assertEqual(out, b"")
        whole = [path for path in run_files(self.out) if path.suffix == ".json"]
        for path in whole:
            self.assertEqual(json.loads(path.read_text())["rounds"], ROUNDS)
        self.assertGreaterEqual(len(whole), 1)
        self.assertLess(len(whole), 8)
        for name in ("summary.json", "curves.csv", "report.html"):
            self.assertFalse((Path(self.out) / name).exists())
        return program.returncode, errors.decode(), whole

    def continues(self, spec, kept):
        # Small, so that what is left is quick: seeds that are finished are kept.
        seeds = sorted(json.loads(path.read_text())["seed"] for path in kept)
        text = self.runs(spec, "--override", f"seeds={seeds}")
        self.assertIn(f"({len(kept)} kept from before)", text)

    def test_interrupt_ends_it_in_order(self):
        spec = self.write(LONG)
        for how in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(how=how):
                self.out = str(self.folder / how.name)
                status, errors, kept = self.interrupted(how, spec)
                self.assertEqual(status, 130)
                message = errors.splitlines()[-1]
                self.assertEqual(message, f"tarry: stopped; finished runs are kept in {self.out}/runs and will not be "
                                          "run again")
                for line in errors.splitlines()[:-1]:
                    self.assertRegex(line, r"\Asmall: \d+% ")
                self.no_temporary_files()
                self.continues(spec, kept)

    def test_kill_leaves_only_whole_files(self):
        spec = self.write(LONG)
        status, _, kept = self.interrupted(signal.SIGKILL, spec)
        self.assertEqual(status, -signal.SIGKILL)
        self.continues(spec, kept)


class Refusals(RunTest):
    def test_specifications_name_file_line_and_key(self):
        for change, says in (
                (("rounds = 100", "rouns = 100"), 'spec.toml: line 2: experiment: unknown key "rouns" (known keys: '),
                (("rounds = 100", "rounds = -1"), "spec.toml: line 2: experiment: rounds must be a whole number"),
                (("rounds = 100\n", ""), "experiment: rounds is missing (a synthetic stream has no end)"),
                (("rounds = 100", "rounds = = 1"), "spec.toml: line 2: not valid TOML ("),
                (('"random_linear"', '"nothing"'), 'line 8: unknown stream type "nothing" (known types: '),
                (("eta = 0.1", "eta = 0.1\nspeed = 1"), 'line 13: delayed_ogd: unknown key "speed" (known keys: '),
                (("eta = 0.1", "eta = -1"), "spec.toml: line 12: delayed_ogd: eta must be positive (eta = -1)"),
                (("radius = 1", "radius = 0"), "spec.toml: line 3: l2_ball: radius must be positive (radius = 0)"),
                (("radius = 1", "radius = 1\nx = 1"), 'line 7: l2_ball: unknown key "x" (known keys: '),
                (("dimension = 2\n[[", "dimension = 3\n[["), "l2_ball: dimension must be the stream's, 3 (it is 2)"),
                (("dimension = 2\n[[", 'dimension = 2\nlean = 7\n[['), "line 10: random_linear: lean must be from 0 to 1"),
                (("eta = 0.1", 'eta = 0.1\n[delay]\ntype = "recorded"'), "line 13: recorded: the stream has no event"),
                (("eta = 0.1", 'eta = 0.1\n[delay]\ntype = "none"\nlost = 2'), "a probability from 0 to 1"),
                (("eta = 0.1", "eta = 0.1\ninitial = [3, 0]"), "initial")):
            with self.subTest(change=change):
                self.refuses_spec(SPEC.replace(*change), ["spec.toml: ", says])

    def test_overrides(self):
        for override, says in (("rounds", 'override "rounds": wanted key=value'),
                               ("=1", 'override "=1": wanted key=value'),
                               ("learners.7.eta=1", 'override "learners.7.eta=1": 7 is not one of the 1 entries'),
                               ("rounds.x=1", 'override "rounds.x=1": x is inside a value that has no keys'),
                               ("rounds=none", 'experiment: rounds must be a whole number'),
                               ("roundz=3", 'experiment: unknown key "roundz"')):
            with self.subTest(override=override):
                self.refuses_spec(SPEC, says, "--override", override)

    def test_arguments(self):
        spec = self.write(SPEC)
        self.fails("run", says="spec is required")
        self.fails("run", str(self.folder / "nothing.toml"), says="nothing.toml: No such file or directory")
        self.fails("run", str(self.folder), says="Is a directory")
        self.fails("run", spec, "--jobs", "0", says="--jobs")
        self.fails("run", spec, "--frob", says="--frob")

    def test_data_files(self):
        spec = SPEC.replace('type = "random_linear"\ndimension = 2',
                            f'type = "csv"\npath = "{self.folder}/data.csv"\nlabel = "y"\nloss = "squared"\n'
                            'features = ["x"]')
        done = self.refuses_spec(spec, [f"{self.folder}/data.csv: ", "No such file"])
        self.assertEqual(done.stderr.count(b"data.csv"), 1)
        for text, says in (("x,y\n1,2\n3,oops\n", 'data.csv: line 3: label must be a number, true or false (oops came)'),
                           ("x,y\n1,2\n3\n", "data.csv: line 3: has 1 cells, but the header has 2"),
                           ("x,z\n1,2\n", 'data.csv: line 1: no column "y" (columns: x, z)'),
                           ("", "data.csv: is empty")):
            self.write(text, "data.csv")
            self.refuses_spec(spec, says)

    def test_out_that_cannot_be_written_is_a_failure_of_the_run(self):
        spec = self.write(SPEC)
        file = self.write("", "file")
        self.fails("run", spec, "--out", file + "/out", status=1, says=f"tarry: {file}/out/runs: cannot be created")
        self.runs(spec)
        (Path(self.out) / "summary.json").unlink()
        (Path(self.out) / "summary.json").mkdir()
        done = tarry("run", spec, "--out", self.out)
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"tarry: {self.out}/summary.json: cannot be renamed into place", done.stderr.decode())
        self.no_temporary_files()

    def test_standard_output_that_is_full(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([PROGRAM, "run", self.write(SPEC), "--out", self.out], stdout=full,
                                  stderr=subprocess.PIPE, timeout=TIMEOUT)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"tarry: standard output: No space left on device\n", done.stderr)


class Init(RunTest):
    def test_writes_a_file_that_runs(self):
        path = self.folder / "experiment.toml"
        text = self.succeeds("init", str(path))
        self.assertEqual(text, [f"wrote {path}; run it with: tarry run {path}"])
        self.assertIn("experiment: 6 runs of 50 rounds",
                      self.runs(str(path), "--override", "rounds=50", "--override", "seeds=1"))
        self.assertEqual("\n".join(self.succeeds("init", "-")) + "\n", path.read_text())

    def test_does_not_overwrite_unless_told(self):
        path = self.folder / "mine.toml"
        path.write_text("mine")
        self.fails("init", str(path), says="mine.toml exists already (--force to replace it)")
        self.assertEqual(path.read_text(), "mine")
        self.succeeds("init", str(path), "--force")
        self.assertIn("[[learners]]", path.read_text())
        self.fails("init", str(self.folder / "no" / "x.toml"), status=1, says="cannot be created")
        self.assertEqual(sorted(file.name for file in self.folder.iterdir()), ["mine.toml"])


class Lists(ProgramTest):
    def test_delays_streams_and_losses(self):
        for command, some in (("delays", {"none", "geometric", "pareto", "adversarial", "recorded"}),
                              ("streams", {"random_linear", "csv", "libsvm", "arff_events", "relatives"}),
                              ("losses", {"linear", "squared", "logistic", "hinge", "log_wealth"})):
            entries = listed(command)
            self.assertLessEqual(some, {entry["name"] for entry in entries})
            text = "\n".join(self.succeeds(command))
            for entry in entries:
                self.assertIn(f"{entry['name']}\n    {entry['summary']}\n", text)
                self.assertTrue(entry["examples"])
                for example in entry["examples"]:
                    self.assertEqual(example["type"], entry["name"])


if __name__ == "__main__":
    unittest.main()
