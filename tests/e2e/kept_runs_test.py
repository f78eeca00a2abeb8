"""What rivals did is kept (bench/kept_runs.py): found again for the same stream, and for no other."""

import dataclasses
import sys
import tempfile
import unittest
from pathlib import Path

from program import ROOT

sys.path.insert(0, str(ROOT / "bench"))
from kept_runs import KeptRuns, hash_of
from late_streams import LateStream

STREAM = LateStream("made up", "logistic", [[(0, 1.0)], [(0, 2.0)]], [1.0, -1.0], {0}, [0.0, 1.0], [0.5, None], {})
RUN = {"who": "vw", "how": "rate 0.5", "curve": [0.7, float("inf")], "metric": float("inf"), "tuned": True, "seconds": 1.0}


class KeptRunsTest(unittest.TestCase):
    def test_any_difference_makes_another_hash(self):
        others = {"loss": "squared", "rows": [[(0, 1.0)], [(0, 2.5)]], "labels": [1.0, 1.0], "numbers": set(), "event_time": [0.0, 2.0],
                  "feedback_time": [0.5, 3.0]}
        hashes = {hash_of(dataclasses.replace(STREAM, **{key: value}), ["1.0"]) for key, value in others.items()}
        hashes |= {hash_of(STREAM, ["1.0"]), hash_of(STREAM, ["1.1"])}
        self.assertEqual(len(hashes), len(others) + 2)
        self.assertIn(hash_of(dataclasses.replace(STREAM, name="of another name"), ["1.0"]), hashes)

    def test_a_run_is_found_again(self):
        with tempfile.TemporaryDirectory() as folder:
            KeptRuns(Path(folder, "kept"), "a").keep(RUN)
            self.assertEqual(KeptRuns(Path(folder, "kept"), "a").find("vw", "rate 0.5"), RUN)
            self.assertIsNone(KeptRuns(Path(folder, "kept"), "a").find("vw -q", "rate 0.5"))
            self.assertIsNone(KeptRuns(Path(folder, "kept"), "b").find("vw", "rate 0.5"))
            self.assertEqual([file.name for file in Path(folder, "kept").iterdir()], ["a.json"])


if __name__ == "__main__":
    unittest.main()
