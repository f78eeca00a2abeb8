"""What `make bench` says of a slower version (bench/kept_ratios.py), and of a busy machine (bench/idle.py)."""

import io
import json
import os
import sys
import tempfile
import unittest
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest import mock

from program import ROOT

sys.path.insert(0, str(ROOT / "bench"))
import idle
import kept_ratios
import table


KEY = "dense/native / numpy/plain"


def row(key, ratio, more_is_better=True):
    return {"key": key, "ratio": ratio, "more_is_better": more_is_better}


class KeptRatiosTest(unittest.TestCase):
    def test_a_ratio_that_fell_by_more_than_a_third_is_told(self):
        kept = {"a / b": 1.5, "c / d": 1.5, "e / f": 0.9}
        rows = [row("a / b", 0.99), row("c / d", 1.01), row("e / f", 1.2), row("new / row", 0.1)]
        self.assertEqual([x["key"] for x in kept_ratios.slower(rows, kept)], ["a / b"])

    def test_where_less_is_better_a_ratio_that_grew_is_told(self):
        kept = {"a / b": 1.0, "c / d": 1.0}
        rows = [row("a / b", 1.55, False), row("c / d", 1.45, False)]
        self.assertEqual([x["key"] for x in kept_ratios.slower(rows, kept)], ["a / b"])

    def test_the_version_kept_last_counts(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(kept_ratios.newest(Path(folder)), (None, {}))
            for version, ratio in (("0.9.0", 1.0), ("0.10.0", 2.0), ("0.2.0", 3.0)):
                kept_ratios.keep([row("a / b", ratio)], "a machine", version, Path(folder))
            Path(folder, "rivals.json").write_text("{}")  # of bench/rivals, kept beside them
            self.assertEqual(kept_ratios.newest(Path(folder)), ("0.10.0", {"a / b": 2.0}))

    def test_the_version_is_the_projects(self):
        self.assertRegex(kept_ratios.version(ROOT / "CMakeLists.txt"), r"^\d+\.\d+\.\d+$")

    def test_a_program_that_fails_costs_its_rows_alone(self):
        says = lambda name, seconds: [sys.executable, "-c", f"print('{{\"name\": \"{name}\", \"seconds\": [{seconds}]}}')"]
        programs = [("dense", says("native", 2)), ("numpy", says("plain", 6)), ("numpy", says("plain", 4)), ("model", says("save", 1)),
                    ("serve", [sys.executable, "-c", "raise SystemExit('no room')"]), ("log", ["no/such/program"])]
        failed = {}
        best, givers = table.one_round(programs, failed)
        self.assertEqual(best, {"dense/native": 2, "numpy/plain": 4, "model/save": 1})
        self.assertEqual(list(failed.values())[0], "no room")
        self.assertEqual(len(failed), 2)
        self.assertEqual([(row["key"], row["ratio"]) for row in table.rows_of([best])], [("dense/native / numpy/plain", 2)])

    def play(self, ratio, kept=None, idle_share=1.0, arguments=()):
        """A whole run of bench/table.py over two programs of ours: its exit status and what it printed."""
        says = lambda name, seconds: [sys.executable, "-c", f"print('{{\"name\": \"{name}\", \"seconds\": [{seconds}]}}')"]
        programs = [("dense", says("native", 1)), ("numpy", says("plain", ratio))]
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "build").mkdir()
            Path(folder, "bench").mkdir()
            Path(folder, "CMakeLists.txt").write_text("project(tarry VERSION 0.3.0 LANGUAGES CXX)")
            if kept:
                Path(folder, "bench", "kept").mkdir()
                Path(folder, "bench", "kept", "0.2.0.json").write_text(json.dumps({"machine": "", "ratios": {KEY: kept}}))
            was, said = os.getcwd(), io.StringIO()
            os.chdir(folder)
            try:
                with mock.patch.object(table, "PROGRAMS", programs), mock.patch.object(table, "ROUNDS", 1), \
                        mock.patch.object(table, "MORE", 0), mock.patch.object(idle, "idle_share", lambda: idle_share), \
                        mock.patch.object(sys, "argv", ["table.py", *arguments]), redirect_stdout(said), redirect_stderr(io.StringIO()):
                    status = table.main()
                file = Path("bench/kept/0.3.0.json")
                return status, said.getvalue(), json.loads(file.read_text())["ratios"] if file.exists() else None
            finally:
                os.chdir(was)

    def test_a_run_fails_where_a_ratio_fell_and_keeps_nothing_then(self):
        status, said, kept = self.play(ratio=12, kept=20, arguments=["--keep"])
        self.assertEqual((status, kept), (1, None))
        self.assertIn("slower than 0.2.0 by more than a third: dense update", said)
        self.assertEqual(self.play(ratio=15, kept=20, arguments=["--keep"])[::2], (0, {KEY: 15.0}))

    def test_a_busy_machine_is_told_and_nothing_is_judged_or_kept(self):
        status, said, kept = self.play(ratio=1, kept=20, idle_share=0.5, arguments=["--keep"])
        self.assertEqual((status, kept), (0, None))
        self.assertIn("too busy to judge: 50%", said)

    def test_no_round_begins_after_fifteen_minutes(self):
        with mock.patch.object(table, "ROUNDS", 3):
            failed = {}
            programs = [("dense", [sys.executable, "-c", "print('{\"name\": \"native\", \"seconds\": [1]}')"])]
            with redirect_stderr(io.StringIO()):
                self.assertEqual(len(table.measure(programs, failed, {}, late=0)[0]), 3)
                self.assertEqual(len(table.measure(programs, failed, {}, late=table.LIMIT - 0.001)[0]), 1)

    def test_idle_time_is_read_from_the_kernels_counts(self):
        self.assertEqual(idle.times("cpu  10 0 20 60 10 0 0 5 0 0\ncpu0 1 1 1 1"), (70, 105))
        self.assertTrue(0 <= idle.idle_share(0.2) <= 1)


if __name__ == "__main__":
    unittest.main()
