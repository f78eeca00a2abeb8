"""Every experiment of examples/ runs, in small; those on data where the data is at hand."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from program import ROOT, ProgramTest, tarry

DATA = Path(os.environ.get("TARRY_DATA", ROOT.parent / "shared" / "data"))

# What makes each of them small, and the file of those that need one.
SMALL = {
    "budget": (["rounds=600", "seeds=1"], None),
    "quickstart": (["rounds=100", "seeds=1"], None),
    "quadratics": (["rounds=100", "seeds=1"], None),
    "paper": (["horizons=[16, 64]", "seeds=1"], None),
    "flights": (["stream.limit=2000", "checkpoints=10"], "flights/derived_hflights_stream.csv.gz"),
    "a9a": (["stream.limit=1000", "checkpoints=10"], "libsvm/a9a"),
    "airlines": (["rounds=1500", "checkpoints=10"], "airlines-events/airlines_delayed_label_events.arff"),
    "airlines_classes": (["rounds=1500", "checkpoints=10"], "airlines-events/airlines_delayed_label_events.arff"),
    "demo": ([f"stream.path={ROOT / 'examples/late_labels.csv'}"], None),
    "late_labels": ([f"stream.path={ROOT / 'examples/late_labels.csv'}"], None),
    "movielens": (["rounds=2000", "checkpoints=5"], None),
    "routing": (["rounds=600", "seeds=1", "checkpoints=10"], None),
    "portfolio": (["rounds=500", "checkpoints=10"], "portfolio/relatives_nyse_o.csv"),
    "choose/news": (["rounds=300", "checkpoints=5"], "news_bandit/clean.csv.gz"),
    "choose/shop": (["rounds=600", "checkpoints=5"], None),
}


class Examples(ProgramTest):
    def test_every_example_is_here(self):
        examples = ROOT / "examples"
        self.assertEqual({str(path.relative_to(examples).with_suffix("")) for path in examples.rglob("*.toml")}, set(SMALL))

    def test_they_run(self):
        for name, (overrides, file) in SMALL.items():
            with self.subTest(name), tempfile.TemporaryDirectory() as out:
                if file is not None:
                    if not (DATA / file).exists():
                        continue
                    overrides = [*overrides, f"stream.path={DATA / file}"]
                arguments = [word for override in overrides for word in ("--override", override)]
                done = tarry("run", str(ROOT / "examples" / f"{name}.toml"), "--out", out, *arguments)
                self.assertEqual(done.returncode, 0, done.stderr.decode()[-500:])
                summary = json.loads((Path(out) / "summary.json").read_text())
                self.assertEqual(summary["name"], Path(name).name)
                for group in summary["groups"]:
                    self.assertIsNotNone(group["loss"])
                    if group["bound"] is not None and group["regret_high"] is not None:
                        self.assertLessEqual(group["regret_low"], group["bound"])

    def test_the_shop_is_what_its_program_makes(self):
        made = subprocess.run([sys.executable, "-B", ROOT / "examples/choose/shop.py"], capture_output=True, check=True)
        self.assertEqual(made.stdout, (ROOT / "examples/choose/shop.csv").read_bytes())

    def test_what_is_planted_in_the_shop_is_in_the_intervals(self):
        made = subprocess.run([sys.executable, "-B", ROOT / "examples/choose/shop.py", "--truth"], capture_output=True, check=True)
        truth = {line.rsplit(None, 1)[0].strip(): float(line.split()[-1]) for line in made.stdout.decode().splitlines()}
        with tempfile.TemporaryDirectory() as out:
            done = tarry("run", str(ROOT / "examples/choose/shop.toml"), "--out", out)
            self.assertEqual(done.returncode, 0, done.stderr.decode()[-500:])
            judged = {one["policy"]: one for one in json.loads((Path(out) / "summary.json").read_text())["evaluations"]}
        for policy in ("as logged", "uniform", "proposed"):
            for estimator in ("ips", "dr"):
                said = judged[policy][estimator]
                self.assertLess(said["low"], truth[policy], (policy, estimator))
                self.assertGreater(said["high"], truth[policy], (policy, estimator))
        self.assertGreater(judged["auto"]["dr"]["value"], truth["as logged"])

    def test_those_on_data_say_which_file_is_missing(self):
        for name, (_, file) in SMALL.items():
            if file is None:
                continue
            with tempfile.TemporaryDirectory() as out:
                self.fails("run", str(ROOT / "examples" / f"{name}.toml"), "--out", out, "--override",
                           "stream.path=/nowhere/data", says="/nowhere/data: No such file or directory")


if __name__ == "__main__":
    unittest.main()
