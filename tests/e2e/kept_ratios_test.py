"""What `make bench` says of a slower version (bench/kept_ratios.py), and of a busy machine (bench/idle.py)."""

import sys
import tempfile
import unittest
from pathlib import Path

from program import ROOT

sys.path.insert(0, str(ROOT / "bench"))
import idle
import kept_ratios
import table


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

    def test_idle_time_is_read_from_the_kernels_counts(self):
        self.assertEqual(idle.times("cpu  10 0 20 60 10 0 0 5 0 0\ncpu0 1 1 1 1"), (70, 105))
        self.assertTrue(0 <= idle.idle_share(0.2) <= 1)


if __name__ == "__main__":
    unittest.main()
